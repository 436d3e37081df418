`roster export`: what it says of itself, and what it refuses. What it writes is tested in tests/http/retention.py.

Help

  $ roster export --help
  roster export: write the records of the log of `roster serve`

  usage: roster export DIR|URL [OPTION...]

  Writes the records of the event log in DIR in order, one per line. A server may
  be running on DIR meanwhile. A log in PostgreSQL is named by its URL,
  postgresql://USER@HOST/DATABASE. Records that retention has dropped are not in
  the log any more; `roster serve --export-before-drop` writes them to files
  first.

  Options:
    --campaign NAME     Only the records of this campaign; of several campaigns
                        that had this name one after another, the last. Default:
                        all records.
    --format jsonl|csv  jsonl: a JSON object per record, with all its fields. csv:
                        the fields of decisions and rewards. Default: jsonl.
    --after RECORD      Only records after this one.
    --until RECORD      Only records up to this one.
    -o, --out FILE      File to write; it appears when it is complete and on disk.
                        Default: standard output.
    -h, --help          Show this help and stop.

  Examples:
    roster export roster-data --out events.jsonl
        everything
    roster export roster-data --campaign shop --format csv
        one campaign, for a spreadsheet

A format that is none

  $ roster export nowhere --format xml
  ! roster export: --format is 'xml', must be jsonl or csv
  [2]

A range that is none

  $ roster export nowhere --after 5 --until 2
  ! roster export: --until is 2, must not be below --after, which is 5
  [2]

No log

  $ roster export nowhere
  ! roster export: nowhere/roster.db does not exist: is nowhere the --data folder of a server?
  [1]
