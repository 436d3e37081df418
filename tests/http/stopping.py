#!/usr/bin/env python3
"""tests/http/stopping.py DIR: SIGTERM twice, SIGTERM at once, draining, SIGHUP for tokens."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
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

# ---- a request whose rest comes when the server has begun to stop


def rest_of_a_body():
    """Its problems; None: the rest was not sent well within the second that is given to such requests."""
    with Server() as server:
        server.create(SHOP)
        s = socket.create_connection(("127.0.0.1", server.port))
        s.sendall(
            b"POST /v1/campaigns/shop/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 13\r\n\r\n{"
        )
        server.get("/healthz")  # what was sent before is taken in by now
        asked = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: "stopping" in events_of(server))
        s.sendall(b'"context":0}')
        late = time.monotonic() - asked > 0.5
        code = server.process.wait(timeout=60)
        try:
            answer = s.recv(65536)
        except ConnectionError as gone:
            answer = str(gone).encode()
        s.close()
        if late:
            return None
        return (
            same("exit code", code, 0)
            + same("status", answer[:12], b"HTTP/1.1 200")
            + ([] if b"Connection: close" in answer else [repr(answer)])
        )


in_time = (found for found in (rest_of_a_body() for _ in range(30)) if found is not None)
tap.check("a request on its way is answered first", next(in_time, ["it is never sent in time"]))

# ---- signals without end, until it is gone; nobody reads what it says, so that the end of its log takes a while
for name in ("SIGTERM", "SIGHUP"):
    with Server(expect=False) as server:
        unread, said = os.pipe()
        command = server.command() + ["--log", "requests"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        os.close(said)
        client = Client(int(re.search(r":(\d+)/", process.stdout.readline())[1]))
        for _ in range(1000):
            client.ask("GET", "/healthz")
        client.close()
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            process.send_signal(getattr(signal, name))
            time.sleep(0.001)
        tap.check(f"{name} after {name} to the end", same("exit code", process.returncode, 0) + server.audit())
        process.stdout.close()
        os.close(unread)

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


def draining(seconds):
    """What is found, and whether all of it was asked before the time was over."""
    with Server("--drain", str(seconds)) as server:
        server.create(SHOP)
        kept = Client(server.port)
        kept.ask("GET", "/healthz")
        decide, found, end = "/v1/campaigns/shop/decide", [], time.monotonic() + seconds
        server.process.send_signal(signal.SIGTERM)
        try:
            not_ready = wait_for(lambda: server.get("/readyz").status == 503)
            found.append(("asked to stop it is not ready", [] if not_ready else ["it is"]))
            found.append(("it says why", refusal(server.get("/readyz"), 503, "stopping")))
            old = kept.ask("POST", decide, {"context": 0})
            found.append(("it still decides, on an old connection", same("status", old.status, 200)))
            found.append(("and on a new one", same("status", server.post(decide, {"context": 0}).status, 200)))
            found.append(("and lives", same("status", server.get("/healthz").status, 200)))
        except (OSError, http.client.HTTPException) as gone:
            found.append(("it serves on", [repr(gone)]))
        in_time = time.monotonic() < end
        found.append(("until it ends", same("exit code", server.process.wait(timeout=600), 0)))
        told = same("events", events_of(server)[-2:], ["stopping", "stopped"])
        found.append(("both decisions are in the log", server.audit() + told))
        return found, in_time


for seconds in (1.5, 3, 6, 12, 24, 48):
    found, in_time = draining(seconds)
    if in_time:
        break
for name, problems in found + ([] if in_time else [("there is time to ask", ["there is not"])]):
    tap.check(name, problems)

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
