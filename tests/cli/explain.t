A small instance that every test here starts from, the paper's unbounded-2.

  $ cat > toy.json <<'END'
  > {"name": "toy", "contexts": ["X1", "X2"], "actions": ["A1", "A2", "A3"],
  >  "experts": [{"name": "expert 1", "table": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]},
  >              {"name": "expert 2", "table": [[0.2, 0.8, 0], [0.8, 0.2, 0]]}],
  >  "episodes": [{"rounds": 3000, "context_probabilities": [0.55, 0.45],
  >                "reward_means": [[0.1, 0.1, 0.9], [0.1, 0.1, 0.9]]}],
  >  "agents": [{"agent": "d-ucb", "support": "shared"},
  >             {"agent": "ed-ucb", "support": "shared", "p_V": 0.05, "p_X": 0.1, "gamma": 0.2},
  >             {"agent": "ucb"}],
  >  "runs": 3, "seed": 1}
  > END

Values, divergences, bounds, samples, and what is assumed but is not so.

  $ roster explain toy.json
  toy: 2 experts, 2 contexts, 3 actions, 1 episode

  Smallest probability: 0, with which 'expert 2' takes 'A3' in 'X1'
  Practically the same (M_ij and M_ji below 1.001): none

  Episode 1: 3000 rounds; best is 'expert 1', the smallest gap 0.08
    expert         value         gap
    expert 1    0.180000        best
    expert 2    0.100000    0.080000

    If all always took their likeliest action, the best would be 'expert 1' with
    0.1.

    Played 300 times
            best has 95% after round                 reward lost
    agent        median  95% of runs         median  95% of runs
    d-ucb            35  not in time           0.96          240
    ed-ucb           53  not in time           1.68          240
    ucb           2,510  not in time           28.5         48.4

    With 'ucb', 3,000 rounds are too few to say that in 95% of runs the best
    expert has more than 95% of the traffic; reward lost: median 28.5, in 95% of
    runs at most 48.4.

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                         1         2
     1  expert 1     1.000     3.779
     2  expert 2     7.777     1.000
    Largest: 7.777, for 'expert 2' from samples of 'expert 1'

  Best has 95% after round n: from every round m from n on to round 2m, or to the
  end of the episode, more than 95% of the rounds are played by a best expert; m
  goes as far as a tenth of the episode is left. Reward lost: what the best expert
  would have earned in expectation, less what those that played did. Median: of
  300 simulated runs; 95% of runs: with a confidence of 96.5%, at least 95% of all
  runs of such a campaign do not exceed it. All this holds for the rewards that
  the file states.

  What is proven: expected reward lost, with the C that the theorems need
    Episode 1, 3,000 rounds
    agent  source          its C   needs C       tau_1 known after      regret
    d-ucb  Theorem 2        0.02      1244   4.247e+11   5.864e+14     4.7e+13
    ed-ucb Theorem 3        0.02      1038    8.39e+10   3.257e+14    2.61e+13
    ucb    Theorem 8.1         -         -           -           -         413
    any    largest gap         -         -           -           -         240
    No agent here has the C that its theorem needs, so no bound but the last two
    holds for the agents as they are; the figures above are measured. 'known
    after' is the round from which the best is told apart from all others. A bound
    above that of 'any' agent, rounds times the largest gap, says nothing. Theorem
    8.1 is that of Lattimore and Szepesvari's Bandit Algorithms.

  Learning the experts for 'ed-ucb': p_V = 0.05, p_X = 0.1, gamma = 0.2
    The file draws the theory's samples of each expert before round 1.
                          xi  n, per context   A, per expert     all experts
    in the file      2.5e-05       8.352e+10        1.67e+12       3.341e+12
    theory           2.5e-05       8.352e+10        1.67e+12       3.341e+12
    tight           6.25e-06       1.336e+12       2.672e+13       5.345e+13

  Assumptions of the file that do not hold, so that the theorems do not apply:
    'ed-ucb' takes every probability to be at least p_V = 0.05, but 'expert 2'
    takes 'A3' in 'X1' with 0.
    'ed-ucb' takes every value to be at least gamma = 0.2, but that of 'expert 2'
    is 0.1 in episode 1.

