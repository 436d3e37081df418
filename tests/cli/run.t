An instance small enough to be run many times.

  $ cat > small.json <<'END'
  > {"name": "small", "contexts": ["a", "b"], "actions": ["u", "v"],
  >  "experts": [{"name": "good", "table": [[0.9, 0.1], [0.1, 0.9]]}, {"name": "bad", "table": [[0.2, 0.8], [0.8, 0.2]]}],
  >  "episodes": [{"rounds": 200, "reward_means": [[0.9, 0.1], [0.1, 0.9]]}, {"rounds": 100, "reward_means": [[0.1, 0.9], [0.9, 0.1]]}],
  >  "agents": [{"agent": "d-ucb"}, {"agent": "ucb"}], "runs": 6, "seed": 3}
  > END

The table, without the time that a round took.

  $ roster run small.json --out out | sed 's/%  *[0-9]*$/%/'
  small: 6 runs, seed 3
  agent  regret   95%    sd  vs first   95%  ratio    95%   best  ns/round
  d-ucb    6.53 ±7.97  7.59         -     -      -      -  96.1%
  ucb     10.45 ±3.42  3.26      3.92 ±9.15  1.600 ±2.098  93.8%

  regret by episode
  agent     1     2
  d-ucb  1.12  5.41
  ucb    5.88  4.57

  wrote out/results.json, curves.csv and report.html

It wrote three files, and nothing else.

  $ ls -A out
  curves.csv
  report.html
  results.json

The default folder is named after the experiment; several files get a folder each.

  $ roster run small.json --quick > /dev/null; ls results/small
  curves.csv
  report.html
  results.json

  $ cp small.json other.json; sed -i 's/"small"/"other"/' other.json

  $ roster run small.json other.json --runs 2 --threads 2 --out two | tail -n 1; ls two two/other
  2 experiments took 0:[0-9]+ on 2 threads, and at most [0-9]+ MB of memory (re)
  two:
  other
  small

  two/other:
  curves.csv
  report.html
  results.json

Python reads what was written.

  $ python3 -c "import json; r = json.load(open('out/results.json')); print(r['runs'], [a['label'] for a in r['cases'][0]['agents']])"
  6 ['d-ucb', 'ucb']

  $ python3 -c "import csv; rows = list(csv.DictReader(open('out/curves.csv'))); print(rows[0]['agent'], rows[-1]['agent'], rows[-1]['t'], rows[-1]['runs'])"
  d-ucb ucb 300 6

The number of threads changes nothing, nor does running again.

  $ roster run small.json --out one --threads 1 > /dev/null; roster run small.json --out four --threads 4 > /dev/null

  $ cmp one/results.json four/results.json; cmp one/curves.csv four/curves.csv; cmp one/results.json out/results.json

The seed does, and so do runs, rounds and agents.

  $ roster run small.json --seed 4 --out seed > /dev/null; cmp -s out/curves.csv seed/curves.csv || echo differs
  differs

  $ roster run small.json --runs 2 --rounds 50 --agents ucb --out less | sed 's/%  *[0-9]*$/%/'
  small: 2 runs, seed 3
  agent  regret     95%     sd   best  ns/round
  ucb     6.160 ±14.231  1.584  89.0%

  regret by episode
  agent      1      2
  ucb    2.520  3.640

  wrote less/results.json, curves.csv and report.html

A trace is what run 0 of the study did: its regret is the first run's.

  $ roster run small.json --runs 1 --agents d-ucb --out first > /dev/null

  $ roster trace small.json --agent d-ucb --run 0 > trace.jsonl

  $ python3 - <<'END'
  > import json
  > lines = [json.loads(line) for line in open("trace.jsonl")]
  > regret = 0
  > for step in lines[1:]:
  >     values = lines[0]["episodes"][step["e"] - 1]["values"]
  >     regret += max(values) - values[step["k"]]
  > mean = json.load(open("first/results.json"))["cases"][0]["agents"][0]["regret"]["mean"]
  > print("same" if abs(regret - mean) < 1e-9 else (regret, mean))
  > END
  same

