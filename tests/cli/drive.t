roster drive: simulated users of the decision service. What it does against one is tested by tests/http/drive.py.

Help

  $ roster drive --help
  roster drive: send simulated users of an experiment to a running service

  usage: roster drive FILE [OPTION...]

  Creates a campaign on a running `roster serve` from the experts of the
  experiment FILE, and sends simulated users of its world: asks for decisions,
  draws rewards and sends them: late, twice, out of order or never, as the options
  say. Shows regret, rates and latency while it runs, and a table at the end.
  Ctrl-C ends it with the figures so far.

  Every answer is checked: the expert can take the action, the propensity is the
  table's probability, the action is the one that seed and event determine, every
  reward joins once, and at the end the counters of the service match its answers.
  If an answer is wrong, the command prints what is wrong and ends with exit code
  1.

  With one connection and no delay, each reward is sent before the next decision
  is asked for, and the choices of the first episode are those of `roster run`
  with the same file and seed. A campaign that was driven before continues after
  its last event. A campaign has one set of context probabilities: those of the
  first episode.

  Options:
    --server URL        Address of the service, http://HOST:PORT. Required.
    --agent NAME        Which agent of the file the campaign gets, by label or
                        name. Default: auto.
    --rounds T          Rounds of every episode. Default: those of the file.
    --unannounced       The ends of episodes are not announced, nor the
                        probabilities of contexts: the campaign restarts by
                        alarms.
    --rate N            Decisions per second. Default: as many as the service
                        answers.
    --connections N     Requests at a time, each on a connection of its own.
                        Default: 1.
    --batch N           Decisions or rewards in one request. Default: 1.
    --delay SECONDS     Time from a decision to its reward. With MIN-MAX it is
                        drawn for each reward, so that they arrive out of order.
                        Default: 0.
    --loss SHARE        Share of the rewards that are never sent. Default: 0.
    --duplicates SHARE  Share of the rewards that are sent a second time. Default:
                        0.
    --wait SECONDS      How long the campaign waits for a reward. Default: the
                        service's, an hour.
    --events N          Decisions to ask for. Default: those of all episodes of
                        the file; beyond these it begins again.
    --campaign WORD     Name of the campaign. Default: that of the experiment.
    --token FILE        File with an admin token, if the service requires tokens.
    --seed S            Seed of users and campaign. Default: that of the file.
    --json              Figures as JSON.
    --case K            Which case of a sweep, from 1 in the order of the file.
                        Default: 1.
    -h, --help          Show this help and stop.

  Examples:
    roster drive cifar10.json --server http://localhost:7700 --rate 500
        500 decisions per second
    roster drive cifar10.json --server http://localhost:7700 --batch 100
        as many decisions as the service answers
    roster drive cifar10.json --server http://localhost:7700 --delay 1-30
        rewards come late

A small world

  $ cat > toy.json <<'END'
  > {"name": "toy", "contexts": ["X1", "X2"], "actions": ["A1", "A2"],
  >  "experts": [{"name": "one", "table": [[0.75, 0.25], [0.25, 0.75]]}, {"name": "two", "table": [[0.5, 0.5], [0.5, 0.5]]}],
  >  "episodes": [{"rounds": 40, "context_probabilities": [0.5, 0.5], "reward_means": [[1, 0], [0, 0.5]]}],
  >  "agents": [{"agent": "d-ucb"}, {"agent": "ucb"}], "runs": 1, "seed": 1}
  > END

