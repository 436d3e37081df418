#!/usr/bin/env python3
"""tests/http/evaluate.py DIR: what a service logged, evaluated: its own figures come out again.

Decisions wait for rewards that arrive in another order; events in JSON lines and in DSJSON give the same values; an
expert that acted is worth what the formula says, summed by hand from the log; and what the page of the campaign says of
every expert, value, interval and whether it is the best, comes out of the exported log, also after the service has
started again and replayed it.
"""

import json
import math
import os
import subprocess
import tempfile

from harness import PROGRAM, SHOP, Server, same, tap

N = 400


def evaluated(lines, *options):
    done = subprocess.run([PROGRAM, "evaluate", "-", "--json", *options], input=lines, capture_output=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {done.stderr.decode()}")
    return json.loads(done.stdout)


def exported(server):
    """The log as `roster export` writes it."""
    done = subprocess.run([PROGRAM, "export", server.data, "--campaign", "shop"], capture_output=True, check=True)
    return done.stdout


def of_service(server):
    """What the campaign says of its experts."""
    shown = server.get("/v1/campaigns/shop").json
    return shown["rounds"], {e["name"]: {key: e[key] for key in ("value", "low", "high", "excluded")}
                             for e in shown["experts"]}


def of_log(lines):
    """What the evaluation of the log says of the experts."""
    with tempfile.TemporaryDirectory() as folder:
        roster = os.path.join(folder, "roster.json")
        with open(roster, "w", encoding="utf-8") as file:
            json.dump({key: SHOP[key] for key in ("contexts", "actions", "experts")}, file)
        got = evaluated(lines, "--experts", roster)
    return got["events"], {p["name"]: p["evidence"] for p in got["policies"]}


def apart(shown, found):
    """Where the figures of the service and those of the log differ."""
    wrong = [] if shown[0] == found[0] else [f"{shown[0]} rounds, {found[0]} events"]
    for name, figures in shown[1].items():
        for key, number in figures.items():
            if not math.isclose(number, found[1].get(name, {}).get(key, math.nan), rel_tol=1e-9, abs_tol=1e-12):
                wrong.append(f"{name}: {key} is {number}, by the log {found[1].get(name)}")
    return wrong


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
    shown = of_service(server)
    tap.check("the log says of every expert what the service does", apart(shown, of_log(lines)))
    spread = [figures["high"] - figures["low"] for figures in shown[1].values()]
    tap.check("these figures say something", [] if len(spread) == 3 and max(spread) < 0.9 else [str(shown)])
    server.stop()
    tap.check("so does the log as roster export writes it", apart(shown, of_log(exported(server))))
    server.start()
    tap.check("the service says the same after replaying", apart(of_service(server), of_log(exported(server))))
tap.finish()
