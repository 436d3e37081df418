`roster evaluate`: logs that are no CSV.

JSON lines: keys are columns, those of objects inside are named with a point

  $ cat >log.jsonl <<'END'
  > {"user": {"device": "phone"}, "action": "a", "propensity": 0.5, "reward": 1, "pi_b": 0.9, "a_c": "a", "time": "2026-01-01T00:00:00Z"}
  > {"user": {"device": "desk"}, "action": "b", "propensity": 0.5, "reward": 0, "pi_b": 0.1, "a_c": "a", "time": "2026-01-01T00:00:01Z"}
  > {"user": {"device": "phone"}, "action": "b", "propensity": 0.5, "reward": true, "pi_b": 0.1, "a_c": "b", "time": "2026-01-01T00:00:00Z"}
  > {"user": {"device": "desk"}, "action": "a", "propensity": 0.5, "reward": 1, "pi_b": 0.9, "a_c": "a", "time": "2026-01-01T00:00:05Z"}
  > END

  $ roster evaluate log.jsonl --context user.device
  4 events (jsonl): action action, reward reward, propensity propensity, time time, context user.device
  note: times that go back: 1; intervals valid at any time take the order of the lines for that of time
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy      value        low       high  difference        low       high effective largest w  clipped
  served       0.75          0          1
  b            0.95          0          1         0.2         -1          1         2       1.8       0%
  c            1.25          0          1         0.5         -1          1         3         2       0%

  snips: not enough data: 4 events are worth 2 of b's own
  dr: not enough data: 4 events are worth 3 of c's own

  $ (cat log.jsonl; echo '{"action": "a"}'; echo '[1]'; echo '{"action": '; echo '{"action": {}, "reward": 1, "propensity": 1, "pi_b": 1, "a_c": "a", "time": ""}'
  > echo '{"action": "a", "reward": "1", "propensity": 1, "pi_b": 1, "a_c": "a", "time": ""}') >bad.jsonl; roster evaluate bad.jsonl
  ! bad.jsonl:5: has no 'reward'
  ! bad.jsonl:6: is no JSON object
  ! bad.jsonl:7: is no JSON: unexpected token near end of file
  ! bad.jsonl:8: 'action' must be a text or a number
  ! bad.jsonl:9: 'reward' must be a number
  ! roster evaluate: 5 of 9 lines are damaged; --skip-bad leaves them out
  [1]

  $ echo '[1, 2]' >bad.jsonl; roster evaluate bad.jsonl --format jsonl
  ! roster evaluate: bad.jsonl:1: the first line must be a JSON object whose keys are the columns
  [1]

Vowpal Wabbit, one line per event

  $ printf "1:0:0.5 | a b\n2:-1:0.25 'tag| c\n1 2:-1:0.5 3 | d\n| e\n1:-1:0.5\n" >cb.vw; roster evaluate cb.vw --policy always:2 --policy always:1
  4 events (vw)
  note: events without an outcome, or not to be learnt from, passed over: 1
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy        value        low       high  difference        low       high effective largest w  clipped
  served         0.75          0          1
  always:2          1          0          1        0.25         -1          1         1         4       0%
  always:1        0.5          0          1       -0.25         -1          1         2         2       0%

  dr: not enough data: 4 events are worth 1 of always:2's own
  dr: not enough data: 4 events are worth 2 of always:1's own

  $ printf '1:0:0.5 | a\n1:x:0.5 | a\n1:0 | a\n1:0:2 | a\n1:0:.5 2:0:.5 | a\n' | roster evaluate - --format vw --policy always:1
  ! standard input:2: the label '1:x:0.5' must be action:cost:probability
  ! standard input:3: the label '1:0' has no probability, must be action:cost:probability
  ! standard input:4: the propensity is 2, must be above 0 and at most 1
  ! standard input:5: has two costs
  ! roster evaluate: 4 of 5 lines are damaged; --skip-bad leaves them out
  [1]

Several lines per event; costs become rewards

  $ (printf 'shared | user=Tom\n| politics\n0:-1:0.25 | sports\n| music\n\nshared | user=Anna\n0:0:0.5 | politics\n| sports\n| music\n\n'
  > printf 'shared | user=Tom\n| politics\n| sports\n| music\n') >adf.vw

  $ roster evaluate adf.vw --policy uniform --policy always:2
  2 events (vw)
  note: events without an outcome, or not to be learnt from, passed over: 1
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy        value        low       high  difference        low       high effective largest w  clipped
  served          0.5          0          1
  uniform     0.83333          0          1     0.33333         -1          1         1    1.3333       0%
  always:2        2.5          0          1           2         -1          1         1         4       0%

  dr: not enough data: 2 events are worth 1 of uniform's own
    mind: 33.3% of what it does was never logged in its context, which came rarely: the interval takes it that it was possible
  dr: not enough data: 2 events are worth 1 of always:2's own

  $ roster evaluate adf.vw --context shared --policy uniform | tail -2
  dr: not enough data: 2 events are worth 1 of uniform's own
    mind: 66.7% of what it does was never logged in its context, which came rarely: the interval takes it that it was possible

