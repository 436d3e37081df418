#!/usr/bin/env python3
"""tests/http/slow_disk.py DIR: while the disk does not answer, only those wait whose changes it has."""

import os
import sys
import threading

from harness import SHOP, Client, Server, same, tap, wait_for

with Server(expect=False) as server:
    stop = os.path.join(server.folder, "stop")
    library = os.path.join(os.path.abspath(sys.argv[1]), "tests", "libslow_sync.so")
    server.popen = {"env": {**os.environ, "LD_PRELOAD": library, "SLOW_SYNC": stop}}
    server.start()
    server.create(SHOP)
    with open(stop, "w", encoding="utf-8"):
        pass
    answers = []

    def decide(event):
        answers.append(server.post("/v1/campaigns/shop/decide", {"event_id": event, "context": 0}))

    threads = [threading.Thread(target=decide, args=(f"e{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    client = Client(server.port)

    def pending():
        return client.ask("GET", "/v1/state").json["store"]["pending"]

    tap.check("decisions wait for the disk", [] if wait_for(lambda: pending() == 4) else [f"{pending()} wait"])
    for path in ("/healthz", "/readyz", "/metrics", "/v1/campaigns/shop", "/v1/events", "/v1/events?limit=1", "/"):
        seen = [client.ask("GET", path).status for _ in range(20)]
        tap.check(f"{path} does not", same("statuses", set(seen), {200}) + same("answered decisions", len(answers), 0))
    os.unlink(stop)
    for thread in threads:
        thread.join()
    tap.check("then they are answered", same("statuses", [a.status for a in answers], [200] * 4))

    # A decision asked for again while the disk has the first: nothing is recorded for it, so no other row follows.
    answers.clear()
    with open(stop, "w", encoding="utf-8"):
        pass
    threads = [threading.Thread(target=decide, args=("again",)) for _ in range(2)]
    threads[0].start()
    assert wait_for(lambda: pending() == 1)
    threads[1].start()
    told = b"\nroster_decisions_repeated_total 1\n"
    assert wait_for(lambda: told in client.ask("GET", "/metrics").body)
    tap.check("a repeated one waits for the first", same("answered decisions", len(answers), 0))
    os.unlink(stop)
    for thread in threads:
        thread.join()
    tap.check("and is answered with it", same("statuses", [a.status for a in answers], [200] * 2))
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())
tap.finish()
