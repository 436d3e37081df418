#!/usr/bin/env python3
"""tests/http/framing.py DIR: how requests are told apart: what can be read in two ways is refused and ends the
connection, what is unusual but clear is answered; and numbers at the edge of what fits."""

import json
import re
import socket
import time

from harness import SHOP, Server, refusal, same, tap

DECIDE = "/v1/campaigns/shop/decide"
BODY = b'{"context":0}'


def request(*lines, body=b"", first=f"POST {DECIDE} HTTP/1.1"):
    common = [first, "Host: localhost", "Content-Type: application/json"]
    return "\r\n".join([*common, *lines, "", ""]).encode() + body


def ended(server, data, seconds=30):
    """What comes back, and whether the server ended the connection by itself."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as s:
        s.sendall(data)
        got = b""
        try:
            while piece := s.recv(65536):
                got += piece
        except TimeoutError:
            return got, False
        except ConnectionError:
            pass
        return got, True


def statuses(raw):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", raw)]


with Server() as server:
    server.create(SHOP)

    def decisions():
        return server.get("/v1/campaigns/shop").json["counters"]["decisions"]

    # ---- what is refused
    after = request("Connection: close", first="GET /healthz HTTP/1.1")
    for what, data, status in (
        ("two different lengths", request("Content-Length: 13", "Content-Length: 5", body=BODY), 400),
        ("two equal lengths", request("Content-Length: 13", "Content-Length: 13", body=BODY), 400),
        ("a list of lengths", request("Content-Length: 13, 13", body=BODY), 400),
        (
            "a length and chunks",
            request("Content-Length: 13", "Transfer-Encoding: chunked", body=b"d\r\n" + BODY + b"\r\n0\r\n\r\n"),
            400,
        ),
        (
            "chunks and a length",
            request("Transfer-Encoding: chunked", "Content-Length: 13", body=b"d\r\n" + BODY + b"\r\n0\r\n\r\n"),
            400,
        ),
        ("another encoding", request("Transfer-Encoding: gzip, chunked", body=BODY), 501),
        ("a wrong chunk", request("Transfer-Encoding: chunked", body=b"d\n" + BODY + b"\r\n0\r\n\r\n"), 400),
        ("a length that is none", request("Content-Length: +13", body=BODY), 400),
        ("a length beyond all", request("Content-Length: 99999999999999999999999", body=BODY), 413),
        ("a header that goes on", request("X: y", " z", "Content-Length: 13", body=BODY), 400),
        ("a space before a colon", request("Content-Length : 13", body=BODY), 400),
        ("two hosts", request("Host: localhost", "Content-Length: 13", body=BODY), 400),
        ("no host", b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("lines that end with LF alone", b"GET /healthz HTTP/1.1\nHost: localhost\n\n", 400),
        ("a NUL", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
        ("an expectation", request("Expect: wonders", "Content-Length: 13", body=BODY), 417),
        ("HTTP/2.0", b"GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    ):
        raw, over = ended(server, data + after)
        tap.check(
            f"{what}: refused, and the connection is over",
            same("statuses", statuses(raw), [status])
            + same("ended", over, True)
            + ([] if b"\r\nConnection: close\r\n" in raw and b'{"error":{"code":"' in raw else [repr(raw)]),
        )
    tap.check("nothing of that was done", same("decisions", decisions(), 0))

    # ---- what is answered
    raw, over = ended(
        server,
        b"\r\n"
        + request("Transfer-Encoding: chunked",
                  body=b"5\r\n" + BODY[:5] + b"\r\n8;x=y\r\n" + BODY[5:] + b"\r\n0\r\nX: y\r\n\r\n")
        + request("Content-Length: 13", body=BODY)
        + request(first="GET http://localhost/healthz HTTP/1.1")
        + request(first="HEAD /healthz HTTP/1.1")
        + request("Connection: close", first="GET /v1/%65vents?limit=%31 HTTP/1.1"),
    )
    tap.check(
        "chunks, a length, a whole address, HEAD and percent codes, all sent ahead, are answered in order",
        same("statuses", statuses(raw), [200] * 5) + same("ended", over, True)
        + same("bodies", [raw.count(b'{"status":"ok"}'), raw.count(b'"kind":')], [1, 1]),
    )
    tap.check("both decisions were made", same("decisions", decisions(), 2))
    slow = request("Transfer-Encoding: chunked", "Connection: close", body=b"d\r\n" + BODY + b"\r\n0\r\n\r\n")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as s:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(len(slow)):
            s.sendall(slow[i : i + 1])
        tap.check("a request that comes byte by byte", same("status", s.recv(65536)[:15], b"HTTP/1.1 200 OK"))
    raw, over = ended(server, b"GET /healthz HTTP/1.0\r\n\r\n")
    tap.check("HTTP/1.0 is answered, and over", same("statuses", statuses(raw), [200]) + same("ended", over, True))
    raw, over = ended(server, b"GET /v1/events HTTP/1.0\r\n\r\n")
    tap.check(
        "so is a stream, without chunks",
        same("lines",
             len([line for line in raw.split(b"\r\n\r\n", 1)[1].splitlines() if line.startswith(b'{"number":')]), 4)
        + ([repr(raw[:300])] if b"chunked" in raw else []),
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as s:
        s.sendall(request("Expect: 100-continue", "Content-Length: 13"))
        first = s.recv(25)
        s.sendall(BODY)
        tap.check(
            "a client that waits for 100 gets it, and then the answer",
            same("first", first, b"HTTP/1.1 100 Continue\r\n\r\n") + same("then", s.recv(65536)[:12], b"HTTP/1.1 200"),
        )
    raw, over = ended(
        server,
        request("Expect: 100-continue", "Content-Length: 13", first="POST /nowhere HTTP/1.1"),
    )
    tap.check(
        "and where the answer is no, it comes at once",
        same("statuses", statuses(raw), [404]) + same("ended", over, True)
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as s:
        s.sendall(request("Content-Length: 13", body=BODY) * 3)
        s.shutdown(socket.SHUT_WR)
        got = b""
        while piece := s.recv(65536):
            got += piece
    tap.check("a client that ends after the last request gets all answers", same("statuses", statuses(got), [200] * 3))

    # ---- queries and numbers
    answer = server.get("/v1/events?" + "after=0&" * 300 + "limit=3")
    tap.check("300 arguments are answered", same("lines", len(answer.lines), 3))
    tap.check("empty ones do not count", same("status", server.get("/v1/events?&limit=1&").status, 200))
    for path, wrong, names in (
        ("/v1/events?limt=3", "limt", "known are after, limit"),
        ("/v1/events?limit=3&After=1", "After", "known are after, limit"),
        ("/v1/events?limi=3", "limi", "known are after, limit"),
        ("/v1/events?=3", "", "known are after, limit"),
        ("/v1/campaigns/shop/events?x", "x", "known are after, limit, format"),
        ("/v1/campaigns?limit=3", "limit", "there are none here"),
        ("/healthz?" + 300 * "a", 40 * "a", "there are none here"),
    ):
        tap.check(
            f"{path[:40]} is refused",
            refusal(server.get(path), 400, "invalid", f"unknown query parameter '{wrong}'; {names}"),
        )
    before = server.get("/v1/campaigns/shop").json["counters"]["decisions"]
    answer = server.post("/v1/campaigns/shop/decide?event_id=1", {"context": 0})
    tap.check(
        "so is one of a decision, which is not made",
        refusal(answer, 400, "invalid", "there are none here")
        + same("decisions", server.get("/v1/campaigns/shop").json["counters"]["decisions"], before),
    )
    for number in (2**63 - 1, 2**63 - 2, 2**63 - 20000, 2**62):
        for path in ("/v1/events", "/v1/campaigns/shop/events"):
            for more in ("", "&limit=10"):
                tap.check(
                    f"{path}?after={number}{more} is answered with nothing",
                    same("body", server.get(f"{path}?after={number}{more}").body, b""),
                )
    for number in ("9223372036854775808", "18446744073709551615", "18446744073709551616", "-1", "1e3", "0x1", " 1"):
        tap.check(
            f"after={number} is refused",
            refusal(server.get(f"/v1/events?after={number.replace(' ', '%20')}"), 400, "invalid",
                    "0 to 9223372036854775807"),
        )
    tap.check("limit has a most", refusal(server.get("/v1/events?limit=10001"), 400, "invalid", "1 to 10000"))

    # ---- what follows a request that a job answers
    healthy = request(first="GET /healthz HTTP/1.1")
    for what, first, body in (
        ("a campaign that is refused", "POST /v1/campaigns", b'{"name":"x"}'),
        ("a campaign that is there", "POST /v1/campaigns", json.dumps(SHOP).encode()),
        ("an erasure of nothing", "POST /v1/campaigns/shop/erase", b'{"event_id":"never"}'),
        ("a stream", "GET /v1/events?limit=1", b""),
        ("a stream of a campaign", "GET /v1/campaigns/shop/events?limit=1", b""),
    ):
        data = request(f"Content-Length: {len(body)}", body=body, first=first + " HTTP/1.1") + healthy + after
        tap.check(f"requests behind {what} are answered", same("answers", len(statuses(ended(server, data)[0])), 3))

    data = request("Transfer-Encoding: chunked", body=b"0\r\n\r\n", first="POST /v1/campaigns HTTP/1.1") + after
    tap.check("a chunked body of nothing is no campaign", same("answers", statuses(ended(server, data)[0])[0], 400))

    # ---- bodies that are nearly {}
    episodes = "/v1/campaigns/shop/episodes"
    for body in ("}}{ {", "{", "}", "{}{}", "{{}}", "[]", "{} x", "null", '{"a":1}', "{}\0"):
        tap.check(f"{body!r} starts no episode", refusal(server.post(episodes, body), 400, "invalid"))
    for body in ("", " \n", "{}", " {\t} \r\n"):
        tap.check(f"{body!r} does", same("status", server.post(episodes, body).status, 200))
    deep = "[" * 9 + "]" * 9
    for path in ("/v1/campaigns", "/v1/rosters", "/v1/campaigns/shop/controls", DECIDE, "/v1/campaigns/shop/reward"):
        answer = server.post(path, deep)
        tap.check(f"nine levels are refused at {path}", refusal(answer, 400, "bad-json"))
    begun = time.monotonic()
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())
    print(f"# stopped in {time.monotonic() - begun:.2f} s")
tap.finish()
