#!/usr/bin/env python3
"""tests/http/replicas.py BUILD: several servers on one PostgreSQL answer as a single one would; below
tools/scratch-postgres.
"""

import json
import os
import shutil
import tempfile
import threading

from harness import SHOP, campaign, metric, refusal, same, tap, wait_for
from replica_support import URL, Load, Replica, compare, control, end_all, none, program, sql

folder = tempfile.mkdtemp(prefix="roster-replicas-")
shop = os.path.join(folder, "shop.json")
with open(shop, "w", encoding="utf-8") as file:
    json.dump(SHOP, file)

# ---- all start at the same time, and create the same campaign
replicas = [Replica("--snapshot-every", "2000", shop, expect=False) for _ in range(3)]
starting = [threading.Thread(target=replica.start) for replica in replicas]
for thread in starting:
    thread.start()
for thread in starting:
    thread.join()
one, two, three = replicas
tap.check("three that start at once create the campaign once",
          same("rows", sql("SELECT count(*), sum(count) FROM roster_log"), "1|1"))
tap.check("and all have it", none([r for r in replicas if r.campaign()["name"] != "shop"]))

# ---- many at a time, the same events on several
load = Load(replicas, threads=6, most=60).join()
compare(load, "three servers")

# ---- lists
items = [{"event_id": f"list-{i}", "context": i % 2} for i in range(5000)]
answer = two.post("/v1/campaigns/shop/decide", items)
tap.check("a list of 5000 takes several turns",
          same("status", answer.status, 200) + same("answers", len(answer.json), 5000)
          + none(int(sql("SELECT max(count) FROM roster_log")) > 2100))
again = three.post("/v1/campaigns/shop/decide", items)
tap.check("another server gives the same answers",
          none([a for a, b in zip(answer.json, again.json, strict=True)
                if (a["expert"], a["action"]) != (b["expert"], b["action"])][:3]))

tap.check("snapshots are written to the database",
          none(not wait_for(lambda: int(sql("SELECT count(*) FROM roster_snapshot WHERE part = 0")) > 0)))

# ---- what one changes the others have
one.create(campaign("second", reward={"wait": 1, "default": 0}))
tap.check("a campaign that one server creates, another has at once for what changes it",
          same("status", two.post("/v1/campaigns/second/decide", {"event_id": "x", "context": 0}).status, 200))
tap.check("and soon for all",
          none(not wait_for(lambda: three.get("/v1/campaigns/second").status == 200)))
tap.check("a window that is over is closed without a request",
          none(not wait_for(lambda: all(r.campaign("second")["counters"]["open"] == 0 for r in replicas))))
tap.check("an episode of one is the episode of all",
          same("status", three.post("/v1/campaigns/shop/episodes", {}).status, 200)
          + same("episode", one.post("/v1/campaigns/shop/decide", {"event_id": "e", "context": 0}).json["episode"], 1))
tap.check("an archived campaign is archived for all",
          same("status", one.ask("DELETE", "/v1/campaigns/second").status, 200)
          + same("status", two.post("/v1/campaigns/second/decide", {"event_id": "y", "context": 0}).status, 410))
tap.check("what is wrong is refused",
          refusal(two.post("/v1/campaigns/shop/decide", {"context": "dusk"}), 422, "unknown-context"))
tap.check("nothing can be erased", refusal(one.post("/v1/campaigns/shop/erase", {"event_id": "e"}), 409, "conflict"))
tap.check("the database's clock counts", refusal(one.post("/v1/clock", {"adopt": True}), 409, "conflict"))
lines = [json.loads(line) for line in one.get("/v1/events?limit=5").body.splitlines()]
tap.check("events are read from the database", same("lines", len(lines), 5))

# ---- the database goes away and comes back
control("-m", "immediate", "stop")
tap.check("without the database nothing is decided",
          refusal(one.post("/v1/campaigns/shop/decide", {"event_id": "down", "context": 0}), 503, "store"))
tap.check("it is said to be not ready", same("status", one.get("/readyz").status, 503))
tap.check("what is only read goes on", same("status", one.get("/v1/campaigns/shop").status, 200))
control("start")
tap.check("all are ready again", none(not wait_for(lambda: all(r.is_ready() for r in replicas))))
tap.check("and decide",
          same("status", one.post("/v1/campaigns/shop/decide", {"event_id": "down", "context": 0}).status, 200))

# ---- one is killed
two.kill()
load = Load([one, three], threads=4, most=20, name="later").join()
two.start()
compare(load, "two servers")
tap.check("one that starts again knows all",
          same("decisions", two.campaign()["counters"]["decisions"], one.campaign()["counters"]["decisions"]))
tap.check("turns are counted", none(metric(two, "roster_turns_total") < 1 or metric(one, "roster_turns_total") < 1))
state = one.get("/v1/state").json["replicas"]
tap.check("the state tells of them",
          none(state["active"] < 2 or state["lag_seconds"] > 60) + same("lost", state["records_lost"], 0))
tap.check("nothing was lost",
          none([r for r in replicas if metric(r, "roster_records_lost_total") + metric(r, "roster_rebuilds_total")]))

# ---- the end
head = end_all(replicas, "all").splitlines()[-1]
copy = os.path.join(folder, "copy")
tap.check("the log is copied into a folder", none(program("migrate", URL, copy).stderr))
tap.check("and is the same there", same("head", program("audit", copy).stdout.splitlines()[-1], head))
sql("DROP TABLE roster_log, roster_head, roster_snapshot")
tap.check("and back", none(program("migrate", copy, URL).stderr))
tap.check("and again", none(program("migrate", copy, URL).stderr))
tap.check("where it is the same, too", same("head", program("audit", URL).stdout.splitlines()[-1], head))
with Replica() as server:
    tap.check("a server starts from the copy", same("decisions", server.campaign()["name"], "shop"))
sql("CREATE ROLE small LOGIN; GRANT SELECT, INSERT ON roster_log TO small;"
    " GRANT SELECT, UPDATE ON roster_head TO small; GRANT SELECT, INSERT, DELETE ON roster_snapshot TO small")
with Replica(url=URL.replace("roster@", "small@")) as server:
    problems = same("status", server.post("/v1/campaigns/shop/decide", {"event_id": "small", "context": 0}).status, 200)
    problems += same("exit code", server.stop(), 0) + none("snapshot-failed" in server.said())
    tap.check("a role that may not change the log suffices", problems)
tap.check("options of a folder are refused",
          same("exit code", program("serve", "--store", URL, "--data", "x").returncode, 2))
shutil.rmtree(folder)
for replica in replicas:
    replica.end()
tap.finish()
