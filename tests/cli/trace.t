A small instance that every test here starts from.

  $ cat > toy.json <<'END'
  > {"name": "toy", "contexts": ["X1", "X2"], "actions": ["A1", "A2", "A3"],
  >  "experts": [{"name": "expert 1", "table": [[0.75, 0.125, 0.125], [0.125, 0.75, 0.125]]},
  >              {"name": "expert 2", "table": [[0.25, 0.75, 0], [0.75, 0.25, 0]]}],
  >  "episodes": [{"rounds": 4, "context_probabilities": [0.5, 0.5], "reward_means": [[1, 0, 0], [0, 0.5, 0.25]]},
  >               {"rounds": 2, "context_probabilities": [0.25, 0.75],
  >                "rewards": [[[0.5], [0, 1], [1]], [[0.25], [0.75, 0.25], [0]]]}],
  >  "agents": [{"agent": "d-ucb", "support": "shared"}, {"agent": "ucb"},
  >             {"agent": "ed-ucb", "label": "offline", "support": "shared", "p_V": 0.25, "p_X": 0.25, "xi": 0.125,
  >              "samples": 1000},
  >             {"agent": "ed-ucb", "label": "online", "p_V": 0.25, "p_X": 0.25, "xi": 0.125, "samples": 1,
  >              "sampling": "online"}],
  >  "runs": 3, "seed": 1}
  > END

Known experts: no estimates, an index that is infinite is null.

  $ roster trace toy.json --agent d-ucb
  {"agent":"d-ucb","params":{"C":0.02,"gamma":null,"support":"shared","verify":0.0},"experts":[[[0.75,0.125,0.125],[0.125,0.75,0.125]],[[0.25,0.75,0.0],[0.75,0.25,0.0]]],"estimates":null,"xi":null,"episodes":[{"rounds":4,"context_probabilities":[0.5,0.5],"reward_means":[[1.0,0.0,0.0],[0.0,0.5,0.25]],"values":[0.578125,0.1875],"best":0},{"rounds":2,"context_probabilities":[0.25,0.75],"rewards":[[[0.5],[0.0,1.0],[1.0]],[[0.25],[0.75,0.25],[0.0]]],"values":[0.4453125,0.359375],"best":0}]}
  {"e":1,"t":1,"k":0,"x":0,"v":2,"y":0.0,"u":[0.0,null]}
  {"e":1,"t":2,"k":1,"x":1,"v":0,"y":0.0,"u":[0.023841311311983582,0.02752495556791041]}
  {"e":1,"t":3,"k":1,"x":1,"v":1,"y":1.0,"u":[0.66142969834533472,0.52444822674007963]}
  {"e":1,"t":4,"k":0,"x":1,"v":1,"y":1.0,"u":[0.79250880299200177,0.51310741014894057]}
  {"e":2,"t":1,"k":0,"x":1,"v":1,"y":0.25,"u":[0.25,0.083333333333333329]}
  {"e":2,"t":2,"k":0,"x":1,"v":1,"y":0.75,"u":[0.51968401630385397,0.20692674622931412]}

  $ roster trace toy.json --agent ucb --rounds 2 --run 2 --seed 18446744073709551615 | tail -n 2
  {"e":2,"t":1,"k":0,"x":1,"v":1,"y":0.75,"u":[0.75,null]}
  {"e":2,"t":2,"k":1,"x":1,"v":0,"y":0.25,"u":[1.3302614176101182,0.83026141761011818]}

The same run again, the run's number and the seed make another.

  $ roster trace toy.json --agent d-ucb > one; roster trace toy.json --agent d-ucb --run=0 --seed 1 > two; cmp one two

  $ roster trace toy.json --agent d-ucb --run 1 | cmp -s - one || echo differs
  differs

  $ roster trace toy.json --agent d-ucb --seed 2 | cmp -s - one || echo differs
  differs

