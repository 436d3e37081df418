#!/usr/bin/env python3
"""tests/http/routes.py DIR: every route of `roster serve`, and every refusal with its code and sentence."""

from harness import SHOP, Client, Server, campaign, refusal, same, tap, wait_for

with Server() as server:
    # ---- campaigns
    answer = server.post("/v1/campaigns", SHOP)
    tap.check(
        "a campaign is created",
        same("status", answer.status, 201)
        + same("place", answer.headers.get("location"), "/v1/campaigns/shop")
        + same("name", answer.json["name"], "shop"),
    )
    tap.check("the same again changes nothing", same("status", server.post("/v1/campaigns", SHOP).status, 200))
    tap.check(
        "another of that name is refused",
        refusal(server.post("/v1/campaigns", campaign("shop", seed=8)), 409, "exists", "campaign shop exists"),
    )
    tap.check(
        "a wrong description is refused",
        refusal(server.post("/v1/campaigns", campaign("bad", agent="best")), 400, "invalid", "must be one of"),
    )
    tap.check(
        "a table that is no distribution is refused",
        refusal(
            server.post("/v1/campaigns", campaign("bad", experts=[{"table": [[0.5, 0.2, 0.2], [1, 0, 0]]}])),
            400,
            "invalid",
        ),
    )
    tap.check("a body that is no JSON is refused", refusal(server.post("/v1/campaigns", "{"), 400, "bad-json"))
    tap.check("an empty body is refused", refusal(server.post("/v1/campaigns", ""), 400, "bad-json"))
    listed = server.get("/v1/campaigns").json["campaigns"]
    tap.check("campaigns are listed", same("names", [c["name"] for c in listed], ["shop"]))
    tap.check(
        "an unknown one is 404",
        refusal(server.get("/v1/campaigns/shopp"), 404, "unknown-campaign", "no campaign shopp"),
    )

    # ---- decide
    decide, reward = "/v1/campaigns/shop/decide", "/v1/campaigns/shop/reward"
    first = server.post(decide, {"event_id": "x", "context": "day"})
    tap.check(
        "a decision has all that was promised",
        same("keys", sorted(first.json), ["action", "episode", "event_id", "expert", "propensity"])
        + same("status", first.status, 200),
    )
    table = {e["name"]: e["table"] for e in SHOP["experts"]}
    tap.check(
        "its propensity is that of the table",
        same("propensity", first.json["propensity"], table[first.json["expert"]][0]["abc".index(first.json["action"])]),
    )
    again = server.post(decide, {"event_id": "x", "context": "day"})
    tap.check("the same event_id gives the same decision", same("answer", again.json, {**first.json, "repeated": True}))
    tap.check(
        "but not for another context",
        refusal(server.post(decide, {"event_id": "x", "context": "night"}), 409, "event-conflict"),
    )
    numbered = [server.post(decide, {"context": 1}).json["event_id"] for _ in range(2)]
    tap.check("without an event_id events are numbered", same("ids", numbered, ["#1", "#2"]))
    several = server.post(decide, [{"context": "day"}, {"context": "dusk"}, {"event_id": "x", "context": "day"}])
    tap.check(
        "an array gets one answer each, wrong ones in their place",
        same("status", several.status, 200)
        + same("items", len(several.json), 3)
        + same("code", several.json[1]["error"]["code"], "unknown-context")
        + same("repeated", several.json[2], again.json),
    )
    tap.check("an empty array is fine", same("answer", server.post(decide, []).json, []))
    for body, status, code, words in (
        ({"context": "dusk"}, 422, "unknown-context", "dusk"),
        ({"context": 2}, 422, "unknown-context", "must be below 2"),
        ({"context": -1}, 400, "invalid", "whole number"),
        ({"context": None}, 400, None, None),
        ({}, 400, "invalid", "'context' is missing"),
        ({"context": "day", "color": 1}, 400, "invalid", "unknown key"),
        ({"features": [1]}, 400, "invalid", None),
        ({"probabilities": [[1]]}, 400, None, None),
        ({"event_id": "", "context": 0}, 400, "invalid", "1 to 128"),
        ({"event_id": "a b", "context": 0}, 400, "invalid", "printable"),
        ({"event_id": "a" * 129, "context": 0}, 400, "invalid", "129 bytes"),
        ({"event_id": 7.5, "context": 0}, 400, None, None),
        ({"event_id": "#999", "context": 0}, 400, "invalid", "did not give out"),
        ({"event_id": "#x", "context": 0}, 400, "invalid", "begin with #"),
        ("nonsense", 400, "bad-json", None),
        ("", 400, "bad-json", None),
        ('{"context":NaN}', 400, "bad-json", None),
        ('"day"', 400, "bad-json", None),
        ('{"context":"day"}x', 400, "bad-json", None),
    ):
        answer = server.post(decide, body)
        tap.check(
            f"decide refuses {str(body)[:40]}",
            refusal(answer, answer.status if code is None else status, answer.code if code is None else code, words)
            + ([] if 400 <= answer.status < 500 else ["no 4xx"]),
        )
    tap.check(
        "an unknown campaign decides nothing",
        refusal(server.post("/v1/campaigns/none/decide", {"context": 0}), 404, "unknown-campaign"),
    )

    # ---- rewards
    def told(event, value):
        answer = server.post(reward, {"event_id": event, "reward": value})
        return answer.status, answer.json.get("status")

    tap.check("a reward out of range is 422", same("answer", told("x", 1.5), (422, "out-of-range")))
    tap.check("a reward is joined", same("answer", told("x", 1), (200, "joined")))
    tap.check("a second one is a duplicate", same("answer", told("x", 1), (409, "duplicate")))
    server.create(campaign("sums", reward={"combine": "sum", "range": [0, 10]}))
    server.post("/v1/campaigns/sums/decide", {"event_id": "x", "context": 0})
    sums = [
        server.post("/v1/campaigns/sums/reward", {"event_id": "x", "reward": 6, "reward_id": name}).json
        for name in ("a", "a", "b")
    ]
    tap.check(
        "a sum that leaves the range is told and counted",
        same("statuses", [answer["status"] for answer in sums], ["joined", "duplicate", "joined"])
        + same("clipped", [answer.get("clipped") for answer in sums], [None, None, True])
        + same("counter", server.get("/v1/campaigns/sums").json["counters"]["clipped"], 1),
    )
    tap.check("one of an unknown event is 404", same("answer", told("y", 1), (404, "unknown")))
    several = server.post(
        reward, [{"event_id": numbered[0], "reward": 0}, {"event_id": "x", "reward": 0}, {"event_id": "y", "reward": 0}]
    )
    tap.check(
        "an array of rewards has a status each",
        same("status", several.status, 200)
        + same("statuses", [item["status"] for item in several.json], ["joined", "duplicate", "unknown"]),
    )
    for body in (
        {"event_id": "x"},
        {"reward": 1},
        {"event_id": "x", "reward": "1"},
        '{"event_id":"x","reward":1e999}',
        '{"event_id":"x","reward":NaN}',
        '{"event_id":"x","reward":Infinity}',
        [{"event_id": "x"}],
        3,
    ):
        answer = server.post(reward, body)
        item = answer.json[0]["error"]["code"] if isinstance(body, list) else answer.code
        tap.check(
            f"reward refuses {str(body)[:40]}",
            [] if item in ("invalid", "bad-json") else [f"{answer.status} {answer.body}"],
        )
    counts = server.get("/v1/campaigns/shop").json["counters"]
    tap.check(
        "every status has its counter",
        same("rewards", counts["rewards"], {"joined": 2, "duplicate": 2, "late": 0, "unknown": 2, "out-of-range": 1}),
    )

    server.create(campaign("quick", reward={"wait": 0.05, "remember": 60, "default": 0, "range": [-1, 1]}))
    event = server.post("/v1/campaigns/quick/decide", {"context": 0}).json["event_id"]
    late = lambda: server.post("/v1/campaigns/quick/reward", {"event_id": event, "reward": 1})  # noqa: E731
    wait_for(lambda: server.get("/v1/campaigns/quick").json["counters"]["defaulted"] == 1)
    answer = late()
    tap.check(
        "a late reward is 410, and the default was learnt",
        same("answer", (answer.status, answer.json["status"]), (410, "late")),
    )

    # ---- episodes and controls
    answer = server.post("/v1/campaigns/shop/episodes", {})
    tap.check("an episode is started", same("answer", (answer.status, answer.json), (200, {"episode": 1})))
    tap.check(
        "also without a body", same("answer", server.post("/v1/campaigns/shop/episodes", "").json, {"episode": 2})
    )
    tap.check("it takes no settings", refusal(server.post("/v1/campaigns/shop/episodes", {"now": 1}), 400, "invalid"))
    tap.check("decisions are of the episode", same("episode", server.post(decide, {"context": 0}).json["episode"], 2))
    answer = server.post("/v1/campaigns/shop/controls", {"pin": "e2"})
    tap.check(
        "an expert is pinned",
        same("pin", answer.json["controls"]["pin"], "e2")
        + same("expert", server.post(decide, {"context": 0}).json["expert"], "e2"),
    )
    tap.check(
        "an unknown expert is not", refusal(server.post("/v1/campaigns/shop/controls", {"pin": "e9"}), 400, "invalid")
    )
    answer = server.post(
        "/v1/campaigns/shop/controls", {"pin": None, "learning": False, "fallback": "e1", "cap": {"e0": 0.5}}
    )
    tap.check(
        "controls are set together",
        same(
            "controls",
            answer.json["controls"],
            {"mode": "live", "learning": False, "pin": None, "fallback": "e1", "cap": {"e0": 0.5}, "retain": None},
        ),
    )

    # ---- rosters
    logged = {
        "name": "logged",
        "contexts": ["day", "night"],
        "actions": ["a", "b"],
        "experts": [{"name": "p"}, {"name": "q"}],
    }
    answer = server.post("/v1/rosters", logged)
    tap.check(
        "a roster is created", same("status", answer.status, 201) + same("known", answer.json["known"], "samples")
    )
    tap.check("the same roster again is fine", same("status", server.post("/v1/rosters", logged).status, 200))
    samples = [
        {"expert": e, "context": c, "action": a, "count": 400} for e in "pq" for c in ("day", "night") for a in "ab"
    ]
    answer = server.post("/v1/rosters/logged/samples", {"samples": samples})
    tap.check("samples are added", same("answer", (answer.status, answer.json), (200, {"added": 3200})))
    tap.check(
        "wrong samples are not",
        refusal(
            server.post("/v1/rosters/logged/samples", samples[:1] + [{"expert": "r", "context": 0, "action": 0}]),
            400,
            "invalid",
        ),
    )
    tap.check("all or nothing", same("samples", server.get("/v1/rosters/logged").json["samples"], 3200))
    tap.check(
        "samples of no roster are refused",
        refusal(server.post("/v1/rosters/none/samples", samples), 404, "unknown-roster"),
    )
    tap.check(
        "rosters are listed", same("names", [r["name"] for r in server.get("/v1/rosters").json["rosters"]], ["logged"])
    )
    tap.check("an unknown roster is 404", refusal(server.get("/v1/rosters/none"), 404, "unknown-roster"))
    answer = server.post(
        "/v1/campaigns",
        {
            "name": "estimated",
            "roster": "logged",
            "seed": 1,
            "agent": {"agent": "ed-ucb", "p_V": 0.2, "p_X": 0.5, "gamma": 0.1},
        },
    )
    tap.check("a campaign estimates its experts from them", same("status", answer.status, 201))

    # ---- the matrix and the features
    server.create(campaign("matrix", kind="external"))
    answer = server.post("/v1/campaigns/matrix/decide", {"probabilities": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})
    tap.check("a matrix of probabilities decides", same("propensity", answer.json.get("propensity"), 1))
    for matrix in ([[1, 0, 0]], [[0.5, 0.4, 0]] * 3, [[2, -1, 0]] * 3, [[1, 0]] * 3):
        tap.check(
            f"the matrix {matrix} is refused",
            refusal(server.post("/v1/campaigns/matrix/decide", {"probabilities": matrix}), 422, "not-a-distribution"),
        )
    server.create(
        {
            "name": "soft",
            "kind": "softmax",
            "features": 2,
            "actions": ["a", "b"],
            "agent": "d-ucb",
            "seed": 1,
            "sample": [[0, 1], [1, 0]],
            "experts": [{"weights": [[1, 0], [0, 1]]}, {"weights": [[0, 1], [1, 0]]}],
        }
    )
    answer = server.post("/v1/campaigns/soft/decide", {"features": [0.5, -1]})
    tap.check("a vector of features decides", same("status", answer.status, 200))
    tap.check(
        "of the right length",
        refusal(server.post("/v1/campaigns/soft/decide", {"features": [1]}), 400, "invalid", "must have 2"),
    )

    # ---- archive
    answer = server.ask("DELETE", "/v1/campaigns/quick")
    tap.check("a campaign is archived", same("answer", (answer.status, answer.json["archived"]), (200, True)))
    tap.check("again is fine", same("status", server.ask("DELETE", "/v1/campaigns/quick").status, 200))
    tap.check("an unknown one is 404", refusal(server.ask("DELETE", "/v1/campaigns/none"), 404, "unknown-campaign"))
    tap.check("it decides no more", refusal(server.post("/v1/campaigns/quick/decide", {"context": 0}), 410, "archived"))
    tap.check("it can be looked at", same("archived", server.get("/v1/campaigns/quick").json["archived"], True))

    # ---- the rest
    tap.check("the server is healthy", same("answer", server.get("/healthz").json, {"status": "ok"}))
    tap.check("and ready", same("answer", server.get("/readyz").json, {"status": "ok"}))
    state = server.get("/v1/state").json
    tap.check("its state is told", same("ok", state["store"]["ok"], True) + same("campaigns", state["campaigns"], 6))
    page = server.get("/")
    tap.check(
        "the page is there",
        same("type", page.headers["content-type"], "text/html; charset=utf-8")
        + ([] if b"<html" in page.body else ["no page"])
        + ([] if "frame-ancestors 'none'" in page.headers.get("content-security-policy", "") else ["can be framed"]),
    )
    tap.check("what is not there is 404", refusal(server.get("/v2"), 404, "not-found", "/openapi.json"))
    for path in ("/v1/campaigns/", "/v1/campaigns/shop/", "/v1/campaigns/shop/decide/x", "/v1", "//", "/healthz/"):
        tap.check(f"{path} is 404", refusal(server.get(path), 404, "not-found"))
    answer = server.ask("PUT", "/v1/campaigns/shop", {})
    tap.check(
        "another method is 405",
        refusal(answer, 405, "method-not-allowed", "use GET, DELETE")
        + same("Allow", answer.headers.get("allow"), "GET, DELETE"),
    )
    tap.check(
        "HEAD is GET without a body",
        same("answer", (server.ask("HEAD", "/healthz").status, server.ask("HEAD", "/healthz").body), (200, b"")),
    )
    client = Client(server.port)
    client.ask("GET", "/healthz")
    kept = client.connection.sock
    for _ in range(3):
        client.ask("POST", decide, {"context": 0})
        client.ask("POST", decide, {"context": "dusk"})
        client.ask("GET", "/nowhere")
    tap.check(
        "connections are kept open, also by refusals", [] if client.connection.sock is kept else ["it was closed"]
    )
    client.close()
    tap.check("it stops when told to", same("exit code", server.stop(), 0))
    tap.check("the log agrees with the library", server.audit())
tap.finish()
