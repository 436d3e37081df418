roster completion: scripts for three shells, from the tables.

Help

  $ roster completion --help
  roster completion: print a script that completes commands and options in a shell

  usage: roster completion bash|zsh|fish

  Prints what makes Tab complete commands, options, files and names of agents.
  `make install` puts it where the shells look for it.

  Options:
    -h, --help  Show this help and stop.

  Examples:
    eval "$(roster completion bash)"
        for this session, or in ~/.bashrc
    roster completion fish | source
        the same in fish

What bash offers

  $ cat >complete.bash <<'END'
  > # Asks for what comes behind the words given, the last of them unfinished.
  > eval "$(roster completion bash)"
  > compopt() { echo "compopt $*"; }
  > COMP_WORDS=(roster "$@")
  > COMP_CWORD=$#
  > _roster
  > echo "${COMPREPLY[@]}"
  > END

  $ bash complete.bash v
  validate

  $ bash complete.bash ''
  run merge explain estimate evaluate tally sql trace validate agents serve drive audit export migrate repair bench completion man help --help --version

  $ bash complete.bash estimate --
  --out --p-floor --delta --skip-bad --min-count --help

  $ bash complete.bash estimate --s
  --skip-bad

  $ bash complete.bash estimate lo
  compopt -o default

  $ bash complete.bash estimate -o ''
  compopt -o default

  $ bash complete.bash estimate --out = ''
  compopt -o default

  $ bash complete.bash estimate --delta ''

  $ bash complete.bash agents k
  kl-ucb

  $ bash complete.bash help me
  merge

  $ bash complete.bash completion ''
  bash zsh fish

Every command and every option stands in all three

  $ for c in $(roster | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v help); do
  >     roster $c --help | sed -n '/^Options:/,/^$/s/^  \(-., \)*--\([a-z-]*\).*/\2/p' | while read -r o; do
  >         roster completion bash | sed -n "/^    $c)/,/;;\$/p" | grep -q -e "--$o" || echo "bash: $c --$o"
  >         roster completion zsh | sed -n "/^    $c)/,/;;\$/p" | grep -q -e "--$o" || echo "zsh: $c --$o"
  >         roster completion fish | grep -q "from $c' -l $o" || echo "fish: $c --$o"
  >     done
  > done

The shells that are here find no fault

  $ for s in bash zsh fish; do ! command -v $s >where || roster completion $s | $s -n; done

Bad input

  $ roster completion
  ! roster completion: an argument is missing: roster completion bash|zsh|fish
  [2]

  $ roster completion tcsh
  ! roster completion: unknown shell 'tcsh', must be bash, zsh or fish
  [2]

  $ roster completion Bash
  ! roster completion: unknown shell 'Bash', must be bash, zsh or fish
  [2]

  $ roster completion ''
  ! roster completion: unknown shell '', must be bash, zsh or fish
  [2]

  $ roster completion bash zsh
  ! roster completion: unexpected argument 'zsh': roster completion bash|zsh|fish
  [2]

  $ roster completion --bash
  ! roster completion: unknown option '--bash'; `roster completion --help` lists all
  [2]

  $ roster completion bash --shell=zsh
  ! roster completion: unknown option '--shell', did you mean '--help'?
  [2]

  $ roster completion bash -o file
  ! roster completion: unknown option '-o'; `roster completion --help` lists all
  [2]

  $ roster completion --help=bash
  ! roster completion: option --help takes no argument, but has 'bash'
  [2]

  $ roster completion -- --help
  ! roster completion: unknown shell '--help', must be bash, zsh or fish
  [2]

  $ roster completion bash >/dev/full
  ! roster: cannot write to standard output: No space left on device
  [1]
