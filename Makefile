# The targets. Each installs what is missing (tools/deps), builds with meson and ninja, and does one thing.

.PHONY: help demo demo-serve demo-replicas paper heldout check check-slow bench bench-evaluate bench-peers \
	bench-python bench-serve performance coverage install uninstall format clean

SANITIZED = -Dbuildtype=debug -Doptimization=1 -Db_sanitize=address,undefined -Dc_args=-fno-sanitize-recover=all
THREADED  = -Dbuildtype=debug -Doptimization=1 -Db_sanitize=thread
PAPER     = $(patsubst %,experiments/%.json,cifar10 movielens precision unbounded-1 unbounded-2)
# Of make install.
BUILD     = build
PREFIX    = /usr/local
OPTIONS   =
COVERED   = -Dbuildtype=debug -Db_coverage=true -Dc_args=-fprofile-update=atomic

help:        ## list the targets
	@sed -n 's/^\([a-z-]*\): *## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

demo:        ## build, run the paper's CIFAR-10 experiment in full (about a minute), write its report
	@tools/deps build
	@tools/build build
	@build/roster run experiments/cifar10.json

paper:       ## build, run all experiments of the paper in full (minutes), write their reports
	@tools/deps build
	@tools/build build
	@build/roster run $(PAPER)

heldout:     ## build, compare the agents on random instances of five families (minutes), print what they lose
	@tools/deps build
	@tools/build build
	@tools/heldout build

demo-serve:  ## build, start the decision service with simulated users, print the address of its page; Ctrl-C ends both
	@tools/deps build
	@tools/build build
	@tools/demo-serve build

demo-replicas: ## the same with three servers on a PostgreSQL of its own, behind nginx; Ctrl-C ends all
	@tools/deps replicas
	@tools/build build
	@tools/demo-replicas build

check:       ## run the fast tests; about five minutes
	@tools/deps check
	@tools/venv
	@tools/build --tests build
	@tools/run-tests build:fast

check-slow:  ## run sanitizers, valgrind, long tests, coverage
	@tools/deps slow
	@tools/venv slow
	@tools/build --tests build
	@tools/build --tests build-asan $(SANITIZED)
	@tools/build --tests build-tsan $(THREADED)
	@tools/build --tests build-cov $(COVERED)
	@tools/run-tests build-asan:unit build-tsan:tsan build:valgrind build:slow build-cov:coverage

bench:       ## measure time per round
	@tools/deps build
	@tools/build build
	@build/bench/bench

bench-peers: ## measure the same agents in numpy and numba
	@tools/deps build
	@tools/build build
	@bench/peers/run

bench-python: ## measure the Python package next to a loop in C
	@tools/deps build
	@tools/venv
	@tools/build build
	@build-python/bin/python python/bench.py build

performance: ## measure everything again (many minutes) and write it into docs/performance.md
	@tools/deps build
	@tools/build build
	@mkdir -p build/figures
	@build/roster bench --all --json >build/figures/bench.json
	@bench/peers/run --json >build/figures/peers.json
	@build/roster run $(PAPER) --out build/figures/paper >build/figures/paper.out
	@tail -n 1 build/figures/paper.out >build/figures/paper.txt
	@cp build/figures/bench.json build/figures/peers.json build/figures/paper.txt bench/figures
	@tools/plot-performance

bench-evaluate: ## measure `roster evaluate` next to vw-estimators and OBP
	@tools/deps build
	@tools/build build
	@tools/bench-evaluate build
bench-serve: ## measure the decision service next to nginx and a plain server
	@tools/deps replicas
	@tools/build build
	@tools/bench-serve build

coverage:    ## print line coverage of lib/ and src/ by the unit tests, by folder
	@tools/deps slow
	@tools/build --tests build-cov $(COVERED)
	@tools/check-coverage build-cov

install:     ## install programs, library, header, manual pages below PREFIX (/usr/local), staged in DESTDIR
	@tools/deps build
	@tools/build "$(BUILD)" $(OPTIONS)
	@tools/install install "$(BUILD)" "$(PREFIX)" "$(DESTDIR)"

uninstall:   ## remove exactly what make install put there; give the same PREFIX and DESTDIR
	@tools/install uninstall "$(BUILD)" "$(PREFIX)" "$(DESTDIR)"

format:      ## format the tracked C files by .clang-format
	@tools/deps format
	@git ls-files -z '*.c' '*.h' | xargs -0 -r clang-format -i

clean:       ## remove all build directories
	@rm -rf build build-asan build-tsan build-cov build-peers build-python python/build-editable
