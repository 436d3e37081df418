roster serve: the decision service. What it answers is tested by tests/http.

Help

  $ roster serve --help
  roster serve: make decisions over HTTP and learn from their rewards

  usage: roster serve [FILE...] [OPTION...]

  Runs the decision service. Clients create campaigns, ask for decisions and send
  rewards as JSON over HTTP. Everything is recorded in an event log, from which
  the service is restored when it starts, and which `roster audit` checks. The
  page at / shows the campaigns live; /openapi.json describes all requests.

  Each FILE describes a campaign, as that of --campaign does: it is created if it
  does not exist yet.

  Ends on SIGTERM or SIGINT, after it has answered the requests that it accepted.

  Options:
    --data DIR             Folder of the event log, created if missing. Default:
                           roster-data.
    --store URL            Keep the event log in PostgreSQL,
                           postgresql://USER@HOST/DATABASE, instead of a folder.
                           Any number of servers may share it: each answers any
                           request as a single one would.
    --listen ADDRESS:PORT,..
                           Where to listen. Port 0 takes any free port. unix:PATH
                           is a socket of the file system. Separate several
                           addresses by commas. Default: 127.0.0.1:7700.
    --campaign FILE        Campaign to create if it does not exist yet. Name
                           further ones as FILE...
    --durability fsync|os  fsync: answered requests survive a power loss. os: they
                           survive a crash of the program, but not of the machine.
                           Default: fsync.
    --tokens FILE          Tokens that clients must send, one per line: `decide
                           TOKEN` or `admin TOKEN`; campaigns=NAME,.. and
                           rate=NUMBER (requests per second) may follow. Required
                           for addresses other than loopback. SIGHUP reads the
                           file again.
    --drain SECONDS        After SIGTERM or SIGINT, continue to serve for this
                           time, with /readyz at 503, so that a load balancer can
                           send requests elsewhere. Default: 0.
    --host HOST,..         Host names, separated by commas, that clients of a
                           reverse proxy use for the server; on loopback, requests
                           for other names are refused.
    --key FILE             Sign every row of the log with this key, 32 bytes or
                           more, so that `roster audit --key` finds changed rows.
                           A log with signed rows can only be continued with its
                           key.
    --snapshot-every RECORDS
                           Write a snapshot after this many records; a smaller
                           number makes the next start faster. Default: 1500000.
    --export-before-drop DIR
                           Before retention drops records, write them into files
                           in this folder, created if missing, as `roster export`
                           does; if that fails, nothing is dropped.
    --max-campaigns COUNT  At most this many campaigns, not counting archived
                           ones. Default: 10000.
    --max-rosters COUNT    At most this many rosters. Default: 1000.
    --max-cells COUNT      At most this many experts x contexts x actions in a
                           campaign or roster. Default: 4000000.
    --max-open COUNT       At most this many open events in a campaign. Default:
                           10000000.
    --max-bytes BYTES      At most this much memory for a campaign, and for all
                           rosters together. Default: 4294967296.
    --max-archived BYTES   At most this much memory that archived campaigns keep,
                           before no more campaigns are created. Default:
                           1073741824.
    --accept-loss RECORDS  Start although exactly this number of records is
                           missing at the end of the log, as the server printed
                           when it refused to start; what is left of them is kept
                           under names that begin with lost-.
    --log errors|info|requests
                           What to log on stderr, as one JSON object per line.
                           Default: info.
    -h, --help             Show this help and stop.

  Examples:
    roster serve
        on this machine, port 7700
    roster serve --campaign shop.json --data shop
        with a first campaign

Options that are wrong

  $ roster serve --durability never
  ! roster serve: --durability is 'never', must be one of fsync|os
  [2]

  $ roster serve --log everything
  ! roster serve: --log is 'everything', must be one of errors|info|requests
  [2]

  $ roster serve --listen 7700 --data d
  ! roster serve: --listen 7700: must be ADDRESS:PORT or unix:PATH, such as 127.0.0.1:7700 or [::1]:7700
  [1]

  $ roster serve --listen 127.0.0.1:7700 --listen [::1]:7700
  ! roster serve: option --listen is given twice; separate several values by commas: --listen ADDRESS:PORT,..
  [2]

  $ roster serve --listen 127.0.0.1:65536 --data d
  ! roster serve: --listen 127.0.0.1:65536: the port must be at most 65535
  [1]

  $ roster serve --listen 0.0.0.0:7700 --data d
  ! roster serve: --listen 0.0.0.0:7700: is not on loopback, so any client could decide and change campaigns: add --tokens FILE, or listen on 127.0.0.1
  [1]

  $ roster serve --campaign nowhere.json --data d --listen 127.0.0.1:0
  ! roster serve: nowhere.json cannot be read: No such file or directory
  [1]

  $ mkdir campaigns; roster serve campaigns --data d --listen 127.0.0.1:0
  ! roster serve: campaigns cannot be read: Is a directory
  [1]

  $ ls d
  ! ls: cannot access 'd': No such file or directory
  [2]

  $ roster serve --tokens nowhere --data d --listen 127.0.0.1:0
  ! roster serve: nowhere cannot be read: No such file or directory
  [1]

  $ echo >file; roster serve --export-before-drop file --data d --listen 127.0.0.1:0
  ! roster serve: --export-before-drop file: must be a folder that can be written into
  [1]

  $ roster serve --export-before-drop nowhere/exports --data d --listen 127.0.0.1:0
  ! roster serve: --export-before-drop nowhere/exports: cannot be created: No such file or directory
  [1]

  $ roster serve --host roster.example.org,a/b --data d --listen 127.0.0.1:0
  ! roster serve: --host a/b: must be a name without port or path, such as roster.example.org
  [1]

  $ roster serve --host [::1,b --data d --listen 127.0.0.1:0
  ! roster serve: --host [::1: must be a name without port or path, such as roster.example.org
  [1]

  $ mkfifo pipe; roster serve --tokens pipe --data d --listen 127.0.0.1:0
  ! roster serve: pipe is not a file
  [1]

  $ roster serve --key nowhere --data d --listen 127.0.0.1:0
  ! roster serve: the key file nowhere cannot be read: No such file or directory
  [1]

  $ mkdir folder; roster serve --key folder --data d --listen 127.0.0.1:0
  ! roster serve: the key file folder cannot be read: Is a directory
  [1]

  $ roster serve --data missing/folder --listen 127.0.0.1:0 --log errors
  ! roster serve: missing/folder cannot be created: No such file or directory
  [1]

A log in a database

  $ roster serve --store roster-data
  ! roster serve: --store is 'roster-data', must be postgresql://USER@HOST/DATABASE
  [2]

  $ roster serve --store postgresql://roster@/roster --data roster-data
  ! roster serve: --data is for a log in a folder, not for one in a database: leave out one of the two
  [2]

  $ roster serve --listen 127.0.0.1:0 --log errors --store 'postgresql://roster:secret@/roster?host=/nowhere'
  ! roster serve: postgresql://roster@/nowhere/roster cannot be used: connection to server on socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory
  [1]
