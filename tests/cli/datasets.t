roster-datasets: the paper's data sets.

Help

  $ roster-datasets --help
  roster-datasets: make the paper's instances from the raw data sets

  usage: roster-datasets cifar10|movielens [OPTION...]

  The experiments cifar10, precision and movielens come with their instances. This
  program makes them again, or others with another seed, from the files that their
  authors offer. docs/data-sets.md says where to get these.

  cifar10 trains five image classifiers, each on nine of the ten classes, and
  writes roster.json (the five as experts), predictions.csv (their answer to every
  image that was kept) and accuracy.json (accuracies and confusion matrices). It
  takes some minutes.

  movielens completes the matrix of ratings and writes rewards.json, what a movie
  of each genre earns with users of each age, and summary.txt. Neither file names
  a user or a movie.

  The same files and seed give the same instance, whatever the number of threads.

  Options:
    --dir DIR       Folder with the raw files. Required.
    -o, --out DIR   Folder for the instance. Required.
    --seed S        Seed of all random numbers. Default: 1.
    --threads N     Number of threads; the result does not depend on it. Default:
                    all cores.
    --patches K     cifar10: patches that features are made of. Default: 400.
    --keep N        cifar10: test images of each class that are kept. Default:
                    100.
    --movies N      movielens: movies that are kept. Default: 618.
    --rank R        movielens: largest rank of the completed matrix. Default: 200.
    --tolerance X   movielens: relative change at which the completion ends.
                    Default: 0.0001.
    --iterations N  movielens: at most this many steps. Default: 1000.
    -h, --help      Show this help and stop.

  Examples:
    roster-datasets cifar10 --dir cifar-10-batches-bin -o my/cifar10
        five classifiers
    roster-datasets movielens --dir ml-1m -o my/movielens
        completed ratings

The manual page

  $ roster-datasets --man | head -4 | tail -3
  .SH NAME
  roster\-datasets \- make the paper's instances from the raw data sets
  .SH SYNOPSIS

  $ ! command -v groff >where || roster-datasets --man | groff -man -ww -Tutf8 >page

What must be said

  $ roster-datasets
  ! roster-datasets: an argument is missing: roster-datasets cifar10|movielens
  [2]

  $ roster-datasets imagenet --dir x -o y
  ! roster-datasets: unknown data set 'imagenet', must be cifar10 or movielens
  [2]

  $ roster-datasets cifar10 -o y
  ! roster-datasets: --dir DIR is required: the folder with the raw files
  [2]

  $ roster-datasets movielens --dir x
  ! roster-datasets: --out DIR is required: the folder for the instance
  [2]

  $ roster-datasets cifar10 --dir x -o y --rank 5
  ! roster-datasets: --rank is for movielens, not for cifar10
  [2]

  $ roster-datasets movielens --dir x -o y --patches 5
  ! roster-datasets: --patches is for cifar10, not for movielens
  [2]

  $ roster-datasets movielens --dir x -o y --tolerance 0
  ! roster-datasets: --tolerance is '0', must be a number from 1e-12 to 1
  [2]

MovieLens

  $ python3 make-movielens.py ml

  $ roster-datasets movielens --dir ml -o made --movies 30 | grep -v '^[0-9]* s; '
  60 users, 40 movies, 953 ratings
  largest singular value 12.2684, lambda 0.245368 (a fiftieth)
  rank 20, 59 iterations, converged to 0.0001
  error on the known ratings 0.0424 of 1, 0.212 stars (root mean square)
  error on 47 held out ratings 0.1697 of 1, 0.849 stars
  30 movies kept, the last with median 0.5608

  mean reward     users    Action  Children    Comedy     Drama    Horror   Romance  Thriller
  0-17                8    0.5765    0.6335    0.5934    0.6459    0.5970    0.6133    0.5598
  18-24               9    0.6120    0.5445    0.6082    0.5733    0.5941    0.5683    0.6291
  25-49              27    0.5936    0.5814    0.5915    0.6081    0.5715    0.5746    0.5593
  50+                16    0.5830    0.5555    0.5609    0.5746    0.5844    0.5596    0.5874
  movies                        3         5         4         4         4         4         2

  $ ls made
  rewards.json
  summary.txt

  $ python3 -c '
  > import json
  > made = json.load(open("made/rewards.json"))
  > print(made["contexts"], made["actions"])
  > print({len(cell) for row in made["rewards"] for cell in row}, min(v for row in made["rewards"] for cell in row for v in cell) > 0)'
  ['0-17', '18-24', '25-49', '50+'] ['Action', 'Children', 'Comedy', 'Drama', 'Horror', 'Romance', 'Thriller']
  {33, 4, 6, 8, 9, 10, 11, 12, 13, 16, 20, 27} True

The same with other threads, and with the kernels of the environment where they are named

  $ roster-datasets movielens --dir ml -o one --movies 30 --threads 1 >/dev/null; cmp one/rewards.json made/rewards.json

  $ roster-datasets movielens --dir ml -o two --movies 30 --seed 2 >/dev/null; cmp -s two/summary.txt made/summary.txt || echo another seed, another summary
  another seed, another summary

An experiment takes it

  $ cat >experiment.json <<END
  > {"experts": {"random": {"count": 3, "floor": 0.01}}, "runs": 2, "agents": [{"agent": "d-ucb"}],
  >  "episodes": [{"rounds": 100, "rewards": "made/rewards.json"}]}
  > END

  $ roster validate experiment.json
  experiment.json: fine: 3 experts, 4 contexts, 7 actions, 1 episode of 100 rounds, 1 agent, 2 runs