Shards add up to the whole, to the byte, in any order.

  $ for i in 1 2 3; do roster run small.json --shard $i/3 --out part-$i > /dev/null; done

  $ roster merge part-2 part-3 part-1 --out merged > /dev/null

  $ cmp merged/results.json out/results.json; cmp merged/curves.csv out/curves.csv; ls merged
  curves.csv
  report.html
  results.json

  $ roster merge part-1 part-2
  ! roster merge: part 3 of 3 is missing
  [1]

  $ roster merge part-1 part-2 part-2 part-3
  ! roster merge: part-2 and part-2 are the same part, 2 of 3
  [1]

  $ roster merge part-1 part-2 seed
  ! roster merge: seed/results.json: experiment is another: parts must come from the same file and the same options
  [1]

  $ roster merge nothing
  ! roster merge: nothing/results.json cannot be read: No such file or directory
  [1]

  $ sed 's/"runs"/"rums"/' part-1/results.json > part-2/results.json; roster merge part-1 part-2 part-3
  ! roster merge: part-2/results.json: experiment is another: parts must come from the same file and the same options
  [1]

  $ echo '{' > part-2/results.json; roster merge part-1 part-2 part-3 --out never; ls never
  ! roster merge: part-2/results.json:2:0: string or '}' expected near end of file
  ! ls: cannot access 'never': No such file or directory
  [2]

  $ roster merge
  ! roster merge: an argument is missing: roster merge DIR...
  [2]

  $ roster merge small.json
  ! roster merge: small.json/results.json cannot be read: Not a directory
  [1]

  $ roster merge one two
  ! roster merge: two/results.json cannot be read: No such file or directory
  [1]

  $ roster merge one --colour blue
  ! roster merge: unknown option '--colour'; `roster merge --help` lists all
  [2]

  $ roster merge one --out
  ! roster merge: option --out needs an argument: --out DIR
  [2]

  $ touch plain; roster merge one --out plain/inside
  ! roster merge: plain/inside/results.json cannot be created: Not a directory
  [1]

  $ mkdir -p cut; head -c 1000 out/results.json > cut/results.json; roster merge cut
  ! roster merge: cut/results.json:20:81: premature end of input near '"b'
  [1]

  $ mkdir -p nul; sed 's/"runs":6/"runs":null/' out/results.json > nul/results.json; roster merge nul
  ! roster merge: nul/results.json: runs is null, must be a whole number from 1 to 1000000000000
  [1]

Ctrl-C ends with the runs that were done.

  $ sed 's/"runs": 6/"runs": 100000000/' small.json > endless.json

  $ python3 interrupt.py roster run endless.json --out stopped > log; echo $?; grep -c '^stopped: [0-9]* of 100000000 runs were done' log; ls stopped
  130
  1
  curves.csv
  report.html
  results.json

