"""explore_vw.py FOLDER: vw explores, learns and writes logs of what it did; what vw says of these logs, as JSON.

log.vw (one line per event), log.adf (several), log.dsjson, and log.csv with what a policy learnt from log.vw would do.
A model that has learnt nothing takes the first action; as an explorer it takes all alike.
"""
import json
import os
import random
import sys

import pandas
from estimators.bandits import ips
from vowpalwabbit import Workspace
from vowpalwabbit.dftovw import ContextualbanditLabel, DFtoVW, Feature

K, EVENTS = 4, 2000


def shared_lines(device):
    return [f"shared |u d={device}"] + [f"|a n={k}" for k in range(K)]


def explore():
    """Events: device, action from 0, probabilities of all, reward."""
    chance = random.Random(3)
    events = []
    with Workspace("--cb_explore_adf --epsilon 0.3 --quiet") as model:
        for _ in range(EVENTS):
            device = chance.choice(["phone", "desk"])
            lines = shared_lines(device)
            p = model.predict(lines)
            action = chance.choices(range(K), p)[0]
            reward = float(chance.random() < (0.7 if (device == "phone") == (action == 2) else 0.2))
            lines[1 + action] = f"0:{-reward}:{p[action]} {lines[1 + action]}"
            model.learn(lines)
            events.append((device, action, p, reward))
    return events


def as_text(events):
    frame = pandas.DataFrame({"a": [e[1] + 1 for e in events], "cost": [-e[3] for e in events],
                              "p": [e[2][e[1]] for e in events], "d": [e[0] for e in events]})
    return DFtoVW(df=frame, label=ContextualbanditLabel("a", "cost", "p"), features=Feature("d")).convert_df()


def as_adf(event):
    device, action, p, reward = event
    lines = shared_lines(device)
    lines[1 + action] = f"0:{-reward}:{p[action]} {lines[1 + action]}"
    return "\n".join(lines) + "\n"


def as_dsjson(number, event):
    device, action, p, reward = event
    return json.dumps({"_label_cost": -reward, "_label_probability": p[action], "_label_Action": action + 1,
                       "_labelIndex": action, "EventId": f"e{number}", "a": list(range(1, K + 1)), "p": p,
                       "c": {"u": {"d": device}, "_multi": [{"a": {"n": str(k)}} for k in range(K)]}})


def write(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def mean_reward(options, path):
    """By vw: minus the average loss."""
    with Workspace(f"{options} -t -d {path} --quiet") as model:
        return -model.get_sum_loss() / model.get_weighted_examples()


def exactly(events, probability):
    estimator = ips.Estimator()
    for _, action, p, reward in events:
        estimator.add_example(p[action], reward, probability(action))
    return {"ips": estimator.get()}


def learn(folder, lines):
    """What a model learnt from the log does in each event, and what it earns there according to vw."""
    model = os.path.join(folder, "model")
    with Workspace(f"--cb {K} --cb_type ips -f {model} --quiet") as learner:
        for line in lines:
            learner.learn(line)
    with Workspace(f"-t -i {model} --quiet") as learnt:
        does = [learnt.predict("| " + line.split("|")[1].strip()) for line in lines]
    return does, mean_reward(f"-i {model}", os.path.join(folder, "log.vw"))


def main():
    folder = sys.argv[1]
    events = explore()
    text = as_text(events)
    write(folder, "log.vw", text)
    write(folder, "log.adf", map(as_adf, events))
    write(folder, "log.dsjson", (as_dsjson(i, event) for i, event in enumerate(events)))
    does, learnt = learn(folder, text)
    write(folder, "log.csv", ["device,action,propensity,reward,a_learnt"] + [
        f"{e[0]},{e[1] + 1},{e[2][e[1]]!r},{e[3]},{a}" for e, a in zip(events, does)])
    adf, dsjson = os.path.join(folder, "log.adf"), os.path.join(folder, "log.dsjson")
    print(json.dumps({
        "logs": {
            "log.vw": {"always:1": mean_reward(f"--cb {K}", os.path.join(folder, "log.vw"))},
            "log.adf": {"always:1": mean_reward("--cb_adf", adf), "uniform": mean_reward("--cb_explore_adf", adf)},
            "log.dsjson": {"always:1": mean_reward("--cb_adf --dsjson", dsjson),
                           "uniform": mean_reward("--cb_explore_adf --dsjson", dsjson)},
        },
        "learnt": learnt,
        "estimators": {"always:1": exactly(events, lambda action: float(action == 0)),
                       "uniform": exactly(events, lambda _: 1 / K)},
    }))


main()