Without `shared` too, whichever line has the label

  $ printf '0:-1:0.5 | a\n| b\n\n| a\n0:0:0.25 | b\n\n0:-1:0.5 | a\n| b\n' | roster evaluate - --policy always:1 --json | grep -E 'events|"ips"|"effective'
    "events": 3,
        "ips": 1.3333333333333333,
        "effective_samples": 2,
        "verdict": "not enough data: 3 events are worth 2 of always:1's own",

  $ printf 'shared | x\n0:0:.5 | a\n0:0:.5 | b\n\n' | roster evaluate - --policy always:1
  ! standard input:4: is the second line of an event with a cost
  ! roster evaluate: 1 of 1 line is damaged; --skip-bad leaves it out
  [1]

  $ printf 'ccb shared | x\nccb action | a\nccb slot 0:0:1 | s\n' | roster evaluate - --policy always:1
  ! roster evaluate: standard input:1: this is a log of slates or slots, in which several actions share a reward: it cannot be evaluated
  [1]

  $ roster evaluate adf.vw --context user --policy always:1
  ! roster evaluate: of Vowpal Wabbit text only --context shared can be used
  [1]

DSJSON: the index is trusted, whatever `a` counts from; a drop rate makes an event stand for those that were dropped

  $ cat >log.dsjson <<'END'
  > {"_label_cost": -1, "_label_probability": 0.5, "_label_Action": 2, "_labelIndex": 1, "a": [2, 1], "p": [0.5, 0.5], "EventId": "x", "Timestamp": "2026-01-01T00:00:00Z"}
  > {"_label_cost": 0, "_label_probability": 0.8, "_label_Action": 1, "_labelIndex": 0, "a": [0, 1], "p": [0.8, 0.2], "EventId": "y"}
  > {"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 1, "a": [2, 1], "p": [0.5, 0.4], "EventId": "x", "pdrop": 0.9}
  > {"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 1, "a": [2, 1], "p": [0.5, 0.5], "_skipLearn": true}
  > {"EventId": "z", "c": {"_multi": []}}
  > END

  $ roster evaluate log.dsjson --policy always:1 --policy always:2 --policy uniform
  12 events (dsjson)
  note: of 12 events 3 were kept, the others dropped: each counts for those like it
  note: events without an outcome, or not to be learnt from, passed over: 2
  note: ids that were seen before: at least 1; events that are counted twice make every interval too narrow
  note: probabilities of an event that do not sum to 1: 1
  note: the rate at which events were dropped varies: intervals are for one look at the end, since the order of the events that were dropped is not known, and changes over time were not looked for

  policy        value        low       high  difference        low       high effective largest w  clipped
  served     0.083333          0          1
  always:1 -0.0018939          0    0.31904   -0.085227         -1    0.36648         1      1.25       0%
  always:2   0.090909          0          1   0.0075758         -1          1         1        20       0%
  uniform    0.044508          0          1   -0.038826   -0.39669    0.31904         1        10       0%

  dr: not enough data: 12 events are worth 1 of always:1's own
  dr: not enough data: 12 events are worth 1 of always:2's own
  dr: not enough data: 12 events are worth 1 of uniform's own

  $ (head -1 log.dsjson; echo '{"_label_cost": 0}'; echo '{"_label_cost": 0, "_label_probability": 0.5}'
  > echo '{"_label_cost": "x", "_label_probability": 0.5}'; echo '{"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": -5}'
  > echo '{"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 0, "pdrop": 1}'; echo '{"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 0, "a": [1], "p": [7]}'
  > ) >bad.dsjson; roster evaluate bad.dsjson --policy always:1
  ! bad.dsjson:2: '_label_probability' must be a number
  ! bad.dsjson:3: has neither '_labelIndex' nor '_label_Action'
  ! bad.dsjson:4: '_label_cost' must be a number
  ! bad.dsjson:5: the number of the action is -5, must not be negative
  ! bad.dsjson:6: 'pdrop' is 1, must be at least 0 and below 1
  ! bad.dsjson:7: 'p' must be a list of probabilities
  ! roster evaluate: 6 of 7 lines are damaged; --skip-bad leaves them out
  [1]

  $ cat >bad.dsjson <<'END'
  > {"_label_cost": 0, "_label_probability": 0.3, "_labelIndex": 0, "a": [1, 2], "p": [0.5, 0.5]}
  > {"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 0, "_label_Action": 2, "a": [1, 2], "p": [0.5, 0.5]}
  > {"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 2, "a": [1, 2], "p": [0.5, 0.5]}
  > {"_label_cost": 0, "_label_probability": 0.5, "_labelIndex": 0, "a": [1, 1], "p": [0.5, 0.5]}
  > {"_label_cost": 0, "_label_probability": 0.05000000074505806, "_labelIndex": 0, "_label_Action": 1, "a": [2, 1], "p": [0.95, 0.05]}
  > END

  $ roster evaluate bad.dsjson --policy always:1
  ! bad.dsjson:1: '_label_probability' is 0.3, but 'p' gives the action 0.5
  ! bad.dsjson:2: '_label_Action' is 2, but '_labelIndex' says 1
  ! bad.dsjson:3: the action that was taken, 3, is not among those of 'a'
  ! bad.dsjson:4: 'a' names an action twice
  ! roster evaluate: 4 of 5 lines are damaged; --skip-bad leaves them out
  [1]

  $ echo '{"_outcomes": [{"_label_cost": 0}], "c": {"_slots": []}}' | roster evaluate - --policy always:1
  ! roster evaluate: standard input:1: this is a log of slates or slots, in which several actions share a reward: it cannot be evaluated
  [1]

What a service wrote: decisions wait for their rewards

  $ cat >events.jsonl <<'END'
  > {"number":1,"at":"2026-01-01T00:00:00.000000Z","kind":"campaign","campaign":"shop","description":{}}
  > {"number":2,"at":"2026-01-01T00:00:00.000000Z","kind":"decide","campaign":"shop","event_id":"a","episode":1,"expert":"e1","action":"red","propensity":0.5,"how":"agent","context":"news"}
  > {"number":3,"at":"2026-01-01T00:00:01.000000Z","kind":"decide","campaign":"shop","event_id":"b","episode":1,"expert":"e2","action":"blue","propensity":0.25,"how":"agent","context":"sport"}
  > {"number":4,"at":"2026-01-01T00:00:02.000000Z","kind":"decide","campaign":"shop","event_id":"c","episode":1,"expert":"e2","action":"red","propensity":0.75,"how":"agent","context":"sport"}
  > {"number":5,"at":"2026-01-01T00:00:03.000000Z","kind":"reward","campaign":"shop","event_id":"b","reward":1.0,"status":"learnt","learnt":1.0,"decision":3}
  > {"number":6,"at":"2026-01-01T00:00:03.000000Z","kind":"reward","campaign":"shop","event_id":"b","reward":1.0,"status":"duplicate","learnt":null,"decision":3}
  > {"number":7,"at":"2026-01-01T00:00:04.000000Z","kind":"close","campaign":"shop","early":false,"closed":[{"decision":2,"learnt":0.0},{"decision":4,"learnt":null}]}
  > END

  $ roster evaluate events.jsonl --policy always:red --policy always:blue
  2 events (roster)
  note: events without an outcome, or not to be learnt from, passed over: 1
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy           value        low       high  difference        low       high effective largest w  clipped
  served             0.5          0          1
  always:red       -0.25          0          1       -0.75         -1          1         1         2       0%
  always:blue       2.25          0          1        1.75         -1          1         1         4       0%

  dr: not enough data: 2 events are worth 1 of always:red's own
    mind: 50% of what it does was never logged in its context, which came rarely: the interval takes it that it was possible
  dr: not enough data: 2 events are worth 1 of always:blue's own
    mind: 50% of what it does was never logged in its context, which came rarely: the interval takes it that it was possible

  $ (cat events.jsonl; sed 's/"shop"/"other"/; s/"number":2/"number":9/' events.jsonl | sed -n 2p) | roster evaluate - --policy always:red
  ! roster evaluate: standard input:8: decisions of the campaigns shop and other are in one log: `roster export --campaign NAME` writes one
  [1]

  $ (cat events.jsonl; echo '{"number":8,"kind":"decide","campaign":"shop"}'; echo '{"x":1}') | roster evaluate - --policy always:red
  ! standard input:8: the decision has no propensity
  ! standard input:9: is no record of an export: it has no kind or number
  ! roster evaluate: 2 of 4 lines are damaged; --skip-bad leaves them out
  [1]
