#!/usr/bin/env python3
"""tests/http/snapshots.py DIR: snapshots are written by a child of the server, whose end, however it comes, is
counted."""

import os
import signal

from harness import Server, campaign, metric, same, tap, wait_for


def children(server):
    pid = server.process.pid
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def decide(server, n):
    answer = server.post("/v1/campaigns/shop/decide", [{"context": "day"}] * n)
    assert answer.status == 200, answer.body


with Server("--snapshot-every", "30000", "--log", "errors") as server:
    server.create(campaign("shop"))

    def made():
        decide(server, 5000)
        return metric(server, "roster_snapshots_total") >= 1

    tap.check("a snapshot is made while requests are answered", [] if wait_for(made, 60) else [server.said()])
    tap.check("its child is reaped", [] if wait_for(lambda: not children(server), 30) else ["it is still there"])
    tap.check("it is the state of the log", server.audit())
    for _ in range(20):
        decide(server, 10000)  # so that one takes long enough to be met

    def blocked():
        """The signals that a child does not hear, as a mask; None: no child was met."""
        decide(server, 3000)
        for _ in range(2000):
            for child in children(server):
                try:
                    for one in deaf_to:
                        os.kill(child, one)
                    with open(f"/proc/{child}/status", encoding="ascii") as file:
                        return next(int(line.split()[1], 16) for line in file if line.startswith("SigBlk"))
                except (OSError, StopIteration):
                    pass
        return None

    deaf_to, masks = [signal.SIGHUP, signal.SIGTERM, signal.SIGINT], []
    wait_for(lambda: masks.append(blocked()) or masks[-1] is not None, 60)
    heard = [one.name for one in deaf_to if masks[-1] is None or not masks[-1] >> (one - 1) & 1]
    tap.check("a child hears no signal that is meant for the server", heard)
    wait_for(lambda: not children(server), 30)

    def killed():
        decide(server, 3000)
        for _ in range(2000):
            for child in children(server):
                os.kill(child, signal.SIGKILL)
                return True
        return False

    met = wait_for(killed, 60)
    counted = wait_for(lambda: metric(server, "roster_snapshot_failures_total") >= 1, 30)
    tap.check("a child that is killed is counted", [] if met and counted else [f"met {met}, counted {counted}"])
    decide(server, 10)
    tap.check("and the server goes on", same("exit code", server.stop(), 0) + server.audit())
    names = os.listdir(server.data)
    tap.check("it leaves no half snapshot", [name for name in names if "half" in name])
tap.finish()
