roster agents: the registry, for people and programs.

Help

  $ roster agents --help
  roster agents: list the agents with their parameters

  usage: roster agents [NAME] [OPTION...]

  Shows every agent, or the one named: where it comes from in the paper, what it
  does, and its parameters, each with the numbers and words it can be, its default
  and its meaning. In a range a round bracket means that the bound itself is not
  allowed. Experiment files set parameters by these names.

  Options:
    --json      A list of objects in JSON, for programs.
    -h, --help  Show this help and stop.

  Examples:
    roster agents d-ucb
        one agent
    roster agents --json
        all of them, for programs

One agent

  $ roster agents d-ucb
  d-ucb (Algorithm 1)
    every reward informs every expert, weighted by how likely each was to take the
    action
    C         number in (0, 1e+100] or "theory"; default 0.02
              scale of the confidence width; "theory" is the value of the theorems
              (needs gamma)
    gamma     number in (0, 1]; no default
              lower bound of every expert's value; required if a setting is
              "theory" or "tight"
    support   "full" or "shared"; default "full"
              "full": every expert takes every action; "shared": some experts
              never take some actions
    verify    number in [0, 1]; default 0
              share of the plays that every expert keeps, whatever is thought of
              it; at most 1 / number of experts

  $ roster agents ed-ucb-lite
  ed-ucb-lite (Algorithm 2 on Algorithm 3)
    ed-ucb that computes few indices per round, from fewer rounds
    C         number in (0, 1e+100] or "theory"; default 0.02
              scale of the confidence width; "theory" is the value of the theorems
              (needs gamma)
    beta      number in [1, 2); default 1.25
              in round t indices are computed from the first t^(1/beta) rounds; 1
              uses all
    p_V       number in (0, 1]; no default
              lower bound of every true probability of an action
    p_X       number in (0, 1] or "uniform"; no default
              lower bound of every context's probability; "uniform" is 1 / number
              of contexts
    xi        number in [0, 1) or "theory" or "tight" or "data"; default "theory"
              largest error of the estimates; "theory" as printed in the paper,
              "tight" as its proof needs, "data" what their counts leave possible
              with probability 0.99
    gamma     number in (0, 1]; no default
              lower bound of every expert's value; required if a setting is
              "theory" or "tight"
    support   "full" or "shared"; default "full"
              "full": every expert takes every action; "shared": some experts
              never take some actions
    verify    number in [0, 1]; default 0
              share of the plays that every expert keeps, whatever is thought of
              it; at most 1 / number of experts

  $ roster agents ucb
  ucb (Auer et al. 2002)
    learns about each expert from its own rewards alone

All agents are those of the JSON in the same order, each as by itself

  $ roster agents --json | python3 -c 'import json, sys; print(*(a["name"] for a in json.load(sys.stdin)), sep="\n")' > names

  $ while read -r name; do roster agents "$name"; echo; done < names | sed '$d' > each; roster agents | cmp - each

JSON, and Python reads it

  $ roster agents d-ucb --json
  [{"name":"d-ucb","source":"Algorithm 1","summary":"every reward informs every expert, weighted by how likely each was to take the action","traits":["additive"],"parameters":[{"name":"C","default":0.02,"exclusiveMinimum":0.0,"maximum":1e+100,"types":["number","word"],"words":["theory"],"help":"scale of the confidence width; \"theory\" is the value of the theorems (needs gamma)"},{"name":"gamma","default":null,"exclusiveMinimum":0.0,"maximum":1.0,"types":["number"],"words":[],"help":"lower bound of every expert's value; required if a setting is \"theory\" or \"tight\""},{"name":"support","default":"full","types":["word"],"words":["full","shared"],"help":"\"full\": every expert takes every action; \"shared\": some experts never take some actions"},{"name":"verify","default":0.0,"minimum":0.0,"maximum":1.0,"types":["number"],"words":[],"help":"share of the plays that every expert keeps, whatever is thought of it; at most 1 / number of experts"}]}]

  $ roster agents --json | python3 -c 'import json, sys
  > by_name = {agent["name"]: agent for agent in json.load(sys.stdin)}
  > for p in by_name["ed-ucb"]["parameters"]: print(p["name"], p["default"], p["types"], p["words"])'
  C 0.02 ['number', 'word'] ['theory']
  p_V None ['number'] []
  p_X None ['number', 'word'] ['uniform']
  xi theory ['number', 'word'] ['theory', 'tight', 'data']
  gamma None ['number'] []
  support full ['word'] ['full', 'shared']
  verify 0.0 ['number'] []

Bad input

  $ roster agents d-ucbb
  ! roster agents: unknown agent 'd-ucbb', did you mean 'd-ucb'?
  [2]

  $ roster agents kl_ucb
  ! roster agents: unknown agent 'kl_ucb', did you mean 'kl-ucb'?
  [2]

  $ roster agents D-UCB
  ! roster agents: unknown agent 'D-UCB', did you mean 'd-ucb'?
  [2]

  $ roster agents thompson-sampling
  ! roster agents: unknown agent 'thompson-sampling'; `roster agents` lists all
  [2]

  $ roster agents ''
  ! roster agents: unknown agent ''; `roster agents` lists all
  [2]

  $ roster agents d-ucb ucb
  ! roster agents: unexpected argument 'ucb': roster agents [NAME]
  [2]

  $ roster agents --jsn
  ! roster agents: unknown option '--jsn', did you mean '--json'?
  [2]

  $ roster agents --json=yes
  ! roster agents: option --json takes no argument, but has 'yes'
  [2]

  $ roster agents --json --json
  ! roster agents: option --json is given twice
  [2]

  $ roster agents -j
  ! roster agents: unknown option '-j'; `roster agents --help` lists all
  [2]

  $ roster agents --out x
  ! roster agents: unknown option '--out'; `roster agents --help` lists all
  [2]

  $ roster agents --json >/dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
