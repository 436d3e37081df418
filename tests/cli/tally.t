`roster tally` and `roster sql`: a log summed up, by roster or by a database.

  $ awk 'BEGIN {s = 1; print "device,hour,item,p,click,pi_b"
  > for (i = 0; i < 3000; i++) {
  >   s = (s * 16807) % 2147483647; u = s / 2147483647; s = (s * 16807) % 2147483647; v = s / 2147483647
  >   d = i % 2 ? "phone" : "desk"; a = u < .5 ? "red" : u < .8 ? "green" : "blue"; p = u < .5 ? .5 : u < .8 ? .3 : .2
  >   print d "," i % 3 "," a "," p "," (v < .3) "," (a == "blue" ? .8 : .1)}}' >log.csv

  $ roster tally log.csv --action item --reward click --propensity p --context device,hour -o tally.csv; head -3 tally.csv
  3000 events in 18 groups
  wrote tally.csv
  context,action,propensity,pi_b,count,reward_sum,reward_squares
  "desk,0",red,0.5,0.1,261,85,85
  "phone,1",green,0.3,0.1,137,42,42

The same values, and intervals for one look

  $ cat >same.py <<'END'
  > import json, math, subprocess, sys
  > def values(log, *columns):
  >     out = subprocess.run(["roster", "evaluate", log, "--policy", "uniform", "--policy", "always:blue", "--policy", "b", "--json",
  >                           "--interval", "gaussian", *columns], stdout=subprocess.PIPE, check=True).stdout
  >     return [x for p in json.loads(out)["policies"] for k, v in sorted(p.items()) for x in (v.values() if isinstance(v, dict) else [v]) if isinstance(x, float)]
  > columns = ["--action", "item", "--reward", "click", "--propensity", "p", "--context", "device,hour"]
  > a, b = values("log.csv", *columns), values(*sys.argv[1:])
  > print(len(a) > 20, len(a) == len(b), all(math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-14) for x, y in zip(a, b)))
  > END

  $ python3 same.py tally.csv
  True True True

A tally of a tally; of no propensities

  $ roster tally tally.csv -o again.csv; python3 same.py again.csv
  3000 events in 18 groups
  wrote again.csv
  True True True

  $ cut -d, -f1-3,5 log.csv >bare.csv; roster tally bare.csv --action item --reward click --context device -o bare-tally.csv
  > head -2 bare-tally.csv
  > roster evaluate bare.csv --action item --reward click --context device --policy uniform --interval gaussian | tail -4 >expected
  > roster evaluate bare-tally.csv --policy uniform | tail -4 | cmp - expected
  3000 events in 6 groups
  wrote bare-tally.csv
  context,action,count,reward_sum,reward_squares
  desk,red,745,219,219

What a database is asked

  $ for e in postgresql duckdb spark clickhouse; do roster sql --engine $e --table shop.log --action item --reward click --propensity p --context device,hour; done
  SELECT
    CAST("device" AS text) || ',' || CAST("hour" AS text) AS context,
    CAST("item" AS text) AS action,
    CAST("p" AS double precision) AS propensity,
    COUNT(*) AS count,
    SUM(CAST("click" AS double precision)) AS reward_sum,
    SUM(CAST("click" AS double precision) * CAST("click" AS double precision)) AS reward_squares
  FROM "shop"."log"
  WHERE CAST("click" AS double precision) IS NOT NULL /* events without a reward are left out */
  GROUP BY CAST("device" AS text) || ',' || CAST("hour" AS text), CAST("item" AS text), CAST("p" AS double precision);
  SELECT
    CAST("device" AS VARCHAR) || ',' || CAST("hour" AS VARCHAR) AS context,
    CAST("item" AS VARCHAR) AS action,
    CAST("p" AS DOUBLE) AS propensity,
    COUNT(*) AS count,
    SUM(CAST("click" AS DOUBLE)) AS reward_sum,
    SUM(CAST("click" AS DOUBLE) * CAST("click" AS DOUBLE)) AS reward_squares
  FROM "shop"."log"
  WHERE CAST("click" AS DOUBLE) IS NOT NULL /* events without a reward are left out */
  GROUP BY CAST("device" AS VARCHAR) || ',' || CAST("hour" AS VARCHAR), CAST("item" AS VARCHAR), CAST("p" AS DOUBLE);
  SELECT
    CAST(`device` AS STRING) || ',' || CAST(`hour` AS STRING) AS context,
    CAST(`item` AS STRING) AS action,
    CAST(`p` AS DOUBLE) AS propensity,
    COUNT(*) AS count,
    SUM(CAST(`click` AS DOUBLE)) AS reward_sum,
    SUM(CAST(`click` AS DOUBLE) * CAST(`click` AS DOUBLE)) AS reward_squares
  FROM `shop`.`log`
  WHERE CAST(`click` AS DOUBLE) IS NOT NULL /* events without a reward are left out */
  GROUP BY CAST(`device` AS STRING) || ',' || CAST(`hour` AS STRING), CAST(`item` AS STRING), CAST(`p` AS DOUBLE);
  SELECT
    toString(`device`) || ',' || toString(`hour`) AS context,
    toString(`item`) AS action,
    toFloat64(`p`) AS propensity,
    COUNT(*) AS count,
    SUM(toFloat64(`click`)) AS reward_sum,
    SUM(toFloat64(`click`) * toFloat64(`click`)) AS reward_squares
  FROM `shop`.`log`
  WHERE toFloat64(`click`) IS NOT NULL /* events without a reward are left out */
  GROUP BY toString(`device`) || ',' || toString(`hour`), toString(`item`), toFloat64(`p`);

  $ roster sql --engine duckdb --table 'a"b' --action item --cost loss --drop d
  SELECT
    CAST("item" AS VARCHAR) AS action,
    CAST("d" AS DOUBLE) AS pdrop,
    COUNT(*) AS count,
    SUM(-CAST("loss" AS DOUBLE)) AS reward_sum,
    SUM(CAST("loss" AS DOUBLE) * CAST("loss" AS DOUBLE)) AS reward_squares
  FROM "a""b"
  WHERE CAST("loss" AS DOUBLE) IS NOT NULL /* events without a cost are left out */
  GROUP BY CAST("item" AS VARCHAR), CAST("d" AS DOUBLE);

