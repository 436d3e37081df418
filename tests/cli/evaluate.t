`roster evaluate`: what each policy would have earned on a log.

Help

  $ roster evaluate --help
  roster evaluate: say what each policy would have earned on a log

  usage: roster evaluate LOG... [OPTION...]

  Reads logs of what was served and says for each policy what it would have
  earned, with an interval that holds, how that compares with what was served, and
  whether the log can answer at all. One pass; memory does not depend on the
  length of the log.

  Several files are one log; - is standard input; gzip, zstd and xz are
  recognised. CSV and TSV have a first line that names the columns; which is what
  is guessed from common names and shown. Columns pi_NAME and a_NAME are policies:
  the probability that NAME gives to the action taken, and the action that NAME
  would take. Without propensities they are those of the expert of --experts who
  acted, else fitted by frequencies.

  Damaged lines are shown, and the log is refused unless --skip-bad leaves them
  out.

  Options:
    --policy POLICY...    A policy to evaluate; may be given several times.
                          uniform: every action alike; always:ACTION; greedy: per
                          context the best action by the events before; logged:
                          what was served; an expert of --experts; a column of the
                          log (see above). Default: all experts and columns, else
                          uniform.
    --experts FILE        A roster file whose experts are policies.
    --actions N|FILE      The actions there are: a number N for 0 to N-1, or a
                          file with one per line. Default: those of the roster and
                          those seen.
    --action COLUMN       The column of the action that was taken.
    --reward COLUMN       The column of the reward.
    --cost COLUMN         The column of a cost; the reward is minus that.
    --propensity COLUMN   The column of the probability with which the action was
                          taken.
    --context COLUMN,..   Columns that together are the context, with few values.
                          Default: a column 'context', else none.
    --expert COLUMN       The column of the expert who acted.
    --drop COLUMN         The column of the rate at which such events were not
                          logged.
    --features COLUMN,..  Columns of numbers from which propensities are fitted by
                          a logistic model, where the log has none.
    --time COLUMN         The column of the time, checked to be in order.
    --id COLUMN           The column of the event's id, checked for duplicates.
    --by COLUMN           Also evaluate the events of each value of this column.
    --format csv|tsv|obd|jsonl|dsjson|vw|roster
                          The format of the log. Default: recognised.
    --range LOW,HIGH      The rewards that are possible; intervals rest on it.
                          Default: 0,1.
    --estimator ips|snips|clipped|dm|dr|switch-dr|dros
                          How values are estimated. Default: dr with cross-fitted
                          means of each context and action, or snips for policies
                          known by a column of probabilities.
    --interval anytime|gaussian|clopper-pearson|cressie-read
                          Which interval. anytime holds whenever you look and
                          however the log was gathered; the others hold for one
                          look, in the limit of many events. Default: anytime; of
                          a tally gaussian.
    --confidence P        Level of every interval. Default: 0.95.
    --level W             The weight from which on clipped, switch-dr and dros
                          act. Default: 10.
    --clip W              In anytime intervals let no event weigh more than W,
                          towards caution at both ends. Default: as it is.
    --least-propensity P  The smallest propensity that was possible; anytime
                          intervals rest on it. Default: the smallest that was
                          seen until then.
    --whole-means         Means of the whole log in dr, dm alike; not
                          cross-fitted.
    --skip-bad            Leave damaged lines out instead of refusing the log.
    --json                Print JSON.
    --csv                 Print CSV.
    -o, --out FILE        Write to FILE instead of standard output.
    --report FILE         Also write a page with the values over time, by segment,
                          and the weights: --report report.html.
    -h, --help            Show this help and stop.

  Examples:
    roster evaluate log.csv --policy uniform --policy always:3
        two simple policies
    roster evaluate log.csv.gz --experts roster.json --context device,hour
        experts of a roster
    zcat day-*.gz | roster evaluate - --actions 34 --json
        a log of any size

