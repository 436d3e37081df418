#!/usr/bin/env python3
"""tests/http/expert_changes.py DIR [CHANGES]: experts come, change and go under load and kills, and nothing is lost."""

import random
import subprocess
import sys
import threading

from harness import PROGRAM, Client, Server, campaign, refusal, tap, wait_for

CHANGES = int(sys.argv[2]) if len(sys.argv) > 2 else 10
EXPERTS, DECIDE = "/v1/campaigns/shop/experts", "/v1/campaigns/shop/decide"
JSON = {"Content-Type": "application/json"}


def check(text, holds, said=""):
    tap.check(text, [] if holds else [str(said)[:2000]])


def expert(name, rng):
    rows = [[rng.random() + 0.1 for _ in range(3)] for _ in range(2)]
    return {"name": name, "table": [[p / sum(row) for p in row] for row in rows]}


class Load(threading.Thread):
    """Decides and rewards until the server is gone; what was answered is kept."""

    def __init__(self, port, name):
        super().__init__()
        self.port, self.name_, self.decided, self.joined = port, name, {}, 0
        self.over = False

    def run(self):
        client, n, rng = Client(self.port), 0, random.Random(self.name_)
        try:
            while not self.over:
                n += 1
                event = f"{self.name_}-{n}"
                asked = {"event_id": event, "context": rng.choice(["day", "night"])}
                answer = client.ask("POST", DECIDE, asked).json
                self.decided[event] = asked, answer["expert"]
                reward = 1.0 if rng.random() < 0.3 + 0.2 * "abc".index(answer["action"]) else 0.0
                told = client.ask("POST", "/v1/campaigns/shop/reward", {"event_id": event, "reward": reward})
                self.joined += told.json["status"] == "joined"
        except (OSError, ValueError, KeyError):
            pass  # killed in the middle
        client.close()


def count(loads):
    return sum(len(load.decided) for load in loads)


def change(server, turn, rng, there):
    """By turns one comes, one is replaced, one retires: the one that is there longest."""
    kind = turn % 3
    if kind == 0:
        answer = server.post(EXPERTS, expert(f"new {turn}", rng))
    elif kind == 1:
        answer = server.ask("PUT", f"{EXPERTS}/{there[0].replace(' ', '%20')}", expert(f"new {turn}", rng), JSON)
    else:
        answer = server.ask("DELETE", f"{EXPERTS}/{there[0].replace(' ', '%20')}")
    assert answer.status == 200, answer.body
    if kind > 0:
        there.pop(0)
    if kind < 2:
        there.append(f"new {turn}")
    return answer.json


def under_kills():
    rng, there, decided, joined = random.Random(1), ["e0", "e1", "e2"], {}, 0
    server = Server("--snapshot-every", "400").create(campaign("shop", agent="direct"))
    for turn in range(CHANGES):
        loads = [Load(server.port, f"{turn}-{i}") for i in range(3)]
        for load in loads:
            load.start()
        wait_for(lambda: count(loads) >= 60)
        now = change(server, turn, rng, there)
        active = [e["name"] for e in now["experts"] if not e["retired"]]
        assert active == there, (active, there)
        before = count(loads)
        wait_for(lambda: count(loads) >= before + 60)
        if turn % 2 == 0:
            server.process.kill()
            server.process.wait()
        for load in loads:
            load.over = True
            load.join()
            decided.update(load.decided)
            joined += load.joined
        if turn % 2 == 0:
            server.start()
    figures = server.get("/v1/campaigns/shop").json
    check("all experts that came are there, and those that went are retired",
              [e["name"] for e in figures["experts"] if not e["retired"]] == there, figures["experts"])
    counters = figures["counters"]
    check("nothing that was answered is lost",
              counters["decisions"] >= len(decided) and counters["learnt"] >= joined, counters)
    again = [(server.post(DECIDE, asked).json["expert"], chosen) for asked, chosen in list(decided.values())[::37]]
    check("decisions are those that were answered", all(now == then for now, then in again), again)
    server.process.kill()
    server.process.wait()
    server.start()
    after = server.get("/v1/campaigns/shop").json
    keys = ("experts", "leader", "known", "rounds", "evidence_rounds")
    check("a start gives the same figures", all(figures[k] == after[k] for k in keys))
    server.stop()
    audit = subprocess.run([PROGRAM, "audit", server.data], capture_output=True, text=True)
    check("the audit derives every decision again", audit.returncode == 0, audit.stdout + audit.stderr)
    server.end()


def answers():
    rng = random.Random(2)
    server = Server().create(campaign("shop"))
    for i in range(400):
        made = server.post(DECIDE, {"context": "day" if i % 2 else "night"}).json
        server.post("/v1/campaigns/shop/reward", {"event_id": made["event_id"], "reward": i % 3 / 2})
    last = server.get("/v1/state").json["store"]["records"]
    tried = server.post(EXPERTS + "?dry_run=true", expert("new", rng))
    check("a dry run says what would be known", tried.status == 200 and tried.json["from_past"] == 400
              and 0 < tried.json["low"] < tried.json["value"] < tried.json["high"] < 1, tried.body)
    check("and changes nothing", server.get("/v1/state").json["store"]["records"] == last)
    added = server.post(EXPERTS, expert("a/b c", rng)).json["experts"][-1]
    check("an expert that comes has a value at once", added["name"] == "a/b c" and added["plays"] == 0
              and added["from_past"] == 400 and added["low"] is not None, added)
    replaced = server.ask("PUT", EXPERTS + "/a%2Fb%20c", expert("a/b d", rng), JSON)
    check("a name may have a slash", [e["retired"] for e in replaced.json["experts"]] == [False] * 3 + [True, False])
    gone = server.ask("DELETE", EXPERTS + "/e0").json["experts"][0]
    check("one that retired is told, without an index", gone["retired"] and gone["index"] is None, gone)
    lines = [line for line in server.get("/v1/events").lines if line["kind"] == "experts"]
    check("the log says it", [(line["retired"], (line["expert"] or {}).get("name")) for line in lines]
              == [(None, "a/b c"), ("a/b c", "a/b d"), ("e0", None)], lines)
    refused = [
        (server.ask("DELETE", EXPERTS + "/nobody"), 404, "unknown-expert", "campaign shop has no expert nobody"),
        (server.post(EXPERTS, expert("e0", rng)), 400, "invalid", "which campaign shop has or had"),
        (server.post(EXPERTS + "?dry_run=maybe", expert("x", rng)), 400, "invalid", "dry_run must be true or false"),
        (server.post(EXPERTS, ""), 400, "invalid", "the body must describe the expert"),
        (server.ask("PUT", EXPERTS + "/e1", "x", {"Content-Type": "text/plain"}), 415, "media-type", "text/plain"),
        (server.ask("PUT", EXPERTS, expert("x", rng), JSON), 405, "method-not-allowed", "use POST"),
    ]
    tap.check("what is wrong is refused", [problem for one in refused for problem in refusal(*one)])
    server.end()


answers()
under_kills()
tap.finish()