The same as JSON; what is infinite is null.

  $ cat > show.py <<'END'
  > import json, sys
  > def short(value):
  >     if isinstance(value, float): return float("%.9g" % value)
  >     if isinstance(value, list): return [short(v) for v in value]
  >     return {k: short(v) for k, v in value.items()} if isinstance(value, dict) else value
  > for key, value in short(json.load(sys.stdin)).items(): print(key, json.dumps(value))
  > END

  $ roster explain toy.json --runs 30 --json | python3 show.py
  name "toy"
  case ""
  experts ["expert 1", "expert 2"]
  contexts ["X1", "X2"]
  actions ["A1", "A2", "A3"]
  smallest_probability {"value": 0.0, "expert": 1, "context": 0, "action": 2}
  same_pairs 0
  same []
  support "shared"
  runs 30
  share 0.95
  confidence 0.785361236
  episodes [{"rounds": 3000, "context_probabilities": [0.55, 0.45], "values": [0.18, 0.1], "gaps": [0.0, 0.08], "best": 0, "smallest_gap": 0.08, "randomness": {"uniform_share": 0.0, "without_floor": 0.18, "greedy": 0.1, "greedy_expert": 0, "sentence": "If all always took their likeliest action, the best would be 'expert 1' with 0.1."}, "simulated": [{"agent": "d-ucb", "settled_after": {"median": 86.0, "high": null}, "lost": {"median": 2.24, "high": 239.84}, "sentence": "With 'd-ucb', 3,000 rounds are too few to say that in 95% of runs the best expert has more than 95% of the traffic; reward lost: median 2.24, in 95% of runs at most 240."}, {"agent": "ed-ucb", "settled_after": {"median": 82.0, "high": null}, "lost": {"median": 2.08, "high": 239.84}, "sentence": "With 'ed-ucb', 3,000 rounds are too few to say that in 95% of runs the best expert has more than 95% of the traffic; reward lost: median 2.08, in 95% of runs at most 240."}, {"agent": "ucb", "settled_after": {"median": 2676.0, "high": null}, "lost": {"median": 27.36, "high": 57.36}, "sentence": "With 'ucb', 3,000 rounds are too few to say that in 95% of runs the best expert has more than 95% of the traffic; reward lost: median 27.4, in 95% of runs at most 57.4."}], "divergences": {"matrix": [[1.0, 3.77944738], [7.77696413, 1.0]], "probabilities": [0.0, 0.25, 0.5, 0.75, 0.95, 1.0], "quantiles": [3.77944738, 3.77944738, 3.77944738, 3.77944738, 3.77944738, 7.77696413], "largest": 7.77696413, "of": 1, "from": 0}, "bounds": [{"agent": "d-ucb", "in_file": true, "source": "Theorem 2", "M": 7.77696413, "gamma": 0.1, "C": 0.02, "applies": false, "theory": {"C": 1244.31426, "tau_1": 424741180000.0, "tau": [null, 586448192000000.0], "known_after": 586448192000000.0, "regret_bound": 46915855300000.0}}, {"agent": "ed-ucb", "in_file": true, "source": "Theorem 3", "M": 6.1606168, "gamma": 0.2, "C": 0.02, "applies": false, "theory": {"C": 1037.57757, "tau_1": 83901784300.0, "tau": [null, 325672846000000.0], "known_after": 325672846000000.0, "regret_bound": 26053827700000.0}}], "ucb_bound": 412.869256, "most": 240.0, "sentence": "With 'ucb', 3,000 rounds are too few to say that in 95% of runs the best expert has more than 95% of the traffic; reward lost: median 27.4, in 95% of runs at most 57.4."}]
  simulated [{"agent": "d-ucb", "lost": {"median": 2.24, "high": 239.84}}, {"agent": "ed-ucb", "lost": {"median": 2.08, "high": 239.84}}, {"agent": "ucb", "lost": {"median": 27.36, "high": 57.36}}]
  learning [{"agent": "ed-ucb", "p_V": 0.05, "p_X": 0.1, "gamma": 0.2, "samples": "theory", "sampling": "offline", "file": {"xi": 2.49999984e-05, "per_context": 83515352000.0, "per_expert": 1670307040000.0}, "theory": {"xi": 2.49999984e-05, "per_context": 83515352000.0, "per_expert": 1670307040000.0}, "tight": {"xi": 6.2499999e-06, "per_context": 1336245510000.0, "per_expert": 26724910100000.0}}]
  warnings ["'ed-ucb' takes every probability to be at least p_V = 0.05, but 'expert 2' takes 'A3' in 'X1' with 0.", "'ed-ucb' takes every value to be at least gamma = 0.2, but that of 'expert 2' is 0.1 in episode 1."]