A log: two contexts, three actions, taken with known probabilities

  $ awk 'BEGIN {s = 1; print "when,device,action,propensity,reward,pi_b,a_c"
  > for (i = 0; i < 3000; i++) {
  >   s = (s * 16807) % 2147483647; u = s / 2147483647; s = (s * 16807) % 2147483647; v = s / 2147483647
  >   d = i % 2 ? "phone" : "desk"; a = u < .5 ? "red" : u < .8 ? "green" : "blue"; p = u < .5 ? .5 : u < .8 ? .3 : .2
  >   m = d == "phone" && a == "blue" ? .6 : .2
  >   print i "," d "," a "," p "," (v < m) "," (a == "blue" ? .8 : .1) "," (d == "phone" ? "blue" : "red")}}' >log.csv

  $ roster evaluate log.csv --context device --time when
  3000 events (csv): action action, reward reward, propensity propensity, time when, context device
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.24733    0.21934    0.27839
  b         0.36497    0.30906    0.42948     0.11763   0.070399    0.16646       927         4       0%
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5       0%

  snips: b earns 7.04 to 16.6 points more than what was served (95%, valid at any time if no action was less likely than the least seen)
  dr: c earns 10.4 to 21.4 points more than what was served (95%, valid at any time if no action was less likely than the least seen)

  $ roster evaluate log.csv --context device --policy uniform --policy always:blue --policy greedy --policy logged --policy b
  3000 events (csv): action action, reward reward, propensity propensity, context device
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy           value        low       high  difference        low       high effective largest w  clipped
  served         0.24733    0.21934    0.27839
  uniform        0.27197     0.2407    0.30692    0.024634   0.012284   0.038237      2612    1.6667       0%
  always:blue    0.40429     0.3322    0.48405     0.15696   0.093778    0.22225       606         5       0%
  greedy         0.39061     0.3185    0.45975     0.14328   0.081221    0.20159       723         5       0%
  logged         0.24733    0.21934    0.27839           0          0          0      3000         1       0%
  b              0.36497    0.30906    0.42948     0.11763   0.070399    0.16646       927         4       0%

  dr: uniform earns 1.23 to 3.82 points more than what was served (95%, valid at any time if no action was less likely than the least seen)
  dr: always:blue earns 9.38 to 22.2 points more than what was served (95%, valid at any time if no action was less likely than the least seen)
  dr: greedy earns 8.12 to 20.2 points more than what was served (95%, valid at any time if no action was less likely than the least seen)
  what was served earns 0.2473 per event, 0.2193 to 0.2784 (95%, valid at any time)
  snips: b earns 7.04 to 16.6 points more than what was served (95%, valid at any time if no action was less likely than the least seen)

Actions that were never taken: nothing can be said, and nothing is

  $ roster evaluate log.csv --context device --policy always:purple
  > roster evaluate log.csv --context device --policy always:purple --clip 10 | grep '^always'
  3000 events (csv): action action, reward reward, propensity propensity, context device
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy             value        low       high  difference        low       high effective largest w  clipped
  served           0.24733    0.21934    0.27839
  always:purple          -          0          1           -         -1          1         0         0       0%

  snips: nothing can be said: always:purple takes none of the actions that were taken in the 3000 events
    mind: 100% of what it does was never possible in its context, or never logged: nothing can be said about that part, and the interval lets it earn anything
  always:purple          -          0          1           -    -0.2829    0.78819         0         0       0%

Rows of an action that was possible are missing: no verdict on what nobody saw

  $ awk -F, -v OFS=, 'NR == 1 {print $2, $3, "expert", $5} NR > 1 && $3 != "blue" {print $2, $3, "old", $5}' log.csv >lost.csv
  > echo '{"contexts": ["desk", "phone"], "actions": ["red", "green", "blue"], "experts": [
  >  {"name": "old", "table": [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]}, {"name": "new", "table": [[0, 0.3, 0.7], [0, 0.3, 0.7]]}]}' >lost.json
  > roster evaluate lost.csv --context device --experts lost.json --policy new
  2394 events (csv): action action, reward reward, expert expert, context device

  policy      value        low       high  difference        low       high effective largest w  clipped
  served     0.2076    0.17982    0.24108
  new       0.20492          0    0.92984  -0.0026851   -0.72485    0.72599       901         1       0%

  dr: new cannot be told from what was served yet: it earns between 72.5 points less and 72.6 points more (95%, valid at any time)
    as a campaign shows it: 0.2195, 0.1972 to 0.2417 (95%, all experts at once, at any time, if no events are missing)
    mind: 70% of what it does was never possible in its context, or never logged: nothing can be said about that part, and the interval lets it earn anything

A propensity whose weight is no number

  $ printf 'action,propensity,reward\na,1e-320,1\nb,.5,0\n' | roster evaluate - --policy always:a
  ! standard input:2: the propensity is 1e-320, must be at least 1e-100
  ! roster evaluate: 1 of 2 lines is damaged; --skip-bad leaves it out
  [1]

An expert who acts where another never would: in those contexts it may earn anything

  $ cat >zeros.json <<'END'
  > {"contexts": ["desk", "phone"], "actions": ["red", "green", "blue"], "experts": [
  >  {"name": "old", "table": [[0.5, 0.5, 0], [0.5, 0.3, 0.2]]}, {"name": "new", "table": [[0, 0, 1], [0.1, 0.1, 0.8]]}]}
  > END
  > awk -F, -v OFS=, 'NR == 1 {print $2, $3, "expert", $5} NR > 1 && ($2 == "phone" || $3 != "blue") {print $2, $3, "old", $5}' log.csv >zeros.csv
  > roster evaluate zeros.csv --context device --experts zeros.json --policy new
  2697 events (csv): action action, reward reward, expert expert, context device

  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.25176    0.22196    0.28413
  new       0.40256          0          1      0.1508   -0.28145    0.75638       463         4       0%

  dr: new cannot be told from what was served yet: it earns between 28.1 points less and 75.6 points more (95%, valid at any time)
    as a campaign shows it: 0.5804, 0.2366 to 1 (95%, all experts at once, at any time, if no events are missing)
    mind: 44.4% of what it does was never possible in its context, or never logged: nothing can be said about that part, and the interval lets it earn anything
    mind: weights have no bound: --clip 20 may give narrower intervals, and is valid too

