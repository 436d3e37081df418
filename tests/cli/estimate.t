roster estimate: experts from logs.

What is here before anything has run

  $ ls >.before

Help

  $ roster estimate --help
  roster estimate: estimate experts from logs of their actions

  usage: roster estimate LOG.csv... [OPTION...]

  Reads logs in CSV; - is standard input. The first line names the columns expert,
  context, action and, if there is one, count, in any order; other columns are
  ignored:

    expert,context,action,count
    morning team,news,banner,17
    morning team,sport,video,4

  Writes a roster file with the relative frequencies, the counts behind them, and
  xi, the largest error that the data leave possible: Clopper and Pearson's exact
  interval of every probability, with --delta shared among all of them. An
  experiment can name the file: "experts": "roster.json". Names are sorted,
  numbers in them by value, so the result does not depend on the order of the
  lines.

  Damaged lines are printed, and nothing is written unless --skip-bad leaves them
  out. An expert never seen in a context has null there in place of its
  probabilities; experiments refuse that. d-ucb also needs every expert to take
  every action. --p-floor solves both. Without it, use direct, d-ucb with support
  "shared", or, if xi is below every probability that occurs, ed-ucb.

  Options:
    -o, --out FILE  The roster file to write. Required.
    --p-floor P     Give every action at least the probability P: a row becomes P
                    + (1 - V P) times the frequencies of its V actions; a row
                    without samples becomes uniform. Default: the frequencies
                    themselves.
    --delta D       With probability D some probability of some expert is off by
                    more than xi. Default: 0.01.
    --skip-bad      Leave damaged lines out instead of refusing the log.
    --min-count N   List experts and contexts that have fewer than N samples
                    together. Default: 100.
    -h, --help      Show this help and stop.

  Examples:
    roster estimate log.csv -o roster.json
        estimates, and which cells have too little data
    roster estimate day-*.csv --p-floor 0.01 -o roster.json
        for d-ucb
    zcat log.csv.gz | roster estimate - --skip-bad -o roster.json
        a log of any size

Two experts, one of which was never seen to play banner in sport

  $ roster estimate log.csv -o roster.json
  2 experts, 2 contexts, 2 actions, 560 samples
  smallest count of an expert in a context: 120
  xi: 0.135031 (no probability is off by more, with probability 0.99); ed-ucb
  needs every probability to be above that, but the smallest frequency is 0: use
  direct, which learns the experts while they play
  every expert has at least 100 samples in every context
  wrote roster.json

  $ cat roster.json
  {
   "description": "estimated from 560 samples; xi holds for all of them with probability 1 - 0.01",
   "contexts": ["news","sport"],
   "actions": ["banner","video"],
   "experts": [
    {"name": "a",
     "table": [
      [0.75,0.25],
      [1.0,0.0]
     ],
     "counts": [
      [90,30],
      [120,0]
     ]},
    {"name": "b",
     "table": [
      [0.75,0.25],
      [0.0,1.0]
     ],
     "counts": [
      [120,40],
      [0,160]
     ]}
   ],
   "min_samples": 120,
   "xi": 0.13503064652629626
  }

Python reads it, rows sum to 1, and counts are behind the table

  $ python3 -c '
  > import json
  > for e in json.load(open("roster.json"))["experts"]:
  >     print(e["name"], [sum(row) for row in e["table"]], [sum(row) for row in e["counts"]])'
  a [1.0, 1.0] [120, 120]
  b [1.0, 1.0] [160, 160]

