#!/usr/bin/env python3
"""tests/http/load.py DIR [SECONDS]: 64 connections that decide and reward while others look at everything: all is
counted once, memory and files stay bounded. With SECONDS the memory is watched for so long: an hour's worth of traffic
of 1000 events a second is 3.6 million events."""

import os
import subprocess
import sys
import threading

from harness import Server, campaign, same, tap

LOAD = os.path.join(os.path.abspath(sys.argv[1]), "bench", "load")
LONG = len(sys.argv) > 2
SECONDS = float(sys.argv[2]) if LONG else 1.0
MEGABYTE = 1 << 20


def memory(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) * 1024


def load(server, mode, seconds, connections=64):
    done = subprocess.run(
        [LOAD, str(server.port), str(connections), str(seconds), mode], capture_output=True, text=True
    )
    words = done.stdout.split()
    return (int(words[words.index("in") - 1]), int(words[words.index("refused") - 1])) if words else (0, done.stderr)


def look(server, stop, problems):
    """What people and Prometheus ask meanwhile."""
    while not stop.is_set():
        for path in (
            "/v1/campaigns",
            "/v1/campaigns/bench",
            "/metrics",
            "/metrics/campaigns",
            "/v1/state",
            "/v1/events?limit=100&after=50",
        ):
            answer = server.get(path)
            if answer.status != 200:
                problems.append(f"{path}: {answer.status} {answer.body[:200]}")
        stop.wait(0.05)


with Server() as server:
    # Windows so short that events close while the load runs.
    server.create(campaign("bench", reward={"wait": 2, "remember": 2, "default": 0.5}, episodes={"rounds": 20000}))
    stop, problems, total = threading.Event(), [], 0
    thread = threading.Thread(target=look, args=(server, stop, problems))
    thread.start()
    for mode in ("one", "many"):
        done, refused = load(server, mode, SECONDS if not LONG else 2)
        total += done
        tap.check(f"{mode}: all is answered", same("refused", refused, 0) + ([] if done > 100 else [f"only {done}"]))
    stop.set()
    thread.join()
    tap.check("looking on is no hindrance", problems[:3])
    if LONG:
        first, events, rounds = None, 0, 0
        while rounds < SECONDS / 5:
            done, refused = load(server, "many", 5)
            total += done
            events += done
            rounds += 1
            first = memory(server) if rounds == 3 else first
        most = memory(server)
        print(
            f"# {events} events in {rounds * 5} s, {first / MEGABYTE:.1f} MB after 15 s, then {most / MEGABYTE:.1f} MB"
        )
        tap.check("memory does not grow", [] if most < 1.2 * first + 8 * MEGABYTE else [f"{first} bytes, then {most}"])
    files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    tap.check("connections that are gone hold no files", [] if files < 60 else [f"{files} files"])
    counters = server.get("/v1/campaigns/bench").json["counters"]
    tap.check(
        "every decision and reward is counted once",
        same("decisions and rewards", counters["decisions"] + counters["rewards"]["joined"], total),
    )
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
    tap.check("the log agrees with the library", server.audit())
tap.finish()
