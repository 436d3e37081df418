"""What the check scripts in Python share. Results are lines of TAP, as tools/run-tests reads them."""
import sys

import signals

signals.reset()

_cases = []


def check(text, problems):
    """One case, which holds if the list of problems (sentences) is empty."""
    _cases.append(not problems)
    print(("not ok - " if problems else "ok - ") + text)
    for problem in problems:
        for line in problem.rstrip().splitlines():
            print("#   " + line)
    sys.stdout.flush()


def skip(text, reason):
    """One case that cannot be tried here."""
    _cases.append(True)
    print(f"ok - {text} # SKIP {reason}", flush=True)


def finish():
    """To be called last: the number of cases, and the exit code."""
    print(f"1..{len(_cases)}")
    sys.exit(0 if all(_cases) else 1)