Propensities that cannot be right: no verdict

  $ awk -F, -v OFS=, 'NR > 1 {$4 /= 2} {print}' log.csv >wrong.csv; roster evaluate wrong.csv --policy uniform --policy b | tail -2
  dr: no verdict: the mean weight of uniform is 2.004, by chance 1.947 to 2.062, but must be 1: the propensities are wrong, or were not those of the moment, or the probabilities of the policy are wrong
  snips: no verdict: the mean weight of b is 2.015, by chance 1.793 to 2.238, but must be 1: the propensities are wrong, or were not those of the moment, or the probabilities of the policy are wrong

  $ sed 's/,[^,]*,[^,]*$/,0.9,x/; 1s/.*/when,device,action,propensity,reward,pi_b,a_c/' log.csv >wrong.csv; roster evaluate wrong.csv --policy b | tail -1
  snips: no verdict: the mean weight of b is 2.706, by chance 2.628 to 2.783, but must be 1: the propensities are wrong, or were not those of the moment, or the probabilities of the policy are wrong

By segment

  $ roster evaluate log.csv --by device --policy c
  3000 events (csv): action action, reward reward, propensity propensity, by device
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.24733    0.21934    0.27839
  c         0.39948    0.34116    0.47619     0.15215    0.10447     0.2141       855         5       0%

  dr: c earns 10.4 to 21.4 points more than what was served (95%, valid at any time if no action was less likely than the least seen)

  desk: 1500 events
  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.20067    0.16873    0.24431
  c         0.19597    0.15102    0.25899  -0.0046935  -0.047582   0.039819       745         2       0%

  phone: 1500 events
  policy      value        low       high  difference        low       high effective largest w  clipped
  served      0.294    0.25293     0.3378
  c         0.60066    0.48948    0.72217     0.30666    0.21749    0.41175       303         5       0%

A page; names from the log are text, whatever they are

  $ sed 's/a_c/"a_<script>x\&y"/' log.csv >hostile.csv; roster evaluate hostile.csv --by device --report report.html | head -1
  > grep -o '<h2>[^/]*</h2>' report.html; grep -c '<svg' report.html; grep -c '<script' report.html
  3000 events (csv): action action, reward reward, propensity propensity, by device
  <h2>Verdicts</h2>
  <h2>Health of the log</h2>
  <h2>b</h2>
  <h2>&lt;script&gt;x&amp;y</h2>
  <h2>desk</h2>
  <h2>phone</h2>
  4
  0
  [1]

JSON and CSV

  $ roster evaluate log.csv --context device --policy c --json
  {
    "log": {"format": "csv", "lines": 3000, "damaged": 0, "passed_over": 0, "columns": ["action", "reward", "propensity", "device", "pi_b", "a_c"]},
    "interval": "anytime",
    "level": 0.94999999999999996,
    "propensities_fitted": false,
    "events": 3000,
    "served": {"value": 0.24733333333333332, "low": 0.21934190978972265, "high": 0.27838997951662714},
    "policies": [
      {
        "name": "c",
        "estimator": "dr",
        "value": 0.39831661018450837,
        "low": 0.34116221788179579,
        "high": 0.47619278084099148,
        "difference": {"value": 0.15098327685117505, "low": 0.10447471425056856, "high": 0.21410110609112051},
        "ips": 0.40066666666666667,
        "snips": 0.40000000000000002,
        "clipped": 0.40066666666666667,
        "dm": 0.39831661018450842,
        "dr": 0.39831661018450837,
        "switch_dr": 0.39831661018450837,
        "dros": 0.39831661018450737,
        "effective_samples": 855.52108005684511,
        "largest_weight": 5,
        "mean_weight": 1.0016666666666667,
        "clipped_share": 0,
        "unlogged_share": 0,
        "impossible_share": 0,
        "verdict": "c earns 10.4 to 21.4 points more than what was served (95%, valid at any time if no action was less likely than the least seen)",
        "warnings": []
      }
    ],
    "notes": ["intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible"],
    "changes": {"looked_for": ["contexts", "rewards"], "found": []},
    "segments": []
  }

  $ roster evaluate log.csv --context device --policy c --csv
  segment,policy,events,value,low,high,difference,difference_low,difference_high,effective_samples,largest_weight,mean_weight,clipped_share,ips,snips,clipped,dm,dr,switch-dr,dros,contexts_changed_after,rewards_changed_after
  ,c,3000,0.39831661018450837,0.34116221788179579,0.47619278084099148,0.15098327685117505,0.10447471425056856,0.21410110609112051,855.52108005684511,5,1.0016666666666667,0,0.40066666666666667,0.40000000000000002,0.40066666666666667,0.39831661018450842,0.39831661018450837,0.39831661018450837,0.39831661018450737,,

