roster audit: the log of the decision service.

Help

  $ roster audit --help
  roster audit: check the log of `roster serve` from its first record

  usage: roster audit DIR|URL [OPTION...]

  Replays the event log in DIR and computes every expert, action, propensity,
  reward and checksum again. Prints the first difference, with its record,
  campaign, event and field, and ends with exit code 1. The same holds if records
  are missing at the end of the log. A server may be running on DIR meanwhile, and
  DIR may be read-only. A log in PostgreSQL is named by its URL,
  postgresql://USER@HOST/DATABASE.

  The printed head is a SHA-256 of all records. Keep it in another place: with
  --expect, a later audit shows whether any of these records was changed or
  removed.

  Options:
    --expect RECORDS:HEX  The head that an earlier audit printed: fails if one of
                          the records up to there was changed or removed.
    --key FILE            The key with which the server signs rows: fails unless
                          every row from the first signed one on fits it. The
                          first signed row also covers the rows before it.
    -h, --help            Show this help and stop.

  Examples:
    roster audit roster-data
        check everything

A folder without a log

  $ roster audit nowhere
  ! roster audit: nowhere/roster.db does not exist: is nowhere the --data folder of a server?
  [1]

What is no log

  $ mkdir junk && echo 'no database' >junk/roster.db && roster audit junk
  ! roster audit: junk/roster.db is damaged: file is not a database; restore a backup
  [1]

  $ roster audit
  ! roster audit: an argument is missing: roster audit DIR|URL
  [2]

A log

  $ cat >campaign.json <<'END'
  > {"name": "c", "contexts": ["x"], "actions": ["a", "b"], "agent": "d-ucb", "seed": 1,
  >  "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}]}
  > END

  $ (roster serve --data d --listen 127.0.0.1:0 --campaign campaign.json >out 2>err & echo $! >pid; while ! grep -qs serves out; do sleep 0.02; done)

  $ curl -s "$(sed 's/.*serves \([^ ]*\) .*/\1/' out)v1/campaigns/c/decide" -H 'Content-Type: application/json' -d '[{"context": "x"}, {"context": 0}]'
  [{"event_id":"#1","episode":0,"expert":"expert 2","action":"a","propensity":0.2},{"event_id":"#2","episode":0,"expert":"expert 1","action":"a","propensity":0.9}]

  $ kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done; grep -o '"event":"[a-z-]*"' err
  "event":"listening"
  "event":"ready"
  "event":"stopping"
  "event":"stopped"

  $ roster audit d
  d: 3 records, among them 2 decisions and 0 rewards, and 1 snapshot agree
  head 3:[0-9a-f]{64} (re)

The head it had

  $ roster audit d --expect "$(roster audit d | sed -n 's/^head //p')" | grep -c agree
  1

  $ roster audit d --expect 3:0000000000000000000000000000000000000000000000000000000000000000
  ! roster audit: d: the head after record 3 is not the one that is expected: a record up to there was changed
  [1]

  $ roster audit d --expect 3:12
  ! roster audit: --expect is '3:12', must be RECORDS:HEX as an earlier audit printed it
  [2]

The last row is deleted, with and without the high-water mark

  $ cp -r d shorter; roster audit d | sed -n 's/^head //p' >head; sqlite3 shorter/roster.db 'DELETE FROM log WHERE first > 1'

  $ roster audit shorter
  ! roster audit: shorter: shorter/roster.db ends with record 1, but 3 were written: 2 are missing; restore a backup into an empty folder, or accept the loss: roster serve --accept-loss 2
  [1]

  $ roster serve --data shorter --listen 127.0.0.1:0 2>&1 | tail -1
  roster serve: shorter/roster.db ends with record 1, but 3 were written: 2 are missing; restore a backup into an empty folder, or accept the loss: roster serve --accept-loss 2

  $ rm shorter/high-water shorter/snapshot-*; roster audit shorter | grep -c agree
  1

  $ roster audit shorter --expect "$(cat head)"
  ! roster audit: shorter: the log ends with record 1, but is expected to reach 3
  [1]

A key

  $ printf 'a key that has thirty-two bytes and more' >key; roster audit d --key key
  ! roster audit: d: no row is signed, though a key was given
  [1]

  $ printf short >bad; roster audit d --key bad
  ! roster audit: the key file bad must have 32 to 4096 bytes
  [1]

  $ rm -f out; (roster serve --data d --listen 127.0.0.1:0 --key key >out 2>err & echo $! >pid; while ! grep -qs serves out; do sleep 0.02; done)

  $ curl -s "$(sed 's/.*serves \([^ ]*\) .*/\1/' out)v1/campaigns/c/decide" -H 'Content-Type: application/json' -d '{"event_id": "mine", "context": "x"}' | grep -c mine
  1

  $ kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done; cat d/lock

  $ roster audit d --key key
  d: 4 records, among them 3 decisions and 0 rewards, and 1 snapshot agree
  the MAC of 1 row fits the key
  head 4:[0-9a-f]{64} (re)

  $ roster audit d
  d: 4 records, among them 3 decisions and 0 rewards, and 2 snapshots agree
  rows are signed with a key; give --key FILE to check that
  head 4:[0-9a-f]{64} (re)

  $ roster serve --data d --listen 127.0.0.1:0 2>&1 | tail -1
  roster serve: d/roster.db is signed with a key: give it with --key FILE

After an erasure

  $ rm -f out; (roster serve --data e --listen 127.0.0.1:0 --key key --campaign campaign.json >out 2>err & echo $! >pid; while ! grep -qs serves out; do sleep 0.02; done)

  $ for call in 'decide {"event_id": "mine", "context": "x"}' 'reward {"event_id": "mine", "reward": 1}' 'erase {"event_id": "mine"}' 'decide {"event_id": "other", "context": "x"}'; do
  >   curl -s "$(sed 's/.*serves \([^ ]*\) .*/\1/' out)v1/campaigns/c/${call%% *}" -H 'Content-Type: application/json' -d "${call#* }"; echo; done | grep -v mine
  {"event_id":"other","episode":0,"expert":"expert 2","action":"b","propensity":0.8}

  $ kill -9 "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done

  $ roster audit e --key key
  e: 5 records, 1 of them derived anew, among them 1 decision and 0 rewards, and 0 snapshots agree
  something was erased from 2 rows, as the log says
  replayed from base-00000000000000000004
  of records 1 to 4, 4 in all, only the checksums were checked
  the MACs of 5 rows fit the key
  head 5:[0-9a-f]{64} (re)

One record less

  $ cp -r d less; sqlite3 less/roster.db 'DELETE FROM log WHERE first = 4'; roster audit less 2>&1 | grep -o ':[^:]*missing'
  : 1 is missing

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
  ! roster audit: d: record 4 (decide, campaign c, event mine): its checksum does not fit its content
  [1]
