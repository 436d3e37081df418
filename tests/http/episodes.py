#!/usr/bin/env python3
"""tests/http/episodes.py DIR: campaigns and episodes of many experts are prepared beside requests, which go on."""

import json
import random
import signal
import socket
import time

from harness import Answer, Server, campaign, metric, refusal, same, tap, wait_for

EXPERTS, CONTEXTS, ACTIONS = 300, 10, 10
AGENT = {"agent": "ed-ucb", "p_V": 0.02, "p_X": 0.05, "xi": 0.001}


def roster(name):
    return {
        "name": name,
        "contexts": [f"c{i}" for i in range(CONTEXTS)],
        "actions": [f"a{i}" for i in range(ACTIONS)],
        "experts": [{"name": f"e{k}"} for k in range(EXPERTS)],
    }


def samples():
    rng = random.Random(3)
    cells = ((k, x, v) for k in range(EXPERTS) for x in range(CONTEXTS) for v in range(ACTIONS))
    return [{"expert": k, "context": x, "action": v, "count": rng.randint(500, 1500)} for k, x, v in cells]


def tables(name):
    rng = random.Random(4)
    experts = []
    for k in range(EXPERTS):
        rows = [[rng.random() + 0.05 for _ in range(ACTIONS)] for _ in range(CONTEXTS)]
        experts.append({"name": f"e{k}", "table": [[p / sum(row) for p in row] for row in rows]})
    return {**roster(name), "experts": experts, "agent": "d-ucb", "seed": 5}


class Asked:
    """A POST, by default of an episode, on a connection of its own, whose answer is read later."""

    def __init__(self, server, name, path="/v1/campaigns/{}/episodes", body=b""):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=120)
        self.socket.sendall(f"POST {path.format(name)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".encode())
        self.socket.sendall(f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        self.socket.sendall(body[:-1])
        wait_for(lambda: metric(server, "roster_http_body_bytes") >= len(body) - 1)
        self.socket.sendall(body[-1:])

    def is_answered(self):
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return False
        finally:
            self.socket.settimeout(120)

    def answer(self):
        got = b""
        while piece := self.socket.recv(65536):
            got += piece
        self.socket.close()
        head, _, body = got.partition(b"\r\n\r\n")
        return Answer(int(head.split()[1]), [], body)


def decide(server, name, context=0):
    answer = server.post(f"/v1/campaigns/{name}/decide", {"context": context})
    assert answer.status == 200, answer.body
    return answer.json


def episode_of(server, name):
    return server.get(f"/v1/campaigns/{name}").json["episode"]


with Server("--snapshot-every", "400", "--durability", "os") as server:
    server.create(campaign("other"))
    assert server.post("/v1/rosters", roster("wide")).status == 201
    assert server.post("/v1/rosters/wide/samples", samples()).status == 200
    server.create({"name": "wide", "roster": "wide", "agent": AGENT, "fallback": "e0", "seed": 1})

    # ---- others are answered, and the campaign goes on
    asked, healthy, others, own = Asked(server, "wide"), 0, 0, []
    while not asked.is_answered():
        healthy += server.get("/healthz").status == 200
        others += decide(server, "other", "day")["episode"] == 0
        own.append(decide(server, "wide")["episode"])
    tap.check("requests are answered while an episode is prepared",
              [] if healthy > 1 and others > 1 else [f"{healthy}, {others}"])
    tap.check("decisions go on in the old one", same("episodes", set(own[:-1]), {0}))
    answer = asked.answer()
    tap.check("then it begins", same("answer", (answer.status, answer.json), (200, {"episode": 1})))
    tap.check("and decides", same("episode", decide(server, "wide")["episode"], 1))

    # ---- a campaign that takes its time
    asked, healthy = Asked(server, "slow", "/v1/campaigns", json.dumps(tables("slow")).encode()), 0
    while not asked.is_answered():
        healthy += server.get("/healthz").status == 200
    tap.check("requests are answered while a campaign is created", [] if healthy >= 8 else [f"only {healthy}"])
    created = same("status", asked.answer().status, 201)
    tap.check("then it is there", created + same("episode", episode_of(server, "slow"), 0))

    # ---- several at once, samples meanwhile, a snapshot meanwhile
    several = [Asked(server, "wide") for _ in range(3)]
    more = server.post("/v1/rosters/wide/samples", [{"expert": 7, "context": 1, "action": 2, "count": 100000}])
    taken = metric(server, "roster_snapshots_total")

    def snapshot():
        server.post("/v1/campaigns/other/decide", [{"context": "day"}] * 200)
        return metric(server, "roster_snapshots_total") > taken

    met = wait_for(snapshot, 60)
    answers = sorted(one.answer().json["episode"] for one in several)
    tap.check("several at once begin one after the other", same("episodes", answers, [2, 3, 4]))
    tap.check("samples and a snapshot do not disturb", same("samples", more.status, 200) + same("snapshot", met, True))
    before = [decide(server, "wide", x % CONTEXTS) for x in range(20)]
    tap.check("the last one decides", same("episodes", {d["episode"] for d in before}, {4}))

    # ---- a client that leaves
    asked = Asked(server, "wide")
    server.get("/healthz")  # what was sent before is taken in by now
    asked.socket.close()
    left = wait_for(lambda: episode_of(server, "wide") == 5, 60)
    tap.check("it begins though its client has left", [] if left else [f"{episode_of(server, 'wide')}"])

    # ---- archived meanwhile
    server.create(tables("own"))
    asked = [Asked(server, "own") for _ in range(2)]
    server.get("/healthz")
    deleted = server.ask("DELETE", "/v1/campaigns/own")
    answers = [one.answer() for one in asked]
    begun = [one.json["episode"] for one in answers if one.status == 200]
    refused = [one for one in answers if one.status != 200]
    problems = same("deleted", deleted.status, 200) + same("last episode", episode_of(server, "own"), len(begun))
    for one in refused:
        problems += refusal(one, 410, "archived", "campaign own is archived: it takes no more requests")
    tap.check("an archived campaign begins no other", problems)
    tap.check("nor later", refusal(server.post("/v1/campaigns/own/episodes", ""), 410, "archived"))

    # ---- SIGTERM meanwhile
    asked = [Asked(server, "wide") for _ in range(2)]
    server.get("/healthz")
    began = time.monotonic()
    code = server.stop(signal.SIGTERM)
    took = time.monotonic() - began
    answers = [one.answer() for one in asked]
    problems = same("exit code", code, 0) + same("statuses", [one.status for one in answers], [200, 200])
    tap.check("those under way are finished when it stops", problems + ([] if took < 30 else [f"{took} s"]))
    tap.check("every state is that of the log", server.audit())
    server.start()
    tap.check("and is there again", same("episode", episode_of(server, "wide"), 7))
    tap.check("with its decisions", same("episode", decide(server, "wide")["episode"], 7))
    Asked(server, "wide")
    server.get("/healthz")
    server.stop(signal.SIGKILL)
    tap.check("a kill loses no record that was answered", server.audit())
tap.finish()
