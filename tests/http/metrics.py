#!/usr/bin/env python3
"""tests/http/metrics.py DIR: what Prometheus reads, checked against its text format and against what was done."""

import re
import signal

from harness import SHOP, Server, campaign, refusal, same, tap

LINE = re.compile(r'^([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$')


def parse(text):
    """Series by name and labels, types by family, and what is wrong with the format."""
    series, types, wrong, family = {}, {}, [], None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            family = line.split()[2]
            if family in types:
                wrong.append(f"{family} comes twice")
        elif line.startswith("# TYPE "):
            if line.split()[2] != family:
                wrong.append(f"{line!r} follows the help of {family}")
            types[family] = line.split()[3]
        elif not LINE.match(line):
            wrong.append(f"{line!r} is no series")
        else:
            name, labels, value = LINE.match(line).groups()
            if not name.startswith(family):
                wrong.append(f"{name} stands under {family}")
            key = name + ("{" + labels + "}" if labels else "")
            if key in series:
                wrong.append(f"{key} comes twice")
            series[key] = float(value)
    return series, types, wrong


def habits(types):
    """Prometheus' own: counters end with _total, units are base units, names carry the program's."""
    for name, kind in types.items():
        if not name.startswith(("roster_", "process_")):
            yield f"{name} does not begin with roster_"
        if (kind == "counter") != name.endswith("_total"):
            yield f"{name} is a {kind}"
        if re.search(r"_(ms|millis|micro|kb|mb|percent)", name):
            yield f"{name} is not in base units"


def histograms(series, types):
    for name in (name for name, kind in types.items() if kind == "histogram"):
        groups = {}
        for key, value in series.items():
            found = re.match(name + r'_bucket\{(.*?),?le="([^"]+)"\}', key)
            if found:
                groups.setdefault(found[1], []).append((float(found[2]), value))
        for labels, buckets in groups.items():
            values = [value for _, value in buckets]
            total = series[name + "_count" + ("{" + labels + "}" if labels else "")]
            if values != sorted(values) or buckets[-1][0] != float("inf") or values[-1] != total:
                yield f"{name}{{{labels}}}: {buckets}, count {total}"
        if not groups:
            yield f"{name} has no buckets"


with Server() as server:
    server.create(SHOP, campaign("second"))
    for i in range(30):
        server.post("/v1/campaigns/shop/decide", {"event_id": str(i + 1), "context": 0})
    server.post("/v1/campaigns/second/decide", [{"context": 0}] * 70)
    server.post(
        "/v1/campaigns/shop/reward",
        [{"event_id": str(i + 1), "reward": 1} for i in range(20)] + [{"event_id": "1", "reward": 1}],
    )
    server.post("/v1/campaigns/shop/decide", {"context": "dusk"})
    answer = server.get("/metrics")
    series, types, wrong = parse(answer.body.decode())
    tap.check(
        "the type is Prometheus' own",
        same("type", answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8"),
    )
    tap.check("the text is of its format", wrong)
    tap.check("names and units follow its habits", list(habits(types)))
    tap.check("histograms add up", list(histograms(series, types)))
    tap.check("decisions are counted", same("agent", series['roster_decisions_total{how="agent"}'], 100))
    tap.check(
        "rewards are counted by status",
        same("joined", series['roster_rewards_total{status="joined"}'], 20)
        + same("duplicate", series['roster_rewards_total{status="duplicate"}'], 1),
    )
    tap.check(
        "requests are counted by route and status",
        same("2xx", series['roster_http_requests_total{route="decide",status="2xx"}'], 31)
        + same("4xx", series['roster_http_requests_total{route="decide",status="4xx"}'], 1),
    )
    tap.check("records are committed", same("records", series["roster_commit_records_total"], 2 + 100 + 21))
    tap.check("no series is of an event", [key for key in series if "event_id" in key])
    server.post("/v1/campaigns/second/decide", [{"context": 0}] * 1000)
    more = parse(server.get("/metrics").body.decode())[0]
    tap.check("more events make no more series", [key for key in more if key not in series and "getMetrics" not in key])
    by_campaign, types, wrong = parse(server.get("/metrics/campaigns").body.decode())
    tap.check(
        "every campaign has its own",
        wrong
        + list(habits(types))
        + same("shop", by_campaign['roster_campaign_decisions_total{campaign="shop"}'], 30)
        + same("second", by_campaign['roster_campaign_decisions_total{campaign="second"}'], 1070),
    )
    values = {key: value for key, value in by_campaign.items() if key.startswith("roster_campaign_expert_value{")}
    tap.check(
        "every expert has its value and an interval",
        same("experts", len(values), 3)
        + [
            key
            for key, value in values.items()
            if not by_campaign[key.replace("_value", "_low")] <= value <= by_campaign[key.replace("_value", "_high")]
        ],
    )
    own = {name: by_campaign[f'roster_campaign_bytes{{campaign="{name}"}}'] for name in ("shop", "second")}
    before = series["roster_campaign_largest_bytes"]
    tap.check(
        "so has its memory",
        same("the largest", more["roster_campaign_largest_bytes"], own["second"])
        + ([] if own["second"] > max(before, own["shop"]) and min(before, own["shop"]) > 0 else [f"{own}, {before}"]),
    )
    tap.check("files are bounded", [] if series["process_open_fds"] < 40 else [f"{series['process_open_fds']}"])
with Server() as server:
    server.create(campaign("small", reward={"events_most": 2}), campaign("ends"))
    for name, events in (("small", 5), ("ends", 3)):
        server.post(f"/v1/campaigns/{name}/decide", [{"context": 0}] * events)
    ended = server.ask("DELETE", "/v1/campaigns/ends").json["counters"]
    series, _, _ = parse(server.get("/metrics").body.decode())
    tap.check(
        "only events beyond events_most are crowded",
        same("crowded", series["roster_events_crowded_total"], 3)
        + same("of the archived one", [ended["crowded"], ended["unlearnt"]], [0, 3]),
    )
    server.stop(signal.SIGKILL)
    server.start()
    series, _, _ = parse(server.get("/metrics").body.decode())
    tap.check("also where the log was replayed", same("crowded", series["roster_events_crowded_total"], 3))
with Server("--max-rosters", "3") as server:
    roster = {"contexts": ["x"], "actions": 2, "experts": [{}, {}]}
    answers = [server.post("/v1/rosters", {"name": f"r{i}", **roster}) for i in range(5)]
    tap.check(
        "more rosters than the limit are refused",
        same("statuses", [answer.status for answer in answers], [201] * 3 + [422] * 2)
        + refusal(answers[-1], 422, "limit", "--max-rosters"),
    )
    series, _, _ = parse(server.get("/metrics").body.decode())
    tap.check(
        "which is counted",
        same("limit", series['roster_limit{limit="rosters"}'], 3)
        + same("refusals", series['roster_limit_refusals_total{limit="rosters"}'], 2),
    )
tap.finish()
