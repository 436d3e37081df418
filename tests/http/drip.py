#!/usr/bin/env python3
"""tests/http/drip.py DIR: clients that send a byte now and then are cut off after a minute, whole requests or none."""

import socket
import time

from harness import SHOP, Client, Server, same, tap

HEAD = (b"POST /v1/campaigns/shop/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 900\r\n")
LEAST, MOST = 55, 80  # seconds


def drips(connection):
    """Whether another byte could be sent: an end that was seen cannot be sent to."""
    try:
        connection.sendall(b" ")
        connection.setblocking(False)
        return connection.recv(100) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.setblocking(True)


with Server() as server:
    server.create(SHOP)
    held = {"headers": HEAD + b"X: ", "a body": HEAD + b"\r\n"}
    sockets = {}
    for what, start in held.items():
        sockets[what] = socket.create_connection(("127.0.0.1", server.port))
        sockets[what].sendall(start)
    begun, ended = time.monotonic(), {}
    client = Client(server.port)
    while len(ended) < len(held) and time.monotonic() < begun + MOST:
        time.sleep(2)
        for what in held.keys() - ended.keys():
            if not drips(sockets[what]):
                ended[what] = time.monotonic() - begun
        client.ask("GET", "/healthz")
    for what in held:
        took = ended.get(what)
        tap.check(f"{what} that drips is cut off", [] if took and took >= LEAST else [f"after {took} s"])
    tap.check("a client that asks is not", same("status", client.ask("GET", "/healthz").status, 200))
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
tap.finish()
