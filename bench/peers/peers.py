#!/usr/bin/env python3
"""bench/peers/peers.py: what a simulated round costs in other ways to write the same agents.

D-UCB in numpy, incremental and literal; D-UCB, UCB and KL-UCB compiled by numba: on the first episode of
experiments/cifar10.json, one core. Before anything is timed, the peer learns what `roster trace` says an agent learnt,
and its indices must equal the library's. What cannot be imported is said and left out.
"""
import argparse
import importlib
import json
import os
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAPER = os.path.join(TOP, "experiments", "cifar10.json")
CHECKED = 2000   # rounds of the library's that are replayed
SLOWER = 20      # numpy plays this many times fewer rounds
NEAR = 1e-9
REPEATS = 3


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--rounds", type=int, default=500000, help="rounds of numba's peers; numpy's play a twentieth")
    parser.add_argument("--roster", default=os.path.join(TOP, "build", "roster"), help="the program")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    return parser.parse_args()


def missing_of(names):
    def cannot(name):
        try:
            importlib.import_module(name)
        except ImportError:
            return True
        return False
    return [name for name in names if cannot(name)]


def seconds_of(work):
    """Of the processor, the least of several; and what the work returned."""
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        result = work()
        times.append(time.process_time() - began)
    return min(times), result


def check(name, made, events, choose):
    """The library's indices, and from them its choices."""
    import numpy as np
    k, u = events[0], events[3]
    both = np.isfinite(u)
    wrong = np.abs(made[both] - u[both]).max() > NEAR or not np.array_equal(both, np.isfinite(made))
    if wrong or any(choose(made[t]) != k[t + 1] for t in range(len(k) - 1)):
        sys.exit(f"peers.py: {name} does not compute what the library does")


def figure(package, agent, form, rounds, seconds, reward=None):
    return {"package": package, "agent": agent, "form": form, "rounds": rounds, "ns": seconds * 1e9 / rounds,
            "reward": None if reward is None else reward / rounds}


def incremental(instance, events, rounds):
    import with_numpy as peer
    check("numpy, incremental", peer.replay(peer.Incremental(instance), events), events, peer.choose)
    seconds, reward = seconds_of(lambda: peer.play(instance, peer.Incremental(instance), rounds, 1))
    return figure("numpy", "d-ucb", "incremental", rounds, seconds, reward)


def literal(instance, events, t):
    """One round, after t of them."""
    import numpy as np
    import with_numpy as peer
    check("numpy, literal", peer.replay(peer.Literal(instance, len(events[0])), events), events, peer.choose)
    agent = peer.Literal(instance, t + REPEATS)
    random = np.random.default_rng(1)
    agent.k[:t] = random.integers(instance.experts, size=t)
    agent.cell[:t] = random.integers(instance.pi.shape[1], size=t)
    agent.y[:t] = random.random(t) < .5
    agent.t = t
    seconds, _ = seconds_of(lambda: agent.learn(0, 0, 1.0))
    return figure("numpy", "d-ucb", f"literal, round {t}", 1, seconds)


def compiled(name, instance, events, rounds):
    import numpy as np
    import with_numba as peer
    learn, state = peer.AGENTS[name]
    made = np.zeros_like(events[3])
    peer.replay(learn, state(instance), *events[:3], made)
    check(f"numba, {name}", made, events, peer.choose)
    world = (instance.context_sums, instance.action_sums, instance.means)
    peer.play(learn, state(instance), world, 10, 1)
    seconds, reward = seconds_of(lambda: peer.play(learn, state(instance), world, rounds, 1))
    return figure("numba", name, "compiled", rounds, seconds, reward)


def measure(wishes, missing):
    from instance import trace
    learnt = {name: trace(wishes.roster, PAPER, name, CHECKED) for name in ("d-ucb", "ucb", "kl-ucb")}
    few = max(wishes.rounds // SLOWER, 1)
    yield incremental(*learnt["d-ucb"], few)
    yield literal(*learnt["d-ucb"], wishes.rounds)
    for name in learnt if "numba" not in missing else ():
        yield compiled(name, *learnt[name], wishes.rounds)


def main():
    wishes = options()
    missing = missing_of(["numpy", "numba"])
    if missing:
        print(f"peers.py: left out, since it cannot be imported: {', '.join(missing)}", file=sys.stderr)
    figures = list(measure(wishes, missing)) if "numpy" not in missing else []
    if wishes.json:
        print(json.dumps({"rounds": wishes.rounds, "missing": missing, "peers": figures}, indent=1))
        return
    for f in figures:
        print(f"{f['package']:8}{f['agent']:8}{f['form']:24}{f['ns']:14.0f} ns per round")


main()
