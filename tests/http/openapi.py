#!/usr/bin/python3
"""tests/http/openapi.py DIR [full]: /openapi.json against the running server: every path and method of it answers, with
a status and a body as it says; nothing else answers. "full" also asks python-jsonschema."""

import json
import re
import sys

import schemas
from harness import SHOP, Server, campaign, same, tap

FULL = len(sys.argv) > 2
ROSTER = {"name": "logged", "contexts": 2, "actions": ["a", "b"], "experts": [{"name": "p"}, {"name": "q"}]}
SAMPLE = {"expert": "p", "context": 0, "action": "a"}
TOP = {"top": {"a": 0.5}, "tail": 0.5}
NAMES = {"expert": "e0", "campaign": "shop", "roster": "logged"}


def expert(name):
    return {"name": name, "table": [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]}


# Per operation bodies to send, with what they get; {} of the path: NAMES, or what is given here.
CALLS = {
    "createCampaign": [
        (201, SHOP, None),
        (200, SHOP, None),
        (409, campaign("shop", seed=9), None),
        (400, {}, None),
        (
            201,
            campaign("watch", mode="shadow"),
            None,
        ),
        (
            201,
            {"name": "ads", "kind": "external", "experts": ["old", {"name": "new"}], "seed": 1},
            None,
        ),
        (
            201,
            campaign("old", reward={"wait": 5, "default": 0}, episodes={"rounds": 10, "schedule": [{"at": "03:00"}]}),
            None,
        ),
    ],
    "listCampaigns": [(200, None, None)],
    "getCampaign": [(200, None, None), (404, None, "none"), (200, None, "old"), (200, None, "watch")],
    "decide": [
        (200, {"event_id": "x", "context": "day"}, None),
        (200, {"event_id": "x", "context": "day"}, None),
        (200, [{"context": 0}, {"context": 9}], None),
        (200, {"event_id": "m", "probabilities": [{"a": 0.5, "b": 0.5}, {"b": 1}]}, "ads"),
        (200, {"actions": ["a", 2], "probabilities": {"old": [0.5, 0.5], "new": TOP}}, "ads"),
        (422, {"probabilities": [{"a": 0.5}, {"b": 1}]}, "ads"),
        (422, {"context": "dusk"}, None),
        (404, {"context": 0}, "none"),
        (409, {"event_id": "x", "context": "night"}, None),
        (400, {"contxt": 0}, None),
    ],
    "choose": [
        (200, {"event_id": "x"}, "ads"),
        (200, {"event_id": "x"}, "ads"),
        (200, [{}, {"event_id": "y"}, {"event_id": "#9"}], "ads"),
        (404, {}, "none"),
        (400, {}, None),
        (400, {"context": 0}, "ads"),
    ],
    "acted": [
        (422, {"event_id": "x", "action": "a", "probabilities": [1]}, "ads"),
        (200, {"event_id": "x", "action": "a", "probabilities": {"old": 1, "new": 0.5}}, "ads"),
        (200, {"event_id": "x", "action": "a", "probabilities": [1, 0.5]}, "ads"),
        (409, {"event_id": "x", "action": "b", "probabilities": [1, 0.5]}, "ads"),
        (404, {"event_id": "z", "action": "a", "actions": ["a", "b"]}, "ads"),
        (200, [{"event_id": "y", "action": 17, "actions": [17, "17"]}, {"event_id": "1", "action": 1}], "ads"),
        (404, {"event_id": "x", "action": "a", "probabilities": [1, 1]}, "none"),
        (400, {"event_id": "x"}, "ads"),
    ],
    "observed": [
        (200, {"event_id": "x", "context": "day", "action": "a", "propensity": 0.5}, "watch"),
        (200, {"event_id": "x", "context": "day", "action": "a", "propensity": 0.5}, "watch"),
        (200, [{"event_id": "y", "context": 0, "action": "a"}, {"event_id": "z", "action": "q"}], "watch"),
        (409, {"event_id": "x", "context": "day", "action": "b", "propensity": 0.5}, "watch"),
        (422, {"event_id": "w", "context": "dusk", "action": "b", "propensity": 0.5}, "watch"),
        (409, {"event_id": "x", "context": "day", "action": "a", "propensity": 0.5}, None),
        (404, {"event_id": "x", "context": "day", "action": "a"}, "none"),
        (400, {"event_id": "x"}, "watch"),
    ],
    "reward": [
        (422, {"event_id": "x", "reward": 7}, None),
        (200, {"event_id": "x", "reward": 1}, None),
        (409, {"event_id": "x", "reward": 1}, None),
        (404, {"event_id": "y", "reward": 1}, None),
        (200, [{"event_id": "y", "reward": 1}], None),
        (404, {"event_id": "x", "reward": 1}, "none"),
        (400, {"event_id": "x"}, None),
    ],
    "startEpisode": [(200, {}, None), (404, {}, "none"), (400, {"a": 1}, None)],
    "setControls": [
        (200, {"pin": "e1", "cap": {"e0": 0.5}}, None),
        (200, {"mode": "live"}, "watch"),
        (200, {"mode": "shadow"}, "watch"),
        (200, {"pin": None, "learning": False}, None),
        (404, {}, "none"),
        (400, {"pin": "e9"}, None),
    ],
    "addExpert": [
        (200, expert("tried"), "shop?dry_run=true"),
        (200, expert("new"), None),
        (400, expert("new"), None),
        (404, expert("new"), "none"),
    ],
    "replaceExpert": [(200, expert("newer"), None), (400, {"name": ""}, None), (404, expert("newest"), "none")],
    "retireExpert": [(400, None, None), (404, None, "none")],
    "streamCampaignEvents": [(200, None, None), (404, None, "none"), (400, None, "shop?after=x")],
    "eraseEvent": [(409, {"event_id": "x"}, None), (404, {"event_id": "nobody"}, None), (400, {"event_id": 1}, None),
                   (404, {"event_id": "a"}, "none")],
    "adoptClock": [(200, {"adopt": True}, None), (400, {"adopt": False}, None)],
    "streamEvents": [(200, None, None)],
    "createRoster": [(201, ROSTER, None), (200, ROSTER, None), (409, {**ROSTER, "actions": 3}, None), (400, {}, None)],
    "listRosters": [(200, None, None)],
    "getRoster": [(200, None, None), (404, None, "none")],
    "addSamples": [
        (200, {"samples": [SAMPLE]}, None),
        (200, [SAMPLE], None),
        (404, [SAMPLE], "none"),
        (400, [{}], None),
    ],
    "archiveCampaign": [(200, None, "old"), (404, None, "none")],
}
LAST = ["archiveCampaign"]


