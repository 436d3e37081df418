#!/usr/bin/env python3
"""tests/http/erase.py DIR [KILLS]: one event's id and features are erased, from every file of the server too, and it
stays counted; also when the server is killed while it does that."""

import json
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import threading
import time

import harness
from harness import PROGRAM, Server, campaign, holding, limit_files, refusal, same, tap, wait_for

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
FEATURES = [0.123456789, -7.654321, 3.25e-3]
SOFT = {
    "name": "soft",
    "kind": "softmax",
    "features": 3,
    "actions": ["a", "b"],
    "agent": "d-ucb",
    "seed": 1,
    "sample": [[0, 1, 0], [1, 0, 1]],
    "experts": [{"weights": [[1, 0, 0.5], [0, 1, 0]]}, {"weights": [[0, 1, 0], [1, 0, 0.25]]}],
    "reward": {"wait": 600},
}


def key_of(server, number):
    """The hash that stands for the id in the log and in snapshots, before it is erased."""
    db = sqlite3.connect(f"file:{server.data}/roster.db?mode=ro", uri=True)
    first, records = db.execute("SELECT first, records FROM log WHERE first <= ? ORDER BY first DESC",
                                (number,)).fetchone()
    db.close()
    at = 0
    for _ in range(number - first):
        at += 8 + struct.unpack_from("<I", records, at)[0]
    return records[at + 24 : at + 40]


def decide(server, name, event, **what):
    answer = server.post(f"/v1/campaigns/{name}/decide", {"event_id": event, **what})
    assert answer.status == 200, answer.body
    return answer.json


def reward(server, name, event, value=1):
    return server.post(f"/v1/campaigns/{name}/reward", {"event_id": event, "reward": value}).json["status"]


def erase(server, name, event):
    return server.post(f"/v1/campaigns/{name}/erase", {"event_id": event})


