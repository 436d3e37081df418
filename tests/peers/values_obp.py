"""values_obp.py LOG ACTIONS LEVEL: OBP's values of uniform and always:0, as JSON.

Means of each (context, action) of the whole log are its regression model.
"""
import csv
import json
import sys

import numpy as np
import obp_estimators


def cell_means(contexts, actions, rewards, n_actions):
    """[event, action, 1]: the mean reward of the action in the event's context; where there is none that of all."""
    _, number = np.unique(contexts, return_inverse=True)
    cells = (number.max() + 1, n_actions)
    counts, sums = np.zeros(cells), np.zeros(cells)
    np.add.at(counts, (number, actions), 1)
    np.add.at(sums, (number, actions), rewards)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), rewards.mean())
    return means[number][:, :, None]


def main():
    n_actions, level = int(sys.argv[2]), float(sys.argv[3])
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    actions = np.array([int(row["action"]) for row in rows])
    rewards = np.array([float(row["reward"]) for row in rows])
    known = dict(reward=rewards, action=actions, pscore=np.array([float(row["propensity"]) for row in rows]),
                 position=np.zeros(len(rows), dtype=int))
    means = cell_means(np.array([row["context"] for row in rows]), actions, rewards, n_actions)
    uniform, always = np.full((len(rows), n_actions, 1), 1 / n_actions), np.zeros((len(rows), n_actions, 1))
    always[:, 0, 0] = 1
    obp = obp_estimators.load()
    classes = {
        "ips": obp.InverseProbabilityWeighting(),
        "snips": obp.SelfNormalizedInverseProbabilityWeighting(),
        "clipped": obp.InverseProbabilityWeighting(lambda_=level),
        "dm": obp.DirectMethod(),
        "dr": obp.DoublyRobust(),
        "switch-dr": obp.SwitchDoublyRobust(lambda_=level),
        "dros": obp.DoublyRobustWithShrinkage(lambda_=level),
    }
    print(json.dumps({
        name: {key: float(one.estimate_policy_value(action_dist=does, estimated_rewards_by_reg_model=means, **known))
               for key, one in classes.items()}
        for name, does in (("uniform", uniform), ("always:0", always))}))


main()
