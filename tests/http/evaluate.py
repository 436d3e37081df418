#!/usr/bin/env python3
"""tests/http/evaluate.py DIR: what a service logged, evaluated: its own figures come out again.

Decisions wait for rewards that arrive in another order; events in JSON lines and in DSJSON give the same values; an
expert that acted is worth what the formula says, summed by hand from the log.
"""

import json
import math
import subprocess

from harness import PROGRAM, SHOP, Server, same, tap

N = 400


def evaluated(lines, *options):
    done = subprocess.run([PROGRAM, "evaluate", "-", "--json", *options], input=lines, capture_output=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {done.stderr.decode()}")
    return json.loads(done.stdout)


with Server() as server:
    server.create(SHOP)
    events = "/v1/campaigns/shop/events"
    decided = {}
    for i in range(N):
        answer = server.post("/v1/campaigns/shop/decide", {"event_id": f"e{i}", "context": i % 2})
        decided[f"e{i}"] = answer.json
    rewards = {f"e{i}": (7 * i % 10) / 10 for i in range(N)}
    order = sorted(rewards, key=lambda event: (hash(rewards[event]), event))
    for event in order[: N - 50]:
        server.post("/v1/campaigns/shop/reward", {"event_id": event, "reward": rewards[event]})
    lines, dsjson = server.get(events).body, server.get(f"{events}?format=dsjson").body
    learnt = [json.loads(line) for line in lines.splitlines()]
    by_id = {line["event_id"]: line for line in learnt if line["kind"] == "decide"}
    known = [line for line in learnt if line["kind"] == "reward"]
    name = by_id["e0"]["action"]
    got = evaluated(lines, "--policy", f"always:{name}", "--policy", "logged")
    mean = sum(line["learnt"] for line in known) / len(known)
    tap.check("every decision with a reward is an event", same("events", got["events"], N - 50))
    tap.check("what was served earned the mean reward",
              [] if math.isclose(got["served"]["value"], mean) else [got["served"]])
    ips = sum(line["learnt"] / by_id[line["event_id"]]["propensity"] for line in known
              if by_id[line["event_id"]]["action"] == name) / len(known)
    tap.check("IPS is the sum over the log",
              [] if math.isclose(got["policies"][0]["ips"], ips) else [got["policies"][0]])
    tap.check("the interval holds what was served",
              [] if got["served"]["low"] <= mean <= got["served"]["high"] else [got["served"]])
    as_dsjson = evaluated(dsjson, "--policy", "uniform", "--policy", "logged")
    tap.check("as DSJSON it earned the same",
              [] if math.isclose(as_dsjson["served"]["value"], mean) else [as_dsjson["served"]])
tap.finish()
