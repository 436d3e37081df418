#!/usr/bin/env python3
"""tests/http/durability.py DIR [KILLS]: what was acknowledged is there after SIGTERM and kill -9 under load, once and
no more; stores that cannot be used are refused with a sentence, and earlier data stay readable."""

import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

from harness import Client, Load, PROGRAM, SHOP, Server, campaign, deaf, refusal, same, tap, wait_for

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
ALL_EVERY = 25  # kills between looks at the whole log
TOLD_LEAST = 5  # rewards joined before a kill
SNAPSHOT_EVERY = 50  # records: while the load runs a snapshot is nearly always being written
# What also goes on while the load runs: functions of a server, called again and again until it is gone.
BESIDE = [
    lambda server: server.get("/v1/campaigns/shop/events"),
    lambda server: subprocess.run([PROGRAM, "export", server.data], stdout=subprocess.DEVNULL, check=True),
]


def held(server, load):
    """That the server still says what it told the load."""
    client, problems = Client(server.port), []
    for event, told in load.decided.items():
        now = client.ask(
            "POST", f"/v1/campaigns/{load.name}/decide", {"event_id": event, "context": int(event.split("-")[2]) % 2}
        ).json
        if now != {**told, "repeated": True}:
            problems.append(f"{event}: told {told}, now {now}")
    for event, value in load.rewarded.items():
        now = client.ask("POST", f"/v1/campaigns/{load.name}/reward", {"event_id": event, "reward": value})
        if now.json.get("status") != "duplicate":
            problems.append(f"{event}: its reward was joined, now {now.json}")
    client.close()
    return problems[:5]


def counted(server, name):
    """That log and counters agree, and that no reward counts twice."""
    lines = server.get(f"/v1/campaigns/{name}/events").lines
    counters = server.get(f"/v1/campaigns/{name}").json["counters"]
    decided = [line["event_id"] for line in lines if line["kind"] == "decide"]
    joined = [line for line in lines if line["kind"] == "reward" and line["status"] == "joined"]
    problems = same("decisions", counters["decisions"], len(decided)) + same(
        "events decided once", len(set(decided)), len(decided)
    )
    problems += same("joined", counters["rewards"]["joined"], len(joined))
    problems += same("events rewarded once", len({line["event_id"] for line in joined}), len(joined))
    problems += same("learnt", counters["learnt"], len(joined))
    problems += same("reward", counters["reward"], sum(line["learnt"] for line in joined))
    return problems, set(decided), {line["event_id"] for line in joined}


def repeat(act, server, load):
    try:
        while not load.stopping.is_set():
            act(server)
    except (OSError, http.client.HTTPException):
        pass  # the server is gone
    except subprocess.CalledProcessError as error:
        load.problems.append(f"{error}")


def kill_under_load(server, name):
    """What the load was told until the server was killed."""
    load = Load(server, "shop").start(name)
    beside = [threading.Thread(target=repeat, args=(act, server, load)) for act in BESIDE]
    for thread in beside:
        thread.start()
    wait_for(lambda: len(load.rewarded) > TOLD_LEAST)
    time.sleep(random.uniform(0.02, 0.4))
    server.stop(signal.SIGKILL)
    load.stop()
    for thread in beside:
        thread.join()
    return load


def kill_while_starting(server, most):
    """Whether it was killed before it served."""
    server.begin()
    time.sleep(random.uniform(0, most))
    server.process.kill()
    served = server.process.stdout.read() != ""
    server.stop(signal.SIGKILL)
    return not served


