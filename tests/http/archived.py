#!/usr/bin/env python3
"""tests/http/archived.py DIR: archived campaigns keep little memory; what they let go of goes back to the system."""

import json

from harness import Client, Server, campaign, memory_of, metric, refusal, same, sanitized, tap, wait_for

MB = 1 << 20
EVENTS = 300000


def shrinks(server, most):
    """Memory above `most` is a problem where it stays."""
    if sanitized(server):
        return []  # it keeps what is freed
    return [] if wait_for(lambda: memory_of(server) < most, seconds=20) else [f"{memory_of(server) / MB:.0f} MB"]


with Server("--log", "errors", "--durability", "os") as server:
    client = Client(server.port, timeout=120)
    before = memory_of(server)
    server.create(campaign("busy", reward={"events_most": EVENTS}))
    for _ in range(EVENTS // 10000):
        assert client.ask("POST", "/v1/campaigns/busy/decide", [{"context": 0}] * 10000).status == 200
    grown = memory_of(server)
    assert client.ask("DELETE", "/v1/campaigns/busy").status == 200
    tap.check("no event stays", [] if wait_for(lambda: metric(server, "roster_events_open") == 0) else ["some do"])
    tap.check("and their memory goes", shrinks(server, before + (grown - before) / 3))
    empty = metric(server, "roster_archived_bytes")
    tap.check("a small campaign keeps little", [] if 0 < empty < 20000 else [f"{empty:.0f} bytes"])

    experts = [{"name": f"expert-number-{i}", "table": [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]} for i in range(20000)]
    for k in range(6):
        text = json.dumps(campaign(f"c{k}", agent="uniform", experts=experts))
        assert client.ask("POST", "/v1/campaigns", text).status == 201
        assert client.ask("DELETE", f"/v1/campaigns/c{k}").status == 200
    kept = metric(server, "roster_archived_bytes") - empty
    tap.check("a large one its text and figures", [] if kept < 6 * (len(text) + 140 * 20000) else [f"{kept:.0f} bytes"])
    tap.check("and no more than that", shrinks(server, before + 2 * kept))
    told = client.ask("GET", "/v1/campaigns/c3").body
    path = "/v1/campaigns/busy/events?limit=3"
    events = client.ask("GET", path).body
    server.stop()
    server.options += ("--max-archived", str(int(kept)))
    server.start()
    client = Client(server.port, timeout=120)
    tap.check("a restart changes nothing", same("told", client.ask("GET", "/v1/campaigns/c3").body, told))
    tap.check("events have their names", same("events", client.ask("GET", path).body, events))
    tap.check("they keep the same", same("bytes", metric(server, "roster_archived_bytes"), kept + empty))
    answer = client.ask("POST", "/v1/campaigns", campaign("more"))
    tap.check("beyond the limit no campaign is created", refusal(answer, 422, "limit", "--max-archived"))
    refused = metric(server, 'roster_limit_refusals_total{limit="archived"}')
    tap.check("which is counted", same("refusals", refused, 1))
tap.finish()