SQLite understands what is written for PostgreSQL

  $ (echo .mode csv; echo .import log.csv log; echo .headers on
  > roster sql --engine postgresql --table log --action item --reward click --propensity p --context device) | sqlite3 >by-sql.csv
  > sed 's/, "--policy", "b"//; s/device,hour/device/' same.py >two.py; python3 two.py by-sql.csv; sed -n 1,2p by-sql.csv
  True True True
  context,action,propensity,count,reward_sum,reward_squares
  desk,blue,0.2,303,94.0,94.0

Events without a reward are not counted, and those without a part of their context refused

  $ (cat log.csv; echo phone,1,red,0.5,,0.1) >holes.csv; (echo .mode csv; echo .import holes.csv log; echo "UPDATE log SET click = NULL WHERE click = '';"
  > echo .headers on; roster sql --engine postgresql --table log --action item --reward click --propensity p --context device) | sqlite3 >by-sql.csv
  > python3 two.py by-sql.csv
  True True True

  $ sed '$s/.*/phone,,red,0.5,1,0.1/' holes.csv >parts.csv; (echo .mode csv; echo .import parts.csv log; echo "UPDATE log SET hour = NULL WHERE hour = '';"
  > echo .headers on; roster sql --engine postgresql --table log --action item --reward click --propensity p --context device,hour) | sqlite3 >by-sql.csv
  > roster evaluate by-sql.csv --policy uniform
  ! by-sql.csv:2: 'context', part of the context, is empty
  ! roster evaluate: 1 of 19 lines is damaged; --skip-bad leaves it out
  [1]

Bad input

  $ cp log.csv kept.csv; roster tally kept.csv --action item --reward click -o ./kept.csv; cmp kept.csv log.csv
  ! roster tally: --out ./kept.csv would replace a file that is read; name another file

  $ roster tally log.csv
  ! roster tally: --out FILE is required
  [2]

  $ roster tally log.csv -o new/t.csv; ls new
  ! roster tally: log.csv: no column looks like the action: --action NAME says which it is; the columns are 'device', 'hour', 'item', 'p', 'click', 'pi_b'
  ! ls: cannot access 'new': No such file or directory
  [2]

  $ (cat log.csv; echo phone,1,red) >bad.csv; roster tally bad.csv --action item --reward click -o new/t.csv; ls new
  ! bad.csv:3002: has 3 fields, the header has 6
  ! roster tally: damaged lines: 1 of 3001, nothing was written; --skip-bad leaves them out
  ! ls: cannot access 'new': No such file or directory
  [2]

  $ roster tally bad.csv --action item --reward click --skip-bad -o t.csv
  3000 events in 3 groups
  wrote t.csv
  ! bad.csv:3002: has 3 fields, the header has 6

  $ echo item,click >bad.csv; roster tally bad.csv --action item -o new/t.csv; ls new
  ! roster tally: there are no events in the log, nothing was written
  ! ls: cannot access 'new': No such file or directory
  [2]

  $ roster sql
  ! roster sql: --table NAME is required
  [2]

  $ roster sql --table t
  ! roster sql: --engine postgresql, duckdb, spark or clickhouse is required
  [2]

  $ roster sql --table t --engine mysql
  ! roster sql: --engine is 'mysql'; `roster sql --help` lists what it can be
  [2]

  $ roster sql --table t --engine duckdb
  ! roster sql: --action COLUMN is required
  [2]

  $ roster sql --table t --engine duckdb --action a
  ! roster sql: one of --reward COLUMN and --cost COLUMN is required
  [2]

  $ roster sql --table t --engine duckdb --action a --reward r --cost c
  ! roster sql: one of --reward COLUMN and --cost COLUMN is required
  [2]
