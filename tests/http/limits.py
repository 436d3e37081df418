#!/usr/bin/env python3
"""tests/http/limits.py DIR: hostile requests: too large, too deep, too slow, too many, or no HTTP at all."""

import os
import random
import socket
import time

from harness import SHOP, Client, Server, memory_of, metric, refusal, same, sanitized, tap, wait_for

DECIDE = "/v1/campaigns/shop/decide"
MOST = 16 << 20


def head(length, path=DECIDE, more=""):
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def status_of(raw):
    return int(raw.split(b" ")[1]) if raw.startswith(b"HTTP/1.1 ") else None


def files_of(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def slow_ones(*ports):
    """Of each server the time below which 19 of 20 decisions are answered. They are asked in turn, so that what else
    the machine does delays all of them alike."""
    clients, times = [Client(port) for port in ports], [[] for _ in ports]
    for _ in range(200):
        for client, own in zip(clients, times):
            start = time.perf_counter()
            ok = client.ask("POST", DECIDE, {"context": 0}).status == 200
            own.append(time.perf_counter() - start if ok else 99)
    for client in clients:
        client.close()
    return [sorted(own)[190] for own in times]


def is_alive(server):
    answer = server.post(DECIDE, {"context": 0})
    return same("status", answer.status, 200)


with Server() as server:
    server.create(SHOP)
    before = server.get("/v1/state").json["store"]["records"]

    # ---- sizes
    raw = server.raw(head(MOST + 1) + b"x" * 1000)
    tap.check(
        "a body that says to be too large is refused before it comes",
        same("status", status_of(raw), 413) + ([] if b'"code":"too-large"' in raw else [repr(raw)]),
    )
    chunks = b"".join(b"100000\r\n" + b" " * 0x100000 + b"\r\n" for _ in range(17)) + b"0\r\n\r\n"
    raw = server.raw(
        f"POST {DECIDE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + chunks
    )
    tap.check("one that does not say so is refused at its end", same("status", status_of(raw), 413))
    answer = server.post(DECIDE, b"[" + b'{"context":"day"},' * 9999 + b'{"context":"day"}]')
    tap.check("10,000 decisions in an array are fine", same("items", len(answer.json), 10000))
    tap.check("more are not", refusal(server.post(DECIDE, [{"context": 0}] * 10001), 422, "limit", "10000 items"))
    before += 10000
    tap.check("a long path is refused", refusal(server.get("/v1/campaigns/" + "x" * 2000), 414, "uri-too-long"))
    raw = server.raw(b"GET /" + b"x" * 60000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    tap.check("a path longer than a connection's memory is refused", same("status", status_of(raw), 414))
    raw = server.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 60000 + b"\r\n\r\n")
    tap.check("so are headers", same("status", status_of(raw), 431))
    raw = server.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 10000 + b"\r\n")
    tap.check("also many of them", same("status", status_of(raw), 431))

    # ---- JSON
    for what, body in (
        ("deep lists", "[" * 100000),
        ("deep objects", '{"a":' * 100000),
        ("a number of a million digits", '{"context":' + "9" * 1000000 + "}"),
        ("1e999", '{"context":1e999}'),
        ("control characters", '{"context":"\x01"}'),
        ("half a surrogate", '{"context":"\\ud800"}'),
        ("bytes that are no UTF-8", b'{"context":"\xff\xfe"}'),
        ("a NUL", b'{"context":"da\0y"}'),
        ("an escaped NUL", '{"context":"day\\u0000"}'),
        ("keys twice", '{"context":"day","context":"day"}'),
        ("a comma too many", '[{"context":0},]'),
        ("true", "true"),
        ("null", "null"),
    ):
        answer = server.post(DECIDE, body)
        tap.check(
            f"decide refuses {what}",
            (
                []
                if 400 <= answer.status < 500
                and answer.code in ("bad-json", "invalid", "limit", "unknown-context")
                and answer.sentence
                else [f"{answer.status} {answer.body[:200]!r}"]
            ),
        )
        answer = server.post("/v1/campaigns", body)
        tap.check(
            f"so does a campaign",
            [] if 400 <= answer.status < 500 and answer.sentence else [f"{answer.status} {answer.body[:200]!r}"],
        )
    tap.check(
        "nothing of that changed anything", same("records", server.get("/v1/state").json["store"]["records"], before)
    )

    # ---- what is no HTTP
    random.seed(4)
    for i in range(40):
        junk = bytes(random.randrange(256) for _ in range(random.randrange(1, 400)))
        with socket.create_connection(("127.0.0.1", server.port)) as s:
            s.sendall(random.choice((b"", b"GET ", b"POST /v1/campaigns HTTP/1.1\r\n", head(50)[:-2])) + junk)
    for raw in (
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"\r\n\r\n\r\n",
        head("-1"),
        head("99999999999999999999"),
        head("5x"),
    ):
        server.raw(raw + b"\r\n", timeout=0.2)
    tap.check("what is no HTTP does not hurt", is_alive(server))
    both = head(5, more="Transfer-Encoding: chunked\r\n") + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    raw = server.raw(both)
    tap.check(
        "two lengths do not make two requests of one body", [] if raw.count(b"HTTP/1.1 200") <= 1 else [repr(raw)]
    )
    piped = server.raw(
        b"".join(head(13) + b'{"context":0}' for _ in range(5))
        + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    tap.check(
        "requests sent ahead are answered in order",
        same("answers", piped.count(b"HTTP/1.1 200"), 6)
        + ([] if piped.endswith(b'{"status":"ok"}') else [repr(piped[-60:])]),
    )

    # ---- slow clients
    files = files_of(server)
    held = []
    for i in range(500):
        s = socket.create_connection(("127.0.0.1", server.port))
        s.sendall((b"POST ", head(100), head(100) + b'{"conte', b"")[i % 4])
        held.append(s)
    with Server() as other:
        other.create(SHOP)
        with_them, without = slow_ones(server.port, other.port)
    for s in held:
        s.close()
    tap.check(
        "and are forgotten when they go",
        [] if wait_for(lambda: files_of(server) <= files + 3) else [f"{files_of(server)} files, {files} before"],
    )
    tap.check(
        "500 half-open connections do not hold others up",
        [] if with_them < max(0.25, 5 * without) else [f"p95 is {with_them:.3f} s, without them {without:.3f} s"],
    )
    memory = memory_of(server)

    def held():
        return metric(server, "roster_http_body_bytes")

    for i in range(60):  # one by one: how much the heap keeps of many at once is by chance
        big = socket.create_connection(("127.0.0.1", server.port))
        big.sendall(head(MOST) + b" " * (1 << 20))
        wait_for(lambda: held() >= 1 << 20)
        big.close()
        wait_for(lambda: held() == 0)

    def is_given_back():
        small = memory_of(server) < memory + (24 << 20) or sanitized(server)
        return held() == 0 and small

    tap.check(
        "bodies that never end are given back",
        [] if wait_for(is_given_back) else [f"{memory_of(server)} bytes, {memory} before"],
    )
    tap.check("it is still there", is_alive(server) + same("exit code", server.stop(), 0) + server.audit())
tap.finish()