The world changes while the log is written

  $ awk -F, -v OFS=, 'NR > 2001 && $2 == "phone" && $3 == "blue" {$5 = 0} {print}' log.csv >changed.csv
  > roster evaluate changed.csv --context device --policy c | grep 'note: rewards'
  > roster evaluate changed.csv --context device --policy c --json | grep '"changes"'
  > roster evaluate changed.csv --context device --policy c --csv | rev | cut -d, -f1,2 | rev
  > roster evaluate changed.csv --context device --policy c --report changed.html >.out; grep -c 'rewards changed after' changed.html
  note: rewards changed after about event 1984: action 'blue' in context 'phone' earned 0.64 before and 0 after (a false alarm in at most 1 log of 1,000, if actions were chosen by nothing but the context); values are means over the whole log, and intervals take it that nothing changes: look at the later part by itself
    "changes": {"looked_for": ["contexts", "rewards"], "found": [{"of": "rewards", "times": 1, "after_event": 1984, "noticed_at": 2368, "context": "phone", "action": "blue", "before": 0.64000000000000001, "after": 0}]},
  contexts_changed_after,rewards_changed_after
  ,1984
  1

  $ awk -F, 'NR <= 2001 || $2 == "phone"' log.csv >changed.csv; roster evaluate changed.csv --context device --policy c | grep 'note: contexts'
  > roster evaluate changed.csv --context device --policy c --json | grep '"changes"'
  note: contexts changed after about event 2016: 'desk' was 49.6% of events before and 0% after (a false alarm in at most 1 log of 1,000); values are those of the mixture in the log
    "changes": {"looked_for": ["contexts", "rewards"], "found": [{"of": "contexts", "times": 1, "after_event": 2016, "noticed_at": 2080, "context": "desk", "before": 0.49603174603174605, "after": 0}]},

Every estimator, every interval

  $ for e in ips snips clipped dm dr switch-dr dros; do roster evaluate log.csv --context device --policy c --estimator $e --level 3 | grep '^c '; done
  c         0.40067    0.34116    0.47619     0.15333    0.10447     0.2141       855         5       0%
  c             0.4    0.34116    0.47619     0.15267    0.10447     0.2141       855         5       0%
  c         0.27933    0.34116    0.47619       0.032    0.10447     0.2141       855         5    10.1%
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5       0%
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5       0%
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5    10.1%
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5       0%

  $ for i in anytime gaussian clopper-pearson cressie-read; do roster evaluate log.csv --context device --policy c --interval $i | grep '^c '; done
  c         0.39832    0.34116    0.47619     0.15098    0.10447     0.2141       855         5       0%
  c         0.39832    0.36617    0.43046     0.15098    0.12386    0.17811       855         5       0%
  c         0.39832     0.3612    0.44112     0.15098   0.090738    0.21717       855         5       0%
  c         0.39832    0.36232    0.43602     0.15098   0.090043    0.21339       855         5       0%

  $ roster evaluate log.csv --policy c --clip 4 | grep '^c '
  c         0.39948    0.27279    0.52398     0.15215   0.038378    0.27087       855         5    10.1%

  $ roster evaluate log.csv --policy c --least-propensity 0.2 --confidence 0.99 | grep '^c '
  c         0.39948    0.32892    0.48944     0.15215   0.093502     0.2252       855         5       0%

Order of columns and files, line ends, quotes, tabs and compression do not matter

  $ roster evaluate log.csv --context device --policy uniform --csv >expected

  $ (head -1 log.csv; sed -n 2,1000p log.csv) >one.csv; (head -1 log.csv; sed -n '1001,$p' log.csv) >two.csv
  > roster evaluate one.csv two.csv --context device --policy uniform --csv | cmp - expected

  $ gzip -k log.csv; roster evaluate log.csv.gz --context device --policy uniform --csv | cmp - expected

  $ awk -F, -v OFS=, '{print $5, $2, $1, "\"" $4 "\"", $3}' log.csv | sed 's/$/\r/' >other.csv
  > roster evaluate other.csv --context device --policy uniform --csv | cmp - expected

  $ tr ',' '\t' <log.csv >log.tsv; roster evaluate log.tsv --context device --policy uniform --csv | cmp - expected

  $ roster evaluate - --actions 34 --policy uniform <log.csv
  ! standard input:2: the action 'red' is not among the 34 that there are
  ! standard input:3: the action 'green' is not among the 34 that there are
  ! standard input:4: the action 'green' is not among the 34 that there are
  ! standard input:5: the action 'red' is not among the 34 that there are
  ! standard input:6: the action 'green' is not among the 34 that there are
  ! standard input:7: the action 'red' is not among the 34 that there are
  ! standard input:8: the action 'blue' is not among the 34 that there are
  ! standard input:9: the action 'red' is not among the 34 that there are
  ! standard input:10: the action 'green' is not among the 34 that there are
  ! standard input:11: the action 'red' is not among the 34 that there are
  ! roster evaluate: 3000 of 3000 lines are damaged (the first 10 are shown); --skip-bad leaves them out
  [1]

  $ printf 'red\ngreen\nblue\n' >actions.txt; roster evaluate - --actions actions.txt --context device --policy uniform --csv <log.csv | cmp - expected

