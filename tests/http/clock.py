#!/usr/bin/env python3
"""tests/http/clock.py DIR: the machine's clock jumps, was ahead, goes back: windows last as long as they should, steps
are told, and a log that was taken into the future is repaired."""

import os
import re
import subprocess
import sys

from harness import PROGRAM, Server, campaign, preloaded, refusal, same, tap, wait_for

HOUR, DAY = 3600, 86400


class Shifted(Server):
    """A server whose machine's clock is wrong by as much as one says."""

    def __init__(self, *options):
        super().__init__(*options, expect=False)
        self.file = os.path.join(self.folder, "shift")
        self.environment = preloaded("shift_clock", SHIFT_CLOCK=self.file)
        self.popen = {"env": self.environment}
        self.shift(0)

    def shift(self, seconds):
        with open(self.file + ".new", "w", encoding="ascii") as file:
            file.write(f"{seconds}\n")
        os.replace(self.file + ".new", self.file)

    def metric(self, name):
        return float(re.search(rf"^{name} (\S+)$", self.get("/metrics").body.decode(), re.MULTILINE)[1])

    def open_events(self, name):
        return self.get(f"/v1/campaigns/{name}").json["counters"]["open"]

    def decide(self, name):
        return self.post(f"/v1/campaigns/{name}/decide", {"context": 0})

    def sees(self, offset):
        """That it has compared its time with the machine's, and how far it is ahead of it by now."""
        return wait_for(lambda: abs(self.metric("roster_clock_offset_seconds") - offset) < 60, 30)

    def says(self, event, times=1):
        """What is wrong, as a list: its log is written a little later."""
        return [] if wait_for(lambda: self.said().count(event) >= times) else [self.said()[-300:]]

    def repair(self, *options):
        done = subprocess.run(
            [PROGRAM, "repair", "clock", self.data, *options], capture_output=True, text=True, env=self.environment
        )
        return done.returncode, done.stdout + done.stderr


def window(name, seconds):
    return campaign(name, reward={"wait": seconds, "default": 0})


with Shifted() as server:
    server.start()
    server.create(window("long", HOUR))
    server.decide("long")
    server.shift(2 * HOUR)
    tap.check("a step ahead is noticed", [] if server.sees(-2 * HOUR) else ["it is not"])
    tap.check("it closes nothing", same("open", server.open_events("long"), 1))
    server.shift(0)
    tap.check("nor does the step back", [] if server.sees(0) else ["it is not seen"])
    tap.check("no event was closed", same("open", server.open_events("long"), 1))
    tap.check("both were counted", [] if server.metric("roster_clock_steps_total") >= 2 else ["they were not"])
    tap.check("and told", server.says("clock-stepped", 2))

    server.shift(2 * HOUR)
    server.sees(-2 * HOUR)
    for body in ({}, {"adopt": False}, {"adopt": 1}, [], {"adopt": True, "more": 1}):
        tap.check(f"{body} adopts nothing", refusal(server.post("/v1/clock", body), 400, "invalid"))
    answer = server.post("/v1/clock", {"adopt": True})
    tap.check(
        "a forward step is adopted by request",
        same("status", answer.status, 200)
        + ([] if abs(answer.json["adopted_seconds"] - 2 * HOUR) < 60 else [str(answer.json)])
        + ([] if abs(answer.json["offset_seconds"]) < 1 else [str(answer.json)]),
    )
    tap.check("windows that are over then close",
              [] if wait_for(lambda: server.open_events("long") == 0, 30) else ["no"])
    tap.check("that is told", server.says("clock-adopted"))
    server.shift(0)
    server.sees(2 * HOUR)
    tap.check("a backward step is not",
              same("adopted", server.post("/v1/clock", {"adopt": True}).json["adopted_seconds"], 0))
    tap.check("the log agrees", same("exit code", server.stop(), 0) + server.audit())

with Shifted() as server:
    server.shift(10 * DAY)
    server.start()
    server.create(window("short", 2), window("long", HOUR))
    server.decide("short")
    server.decide("long")
    server.stop()
    server.shift(0)
    code, said = server.repair()
    tap.check(
        "repair says what it would do",
        same("exit code", code, 0)
        + ([] if "--yes" in said and re.search(r"(239|240):\d\d:\d\d ahead", said) else [said]),
    )
    server.start()
    tap.check("a log of the future is told of", server.says("clock-behind-log"))
    tap.check("windows go on after a restart", [] if wait_for(lambda: server.open_events("short") == 0, 60) else ["no"])
    server.decide("short")
    tap.check("new ones too", [] if wait_for(lambda: server.open_events("short") == 0, 60) else ["no"])
    tap.check("it is ahead still", [] if server.metric("roster_clock_offset_seconds") > 9 * DAY else ["it is not"])
    code, said = server.repair("--yes")
    tap.check("a log in use is not repaired", same("exit code", code, 1) + ([] if "in use" in said else [said]))
    server.stop()
    code, said = server.repair("--yes")
    tap.check("it is repaired",
              same("exit code", code, 0) + ([] if "set back" in said and "1 event is open" in said else [said]))
    tap.check("once is enough", [] if "nothing to repair" in server.repair("--yes")[1] else ["it repairs again"])
    server.start()
    tap.check("time is right again", [] if server.sees(0) else [str(server.metric("roster_clock_offset_seconds"))])
    tap.check("open windows stay open", same("open", server.open_events("long"), 1))
    kinds = [line["kind"] for line in server.get("/v1/events").lines]
    tap.check("the log says so", same("clock records", kinds.count("clock"), 1))
    tap.check("and passes the audit", same("exit code", server.stop(), 0) + server.audit())
tap.finish()
