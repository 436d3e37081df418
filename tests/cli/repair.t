roster repair: a log that a wrong clock took into the future.

Help

  $ roster repair --help
  roster repair: set back the time of a log whose last record lies in the future

  usage: roster repair clock DIR [OPTION...]

  A server whose clock was ahead leaves a log whose last record lies in the
  future. A new server then continues from that time, 10% slower, until the
  machine's clock has caught up. This command sets the time of the log back at
  once: it writes a record that says so, and open windows move with it. `roster
  audit` accepts that record. Stop the server on DIR first, and make sure that the
  machine's clock is right.

  Options:
    --yes       Write the record; without this option, only print what would be
                done.
    --key FILE  The key with which the rows are signed, if they are.
    -h, --help  Show this help and stop.

  Examples:
    roster repair clock roster-data
        what it would do
    roster repair clock roster-data --yes
        do it

What it does not know

  $ roster repair disk d
  ! roster repair: 'disk' cannot be repaired, must be clock
  [2]

  $ roster repair clock nowhere
  ! roster repair: nowhere/roster.db does not exist: is nowhere the --data folder of a server?
  [1]

A log that is all right

  $ echo '{"name": "c", "contexts": ["x"], "actions": ["a", "b"], "agent": "d-ucb", "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}]}' >campaign.json

  $ roster serve --data d --listen 127.0.0.1:0 --campaign campaign.json >out 2>err & while ! grep -qs serves out; do sleep 0.02; done; kill $!; wait $!

  $ roster repair clock d --yes
  d: the last record is not in the future; nothing to repair
