roster with a warm start: from yesterday's log to today's campaign.

A log, and its tally for experiments and for campaigns

  $ awk 'BEGIN {s = 1; print "device,action,reward"
  > for (i = 0; i < 1200; i++) {
  >   s = (s * 16807) % 2147483647; u = s / 2147483647; s = (s * 16807) % 2147483647; v = s / 2147483647
  >   d = i % 2 ? "phone" : "desk"; a = u < .5 ? "red" : u < .8 ? "green" : "blue"
  >   print d "," a "," (v < (d == "phone" && a == "blue" ? .4 : .1))}}' >served.csv

  $ roster tally served.csv --context device -o tally.csv; cat tally.csv
  1200 events in 6 groups
  wrote tally.csv
  context,action,count,reward_sum,reward_squares
  desk,red,284,19,19
  phone,green,182,18,18
  desk,green,193,24,24
  phone,red,299,32,32
  desk,blue,123,9,9
  phone,blue,119,58,58

  $ roster tally served.csv --context device -o rows.json; cat rows.json
  1200 events in 6 groups
  wrote rows.json
  [
    {"context":"desk","action":"red","count":284,"reward_sum":19.0,"reward_squares":19.0},
    {"context":"phone","action":"green","count":182,"reward_sum":18.0,"reward_squares":18.0},
    {"context":"desk","action":"green","count":193,"reward_sum":24.0,"reward_squares":24.0},
    {"context":"phone","action":"red","count":299,"reward_sum":32.0,"reward_squares":32.0},
    {"context":"desk","action":"blue","count":123,"reward_sum":9.0,"reward_squares":9.0},
    {"context":"phone","action":"blue","count":119,"reward_sum":58.0,"reward_squares":58.0}
  ]

An experiment whose agents start with it

  $ cat >warm.json <<'END'
  > {"contexts": ["phone", "desk"], "actions": ["red", "green", "blue"],
  >  "experts": [{"name": "reds", "table": [[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]]}, {"name": "even", "table": [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3]]},
  >              {"name": "blues", "table": [[0.1, 0.1, 0.8], [0.3, 0.3, 0.4]]}],
  >  "episodes": [{"rounds": 1000, "reward_means": [[0.1, 0.1, 0.4], [0.1, 0.1, 0.1]]}],
  >  "agents": [{"agent": "direct"}, {"agent": "direct", "label": "warm", "warm_start": {"log": "tally.csv"}},
  >             {"agent": "direct", "label": "half", "warm_start": {"log": "tally.csv", "discount": 0.5}}],
  >  "runs": 20}
  > END

  $ roster validate warm.json
  warm.json: fine: 3 experts, 2 contexts, 3 actions, 1 episode of 1000 rounds, 3 agents, 20 runs

  $ roster run warm.json --out results 2>&1 | grep -E '^(direct|warm|half)' | awk '{print $1, $2, $3}'
  warm: 20 runs,
  direct 3.841 ±2.838
  warm 0.000 ±0.000
  half 0.000 ±0.000

A file moved elsewhere runs as it was: the log is in its results

  $ grep -c '"rows"' results/results.json
  1

What cannot be

  $ sed 's/tally.csv/nowhere.csv/' warm.json >bad.json; roster validate bad.json
  ! roster validate: nowhere.csv cannot be read: No such file or directory
  [1]

  $ sed 's/"direct", "label": "half"/"ucb", "label": "half"/' warm.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: agents[2]: rows[0] has no expert, but ucb must know who acted; direct need not, where experts are tables
  [1]

  $ sed 's/"green"/"lime"/' warm.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: agents[1].warm_start.rows[1].action is "green", which is not an action
  [1]

  $ sed 's/tally.csv/served.csv/' warm.json >bad.json; roster validate bad.json
  ! roster validate: bad.json: 'context' is missing in agents[1].warm_start.rows[0]
  [1]

A campaign that starts with it

  $ python3 - <<'END'
  > import json
  > warm = json.load(open("warm.json"))
  > campaign = {key: warm[key] for key in ("contexts", "actions", "experts")}
  > json.dump({"name": "today", "seed": 1, **campaign, "warm_start": {"rows": json.load(open("rows.json")), "discount": 0.5}}, open("today.json", "w"))
  > json.dump({"name": "wrong", "seed": 1, **campaign, "warm_start": {"rows": [{"action": "blue", "count": 1, "reward_sum": 1}]}}, open("wrong.json", "w"))
  > END

  $ (roster serve --data d --listen 127.0.0.1:0 --campaign today.json >out 2>err & echo $! >pid; while ! grep -qs serves out; do sleep 0.02; done)

  $ url="$(sed 's/.*serves \([^ ]*\) .*/\1/' out)v1/campaigns"
  > curl -s "$url/today/decide" -H 'Content-Type: application/json' -d '[{"event_id": "a", "context": "phone"}, {"event_id": "b", "context": "desk"}]'
  > curl -s "$url/today/reward" -H 'Content-Type: application/json' -d '[{"event_id": "a", "reward": 1}, {"event_id": "b", "reward": 0}]'
  > curl -s -w '%{http_code}\n' "$url" -H 'Content-Type: application/json' -d @wrong.json
  > curl -s "$url/today" | python3 -c '
  > import json, sys
  > c = json.load(sys.stdin)
  > print(c["rounds"], c["evidence_rounds"], c["known"], c["warm_start"], "warm_start" in c["description"])
  > print([(e["name"], e["plays"], round(e["estimate"], 2)) for e in c["experts"]])'
  [{"event_id":"a","episode":0,"expert":"blues","action":"blue","propensity":0.8},{"event_id":"b","episode":0,"expert":"blues","action":"red","propensity":0.3}][{"event_id":"a","status":"joined"},{"event_id":"b","status":"joined"}]{"error":{"code":"invalid","message":"campaign: 'context' is missing in warm_start.rows[0]"}}400
  2 2 False {'rows': 6, 'discount': 0.5} False
  [('reds', 0, 0.11), ('even', 0, 0.16), ('blues', 2, 0.25)]

  $ kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done; roster audit d | head -1
  d: 5 records, among them 2 decisions and 2 rewards, and 1 snapshot agree

And tomorrow's starts with today's

  $ roster export d --campaign today >export.jsonl; roster tally export.jsonl -o tomorrow.csv; cat tomorrow.csv
  2 events in 2 groups
  wrote tomorrow.csv
  context,action,expert,propensity,count,reward_sum,reward_squares
  phone,blue,blues,0.8,1,1,1
  desk,red,blues,0.3,1,0,0
