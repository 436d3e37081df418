#!/usr/bin/env python3
"""tests/http/load.py DIR [SECONDS]: 64 connections that decide and reward while others look at everything: all is
counted once, memory and files stay bounded. With SECONDS the memory is watched for so long: an hour's worth of traffic
of 1000 events a second is 3.6 million events.

Memory follows the number of events that are open or remembered, which is the rate times the time of wait and remember,
but at most `events_most` of each campaign. So a table that grows because this machine is faster now than before is no
growth: the campaign of the long run has an `events_most` that is reached at any rate, and memory is compared from then
on."""

import os
import re
import subprocess
import sys
import time
import threading

from harness import Server, campaign, memory_of, same, sanitized, tap

LOAD = os.path.join(os.path.abspath(sys.argv[1]), "bench", "serve_load")
LONG = len(sys.argv) > 2
SECONDS = float(sys.argv[2]) if LONG else 1.0
MEGABYTE = 1 << 20
EVENTS_MOST = 50000


def open_files(server):
    """Once the server has noticed which clients are gone, for which a busy machine gets some time."""
    for _ in range(100):
        files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        if files < 60:
            break
        time.sleep(0.1)
    return files


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


def events_open(server):
    found = re.search(r'^roster_campaign_events_open{campaign="bench"} (\d+)$',
                      server.get("/metrics/campaigns").body.decode(), re.M)
    return int(found[1])


def watch(server):
    """Events done, and memory from when the table is as large as it gets until the end."""
    events, sizes, begin = 0, [], time.monotonic()
    while time.monotonic() < begin + SECONDS or len(sizes) < 4:
        done, refused = load(server, "many", 5)
        if refused:
            return events, sizes, [f"refused: {refused}"]
        events += done
        if sizes or events_open(server) >= EVENTS_MOST:
            sizes.append(memory_of(server))
        elif time.monotonic() > begin + 4 * SECONDS:
            return events, sizes, [f"{EVENTS_MOST} events were never open at once"]
    return events, sizes, []


with Server() as server:
    # Windows so short that events close while the load runs; of the long run so long that the table is always full.
    reward = {"wait": 60, "remember": 60, "events_most": EVENTS_MOST} if LONG else {"wait": 2, "remember": 2}
    server.create(campaign("bench", reward={"default": 0.5, **reward}, episodes={"rounds": 20000}))
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
        events, sizes, problems = watch(server)
        total += events
        print(f"# {events} events; MB with {EVENTS_MOST} of them open: "
              + " ".join(f"{n / MEGABYTE:.1f}" for n in sizes))
        # Between two sizes lie a snapshot at most and some buffers, a few MB; what leaks at every event goes on.
        half = len(sizes) // 2
        grown = max(sizes[half:], default=0) - max(sizes[:half], default=0)
        tap.check("memory does not grow",
                  problems + ([] if grown < 8 * MEGABYTE or sanitized(server) else [f"{grown} bytes more"]))
    files = open_files(server)
    tap.check("connections that are gone hold no files", [] if files < 60 else [f"{files} files"])
    counters = server.get("/v1/campaigns/bench").json["counters"]
    tap.check(
        "every decision and reward is counted once",
        same("decisions and rewards", counters["decisions"] + counters["rewards"]["joined"], total),
    )
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
    tap.check("the log agrees with the library", server.audit())
tap.finish()
