roster explain --detect: how much traffic it takes to tell experts apart, before rewards are known.

A roster made from a log: two experts that differ a little, two that are the same, one that shares nothing with the first.

  $ cat > log.csv <<'END'
  > expert,context,action,count
  > a,x,p,60
  > a,x,q,40
  > b,x,p,50
  > b,x,q,45
  > b,x,r,5
  > c,x,q,45
  > c,x,p,50
  > c,x,r,5
  > d,x,p,501
  > d,x,q,450
  > d,x,r,49
  > e,x,r,100
  > END

  $ roster estimate log.csv -o roster.json | tail -1
  wrote roster.json

  $ roster explain roster.json --reward 0.05 --detect 0.005
  roster: 5 experts, 1 context, 3 actions

  Rounds until two experts are told apart whose values differ by 0.005, where a
  reward has the standard deviation 0.2179 in every context:
    expert  expert  at most   A/B split    one look    any time      leader
    a       e             1      59,700      59,700     353,000       never
    d       e         0.951      59,700      54,100     309,000       never
    b       e          0.95      59,700      54,000     308,000       never
    c       e          0.95      59,700      54,000     308,000       never
    a       b           0.1      59,700       1,860       8,750       never
    a       c           0.1      59,700       1,860       8,750       never
    a       d         0.099      59,700       1,820       8,710       never

  Cannot be told apart, their tables are the same: 'b' and 'c'

  Cannot differ by so much, whatever the rewards: 'b' and 'd', 'c' and 'd'

  Share no action in any context, so that neither's rounds say anything of the
  other: 'a' and 'e'

  At most: the largest difference that rewards in [0, 1] can make between the two.
  A/B split: each plays half of the rounds, means are compared once, at the end
  (5% level, found in 80% of campaigns). One look: the same rounds, rewards pooled
  by context and action; nothing unbiased needs fewer. Any time: the same rounds,
  looked at whenever you like, with the intervals of `roster_evidence`; in 80% of
  campaigns or more (measured) the worse one is excluded by then, and in at most
  5% (proved) the better one ever. Leader: the better of the two plays all rounds.
  Never: it never takes an action of the other. -: an action is over 20 times as
  likely with one of them, and no figure can be given. Both share the traffic
  alone: with more experts in it, count the rounds of these two.

  $ roster explain roster.json --reward 0.05 --detect 0.005 --json | python3 -c '
  > import json, sys
  > for key, value in json.load(sys.stdin).items(): print(key, json.dumps(value if key != "pairs" else value[:2]))'
  name "roster"
  case ""
  experts ["a", "b", "c", "d", "e"]
  reward 0.05
  sd 0.21794494717703367
  detect 0.005
  level 0.95
  power 0.8
  n_pairs 10
  same_pairs 1
  close_pairs 2
  disjoint_pairs 1
  pairs [{"experts": [0, 4], "at_most": 1.0, "split": 59652.0, "one_look": 59652.0, "any_time": 352679.0, "leader": null}, {"experts": [3, 4], "at_most": 0.9510000000000001, "split": 59652.0, "one_look": 54079.0, "any_time": 308912.0, "leader": null}]

A standard deviation in place of the mean; the contexts of an experiment.

  $ cat > toy.json <<'END'
  > {"name": "toy", "contexts": ["X1", "X2"], "actions": ["A1", "A2", "A3"],
  >  "experts": [{"name": "expert 1", "table": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]},
  >              {"name": "expert 2", "table": [[0.2, 0.8, 0], [0.8, 0.2, 0]]}],
  >  "episodes": [{"rounds": 3000, "context_probabilities": [0.55, 0.45],
  >                "reward_means": [[0.1, 0.1, 0.9], [0.1, 0.1, 0.9]]}],
  >  "agents": [{"agent": "ucb"}], "runs": 3, "seed": 1}
  > END

  $ roster explain toy.json --sd 0.5 --detect 0.05 | head -6
  toy: 2 experts, 2 contexts, 3 actions

  Rounds until two experts are told apart whose values differ by 0.05, where a
  reward has the standard deviation 0.5 in every context:
    expert    expert    at most   A/B split    one look    any time      leader
    expert 1  expert 2      0.7       3,140       1,580       5,760       never

More experts than are listed: the hardest pairs, and the easiest.

  $ cat > many.json <<'END'
  > {"name": "many", "contexts": 3, "actions": 4, "experts": {"random": {"count": 12, "floor": 0.05}},
  >  "episodes": [{"rounds": 10, "reward_means": {"random": {}}}], "agents": [{"agent": "ucb"}], "runs": 1, "seed": 1}
  > END

  $ roster explain many.json --reward 0.1 --detect 0.01 | sed -n '5,8p; 32,36p'
    expert     expert     at most   A/B split    one look    any time      leader
    expert 3   expert 8     0.502      28,300       7,890      29,600      57,000
    expert 5   expert 8      0.48      28,300       7,690      28,700      55,500
    expert 1   expert 3     0.448      28,300       7,650      28,500      67,400
    expert 7   expert 12    0.376      28,300       4,850      16,200      22,700
    expert 2   expert 11    0.367      28,300       4,790      15,900      23,500
    and 38 pairs more, which take fewer rounds; the last of them:
    expert 6   expert 9     0.155      28,300       1,170       4,730       6,900

  $ sed 's/12/1025/' many.json > large.json; roster explain large.json --reward 0.1 --detect 0.01
  ! roster explain: large.json: 1025 experts are too many to compare each with every other: at most 1024 can be compared
  [1]

What is missing or wrong.

  $ roster explain roster.json
  ! roster explain: roster.json has no rewards: give --reward R and --detect D to learn how much traffic it takes to tell its experts apart, or an experiment that names it
  [1]

  $ roster explain roster.json --detect 0.01
  ! roster explain: --detect D needs --reward R or --sd S, and these need --detect D
  [2]

  $ roster explain toy.json --reward 0.05
  ! roster explain: --detect D needs --reward R or --sd S, and these need --detect D
  [2]

  $ roster explain toy.json --reward 1 --detect 0.01
  ! roster explain: --reward is '1', must be a number from 1e-09 to 0.999999
  [2]

  $ roster explain toy.json --reward 0.5 --sd 0.1 --detect 0.01
  ! roster explain: --sd S is given in place of --reward R: leave out one of the two
  [2]

  $ roster explain toy.json --reward 0.5 --detect 0
  ! roster explain: --detect is '0', must be a number from 1e-09 to 1
  [2]

  $ roster explain toy.json --sd 0.6 --detect 0.1
  ! roster explain: --sd is '0.6', must be a number from 1e-09 to 0.5
  [2]

  $ sed 's/0.45/0.46/' roster.json > bad.json; roster explain bad.json --reward 0.05 --detect 0.005
  ! roster explain: bad.json: experts[1].counts[0] has 2 entries, must have 3, one per action
  [1]

  $ roster explain toy.json --reward 0.05 --detect 0.005 > /dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