Experts that are practically the same, names that are no ASCII, episodes of random length, an expert of value 0.

  $ cat > many.json <<'END'
  > {"name": "many", "contexts": ["a"], "actions": ["p", "q"],
  >  "experts": [{"name": "zwölf", "table": [[0.5, 0.5]]}, {"name": "twin \"2\"", "table": [[0.505, 0.495]]},
  >              {"name": "a name that is longer than a table is wide", "table": [[0.05, 0.95]]},
  >              {"name": "never", "table": [[0, 1]]}],
  >  "episodes": [{"rounds": 500000, "min_rounds": 10, "reward_means": [[0.5, 0.25]]},
  >               {"rounds": 20, "reward_means": [[0.5, 0.5]]}, {"rounds": 20, "reward_means": [[0.5, 0]]}],
  >  "agents": [{"agent": "d-ucb-lite", "support": "shared", "beta": 1.5}, {"agent": "uniform"}],
  >  "runs": 1, "seed": 1}
  > END

  $ roster explain many.json --runs 5
  many: 4 experts, 1 context, 2 actions, 3 episodes

  Smallest probability: 0, with which 'never' takes 'p' in 'a'
  Practically the same (M_ij and M_ji below 1.001): 'zwölf' and 'twin "2"'

  Episode 1: 10 to 500000 rounds; best is 'twin "2"', the smallest gap 0.00125
    expert                         value         gap
    twin "2"                    0.376250        best
    zwölf                       0.375000    0.001250
    a name that is longer...    0.262500    0.113750
    never                       0.250000    0.126250

    If all always took their likeliest action, the best would be 'zwölf' with 0.5.

    Played 5 times
                best has 95% after round                 reward lost
    agent            median  95% of runs         median  95% of runs
    d-ucb-lite  not in time  not in time         24,900       50,100
    uniform     not in time  not in time         11,900       24,000

    With 'uniform', 500,000 rounds are too few to say that in 95% of runs the best
    expert has more than 95% of the traffic; reward lost: median 11,900, in 95% of
    runs at most 24,000.

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

  Episode 2: 20 rounds; best is 'zwölf', the smallest gap 0
    expert                         value         gap
    zwölf                       0.500000        best
    twin "2"                    0.500000        best
    a name that is longer...    0.500000        best
    never                       0.500000        best

    If all always took their likeliest action, the best would be 'zwölf' with 0.5.

    Played 5 times
                best has 95% after round                 reward lost
    agent            median  95% of runs         median  95% of runs
    d-ucb-lite            1            1              0            0
    uniform               1            1              0            0

    All experts are equally good in episode 2, so nothing can be lost.

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

  Episode 3: 20 rounds; best is 'twin "2"', the smallest gap 0.0025
    expert                         value         gap
    twin "2"                    0.252500        best
    zwölf                       0.250000    0.002500
    a name that is longer...    0.025000    0.227500
    never                       0.000000    0.252500

    If all always took their likeliest action, the best would be 'zwölf' with 0.5.

    Played 5 times
                best has 95% after round                 reward lost
    agent            median  95% of runs         median  95% of runs
    d-ucb-lite           13  not in time           0.51          4.8
    uniform     not in time  not in time           1.94          3.1

    With 'uniform', 20 rounds are too few to say that in 95% of runs the best
    expert has more than 95% of the traffic; reward lost: median 1.94, in 95% of
    runs at most 3.1.

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

  All 3 episodes: reward lost
    agent            median  95% of runs
    d-ucb-lite       24,900       50,100
    uniform          11,900       24,000

  Best has 95% after round n: from every round m from n on to round 2m, or to the
  end of the episode, more than 95% of the rounds are played by a best expert; m
  goes as far as a tenth of the episode is left. Reward lost: what the best expert
  would have earned in expectation, less what those that played did. Median: of 5
  simulated runs; 95% of runs: with a confidence of 22.6%, at least 95% of all
  runs of such a campaign do not exceed it. All this holds for the rewards that
  the file states.

  What is proven: expected reward lost, with the C that the theorems need
    Episode 1, 500,000 rounds
    agent      source          its C   needs C       tau_1 known after      regret
    d-ucb-lite Lite lemma       0.02     602.7           -           -    5.99e+19
    d-ucb      Theorem 2        0.02     602.7   9.608e+09   1.724e+18    2.17e+15
    ucb        Theorem 8.1         -         -           -           -      33,700
    any        largest gap         -         -           -           -      63,200
    Episode 2, 20 rounds
    agent      source          its C   needs C       tau_1 known after      regret
    d-ucb-lite Lite lemma       0.02     301.3           -           -           0
    d-ucb      Theorem 2        0.02     301.3   3.602e+08           -           0
    ucb        Theorem 8.1         -         -           -           -           0
    any        largest gap         -         -           -           -           0
    Episode 3, 20 rounds
    agent      source          its C   needs C       tau_1 known after      regret
    d-ucb-lite Lite lemma       0.02  infinite           -           -    infinite
    d-ucb      Theorem 2        0.02  infinite    infinite    infinite    infinite
    ucb        Theorem 8.1         -         -           -           -       8,980
    any        largest gap         -         -           -           -        5.05
    No agent here has the C that its theorem needs, so no bound but the last two
    holds for the agents as they are; the figures above are measured. 'known
    after' is the round from which the best is told apart from all others. A bound
    above that of 'any' agent, rounds times the largest gap, says nothing. Theorem
    8.1 is that of Lattimore and Szepesvari's Bandit Algorithms.

  $ roster explain many.json --runs 2 --json | python3 show.py | grep -o -e '^same .*' -e '"tau": \[[^]]*\]' | sort -u
  "tau": [1.72442558e+18, null, 76989241600000.0, 60795432100000.0]
  "tau": [null, null, null, null]
  same [[0, 1]]

