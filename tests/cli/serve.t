roster serve: the decision service. What it answers is tested by tests/http.

Help

  $ roster serve --help
  roster serve: decide for others over HTTP, and learn from their rewards

  usage: roster serve [FILE...] [OPTION...]

  Runs the decision service: campaigns are created, decisions asked for and
  rewards told by HTTP and JSON. Everything is in an event log, from which the
  service is restored when it starts, and which `roster audit` checks. The page at
  / shows the campaigns live; /openapi.json describes all requests.

  Ends on SIGTERM or SIGINT, after it has answered what it accepted.

  Options:
    --data DIR             Folder of the event log, created where missing;
                           roster-data by default.
    --listen ADDRESS:PORT,..
                           Where to listen; 127.0.0.1:7700 by default. Port 0 is
                           any that is free. unix:PATH is a socket of the file
                           system. Several have commas between.
    --campaign FILE        Campaign to create if it is not there yet; more may
                           follow.
    --durability fsync|os  fsync, the default: what was answered survives power
                           loss. os: it survives a crash of the program, not of
                           the machine.
    --tokens FILE          Tokens that clients must show, one per line: `decide
                           TOKEN` or `admin TOKEN`; campaigns=NAME,.. and
                           rate=NUMBER (of requests a second) may follow. Needed
                           for addresses other than loopback. SIGHUP reads it
                           again.
    --drain SECONDS        After SIGTERM or SIGINT go on serving so long, with
                           /readyz at 503, so that a load balancer can send
                           requests elsewhere; 0 by default.
    --host HOST,..         Names, with commas between, by which a reverse proxy's
                           clients call the server; on loopback others are
                           refused.
    --key FILE             Sign every row of the log with this key, 32 bytes or
                           more, so that `roster audit --key` finds what was
                           changed. A log that has signed rows is continued only
                           with its key.
    --snapshot-every RECORDS
                           Write a snapshot after so many records, 1500000 by
                           default; fewer make the next start shorter.
    --export-before-drop DIR
                           Write records that retention drops into files in this
                           folder first, as `roster export` does; where that fails
                           nothing is dropped.
    --max-campaigns COUNT  Refuse more campaigns than that, archived ones not
                           counted; 10000 by default.
    --max-rosters COUNT    Refuse more rosters than that; 1000 by default.
    --max-cells COUNT      Refuse campaigns and rosters with more experts x
                           contexts x actions than that; 4000000 by default.
    --max-open COUNT       Refuse decisions of a campaign that has so many open
                           events; 10000000 by default.
    --max-bytes BYTES      Refuse decisions of a campaign that takes more memory
                           than that, and rosters with which all of them would;
                           4294967296 by default.
    --accept-loss RECORDS  Start although exactly so many records are missing at
                           the end of the log, as the server said when it refused
                           to; what is left of them is set aside under names that
                           begin with lost-.
    --log errors|info|requests
                           How much to say on stderr, a JSON object per line; info
                           by default.
    -h, --help             Show this help and stop.

  Examples:
    roster serve
        on this machine, port 7700
    roster serve --campaign shop.json --data shop
        with a campaign to begin with

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
  ! roster serve: option --listen is given twice; several have commas between: --listen ADDRESS:PORT,..
  [2]

  $ roster serve --listen 127.0.0.1:65536 --data d
  ! roster serve: --listen 127.0.0.1:65536: the port must be at most 65535
  [1]

  $ roster serve --listen 0.0.0.0:7700 --data d
  ! roster serve: --listen 0.0.0.0:7700: is not on loopback, so everybody could decide and change campaigns: add --tokens FILE, or listen on 127.0.0.1
  [1]

  $ roster serve --campaign nowhere.json --data d --listen 127.0.0.1:0 --log errors
  ! roster serve: nowhere.json cannot be read: No such file or directory
  [1]

  $ roster serve --tokens nowhere --data d --listen 127.0.0.1:0
  ! roster serve: nowhere cannot be read: No such file or directory
  [1]

  $ echo >file; roster serve --export-before-drop file --data d --listen 127.0.0.1:0
  ! roster serve: --export-before-drop file: must be a folder that can be written into
  [1]

  $ roster serve --host roster.example.org,a/b --data d --listen 127.0.0.1:0
  ! roster serve: --host a/b: must be a name without port or path, such as roster.example.org
  [1]

  $ roster serve --host [::1,b --data d --listen 127.0.0.1:0
  ! roster serve: --host [::1: must be a name without port or path, such as roster.example.org
  [1]

  $ mkfifo pipe; roster serve --tokens pipe --data d --listen 127.0.0.1:0
  ! roster serve: pipe is no file
  [1]

  $ roster serve --key nowhere --data d --listen 127.0.0.1:0
  ! roster serve: the key file nowhere cannot be read: No such file or directory
  [1]

  $ mkdir folder; roster serve --key folder --data d --listen 127.0.0.1:0
  ! roster serve: the key file folder cannot be read: Is a directory
  [1]

  $ roster serve --data missing/folder --listen 127.0.0.1:0 --log errors
  ! roster serve: missing/folder cannot be made: No such file or directory
  [1]
