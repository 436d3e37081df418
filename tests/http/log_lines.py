#!/usr/bin/env python3
"""tests/http/log_lines.py DIR: what is said on stderr: a line per request, and no waiting for a reader."""

import json
import os
import re
import socket
import subprocess
import time

from harness import PROGRAM, SHOP, Client, Server, same, tap, wait_for

with Server("--log", "requests") as server:
    server.create(SHOP)
    client = Client(server.port)
    given = client.ask("GET", "/healthz", headers={"X-Request-Id": "abc-1.2:3/x+y=@_"}).headers.get("x-request-id")
    tap.check("a request's id is given back", same("id", given, "abc-1.2:3/x+y=@_"))
    made = [client.ask("GET", "/healthz").headers.get("x-request-id") for _ in range(3)]
    tap.check("where there is none one is made", [] if all(made) and len(set(made)) == 3 else [repr(made)])
    for wrong in ('a"b', "a b", "x" * 65, "\\", "<b>", "é"):
        answer = client.ask("GET", "/healthz", headers={"X-Request-Id": wrong.encode("latin-1")})
        tap.check(
            f"also instead of {wrong[:9]!r}",
            [] if re.fullmatch("[0-9a-f]+-[0-9a-f]+", answer.headers["x-request-id"])
            else [answer.headers["x-request-id"]],
        )
    refused = client.ask("GET", "/nowhere", headers={"X-Request-Id": "lost"})
    tap.check("a refusal has it too", same("id", refused.headers.get("x-request-id"), "lost"))
    port = client.connection.sock.getsockname()[1]
    client.close()
    server.stop()
    lines = [json.loads(line) for line in server.said().splitlines()]
    asked = {line["id"]: line for line in lines if line["event"] == "request"}
    tap.check("every id is in a line", same("missing", {given, *made, "lost"} - set(asked), set()))
    tap.check(
        "with client, route, status and duration",
        same("client", asked["lost"]["client"], f"127.0.0.1:{port}")
        + same("status", asked["lost"]["status"], 404)
        + same("route", asked[given]["route"], "getHealth")
        + ([] if 0 < asked[given]["seconds"] < 60 else [str(asked[given]["seconds"])]),
    )

# ---- streams, whole and left, and a request that never gets whole
with Server("--log", "requests") as server:
    server.create(SHOP)
    for _ in range(5):
        server.post("/v1/campaigns/shop/decide", [{"context": 0}] * 10000)

    def lines_of(name):
        lines = [json.loads(line) for line in server.said().splitlines()]
        return [line for line in lines if line["event"] == "request" and line["id"] == name]

    def is_told(name, status):
        """That it has one line, which says that its connection ended before."""
        wait_for(lambda: lines_of(name))
        found = [(line["status"], line.get("whole")) for line in lines_of(name)]
        return same("status and whole", found, [(status, False)])

    def ask(name, head, room):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        s.settimeout(60)
        s.connect(("127.0.0.1", server.port))
        s.sendall(f"{head}\r\nHost: localhost\r\nX-Request-Id: {name}\r\nConnection: close\r\n\r\n".encode())
        return s

    events = "GET /v1/campaigns/shop/events HTTP/1.1"
    with ask("taken", events, 4096) as s:
        s.recv(1000)
        time.sleep(0.3)
        server.get("/healthz")  # it has a turn in between
        tap.check("a stream has no line before its end", same("lines", lines_of("taken"), []))
        while s.recv(65536):
            pass
    wait_for(lambda: lines_of("taken"))
    line = lines_of("taken")[0]
    tap.check(
        "then it has one, with all of its time",
        same("status and whole", (line["status"], line.get("whole")), (200, None))
        + ([] if line["seconds"] >= 0.3 else [f"{line['seconds']} s"]),
    )
    with ask("left", events, 4096) as s:
        s.recv(1000)
    tap.check("one that is left has a line", is_told("left", 200))
    post = "POST /v1/campaigns/shop/decide HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 5"
    with ask("half", post, 65536) as s:
        server.get("/healthz")
    tap.check("so has a request that is", is_told("half", 499))
    series = server.get("/metrics").body.decode()
    tap.check(
        "all are counted",
        [w for w in ('streamCampaignEvents",status="2xx"} 2\n', 'decide",status="4xx"} 1\n') if w not in series],
    )

# ---- nobody reads
REQUESTS = 4000
with Server(expect=False) as server:
    server.options = ("--log", "requests")
    read, write = os.pipe()
    server.process = subprocess.Popen(server.command(), stdout=subprocess.PIPE, stderr=write, text=True)
    os.close(write)
    server.port = int(re.search(r":(\d+)/", server.process.stdout.readline())[1])
    server.log = open(os.devnull, "rb")
    client = Client(server.port)
    answered = sum(client.ask("GET", "/healthz").status == 200 for _ in range(REQUESTS))
    tap.check("a stderr that nobody reads holds up nobody", same("answers", answered, REQUESTS))
    metrics = client.ask("GET", "/metrics").body.decode()
    dropped = int(re.search(r"^roster_log_lines_dropped_total (\d+)$", metrics, re.MULTILINE)[1])
    tap.check("lines that were dropped are counted", [] if 0 < dropped < REQUESTS else [str(dropped)])
    text = b""
    os.set_blocking(read, False)

    def drained():
        global text
        try:
            while piece := os.read(read, 65536):
                text += piece
        except BlockingIOError:
            pass
        client.ask("GET", "/healthz")
        return b"log-lines-dropped" in text

    tap.check("and told about once somebody reads", [] if wait_for(drained, 30) else [repr(text[-300:])])
    lines = [json.loads(line) for line in text.decode().splitlines(keepends=True) if line.endswith("\n")]
    told = sum(line["lines"] for line in lines if line["event"] == "log-lines-dropped")
    tap.check("as many as were", [] if told >= dropped else [f"{told} of {dropped}"])
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
    os.close(read)

# ---- nobody reads, and it shall stop
with Server(expect=False) as server:
    server.options = ("--log", "requests")
    read, write = os.pipe()
    server.process = subprocess.Popen(server.command(), stdout=subprocess.PIPE, stderr=write, text=True)
    os.close(write)
    server.port = int(re.search(r":(\d+)/", server.process.stdout.readline())[1])
    server.log = open(os.devnull, "rb")
    client = Client(server.port)
    for _ in range(1000):
        client.ask("GET", "/healthz")
    client.close()
    tap.check("it stops all the same", same("exit code", server.stop(), 0))
    os.close(read)
tap.finish()