def audit(data, *options):
    done = subprocess.run([PROGRAM, "audit", data, *options], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def record_of(server, name, event):
    return next(l["number"] for l in server.get(f"/v1/campaigns/{name}/events").lines if l.get("event_id") == event)


def whole():
    with Server() as server:
        server.create(SOFT)
        for i in range(50):
            decide(server, "soft", f"user-{i}", features=[i, 1, 2] if i != 7 else FEATURES)
            if i != 8:
                reward(server, "soft", f"user-{i}", i % 2)
        reward(server, "soft", "user-7")  # a duplicate has the id too
        number = record_of(server, "soft", "user-7")
        key, bytes_of = key_of(server, number), struct.pack("<3d", *FEATURES)
        server.stop()  # with a snapshot
        server.start()
        yield "it is in files before", same("id", "roster.db" in holding(server, b"user-7"), True) + same(
            "features in files", len(holding(server, bytes_of)) > 1, True
        ) + same("keys in files", len(holding(server, key)) > 1, True)
        before = server.get("/v1/campaigns/soft").json
        head = head_of(server).split()[0]
        yield "an open one is refused", refusal(erase(server, "soft", "user-8"), 409, "event-open", "is open")
        yield "one that never was is not found", refusal(erase(server, "soft", "nobody"), 404, "unknown-event")
        yield "what is no request is refused", refusal(
            server.post("/v1/campaigns/soft/erase", {"event_id": 7}), 400, "invalid"
        ) + refusal(server.post("/v1/campaigns/none/erase", {"event_id": "a"}), 404, "unknown-campaign")
        answer = erase(server, "soft", "user-7")
        yield "it is erased", same("status", answer.status, 200) + same("records", answer.json.get("records"), 3)
        for what, hidden in (("id", b"user-7"), ("features", bytes_of), ("key", key)):
            yield f"no file has the {what}", same("files", holding(server, hidden), [])
        lines = server.get("/v1/campaigns/soft/events").lines
        gone = [line for line in lines if line.get("erased")]
        kinds = [line["kind"] for line in gone]
        yield "the log says so", same("records", kinds, ["decide", "reward", "reward"]) + same(
            "ids", [line["event_id"] for line in gone], [None] * 3
        ) + same("features", "features" in gone[0], False) + same("last", lines[-1]["kind"], "erase")
        after = server.get("/v1/campaigns/soft").json
        yield "it stays counted", same("counters", after["counters"], before["counters"]) + same(
            "experts", after.get("experts"), before.get("experts")
        )
        csv = subprocess.run([PROGRAM, "export", server.data, "--format", "csv"], capture_output=True, text=True)
        yield "exports do not have it", same("code", csv.returncode, 0) + same("id", "user-7," in csv.stdout, False)
        dsjson = server.get("/v1/campaigns/soft/events?format=dsjson").lines
        yield "DSJSON leaves it out", same("events", len(dsjson), 48)
        again = erase(server, "soft", "user-7")
        yield "once more is fine", same("status", again.status, 200) + same("records", again.json.get("records"), 0)
        yield "audit agrees", same("audit", audit(server.data)[0], 0) + same(
            "words", "something was erased from" in audit(server.data)[1], True
        ) + same("what else it checked", "only the checksums were checked" in audit(server.data)[1], True)
        yield "a head from before still fits", same("audit", audit(server.data, "--expect", head)[0], 0)
        yield "the id can be used anew", same(
            "repeated", decide(server, "soft", "user-7", features=[1, 2, 3]).get("repeated"), None
        ) + same("reward", reward(server, "soft", "user-7"), "joined")
        server.stop(signal.SIGKILL)
        server.start()
        yield "it starts from there", same("audit", server.audit(), [])
        server.stop()
        yield from forged(server)


def forged(server):
    """Erased rows that are changed otherwise."""
    db = sqlite3.connect(os.path.join(server.data, "roster.db"))
    (first,) = db.execute("SELECT first FROM log WHERE digest IS NOT NULL").fetchone()
    head = head_of(server)
    for what, sql in (
        ("another content", "UPDATE log SET records = zeroblob(length(records)) WHERE first = ?"),
        ("another digest", "UPDATE log SET digest = zeroblob(32) WHERE first = ?"),
        ("a row that nobody erased", "UPDATE log SET digest = zeroblob(32) WHERE first = 1 AND ? > 0"),
    ):
        before = db.execute("SELECT first, records, digest FROM log").fetchall()
        db.execute(sql, (first,))
        db.commit()
        code, _ = audit(server.data)
        yield f"audit tells {what}", same("code", code, 1) if what != "another digest" else same(
            "the head stays", head_of(server) == head, False
        )
        db.executemany("UPDATE log SET records = ?2, digest = ?3 WHERE first = ?1", before)
        db.commit()
    db.close()
    yield "and nothing when it is as it was", same("audit", server.audit(), [])


def head_of(server):
    return audit(server.data)[1].split("head ")[1]


def numbered():
    """Numbers that the service gave out, forgotten events, archived campaigns of the same name, several in a row."""
    with Server("--snapshot-every", "1000000") as server:
        server.create(campaign("shop", reward={"wait": 0.2, "remember": 0.2, "combine": "sum"}))
        server.post("/v1/campaigns/shop/decide", [{"context": 0}] * 5)
        for i in range(20):
            decide(server, "shop", f"old-{i}", context=1)
            server.post("/v1/campaigns/shop/reward", {"event_id": f"old-{i}", "reward": 0.5, "reward_id": f"r{i}"})
        assert wait_for(lambda: server.get("/v1/campaigns/shop").json["counters"]["open"] == 0)
        key = key_of(server, record_of(server, "shop", "old-3"))
        answer = erase(server, "shop", "#2")
        yield "a number is erased", same("status", answer.status, 200) + same("records", answer.json["records"], 1)
        time.sleep(0.5)
        decide(server, "shop", "new", context=0)  # what is remembered no longer is forgotten now
        yield "one that is forgotten", same("status", erase(server, "shop", "old-3").status, 200)
        yield "another in the same row", same("status", erase(server, "shop", "old-4").status, 200)
        yield "no file has them", same("id", holding(server, b"old-3") + holding(server, b"old-4"), []) + same(
            "key", holding(server, key), []
        )
        yield "it is as if it had not been", same(
            "repeated", decide(server, "shop", "old-3", context=1).get("repeated"), None
        ) + same("another", decide(server, "shop", "old-5", context=1).get("repeated"), "forgotten")
        server.ask("DELETE", "/v1/campaigns/shop")
        server.create(campaign("shop", seed=9))
        assert wait_for(lambda: erase(server, "shop", "old-6").status == 200)
        yield "of an archived campaign too", same("id", holding(server, b"old-6"), [])
        yield "audit agrees", server.audit()
        server.stop(signal.SIGKILL)
        server.start()
        yield "after a kill too", server.audit()


def dropped():
    """Records that retention dropped, then an event that is erased: the log says why both are missing."""
    with Server("--snapshot-every", "500") as server:
        server.create(campaign("shop", retain={"events": 100}))
        n = harness.decide_until_dropped(server, "shop", 0)
        harness.decide_and_reward(server, "shop", n, 3)
        yield "records are dropped", server.audit()
        yield "an event is erased", same("status", erase(server, "shop", f"shop-{n}").status, 200)
        yield "audit agrees", server.audit()
        server.stop(signal.SIGKILL)
        server.start()
        yield "it starts from there", server.audit()
        n = harness.decide_until_dropped(server, "shop", n + 3)
        yield "and more is dropped", server.audit()
        server.stop()
        db = sqlite3.connect(os.path.join(server.data, "roster.db"))
        db.execute("DELETE FROM log WHERE first = (SELECT min(first) FROM log)")
        db.commit()
        db.close()
        yield "what no record says is told", same("audit", audit(server.data)[0], 1)


def signed():
    with Server(expect=False) as server:
        key = os.path.join(server.folder, "key")
        with open(key, "wb") as file:
            file.write(os.urandom(32))
        server.options += ("--key", key)
        server.start().create(campaign("shop"))
        for i in range(20):
            decide(server, "shop", f"e{i}-", context=1)
            reward(server, "shop", f"e{i}-")
        yield "it is erased", same("status", erase(server, "shop", "e3-").status, 200)
        yield "MACs fit", same("audit", audit(server.data, "--key", key)[0], 0)
        server.stop()
        db = sqlite3.connect(os.path.join(server.data, "roster.db"))
        db.execute("UPDATE log SET digest = zeroblob(32) WHERE digest IS NOT NULL")
        db.commit()
        db.close()
        yield "and tell another digest", same("audit", audit(server.data, "--key", key)[0], 1)


def killed():
    """Erasing under load, killed at any moment: what was answered is gone, and the log is whole."""
    random.seed(4)
    with Server("--log", "errors", "--snapshot-every", "100") as server:
        server.create(campaign("shop"))
        problems, erased, n = [], set(), 0
        for kill in range(KILLS):
            load = harness.Load(server, "shop", threads=2).start(f"k{kill}")
            ended = threading.Event()

            def go_on():
                try:
                    while not ended.is_set():
                        for event in list(load.rewarded)[:1000:7]:
                            if event not in erased and erase(server, "shop", event).status == 200:
                                erased.add(event)
                except (OSError, harness.http.client.HTTPException):
                    pass  # the server is gone

            before = len(erased)
            thread = threading.Thread(target=go_on)
            thread.start()
            wait_for(lambda: len(erased) > before + kill % 3, 60)
            time.sleep(random.uniform(0, 0.3))
            server.stop(signal.SIGKILL)
            ended.set()
            load.stop()
            thread.join()
            n += len(load.decided)
            problems += server.audit()
            server.start()
            told = {line.get("event_id") for line in server.get("/v1/campaigns/shop/events").lines}
            problems += sorted(erased & told)
        assert wait_for(lambda: erase(server, "shop", "nobody").status == 404), "the last one is never made"
        counters = server.get("/v1/campaigns/shop").json["counters"]
        lines = server.get("/v1/campaigns/shop/events").lines
        decided = sum(line["kind"] == "decide" for line in lines)
        yield f"{KILLS} kills, {len(erased)} erased: nothing is lost, nothing is back", problems[:5] + same(
            "decisions", counters["decisions"], decided
        ) + same("erased in the log", sum(l["kind"] == "decide" and "erased" in l for l in lines) >= len(erased), True)
        yield "audit agrees", server.audit()


def answered(client):
    """What was asked before; None: no answer comes."""
    try:
        answer = client.connection.getresponse()
        return harness.Answer(answer.status, answer.getheaders(), answer.read())
    except OSError:
        return None


def ask(client, path, body):
    """Without waiting for the answer."""
    client.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})


