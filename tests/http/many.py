#!/usr/bin/env python3
"""tests/http/many.py DIR [CAMPAIGNS]: thousands of campaigns in one process, all of which are there after a restart."""

import sys
import threading
import time

from harness import Client, Server, campaign, same, tap

CAMPAIGNS = int(sys.argv[2]) if len(sys.argv) > 2 else 300
THREADS = 16


def each(server, work):
    """work(client, i) for every campaign, from several threads."""

    def some(first):
        client = Client(server.port, timeout=60)
        for i in range(first, CAMPAIGNS, THREADS):
            work(client, i)
        client.close()

    threads = [threading.Thread(target=some, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


with Server("--log", "errors") as server:
    created, decided, again = {}, {}, {}
    each(server, lambda c, i: created.update({i: c.ask("POST", "/v1/campaigns", campaign(f"c{i}", seed=i)).status}))
    tap.check(f"{CAMPAIGNS} campaigns are created", same("statuses", set(created.values()), {201}))
    ask = {"event_id": "e", "context": 0}
    each(server, lambda c, i: decided.update({i: c.ask("POST", f"/v1/campaigns/c{i}/decide", ask).json}))
    tap.check("each decides", same("answers", len(decided), CAMPAIGNS))
    tap.check("by a seed of its own", [] if len({d["action"] for d in decided.values()}) > 1 else ["all alike"])
    tap.check("all are listed", same("campaigns", len(server.get("/v1/campaigns").json["campaigns"]), CAMPAIGNS))
    body = server.get("/metrics").body
    tap.check("metrics do not grow with them", [] if len(body) < 40000 else [f"{len(body)} bytes"])
    server.stop()
    begun = time.monotonic()
    server.start()
    print(f"# started in {time.monotonic() - begun:.2f} s")
    each(server, lambda c, i: again.update({i: c.ask("POST", f"/v1/campaigns/c{i}/decide", ask).json}))
    tap.check(
        "after a restart each says the same",
        same("answers", again, {i: {**d, "repeated": True} for i, d in decided.items()}),
    )
    tap.check("the log agrees with the library", same("exit code", server.stop(), 0) + server.audit())
tap.finish()
