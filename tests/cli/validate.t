roster validate: whether experiment files are fine.

Help

  $ roster validate --help
  roster validate: check experiment files

  usage: roster validate FILE...

  Reads experiment files, with the rosters and logs that they name, as `roster
  run` does, and runs nothing. For a valid file it prints one line about its
  contents; for an invalid one the first mistake, with its place and what was
  expected. All files are read; the exit code is 1 if one of them is invalid.

  Options:
    -h, --help  Show this help and stop.

  Examples:
    roster validate experiments/*.json
        all at once

A file that is fine

  $ roster validate toy.json
  toy.json: fine: 2 experts, 2 contexts, 3 actions, 1 episode of 3000 rounds, 2 agents, 250 runs

Ranges and sweeps

  $ python3 -c '
  > import json
  > toy = json.load(open("toy.json"))
  > toy["episodes"].append(dict(toy["episodes"][0], rounds=500))
  > toy["agents"] = toy["agents"][:1]
  > toy["runs"] = 1
  > json.dump(toy, open("two.json", "w"))'

  $ roster validate two.json
  two.json: fine: 2 experts, 2 contexts, 3 actions, 2 episodes of 500 to 3000 rounds, 1 agent, 1 run

  $ python3 -c '
  > import json
  > toy = json.load(open("toy.json"))
  > toy["experts"] = {"random": {"count": 4}}
  > toy["sweep"] = {"path": "experts.random.count", "values": [4, 16]}
  > json.dump(toy, open("sweep.json", "w"))'

  $ roster validate sweep.json
  sweep.json: fine: 4 to 16 experts, 2 contexts, 3 actions, 1 episode of 3000 rounds, 2 agents, 250 runs, for each of 2 values of count

All files are looked at

  $ echo '{}' >broken.json

  $ roster validate broken.json toy.json missing.json
  toy.json: fine: 2 experts, 2 contexts, 3 actions, 1 episode of 3000 rounds, 2 agents, 250 runs
  ! roster validate: broken.json: 'runs' is missing
  ! roster validate: missing.json cannot be read: No such file or directory
  [1]

Bad input

  $ roster validate
  ! roster validate: an argument is missing: roster validate FILE...
  [2]

  $ roster validate missing.json
  ! roster validate: missing.json cannot be read: No such file or directory
  [1]

  $ roster validate .
  ! roster validate: . cannot be read: Is a directory
  [1]

  $ : >bad.json; roster validate bad.json
  ! roster validate: bad.json is empty, must hold JSON
  [1]

  $ head -4 toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json:5:0: string or '}' expected near end of file
  [1]

  $ echo 'experts: 3' >bad.json; roster validate bad.json
  ! roster validate: bad.json:1:7: invalid token near 'experts'
  [1]

  $ sed 's/"runs": 250/"runs": "many"/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: runs is a string, must be a whole number from 1 to 1000000000000
  [1]

  $ sed 's/0.8, 0.1, 0.1/0.8, 0.1, 0.0/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: experts[0].table[0] sums to 0.9, must be 1
  [1]

  $ sed 's/0.8, 0.1, 0.1/0.9, -0.2, 0.3/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: experts[0].table[0][1] is -0.2, must be a probability
  [1]

  $ sed 's/0.8, 0.1, 0.1/NaN, 0.1, 0.1/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json:6:39: invalid token near 'NaN'
  [1]

  $ sed 's/"d-ucb"/"ducb"/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad\.json: agents\[0\]: there is no agent 'ducb'; there are auto, d-ucb, .* (re)
  [1]

  $ sed 's/"C": 0.02/"c": 0.02/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: agents[0]: d-ucb has no setting 'c'; it takes C, gamma, support, verify; did you mean 'C'?
  [1]

  $ sed 's/0.9, 0.1, 0.1/1.9, 0.1, 0.1/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: episodes[0].reward_means[0][0] is 1.9, must be in [0, 1]
  [1]

  $ sed 's/"rounds": 3000/"rounds": 0/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000
  [1]

  $ sed 's/"runs"/"rnus"/' toy.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: unknown key 'rnus'; did you mean 'runs'?
  [1]

  $ roster validate toy.json --strict
  ! roster validate: unknown option '--strict'; `roster validate --help` lists all
  [2]
