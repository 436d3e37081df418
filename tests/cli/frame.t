The frame of the program: what all commands share.

What is here before anything has run

  $ ls >.before

Without a word the program says what it is for

  $ roster | head -5
  usage: roster COMMAND [ARGUMENT...] [OPTION...]

  roster finds out online, at little cost, which of many stochastic experts serves
  best.

  $ roster | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' '
  run merge explain estimate evaluate tally sql trace validate agents serve drive audit export migrate repair bench completion man help

  $ roster | tail -6

  Options:
    --help      show this help; after a command, the help of that command
    --version   show the version

  Exit codes: 0 success, 1 the input is wrong, 2 the command line is wrong.

The same with --help, -h and help

  $ roster >.a; roster --help >.b; roster -h >.c; roster help >.d; cmp .a .b && cmp .a .c && cmp .a .d

The help of a command, however it is asked for

  $ roster help man
  roster man: print the manual page

  usage: roster man

  Prints roster(1) in troff, as it is installed.

  Options:
    -h, --help  Show this help and stop.

  Examples:
    roster man | man -l -
        read it

  $ roster man --help >.a; roster man -h >.b; roster --help man >.c; roster help man >.d; cmp .a .b && cmp .a .c && cmp .a .d

--help wins over whatever else is on the line

  $ roster estimate --nonsense --help | head -1
  roster estimate: estimate experts from logs of their actions

No line of help is longer than 80 columns

  $ for c in $(roster | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v help); do roster help $c; done | grep -E '^.{81}'
    psql --csv -c "$(roster sql --engine postgresql --table log --action item --reward click --propensity p)" >tally.csv

Every summary fits into a line

  $ roster | grep -E '^.{81}'
  [1]

The version

  $ roster --version
  roster 0.2.0-dev

Unknown commands

  $ roster rnu
  ! roster: unknown command 'rnu', did you mean 'run'?
  [2]

  $ roster Validate
  ! roster: unknown command 'Validate', did you mean 'validate'?
  [2]

  $ roster data movielens
  ! roster: `roster data` is now a program of its own: roster-datasets
  [2]

  $ roster frobnicate
  ! roster: unknown command 'frobnicate'; `roster --help` lists all
  [2]

  $ roster version
  ! roster: unknown command 'version', did you mean '--version'?
  [2]

  $ roster --verzion
  ! roster: unknown option '--verzion', did you mean '--version'?
  [2]

  $ roster -x
  ! roster: unknown option '-x'; `roster --help` lists all
  [2]

  $ roster ''
  ! roster: unknown command ''; `roster --help` lists all
  [2]

  $ roster help estimte
  ! roster: unknown command 'estimte', did you mean 'estimate'?
  [2]

  $ roster help frobnicate
  ! roster: unknown command 'frobnicate'; `roster --help` lists all
  [2]

One word too many

  $ roster --version now
  ! roster: unexpected argument 'now': roster --version
  [2]

  $ roster --help man page
  ! roster: unexpected argument 'page': roster help [COMMAND]
  [2]

  $ roster help man page
  ! roster: unexpected argument 'page': roster help [COMMAND]
  [2]

Unknown options

  $ roster estimate log.csv --skp-bad
  ! roster estimate: unknown option '--skp-bad', did you mean '--skip-bad'?
  [2]

  $ roster estimate log.csv --hlep
  ! roster estimate: unknown option '--hlep', did you mean '--help'?
  [2]

  $ roster estimate log.csv --frobnicate=3
  ! roster estimate: unknown option '--frobnicate'; `roster estimate --help` lists all
  [2]

  $ roster estimate log.csv -z
  ! roster estimate: unknown option '-z'; `roster estimate --help` lists all
  [2]

  $ roster estimate log.csv -x3
  ! roster estimate: unknown option '-x'; `roster estimate --help` lists all
  [2]

Options that lack their argument, have one too many, or come twice

  $ roster estimate log.csv --out
  ! roster estimate: option --out needs an argument: --out FILE
  [2]

  $ roster estimate log.csv --out --skip-bad
  ! roster estimate: option --out needs an argument: --out FILE
  [2]

  $ roster estimate log.csv -o
  ! roster estimate: option --out needs an argument: --out FILE
  [2]

  $ roster estimate log.csv --skip-bad=yes
  ! roster estimate: option --skip-bad takes no argument, but has 'yes'
  [2]

  $ roster estimate log.csv --delta 0.1 --delta 0.2
  ! roster estimate: option --delta is given twice
  [2]

  $ roster estimate log.csv -o a --out b
  ! roster estimate: option --out is given twice
  [2]

Numbers

  $ roster estimate log.csv -o r.json --min-count -1
  ! roster estimate: --min-count is '-1', must be a whole number from 1 to 9223372036854775807
  [2]

  $ roster estimate log.csv -o r.json --min-count 1.5
  ! roster estimate: --min-count is '1.5', must be a whole number from 1 to 9223372036854775807
  [2]

  $ roster estimate log.csv -o r.json --min-count ''
  ! roster estimate: option --min-count needs an argument: --min-count N
  [2]

  $ roster estimate log.csv -o r.json --min-count 99999999999999999999
  ! roster estimate: --min-count is '99999999999999999999', must be a whole number from 1 to 9223372036854775807
  [2]

  $ roster estimate log.csv -o r.json --min-count 18446744073709551615
  ! roster estimate: --min-count is '18446744073709551615', must be a whole number from 1 to 9223372036854775807
  [2]

  $ roster estimate log.csv -o r.json --delta half
  ! roster estimate: --delta is 'half', must be a number from 1e-300 to 1
  [2]

  $ roster estimate log.csv -o r.json --delta nan
  ! roster estimate: --delta is 'nan', must be a number from 1e-300 to 1
  [2]

  $ roster estimate log.csv -o r.json --delta inf
  ! roster estimate: --delta is 'inf', must be a number from 1e-300 to 1
  [2]

  $ roster estimate log.csv -o r.json --delta ' 0.5'
  ! roster estimate: --delta is ' 0.5', must be a number from 1e-300 to 1
  [2]

  $ roster estimate log.csv -o r.json --delta 0.5x
  ! roster estimate: --delta is '0.5x', must be a number from 1e-300 to 1
  [2]

  $ roster estimate log.csv -o r.json --delta 2
  ! roster estimate: --delta is '2', must be a number from 1e-300 to 1
  [2]

Too few and too many arguments

  $ roster validate
  ! roster validate: an argument is missing: roster validate FILE...
  [2]

  $ roster man page
  ! roster man: takes no arguments, but has 'page'
  [2]

  $ roster agents ucb kl-ucb
  ! roster agents: unexpected argument 'kl-ucb': roster agents [NAME]
  [2]

  $ roster completion
  ! roster completion: an argument is missing: roster completion bash|zsh|fish
  [2]

Nothing of all this left a file behind

  $ ls | diff .before -

Options stand anywhere behind the command, in all their forms

  $ roster estimate -o a.json log.csv >a; roster estimate log.csv --out=a.json >b; roster estimate log.csv -oa.json >c
  > roster estimate --out a.json log.csv >d; roster estimate -o=a.json -- log.csv >e; cmp a b; cmp a c; cmp a d; cmp a e

-- ends the options

  $ roster validate -- --help
  ! roster validate: --help cannot be read: No such file or directory
  [1]

A full disk is no success

  $ roster agents >/dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
