#!/usr/bin/env python3
"""tests/http/start.py DIR: while the log is being read health is answered, and readiness says how far it is."""

import contextlib
import json
import os
import re
import signal
import socket
import threading

from harness import SHOP, Server, refusal, same, tap, wait_for


def listen(server):
    """Starts, and returns when the server listens."""
    before = len(server.said())
    server.begin()

    def listens():
        found = re.search(r'"event":"listening","address":"[^"]*:([0-9]+)"', server.said()[before:])
        server.port = int(found[1]) if found else None
        return found is not None

    assert wait_for(listens), server.said()


def begin(server):
    """Stops before a campaign that comes through a pipe is there: starting lasts until it is."""
    server.options = ("--campaign", os.path.join(server.folder, "pipe"))
    listen(server)


def drain(s):
    with contextlib.suppress(OSError):
        while s.recv(1 << 16):
            pass


def finish_start(server):
    """Once the server has opened the pipe, or has ended: what is in a pipe that nobody reads is gone."""

    def write():
        try:
            handle = os.open(os.path.join(server.folder, "pipe"), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return server.process.poll() is not None
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(SHOP, file)
        return True

    assert wait_for(write, 60), server.said()


with Server() as server:
    server.create(SHOP)
    server.post("/v1/campaigns/shop/decide", [{"context": 0}] * 5000)
    server.stop(signal.SIGKILL)
    os.mkfifo(os.path.join(server.folder, "pipe"))
    begin(server)
    tap.check("while it starts it lives", same("status", server.get("/healthz").status, 200))
    wait_for(lambda: server.get("/readyz").json.get("progress") == {"records": 5001, "of": 5001})
    answer = server.get("/readyz")
    tap.check(
        "it is not ready, and says how far it is",
        refusal(answer, 503, "starting") + same("progress", answer.json.get("progress"), {"records": 5001, "of": 5001}),
    )
    for method, path, body in (
        ("POST", "/v1/campaigns/shop/decide", {"context": 0}),
        ("GET", "/v1/campaigns", None),
        ("GET", "/v1/events", None),
        ("GET", "/metrics", None),
        ("GET", "/v1/state", None),
    ):
        answer = server.ask(method, path, body)
        tap.check(
            f"{method} {path} is refused meanwhile",
            refusal(answer, 503, "starting")
            + ([] if int(answer.headers.get("retry-after", 0)) > 0 else ["no Retry-After"]),
        )
    tap.check("the document can be had", same("status", server.get("/openapi.json").status, 200))
    tap.check("and the page", same("status", server.get("/").status, 200))
    finish_start(server)
    tap.check("then it is ready", [] if wait_for(lambda: server.get("/readyz").status == 200) else ["it is not"])
    tap.check("and says so", [] if "roster serves http://" in server.process.stdout.readline() else ["no"])
    tap.check(
        "and decides",
        same("status", server.post("/v1/campaigns/shop/decide", {"context": 0}).status, 200)
        + same("decisions", server.get("/v1/campaigns/shop").json["counters"]["decisions"], 5001),
    )
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())
    begin(server)
    server.process.send_signal(signal.SIGTERM)

    def has_ended():
        finish_start(server)
        return server.process.poll() is not None

    wait_for(has_ended, 60)
    tap.check("told to stop while it starts it ends", same("exit code", server.process.poll(), 0) + server.audit())
    server.process.stdout.close()
    server.process = None

# ---- a start that fails while clients ask one request after the other
with Server("--durability", "os") as server:
    server.create(SHOP)
    server.stop()
    wide = {**SHOP, "name": "wide", "experts": [{**SHOP["experts"][0], "name": f"e{i}"} for i in range(700)]}
    for name, text in (("wide", wide), ("other", {**SHOP, "seed": 8})):
        with open(os.path.join(server.folder, name), "w", encoding="utf-8") as file:
            json.dump(text, file)
    server.options += tuple(os.path.join(server.folder, name) for name in ("wide", "other"))
    listen(server)
    body = b'{"context": 0}'
    head = f"POST /v1/campaigns/shop/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    def flood():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port)) as s:
            threading.Thread(target=drain, args=(s,), daemon=True).start()
            while True:
                s.sendall((head + body) * 500)

    floods = [threading.Thread(target=flood) for _ in range(4)]
    for thread in floods:
        thread.start()
    code = server.process.wait(60)
    for thread in floods:
        thread.join()
    said = server.said()
    tap.check("a start that fails says why", same("exit code", code, 1) + (
        [] if "campaign shop exists with another description" in said else [said[-300:]]))
    server.process.stdout.close()
    server.process = None
tap.finish()
