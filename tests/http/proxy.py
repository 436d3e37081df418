#!/usr/bin/env python3
"""tests/http/proxy.py DIR: the nginx example of docs/security.md, with a certificate of its own, before a server."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

from harness import SHOP, TOP, Server, same, tap

NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
if NGINX is None or shutil.which("openssl") is None:
    print("1..0 # skipped: nginx or openssl is not installed")
    sys.exit(77)
ADMIN = "admin-token-0123456789"
AROUND = (
    ("user root; " if os.getuid() == 0 else "") + """daemon off; pid %(f)s/pid; error_log %(f)s/error.log; events {}
http { access_log off; client_body_temp_path %(f)s/b; proxy_temp_path %(f)s/p; fastcgi_temp_path %(f)s/f;
  uwsgi_temp_path %(f)s/u; scgi_temp_path %(f)s/s;
"""
)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def configure(server, port):
    """The example, with the port, certificate and server of this test."""
    with open(os.path.join(TOP, "docs", "security.md"), encoding="utf-8") as file:
        example = re.search(r"^```nginx\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)[1]
    changed = re.sub(r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl", example)
    changed = changed.replace("/etc/ssl", server.folder).replace("127.0.0.1:7700", f"127.0.0.1:{server.port}")
    path = os.path.join(server.folder, "nginx.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(AROUND % {"f": server.folder} + changed + "}\n")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=roster.example",
            "-addext",
            "subjectAltName=DNS:roster.example",
            "-keyout",
            os.path.join(server.folder, "roster.example.key"),
            "-out",
            os.path.join(server.folder, "roster.example.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return path


class Https(http.client.HTTPSConnection):
    """To loopback, by the name of the certificate."""

    def connect(self):
        self.sock = self._context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), 10), server_hostname="roster.example"
        )


def ask(server, port, method, path, body=None, **headers):
    connection = Https(
        "roster.example",
        port,
        context=ssl.create_default_context(cafile=os.path.join(server.folder, "roster.example.pem")),
    )
    headers = {"Host": "roster.example", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


server = Server("--host", "roster.example", expect=False)
tokens = os.path.join(server.folder, "tokens")
with open(tokens, "w", encoding="utf-8") as file:
    file.write(f"admin {ADMIN}\n")
server.options += ("--tokens", tokens)
with server.start():
    port = free_port()
    nginx = subprocess.Popen([NGINX, "-p", server.folder, "-c", configure(server, port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        bearer = "Bearer " + ADMIN
        tap.check("the page comes over TLS", same("status", ask(server, port, "GET", "/")[0], 200))
        tap.check("a token is needed there too", same("status", ask(server, port, "GET", "/v1/campaigns")[0], 401))
        tap.check(
            "a page of the proxy's name may create",
            same(
                "status",
                ask(
                    server,
                    port,
                    "POST",
                    "/v1/campaigns",
                    SHOP,
                    Authorization=bearer,
                    Origin="https://roster.example",
                    Sec_Fetch_Site="same-origin",
                )[0],
                201,
            ),
        )
        tap.check(
            "one of another's may not",
            same(
                "status",
                ask(server, port, "POST", "/v1/campaigns", SHOP, Authorization=bearer, Origin="https://evil.example")[
                    0
                ],
                403,
            ),
        )
        status, body = ask(
            server, port, "POST", "/v1/campaigns/shop/decide", [{"context": 0}] * 1000, Authorization=bearer
        )
        tap.check(
            "a thousand decisions go through", same("status", status, 200) + same("items", len(json.loads(body)), 1000)
        )
        status, body = ask(server, port, "GET", "/v1/events", Authorization=bearer)
        tap.check("so does a stream", same("lines", body.count(b"\n"), 1001))
    finally:
        nginx.terminate()
        nginx.wait()
server.end()
tap.finish()