Where C is the theorem's, what is said of it is proven.

  $ sed 's/"support": "shared"},/"support": "shared", "C": "theory", "gamma": 0.1},/' toy.json > proven.json

  $ roster explain proven.json --runs 20 | grep -A 3 -e 'needs C ' -e 'A bound holds'
    agent  source          its C   needs C       tau_1 known after      regret
    d-ucb  Theorem 2        1244      1244   4.247e+11   5.864e+14     4.7e+13
    ed-ucb Theorem 3        0.02      1038    8.39e+10   3.257e+14    2.61e+13
    ucb    Theorem 8.1         -         -           -           -         413
  --
    A bound holds for agents whose C is at least what the theorem needs, and for
    no others. 'known after' is the round from which the best is told apart from
    all others. A bound above that of 'any' agent, rounds times the largest gap,
    says nothing. Theorem 8.1 is that of Lattimore and Szepesvari's Bandit

An episode long enough, and fewer runs than a confidence of 95% takes.

  $ roster explain toy.json --agents ucb --rounds 20000 --runs 40 | grep -e "With 'ucb'" -e 'confidence'
    With 'ucb', 20,000 rounds are too few to say that in 95% of runs the best
  simulated runs; 95% of runs: with a confidence of 87.1%, at least 95% of all

The number of threads does not matter, the seed does.

  $ roster explain toy.json --runs 40 --threads 1 --json > one; roster explain toy.json --runs 40 --threads 3 --json > three; cmp one three

  $ roster explain toy.json --runs 40 --seed 2 --json | cmp -s - one
  [1]

  $ roster explain toy.json --runs 0
  ! roster explain: --runs is '0', must be a whole number from 1 to 10000
  [2]

  $ roster explain toy.json --runs 10001
  ! roster explain: --runs is '10001', must be a whole number from 1 to 10000
  [2]