Packed ratings

  $ mkdir packed; cp ml/users.dat ml/movies.dat packed

  $ python3 -c 'import lzma; lzma.open("packed/ratings.dat.xz", "wb").write(open("ml/ratings.dat", "rb").read())'

  $ roster-datasets movielens --dir packed -o three --movies 30 >/dev/null; cmp three/rewards.json made/rewards.json

Files that are wrong, and nothing written

  $ roster-datasets movielens --dir nowhere -o bad
  ! roster-datasets: nowhere/users.dat: cannot be opened (No such file or directory)
  [1]

  $ mkdir wrong; cp ml/* wrong; sed -i '17s/::[1-5]::/::9::/' wrong/ratings.dat; roster-datasets movielens --dir wrong -o bad
  ! roster-datasets: wrong/ratings.dat:17: rating is 9, must be a whole number from 1 to 5
  [1]

  $ cp ml/ratings.dat wrong; echo '61::3::5::0' >>wrong/ratings.dat; roster-datasets movielens --dir wrong -o bad
  ! roster-datasets: wrong/ratings.dat:954: user id is 61, which is not in users.dat
  [1]

  $ cp ml/ratings.dat wrong; echo '1::4::5::0' >>wrong/ratings.dat; roster-datasets movielens --dir wrong -o bad
  ! roster-datasets: wrong/ratings.dat:954: movie id is 4, which is not in movies.dat
  [1]

  $ cp ml/ratings.dat wrong; echo '1::3::5' >>wrong/ratings.dat; roster-datasets movielens --dir wrong -o bad
  ! roster-datasets: wrong/ratings.dat:954: has 3 fields, must have 4: UserID::MovieID::Rating::Timestamp
  [1]

  $ rm wrong/ratings.dat; head -c 300 packed/ratings.dat.xz >wrong/ratings.dat.xz; roster-datasets movielens --dir wrong -o bad
  ! roster-datasets: wrong/ratings.dat.xz: is not an xz file, or is damaged
  [1]

  $ roster-datasets movielens --dir ml -o bad
  ! roster-datasets: movies is 618, must be at most 40: no more have ratings
  [1]

  $ ls bad
  ! ls: cannot access 'bad': No such file or directory
  [2]

  $ roster-datasets movielens --dir ml -o experiment.json/out --movies 30
  ! roster-datasets: experiment.json/out/rewards.json cannot be created: Not a directory
  [1]

CIFAR-10

  $ python3 make-cifar10.py images

  $ roster-datasets cifar10 --dir images -o five --patches 16 --keep 8 | grep -v '^[0-9]* s; '
  250 training images, 80 test images, 8 kept per class, 16 patches, seed 1

  right answers in the nine classes that a classifier has seen
                        all    kept
  without airplane    100.0%  100.0%
  without bird        100.0%  100.0%
  without deer        100.0%  100.0%
  without frog        100.0%  100.0%
  without ship        100.0%  100.0%

  $ ls five
  accuracy.json
  predictions.csv
  roster.json

  $ head -3 five/predictions.csv | cut -d, -f1-2; wc -l <five/predictions.csv
  image,class
  0,airplane
  1,automobile
  81

  $ python3 -c '
  > import json
  > made = json.load(open("five/roster.json"))
  > print([expert["name"] for expert in made["experts"]])
  > print(all(abs(sum(row) - 1) < 1e-9 and min(row) == 0.02 for expert in made["experts"] for row in expert["table"]))'
  ['without airplane', 'without bird', 'without deer', 'without frog', 'without ship']
  True

  $ cat >labels.json <<END
  > {"experts": "five/roster.json", "runs": 2, "agents": [{"agent": "d-ucb"}],
  >  "episodes": [{"rounds": 100, "reward_means": {"random": {}}}]}
  > END

  $ roster validate labels.json
  labels.json: fine: 5 experts, 10 contexts, 10 actions, 1 episode of 100 rounds, 1 agent, 2 runs

The same with other threads

  $ roster-datasets cifar10 --dir images -o six --patches 16 --keep 8 --threads 3 >/dev/null; diff -r five six

Images that are wrong, and nothing written

  $ roster-datasets cifar10 --dir nowhere -o bad
  ! roster-datasets: nowhere/data_batch_1.bin cannot be read: No such file or directory; the folder must hold data_batch_1.bin to data_batch_5.bin and test_batch.bin
  [1]

  $ rm -r wrong; cp -r images wrong; truncate -s 100 wrong/data_batch_4.bin; roster-datasets cifar10 --dir wrong -o bad
  ! roster-datasets: wrong/data_batch_4.bin has 100 bytes, must have a multiple of 3073: one for the class of an image, 3072 for its pixels
  [1]

  $ rm -r wrong; cp -r images wrong; : >wrong/test_batch.bin; roster-datasets cifar10 --dir wrong -o bad
  ! roster-datasets: wrong/test_batch.bin is empty, must hold images of 3073 bytes each
  [1]

  $ rm -r wrong; cp -r images wrong; printf '\012' | dd of=wrong/test_batch.bin bs=1 seek=3073 conv=notrunc 2>/dev/null; roster-datasets cifar10 --dir wrong -o bad
  ! roster-datasets: wrong/test_batch.bin: image 1 has class 10, must be in 0..9
  [1]

  $ rm -r wrong; cp -r images wrong; truncate -s 30730000 wrong/data_batch_2.bin; roster-datasets cifar10 --dir wrong -o bad
  ! roster-datasets: wrong/data_batch_2.bin is damaged: its checksum is f4a226dcb8057fbb, that of the official file 30cae754abe1e1a2; download it again
  [1]

  $ roster-datasets cifar10 --dir images -o bad
  ! roster-datasets: images has 8 test images of class airplane, must have at least 100
  [1]

  $ ls bad
  ! ls: cannot access 'bad': No such file or directory
  [2]
