#!/usr/bin/env python3
"""tests/http/listing.py DIR: answers about all campaigns are whole, also where they come in pieces."""

import collections

from harness import Client, Server, campaign, same, tap

MANY = 1200

with Server("--log", "errors", "--durability", "os") as server:
    client = Client(server.port)
    for i in range(MANY):
        assert client.ask("POST", "/v1/campaigns", campaign(f"c{i}")).status == 201
    assert client.ask("DELETE", "/v1/campaigns/c7").status == 200
    assert client.ask("POST", "/v1/campaigns", campaign("c7", seed=8)).status == 201
    answer = client.ask("GET", "/v1/campaigns")
    names = [c["name"] for c in answer.json["campaigns"]]
    tap.check("every campaign is listed", same("names", names, [f"c{i}" for i in range(MANY)] + ["c7"]))
    lines = client.ask("GET", "/metrics/campaigns").body.decode().splitlines()
    series = collections.Counter(line.rsplit(" ", 1)[0] for line in lines if not line.startswith("#"))
    tap.check("no series is there twice", [name for name, n in series.items() if n > 1][:3])
    tap.check("every campaign has its figures", same("series", len(series), MANY * 10))
    heads = [line for line in lines if line.startswith("# TYPE")]
    tap.check("every family has one head", same("heads", len(heads), 9))
    answer = client.ask("GET", "/healthz")
    tap.check("the connection goes on", same("status", answer.status, 200))
    client.close()

with Server("--log", "errors", "--durability", "os") as server:
    client = Client(server.port)
    for i in range(1050):  # more than a piece of names that another has now
        assert client.ask("POST", "/v1/campaigns", campaign("again", seed=i)).status == 201
        assert client.ask("DELETE", "/v1/campaigns/again").status == 200
    lines = client.ask("GET", "/metrics/campaigns").body.decode().splitlines()
    figures = [line for line in lines if not line.startswith("#")]
    tap.check("a piece without figures is not the end", same("series", len(figures), 10))
    client.close()
tap.finish()
