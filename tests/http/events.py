#!/usr/bin/env python3
"""tests/http/events.py DIR: the log as JSON lines and as DSJSON, streamed and in pieces, while it grows."""

import re
import socket
import threading
import time

from harness import SHOP, Client, Load, Server, campaign, memory_of, refusal, same, sanitized, tap, wait_for

with Server() as server:
    server.create(SHOP, campaign("other"))
    events = "/v1/campaigns/shop/events"
    for i in range(20):
        server.post("/v1/campaigns/shop/decide", {"event_id": f"e{i}", "context": i % 2})
        server.post("/v1/campaigns/other/decide", {"event_id": f"o{i}", "context": 0})
    server.post("/v1/campaigns/shop/reward", [{"event_id": f"e{i}", "reward": i % 2} for i in range(10)])
    lines = server.get(events).lines
    tap.check(
        "a campaign's log is its own",
        same("kinds", [line["kind"] for line in lines], ["campaign"] + ["decide"] * 20 + ["reward"] * 10)
        + same("campaigns", {line["campaign"] for line in lines}, {"shop"}),
    )
    everything = server.get("/v1/events").lines
    tap.check(
        "the whole log is numbered without gaps",
        same("numbers", [line["number"] for line in everything], list(range(1, 53))),
    )
    tap.check(
        "after a record comes the rest",
        same("lines", server.get(f"{events}?after={lines[4]['number']}").lines, lines[5:]),
    )
    tap.check("after the end comes nothing", same("body", server.get(f"{events}?after=1000000").body, b""))
    pieces, after = [], 0
    while True:
        answer = server.get(f"{events}?after={after}&limit=7")
        pieces += answer.lines
        if int(answer.headers["roster-next"]) == after:
            break
        after = int(answer.headers["roster-next"])
    tap.check("piece by piece it is the same", same("lines", pieces, lines))
    settled = server.get(f"{events}?format=dsjson").lines
    by_id = {line["event_id"]: line for line in lines if line["kind"] == "decide"}
    tap.check(
        "as DSJSON there is a line for every reward",
        same("events", [line["EventId"] for line in settled], [f"e{i}" for i in range(10)]),
    )
    tap.check(
        "with cost and probability",
        same(
            "labels",
            [(line["_label_cost"], line["_label_probability"]) for line in settled],
            [(-(i % 2), by_id[f"e{i}"]["propensity"]) for i in range(10)],
        ),
    )
    for query in ("after=-1", "after=x", "after=", "limit=0", "limit=10001", "after=99999999999999999999",
                  "format=xml"):
        tap.check(f"?{query} is refused", refusal(server.get(f"{events}?{query}"), 400, "invalid"))
    tap.check("all campaigns together are no DSJSON", refusal(server.get("/v1/events?format=dsjson"), 400, "invalid"))
    tap.check("an unknown campaign has none", refusal(server.get("/v1/campaigns/none/events"), 404, "unknown-campaign"))

    # ---- rewards that are joined while learning is paused
    server.create(campaign("paused"))
    ids = ["p0", "p1", "p2"]
    server.post("/v1/campaigns/paused/decide", [{"event_id": event, "context": 0} for event in ids])
    for event, learning in zip(ids, (True, False, True)):
        server.post("/v1/campaigns/paused/controls", {"learning": learning})
        joined = server.post("/v1/campaigns/paused/reward", {"event_id": event, "reward": 1})
        assert joined.json["status"] == "joined", joined.body
    counters = server.get("/v1/campaigns/paused").json["counters"]
    settled = server.get("/v1/campaigns/paused/events?format=dsjson").lines
    tap.check(
        "rewards joined while learning was paused are in DSJSON",
        same("events", [line["EventId"] for line in settled], ids)
        + same("costs", [line["_label_cost"] for line in settled], [-1] * 3)
        + same("learnt", counters["learnt"], 2),
    )

    # ---- a log that is longer than any buffer, and clients that do not read
    client = Client(server.port)
    for block in range(30):
        client.ask("POST", "/v1/campaigns/other/decide", [{"context": 0}] * 1000)
    stuck = []
    for _ in range(10):
        s = socket.create_connection(("127.0.0.1", server.port))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stuck.append(s)
    load = Load(server, "shop").start("during")
    long = client.ask("GET", "/v1/events").lines
    load.stop()
    tap.check(
        "a long log is streamed whole while others decide and yet others do not read",
        same("numbers", [line["number"] for line in long], list(range(1, len(long) + 1)))
        + ([] if len(long) >= 30062 else [f"only {len(long)} lines"])
        + load.problems,
    )
    for s in stuck:
        s.close()
    tap.check(
        "what was told is in the log",
        same("missing", set(load.decided) - {line.get("event_id") for line in server.get(events).lines}, set()),
    )
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())

