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
    expert         value         gap           tau_k d-ucb          tau_k ed-ucb
    expert 1    0.180000        best
    expert 2    0.100000    0.080000                    16                    27

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                         1         2
     1  expert 1     1.000     3.779
     2  expert 2     7.777     1.000
    Largest: 7.777, for 'expert 2' from samples of 'expert 1'

    Regret in 3,000 rounds is at most
    agent  source      C of            C       tau_1 known after      regret
    d-ucb  Theorem 2   file         0.02           3          16       1.543
           Theorem 2   theorem      1244   4.247e+11   5.864e+14   4.692e+13
    ed-ucb Theorem 3   file         0.02           3          27       2.423
           Theorem 3   theorem      1038    8.39e+10   3.257e+14   2.605e+13
    ucb    Auer et al. -               -           -           -         801
    any    largest gap -               -           -           -         240

    After about 16 rounds of episode 1 'expert 1' is told apart from all others
    with the file's C = 0.02 (not proven: the theorem asks for C = 1244 and
    5.864e+14 rounds).

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

  'known after' is the round from which the best is told apart from all others.
  A C below the theorem's is common in practice, but proves nothing: the formulas
  are only evaluated with it. A bound above that of 'any' agent, rounds times the
  largest gap, says nothing. UCB's bound is Theorem 1 of Auer, Cesa-Bianchi and
  Fischer (2002): the sum of 8 ln T / D_k + (1 + pi^2/3) D_k over gaps D_k.

The same as JSON; what is infinite is null.

  $ cat > show.py <<'END'
  > import json, sys
  > def short(value):
  >     if isinstance(value, float): return float("%.9g" % value)
  >     if isinstance(value, list): return [short(v) for v in value]
  >     return {k: short(v) for k, v in value.items()} if isinstance(value, dict) else value
  > for key, value in short(json.load(sys.stdin)).items(): print(key, json.dumps(value))
  > END

  $ roster explain toy.json --json | python3 show.py
  name "toy"
  case ""
  experts ["expert 1", "expert 2"]
  contexts ["X1", "X2"]
  actions ["A1", "A2", "A3"]
  smallest_probability {"value": 0.0, "expert": 1, "context": 0, "action": 2}
  same_pairs 0
  same []
  support "shared"
  episodes [{"rounds": 3000, "context_probabilities": [0.55, 0.45], "values": [0.18, 0.1], "gaps": [0.0, 0.08], "best": 0, "smallest_gap": 0.08, "divergences": {"matrix": [[1.0, 3.77944738], [7.77696413, 1.0]], "probabilities": [0.0, 0.25, 0.5, 0.75, 0.95, 1.0], "quantiles": [3.77944738, 3.77944738, 3.77944738, 3.77944738, 3.77944738, 7.77696413], "largest": 7.77696413, "of": 1, "from": 0}, "bounds": [{"agent": "d-ucb", "in_file": true, "source": "Theorem 2", "M": 7.77696413, "gamma": 0.1, "file": {"C": 0.02, "tau_1": 3.0, "tau": [null, 16.0], "known_after": 16.0, "regret_bound": 1.54318945}, "theory": {"C": 1244.31426, "tau_1": 424741180000.0, "tau": [null, 586448192000000.0], "known_after": 586448192000000.0, "regret_bound": 46915855300000.0}}, {"agent": "ed-ucb", "in_file": true, "source": "Theorem 3", "M": 6.1606168, "gamma": 0.2, "file": {"C": 0.02, "tau_1": 3.0, "tau": [null, 27.0], "known_after": 27.0, "regret_bound": 2.42318945}, "theory": {"C": 1037.57757, "tau_1": 83901784300.0, "tau": [null, 325672846000000.0], "known_after": 325672846000000.0, "regret_bound": 26053827700000.0}}], "ucb_bound": 800.979946, "most": 240.0, "sentence": "After about 16 rounds of episode 1 'expert 1' is told apart from all others with the file's C = 0.02 (not proven: the theorem asks for C = 1244 and 5.864e+14 rounds)."}]
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

  $ roster explain many.json
  many: 4 experts, 1 context, 2 actions, 3 episodes

  Smallest probability: 0, with which 'never' takes 'p' in 'a'
  Practically the same (M_ij and M_ji below 1.001): 'zwölf' and 'twin "2"'

  Episode 1: 10 to 500000 rounds; best is 'twin "2"', the smallest gap 0.00125
    expert                         value         gap           tau_k d-ucb
    twin "2"                    0.376250        best
    zwölf                       0.375000    0.001250            77,300,000
    a name that is longer...    0.262500    0.113750                     3
    never                       0.250000    0.126250                     3

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

    Regret in 500,000 rounds is at most
    agent      source      C of            C       tau_1 known after      regret
    d-ucb-lite Lite lemma  file         0.02           -           -        4.32
               Lite lemma  theorem     602.7           -           -   5.985e+19
    d-ucb      Theorem 2   default      0.02           3  77,300,000      96,600
               Theorem 2   theorem     602.7   9.608e+09   1.724e+18   2.165e+15
    ucb        Auer et al. -               -           -           -      85,700
    any        largest gap -               -           -           -      63,100

    Episode 1 is too short to be sure: after about 77,300,000 rounds 'twin "2"' is
    told apart from all others with the default C = 0.02 (not proven: the theorem
    asks for C = 602.7 and 1.724e+18 rounds), but it has only 500,000.

  Episode 2: 20 rounds; best is 'zwölf', the smallest gap 0
    expert                         value         gap           tau_k d-ucb
    zwölf                       0.500000        best
    twin "2"                    0.500000        best
    a name that is longer...    0.500000        best
    never                       0.500000        best

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

    Regret in 20 rounds is at most
    agent      source      C of            C       tau_1 known after      regret
    d-ucb-lite Lite lemma  file         0.02           -           -           0
               Lite lemma  theorem     301.3           -           -           0
    d-ucb      Theorem 2   default      0.02           3           -           0
               Theorem 2   theorem     301.3   3.602e+08           -           0
    ucb        Auer et al. -               -           -           -           0
    any        largest gap -               -           -           -           0

    All experts are equally good in episode 2, so nothing can be lost.

  Episode 3: 20 rounds; best is 'twin "2"', the smallest gap 0.0025
    expert                         value         gap           tau_k d-ucb
    twin "2"                    0.252500        best
    zwölf                       0.250000    0.002500              infinite
    a name that is longer...    0.025000    0.227500              infinite
    never                       0.000000    0.252500              infinite

    Divergence M_ij: row i from samples of column j; 1 is as good as its own (support shared)
                                         1         2         3         4
     1  zwölf                        1.000     1.000     9.307     1.000
     2  twin "2"                     1.000     1.000     9.417     1.000
     3  a name that is longer...     1.857     1.876     1.000     1.000
     4  never                        2.000     2.020     1.053     1.000
    Largest: 9.417, for 'twin "2"' from samples of 'a name that is longer than a table is wide'

    Regret in 20 rounds is at most
    agent      source      C of            C       tau_1 known after      regret
    d-ucb-lite Lite lemma  file         0.02           -           -    infinite
               Lite lemma  theorem  infinite           -           -    infinite
    d-ucb      Theorem 2   default      0.02    infinite    infinite    infinite
               Theorem 2   theorem  infinite    infinite    infinite    infinite
    ucb        Auer et al. -               -           -           -       9,790
    any        largest gap -               -           -           -        5.05

    There is no round from which the theory says that 'twin "2"' is told apart in
    episode 3, because an expert has the value 0.

  'known after' is the round from which the best is told apart from all others.
  A C below the theorem's is common in practice, but proves nothing: the formulas
  are only evaluated with it. A bound above that of 'any' agent, rounds times the
  largest gap, says nothing. UCB's bound is Theorem 1 of Auer, Cesa-Bianchi and
  Fischer (2002): the sum of 8 ln T / D_k + (1 + pi^2/3) D_k over gaps D_k.

  $ roster explain many.json --json | python3 show.py | grep -o -e '^same .*' -e '"tau": \[[^]]*\]' | sort -u
  "tau": [1.72442558e+18, null, 76989241600000.0, 60795432100000.0]
  "tau": [77312476.0, null, 3.0, 3.0]
  "tau": [null, null, null, null]
  same [[0, 1]]

