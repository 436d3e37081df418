#!/usr/bin/env python3
"""tests/http/connections.py DIR [SECONDS]: many busy connections at one time, all of which are answered. With SECONDS,
for each number of connections so long, and no pause above half a second, or above what this machine does to a plain
server that answers at once."""

import multiprocessing
import resource
import selectors
import socket
import sys
import time

from harness import SHOP, Server, same, tap

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0
COUNTS = (64, 127, 128, 129, 256, 384, 512, 1000)
EACH = 4  # requests per connection where there are no seconds
REQUEST = (
    b"POST /v1/campaigns/shop/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 13\r\n\r\n{"context":0}'
)
WAIT = 60  # seconds without any answer: it hangs


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.asked = self.answered = self.good = 0
        self.got = b""

    def ask(self):
        self.socket.sendall(REQUEST)
        self.asked += 1

    def take(self):
        """Whether a whole answer is there."""
        self.got += self.socket.recv(65536)
        head, found, body = self.got.partition(b"\r\n\r\n")
        if not found or len(body) < int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]):
            return False
        self.good += head.startswith(b"HTTP/1.1 200")
        self.answered += 1
        self.got = b""
        return True


def drive(port, count):
    """Asks on all connections at once, again and again. What was asked and answered, and the longest pause."""
    connections = [Connection(port) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for c in connections:
        selector.register(c.socket, selectors.EVENT_READ, c)
        c.ask()
    begun = last = time.monotonic()
    pause, waiting = 0.0, count
    while waiting:
        ready = selector.select(WAIT)
        now = time.monotonic()
        if not ready:
            break
        pause, last = max(pause, now - last), now
        for key, _ in ready:
            c = key.data
            if not c.take():
                continue
            more = now - begun < SECONDS if SECONDS else c.asked < EACH
            if more:
                c.ask()
            waiting -= not more
    for c in connections:
        c.socket.close()
    return sum(c.asked for c in connections), sum(c.good for c in connections), pause


def plain(listener):
    """A server that answers at once, to see what the machine does to any."""
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                s, _ = listener.accept()
                s.setblocking(False)
                selector.register(s, selectors.EVENT_READ)
                continue
            try:
                got = key.fileobj.recv(65536)
                if got:
                    key.fileobj.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" * got.count(b"POST "))
                    continue
            except OSError:
                pass
            selector.unregister(key.fileobj)
            key.fileobj.close()


def control(count):
    """The longest pause of the plain server."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        process = multiprocessing.Process(target=plain, args=(listener,), daemon=True)
        process.start()
        try:
            return drive(listener.getsockname()[1], count)[2]
        finally:
            process.kill()
            process.join()


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
with Server("--log", "errors") as server:
    server.create(SHOP)
    total = 0
    for count in COUNTS:
        asked, good, pause = drive(server.port, count)
        total += good
        tap.check(f"{count} connections: all are answered", same("answers", good, asked))
        if SECONDS:
            own = 0.0 if pause <= 0.5 else control(count)
            tap.check(
                f"{count} connections: no pause",
                [] if pause <= max(0.5, 2 * own) else [f"{pause:.2f} s, a plain server {own:.2f} s"]
            )
            print(f"# {count} connections: {asked / SECONDS:.0f} requests a second, longest pause {pause:.3f} s")
    tap.check(
        "each was counted once",
        same("decisions", server.get("/v1/campaigns/shop").json["counters"]["decisions"], total)
    )
    tap.check("it stops when told to", same("exit code", server.stop(), 0) + server.audit())
tap.finish()