Agents with estimates are named by their label; the first line shows what they were told.

  $ roster trace toy.json --agent offline --rounds 2
  {"agent":"ed-ucb","params":{"C":0.02,"p_V":0.25,"p_X":0.25,"xi":0.125,"gamma":null,"support":"shared","verify":0.0},"experts":[[[0.75,0.125,0.125],[0.125,0.75,0.125]],[[0.25,0.75,0.0],[0.75,0.25,0.0]]],"estimates":[[[0.75332068311195444,0.12713472485768501,0.11954459203036052],[0.099365750528541227,0.78012684989429171,0.12050739957716702]],[[0.26452905811623245,0.73547094188376749,0.0],[0.76646706586826352,0.23353293413173654,0.0]]],"xi":0.125,"episodes":[{"rounds":2,"context_probabilities":[0.5,0.5],"reward_means":[[1.0,0.0,0.0],[0.0,0.5,0.25]],"values":[0.578125,0.1875],"best":0},{"rounds":2,"context_probabilities":[0.25,0.75],"rewards":[[[0.5],[0.0,1.0],[1.0]],[[0.25],[0.75,0.25],[0.0]]],"values":[0.4453125,0.359375],"best":0}]}
  {"e":1,"t":1,"k":0,"x":0,"v":2,"y":0.0,"u":[4.6738765110858127,null]}
  {"e":1,"t":2,"k":1,"x":1,"v":0,"y":0.0,"u":[4.6935605273896668,5.3608582889012437]}
  {"e":2,"t":1,"k":0,"x":1,"v":1,"y":0.25,"u":[4.6738765110858127,5.333333333333333]}
  {"e":2,"t":2,"k":1,"x":1,"v":0,"y":0.25,"u":[4.6935605273896668,5.3530173496371871]}

While experts are sampled there is no agent and no index.

  $ roster trace toy.json --agent online | sed 's/"experts".*"estimates"/"estimates"/'
  {"agent":"ed-ucb","params":{"C":0.02,"p_V":0.25,"p_X":0.25,"xi":0.125,"gamma":null,"support":"full","verify":0.0},"estimates":[[[0.0,0.0,1.0],[0.0,0.0,0.0]],[[0.0,0.0,0.0],[1.0,0.0,0.0]]],"xi":0.125,"episodes":[{"rounds":4,"context_probabilities":[0.5,0.5],"reward_means":[[1.0,0.0,0.0],[0.0,0.5,0.25]],"values":[0.578125,0.1875],"best":0},{"rounds":2,"context_probabilities":[0.25,0.75],"rewards":[[[0.5],[0.0,1.0],[1.0]],[[0.25],[0.75,0.25],[0.0]]],"values":[0.4453125,0.359375],"best":0}]}
  {"e":1,"t":1,"k":0,"x":0,"v":2,"y":0.0,"u":null}
  {"e":1,"t":2,"k":1,"x":1,"v":0,"y":0.0,"u":null}
  {"e":1,"t":3,"k":0,"x":1,"v":2,"y":1.0,"u":[2.333333333333333,2.333333333333333]}
  {"e":1,"t":4,"k":0,"x":1,"v":1,"y":1.0,"u":[2.3530173496371871,2.3530173496371871]}
  {"e":2,"t":1,"k":0,"x":1,"v":1,"y":0.25,"u":[2.333333333333333,2.333333333333333]}
  {"e":2,"t":2,"k":0,"x":1,"v":1,"y":0.75,"u":[2.3530173496371871,2.3530173496371871]}

Sampling that takes all rounds.

  $ python3 -c 'import json
  > toy = json.load(open("toy.json"))
  > toy["episodes"] = [{**toy["episodes"][0], "rounds": 2}]
  > json.dump(toy, open("all.json", "w"))'

  $ roster trace all.json --agent online | sed 's/"experts".*"estimates"/"estimates"/'
  {"agent":"ed-ucb","params":{"C":0.02,"p_V":0.25,"p_X":0.25,"xi":0.125,"gamma":null,"support":"full","verify":0.0},"estimates":[[[0.0,0.0,1.0],[0.0,0.0,0.0]],[[0.0,0.0,0.0],[1.0,0.0,0.0]]],"xi":0.125,"episodes":[{"rounds":2,"context_probabilities":[0.5,0.5],"reward_means":[[1.0,0.0,0.0],[0.0,0.5,0.25]],"values":[0.578125,0.1875],"best":0}]}
  {"e":1,"t":1,"k":0,"x":0,"v":2,"y":0.0,"u":null}
  {"e":1,"t":2,"k":1,"x":1,"v":0,"y":0.0,"u":null}

