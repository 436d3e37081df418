roster man: roster(1) in troff, from the tables.

Help

  $ roster man --help
  roster man: print the manual page

  usage: roster man

  Prints roster(1) in troff, as it is installed.

  Options:
    -h, --help  Show this help and stop.

  Examples:
    roster man | man -l -
        read it

The page

  $ roster man | head -8
  .TH ROSTER 1 "" "roster 0.2.0-dev" "User Commands"
  .SH NAME
  roster \- find out online which of many stochastic experts serves best
  .SH SYNOPSIS
  .B roster
  .I COMMAND
  [\fIARGUMENT\fR...] [\fIOPTION\fR...]
  .SH COMMANDS

  $ roster man | sed -n '/^.SS "roster estimate/,/^.SS "roster evaluate/p' | sed '$d'
  .SS "roster estimate LOG.csv..."
  estimate experts from logs of their actions.
  .PP
  Reads logs in CSV; \- is standard input. The first line names the columns expert, context, action and, if there is one, count, in any order; other columns are ignored:
  .PP
  .nf
    expert,context,action,count
    morning team,news,banner,17
    morning team,sport,video,4
  .fi
  .PP
  Writes a roster file with the relative frequencies, the counts behind them, and xi, the largest error that the data leave possible: Clopper and Pearson's exact interval of every probability, with \-\-delta shared among all of them. An experiment can name the file: "experts": "roster.json". Names are sorted, numbers in them by value, so the result does not depend on the order of the lines.
  .PP
  Damaged lines are printed, and nothing is written unless \-\-skip\-bad leaves them out. An expert never seen in a context has null there in place of its probabilities; experiments refuse that. d\-ucb also needs every expert to take every action. \-\-p\-floor solves both. Without it, use direct, d\-ucb with support "shared", or, if xi is below every probability that occurs, ed\-ucb.
  .TP
  .B \-o, \-\-out FILE
  The roster file to write. Required.
  .TP
  .B \-\-p\-floor P
  Give every action at least the probability P: a row becomes P + (1 \- V P) times the frequencies of its V actions; a row without samples becomes uniform. Default: the frequencies themselves.
  .TP
  .B \-\-delta D
  With probability D some probability of some expert is off by more than xi. Default: 0.01.
  .TP
  .B \-\-skip\-bad
  Leave damaged lines out instead of refusing the log.
  .TP
  .B \-\-min\-count N
  List experts and contexts that have fewer than N samples together. Default: 100.

  $ roster man | sed -n '/^.SH EXIT/,$p'
  .SH EXIT STATUS
  .TP
  0
  Success.
  .TP
  1
  The input is wrong, or the output cannot be written.
  .TP
  2
  The command line is wrong.
  .TP
  130
  Stopped by Ctrl-C; what was done has been reported.

Every command is in it

  $ for c in $(roster | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v help); do
  >     roster man | grep -q "^.SS \"roster $c" || echo $c
  > done

groff, where it is, finds no fault

  $ ! command -v groff >where || roster man | groff -man -ww -Tutf8 >page

Bad input

  $ roster man page
  ! roster man: takes no arguments, but has 'page'
  [2]

  $ roster man -- --page
  ! roster man: takes no arguments, but has '--page'
  [2]

  $ roster man ''
  ! roster man: takes no arguments, but has ''
  [2]

  $ roster man 1 roster
  ! roster man: takes no arguments, but has '1'
  [2]

  $ roster man -k
  ! roster man: unknown option '-k'; `roster man --help` lists all
  [2]

  $ roster man --section
  ! roster man: unknown option '--section'; `roster man --help` lists all
  [2]

  $ roster man --section 1
  ! roster man: unknown option '--section'; `roster man --help` lists all
  [2]

  $ roster man --section=1
  ! roster man: unknown option '--section'; `roster man --help` lists all
  [2]

  $ roster man --help=1
  ! roster man: option --help takes no argument, but has '1'
  [2]

  $ roster man -o roster.1
  ! roster man: unknown option '-o'; `roster man --help` lists all
  [2]

  $ roster man >/dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