def failing():
    """What an erasure waits for fails: it is answered all the same, and completed later if it was begun."""
    with Server() as server:
        server.create(campaign("shop", reward={"wait": 600}))
        for i in range(5):
            decide(server, "shop", f"user-{i}-", context=0)
            reward(server, "shop", f"user-{i}-")
        limit_files(server, 0)
        begun = "the erasure is begun and will be completed later"
        yield "it cannot be recorded", refusal(erase(server, "shop", "user-0-"), 503, "store", begun)
        limit_files(server, None)
        yield "later it is", [] if wait_for(lambda: erase(server, "shop", "user-0-").status == 200) else ["never"]
        yield "and gone", same("files", holding(server, b"user-0-"), [])

        clients = [harness.Client(server.port) for _ in range(2)]
        for client in clients:
            client.ask("GET", "/healthz")
        limit_files(server, 0)
        server.process.send_signal(signal.SIGSTOP)  # so that both are there when it goes on
        ask(clients[0], "/v1/campaigns/shop/decide", {"event_id": "new", "context": 0})
        ask(clients[1], "/v1/campaigns/shop/erase", {"event_id": "user-1-"})
        server.process.send_signal(signal.SIGCONT)
        for client, what in zip(clients, ("a decision", "an erasure behind it")):
            answer = answered(client)
            yield f"{what} is refused", refusal(answer, 503, "store") if answer else ["no answer"]
            client.close()
        limit_files(server, None)
        wait_for(lambda: server.get("/readyz").status == 200)
        yield "nothing was erased", same("files", holding(server, b"user-1-") != [], True)
        yield "and it can be", same("status", erase(server, "shop", "user-1-").status, 200)

        last = server.get("/v1/events").lines[-1]["number"]
        blocked = os.path.join(server.data, f"snapshot-{last + 1:020}")  # after the record that says what is erased
        os.mkdir(blocked)
        words = "no snapshot can be written: " + begun
        yield "no snapshot", refusal(erase(server, "shop", "user-2-"), 503, "store", words)
        yield "another waits", refusal(erase(server, "shop", "user-3-"), 503, "busy", "another event is being erased")
        os.rmdir(blocked)
        server.stop()
        server.start()
        assert wait_for(lambda: erase(server, "shop", "nobody").status == 404), "it is never made"
        yield "it is completed after a start", same("files", holding(server, b"user-2-"), []) + server.audit()


