#!/usr/bin/env python3
"""tests/http/overload.py DIR: more connections, bodies and answers than there is room for; others are still served."""

import http.client
import json
import resource
import select
import signal
import socket
import time

from harness import SHOP, Client, Server, memory_of, metric, same, sanitized, tap, wait_for

DECIDE = "/v1/campaigns/shop/decide"
MOST = 16 << 20
FILES = 200


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def very_few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def connect(server, room=None):
    s = socket.socket()
    if room:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    s.settimeout(30)
    s.connect(("127.0.0.1", server.port))
    return s


def head(length, path=DECIDE):
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def health(server):
    """Seconds until the health was told; None: it was not."""
    begun = time.monotonic()
    client = Client(server.port)
    try:
        assert client.ask("GET", "/healthz").status == 200
        return time.monotonic() - begun
    except OSError:
        return None
    finally:
        client.close()


class Between:
    """Small requests that are asked one after the other while the server has large ones. If it served the large ones
    first, one would wait for all of them. That a busy machine delays one of many says nothing."""

    def __init__(self):
        self.begun, self.waits = time.monotonic(), []

    def ask(self, server):
        self.waits.append(health(server))

    def problems(self):
        whole = time.monotonic() - self.begun
        if None in self.waits:
            return ["one was not answered"]
        longest = max(self.waits, default=0)
        fine = len(self.waits) >= 8 or longest < whole / 3
        return [] if fine else [f"of {len(self.waits)} one waited for {longest:.2f} of {whole:.2f} s"]


# ---- connections that say nothing, or never get to the end of what they say
for what, said in (("are idle", b""), ("have begun a head", b"GET /healthz HTTP/1.1\r\nX: ")):
    with Server("--log", "errors", preexec_fn=few_files) as server:
        server.create(SHOP)
        busy = Client(server.port)
        assert busy.ask("GET", "/healthz").status == 200
        clients = [connect(server) for _ in range(FILES)]
        for s in clients:
            s.sendall(said)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            assert busy.ask("GET", "/healthz").status == 200
        took = health(server)
        tap.check(f"others find a place where all connections {what}", [] if took is not None else ["they do not"])
        tap.check("a client that asks keeps its own", same("status", busy.ask("GET", "/healthz").status, 200))
        busy.close()
        for s in clients:
            s.close()

# ---- many large lists at once: small requests are answered between them
with Server("--log", "errors") as server:
    server.create(SHOP)
    body = json.dumps([{"context": 0}] * 9000).encode()
    clients = [connect(server) for _ in range(60)]
    for s in clients:
        s.sendall(head(len(body)) + body[:-1])
    wait_for(lambda: metric(server, "roster_http_body_bytes") >= 60 * (len(body) - 1))
    for s in clients:
        s.sendall(body[-1:])
    open_ones, between = list(clients), Between()
    while open_ones:
        between.ask(server)
        answered = select.select(open_ones, [], [], 0)[0]
        open_ones = [s for s in open_ones if s not in answered]
    tap.check("small requests are answered between large ones", between.problems())
    tap.check("all large ones are answered", [w for s in clients for w in same("status", s.recv(12)[9:], b"200")])
    for s in clients:
        s.close()

# ---- one list that takes long, since there are many experts: small requests are answered meanwhile
with Server("--log", "errors") as server:
    experts = [{"name": f"e{k}", "table": [[0.5, 0.25, 0.25]] * 2} for k in range(10000)]
    server.create({**SHOP, "agent": "ucb", "experts": experts})

    def begin(path, items):
        s, body = connect(server), json.dumps(items).encode()
        s.sendall(head(len(body), path) + body)
        return s

    def finish(s):
        answer = http.client.HTTPResponse(s)
        answer.begin()
        body = answer.read()
        s.close()
        return answer.status, json.loads(body)

    for count, what in ((4000, "a list"), (9000, "a large list")):  # the first is taken up at once
        for _ in range(3):  # a busy machine may make one wait, but not every time
            s = begin(DECIDE, [{"context": 0}] * count)
            between = Between()
            while not select.select([s], [], [], 0)[0]:
                between.ask(server)
            longest, whole = max(between.waits), time.monotonic() - between.begun
            status, decided = finish(s)
            if longest < whole / 3:
                break
        tap.check(f"small requests are answered while {what} is",
                  [] if longest < whole / 3 else [f"one waited for {longest:.2f} of {whole:.2f} s"])
        tap.check(f"{what} is answered whole",
                  same("status", status, 200) + same("ids", len({d["event_id"] for d in decided}), count))
    rewards = [{"event_id": d["event_id"], "reward": 1} for d in decided]
    status, told = finish(begin("/v1/campaigns/shop/reward", rewards))
    tap.check("so is one of rewards", same("statuses", {r["status"] for r in told}, {"joined"}))
    crowd = [begin(DECIDE, [{"context": 0}] * 500) for _ in range(12)]  # more than go on in turns
    tap.check("lists go on in turns", [w for s in crowd for w in same("items", len(finish(s)[1]), 500)])
    s = begin(DECIDE, [{"context": 0}] * 4000)
    health(server)
    server.process.send_signal(signal.SIGTERM)
    tap.check("one that is under way is answered at the end", same("items", len(finish(s)[1]), 4000))
    tap.check("and the log is sound", same("exit code", server.stop(), 0) + server.audit())

