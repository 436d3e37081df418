#!/usr/bin/env python3
"""tests/http/wide.py DIR: a campaign of very many experts is told in pieces: whole, of one moment, and nobody waits."""

import json
import os
import socket
import subprocess

from harness import PROGRAM, SHOP, Client, Server, campaign, metric, same, tap, wait_for

EXPERTS = 60000
WHOLE = 10 << 20  # bytes of the answer, at least
HELD = 6 << 20  # of these the server may have at once, with the figures


def wide(name, n=EXPERTS, **changes):
    tables = [{"name": f"e{i}", "table": [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]} for i in range(n)]
    return campaign(name, agent="uniform", experts=tables, **changes)


def in_pieces(answer, status, archived):
    """A whole answer that came in pieces."""
    told = answer.json
    return (
        same("status", answer.status, status)
        + same("encoding", answer.headers.get("transfer-encoding"), "chunked")
        + same("archived", told["archived"], archived)
        + same("names", [e["name"] for e in told["experts"]], [f"e{i}" for i in range(EXPERTS)])
        + same("description", len(told["description"]["experts"]), EXPERTS)
        + ([] if len(answer.body) > WHOLE else [f"{len(answer.body)} bytes"])
    )


def begin(server, request):
    """A client that does not read its answer yet."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.settimeout(60)
    s.connect(("127.0.0.1", server.port))
    s.sendall(request)
    return s


def rest(s):
    """What comes until the server ends."""
    parts = []
    while part := s.recv(1 << 20):
        parts.append(part)
    s.close()
    return b"".join(parts)


def waits(server):
    """The answer is on its way, as far as the client takes it."""
    seen = []

    def settled():
        seen.append(metric(server, "roster_http_unsent_bytes"))
        return len(seen) > 5 and seen[-1] > 0 and len(set(seen[-5:])) == 1

    return wait_for(settled), seen[-1]


with Server("--log", "errors", "--durability", "os") as server:
    client = Client(server.port, timeout=120)
    text = json.dumps(wide("wide"))
    tap.check("created", in_pieces(client.ask("POST", "/v1/campaigns", text), 201, False))
    tap.check("created again", in_pieces(client.ask("POST", "/v1/campaigns", text), 200, False))
    tap.check("looked at", in_pieces(client.ask("GET", "/v1/campaigns/wide"), 200, False))
    controls = client.ask("POST", "/v1/campaigns/wide/controls", {"pin": "e59999", "cap": {"e7": 0.5}})
    caps = controls.json["controls"]["cap"]
    tap.check("controlled", in_pieces(controls, 200, False) + same("caps", caps, {"e7": 0.5}))
    assert client.ask("POST", "/v1/campaigns/wide/decide", {"context": 0}).status == 200
    head = client.ask("HEAD", "/v1/campaigns/wide")
    tap.check("its head alone", same("head", (head.status, head.body), (200, b"")))

    slow = begin(server, b"GET /v1/campaigns/wide HTTP/1.0\r\nHost: localhost\r\n\r\n")
    came, held = waits(server)
    tap.check("what nobody takes is not made", [] if came and held < HELD else [f"{held:.0f} bytes wait"])
    archived = client.ask("DELETE", "/v1/campaigns/wide")
    tap.check("archived", in_pieces(archived, 200, True))
    first, _, body = rest(slow).partition(b"\r\n\r\n")
    told, now = json.loads(body), archived.json
    tap.check(
        "archived meanwhile, it is told as it was",
        same("status", first.split()[1], b"200")
        + same("archived", told["archived"], False)
        + same("open", told["counters"]["open"], 1)
        + same("experts", told["experts"], now["experts"])
        + same("description", told["description"], now["description"]),
    )
    tap.check("looked at once more", same("answer", client.ask("GET", "/v1/campaigns/wide").json, now))
    gone = begin(server, b"GET /v1/campaigns/wide HTTP/1.1\r\nHost: localhost\r\n\r\n")
    waits(server)
    gone.close()
    freed = wait_for(lambda: metric(server, "roster_http_unsent_bytes") == 0)
    tap.check("a client may go", [] if freed else ["its answer is held"])
    server.create(SHOP)
    small = client.ask("GET", "/v1/campaigns/shop")
    tap.check("a small one is one piece", same("length", int(small.headers.get("content-length", 0)), len(small.body)))

    toy = wide("driven", 1500)
    experiment = {key: toy[key] for key in ("name", "contexts", "actions", "experts")}
    world = {"rounds": 50, "context_probabilities": [0.5, 0.5], "reward_means": [[1, 0, 0], [0, 0.5, 0.25]]}
    experiment.update(episodes=[world], agents=[{"agent": "uniform"}], runs=1, seed=5)
    path = os.path.join(server.folder, "driven.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(experiment, file)
    command = [PROGRAM, "drive", path, "--server", f"http://127.0.0.1:{server.port}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    tap.check("roster drive takes it", same("exit", done.returncode, 0) + ([done.stderr] if done.returncode else []))
    server.stop()
    server.start()
    client = Client(server.port, timeout=120)
    tap.check("a restart changes nothing", same("answer", client.ask("GET", "/v1/campaigns/wide").json, now))
tap.finish()