Where C is the theorem's, what is said of it is proven.

  $ sed 's/"support": "shared"},/"support": "shared", "C": "theory", "gamma": 0.1},/' toy.json > proven.json

  $ roster explain proven.json | grep -A 2 'too short'
    Episode 1 is too short to be sure: after about 5.864e+14 rounds 'expert 1' is
    told apart from all others with the file's C = 1244, but it has only 3,000.

An episode long enough.

  $ sed 's/3000/1e6/; s/"support": "shared"},/"support": "shared", "C": 0.1},/' toy.json > long.json

  $ roster explain long.json | grep -A 2 'After about'
    After about 36,300 rounds of episode 1 'expert 1' is told apart from all
    others with the file's C = 0.1 (not proven: the theorem asks for C = 1244 and
    5.864e+14 rounds).

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
    expert          value         gap           tau_k d-ucb
    expert 1     0.734701        best
    expert 25    0.705561    0.029140                10,500
    expert 14    0.697091    0.037610                 3,770
    expert 19    0.692242    0.042459                 2,220
    expert 12    0.688153    0.046549                 1,450
    expert 16    0.678287    0.056415                   542
    expert 3     0.675812    0.058889                   426
    expert 18    0.673300    0.061401                   333
    expert 2     0.672207    0.062494                   299
    expert 22    0.669924    0.064777                   239
    expert 13    0.668221    0.066480                   202
    expert 21    0.666467    0.068234                   169
    expert 11    0.661525    0.073177                   102
    expert 4     0.658647    0.076054                    75
    expert 20    0.641818    0.092883                     8
    expert 15    0.622049    0.112652                     3
    expert 5     0.608706    0.125995                     3
    expert 23    0.608093    0.126609                     3
    expert 17    0.606321    0.128380                     3
    expert 24    0.594394    0.140307                     3
    and 5 more, with values from 0.580536 on

    Divergence M_ij: row i from samples of column j; 1 is as good as its own
    of 600 pairs: from 1.261, 25% up to 2.443, 50% up to 3.358, 75% up to 5.025, 95% up to 8.255
    Largest: 11.56, for 'expert 21' from samples of 'expert 13'

    Regret in 1,000 rounds is at most
    agent source      C of            C       tau_1 known after      regret
    d-ucb Theorem 2   file         0.02           3      10,500       371.9
          Theorem 2   theorem     318.6   2.875e+08   6.017e+14   2.771e+13
    ucb   Auer et al. -               -           -           -      18,200
    any   largest gap -               -           -           -       154.2

    Episode 1 is too short to be sure: after about 10,500 rounds 'expert 1' is
    told apart from all others with the file's C = 0.02 (not proven: the theorem
    asks for C = 318.6 and 6.017e+14 rounds), but it has only 1,000.

  'known after' is the round from which the best is told apart from all others.
  A C below the theorem's is common in practice, but proves nothing: the formulas
  are only evaluated with it. A bound above that of 'any' agent, rounds times the
  largest gap, says nothing. UCB's bound is Theorem 1 of Auer, Cesa-Bianchi and
  Fischer (2002): the sum of 8 ln T / D_k + (1 + pi^2/3) D_k over gaps D_k.

  $ roster explain sweep.json | head -n 1
  sweep, count = 2: 2 experts, 3 contexts, 4 actions, 1 episode

  $ roster explain sweep.json --case 2 --json | python3 show.py | grep -o '"divergences": {[^}]*}'
  "divergences": {"matrix": null, "probabilities": [0.0, 0.25, 0.5, 0.75, 0.95, 1.0], "quantiles": [1.26129004, 2.44273627, 3.35786762, 5.02471175, 8.25464209, 11.5590181], "largest": 11.5590181, "of": 20, "from": 12}