What is wrong is said in a sentence, and nothing is written.

  $ roster run
  ! roster run: an argument is missing: roster run FILE...
  [2]

  $ roster run nowhere.json
  ! roster run: nowhere.json cannot be read: No such file or directory
  [1]

  $ : > empty.json; roster run empty.json
  ! roster run: empty.json is empty, must hold JSON
  [1]

  $ echo '{"name": }' > broken.json; roster run broken.json
  ! roster run: broken.json:1:10: unexpected token near '}'
  [1]

  $ sed 's/\[0.9, 0.1\], \[0.1, 0.9\]\]}/[0.9, 0.2], [0.1, 0.9]]}/' small.json > sum.json; roster run sum.json
  ! roster run: sum.json: experts[0].table[0] sums to 1.1, must be 1
  [1]

  $ sed 's/0.8, 0.2/-0.8, 1.8/' small.json > negative.json; roster run negative.json
  ! roster run: negative.json: experts[1].table[1][0] is -0.8, must be a probability
  [1]

  $ sed 's/"ucb"/"ucbb"/' small.json > agent.json; roster run agent.json
  ! roster run: agent\.json: agents\[1\]: there is no agent 'ucbb'; there are auto, d-ucb, .* (re)
  [1]

  $ sed 's/{"agent": "d-ucb"}/{"agent": "d-ucb", "c": 1}/' small.json > setting.json; roster run setting.json
  ! roster run: setting.json: agents[0]: d-ucb has no setting 'c'; it takes C, gamma, support, verify; did you mean 'C'?
  [1]

  $ sed 's/"rounds": 200/"rounds": 0/' small.json > zero.json; roster run zero.json
  ! roster run: zero.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/"reward_means": \[\[0.9/"reward_means": [[1.9/' small.json > reward.json; roster run reward.json
  ! roster run: reward.json: episodes[0].reward_means[0][0] is 1.9, must be in [0, 1]
  [1]

  $ sed 's/"runs": 6/"runs": "six"/' small.json > type.json; roster run type.json
  ! roster run: type.json: runs is a string, must be a whole number from 1 to 1000000000000
  [1]

  $ roster run small.json --runs 0
  ! roster run: --runs is '0', must be a whole number from 1 to 1000000000
  [2]

  $ roster run small.json --runs many
  ! roster run: --runs is 'many', must be a whole number from 1 to 1000000000
  [2]

  $ roster run small.json --seed -1
  ! roster run: --seed is '-1', must be a whole number from 0 to 18446744073709551615
  [2]

  $ roster run small.json --threads 5000
  ! roster run: --threads is '5000', must be a whole number from 1 to 1024
  [2]

  $ roster run small.json --shard 4/3
  ! roster run: --shard is '4/3', must be PART/PARTS such as 1/4
  [2]

  $ roster run small.json --agents d-ucb,nobody
  ! roster run: small.json: no agent of this file is called 'nobody'; there are d-ucb, ucb
  [1]

  $ roster run small.json --colour blue
  ! roster run: unknown option '--colour'; `roster run --help` lists all
  [2]

  $ touch file; roster run small.json --out file/inside
  ! roster run: file/inside/results.json cannot be created: Not a directory
  [1]

  $ roster run small.json --out ''
  ! roster run: option --out needs an argument: --out DIR
  [2]

  $ sed 's/"small"/"..\/..\/elsewhere"/' small.json > path.json; roster run path.json
  ! roster run: path.json: name is '../../elsewhere', must be the name of a folder, without '/'
  [1]

  $ sed 's/"small"/".."/' small.json > dots.json; roster run dots.json
  ! roster run: dots.json: name is '..', must be the name of a folder, without '/'
  [1]

  $ python3 -c "print(open('small.json').read().replace('small', 'n' * 101))" > long.json; roster run long.json
  ! roster run: long.json: name has 101 bytes, must have at most 100
  [1]

  $ cp small.json twin.json; roster run small.json twin.json --out never
  ! roster run: small.json and twin.json are both named 'small': one would replace the other's results
  [1]

A file that is wrong is found before another is run, and so is a folder that cannot be.

  $ roster run small.json nowhere.json --out never
  ! roster run: nowhere.json cannot be read: No such file or directory
  [1]

  $ mkdir -p half/curves.csv; roster run small.json --out half; ls half
  curves.csv
  ! roster run: half/curves.csv cannot be created: Is a directory

Sampling online must fit into the shortest first episode that can come.

  $ python3 - <<'END'
  > import json
  > e = json.load(open("small.json"))
  > e["episodes"][0]["min_rounds"] = 10
  > e["agents"].append({"agent": "ed-ucb", "p_V": 0.1, "p_X": 0.5, "xi": 0.01, "samples": 20, "sampling": "online"})
  > json.dump(e, open("online.json", "w"))
  > END

  $ roster run online.json
  ! roster run: online.json: agents[2]: online sampling needs 40 rounds (2 experts, 20 samples each), but the first episode may have only 10
  [1]

Experts that are worth the same are all best.

  $ python3 - <<'END'
  > import json
  > e = json.load(open("small.json"))
  > for episode in e["episodes"]:
  >     del episode["reward_means"]
  >     episode["rewards"] = [[[0, 1, 0.5]] * 2] * 2
  > json.dump(e, open("same.json", "w"))
  > END

  $ roster run same.json --out same | sed -n 's/.*  *\([0-9.]*%\) .*/\1/p'
  95%
  100.0%
  100.0%

Stopped before a run is done, it leaves alone what is there.

  $ sed 's/"rounds": 200/"rounds": 100000000000/' small.json > slow.json

  $ cp out/results.json kept.json; python3 interrupt.py roster run slow.json --out out; cmp out/results.json kept.json
  small: stopped before any run was done; nothing was written

Many episodes make no more points.

  $ sed 's/{"rounds": 200,/{"rounds": 3, "repeat": 2000,/' small.json > many.json; roster run many.json --runs 2 --out many > /dev/null; wc -l < many/curves.csv
  671

  $ ls -d never file/inside 2> /dev/null
  [2]

  $ roster run --help
  roster run: run experiments and write their reports

  usage: roster run FILE... [OPTION...]

  Runs every agent of an experiment file on the same worlds, as many times as the
  file says, on all cores. Then prints a table of final regrets and writes
  results.json, curves.csv and report.html, a page for the browser. Several files
  are run one after the other; the last line then gives the total time and the
  most memory used.

  The same file and seed give the same results, whatever the number of threads.
  Ctrl-C stops the command and reports the runs that are done.

  A study too large for one machine is divided into shards: each machine runs its
  part, and `roster merge` adds the parts into the same files as one whole run.

  Options:
    --runs N        Number of runs. Default: that of the file.
    --rounds T      Rounds of every episode. Default: those of the file.
    --seed S        Seed of all random numbers. Default: that of the file.
    --threads N     Number of threads; the results do not depend on it. Default:
                    all cores.
    --agents NAMES  Only these agents, by label or name, separated by commas.
    -o, --out DIR   Folder for the files. Default: results/NAME.
    --quick         A tenth of the runs, at least 4, for a first look.
    --shard I/N     Only part I of N of the runs; `roster merge` adds the parts.
    -h, --help      Show this help and stop.

  Examples:
    roster run experiments/quickstart.json
        table, and results/quickstart/report.html
    roster run experiments/unbounded-1.json --quick
        a first look
    roster run experiments/lite.json --shard 1/4 --out part-1
        a quarter of the runs

  $ roster merge --help
  roster merge: add the parts of a study that was run in shards

  usage: roster merge DIR... [OPTION...]

  Takes the folders that `roster run --shard` wrote, one for each part, and writes
  what one whole run would have written: results.json and curves.csv are the same
  byte for byte.

  All parts must come from the same experiment with the same options, and none may
  be missing or given twice.

  Options:
    -o, --out DIR  Folder for the files. Default: results/merged.
    -h, --help     Show this help and stop.

  Examples:
    roster merge part-1 part-2 part-3 --out whole
        three machines' parts