# ---- lines that are long, since each lists all actions
with Server("--log", "errors") as server:
    V, N = 1000, 900
    table = [[1 / V] * V]
    server.create({
        "name": "wide", "contexts": ["x"], "actions": [f"a{i}" for i in range(V)], "agent": "ucb", "seed": 1,
        "experts": [{"name": "p", "table": table}, {"name": "q", "table": table}],
        "reward": {"wait": 1, "default": 0.5},
    })
    wide = "/v1/campaigns/wide"
    client = Client(server.port)
    client.ask("POST", f"{wide}/decide", [{"event_id": f"e{i}", "context": 0} for i in range(N)])

    def closed_by():
        """How many each record has closed."""
        lines = server.get(f"{wide}/events?after={N + 1}").lines
        return [len(line["closed"]) for line in lines if line["kind"] == "close"]

    done = wait_for(lambda: sum(closed_by()) == N, 60)
    closed = closed_by()
    tap.check("one record has many events", [] if done and max(closed) > 50 else [f"{closed} were closed"])
    before = memory_of(server)

    def ids_of(lines):
        return [re.search(rb'"EventId":"(\w+)"', line)[1].decode() for line in lines]

    def stream():
        """The events, the longest that another waited, and how long it took."""
        ids, waits, begun = [], [0], time.monotonic()
        path = f"{wide}/events?format=dsjson"
        reader = threading.Thread(target=lambda: ids.extend(ids_of(server.get(path).body.splitlines())))
        reader.start()
        while reader.is_alive():
            asked = time.monotonic()
            client.ask("GET", "/healthz")
            waits.append(time.monotonic() - asked)
        return ids, max(waits), time.monotonic() - begun

    for _ in range(3):  # a busy machine may make one wait, but not every time
        ids, longest, whole = stream()
        if longest < whole / 4:
            break
    tap.check("long lines are streamed whole", same("events", ids, [f"e{i}" for i in range(N)]))
    tap.check("others are answered meanwhile",
              [] if longest < whole / 4 else [f"one waited for {longest:.2f} of {whole:.2f} s"])
    first = client.ask("GET", f"{wide}/events?format=dsjson&limit=1")
    tap.check("a record is not cut by a limit",
              same("lines", ids_of(first.body.splitlines()), [f"e{i}" for i in range(closed[0])]))
    rest = client.ask("GET", f"{wide}/events?format=dsjson&after={first.headers['roster-next']}")
    tap.check("the next request goes on after it",
              same("lines", ids_of(rest.body.splitlines()), [f"e{i}" for i in range(closed[0], N)]))
    grown = (memory_of(server) - before) >> 20
    tap.check("memory has its bounds", [] if grown < 24 or sanitized(server) else [f"{grown} MB more"])
    client.close()

# ---- an answer that would be large ends early
with Server("--log", "errors") as server:
    server.create(SHOP, *(campaign(f"c{i}", actions=[f"{i}-{j}-{'x' * 50}" for j in range(900)],
                                   experts=[{"name": "p", "table": [[1] + [0] * 899] * 2}]) for i in range(40)))
    lines, after, sizes = [], 0, []
    while True:
        answer = server.get(f"/v1/events?after={after}&limit=10000")
        lines += answer.lines
        sizes.append(len(answer.body))
        if int(answer.headers["roster-next"]) == after:
            break
        after = int(answer.headers["roster-next"])
    tap.check("an answer with a limit is not large", [] if max(sizes) < 1.5e6 else [f"{max(sizes)} bytes"])
    tap.check("the answers together are the log", same("lines", lines, server.get("/v1/events").lines))
tap.finish()
