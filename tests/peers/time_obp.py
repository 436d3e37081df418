"""time_obp.py LOG [RESAMPLES]: processor seconds and memory of OBP's six values, or of one bootstrap, and its IPS.

Reading is included, importing is not. The regression model is the mean reward of each action.
"""
import json
import resource
import sys
import time

import numpy as np
import obp_estimators
import pandas as pd

obp = obp_estimators.load()
start = time.process_time()
log = pd.read_csv(sys.argv[1])
n = len(log)
target = np.zeros((n, 10, 1))
target[:, 3, 0] = 1
known = dict(reward=log.reward.values, action=log.action.values, pscore=log.propensity.values,
             position=np.zeros(n, dtype=int), action_dist=target)
ips = obp.InverseProbabilityWeighting()
if len(sys.argv) > 2:
    ips.estimate_interval(**known, n_bootstrap_samples=int(sys.argv[2]))
else:
    means = np.broadcast_to(log.groupby("action").reward.mean().values[None, :, None], (n, 10, 1))
    for one in (obp.SelfNormalizedInverseProbabilityWeighting(), obp.DirectMethod(), obp.DoublyRobust(),
                obp.SwitchDoublyRobust(lambda_=10), obp.DoublyRobustWithShrinkage(lambda_=10)):
        one.estimate_policy_value(**known, estimated_rewards_by_reg_model=means)
value = ips.estimate_policy_value(**known)
print(json.dumps({"seconds": time.process_time() - start, "value": float(value),
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
