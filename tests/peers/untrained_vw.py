"""untrained_vw.py LOG OPTION...: what vw says that a model earns which has learnt nothing (always the first)."""
import json
import sys

from vowpalwabbit import Workspace

with Workspace(" ".join([*sys.argv[2:], "-t", "-d", sys.argv[1], "--quiet"])) as model:
    print(json.dumps({"always:1": -model.get_sum_loss() / model.get_weighted_examples()}))