Experts of a roster; without propensities they are those of the expert who acted

  $ cat >roster.json <<'END'
  > {"contexts": ["desk", "phone"], "actions": ["red", "green", "blue"], "experts": [
  >  {"name": "old", "table": [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]},
  >  {"name": "new", "table": [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]}]}
  > END

  $ roster evaluate log.csv --context device --experts roster.json --policy old --policy new
  3000 events (csv): action action, reward reward, propensity propensity, context device
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.24733    0.21934    0.27839
  old       0.24693    0.22308    0.27999 -0.00039977  -0.011061   0.011061      3000         1       0%
  new       0.36041    0.31425     0.4232     0.11308   0.078914    0.15956      1297         4       0%

  dr: old cannot be told from what was served yet: it earns between 1.11 points less and 1.11 points more (95%, valid at any time if no action was less likely than the least seen)
  dr: new earns 7.89 to 16 points more than what was served (95%, valid at any time if no action was less likely than the least seen)

  $ awk -F, -v OFS=, '{print $2, $3, NR == 1 ? "expert" : "old", $5}' log.csv >acted.csv
  > roster evaluate acted.csv --context device --experts roster.json --policy new
  3000 events (csv): action action, reward reward, expert expert, context device

  policy      value        low       high  difference        low       high effective largest w  clipped
  served    0.24733    0.21934    0.27839
  new       0.36041     0.3062    0.41393     0.11308   0.073953    0.15109      1297         4       0%

  dr: new earns 7.4 to 15.1 points more than what was served (95%, valid at any time)
    as a campaign shows it: 0.3702, 0.3188 to 0.4215 (95%, all experts at once, at any time)

No propensities at all: fitted

  $ cut -d, -f2,3,5 log.csv >bare.csv; roster evaluate bare.csv --context device --policy uniform
  3000 events (csv): action action, reward reward, context device
  no propensities: fitted as frequencies by context and action

  policy       value        low       high  difference        low       high effective largest w  clipped
  served     0.24733    0.21934    0.27839
  uniform    0.27197    0.24218    0.31499    0.024634  0.0015998   0.054104      2623    1.6538       0%

  dr: uniform earns 0.16 to 5.41 points more than what was served (95%, valid at any time if the fitted propensities are right)
    mind: the log has no propensities: they are fitted, and the interval does not cover the error of that

Fitted by a model of features

  $ awk -F, -v OFS=, 'NR == 1 {print $0, "x"} NR > 1 {print $0, $1 == "phone" ? 1 : 0}' bare.csv >features.csv
  > roster evaluate features.csv --features x --policy uniform
  3000 events (csv): action action, reward reward
  no propensities: fitted by a logistic model of the features

  policy       value        low       high  difference        low       high effective largest w  clipped
  served     0.24733    0.21934    0.27839
  uniform    0.27113    0.23954    0.31283    0.023797  0.0019396    0.04801      2482    6.3354       0%

  dr: uniform earns 0.194 to 4.8 points more than what was served (95%, valid at any time if the fitted propensities are right)
    mind: the log has no propensities: they are fitted, and the interval does not cover the error of that

Rewards of another range

  $ sed 's/,1,0/,5,0/' log.csv >stars.csv; roster evaluate stars.csv --policy c
  > roster evaluate stars.csv --policy c --range 0,5
  3000 events (csv): action action, reward reward, propensity propensity
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  policy      value        low       high  difference        low       high effective largest w  clipped
  served     1.2367     1.0967     1.3919
  c          1.9974     1.7058      2.381     0.76075    0.52237     1.0705       855         5       0%

  dr: c earns 0.522 to 1.07 more than what was served (95%, valid at any time if no action was less likely than the least seen)
  ! roster evaluate: rewards are from 0 to 5, but must lie from 0 to 1: say what is possible by --range LOW,HIGH

