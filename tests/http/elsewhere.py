#!/usr/bin/env python3
"""tests/http/elsewhere.py DIR [KILLS]: experts that act elsewhere: chosen, told what they did, rewarded; also where the
server is killed in between, and by the log afterwards."""

import http.client
import random
import signal
import sys
import threading
import time

from harness import Client, PROGRAM, Server, refusal, same, tap, wait_for

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
ADS = {"name": "ads", "kind": "external", "experts": ["old", "new", "bold"], "seed": 5}
CHOOSE, ACTED, REWARD = (f"/v1/campaigns/ads/{what}" for what in ("choose", "acted", "reward"))
PI = {"old": 0.5, "new": 0.25, "bold": 0.125}


def in_two_steps(server):
    first = server.post(CHOOSE, {"event_id": "x"})
    yield "an expert is chosen", same("keys", sorted(first.json), ["episode", "event_id", "expert"])
    again = server.post(CHOOSE, {"event_id": "x"})
    yield "the same event_id gives the same expert", same("answer", again.json, {**first.json, "repeated": True})
    deed = {"event_id": "x", "action": "a17", "probabilities": PI}
    told = {"event_id": "x", "status": "acted", "propensity": PI[first.json["expert"]]}
    yield "what it did is told", same("answer", server.post(ACTED, deed).json, told)
    yield "and told again", same("answer", server.post(ACTED, deed).json, {**told, "repeated": True})
    yield "but not otherwise", refusal(server.post(ACTED, {**deed, "action": "a18"}), 409, "event-conflict")
    yield "its reward joins", same("status", server.post(REWARD, {"event_id": "x", "reward": 1}).status, 200)
    yield "and is learnt", same("learnt", server.get("/v1/campaigns/ads").json["counters"]["learnt"], 1)
    yield "one that was not chosen is unknown", refusal(
        server.post(ACTED, {**deed, "event_id": "y"}), 404, "unknown-event", "choose first"
    )
    server.post(CHOOSE, {"event_id": "z"})
    yield "an impossible action is refused", refusal(
        server.post(ACTED, {"event_id": "z", "action": "a", "actions": list("bbb")}),
        422, "not-a-distribution", "was chosen and took the action",
    )
    said = server.post("/v1/campaigns/ads/decide", {})
    yield "decide says what to do", refusal(said, 400, "invalid", "use choose and acted")
    many = server.post(CHOOSE, [{"event_id": f"many-{i}"} for i in range(3000)]).json
    deeds = [{"event_id": c["event_id"], "action": "b", "probabilities": list(PI.values())} for c in many]
    answers = server.post(ACTED, deeds + [{"event_id": "nobody", "action": "b", "actions": list("bbb")}]).json
    yield "lists have an answer per item", same(
        "answers", [len(answers), answers[0]["status"], answers[-1]["error"]["code"]], [3001, "acted", "unknown-event"]
    )
    server.post(REWARD, [{"event_id": c["event_id"], "reward": i % 2} for i, c in enumerate(many)])
    experts = server.get("/v1/campaigns/ads").json["experts"]
    ordered = [e["low"] <= e["value"] <= e["high"] for e in experts]
    yield "every expert has an interval", same("ordered", ordered, [True] * 3)


def with_actions(server):
    """One step: actions that come with the request, very many of them, and nobody waits long."""
    decide = "/v1/campaigns/ads/decide"
    actions = [f"item-{i}" for i in range(100000)]
    rows = {"old": {"top": {"item-3": 0.25, "item-99": 0.5}, "tail": 0.25}, "new": {"item-7": 1}, "bold": {"item-7": 1}}
    body = {"event_id": "wide", "actions": actions, "probabilities": rows}
    first = server.post(decide, body)
    expert, action = first.json["expert"], first.json["action"]
    listed = rows[expert].get("top", rows[expert])
    expected = listed.get(action, rows[expert].get("tail", 0) / (len(actions) - len(listed)))
    yield "a hundred thousand actions", same("propensity", first.json["propensity"], expected)
    yield "again", same("answer", server.post(decide, body).json, {**first.json, "repeated": True})
    yield "its reward joins", same("status", server.post(REWARD, {"event_id": "wide", "reward": 1}).status, 200)
    lines = [line for line in server.get("/v1/campaigns/ads/events").lines if line.get("event_id") == "wide"]
    yield "the log has the numbers of the action alone", same(
        "kinds", [(line["kind"], len(line.get("probabilities", []))) for line in lines],
        [("choose", 0), ("acted", 3), ("reward", 0)],
    )
    items = [{"probabilities": [{"a": 0.5, "b": 0.5}, {"b": 1}, {"a": 1}]} for _ in range(2000)]
    answers = server.post(decide, items).json
    yield "lists too", same("actions", {answer["action"] for answer in answers} <= {"a", "b"}, True)


