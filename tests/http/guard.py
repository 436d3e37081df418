#!/usr/bin/env python3
"""tests/http/guard.py DIR: who may ask: tokens, hosts, pages of other sites; and when the server does not start."""

import json
import os
import subprocess

from harness import PROGRAM, SHOP, Server, refusal, same, tap

DECIDE, ADMIN, OTHER = "decide-token-0123456789", "admin-token-0123456789", "other-token-0123456789"


def write(server, text, name="tokens"):
    path = os.path.join(server.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def bearer(token):
    return {"Authorization": "Bearer " + token}


# ---- tokens
server = Server(expect=False)
tokens = write(server, f"# two roles\n\ndecide {DECIDE}\n  admin   {ADMIN}\nadmin {ADMIN}-next\n")
server.options = ("--tokens", tokens, "--listen", "0.0.0.0:0")
with server.start():
    path = "/v1/campaigns/shop/decide"
    answer = server.post("/v1/campaigns", SHOP)
    tap.check(
        "without a token nothing is created",
        refusal(answer, 401, "unauthorized", "a token is needed")
        + same("challenge", answer.headers.get("www-authenticate"), 'Bearer realm="roster"'),
    )
    for what, given in (
        ("unknown", OTHER),
        ("shortened", ADMIN[:-1]),
        ("lengthened", ADMIN + "x"),
        ("empty", ""),
        ("very long", "x" * 4000),
        ("another case", ADMIN.upper()),
    ):
        tap.check(
            f"a token that is {what} is refused",
            refusal(server.post("/v1/campaigns", SHOP, headers=bearer(given)), 401, "unauthorized"),
        )
    for what, given in (("another scheme", "Basic " + ADMIN), ("a token alone", ADMIN)):
        answer = server.post("/v1/campaigns", SHOP, headers={"Authorization": given})
        tap.check(f"{what} is refused", refusal(answer, 401, "unauthorized", "must be: Bearer TOKEN"))
    tap.check(
        "a decide token creates nothing",
        refusal(server.post("/v1/campaigns", SHOP, headers=bearer(DECIDE)), 403, "forbidden", "for admins"),
    )
    tap.check(
        "an admin token does", same("status", server.post("/v1/campaigns", SHOP, headers=bearer(ADMIN)).status, 201)
    )
    tap.check(
        "so does the next one",
        same("status", server.post("/v1/campaigns", SHOP, headers=bearer(ADMIN + "-next")).status, 200),
    )
    tap.check("without a token nothing is decided", refusal(server.post(path, {"context": 0}), 401, "unauthorized"))
    for token in (DECIDE, ADMIN):
        event = server.post(path, {"context": 0}, headers=bearer(token)).json["event_id"]
        answer = server.post("/v1/campaigns/shop/reward", {"event_id": event, "reward": 1}, headers=bearer(token))
        tap.check(f"{token[:6]} may decide and reward", same("status", answer.json["status"], "joined"))
        tap.check(
            f"{token[:6]} may read metrics", same("status", server.get("/metrics", headers=bearer(token)).status, 200)
        )
    for method, admin in (
        ("GET", "/v1/campaigns"),
        ("GET", "/v1/campaigns/shop"),
        ("DELETE", "/v1/campaigns/shop"),
        ("POST", "/v1/campaigns/shop/controls"),
        ("POST", "/v1/campaigns/shop/episodes"),
        ("GET", "/v1/campaigns/shop/events"),
        ("GET", "/v1/events"),
        ("GET", "/v1/state"),
        ("POST", "/v1/rosters"),
        ("GET", "/v1/rosters"),
        ("POST", "/v1/rosters/r/samples"),
    ):
        body = {} if method == "POST" else None
        tap.check(
            f"{method} {admin} is for admins",
            refusal(server.ask(method, admin, body), 401, "unauthorized")
            + refusal(server.ask(method, admin, body, headers=bearer(DECIDE)), 403, "forbidden"),
        )
    for public in ("/", "/healthz", "/readyz", "/openapi.json"):
        tap.check(f"{public} is for all", same("status", server.get(public).status, 200))
    tap.check("metrics are not", refusal(server.get("/metrics"), 401, "unauthorized"))
    counts = server.get("/v1/campaigns/shop", headers=bearer(ADMIN)).json["counters"]
    tap.check("what was refused changed nothing", same("decisions", counts["decisions"], 2))
    tap.check(
        "not on loopback any name is answered",
        same("status", server.get("/healthz", headers={"Host": "roster.example"}).status, 200),
    )
server.end()

# ---- tokens for some campaigns, and for so many requests
server = Server(expect=False)
BOUND, SLOW = "bound-token-0123456789", "slow-token-0123456789"
server.options = (
    "--tokens",
    write(server, f"admin {ADMIN}\ndecide {BOUND} campaigns=shop,third\ndecide {SLOW} rate=0.01\n"),
)
with server.start():
    for name in ("shop", "other"):
        server.post("/v1/campaigns", {**SHOP, "name": name}, headers=bearer(ADMIN))
    ask = {"event_id": "e", "context": 0}
    tap.check(
        "a token decides in its campaign",
        same("status", server.post("/v1/campaigns/shop/decide", ask, headers=bearer(BOUND)).status, 200),
    )
    tap.check(
        "and rewards",
        same(
            "status",
            server.post("/v1/campaigns/shop/reward", {"event_id": "e", "reward": 1}, headers=bearer(BOUND)).status,
            200,
        ),
    )
    for path in ("/v1/campaigns/other/decide", "/v1/campaigns/sho/decide", "/v1/campaigns/shop,third/decide"):
        tap.check(
            f"not at {path}",
            refusal(server.post(path, ask, headers=bearer(BOUND)), 403, "forbidden", "other campaigns")
        )
    for path in ("/metrics", "/metrics/campaigns"):
        tap.check(
            f"nor does it read {path}",
            refusal(server.get(path, headers=bearer(BOUND)), 403, "forbidden", "other campaigns")
        )
    first = server.post("/v1/campaigns/other/decide", ask, headers=bearer(SLOW))
    second = server.post("/v1/campaigns/other/decide", {"event_id": "f", "context": 0}, headers=bearer(SLOW))
    tap.check(
        "beyond its rate a token is refused, and told when to ask again",
        same("first", first.status, 200)
        + refusal(second, 429, "rate-limit", "0.01 requests a second")
        + ([] if 90 <= int(second.headers.get("retry-after", 0)) <= 100 else [str(second.headers)]),
    )
    tap.check("others are not", same("status", server.get("/v1/state", headers=bearer(ADMIN)).status, 200))
    metrics = server.get("/metrics", headers=bearer(ADMIN)).body.decode()
    tap.check("it is counted", [] if "\nroster_http_rate_limited_total 1\n" in metrics else ["it is not"])
    counts = server.get("/v1/campaigns/other", headers=bearer(ADMIN)).json["counters"]
    tap.check("what was refused changed nothing", same("decisions", counts["decisions"], 1))
server.end()

# ---- pages of other sites
with Server("--host", "roster.example,other.example") as server:
    server.create(SHOP)
    own = f"127.0.0.1:{server.port}"
    controls = "/v1/campaigns/shop/controls"
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://{own}.evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": f"http://{own}", "Sec-Fetch-Site": "cross-site"},
    ):
        for method, path, body in (
            ("POST", controls, {}),
            ("POST", "/v1/campaigns", SHOP),
            ("DELETE", "/v1/campaigns/shop", None),
            ("GET", "/v1/campaigns", None),
            ("POST", "/v1/campaigns/shop/decide", {"context": 0}),
        ):
            tap.check(
                f"{method} {path} with {headers} is refused",
                refusal(server.ask(method, path, body, headers=headers), 403, "cross-site", "other sites"),
            )
    for headers in (
        {"Origin": f"http://{own}"},
        {"Origin": f"http://{own}", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://roster.example", "Host": "roster.example"},
    ):
        tap.check(
            f"{headers} may", same("status", server.post(controls, {"learning": True}, headers=headers).status, 200)
        )
    tap.check(
        "the page opens from anywhere",
        same("status", server.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status, 200),
    )
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"):
        tap.check(
            f"a body of type {kind} is refused",
            refusal(server.post(controls, b"{}", kind=kind), 415, "media-type", "must be application/json"),
        )
    for kind in ("application/json; charset=utf-8", "Application/JSON"):
        tap.check(f"{kind} may", same("status", server.post(controls, {"learning": True}, kind=kind).status, 200))

    # ---- names that resolve to loopback
    for host in (
        "evil.example",
        f"evil.example:{server.port}",
        "127.0.0.1.evil.example",
        "localhost.evil",
        "localhost:80.evil.example",
        "10.0.0.1",
        "[::2]",
    ):
        tap.check(
            f"Host {host} is refused", refusal(server.get("/v1/campaigns", headers={"Host": host}), 403, "wrong-host")
        )
        tap.check(
            f"Host {host} is refused the page too", refusal(server.get("/", headers={"Host": host}), 403, "wrong-host")
        )
    for host in ("localhost", "localhost:80", own, "LOCALHOST:1", "[::1]:7700", "roster.example", "other.example:443"):
        tap.check(f"Host {host} may", same("status", server.get("/v1/campaigns", headers={"Host": host}).status, 200))
    tap.check(
        "a decision for a page of another site was not made",
        same("decisions", server.get("/v1/campaigns/shop").json["counters"]["decisions"], 0),
    )


# ---- what it says
with Server("--log", "requests") as server:
    server.create(SHOP)
    server.get('/v1/campaigns/none"\\%0a')
    server.stop()
    lines = [json.loads(line) for line in server.said().splitlines()]
    asked = [(line["route"], line["status"]) for line in lines if line["event"] == "request"]
    tap.check(
        "every request has a line of JSON", same("requests", asked, [("createCampaign", 201), ("getCampaign", 404)])
    )
    tap.check("and a time", [line for line in lines if not line["time"].endswith("Z") or line.get("seconds", 0) < 0])
    events = [line["event"] for line in lines if line["event"] != "request"]
    tap.check("so has what happens",
              same("events", events, ["listening", "ready", "campaign-created", "stopping", "stopped"]))


# ---- when it does not start
def not_started(what, words, *options, data=None):
    with Server(*options, expect=False, data=data) as refused:
        code, said = refused.refused()
        tap.check(
            what, same("exit code", code, 1) + ([] if words in said else [f"it says {said!r}, expected {words!r}"])
        )


not_started("without tokens it listens on loopback only", "add --tokens FILE", "--listen", "0.0.0.0:0")
not_started("also by name of all addresses", "is not on loopback", "--listen", "[::]:0")
not_started("an address is checked", "must be ADDRESS:PORT", "--listen", "7700")
not_started("so is a port", "must be ADDRESS:PORT", "--listen", "127.0.0.1:http")
not_started("a campaign file that is not there", "cannot be read: No such file", "--campaign", "nowhere.json")
with Server(expect=False) as folder:
    good = write(folder, f"admin {ADMIN}\n", "good")
    not_started(
        "an address that is not ours", "Cannot assign requested address", "--listen", "192.0.2.1:7700", "--tokens", good
    )
    for text, words in (
        (f"root {ADMIN}\n", "line 1: must be `decide TOKEN` or `admin TOKEN`"),
        ("admin short\n", "16 to 128"),
        (f"# none\ndecide {DECIDE} more\n", "line 2: must be"),
        ("# nothing\n", "the file has no token"),
        (f"admin {'x' * 129}\n", "16 to 128"),
        (f"admin {ADMIN}\n" * 65, "at most 64 tokens"),
        ("#" + " " * 511 + f"admin {ADMIN}\n", "the file has no token"),
        (f"decide {DECIDE} rate=fast\n", "rate must be"),
        (f"admin {ADMIN} campaigns=shop\n", "is for decide tokens"),
    ):
        not_started(f"a tokens file with {text[:20]!r}", words, "--tokens", write(folder, text))
    not_started("a tokens file that is not there", "cannot be read", "--tokens", os.path.join(folder.folder, "none"))
    not_started("a campaign that is wrong", "bad.json: ", "--campaign", write(folder, '{"name": "x"}', "bad.json"))
done = subprocess.run([PROGRAM, "serve", "--durability", "maybe"], capture_output=True, text=True)
tap.check(
    "a word that is not known",
    same("exit code", done.returncode, 2)
    + same("sentence", done.stderr, "roster serve: --durability is 'maybe', must be one of fsync|os\n"),
)
tap.finish()
