"""values_vw.py LOG ACTIONS POLICY...: values and intervals of vw-estimators, as JSON.

Of a log with drop rates what vw-estimators computes as the program does: IPS, and the interval of Clopper and Pearson.
"""
import csv
import json
import sys

from estimators.bandits import clopper_pearson, cressieread, gaussian, ips, snips


def probability(policy, row, n_actions):
    """That the policy takes the action that was taken."""
    if policy == "uniform":
        return 1 / n_actions
    if policy.startswith("always:"):
        return float(row["action"] == policy[len("always:"):])
    return float(row["pi_" + policy])


def figures(rows, policy, n_actions):
    values = {"ips": ips.Estimator(), "snips": snips.Estimator()}
    intervals = {"gaussian": gaussian.Interval(), "clopper-pearson": clopper_pearson.Interval(),
                 "cressie-read": cressieread.Interval(empirical_r_bounds=False, rmin=0, rmax=1)}
    for row in rows:
        for one in (*values.values(), *intervals.values()):
            one.add_example(float(row["propensity"]), float(row["reward"]), probability(policy, row, n_actions))
    # The program cuts intervals to what is possible.
    cut = {key: [min(1.0, max(0.0, float(end))) for end in one.get(0.05)] for key, one in intervals.items()}
    return {key: float(one.get()) for key, one in values.items()} | cut


def figures_of_kept(rows, policy, n_actions):
    interval = clopper_pearson.Interval()
    for row in rows:
        interval.add_example(float(row["propensity"]), float(row["reward"]), probability(policy, row, n_actions),
                             float(row["pdrop"]))
    return {"ips": interval.weighted_reward / interval.examples_count,
            "clopper-pearson": [float(end) for end in interval.get(0.05)]}


with open(sys.argv[1], encoding="utf-8") as log:
    events = list(csv.DictReader(log))
by = figures_of_kept if "pdrop" in events[0] else figures
print(json.dumps({name: by(events, name, int(sys.argv[2])) for name in sys.argv[3:]}))
