#!/usr/bin/env python3
"""tests/http/fuzz.py DIR [SECONDS]: requests with pieces changed, cut, doubled and mixed, for a fixed seed: the server
answers each with HTTP or closes the connection, goes on, and its log agrees with the library afterwards."""

import random
import socket
import sys
import time

from harness import SHOP, Server, campaign, same, tap

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
METHODS = ["GET", "POST", "POST", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"]
PATHS = [
    "/",
    "/v1/campaigns",
    "/v1/campaigns/shop",
    "/v1/campaigns/shop/decide",
    "/v1/campaigns/shop/reward",
    "/v1/campaigns/shop/episodes",
    "/v1/campaigns/shop/controls",
    "/v1/campaigns/shop/events?after=1&limit=3&format=dsjson",
    "/v1/events?limit=2",
    "/v1/rosters",
    "/v1/rosters/r/samples",
    "/metrics",
    "/metrics/campaigns",
    "/v1/state",
    "/openapi.json",
    "/%2e%2e/%00",
    "/v1/campaigns/%73hop",
    "*",
    "//",
]
BODIES = [
    '{"context":"day"}',
    '[{"event_id":"a","context":0},{"context":1}]',
    '{"event_id":"a","reward":1}',
    '[{"event_id":"a","reward":0.5}]',
    '{"probabilities":[[1,0,0],[0,1,0],[0,0,1]]}',
    '{"features":[1,2e3,-4]}',
    '{"pin":"e1","learning":false,"cap":{"e0":0.5}}',
    "{}",
    "",
    "[]",
    '{"name":"r","contexts":2,"actions":2,"experts":[{"name":"p"},{"name":"q"}]}',
    '[{"expert":"p","context":0,"action":0,"count":3}]',
    '{"name":"n","contexts":["x"],"actions":["a","b"],"agent":{"agent":"d-ucb","C":1},'
    '"experts":[{"table":[[0.5,0.5]]}]}',
]
HEADERS = [
    "Content-Type: application/json",
    "Host: localhost",
    "Authorization: Bearer x",
    "Origin: http://localhost",
    "Expect: 100-continue",
    "Sec-Fetch-Site: none",
    "Transfer-Encoding: chunked",
    "Content-Length: 5",
    "Connection: close",
    "Range: bytes=1-",
    "Content-Encoding: gzip",
]
PIECES = [
    b"\0",
    b"\xff",
    b"\r\n",
    b"%00",
    b'"',
    b"[" * 20,
    b"{" * 20,
    b"1e400",
    b"-",
    b"null",
    b"18446744073709551616",
    b"NaN",
    b"\\u0000",
    b" " * 300,
]


def request(rng):
    body = rng.choice(BODIES).encode()
    if rng.random() < 0.5:
        body = mutated(rng, body)
    lines = [
        f"{rng.choice(METHODS)} {rng.choice(PATHS)} HTTP/1.1",
        "Host: localhost",
    ]
    lines += ["Content-Type: application/json"] if rng.random() < 0.8 else []
    lines += rng.sample(HEADERS, rng.randrange(3)) if rng.random() < 0.3 else []
    return "\r\n".join(lines + [f"Content-Length: {len(body)}", "", ""]).encode() + body


def mutated(rng, data):
    for _ in range(rng.randrange(1, 4)):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        what = rng.randrange(4)
        data = (
            data[:at] + rng.choice(PIECES) + data[at:]
            if what == 0
            else (
                data[:at] + data[end:]
                if what == 1
                else data[:end] + data[at:] if what == 2 else data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            )
        )
    return data


LAST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def exchange(server, data):
    """What comes back to the end. The last request closes the connection; where what comes before swallows it, the
    server sees that no more will come."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as s:
        got = b""
        try:
            s.sendall(data + LAST)
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(65536):
                got += piece
        except TimeoutError:
            return b"nothing for 30 seconds after " + got
        except ConnectionError:
            pass
        return got


with Server("--log", "errors") as server:
    server.create(SHOP, campaign("soft"))
    rng, end, n, answered, wrong = random.Random(20), time.monotonic() + SECONDS, 0, 0, []
    while time.monotonic() < end and not wrong:
        data = b"".join(request(rng) for _ in range(rng.randrange(1, 4)))
        data = mutated(rng, data) if rng.random() < 0.4 else data
        got = exchange(server, data)
        n += 1
        answered += got.startswith(b"HTTP/1.1 ")
        if (
            (got and not got.startswith((b"HTTP/1.1 ", b"HTTP/1.0 ")))
            or b" 500 " in got[:20]
            or server.process.poll() is not None
        ):
            wrong = [f"request {n}: {data!r} got {got[:200]!r}"]
    tap.check(f"{n} requests, {answered} of them answered", wrong + ([] if answered > n / 2 else ["hardly any"]))
    tap.check("it goes on", same("status", server.get("/healthz").status, 200))
    tap.check("and ends well", same("exit code", server.stop(), 0) + server.audit())
tap.finish()
