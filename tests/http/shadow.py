#!/usr/bin/env python3
"""tests/http/shadow.py DIR: a campaign in mode shadow watches production, survives kills, goes live and back, and its
log is audited and read by `roster evaluate`."""

import json
import os
import random
import signal
import subprocess

from harness import PROGRAM, Server, campaign, refusal, same, tap

PATH = "/v1/campaigns/watch"
PRODUCTION = {"day": [0.2, 0.3, 0.5], "night": [0.5, 0.25, 0.25]}
WATCH = campaign("watch", mode="shadow", agent="direct")


def observe(server, first, n, rng):
    """Events of a production that is none of the experts; the third action pays."""
    sights, rewards = [], []
    for i in range(first, first + n):
        context = rng.choice(["day", "night"])
        action = rng.choices(range(3), PRODUCTION[context])[0]
        sight = {"event_id": f"e{i}", "context": context, "action": "abc"[action]}
        sights.append({**sight, "propensity": PRODUCTION[context][action]} if i % 10 else sight)
        rewards.append({"event_id": f"e{i}", "reward": float(rng.random() < (0.8 if action == 2 else 0.2))})
    answers = server.post(PATH + "/observed", sights).json
    server.post(PATH + "/reward", rewards)
    return sights, answers


def watched(server):
    return server.get(PATH).json["shadow"]


rng = random.Random(5)
with Server("--log", "errors", "--durability", "os", "--snapshot-every", "200") as server:
    server.create(WATCH)
    sights, answers = observe(server, 0, 1500, rng)
    tap.check(
        "observations are taken",
        same("statuses", {a["status"] for a in answers}, {"observed"})
        + same("unusable", sum(not a["usable"] for a in answers), 150),
    )
    tap.check(
        "again they are the same",
        same("answer", server.post(PATH + "/observed", sights[1]).json, {**answers[1], "repeated": True}),
    )
    tap.check(
        "it decides nothing",
        refusal(server.post(PATH + "/decide", {"context": "day"}), 409, "cannot-say", "mode shadow"),
    )
    before = watched(server)
    server.stop(signal.SIGKILL)
    server.start()
    tap.check("a kill loses nothing", same("shadow", watched(server), before))
    answers = observe(server, 1500, 1500, rng)[1]
    shadow = watched(server)
    value = {e["name"]: e["value"] for e in shadow["experts"]}
    true = {e["name"]: sum(0.8 * row[2] + 0.2 * (1 - row[2]) for row in e["table"]) / 2 for e in WATCH["experts"]}
    inside = [e["low"] <= true[e["name"]] <= e["high"] for e in shadow["experts"]]
    tap.check(
        "every expert has a value near what it would have earned",
        same("counts", [shadow["observed"], shadow["unusable"], shadow["rounds"]], [3000, 300, 2700])
        + same("intervals hold", inside, [True] * 3)
        + [f"{name}: {value[name]}, {true[name]}" for name in true if abs(value[name] - true[name]) > 0.1],
    )
    tap.check("the best one would be chosen", same("chosen", {a["would_choose"] for a in answers}, {"e2"}))
    server.post(PATH + "/controls", {"mode": "live"})
    live = server.post(PATH + "/decide", {"event_id": "own", "context": "day"})
    tap.check("it goes live", same("status", live.status, 200) + same("shadow", watched(server), shadow))
    tap.check(
        "and then watches nobody",
        refusal(server.post(PATH + "/observed", {**sights[1], "event_id": "late"}), 409, "cannot-say", "is live"),
    )
    server.post(PATH + "/controls", {"mode": "shadow"})
    observe(server, 3000, 100, rng)
    tap.check("and back", same("observed", watched(server)["observed"], 3100))
    tap.check("the page has it", [] if b"shadow-section" in server.get("/").body else ["no section"])
    tap.check("the audit finds nothing", same("code", server.stop(), 0) + server.audit())
    log = os.path.join(server.folder, "export.jsonl")
    with open(log, "wb") as file:
        subprocess.run([PROGRAM, "export", server.data, "--campaign", "watch"], stdout=file, check=True)
    done = subprocess.run([PROGRAM, "evaluate", log, "--json", "--policy", "uniform"], capture_output=True, text=True)
    tap.check("evaluate reads it", [] if done.returncode == 0 else [done.stderr or done.stdout])
tap.finish()