Damaged lines

  $ cat >bad.csv <<'END'
  > context,action,propensity,reward,pi_b,a_c
  > x,a,.5,1,.5,a
  > x,a,.5,1,.5
  > x,,.5,1,.5,a
  > ,a,.5,1,.5,a
  > x,a,0,1,.5,a
  > x,a,-1,1,.5,a
  > x,a,1.5,1,.5,a
  > x,a,nan,1,.5,a
  > x,a,,1,.5,a
  > x,a,.5,,.5,a
  > x,a,.5,nan,.5,a
  > x,a,.5,inf,.5,a
  > x,a,.5,1,1.5,a
  > x,a,.5,1,.5,
  > x,b,.5,0,.5,a
  > END

  $ roster evaluate bad.csv
  ! bad.csv:3: has 5 fields, the header has 6
  ! bad.csv:4: the action is empty
  ! bad.csv:5: 'context', part of the context, is empty
  ! bad.csv:6: the propensity is 0, must be above 0 and at most 1
  ! bad.csv:7: the propensity is -1, must be above 0 and at most 1
  ! bad.csv:8: the propensity is 1.5, must be above 0 and at most 1
  ! bad.csv:9: the propensity is 'nan', must be a number
  ! bad.csv:10: the propensity is '', must be a number
  ! bad.csv:11: the reward is '', must be a number
  ! bad.csv:12: the reward is 'nan', must be a number
  ! roster evaluate: 13 of 15 lines are damaged (the first 10 are shown); --skip-bad leaves them out
  [1]

  $ roster evaluate bad.csv --skip-bad 2>.err | head -3
  2 events (csv): action action, reward reward, propensity propensity, context context
  note: damaged lines left out: 13 of 15
  note: intervals valid at any time take the smallest propensity so far for the smallest possible; --least-propensity P says what was possible

  $ printf 'action,propensity,reward\na,.5,1\na,.5,"1\na"b,.5,1\na,.5,\0\na\xff,.5,1\n' >bad.csv; roster evaluate bad.csv --policy always:a
  ! bad.csv:3: has text between a closing quote and the next comma
  ! bad.csv:4: has a quote inside a field that does not begin with a quote
  ! bad.csv:5: has a NUL byte
  ! roster evaluate: 3 of 5 lines are damaged; --skip-bad leaves them out
  [1]

Other bad input

  $ roster evaluate log.csv --format vw
  ! roster evaluate: there are no events with an outcome in the log, and 3001 without
  [1]

  $ roster evaluate
  ! roster evaluate: an argument is missing: roster evaluate LOG...
  [2]

  $ roster evaluate missing.csv
  ! roster evaluate: missing.csv cannot be read: No such file or directory
  [1]

  $ roster evaluate .
  ! roster evaluate: . cannot be read: Is a directory
  [1]

  $ : >bad.csv; roster evaluate bad.csv
  ! roster evaluate: bad.csv is empty
  [1]

  $ echo hello >bad.csv; roster evaluate bad.csv
  ! roster evaluate: bad.csv is in no format that is recognised: must be CSV or TSV with a header, JSON lines, DSJSON, Vowpal Wabbit text, or an export of roster; --format says which
  [1]

  $ echo action,propensity,reward >bad.csv; roster evaluate bad.csv --policy always:1
  ! roster evaluate: there are no events in the log
  [1]

  $ printf 'x,y\n1,2\n' >bad.csv; roster evaluate bad.csv
  ! roster evaluate: bad.csv: no column looks like the action: --action NAME says which it is; the columns are 'x', 'y'
  [1]

  $ printf 'action,y\n1,2\n' >bad.csv; roster evaluate bad.csv
  ! roster evaluate: rewards are from 2 to 2, but must lie from 0 to 1: say what is possible by --range LOW,HIGH
  [1]

  $ printf 'action,reward,action\n1,2,3\n' >bad.csv; roster evaluate bad.csv
  ! roster evaluate: bad.csv: two columns are named 'action'
  [1]

  $ roster evaluate log.csv --reward revenue
  ! roster evaluate: log.csv: no column is named 'revenue', which --reward says; the columns are 'when', 'device', 'action', 'propensity', 'reward', 'pi_b', 'a_c'
  [1]

  $ roster evaluate log.csv --context colour
  ! roster evaluate: log.csv: no column is named 'colour', which --context says; the columns are 'when', 'device', 'action', 'propensity', 'reward', 'pi_b', 'a_c'
  [1]

  $ roster evaluate log.csv --context device,,x
  ! roster evaluate: --context is 'device,,x', must be names separated by commas
  [2]

  $ roster evaluate log.csv --policy unifrom
  ! roster evaluate: --policy unifrom is neither uniform, greedy, logged, always:ACTION, an expert of --experts, nor a column pi_unifrom or a_unifrom of the log; did you mean 'uniform'?
  [1]

  $ roster evaluate log.csv --policy c --policy c
  ! roster evaluate: --policy c is given twice, or stands for two policies
  [1]

  $ roster evaluate log.csv --policy always:
  ! roster evaluate: --policy always:: always:ACTION needs an action
  [1]

  $ roster evaluate log.csv --policy always:7 --actions 3
  ! roster evaluate: --policy always:7: there is no such action among --actions
  [1]

  $ roster evaluate log.csv --policy always:2 --actions 3
  ! log.csv:2: the action 'red' is not among the 3 that there are
  ! log.csv:3: the action 'green' is not among the 3 that there are
  ! log.csv:4: the action 'green' is not among the 3 that there are
  ! log.csv:5: the action 'red' is not among the 3 that there are
  ! log.csv:6: the action 'green' is not among the 3 that there are
  ! log.csv:7: the action 'red' is not among the 3 that there are
  ! log.csv:8: the action 'blue' is not among the 3 that there are
  ! log.csv:9: the action 'red' is not among the 3 that there are
  ! log.csv:10: the action 'green' is not among the 3 that there are
  ! log.csv:11: the action 'red' is not among the 3 that there are
  ! roster evaluate: 3000 of 3000 lines are damaged (the first 10 are shown); --skip-bad leaves them out
  [1]

  $ roster evaluate log.csv --actions 0
  ! roster evaluate: --actions is 0, must be a number from 1 to 1048576, or a file
  [1]

  $ roster evaluate log.csv --actions nowhere.txt
  ! roster evaluate: --actions: nowhere.txt cannot be read: No such file or directory
  [1]

  $ roster evaluate log.csv --experts nowhere.json
  ! roster evaluate: nowhere.json cannot be read: No such file or directory
  [1]

  $ roster evaluate log.csv --experts roster.json
  ! roster evaluate: the experts have 2 contexts, but no column is the context: --context NAME says which it is
  [1]

  $ echo '{"contexts": ["desk"], "actions": 3, "experts": [{"table": [[0.5, 0.4, 0.2]]}]}' >bad.json; roster evaluate log.csv --experts bad.json
  ! roster evaluate: bad.json: experts[0].table[0] sums to 1.1, must be 1
  [1]

  $ echo '{"contexts": ["desk"], "actions": ["red", "green", "blue"], "experts": [{"table": [[0.5, 0.3, 0.2]]}]}' >bad.json
  > roster evaluate log.csv --context device --experts bad.json 2>&1 | tail -2
  log.csv:21: the context 'phone' is not in the roster
  roster evaluate: 1500 of 3000 lines are damaged (the first 10 are shown); --skip-bad leaves them out

  $ roster evaluate log.csv --format xml
  ! roster evaluate: --format is 'xml'; `roster evaluate --help` lists what it can be
  [2]

  $ roster evaluate log.csv --estimator best
  ! roster evaluate: --estimator is 'best'; `roster evaluate --help` lists what it can be
  [2]

  $ roster evaluate log.csv --interval wide
  ! roster evaluate: --interval is 'wide'; `roster evaluate --help` lists what it can be
  [2]

  $ roster evaluate log.csv --range 1,0
  ! roster evaluate: --range is '1,0', must be LOW,HIGH with LOW below HIGH, such as 0,5
  [2]

  $ roster evaluate log.csv --range 1
  ! roster evaluate: --range is '1', must be LOW,HIGH with LOW below HIGH, such as 0,5
  [2]

  $ roster evaluate log.csv --confidence 2
  ! roster evaluate: --confidence is '2', must be a number from 0.5 to 0.999999
  [2]

  $ roster evaluate log.csv --clip 0
  ! roster evaluate: --clip is '0', must be a number from 1 to 1e+12
  [2]

  $ roster evaluate log.csv --least-propensity 0
  ! roster evaluate: --least-propensity is '0', must be a number from 1e-300 to 1
  [2]

  $ roster evaluate - - --actions 3
  ! roster evaluate: standard input (-) is given twice, but can be read only once
  [2]

