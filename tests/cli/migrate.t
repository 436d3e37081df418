roster migrate: a log from a folder to a database.

Help

  $ roster migrate --help
  roster migrate: copy the log of `roster serve` to PostgreSQL, or back

  usage: roster migrate FROM TO [OPTION...]

  Copies all rows of an event log, byte for byte, and its newest snapshot. One of
  FROM and TO is a folder, the other a database, postgresql://USER@HOST/DATABASE;
  TO is empty, or what an interrupted copy left, which then goes on. FROM is not
  changed. Stop its server first: what it records afterwards is not in the copy.

  `roster audit TO` prints the head that `roster audit FROM` prints.

  Options:
    --key FILE  The key with which rows are signed: the copy's rows are signed
                with it from the first on.
    -h, --help  Show this help and stop.

  Examples:
    roster migrate roster-data postgresql://roster@db/roster
        to a database
    roster migrate postgresql://roster@db/roster roster-data
        back

Two folders

  $ roster migrate a b
  ! roster migrate: one of FROM and TO must be a folder, and the other postgresql://...
  [2]

No such log

  $ roster migrate nowhere postgresql://roster@/roster?host=/nowhere
  ! roster migrate: nowhere/roster.db does not exist: is nowhere the --data folder of a server?
  [1]

No server, and no password in the sentence

  $ roster migrate 'postgresql://roster:secret@/roster?host=/nowhere' folder
  ! roster migrate: postgresql://roster@/nowhere/roster cannot be used: connection to server on socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory
  [1]

  $ roster audit 'postgresql://roster:secret@/roster?host=/nowhere'
  ! roster audit: postgresql://roster@/nowhere/roster cannot be used: connection to server on socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory
  [1]

An URL that is none

  $ roster audit 'postgresql://roster@/roster?hots=/nowhere'
  ! roster audit: the URL of the database cannot be used: invalid URI query parameter: "hots"
  [1]
