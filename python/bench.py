"""What the Python package costs: python/bench.py BUILD [ROUNDS]

learn_batch next to the plain C loop (bench/learn_loop.c) on the same events, and one choose + learn pair next to what
SMPyBandits and MABWiser take for a round of UCB, where they are installed. Times are the best of several passes.
"""
from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
from typing import Any, Callable

import numpy as np

EXPERTS, CONTEXTS, ACTIONS, PASSES, PAIRS = 5, 10, 10, 12, 5000
BATCH_MOST, PAIR_MOST = 1.5, 3.0  # times the C loop; microseconds


def best(function: Callable[[], Any]) -> float:
    """Seconds of the fastest pass, of this thread's own work: what else the machine does is not counted."""
    found = []
    for _ in range(PASSES):
        start = time.thread_time()
        function()
        found.append(time.thread_time() - start)
    return min(found)


def make_rounds(n: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Tables, and columns of events."""
    rng = np.random.default_rng(1)
    pi = 0.01 + (1 - ACTIONS * 0.01) * rng.dirichlet(np.ones(ACTIONS), size=(EXPERTS, CONTEXTS))
    columns = [rng.integers(top, size=n) for top in (EXPERTS, CONTEXTS, ACTIONS)]
    return pi, [*columns, rng.integers(2, size=n).astype(float)]


def c_loop(build: str, pi: np.ndarray, columns: list[np.ndarray]) -> tuple[float, int]:
    """Nanoseconds per round in C, and the expert chosen in the end."""
    shape = np.array([*pi.shape, len(columns[0])], np.uint64)
    data = b"".join(array.tobytes() for array in (shape, pi, *columns))
    said = subprocess.run([os.path.join(build, "bench", "learn_loop")], input=data, stdout=subprocess.PIPE, check=True)
    nanoseconds, chosen = said.stdout.split()
    return float(nanoseconds), int(chosen)


def batch(agent: Any, columns: list[np.ndarray]) -> float:
    """Nanoseconds per round of learn_batch."""
    def one() -> None:
        agent.reset()
        agent.learn_batch(*columns)
    return best(one) / len(columns[0]) * 1e9


def pairs(agent: Any, columns: list[np.ndarray]) -> float:
    """Microseconds of one choose and learn."""
    events = list(zip(*(column[:PAIRS].tolist() for column in columns[1:])))

    def one() -> None:
        choose, learn = agent.choose, agent.learn
        for x, v, y in events:
            learn(choose(), x, v, y)
    return best(one) / len(events) * 1e6


def smpybandits(rewards: list[float]) -> float:
    """Microseconds of a round of its UCB."""
    with contextlib.redirect_stdout(io.StringIO()):  # it says at length what else could be installed
        from SMPyBandits.Policies import UCB

    def one() -> None:
        policy = UCB(EXPERTS)
        policy.startGame()
        for y in rewards:
            policy.getReward(policy.choice(), y)
    return best(one) / len(rewards) * 1e6


def mabwiser(rewards: list[float]) -> float:
    """Microseconds of a round of its UCB1."""
    from mabwiser.mab import MAB, LearningPolicy
    arms = list(range(EXPERTS))

    def one() -> None:
        mab = MAB(arms, LearningPolicy.UCB1(alpha=1))
        mab.fit(arms, [0] * EXPERTS)
        for y in rewards:
            mab.partial_fit([mab.predict()], [y])
    return best(one) / len(rewards) * 1e6


def main() -> None:
    build, n = os.path.abspath(sys.argv[1]), int(float(sys.argv[2])) if len(sys.argv) > 2 else 10**6
    sys.path.insert(0, os.path.join(build, "python"))
    import roster
    pi, columns = make_rounds(n)
    experts = roster.Experts(pi)
    agent = roster.Agent("d-ucb", experts, level=None)
    in_c, chosen = c_loop(build, pi, columns)
    in_python = batch(agent, columns)
    assert agent.choose() == chosen, "the C loop chose another expert"
    print(f"learning {n} rounds with d-ucb, {EXPERTS} experts")
    print(f"  C loop        {in_c:8.1f} ns a round")
    print(f"  learn_batch   {in_python:8.1f} ns a round: {in_python / in_c:.2f} times (at most {BATCH_MOST})")
    print(f"  with evidence {batch(roster.Agent('d-ucb', experts), columns):8.1f} ns a round")
    print("one round, choose and learn")
    print(f"  roster d-ucb  {pairs(roster.Agent('d-ucb', experts, level=None), columns):8.2f} us (at most {PAIR_MOST})")
    print(f"  roster ucb    {pairs(roster.Agent('ucb', experts, level=None), columns):8.2f} us")
    for name, measure in (("SMPyBandits", smpybandits), ("MABWiser", mabwiser)):
        try:
            print(f"  {name:13} {measure(columns[3][:1000].tolist()):8.2f} us (UCB)")
        except ImportError as error:
            print(f"  {name:13} cannot be used: {error}")


if __name__ == "__main__":
    main()