def late():
    """An interrupted erasure that cannot be read at first: its record must not be dropped before it is made."""
    with Server("--snapshot-every", "100", expect=False) as server:
        gate = os.path.join(server.folder, "gate")
        server.popen = {"env": harness.preloaded("fail_open", FAIL_OPEN=gate)}
        server.start().create(campaign("shop", retain={"events": 20}, reward={"wait": 600}))
        harness.decide_and_reward(server, "shop", 0, 10)
        last = server.get("/v1/events").lines[-1]["number"]
        blocked = os.path.join(server.data, f"snapshot-{last + 1:020}")
        os.mkdir(blocked)
        yield "it is begun", refusal(erase(server, "shop", "shop-0"), 503, "store")
        server.stop(signal.SIGKILL)
        os.rmdir(blocked)
        with open(gate, "w", encoding="ascii"):
            server.start()
        failed = wait_for(lambda: "erasing-failed" in server.said())
        os.remove(gate)
        yield "it cannot be read", [] if failed else [server.said()]
        harness.decide_until_dropped(server, "shop", 10, 20)
        events = [line["event"] for line in map(json.loads, server.said().splitlines())]
        yield "it is completed before records are dropped", same(
            "order", [event for event in events if event in ("event-erased", "records-dropped")][0], "event-erased"
        )
        yield "another one can be erased", same("status", erase(server, "shop", record_left(server)).status, 200)
        yield "audit agrees", server.audit()


def record_left(server):
    return [line["event_id"] for line in server.get("/v1/events").lines if line["kind"] == "reward"][-1]


for part in (whole, numbered, dropped, signed, killed, failing, late):
    for name, problems in part():
        tap.check(f"{part.__name__}: {name}", problems)
tap.finish()