More experts than are shown, and a case of a sweep.

  $ cat > sweep.json <<'END'
  > {"name": "sweep", "contexts": 3, "actions": 4, "experts": {"random": {"count": 25, "floor": 0.05}},
  >  "episodes": [{"rounds": 1000, "reward_means": {"random": {}}}], "agents": [{"agent": "d-ucb"}],
  >  "sweep": {"path": "experts.random.count", "values": [2, 25]}, "runs": 1, "seed": 1}
  > END

  $ roster explain sweep.json --case 2
  sweep, count = 25: 25 experts, 3 contexts, 4 actions, 1 episode

  Smallest probability: 0.0500563, with which 'expert 20' takes 'action 3' in 'context 3'
  Practically the same (M_ij and M_ji below 1.001): none

  Episode 1: 1000 rounds; best is 'expert 1', the smallest gap 0.02914
    expert          value         gap
    expert 1     0.734701        best
    expert 25    0.705561    0.029140
    expert 14    0.697091    0.037610
    expert 19    0.692242    0.042459
    expert 12    0.688153    0.046549
    expert 16    0.678287    0.056415
    expert 3     0.675812    0.058889
    expert 18    0.673300    0.061401
    expert 2     0.672207    0.062494
    expert 22    0.669924    0.064777
    expert 13    0.668221    0.066480
    expert 21    0.666467    0.068234
    expert 11    0.661525    0.073177
    expert 4     0.658647    0.076054
    expert 20    0.641818    0.092883
    expert 15    0.622049    0.112652
    expert 5     0.608706    0.125995
    expert 23    0.608093    0.126609
    expert 17    0.606321    0.128380
    expert 24    0.594394    0.140307
    and 5 more, with values from 0.580536 on

    No action is less likely than 0.05006, so at least 20% of every expert's
    decisions are uniformly random; without that the best would earn 0.7561 a
    round in place of 0.7347. A floor this high is dear, and direct and mixture
    need none. If all always took their likeliest action, the best would be
    'expert 19' with 0.8882.

    Played 300 times
           best has 95% after round                 reward lost
    agent       median  95% of runs         median  95% of runs
    d-ucb          561  not in time           15.4         46.1

    With 'd-ucb', 1,000 rounds are too few to say that in 95% of runs the best
    expert has more than 95% of the traffic; reward lost: median 15.4, in 95% of
    runs at most 46.1.

    Divergence M_ij: row i from samples of column j; 1 is as good as its own
    of 600 pairs: from 1.261, 25% up to 2.443, 50% up to 3.358, 75% up to 5.025, 95% up to 8.255
    Largest: 11.56, for 'expert 21' from samples of 'expert 13'

  Best has 95% after round n: from every round m from n on to round 2m, or to the
  end of the episode, more than 95% of the rounds are played by a best expert; m
  goes as far as a tenth of the episode is left. Reward lost: what the best expert
  would have earned in expectation, less what those that played did. Median: of
  300 simulated runs; 95% of runs: with a confidence of 96.5%, at least 95% of all
  runs of such a campaign do not exceed it. All this holds for the rewards that
  the file states.

  What is proven: expected reward lost, with the C that the theorems need
    Episode 1, 1,000 rounds
    agent source          its C   needs C       tau_1 known after      regret
    d-ucb Theorem 2        0.02     318.6   2.875e+08   6.017e+14    2.78e+13
    ucb   Theorem 8.1         -         -           -           -      10,200
    any   largest gap         -         -           -           -         155
    No agent here has the C that its theorem needs, so no bound but the last two
    holds for the agents as they are; the figures above are measured. 'known
    after' is the round from which the best is told apart from all others. A bound
    above that of 'any' agent, rounds times the largest gap, says nothing. Theorem
    8.1 is that of Lattimore and Szepesvari's Bandit Algorithms.

  $ roster explain sweep.json --runs 2 | head -n 1
  sweep, count = 2: 2 experts, 3 contexts, 4 actions, 1 episode

  $ roster explain sweep.json --runs 2 --case 2 --json | python3 show.py | grep -o '"divergences": {[^}]*}'
  "divergences": {"matrix": null, "probabilities": [0.0, 0.25, 0.5, 0.75, 0.95, 1.0], "quantiles": [1.26129004, 2.44273627, 3.35786762, 5.02471175, 8.25464209, 11.5590181], "largest": 11.5590181, "of": 20, "from": 12}

