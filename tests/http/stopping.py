#!/usr/bin/env python3
"""tests/http/stopping.py DIR: SIGTERM twice, SIGTERM at once, draining, SIGHUP for tokens."""

import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time

from harness import PROGRAM, SHOP, Client, Load, Server, refusal, same, tap, wait_for

OLD, NEW = "admin-token-0123456789", "admin-token-9876543210"


def events_of(server):
    return [json.loads(line)["event"] for line in server.said().splitlines()]


def bearer(token):
    return {"Authorization": "Bearer " + token}


# ---- SIGTERM
with Server() as server:
    server.create(SHOP)
    load = Load(server, "shop").start("a")
    wait_for(lambda: len(load.decided) > 20)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.02)
    code = server.stop(signal.SIGTERM)
    load.stop()
    tap.check("two SIGTERMs drain as one does", same("exit code", code, 0) + load.problems[:3])
    tap.check("it stops once",
              same("events", [e for e in events_of(server) if e.startswith("stop")], ["stopping", "stopped"]))
    for i in range(10):
        server.start()
        code = server.stop(signal.SIGTERM)
        if code != 0:
            break
    tap.check("SIGTERM right after it is ready", same("exit code", code, 0) + server.audit())
    server.start()
    known = server.get("/v1/campaigns/shop").json["counters"]["decisions"]
    tap.check("what was told is there", [] if known >= len(load.decided) else [f"{known} of {len(load.decided)}"])
    s = socket.create_connection(("127.0.0.1", server.port))
    s.sendall(
        b"POST /v1/campaigns/shop/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 13\r\n\r\n{"
    )
    server.get("/healthz")  # what was sent before is taken in by now
    threading.Timer(0.2, lambda: s.sendall(b'"context":0}')).start()
    code = server.stop(signal.SIGTERM)
    answer = s.recv(65536)
    tap.check(
        "a request on its way is answered first",
        same("exit code", code, 0)
        + same("status", answer[:12], b"HTTP/1.1 200")
        + ([] if b"Connection: close" in answer else [repr(answer)]),
    )
    s.close()

# ---- many requests that came before SIGTERM, more than one turn of the loop can answer
with Server("--durability", "os") as server:
    table = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]
    server.create({**SHOP, "agent": "uniform", "experts": [{"name": f"e{i}", "table": table} for i in range(2000)]})
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
    server.get("/healthz")  # all of them are accepted by now
    server.process.send_signal(signal.SIGSTOP)
    for s in clients:
        s.sendall(b"HEAD /v1/campaigns/shop HTTP/1.1\r\nHost: localhost\r\n\r\n")
    server.process.send_signal(signal.SIGTERM)
    server.process.send_signal(signal.SIGCONT)
    answered = sum(s.recv(12) == b"HTTP/1.1 200" for s in clients)
    tap.check("requests that came before are all answered", same("answered", answered, len(clients)))
    tap.check("then it ends", same("exit code", server.process.wait(timeout=60), 0))
    for s in clients:
        s.close()

# ---- draining
with Server("--drain", "1.5") as server:
    server.create(SHOP)
    kept = Client(server.port)
    kept.ask("GET", "/healthz")
    server.process.send_signal(signal.SIGTERM)
    tap.check("asked to stop it is not ready",
              [] if wait_for(lambda: server.get("/readyz").status == 503) else ["it is"])
    tap.check("it says why", refusal(server.get("/readyz"), 503, "stopping"))
    decide = "/v1/campaigns/shop/decide"
    tap.check("it still decides, on an old connection",
              same("status", kept.ask("POST", decide, {"context": 0}).status, 200))
    tap.check("and on a new one", same("status", server.post(decide, {"context": 0}).status, 200))
    tap.check("and lives", same("status", server.get("/healthz").status, 200))
    tap.check("until it ends", same("exit code", server.process.wait(timeout=60), 0))
    tap.check("both decisions are in the log",
              server.audit() + same("events", events_of(server)[-2:], ["stopping", "stopped"]))
    server.process.stdout.close()
    server.process = None

# ---- SIGHUP
server = Server(expect=False)
path = os.path.join(server.folder, "tokens")


def write(text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


write(f"admin {OLD}\n")
server.options = ("--tokens", path)
with server.start():
    client = Client(server.port)

    def status(token):
        return client.ask("GET", "/v1/state", headers=bearer(token)).status

    tap.check("at first the old token counts", same("statuses", (status(OLD), status(NEW)), (200, 401)))
    write(f"admin {NEW}\n")
    server.process.send_signal(signal.SIGHUP)
    tap.check("after SIGHUP the new one does", [] if wait_for(lambda: status(NEW) == 200) else ["it does not"])
    tap.check("and the old one no more", same("status", status(OLD), 401))
    write("root of all evil\n")
    server.process.send_signal(signal.SIGHUP)
    tap.check("a file that is wrong is told about",
              [] if wait_for(lambda: "tokens-kept" in events_of(server)) else ["no"])
    tap.check("and changes nothing", same("statuses", (status(OLD), status(NEW)), (401, 200)))
    os.unlink(path)
    server.process.send_signal(signal.SIGHUP)
    tap.check(
        "so does one that is gone",
        ([] if wait_for(lambda: events_of(server).count("tokens-kept") == 2) else ["no"])
        + same("status", status(NEW), 200),
    )
    os.mkfifo(path)
    server.process.send_signal(signal.SIGHUP)
    tap.check(
        "a pipe that nobody writes into holds up nobody",
        ([] if wait_for(lambda: events_of(server).count("tokens-kept") == 3) else ["no"])
        + same("status", status(NEW), 200),
    )
    os.unlink(path)
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
server.end()
with Server() as server:
    server.process.send_signal(signal.SIGHUP)
    tap.check("without tokens SIGHUP does nothing",
              [] if wait_for(lambda: "tokens-unchanged" in events_of(server)) else ["no"])
    tap.check("and it goes on", same("status", server.get("/healthz").status, 200))
# ---- nobody listens to what it says
for what, shell in (("closed", "exec {} >&-"), ("full", "exec {} >/dev/full"),
                    ("closed as all others are", "exec {} <&- >&- 2>&-")):
    with tempfile.TemporaryDirectory() as folder:
        listen = os.path.join(folder, "socket")
        command = f"'{PROGRAM}' serve --data '{folder}/d' --listen 'unix:{listen}'"
        process = subprocess.Popen(shell.format(command), shell=True, stderr=subprocess.DEVNULL)
        ready = wait_for(lambda: os.path.exists(f"{folder}/d/high-water") or process.poll() is not None)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        tap.check(f"standard output that is {what}",
                  same("exit code", process.wait(), 0) + ([] if ready else ["not ready"]))
tap.finish()
