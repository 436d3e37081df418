"""What the tests of the Python package share."""
import os
import subprocess

import numpy as np

import roster

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ["ROSTER_BUILD"], "roster")
EXPERIMENTS = sorted(name[:-5] for name in os.listdir(os.path.join(TOP, "experiments")) if name.endswith(".json"))

TOY = {
    "name": "toy", "contexts": ["day", "night"], "actions": ["a", "b", "c"], "runs": 4, "seed": 3,
    "experts": [{"name": "bold", "table": [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]},
                {"name": "calm", "table": [[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]},
                {"name": "odd", "table": [[0.1, 0.1, 0.8], [0.5, 0.25, 0.25]]}],
    "episodes": [{"rounds": 300, "reward_means": [[0.3, 0.1, 0.9], [0.2, 0.4, 0.6]]},
                 {"rounds": 200, "min_rounds": 50, "context_probabilities": [0.3, 0.7],
                  "reward_means": [[0.9, 0.1, 0.1], [0.2, 0.8, 0.1]]}],
    "agents": [{"agent": "d-ucb"}, {"agent": "ucb"}],
}


def experiment(name):
    return os.path.join(TOP, "experiments", name + ".json")


def program(*arguments):
    """What `roster ARGUMENTS` prints."""
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def some_experts(n=4, x=3, v=5, seed=1):
    rng = np.random.default_rng(seed)
    return roster.Experts(rng.dirichlet(np.ones(v), size=(n, x)), floor=0.02)


def some_rounds(experts, n, seed=2):
    """Arrays of events that could have happened."""
    rng = np.random.default_rng(seed)
    return (rng.integers(len(experts), size=n), rng.integers(experts.contexts, size=n),
            rng.integers(experts.actions, size=n), rng.random(n))