More experts than can be compared.

  $ sed 's/\[2, 25\]/[5000]/' sweep.json > large.json; roster explain large.json
  ! roster explain: large.json: 5000 experts are too many to compare each with every other: at most 4096 can be explained
  [1]

On a terminal the divergences are shaded, with colours or without.

  $ TERM=xterm python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json", "--runs", "2"])' | sed -n '/ 1  expert 1/,+2s/[^ -~]/@/gp'
     1  expert 1@[48;5;235;38;5;231m     1.000@[0m@[48;5;247;38;5;16m     3.779@[0m@
     2  expert 2@[48;5;255;38;5;16m     7.777@[0m@[48;5;235;38;5;231m     1.000@[0m@
    Largest: 7.777, for 'expert 2' from samples of 'expert 1'@

  $ TERM=xterm NO_COLOR=1 python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json", "--runs", "2"])' | sed -n '/ 1  expert 1/,+1p' | tr -d '\r'
     1  expert 1     1.000 ▒   3.779
     2  expert 2 █   7.777     1.000

  $ TERM=dumb python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json", "--runs", "2"])' | sed -n '/ 1  expert 1/,+1p' | tr -d '\r'
     1  expert 1     1.000     3.779
     2  expert 2     7.777     1.000

Help.

  $ roster explain --help
  roster explain: predict what an experiment will show

  usage: roster explain FILE [OPTION...]

  Prints for each episode the value of every expert and its gap to the best. Then
  plays every agent of the file a few hundred times and says after how many rounds
  the best expert has the traffic, and how much reward is lost until the end: the
  median of these runs, and what is not exceeded in 95% of all runs. The latter is
  said with a confidence of 95%: it is not the 95th of 100 runs but a later one.
  The runs are not those of `roster run`; the same file and seed give the same
  answer. A long experiment takes minutes: --agents, --runs and --rounds make it
  shorter.

  After round n the best expert has the traffic if from every round m from n on to
  round 2m, or to the end of the episode, it plays more than 95% of the rounds; m
  goes as far as a tenth of the episode is left. Experts that are equally good
  count as one. "Not in time": there is no such round.

  Then, how much a sample of one expert says about another (the divergence; 1 is
  as much as its own), and what is proven: the bounds of the theorems, with the C
  that they need, which is far from the 0.02 used in practice. For agents that
  work on estimates, it also prints the error xi that the estimates may have, as
  printed in the paper (theory) and as its proof needs (tight), and how many
  samples it takes to learn the experts. It also lists assumptions of the file
  that do not hold for its own experts.

  Where no rewards are known yet, --detect D with --reward R answers from the
  experts' tables alone, of an experiment or of a roster file (`roster estimate`):
  in how many rounds two experts whose values differ by D are told apart, by a
  plain A/B split and by pooling rewards by context and action; which pairs cannot
  differ by so much, whatever the rewards; and which share no action. Contexts are
  as likely as in the first episode; those of a roster file are equally likely.

  Two experts are called practically the same if both divergences between them are
  below 1.001 in every episode: their values then differ by less than 0.03. Of
  more than 20 experts, only the best are listed, and the divergences are given by
  their quantiles. At most 4096 experts can be explained.

  Options:
    --runs N        How often to play every agent, 10000 times at most. Default:
                    300; of long experiments fewer, but at least 60.
    --rounds T      Rounds of every episode. Default: those of the file.
    --seed S        Seed of all random numbers. Default: that of the file.
    --threads N     Number of threads; the answer does not depend on it. Default:
                    all cores.
    --agents NAMES  Only these agents, by label or name, separated by commas.
    --detect D      Only say how much traffic it takes to tell experts apart whose
                    values differ by D.
    --reward R      Mean of the rewards, which are 0 or 1, for --detect.
    --sd S          Standard deviation of a reward, in place of --reward.
    --json          The same as one JSON object; what is infinite is null.
    --case K        Which case of a sweep, from 1 in the order of the file.
                    Default: 1.
    -h, --help      Show this help and stop.

  Examples:
    roster explain experiments/unbounded-1.json
        the two experts of the paper's appendix
    roster explain experiments/quickstart.json --reward 0.05 --detect 0.005
        traffic, before a launch
    roster explain experiments/scaling.json --case 3 --json
        the third case of a sweep, for a program

The command line.

  $ roster explain
  ! roster explain: an argument is missing: roster explain FILE
  [2]

  $ roster explain toy.json many.json
  ! roster explain: unexpected argument 'many.json': roster explain FILE
  [2]

  $ roster explain toy.json --jsn
  ! roster explain: unknown option '--jsn', did you mean '--json'?
  [2]

  $ roster explain toy.json --json=yes
  ! roster explain: option --json takes no argument, but has 'yes'
  [2]

  $ roster explain toy.json --case
  ! roster explain: option --case needs an argument: --case K
  [2]

  $ roster explain toy.json --case first
  ! roster explain: --case is 'first', must be a whole number from 1 to 1000
  [2]

  $ roster explain toy.json --case 2
  ! roster explain: --case is 2, but toy.json has 1 case
  [1]

Files.

  $ roster explain missing.json
  ! roster explain: missing.json cannot be read: No such file or directory
  [1]

  $ roster explain .
  ! roster explain: . cannot be read: Is a directory
  [1]

  $ : > empty.json; roster explain empty.json
  ! roster explain: empty.json is empty, must hold JSON
  [1]

  $ echo '{"name": "toy"' > bad.json; roster explain bad.json
  ! roster explain: bad.json:2:0: '}' expected near end of file
  [1]

  $ echo '{}' > bad.json; roster explain bad.json
  ! roster explain: bad.json: 'runs' is missing
  [1]

  $ sed 's/"rounds": 3000/"rounds": true/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: episodes[0].rounds is true, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/"rounds": 3000/"rounds": 0/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/"rounds"/"ronuds"/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: unknown key 'ronuds' in episodes[0]; did you mean 'rounds'?
  [1]

  $ sed 's/\[0.2, 0.8, 0\]/[0.2, 0.7, 0]/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: experts[1].table[0] sums to 0.9, must be 1
  [1]

  $ sed 's/\[0.2, 0.8, 0\]/[0.2, 1.8, -1]/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: experts[1].table[0][1] is 1.8, must be a probability
  [1]

  $ sed 's/\[0.55, 0.45\]/[0.55, 0.55]/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: episodes[0].context_probabilities sums to 1.1, must be 1
  [1]

  $ sed 's/0.9\], \[0.1/1.9], [0.1/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: episodes[0].reward_means[0][2] is 1.9, must be in [0, 1]
  [1]

  $ sed 's/{"agent": "ucb"}/{"agent": "usb"}/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad\.json: agents\[2\]: there is no agent 'usb'; there are auto, .* (re)
  [1]

  $ sed 's/"p_V"/"pV"/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: agents[1]: ed-ucb has no setting 'pV'; it takes C, p_V, p_X, xi, gamma, support, verify; did you mean 'p_V'?
  [1]

  $ sed 's/"gamma": 0.2/"gamma": 2/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: agents[1]: gamma is 2, must be a number above 0 and at most 1
  [1]

  $ sed 's/"p_X": 0.1/"p_X": 0.6/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: agents[1]: p_X is 0.6, must be at most 1/2: there are 2 contexts
  [1]

  $ sed 's/"support": "shared"},/"C": 0.02},/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: agents[0]: experts[1] (expert 2) never plays action 2 in context 0, but experts[0] (expert 1) does, so their divergence is infinite: give every action a small probability, or set support to "shared"
  [1]

Output that cannot be written.

  $ roster explain toy.json --runs 2 > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]

  $ roster explain toy.json --runs 2 --json > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