random.seed(1)
with Server("--log", "errors", "--snapshot-every", str(SNAPSHOT_EVERY)) as server:
    server.create(SHOP)
    told, rewarded, problems, kills, starting, halves = set(), set(), [], 0, 0, 0
    while kills < KILLS and not problems:
        load = kill_under_load(server, f"k{kills}")
        kills += 1
        halves += any("half" in name for name in os.listdir(server.data))
        told |= set(load.decided)
        rewarded |= set(load.rewarded)
        problems += load.problems + server.audit()
        begun = time.monotonic()
        server.start()
        seconds = time.monotonic() - begun
        problems += held(server, load)
        if kills % 3 == 0 and kills < KILLS:
            server.stop(signal.SIGKILL)
            starting += kill_while_starting(server, seconds)
            kills += 2
            problems += server.audit()
            server.start()
        if kills // ALL_EVERY > (kills - 3) // ALL_EVERY or kills >= KILLS:
            wrong, decided, joined = counted(server, "shop")
            problems += (
                wrong + same("decisions lost", told - decided, set()) + same("rewards lost", rewarded - joined, set())
            )
    snapshots = [name for name in os.listdir(server.data) if name.startswith("snapshot-")]
    tap.check(
        f"{kills} kills, {starting} of them while it started, {halves} while a snapshot was written, lose nothing and "
        "count "
        f"nothing twice: {len(told)} decisions, {len(rewarded)} rewards",
        problems[:5]
        + ([] if len(rewarded) > KILLS else ["hardly anything was told"])
        + ([] if snapshots else ["there was no snapshot"]),
    )
with Server("--log", "errors", expect=False) as server:
    starting = 0
    for kill in range(KILLS):
        starting += kill_while_starting(server, 0.1)
        if kill % 5 == 4:
            shutil.rmtree(server.data, ignore_errors=True)
    server.start().create(SHOP)
    tap.check(f"{starting} kills while it makes its folder leave nothing that it cannot use", server.audit())
if len(sys.argv) > 2:
    tap.finish()

# ---- SIGTERM
with Server() as server:
    server.create(SHOP)
    load = Load(server, "shop", threads=8).start("t")
    wait_for(lambda: len(load.decided) > 100)
    code = server.stop(signal.SIGTERM)
    load.stop()
    tap.check("SIGTERM under load ends it cleanly", same("exit code", code, 0) + load.problems[:3])
    answered = len(load.decided)
    server.start()
    wrong, decided, joined = counted(server, "shop")
    tap.check(
        "it answered all that it accepted",
        wrong
        + same("decided and not told", decided - set(load.decided), set())
        + same("joined and not told", joined - set(load.rewarded), set())
        + held(server, load)
        + ([] if answered > 50 else ["hardly anything was told"]),
    )
    tap.check("SIGINT ends it too", same("exit code", server.stop(signal.SIGINT), 0) + server.audit())
    tap.check(
        "its log is one JSON object per line, the last says that it stopped",
        same("event", json.loads(server.said().splitlines()[-1])["event"], "stopped"),
    )

with Server(preexec_fn=deaf) as server:
    tap.check("SIGINT that was ignored and blocked ends it too", same("exit code", server.stop(signal.SIGINT), 0))

# ---- one server per folder
with Server() as server:
    server.create(SHOP)
    second = Server(expect=False, data=server.data)
    code, said = second.refused()
    tap.check(
        "two servers cannot have one folder", same("exit code", code, 1) + ([] if "another process" in said else [said])
    )
    second.end()
    tap.check(
        "the first does not mind", same("status", server.post("/v1/campaigns/shop/decide", {"context": 0}).status, 200)
    )
    tap.check("auditing meanwhile is fine", server.audit())

# ---- durability os, campaigns from files
with Server(expect=False) as server:
    path = os.path.join(server.folder, "shop.json")
    other = os.path.join(server.folder, "other.json")
    for name, at in (("shop", path), ("other", other)):
        with open(at, "w", encoding="utf-8") as file:
            json.dump(campaign(name), file)
    server.options = ("--durability", "os", "--campaign", path, other)
    server.start()
    tap.check(
        "campaigns of files are created",
        same("names", [c["name"] for c in server.get("/v1/campaigns").json["campaigns"]], ["shop", "other"]),
    )
    load = Load(server, "shop").start("o")
    wait_for(lambda: len(load.decided) > 20)
    server.stop(signal.SIGKILL)
    load.stop()
    server.start()
    tap.check(
        "with --durability os a killed process loses nothing either", held(server, load) + counted(server, "shop")[0]
    )

