"""time_vw.py LOG: processor seconds and memory of vw-estimators' IPS, reading included, and its value."""
import csv
import json
import resource
import sys
import time

from estimators.bandits import ips

start = time.process_time()
estimator = ips.Estimator()
with open(sys.argv[1], encoding="utf-8") as file:
    rows = csv.reader(file)
    next(rows)
    for _, _, action, propensity, reward in rows:
        estimator.add_example(float(propensity), float(reward), 1.0 if action == "3" else 0.0)
print(json.dumps({"seconds": time.process_time() - start, "value": estimator.get(),
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