What is wrong is said before anything is asked

  $ roster drive
  ! roster drive: an argument is missing: roster drive FILE
  [2]

  $ roster drive toy.json
  ! roster drive: --server URL is required: the address that `roster serve` prints
  [2]

  $ roster drive toy.json --server https://example.org
  ! roster drive: --server is 'https://example.org', must be http://HOST:PORT
  [1]

  $ roster drive toy.json --server http://127.0.0.1:1/page
  ! roster drive: --server is 'http://127.0.0.1:1/page', must be http://HOST:PORT
  [1]

  $ roster drive toy.json --server http://:80
  ! roster drive: --server is 'http://:80', must be http://HOST:PORT
  [1]

  $ roster drive nowhere.json --server http://127.0.0.1:1
  ! roster drive: nowhere.json cannot be read: No such file or directory
  [1]

  $ roster drive toy.json --agent kl-ucb --server http://127.0.0.1:1
  ! roster drive: toy.json has no agent 'kl-ucb'; it has d-ucb, ucb
  [1]

  $ roster drive toy.json --rate fast --server http://127.0.0.1:1
  ! roster drive: --rate is 'fast', must be decisions per second, from 0.001 to 1e9
  [2]

  $ roster drive toy.json --rate 5/min --server http://127.0.0.1:1
  ! roster drive: --rate is '5/min', must be decisions per second, from 0.001 to 1e9
  [2]

  $ roster drive toy.json --connections 0 --server http://127.0.0.1:1
  ! roster drive: --connections is '0', must be a whole number from 1 to 4096
  [2]

  $ roster drive toy.json --batch 10001 --server http://127.0.0.1:1
  ! roster drive: --batch is '10001', must be a whole number from 1 to 10000
  [2]

  $ roster drive toy.json --delay 3-1 --server http://127.0.0.1:1
  ! roster drive: --delay is '3-1', must be SECONDS or MIN-MAX, at most 1e6
  [2]

  $ roster drive toy.json --delay soon --server http://127.0.0.1:1
  ! roster drive: --delay is 'soon', must be SECONDS or MIN-MAX, at most 1e6
  [2]

  $ roster drive toy.json --loss 1.5 --server http://127.0.0.1:1
  ! roster drive: --loss is '1.5', must be a number from 0 to 1
  [2]

  $ roster drive toy.json --duplicates=-1 --server http://127.0.0.1:1
  ! roster drive: --duplicates is '-1', must be a number from 0 to 1
  [2]

  $ roster drive toy.json --wait 0 --server http://127.0.0.1:1
  ! roster drive: --wait is '0', must be a number from 0.001 to 3.16224e+07
  [2]

  $ roster drive toy.json --events 0 --server http://127.0.0.1:1
  ! roster drive: --events is '0', must be a whole number from 1 to 1000000000000
  [2]

  $ roster drive toy.json --campaign .hidden --server http://127.0.0.1:1
  ! roster drive: --campaign is '.hidden', must be 1 to 64 letters, digits, '.', '_' or '-', not beginning with a dot
  [2]

  $ roster drive toy.json --seed 9223372036854775808 --server http://127.0.0.1:1
  ! roster drive: --seed is '9223372036854775808', must be a whole number from 0 to 9223372036854775807
  [2]

  $ roster drive toy.json --case 2 --server http://127.0.0.1:1
  ! roster drive: --case is 2, but toy.json has 1 case
  [1]

  $ roster drive toy.json --token nowhere --server http://127.0.0.1:1
  ! roster drive: nowhere cannot be read: No such file or directory
  [1]

  $ echo decide 0123456789abcdef > token; roster drive toy.json --token token --server http://127.0.0.1:1
  ! roster drive: token has no line `admin TOKEN` and none with a token alone
  [1]

The end of a long comment is no token

  $ printf '#%0510d %s\n' 0 0123456789abcdef > token; roster drive toy.json --token token --server http://127.0.0.1:1
  ! roster drive: token has no line `admin TOKEN` and none with a token alone
  [1]

A token may have a rate, as in the server's file

  $ echo admin 0123456789abcdef rate=10 > token; roster drive toy.json --token token --server http://127.0.0.1:1
  ! roster drive: no server answers at http://127.0.0.1:1: Connection refused
  [1]

Nobody is there

  $ roster drive toy.json --server http://127.0.0.1:1
  ! roster drive: no server answers at http://127.0.0.1:1: Connection refused
  [1]

A server, its users, and the same again: the campaign goes on

  $ roster serve --data data --listen 127.0.0.1:0 --log errors > said &
  > for i in 1 2 3 4 5 6 7 8 9 10; do grep -qs http said || sleep 0.3; done
  > url=$(sed -n "s/.*\(http:[^ ]*:[0-9]*\).*/\1/p" said)
  > roster drive toy.json --server "$url" | sed -e "s/ in .*//" -e "s/p50.*of/of/"
  > roster drive toy.json --server "$url/" --events 10 --batch 3 --json | grep -o "\"decisions\":10,"
  > kill $(cat data/lock)
  decisions  40
  rewards    40 joined
  regret     0.0, 0.0000 per decision; the mean reward is 0.6000
  best       100.0% of the decisions are by the best expert
  latency    of 80 requests

  expert     decisions    share
  one               40   100.0%
  two                0     0.0%
  "decisions":10,
