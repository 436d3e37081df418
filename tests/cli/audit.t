roster audit: the log of the decision service.

Help

  $ roster audit --help
  roster audit: check the log of `roster serve` from its first record

  usage: roster audit DIR

  Replays the event log in DIR through the library and derives every expert,
  action, propensity, reward and checksum anew. The first difference is named,
  with its record, campaign, event and field, and the exit code is then 1. A
  server may be running on DIR meanwhile.

  Options:
    -h, --help  Show this help and stop.

  Examples:
    roster audit roster-data
        all agree, or what does not

A folder without a log

  $ roster audit nowhere
  ! roster audit: nowhere/roster.db is not there: no log was ever written
  [1]

What is no log

  $ mkdir junk && echo 'no database' >junk/roster.db && roster audit junk
  ! roster audit: junk/roster.db is damaged: file is not a database; restore a backup
  [1]

  $ roster audit
  ! roster audit: something is missing: roster audit DIR
  [2]

A log

  $ cat >campaign.json <<'END'
  > {"name": "c", "contexts": ["x"], "actions": ["a", "b"], "agent": "d-ucb", "seed": 1,
  >  "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}]}
  > END

  $ (roster serve --data d --listen 127.0.0.1:0 --campaign campaign.json >out 2>err & echo $! >pid; while ! grep -qs serves out; do sleep 0.02; done)

  $ curl -s "$(sed 's/.*serves \([^ ]*\) .*/\1/' out)v1/campaigns/c/decide" -H 'Content-Type: application/json' -d '[{"context": "x"}, {"context": 0}]'
  [{"event_id":"1","episode":0,"expert":"expert 1","action":"b","propensity":0.1},{"event_id":"2","episode":0,"expert":"expert 1","action":"a","propensity":0.9}]

  $ kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done; grep -o '"event":"[a-z-]*"' err
  "event":"listening"
  "event":"stopping"
  "event":"stopped"

  $ roster audit d
  d: 3 records, among them 2 decisions and 0 rewards, and 1 snapshots agree

One changed bit

  $ python3 -c '
  > import sqlite3
  > db = sqlite3.connect("d/roster.db")
  > first, records = db.execute("SELECT first, records FROM log ORDER BY first DESC LIMIT 1").fetchone()
  > changed = bytearray(records)
  > changed[-1] ^= 1
  > db.execute("UPDATE log SET records = ? WHERE first = ?", (bytes(changed), first))
  > db.commit()'

  $ roster audit d
  ! roster audit: d: record 3 (decide, campaign c, event 2): its checksum does not fit its content
  [1]