A file that is named twice

  $ cp log.csv once.csv; ln -s once.csv other-name.csv; roster evaluate once.csv ./once.csv --policy c; roster evaluate other-name.csv log.csv once.csv --policy c
  > roster evaluate once.csv - --policy c <once.csv; roster tally one.csv two.csv one.csv -o new/t.csv
  ! roster evaluate: once.csv and ./once.csv are one file, whose events would count twice: name it once
  ! roster evaluate: other-name.csv and once.csv are one file, whose events would count twice: name it once
  ! roster evaluate: once.csv and - are one file, whose events would count twice: name it once
  ! roster tally: one.csv and one.csv are one file, whose events would count twice: name it once
  [1]

A cost that is named, where there is a reward too

  $ sed '1s/propensity,reward,pi_b/propensity,reward,cost/' log.csv >both.csv; roster evaluate both.csv --cost cost --range -1,0 --policy c | head -1
  > roster evaluate both.csv --policy c | head -1; roster evaluate both.csv --cost cost --reward reward --policy c
  3000 events (csv): action action, cost cost, propensity propensity
  3000 events (csv): action action, reward reward, propensity propensity
  ! roster evaluate: both.csv: --cost and --reward cannot be used together; the columns are 'when', 'device', 'action', 'propensity', 'reward', 'cost', 'a_c'
  [1]

Files of actions that name none, or have no end

  $ printf '\n\n' >none.txt; roster evaluate log.csv --actions none.txt; roster evaluate log.csv --actions /dev/null
  > roster evaluate log.csv --actions /dev/zero; yes | roster evaluate log.csv --actions /dev/stdin
  ! roster evaluate: --actions: none.txt is empty, must name an action per line
  ! roster evaluate: --actions: /dev/null is empty, must name an action per line
  ! roster evaluate: --actions: /dev/zero is no text: it holds a byte 0
  ! roster evaluate: --actions: /dev/stdin has more than 1048576 lines
  [1]