More experts than can be compared.

  $ sed 's/\[2, 25\]/[5000]/' sweep.json > large.json; roster explain large.json
  ! roster explain: large.json: 5000 experts are too many to compare each with every other: at most 4096 can be explained
  [1]

On a terminal the divergences are shaded, with colours or without.

  $ TERM=xterm python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json"])' | sed -n '13,15s/[^ -~]/@/gp'
     1  expert 1@[48;5;235;38;5;231m     1.000@[0m@[48;5;247;38;5;16m     3.779@[0m@
     2  expert 2@[48;5;255;38;5;16m     7.777@[0m@[48;5;235;38;5;231m     1.000@[0m@
    Largest: 7.777, for 'expert 2' from samples of 'expert 1'@

  $ TERM=xterm NO_COLOR=1 python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json"])' | sed -n 13,14p | tr -d '\r'
     1  expert 1     1.000 ▒   3.779
     2  expert 2 █   7.777     1.000

  $ TERM=dumb python3 -c 'import pty; pty.spawn(["roster", "explain", "toy.json"])' | sed -n 13,14p | tr -d '\r'
     1  expert 1     1.000     3.779
     2  expert 2     7.777     1.000

Help.

  $ roster explain --help
  roster explain: predict what an experiment will show, without running it

  usage: roster explain FILE [OPTION...]

  Prints for each episode: the value of every expert and its gap to the best; how
  much a sample of one expert says about another (the divergence; 1 is as much as
  its own); the round tau_k from which each expert is told apart from the best;
  the bounds that the theorems give for the regret of every agent of the file,
  with the file's C and with the theorem's, next to UCB; and how much traffic it
  takes until the best expert is known.

  For agents that work on estimates, it also prints the error xi that the
  estimates may have, as printed in the paper (theory) and as its proof needs
  (tight), and how many samples it takes to learn the experts. It also lists
  assumptions of the file that do not hold for its own experts.

  Two experts are called practically the same if both divergences between them are
  below 1.001 in every episode: their values then differ by less than 0.03. Of
  more than 20 experts, only the best are listed, and the divergences are given by
  their quantiles. At most 4096 experts can be explained.

  Options:
    --json      The same as one JSON object; what is infinite is null.
    --case K    Which case of a sweep, from 1 in the order of the file. Default:
                1.
    -h, --help  Show this help and stop.

  Examples:
    roster explain experiments/unbounded-1.json
        the two experts of the paper's appendix
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
  ! roster explain: bad\.json: agents\[2\]: there is no agent 'usb'; there are d-ucb, .* (re)
  [1]

  $ sed 's/"p_V"/"pV"/' toy.json > bad.json; roster explain bad.json
  ! roster explain: bad.json: agents[1]: ed-ucb has no setting 'pV'; it takes C, p_V, p_X, xi, gamma, support; did you mean 'p_V'?
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

  $ roster explain toy.json > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]

  $ roster explain toy.json --json > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