The order of lines, columns and files does not matter, nor do line ends, a byte order mark, quotes and other columns

  $ cat roster.json >expected

  $ sed 1d log.csv | sort -r >.body; (head -1 log.csv; cat .body) >other.csv
  > roster estimate other.csv -o roster.json >.out && cmp roster.json expected

  $ (printf '\357\273\277'; awk -F, -v OFS=, '{print $4, "x", "\"" $3 "\"", $1, $2}' log.csv | sed 's/$/\r/') >other.csv
  > head -2 other.csv | cat -v; roster estimate other.csv -o roster.json >.out && cmp roster.json expected
  M-oM-;M-?count,x,"action",expert,context^M
  40,x,"video",b,news^M

  $ (head -1 log.csv; sed -n 2,4p log.csv) >one.csv; (head -1 log.csv; sed -n '5,$p' log.csv) >two.csv
  > roster estimate two.csv one.csv -o roster.json >.out && cmp roster.json expected

  $ roster estimate one.csv - -o roster.json <two.csv >.out && cmp roster.json expected

  $ (head -1 log.csv; echo; sed 1d log.csv | tr '\n' '@' | sed 's/@$//; s/@/\n\n/g') >other.csv
  > roster estimate other.csv -o roster.json >.out && cmp roster.json expected

  $ awk -F, 'NR == 1 {print "expert,context,action"} {for (i = 0; i < $4 + 0; i++) print $1 "," $2 "," $3}' log.csv >other.csv
  > roster estimate other.csv -o roster.json >.out && cmp roster.json expected

Numbers in names are sorted by their value

  $ printf 'expert,context,action\n10,a10,x\n2,a2,x\n02,a,y\n' | roster estimate - -o roster.json >.out
  > python3 -c 'import json; r = json.load(open("roster.json")); print([e["name"] for e in r["experts"]], r["contexts"])'
  ['02', '2', '10'] ['a', 'a2', 'a10']

A floor: 3 of 4 with floor 0.1 and two actions is 0.1 + 0.8 * 0.75

  $ printf 'expert,context,action,count\na,x,l,3\na,x,r,1\nb,y,l,9\n' >floor.csv

  $ roster estimate floor.csv --p-floor 0.1 --min-count 4 -o roster.json
  2 experts, 2 contexts, 2 actions, 13 samples
  smallest count of an expert in a context: 0
  xi: infinite, not every expert was seen in every context; ed-ucb cannot be used:
  use direct, which learns the experts while they play
  fewer than 4 samples:
    expert "a", context "y": 0
    expert "b", context "x": 0
  rows without samples are uniform
  wrote roster.json

  $ sed -n '/experts/,$p' roster.json
   "experts": [
    {"name": "a",
     "table": [
      [0.70000000000000007,0.30000000000000004],
      [0.5,0.5]
     ],
     "counts": [
      [3,1],
      [0,0]
     ]},
    {"name": "b",
     "table": [
      [0.5,0.5],
      [0.90000000000000002,0.10000000000000001]
     ],
     "counts": [
      [0,0],
      [9,0]
     ]}
   ],
   "min_samples": 0,
   "xi": null
  }

Without a floor nothing is claimed of what nobody saw

  $ roster estimate floor.csv --min-count 1 -o roster.json
  2 experts, 2 contexts, 2 actions, 13 samples
  smallest count of an expert in a context: 0
  xi: infinite, not every expert was seen in every context; ed-ucb cannot be used:
  use direct, which learns the experts while they play
  fewer than 1 sample:
    expert "a", context "y": 0
    expert "b", context "x": 0
  rows without samples are null; experiments refuse them, --p-floor makes them uniform
  wrote roster.json

  $ sed -n '/experts/,$p' roster.json
   "experts": [
    {"name": "a",
     "table": [
      [0.75,0.25],
      null
     ],
     "counts": [
      [3,1],
      [0,0]
     ]},
    {"name": "b",
     "table": [
      null,
      [1.0,0.0]
     ],
     "counts": [
      [0,0],
      [9,0]
     ]}
   ],
   "min_samples": 0,
   "xi": null
  }

  $ python3 -c '
  > import json
  > toy = json.load(open("toy.json"))
  > del toy["contexts"], toy["actions"]
  > toy["experts"] = "roster.json"
  > toy["episodes"][0]["reward_means"] = [[0.1, 0.9], [0.5, 0.5]]
  > json.dump(toy, open("mine.json", "w"))'

  $ roster validate mine.json
  ! roster validate: roster.json: experts[0].table[1] is null: the expert was never seen in that context; `roster estimate --p-floor` makes such rows uniform
  [1]

  $ roster estimate floor.csv --p-floor 0.1 -o roster.json >.out; roster validate mine.json
  mine.json: fine: 2 experts, 2 contexts, 2 actions, 1 episode of 3000 rounds, 2 agents, 250 runs

