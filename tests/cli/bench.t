roster bench: what a round costs.

Help

  $ roster bench --help
  roster bench: measure what a simulated round costs

  usage: roster bench [FILE] [OPTION...]

  Plays the first episode of an experiment (experiments/cifar10.json if none is
  named) with each of its agents, and beside them the floor: the bare world
  without an agent, written as fast as can be. What counts is the ratio of the
  two, measured in turns, because machines are noisy. growth is what a late round
  costs in units of an early one.

  Also measures choose + learn through the public interface, call by call.

  Options:
    --rounds T   Rounds, in place of those of the first episode; at least 50000.
    --repeats N  How often everything is measured; 7 by default.
    --json       All figures as JSON.
    -h, --help   Show this help and stop.

  Examples:
    roster bench
        on the paper's CIFAR-10 instance
    roster bench mine.json --repeats 3 --json
        as JSON

Figures, whatever they are

  $ sed 's/"rounds": 3000/"rounds": 50000/' toy.json >long.json

  $ roster bench long.json --repeats 1 | sed 's/[0-9.]*[0-9]/N/g; s/-N/N/g; s/  */ /g'
  toy: ns per simulated round, N rounds, median of N (least - largest)

   ns ratio to the floor growth
  floor N
  d-ucb N N (N - N) N (N - N)
  ucb N N (N - N) N (N - N)

  choose + learn, d-ucb on N experts, two looks at the clock included: median N ns, N% below N ns

  $ roster bench long.json --repeats 2 --json | python3 -c '
  > import json, sys
  > made = json.load(sys.stdin)
  > print(sorted(made), made["rounds"], [a["label"] for a in made["agents"]])
  > print(all(a["ratio"]["least"] <= a["ratio"]["median"] <= a["ratio"]["largest"] for a in made["agents"]))
  > print(made["floor_ns"]["median"] > 0, 0 < made["call_ns"]["median"] <= made["call_ns"]["p99.9"])'
  ['agents', 'call_ns', 'floor_ns', 'name', 'repeats', 'rounds'] 50000 ['d-ucb', 'ucb']
  True
  True True

What is wrong

  $ roster bench
  ! roster bench: experiments/cifar10.json cannot be read: No such file or directory
  [1]

  $ roster bench toy.json --rounds 100
  ! roster bench: --rounds is '100', must be a whole number from 50000 to 1000000000
  [2]

  $ roster bench toy.json
  ! roster bench: toy.json: the first episode has 3000 rounds, must have at least 50000; --rounds says how many
  [1]

  $ roster bench long.json --repeats 0
  ! roster bench: --repeats is '0', must be a whole number from 1 to 16
  [2]

  $ roster bench missing.json
  ! roster bench: missing.json cannot be read: No such file or directory
  [1]