A case of a sweep.

  $ sed 's/"runs": 3/"sweep": {"path": "agents.0.C", "values": [0.5, 2]}, "runs": 3/; s/"support": "shared"}, {"agent": "ucb"/"support": "shared", "C": 1}, {"agent": "ucb"/' toy.json > sweep.json

  $ for k in 1 2; do roster trace sweep.json --agent d-ucb --case $k | head -n 1 | cut -c 1-70; done
  {"agent":"d-ucb","params":{"C":0.5,"gamma":null,"support":"shared","ve
  {"agent":"d-ucb","params":{"C":2.0,"gamma":null,"support":"shared","ve

A reader that has seen enough is no failure, and nothing is said.

  $ roster trace toy.json --agent ucb --rounds 100000 | head -n 1 | wc -l
  1

Python reads every line.

  $ roster trace toy.json --agent offline | python3 -c 'import json, sys; print(len([json.loads(line) for line in sys.stdin]))'
  7

Help.

  $ roster trace --help
  roster trace: print every step of one run of one agent as JSON lines

  usage: roster trace FILE [OPTION...]

  For reading and checking every step. The run is the one that `roster run` plays
  with the same FILE, rounds and seed.

  The first line is an object with "agent", "params" (its settings, words turned
  into numbers; as of the first episode), "experts" (their true probabilities by
  expert, context and action), "estimates" (the table an empirical agent works on,
  else null), "xi" (the error it is taken to have, else null) and "episodes"
  (rounds, context_probabilities, reward_means or rewards, values and best expert
  of each).

  Then one line per round: "e" the episode and "t" its round, both from 1; "k" the
  expert, "x" the context, "v" the action, all from 0; "y" the reward; "u" the
  index of every expert after the round was learnt, so that the next "k" is the
  first of its largest, unless it is drawn (exp4, and with "verify"). While
  experts are sampled online "u" is null. Infinite numbers are null.

  With --evidence a line also has "value", "low" and "high" of every expert after
  the round, from the rounds of the episode. With --alarms a round that shows a
  change has "alarms": "what" changed, contexts or rewards; "since" which round of
  the run; where: context "x", action "v"; and the context's share or the action's
  mean reward "before" and "after". Alarms only look on: the agent is told of
  episodes as the file says. An agent with "restart": "alarm" has its alarms shown
  always, and one with "model_test" the experts that are "rejected".

  Options:
    --agent NAME      Label or name of the agent of the file. Required.
    --rounds T        Rounds of every episode. Default: those of the file.
    --run R           Number of the run, from 0. Default: 0, the first.
    --seed S          Seed of all random numbers. Default: that of the file.
    --evidence LEVEL  Adds "value", "low" and "high" of every expert: intervals
                      that hold at all times with this probability, such as 0.95.
    --alarms          Adds "alarms" to rounds that show a change of the world.
    --case K          Which case of a sweep, from 1 in the order of the file.
                      Default: 1.
    -h, --help        Show this help and stop.

  Examples:
    roster trace experiments/unbounded-1.json --agent d-ucb --rounds 100
        all steps of a short run
    roster trace experiments/unbounded-1.json --agent ucb --run 7 | head -3
        how the eighth run begins
    roster trace quickstart.json --agent d-ucb --evidence 0.95 | tail -1
        what is known at the end

The command line.

  $ roster trace
  ! roster trace: an argument is missing: roster trace FILE
  [2]

  $ roster trace toy.json
  ! roster trace: --agent NAME is required: the label or name of an agent of toy.json
  [2]

  $ roster trace toy.json toy.json --agent ucb
  ! roster trace: unexpected argument 'toy.json': roster trace FILE
  [2]

  $ roster trace toy.json --agnet ucb
  ! roster trace: unknown option '--agnet', did you mean '--agent'?
  [2]

  $ roster trace toy.json --agent
  ! roster trace: option --agent needs an argument: --agent NAME
  [2]

  $ roster trace toy.json --agent ucb --rounds 0
  ! roster trace: --rounds is '0', must be a whole number from 1 to 1000000000000
  [2]

  $ roster trace toy.json --agent ucb --rounds many
  ! roster trace: --rounds is 'many', must be a whole number from 1 to 1000000000000
  [2]

  $ roster trace toy.json --agent ucb --run -1
  ! roster trace: --run is '-1', must be a whole number from 0 to 281474976710655
  [2]

  $ roster trace toy.json --agent ucb --seed 1.5
  ! roster trace: --seed is '1.5', must be a whole number from 0 to 18446744073709551615
  [2]

  $ roster trace toy.json --agent ucb --case 0
  ! roster trace: --case is '0', must be a whole number from 1 to 1000
  [2]

  $ roster trace toy.json --agent ucb --case 2
  ! roster trace: --case is 2, but toy.json has 1 case
  [1]

  $ roster trace sweep.json --agent ucb --case 3
  ! roster trace: --case is 3, but sweep.json has 2 cases
  [1]

Agents that are not there, or are there twice.

  $ roster trace toy.json --agent kl-ucb
  ! roster trace: toy.json has no agent 'kl-ucb'; it has d-ucb, ucb, offline, online
  [1]

  $ roster trace toy.json --agent ed-ucb
  ! roster trace: toy.json has 2 agents 'ed-ucb'; name one by its label: offline, online
  [1]

Files.

  $ roster trace missing.json --agent ucb
  ! roster trace: missing.json cannot be read: No such file or directory
  [1]

  $ : > empty.json; roster trace empty.json --agent ucb
  ! roster trace: empty.json is empty, must hold JSON
  [1]

  $ printf '{"name": "toy",\n "runs": }\n' > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json:2:10: unexpected token near '}'
  [1]

  $ sed 's/"rounds": 4/"rounds": "4"/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: episodes[0].rounds is a string, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/"rounds": 4/"rounds": 0/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/\[0.25, 0.75, 0\]/[0.25, 0.5, 0]/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: experts[1].table[0] sums to 0.75, must be 1
  [1]

  $ sed 's/\[0.25, 0.75, 0\]/[0.5, 0.75, -0.25]/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: experts[1].table[0][2] is -0.25, must be a probability
  [1]

  $ sed 's/\[0.25, 0.75, 0\]/[0.25, NaN, 0]/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json:3:54: invalid token near 'NaN'
  [1]

  $ sed 's/\[\[0.25\], \[0.75, 0.25\]/[[0.25], [0.75, 1.25]/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: episodes[1].rewards[1][1][1] is 1.25, must be in [0, 1]
  [1]

  $ sed 's/{"agent": "ucb"}/{"agent": "cub"}/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad\.json: agents\[1\]: there is no agent 'cub'; there are auto, d-ucb, .* (re)
  [1]

  $ sed 's/"support"/"suport"/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: agents[0]: d-ucb has no setting 'suport'; it takes C, gamma, support, verify; did you mean 'support'?
  [1]

  $ sed 's/"support": "shared"},/"C": 0.5},/' toy.json > bad.json; roster trace bad.json --agent ucb
  ! roster trace: bad.json: agents[0]: experts[1] (expert 2) never plays action 2 in context 0, but experts[0] (expert 1) does, so their divergence is infinite: give every action a small probability, or set support to "shared"
  [1]

  $ roster trace toy.json --agent online --rounds 1
  ! roster trace: toy.json: agents[3]: online sampling needs 2 rounds (2 experts, 1 samples each), but the first episode has 1
  [1]

Output that cannot be written.

  $ roster trace toy.json --agent ucb > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]

What is known of each expert at the end, at a level; an episode starts with nothing known. Alarms look on.

  $ roster trace toy.json --agent ucb --rounds 2 --evidence 0.9 | tail -n 4
  {"e":1,"t":1,"k":0,"x":0,"v":2,"y":0.0,"u":[0.0,null],"value":[0.0,0.5],"low":[0.0,0.0],"high":[1.0,1.0]}
  {"e":1,"t":2,"k":1,"x":1,"v":0,"y":0.0,"u":[0.58026141761011818,0.58026141761011818],"value":[0.024766899766899768,0.11111111111111112],"low":[0.0,0.0],"high":[1.0,1.0]}
  {"e":2,"t":1,"k":0,"x":1,"v":1,"y":0.25,"u":[0.25,null],"value":[0.25,0.41666666666666669],"low":[0.0,0.0],"high":[1.0,1.0]}
  {"e":2,"t":2,"k":1,"x":1,"v":0,"y":0.25,"u":[0.83026141761011818,0.83026141761011818],"value":[0.25342365967365965,0.26494107744107748],"low":[0.0,0.0],"high":[1.0,1.0]}

  $ roster trace toy.json --agent ucb --rounds 2000 --alarms | grep -o '"alarms".*' | head -n 2
  "alarms":[{"what":"rewards","since":1984,"x":0,"v":0,"before":1.0,"after":0.69047619047619047}]}
  "alarms":[{"what":"contexts","since":2048,"x":0,"before":0.4912109375,"after":0.23958333333333334}]}

  $ roster trace toy.json --agent ucb --evidence 2
  ! roster trace: --evidence is '2', must be a number from 0.5 to 0.999999
  [2]

A change that nobody announces to an agent that restarts at alarms.

  $ sed -e 's/"rounds": 4/"rounds": 600/; s/"rounds": 2/"rounds": 600/; s/"shared"}, /"shared", "restart": "alarm"}, /' toy.json > drift.json

  $ roster trace drift.json --agent d-ucb | grep alarm
  {"e":2,"t":72,"k":0,"x":1,"v":1,"y":0.75,"u":[null,null],"alarms":[{"what":"rewards","since":608,"x":0,"v":0,"before":0.99789029535864981,"after":0.5}]}
  {"e":2,"t":200,"k":0,"x":1,"v":1,"y":0.25,"u":[null,null],"alarms":[{"what":"contexts","since":512,"x":1,"before":0.47265625,"after":0.70486111111111116}]}