# ---- stores that cannot be used
with Server() as server:
    server.create(SHOP)
    server.post("/v1/campaigns/shop/decide", [{"context": 0}] * 3000)
    server.stop()
    damaged = Server(expect=False)
    shutil.copytree(server.data, damaged.data)
    database = os.path.join(damaged.data, "roster.db")
    size = os.path.getsize(database)
    with open(database, "r+b") as file:
        file.seek(size // 2)
        file.write(b"\x55" * 4096)
    done = subprocess.run([PROGRAM, "audit", damaged.data], capture_output=True, text=True)
    tap.check(
        "a damaged log is named by audit",
        same("exit code", done.returncode, 1) + ([] if done.stderr else ["no sentence"]),
    )
    with open(database, "wb") as file:
        file.write(b"no database at all" * 100)
    code, said = damaged.refused()
    tap.check(
        "what is no log is not served",
        same("exit code", code, 1) + ([] if "damaged" in said or "not an event log" in said else [said]),
    )
    damaged.end()
    nowhere = Server(expect=False, data=os.path.join(server.folder, "no", "such", "folder"))
    code, said = nowhere.refused()
    unsaid = [] if "cannot be created" in said else [said]
    tap.check("a folder that cannot be created", same("exit code", code, 1) + unsaid)
    nowhere.end()


def small_disk(folder):
    """A file system of 2 MB in a name space of its own, if that may be done here."""
    return ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=2m none "{folder}" && exec "$0" "$@"']


server = Server(expect=False)
os.mkdir(server.data)
may = subprocess.run(small_disk(server.data) + ["true"], capture_output=True).returncode == 0
if may:
    plain = server.command
    server.command = lambda: small_disk(server.data) + plain()
    server.start()
    server.create(SHOP)
    client = Client(server.port)
    last, full = None, None
    for i in range(400):
        answer = client.ask(
            "POST", "/v1/campaigns/shop/decide", [{"event_id": f"f{i}-{j}", "context": 0} for j in range(200)]
        )
        if answer.status != 200:
            full = answer
            break
        last = i
    tap.check("a full disk is told", refusal(full, 503, "store") if full else ["it never was full"])
    tap.check("and to ask again later", same("header", full and full.headers.get("retry-after"), "1"))
    tap.check(
        "and that it is full", [] if wait_for(lambda: "disk is full" in server.said()) else [server.said()[-300:]]
    )
    tap.check(
        "what would change something is refused meanwhile",
        refusal(server.post("/v1/campaigns/shop/decide", {"context": 0}), 503, "store", "cannot be written"),
    )
    tap.check(
        "it is not ready then",
        refusal(server.get("/readyz"), 503, "store") + same("health", server.get("/healthz").status, 200),
    )
    lines = server.get("/v1/events").lines
    tap.check(
        "earlier data stay readable",
        [] if f"f{last}-199" in {line.get("event_id") for line in lines} else ["not all are there"],
    )
    tap.check("it ends when told to", same("exit code", server.stop(), 0))
    server.start()
    large = [{"name": f"{i:060}", "table": [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]} for i in range(20000)]
    client = Client(server.port)
    answer = client.ask("POST", "/v1/campaigns", campaign("large", agent="uniform", experts=large))
    tap.check("a large campaign that does not fit is refused as one", refusal(answer, 503, "store"))
    tap.check("its connection goes on", same("status", client.ask("GET", "/healthz").status, 200))
    server.stop()
else:
    tap.skip("a full disk", "no name space of its own may be made here")
server.end()
if os.getuid() == 0 and not may:
    tap.skip("a folder that may not be written", "root may write everything")
else:
    with Server() as server:
        server.create(SHOP)
        server.stop()
        plain = server.command
        server.command = (
            lambda: [
                "unshare",
                "-rm",
                "sh",
                "-c",
                f'mount --bind "{server.data}" "{server.data}" && '
                f'mount -o remount,bind,ro "{server.data}" && exec "$0" "$@"',
            ]
            + plain()
        )
        code, said = server.refused()
        tap.check(
            "a folder that may not be written is told",
            same("exit code", code, 1) + ([] if "cannot be written" in said else [said]),
        )
        tap.check("it can still be audited", server.audit())
tap.finish()