xi is the longer arm of Clopper and Pearson's interval at level 1 - delta, [0.3280..., 0.4752204...] for 100 of 250 at 0.98

  $ printf 'expert,context,action,count\na,x,l,100\na,x,r,150\n' | roster estimate - --delta 0.02 -o roster.json
  1 expert, 1 context, 2 actions, 250 samples
  smallest count of an expert in a context: 250
  xi: 0.0752204 (no probability is off by more, with probability 0.98); ed-ucb can
  be used if every probability is known to be above that (the smallest frequency
  is 0.4), direct in any case
  every expert has at least 100 samples in every context
  wrote roster.json

  $ python3 -c 'import math; print("%.6g" % math.sqrt(4 * math.log(100) / 250))'
  0.271446

A count of 0 makes names known

  $ printf 'expert,context,action,count\na,x,l,100\na,x,r,0\n' | roster estimate - -o roster.json; grep -A1 '"table"' roster.json
  1 expert, 1 context, 2 actions, 100 samples
  smallest count of an expert in a context: 100
  xi: 0.051604 (no probability is off by more, with probability 0.99); ed-ucb
  needs every probability to be above that, but the smallest frequency is 0: use
  direct, which learns the experts while they play
  every expert has at least 100 samples in every context
  wrote roster.json
     "table": [
      [1.0,0.0]

Names of any kind: quotes, commas, line ends, other alphabets

  $ printf 'expert,context,action\n"a ""b"", c\nd",Привет,日本\n' | roster estimate - -o roster.json
  1 expert, 1 context, 1 action, 1 sample
  smallest count of an expert in a context: 1
  xi: 0.995 (no probability is off by more, with probability 0.99); ed-ucb can be
  used if every probability is known to be above that (the smallest frequency is
  1), direct in any case
  fewer than 100 samples:
    expert "a \"b\", c\u000ad", context "Привет": 1
  wrote roster.json

  $ python3 -c 'import json; r = json.load(open("roster.json")); print(r["experts"][0]["name"], r["contexts"], r["actions"])'
  a "b", c
  d ['Привет'] ['日本']

At most 20 cells are listed

  $ (echo expert,context,action; for i in $(seq 25); do echo a,$i,x; done) | roster estimate - -o roster.json | tail -4
    expert "a", context "19": 1
    expert "a", context "20": 1
    and 5 more
  wrote roster.json

Folders that are missing are created; an old file is replaced

  $ roster estimate log.csv -o new/folder/roster.json | tail -1; ls new/folder; cmp new/folder/roster.json expected
  wrote new/folder/roster.json
  roster.json

  $ echo old >new/folder/roster.json; roster estimate log.csv -o new/folder/roster.json | tail -1; ls new/folder
  wrote new/folder/roster.json
  roster.json

What is no plain file is written directly

  $ roster estimate floor.csv -o /dev/stdout | head -2
  {
   "description": "estimated from 13 samples; xi holds for all of them with probability 1 - 0.01",

Damaged lines are shown and refused

  $ rm -r roster.json new

  $ cat >bad.csv <<'END'
  > expert,context,action,count
  > a,x,l,1
  > a,x,l
  > a,x,l,1,1
  > ,x,l,1
  > a,,l,1
  > a,x,"",1
  > a,x,l,-1
  > a,x,l,1.5
  > a,x,l,many
  > a,x,l,
  > a,x,l,9007199254740993
  > a,x,l,99999999999999999999
  > a,x,r,1
  > END

  $ roster estimate bad.csv -o roster.json; ls roster.json
  ! bad.csv:3: has 3 fields, the header has 4
  ! bad.csv:4: has 5 fields, the header has 4
  ! bad.csv:5: the expert has no name
  ! bad.csv:6: the context has no name
  ! bad.csv:7: the action has no name
  ! bad.csv:8: the count is '-1', must be a whole number from 0 to 2^53
  ! bad.csv:9: the count is '1.5', must be a whole number from 0 to 2^53
  ! bad.csv:10: the count is 'many', must be a whole number from 0 to 2^53
  ! bad.csv:11: the count is '', must be a whole number from 0 to 2^53
  ! bad.csv:12: the count is '9007199254740993', must be a whole number from 0 to 2^53
  ! roster estimate: 11 of 13 lines are damaged (the first 10 are shown), nothing was written; --skip-bad leaves them out
  ! ls: cannot access 'roster.json': No such file or directory
  [2]

  $ roster estimate bad.csv --skip-bad -o roster.json; grep -A1 '"counts"' roster.json
  1 expert, 1 context, 2 actions, 2 samples
  damaged lines left out: 11 of 13
  smallest count of an expert in a context: 2
  xi: 0.497497 (no probability is off by more, with probability 0.99); ed-ucb can
  be used if every probability is known to be above that (the smallest frequency
  is 0.5), direct in any case
  fewer than 100 samples:
    expert "a", context "x": 2
  wrote roster.json
     "counts": [
      [1,1]
  ! bad.csv:3: has 3 fields, the header has 4
  ! bad.csv:4: has 5 fields, the header has 4
  ! bad.csv:5: the expert has no name
  ! bad.csv:6: the context has no name
  ! bad.csv:7: the action has no name
  ! bad.csv:8: the count is '-1', must be a whole number from 0 to 2^53
  ! bad.csv:9: the count is '1.5', must be a whole number from 0 to 2^53
  ! bad.csv:10: the count is 'many', must be a whole number from 0 to 2^53
  ! bad.csv:11: the count is '', must be a whole number from 0 to 2^53
  ! bad.csv:12: the count is '9007199254740993', must be a whole number from 0 to 2^53

Lines that are no CSV; what follows a stray quote is not lost

  $ printf 'expert,context,action\na,x,l\na,x,"l\na,x"y,l\na,"x"y,l\na,x,\0l\na,x,\377\na,x,\355\240\200\na\rb,x,l\na,x,r\n' >bad.csv

  $ roster estimate bad.csv -o roster.json
  ! bad.csv:3: has text between a closing quote and the next comma
  ! bad.csv:4: has a quote inside a field that does not begin with a quote
  ! bad.csv:5: has text between a closing quote and the next comma
  ! bad.csv:6: has a NUL byte
  ! bad.csv:7: is not UTF-8
  ! bad.csv:8: is not UTF-8
  ! bad.csv:9: has a carriage return inside a line
  ! roster estimate: 7 of 9 lines are damaged, nothing was written; --skip-bad leaves them out
  [1]

  $ roster estimate bad.csv --skip-bad -o roster.json 2>.err; grep -A1 '"counts"' roster.json
  1 expert, 1 context, 2 actions, 2 samples
  damaged lines left out: 7 of 9
  smallest count of an expert in a context: 2
  xi: 0.497497 (no probability is off by more, with probability 0.99); ed-ucb can
  be used if every probability is known to be above that (the smallest frequency
  is 0.5), direct in any case
  fewer than 100 samples:
    expert "a", context "x": 2
  wrote roster.json
     "counts": [
      [1,1]

  $ python3 -c '
  > print("expert,context,action,note\na,x,l,short\na,x,l," + 70000 * "x" + "\na,x,r,\"" + 70000 * "y" + "\"\na," + 1001 * "x" + ",l,\na,x,r,end")' >bad.csv

  $ roster estimate bad.csv -o roster.json
  ! bad.csv:3: is longer than 65536 bytes
  ! bad.csv:4: has a quote that is not closed within 65536 bytes
  ! bad.csv:5: the name of the context is longer than 1000 bytes
  ! roster estimate: 3 of 5 lines are damaged, nothing was written; --skip-bad leaves them out
  [1]

Bad input

  $ rm roster.json

  $ roster estimate
  ! roster estimate: an argument is missing: roster estimate LOG.csv...
  [2]

  $ roster estimate log.csv
  ! roster estimate: --out FILE is required
  [2]

  $ roster estimate missing.csv -o roster.json
  ! roster estimate: missing.csv cannot be read: No such file or directory
  [1]

  $ roster estimate . -o roster.json
  ! roster estimate: . cannot be read: Is a directory
  [1]

  $ : >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv is empty, must begin with a line that names the columns: expert,context,action
  [1]

  $ echo expert,context,action >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: there are no samples in bad.csv, nothing was written
  [1]

  $ roster estimate bad.csv bad.csv -o roster.json
  ! roster estimate: there are no samples in these logs, nothing was written
  [1]

  $ printf 'Expert,context,action\na,x,l\n' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: no column is named 'expert'; the columns are 'Expert', 'context', 'action'
  [1]

  $ printf 'expert;context;action\na;x;l\n' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: no column is named 'expert'; the columns are 'expert;context;action'
  [1]

  $ printf 'expert,context\na,x\n' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: no column is named 'action'; the columns are 'expert', 'context'
  [1]

  $ printf 'expert,context,action,expert\na,x,l,a\n' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: two columns are named 'expert'
  [1]

  $ printf '"expert,context,action\na,x,l\n' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: the header has a quote that is not closed within 65536 bytes
  [1]

  $ printf 'expert,context,action,%0200d,%0200d,\033,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n' 1 2 | sed 's/expert/e/' >bad.csv; roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1: no column is named 'expert'; the columns are 'e', 'context', 'action', '000000000000000000000000000000000000...', '000000000000000000000000000000000000...', '?', 'a', 'b', ...
  [1]

  $ printf 'expert,context,action\n' >bad.csv; head -c 100 /dev/zero >>bad.csv; roster estimate bad.csv -o roster.json
  ! bad.csv:2: has a NUL byte
  ! roster estimate: 1 of 1 line is damaged, nothing was written; --skip-bad leaves it out
  [1]

  $ printf 'expert,context,action,count\na,x,l,9007199254740992\n' >bad.csv; yes a,x,l,9007199254740992 | head -1024 >>bad.csv
  > roster estimate bad.csv -o roster.json
  ! roster estimate: bad.csv:1025: the counts add up to more than 9223372036854775807
  [1]

  $ awk 'BEGIN {print "expert,context,action"; for (i = 0; i < 5000; i++) print i "," i ",l"}' | roster estimate - -o roster.json
  ! roster estimate: standard input:4098: experts x contexts x actions are now 4097 x 4097 x 1, a table of more than 16777216 numbers; are the columns the right ones?
  [1]

  $ roster estimate log.csv --p-floor 0.6 -o roster.json
  ! roster estimate: --p-floor is 0.6, must be at most 1/2 = 0.5: there are 2 actions
  [1]

  $ roster estimate log.csv --p-floor 0 -o roster.json
  ! roster estimate: --p-floor is '0', must be a number from 1e-12 to 1
  [2]

  $ roster estimate log.csv --p-floor nan -o roster.json
  ! roster estimate: --p-floor is 'nan', must be a number from 1e-12 to 1
  [2]

  $ roster estimate log.csv --min-count 0 -o roster.json
  ! roster estimate: --min-count is '0', must be a whole number from 1 to 9223372036854775807
  [2]

  $ roster estimate log.csv --delta 0 -o roster.json
  ! roster estimate: --delta is '0', must be a number from 1e-300 to 1
  [2]

  $ roster estimate - - -o roster.json
  ! roster estimate: standard input (-) is given twice, but can be read only once
  [2]

  $ roster estimate log.csv -o log.csv
  ! roster estimate: --out is log.csv, which is one of the logs
  [2]

  $ roster estimate log.csv -o .
  ! roster estimate: . cannot be created: Is a directory
  [1]

  $ roster estimate log.csv -o log.csv/roster.json
  ! roster estimate: log.csv/roster.json cannot be created: Not a directory
  [1]

  $ roster estimate log.csv -o new/folder/log.csv/$(printf %0300d 1); ls new
  ! roster estimate: new/folder/log.csv/00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 cannot be created: File name too long
  ! ls: cannot access 'new': No such file or directory
  [2]

  $ roster estimate log.csv -o ''
  ! roster estimate: option --out needs an argument: --out FILE
  [2]

  $ roster estimate log.csv -o /dev/full
  ! roster estimate: /dev/full cannot be written: No space left on device
  [1]

Nothing was left behind

  $ ls | grep -v -e bad.csv -e expected -e floor.csv -e mine.json -e one.csv -e other.csv -e two.csv | diff .before -