A least propensity above those of the log

  $ roster evaluate log.csv --policy c --least-propensity 0.21; roster evaluate bare.csv --policy always:red --least-propensity 0.9 | head -1
  > awk -F, -v OFS=, 'NR == 1 {print} NR > 1 {$3 = "old"; print}' acted.csv >old.csv
  > roster evaluate old.csv --experts roster.json --context device --policy new --least-propensity 0.9
  3000 events (csv): action action, reward reward
  ! roster evaluate: log.csv:8: the propensity is 0.2, but --least-propensity says that none below 0.21 was possible
  ! roster evaluate: old.csv:2: the propensity is 0.5, but --least-propensity says that none below 0.9 was possible
  [1]

Other input that cannot be used

  $ roster evaluate log.csv nofile.csv --policy uniform; roster evaluate log.csv . --policy uniform
  ! roster evaluate: nofile.csv cannot be read: No such file or directory
  ! roster evaluate: . cannot be read: Is a directory
  [1]

  $ sed '1s/pi_b,a_c/pi_uniform,a_uniform/' log.csv >bad.csv; roster evaluate bad.csv
  ! roster evaluate: column a_uniform has the name of another column's policy, or of an expert: rename it
  [1]

  $ roster evaluate - --policy uniform <log.csv
  ! roster evaluate: --actions N or FILE is required: 'uniform' needs to know how many actions there are, and standard input can be read only once
  [1]

  $ roster evaluate bare.csv --policy always:red --estimator clipped
  ! roster evaluate: --estimator clipped needs propensities, and the log has none: use ips, snips, dm or dr
  [1]

  $ head -c 300 log.csv.gz >cut.gz; roster evaluate cut.gz --policy c
  ! roster evaluate: cut.gz cannot be decompressed: its end is missing
  [1]

  $ roster evaluate log.csv --by when --policy c
  ! roster evaluate: --by when has more than 1000 values; is the column the right one?
  [1]

  $ (echo action,propensity,count,reward_sum,reward_squares; echo a,.5,2,2,1) >bad.csv; roster evaluate bad.csv --policy always:a
  ! bad.csv:2: reward_squares is below reward_sum^2 / count, which no rewards can give
  ! roster evaluate: 1 of 1 line is damaged; --skip-bad leaves it out
  [1]

  $ (echo action,propensity,count,reward_sum,reward_squares; echo a,.5,1.5,1,1) >bad.csv; roster evaluate bad.csv --policy always:a
  ! bad.csv:2: the count is 1.5, must be a whole number from 1 to 2^53
  ! roster evaluate: 1 of 1 line is damaged; --skip-bad leaves it out
  [1]

  $ (echo action,propensity,count,reward_sum; echo a,.5,2,2) >bad.csv; roster evaluate bad.csv --policy always:a
  ! roster evaluate: bad.csv: a tally needs the column reward_squares; the columns are 'action', 'propensity', 'count', 'reward_sum'
  [1]

  $ (echo action,propensity,count,reward_sum,reward_squares; echo a,.5,2,2,2) >bad.csv; roster evaluate bad.csv --policy greedy
  ! roster evaluate: greedy learns event by event and cannot be told from a tally
  [1]

Nothing is written when the log is refused, and what was there stays

  $ echo before >out.txt; cp out.txt page.html; (cat log.csv; echo x) >bad.csv
  > for wrong in "bad.csv" "log.csv --range 0,0.5" "log.csv --policy nobody" "log.csv --by when" "cut.gz"; do
  >   roster evaluate $wrong -o out.txt --report page.html 2>.err; echo "$? $(cat out.txt page.html | tr '\n' ' ')"; done; ls | grep -c tmp
  1 before before
  1 before before
  1 before before
  1 before before
  1 before before
  0
  [1]

  $ roster evaluate missing.csv -o new/out.txt; ls new
  ! roster evaluate: missing.csv cannot be read: No such file or directory
  ! ls: cannot access 'new': No such file or directory
  [2]

Nothing that is read is overwritten, and no two outputs are one file

  $ cp log.csv kept.csv; ln -s kept.csv link.csv; mkdir dir
  > roster evaluate kept.csv --policy c --out ./kept.csv; roster evaluate kept.csv --policy c --report link.csv
  > roster evaluate - --policy c -o kept.csv <kept.csv; roster evaluate log.csv --experts roster.json -o dir/../roster.json
  > roster evaluate log.csv --actions actions.txt --report actions.txt; cmp kept.csv log.csv
  ! roster evaluate: --out ./kept.csv would replace a file that is read; name another file
  ! roster evaluate: --report link.csv would replace a file that is read; name another file
  ! roster evaluate: --out kept.csv would replace a file that is read; name another file
  ! roster evaluate: --out dir/../roster.json would replace a file that is read; name another file
  ! roster evaluate: --report actions.txt would replace a file that is read; name another file

  $ roster evaluate log.csv --policy c --report new/page.html -o ./new//page.html; ls new
  ! roster evaluate: --out and --report are both new/page.html; name two files
  ! ls: cannot access 'new': No such file or directory
  [2]

  $ roster evaluate log.csv --policy c --report /dev/null -o /dev/null