# ---- hardly any files
with Server("--log", "errors", "--snapshot-every", "100", preexec_fn=very_few_files) as server:
    server.create(SHOP)
    clients = [connect(server) for _ in range(100)]
    time.sleep(1.2)
    client = Client(server.port)
    answer = client.ask("POST", DECIDE, [{"context": 0}] * 200)
    tap.check("connections leave files for deciding", same("status", answer.status, 200))
    answer = client.ask("GET", "/v1/events?limit=3")
    tap.check("for reading the log", same("status", answer.status, 200) + same("lines", len(answer.lines), 3))

    def made():
        return b"\nroster_snapshots_total 0\n" not in client.ask("GET", "/metrics").body

    tap.check("and for snapshots", [] if wait_for(made, 30) else [server.said()])
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())
    for s in clients:
        s.close()

# ---- large bodies that do not get whole
with Server("--log", "errors") as server:
    server.create(SHOP)
    clients, piece = [], b" " * (1 << 20)
    for _ in range(20):
        clients.append(connect(server))
        clients[-1].sendall(head(MOST))
        for _ in range(15):
            clients[-1].sendall(piece)
    for size in (1 << 20, 1 << 17, 1 << 14, 1 << 11, 1 << 8, 1 << 5, 1 << 4):  # so that hardly a byte is left
        for _ in range(20):
            clients.append(connect(server))
            clients[-1].sendall(head(size) + b" " * (size - 1))
    large = server.post(DECIDE, b" " * MOST)
    tap.check("no more large ones are taken in", same("status", large.status, 503))
    body = json.dumps({"context": 0}).encode()
    with connect(server) as s:
        s.sendall(head(len(body)) + body[:5])
        time.sleep(0.2)
        s.sendall(body[5:])
        tap.check("a small one is, also in pieces", same("status", s.recv(4096)[:12], b"HTTP/1.1 200"))
    for s in clients:
        s.close()

# ---- answers that nobody takes
with Server("--log", "errors", "--durability", "os") as server:
    experts = [{"name": f"e{i}", "table": [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]} for i in range(40000)]
    server.create({**SHOP, "agent": "uniform", "experts": experts})
    client = Client(server.port, timeout=120)
    size, before = len(client.ask("GET", "/v1/campaigns/shop").body), memory_of(server)
    slow = sanitized(server)  # there it takes longer to make them all than clients may keep an answer waiting
    clients, most = [], 0
    for _ in range(((200 if slow else 600) << 20) // size):
        clients.append(connect(server, 4096))
        clients[-1].sendall(b"GET /v1/campaigns/shop HTTP/1.1\r\nHost: localhost\r\n\r\n")
    told = f'getCampaign",status="2xx"}} {len(clients) + 1}\n'.encode()
    between = Between()
    while told not in client.ask("GET", "/metrics").body:
        between.ask(server)
        most = max(most, metric(server, "roster_http_unsent_bytes"))
    tap.check("small requests are answered between large answers", between.problems())
    grown = (memory_of(server) - before) >> 20
    tap.check("answers that are not taken have their bounds",
              [] if (size if slow else 128 << 20) < most <= 256 << 20 else [f"up to {most} bytes are held"])
    tap.check("so has the memory", [] if grown < 400 or slow else [f"they take {grown} MB"])
    tap.check("clients that take them get them", same("size", len(client.ask("GET", "/v1/campaigns/shop").body), size))
    client.close()
    for s in clients:
        s.close()
tap.finish()