def late(server):
    server.create({**ADS, "name": "short", "reward": {"wait": 0.05}})
    path = "/v1/campaigns/short/"
    server.post(path + "choose", {"event_id": "x"})
    server.post(path + "reward", {"event_id": "x", "reward": 1})
    counters = lambda: server.get(path[:-1]).json["counters"]
    yield "a window ends without an action", same("closed", wait_for(lambda: counters()["open"] == 0), True)
    yield "and is counted", same("unacted", [counters()["unacted"], counters()["learnt"]], [1, 0])
    answer = server.post(path + "acted", {"event_id": "x", "action": "a", "probabilities": PI})
    yield "what comes then is refused", refusal(answer, 410, "event-over", "is over")


class Callers:
    """Threads that choose, act and reward in any order until the server is gone."""

    def __init__(self, server, prefix):
        self.server, self.prefix = server, prefix
        self.chosen, self.acted, self.joined, self.problems = {}, {}, set(), []
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(3)]
        for thread in self.threads:
            thread.start()

    def tell(self, client, event, n):
        deed = {"event_id": event, "action": f"a{n % 7}", "probabilities": PI}
        answer = client.ask("POST", ACTED, deed)
        if answer.status == 200:
            self.acted[event] = deed
        else:
            self.problems.append(f"acted {event}: {answer.body!r}")

    def work(self, which):
        client, n = Client(self.server.port), 0
        try:
            while True:
                n += 1
                event = f"{self.prefix}-{which}-{n}"
                self.chosen[event] = client.ask("POST", CHOOSE, {"event_id": event}).json
                if n % 2:
                    self.tell(client, event, n)
                if n % 5:
                    answer = client.ask("POST", REWARD, {"event_id": event, "reward": n % 3 / 2})
                    self.joined |= {event} if answer.json.get("status") == "joined" else set()
                if n % 4 == 0:
                    self.tell(client, event, n)
        except (OSError, http.client.HTTPException):
            client.close()


def held(server, callers):
    client, problems = Client(server.port), callers.problems[:3]
    for event, told in callers.chosen.items():
        now = client.ask("POST", CHOOSE, {"event_id": event}).json
        problems += [] if now == {**told, "repeated": True} else [f"{event}: told {told}, now {now}"]
    for event, deed in callers.acted.items():
        now = client.ask("POST", ACTED, deed).json
        problems += [] if now.get("repeated") else [f"{event} had acted, now {now}"]
    for event in callers.joined:
        now = client.ask("POST", REWARD, {"event_id": event, "reward": 1}).json
        problems += [] if now.get("status") == "duplicate" else [f"{event} was rewarded, now {now}"]
    client.close()
    return problems[:5]


def learnt(server):
    """By the log: an event is learnt once it has acted and has its reward."""
    lines = server.get("/v1/campaigns/ads/events").lines
    acted = {line["event_id"] for line in lines if line["kind"] == "acted"}
    joined = {line["event_id"] for line in lines if line["kind"] == "reward" and line["status"] == "joined"}
    counters = server.get("/v1/campaigns/ads").json["counters"]
    return same("learnt", counters["learnt"], len(acted & joined))


with Server("--log", "errors") as server:
    server.create(ADS)
    for words, problems in in_two_steps(server):
        tap.check(words, problems)
    for words, problems in with_actions(server):
        tap.check(words, problems)
    for words, problems in late(server):
        tap.check(words, problems)
    tap.check("the audit finds nothing", same("code", server.stop(), 0) + server.audit())

with Server("--log", "errors", "--durability", "os", "--snapshot-every", "60") as server:
    server.create(ADS)
    for kill in range(KILLS):
        callers = Callers(server, f"k{kill}")
        wait_for(lambda: len(callers.joined) > 20)
        time.sleep(random.uniform(0.01, 0.2))
        server.stop(signal.SIGKILL)
        for thread in callers.threads:
            thread.join()
        server.start()
        tap.check(f"kill {kill + 1}: what was told holds", held(server, callers) + learnt(server))
    tap.check("and the audit finds nothing", same("code", server.stop(), 0) + server.audit())
tap.finish()
