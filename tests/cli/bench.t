roster bench: what a round costs.

Help

  $ roster bench --help
  roster bench: measure what a simulated round costs

  usage: roster bench [FILE] [OPTION...]

  Plays the first episode of an experiment (experiments/cifar10.json if none is
  named) with each of its agents, and compares it with the floor: the bare world
  without an agent, written as fast as possible. Look at the ratio of the two;
  both are measured alternately and in processor time, because the load of
  machines varies. growth is the cost of a round of the last fifth divided by that
  of a round from 10000 to 20000: 1 if late rounds cost as much as early ones.

  Then it measures each call of choose + learn through the public interface, as a
  server would make it, and what an event costs on average of everything that
  learns events: agents, evidence, alarms.

  --experts measures d-ucb on random experts, each number of experts in its own
  process, with the time to set them up and the peak of memory; ratio is to the
  first number. --threads runs all agents alternately on one and on two threads.

  Options:
    --rounds T         Number of rounds, at least 50000. Default: those of the
                       first episode.
    --repeats N        How many times to measure everything. Default: 7.
    --curve            Also measure the cost of a round by its number, from 1000
                       on.
    --experts LIST     Also measure these numbers of random experts, such as
                       10,100,1000.
    --expert-rounds T  Rounds for --experts. Default: 1000000, a tenth of it from
                       100000 experts on.
    --threads          Also compare two threads with one.
    --seconds S        About how long to measure each number of experts, and each
                       number of threads. Default: 3.
    --all              Measure all of that, with 10 to 100000 experts.
    --json             All figures as JSON.
    -h, --help         Show this help and stop.

  Examples:
    roster bench
        on the paper's CIFAR-10 instance
    roster bench mine.json --repeats 3 --json
        as JSON
    roster bench --experts 10,1000 --expert-rounds 10000
        how the cost grows with the number of experts
    roster bench --all
        all of docs/performance.md, in some minutes

Figures, whatever they are

  $ sed 's/"rounds": 3000/"rounds": 50000/' toy.json >long.json

  $ roster bench long.json --repeats 1 | sed 's/[0-9.]*[0-9]/N/g; s/-N/N/g; s/  */ /g'
  toy: ns per simulated round, N rounds, median of N (least - largest)

   ns ratio to the floor growth
  floor N
  d-ucb N N (N - N) N (N - N)
  ucb N N (N - N) N (N - N)

  choose + learn, d-ucb on N experts, N calls: median N ns, N% below N, N% below N, N% below N; of which the clock takes N

  ns per event in process: choose + learn of agents, learn of the rest; N contexts, N actions

   experts events d-ucb direct mixture evidence alarms
   N N N N N N N
   N N N N N N N
   N N N N N N N
   N N N N

What takes longer is measured when it is asked for.

  $ roster bench long.json --repeats 1 --curve --experts 2,10 --expert-rounds 100 --threads --seconds 0.01 |
  > sed -n '/by round/,$p' | sed 's/[0-9.]*[0-9]/N/g; s/-N/N/g; s/  */ /g'
  ns per simulated round, by round

  rounds d-ucb ucb
   N - N N N
   N - N N N
   N - N N N
   N - N N N
   N - N N N
   N - N N N

  choose + learn, d-ucb on N experts, N calls: median N ns, N% below N, N% below N, N% below N; of which the clock takes N

  ns per event in process: choose + learn of agents, learn of the rest; N contexts, N actions

   experts events d-ucb direct mixture evidence alarms
   N N N N N N N
   N N N N N N N
   N N N N N N N
   N N N N

  many experts: d-ucb, N contexts, N actions, ns per simulated round

   experts rounds runs set-up s run s ns/round ratio peak MB
   N N N N N N N N
   N N N N N N N N

  threads: N runs of all agents take N s on one, N s on two; N times as fast (N - N)

  $ roster bench long.json --all --repeats 2 --experts 2,8,100000 --expert-rounds 10 --seconds 0 --json | python3 -c '
  > import json, sys
  > made = json.load(sys.stdin)
  > calls = made["call_ns"]
  > print(list(made), made["rounds"], [a["label"] for a in made["agents"]])
  > print(all(a[what]["least"] <= a[what]["median"] <= a[what]["largest"] for a in made["agents"] for what in ("ns", "ratio", "growth")))
  > print(made["floor_ns"]["median"] > 0, 0 < calls["clock"], calls["median"] <= calls["p99"] <= calls["p99.9"] <= calls["p99.99"])
  > print([(p["from"], p["to"], len(p["ns"])) for p in made["curve"]])
  > print([(c["experts"], c["rounds"], c["runs"]) for c in made["experts"]], made["experts"][0]["ratio"])
  > print(all(c["ns"] > 0 and c["setup_seconds"] > 0 for c in made["experts"]), made["experts"][2]["peak_bytes"] > 8e7)
  > print(made["threads"]["runs"], made["threads"]["speedup"]["median"] > 0)
  > print([(e["experts"], e["events"], list(e)[2:]) for e in made["event_ns"]])'
  ['version', 'name', 'rounds', 'repeats', 'floor_ns', 'agents', 'curve', 'call_ns', 'event_ns', 'experts', 'threads'] 50000 ['d-ucb', 'ucb']
  True
  True True True
  [(1000, 2000, 2), (2000, 4000, 2), (4000, 8000, 2), (8000, 16000, 2), (16000, 32000, 2), (32000, 50000, 2)]
  [(2, 10, 1), (8, 10, 1), (100000, 1, 1)] 1.0
  True True
  4 True
  [(5, 20000, ['d-ucb', 'direct', 'mixture', 'evidence', 'alarms']), (32, 20000, ['d-ucb', 'direct', 'mixture', 'evidence', 'alarms']), (256, 20000, ['d-ucb', 'direct', 'mixture', 'evidence', 'alarms']), (1000, 20000, ['d-ucb', 'direct'])]

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

  $ roster bench long.json --experts 10,few
  ! roster bench: --experts is '10,few', must be whole numbers from 2 to 1000000 separated by commas, such as 10,100
  [2]

  $ roster bench long.json --experts 10,
  ! roster bench: --experts is '10,', must be whole numbers from 2 to 1000000 separated by commas, such as 10,100
  [2]

  $ roster bench long.json --experts 1
  ! roster bench: --experts is '1', must be whole numbers from 2 to 1000000 separated by commas, such as 10,100
  [2]

  $ roster bench long.json --experts 2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2
  ! roster bench: --experts has more than 16 numbers
  [2]

  $ roster bench long.json --expert-rounds 0
  ! roster bench: --expert-rounds is '0', must be a whole number from 1 to 1000000000
  [2]

  $ roster bench long.json --seconds soon
  ! roster bench: --seconds is 'soon', must be a number from 0 to 3600
  [2]