def name_of(parameter, given):
    """What stands in the path for a parameter; what is given is not an expert."""
    return given.split("?")[0] if given and parameter != "expert" else NAMES[parameter]


def validator(document, schema):
    """By python-jsonschema; references are to the document."""
    import jsonschema

    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": document["components"], **schema}
    return lambda value: [error.message[:200] for error in jsonschema.Draft202012Validator(whole).iter_errors(value)]


def against(document, described, answer):
    """Problems of an answer as the document describes its status."""
    if str(answer.status) not in described:
        return [f"status {answer.status} is not in the document: {answer.body[:200]}"]
    kind = answer.headers["content-type"].split(";")[0]
    content = described[str(answer.status)]["content"]
    if kind not in content:
        return [f"it is {kind}, the document says {list(content)}"]
    if kind != "application/json":
        return []
    found = schemas.problems(document, content[kind]["schema"], answer.json)
    return found + (validator(document, content[kind]["schema"])(answer.json) if FULL else [])


with Server() as server:
    document = server.get("/openapi.json").json
    tap.check("the document is OpenAPI 3.1", same("version", document["openapi"], "3.1.0"))
    operations = {
        one["operationId"]: (method.upper(), path, one)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    }
    order = [
        name
        for name in sorted(
            operations, key=lambda n: (n in LAST, "create" not in n, n not in ("decide", "choose"), operations[n][1])
        )
    ]
    for name in order:
        method, path, described = operations[name]
        for status, body, given in CALLS.get(name, [(200, None, None)]):
            target = re.sub(r"\{(\w+)\}", lambda found: name_of(found[1], given), path)
            target += "?" + given.split("?")[1] if given and "?" in given else ""
            answer = server.ask(method, target, body)
            wrong = same("status", answer.status, status) + against(document, described["responses"], answer)
            if body is not None and status < 300:
                sent = next(iter(described["requestBody"]["content"].values()))["schema"]
                wrong += schemas.problems(document, sent, body, "body")
            tap.check(f"{method} {target} {str(body)[:50] if body is not None else ''} {status}", wrong[:4])
    for method, path, described in operations.values():
        target = re.sub(r"\{(\w+)\}", lambda found: NAMES[found[1]], path) + "?nothing=1"
        answer = server.ask(method, target, {} if method in ("POST", "PUT") else None)
        wrong = same("status", answer.status, 400) + against(document, described["responses"], answer)
        known = [one["name"] for one in described["parameters"] if one["in"] == "query"]
        end = "; known are " + ", ".join(known) if known else "; there are none here"
        wrong += [] if answer.sentence.endswith(end) else [answer.sentence]
        tap.check(f"{method} {target} is refused", wrong)
    used = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    tap.check(
        "every schema is used, and none is missing",
        same("schemas", used ^ set(document["components"]["schemas"]), set()),
    )
    for path, methods in document["paths"].items():
        target = re.sub(r"\{(\w+)\}", lambda found: NAMES[found[1]], path)
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            if method.lower() not in methods:
                tap.check(f"{method} {path} is not answered", same("status", server.ask(method, target).status, 405))
    tap.check(
        "no form is without refusals",
        [
            name
            for name, (_, _, one) in operations.items()
            if one["security"] and not {"401", "403"} <= set(one["responses"])
        ],
    )
    if FULL:
        import jsonschema

        for name, schema in document["components"]["schemas"].items():
            jsonschema.Draft202012Validator.check_schema(schema)
            tap.check(f"{name} is a schema", [])
tap.finish()
