#!/usr/bin/env python3
"""tests/http/listeners.py DIR: several addresses, and sockets of the file system."""

import http.client
import os
import re
import signal
import socket
import stat

from harness import SHOP, Answer, Client, Server, same, tap


class Local(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def ask(path, method, target, body=None, headers=None):
    connection = Local(path)
    connection.request(method, target, body, {"Content-Type": "application/json", **(headers or {})})
    answer = connection.getresponse()
    answer = Answer(answer.status, answer.getheaders(), answer.read())
    connection.close()
    return answer


with Server(expect=False) as server:
    path = os.path.join(server.folder, "socket")
    server.options = ("--listen", f"127.0.0.1:0,127.0.0.1:0,unix:{path}", "--log", "requests")
    server.start()
    second = int(re.search(r":(\d+)/", server.process.stdout.readline())[1])
    third = server.process.stdout.readline()
    tap.check("it says every address", [] if f"serves unix:{path} from" in third else [third])
    server.create(SHOP)
    other = Client(second)
    tap.check("the second address answers", same("status", other.ask("GET", "/v1/campaigns/shop").status, 200))
    other.close()
    answer = ask(path, "POST", "/v1/campaigns/shop/decide", '{"context":0}')
    tap.check("so does the socket", same("status", answer.status, 200))
    answer = ask(path, "GET", "/v1/campaigns/shop", headers={"Host": "roster.example"})
    tap.check(
        "by any name, and all see the same",
        same("status", answer.status, 200) + same("decisions", answer.json["counters"]["decisions"], 1),
    )
    tap.check(
        "on loopback by its names only",
        same("status", server.get("/v1/campaigns/shop", headers={"Host": "roster.example"}).status, 403),
    )
    mode = os.stat(path).st_mode
    tap.check("it is a socket for owner and group",
              same("mode", (stat.S_ISSOCK(mode), oct(mode & 0o777)), (True, "0o660")))
    second = Server("--listen", f"unix:{path}", expect=False)
    code, said = second.refused()
    tap.check("two servers cannot have one socket",
              same("code", code, 1) + ([] if "another program listens" in said else [said]))
    second.end()
    second = Server("--listen", f"127.0.0.1:{server.port}", expect=False)
    code, said = second.refused()
    tap.check("nor one port", same("code", code, 1) + ([] if "stop it, or choose another port" in said else [said]))
    second.end()
    tap.check("the first does not mind", same("status", ask(path, "GET", "/healthz").status, 200))
    tap.check("it takes the socket away", same("code", server.stop(), 0) + same("there", os.path.exists(path), False))
    tap.check("its requests came from unix", [] if '"client":"unix"' in server.said() else ["no"])
    server.start()
    server.stop(signal.SIGKILL)
    tap.check("killed, it leaves it behind", same("there", os.path.exists(path), True))
    server.start()
    tap.check("and takes it over", same("status", ask(path, "GET", "/healthz").status, 200))
    server.stop()
    with open(path, "w", encoding="utf-8") as file:
        file.write("mine")
    code, said = server.refused()
    tap.check("another file stays", same("code", code, 1) + ([] if "there is another file" in said else [said]))
    with open(path, encoding="utf-8") as file:
        tap.check("as it is", same("text", file.read(), "mine"))
for listen, words in (
    ("unix:", "1 to 107 bytes"),
    ("unix:/" + "x" * 200, "1 to 107 bytes"),
    ("unix:/nowhere/at/all", "No such file"),
    ("127.0.0.1:0,7700", "--listen 7700: must be ADDRESS:PORT"),
    ("127.0.0.1:0,0.0.0.0:0", "add --tokens FILE"),
    (",", "must be ADDRESS:PORT"),
    (",".join(["127.0.0.1:0"] * 17), "at most 16"),
):
    with Server("--listen", listen, expect=False) as server:
        code, said = server.refused()
        tap.check(f"--listen {listen[:30]} is refused", same("code", code, 1) + ([] if words in said else [said]))
tap.finish()
