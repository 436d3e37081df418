#!/usr/bin/env python3
"""tests/http/retention.py DIR [KILLS]: records that no campaign retains are dropped, exported first, and audited, also
when the server is killed while it does that."""

import contextlib
import datetime
import glob
import json
import os
import random
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time

import harness
from harness import PROGRAM, Server, campaign, same, tap, wait_for
from harness import decide_and_reward, decide_until_dropped, holding, metric

EVERY = 2000  # records between snapshots
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def export(*options):
    done = subprocess.run([PROGRAM, "export", *options], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else done.stderr


def export_whole(*options):
    """Again where records were dropped meanwhile."""
    said = export(*options)
    while "were dropped while they were exported" in said:
        said = export(*options)
    return said.splitlines()


def left_in(server):
    """The log's numbers."""
    return [json.loads(line)["number"] for line in export_whole(server.data)]


def begin_of(server):
    return server.get("/v1/events?limit=1").lines[0]["number"]


def check_whole(server, exports):
    """Exports and log together have every record once. A file that no drop followed is followed by one that begins
    alike. The log is read first: what is dropped after that is in both."""
    left = left_in(server)
    files = {}
    for path in sorted(glob.glob(os.path.join(exports, "*.jsonl"))):
        files[os.path.basename(path).split("-")[1]] = path
    numbers = []
    for path in files.values():
        with open(path, encoding="utf-8") as file:
            numbers += [json.loads(line)["number"] for line in file]
    numbers = [n for n in numbers if n < left[0]] + left
    wanted = list(range(1, left[-1] + 1))
    return [] if numbers == wanted else [f"{len(numbers)} records, {len(wanted)} expected"]


def retention():
    with Server("--snapshot-every", str(EVERY), expect=False) as server:
        exports = os.path.join(server.folder, "exports")
        server.options += ("--export-before-drop", exports)
        server.start().create(campaign("short", retain={"events": 1000}, reward={"wait": 1}))
        asked = decide_until_dropped(server, "short", 0)
        yield "records are dropped", []
        yield "the folder is created for its owner alone", same("mode", oct(os.stat(exports).st_mode & 0o777), "0o700")
        first = server.get("/v1/events?limit=1").lines[0]["number"]
        yield "the log begins later", [] if first > 1 else [f"it begins with {first}"]
        kinds = [line["kind"] for line in server.get("/v1/events?after=0").lines]
        yield "a record says so", [] if "drop" in kinds else [f"kinds: {set(kinds)}"]
        kept = kinds.count("decide")
        yield "what is retained is there", [] if kept >= 1000 else [f"{kept} decisions"]
        yield "a campaign counts all", same(
            "decisions", server.get("/v1/campaigns/short").json["counters"]["decisions"], asked
        )
        yield "an audit beside it agrees", server.audit()
        yield "what was dropped was exported", check_whole(server, exports)
        pipe, far = os.path.join(server.folder, "pipe"), os.path.join(server.folder, "new", "folder", "x.jsonl")
        os.mkfifo(pipe)
        last = left_in(server)[-1]  # which is never dropped
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            said = export(server.data, "--after", str(last - 1), "--until", str(last), "--out", pipe)
            read = reader.communicate()[0]
        yield "a pipe is written into", same("said", said, "") + same("lines", read.count("\n"), 1) + same(
            "still a pipe", stat.S_ISFIFO(os.stat(pipe).st_mode), True
        )
        said = export(server.data, "--after", str(last - 1), "--out", far)
        yield "missing folders are made", same("said", said, "") + same(
            "there", os.path.exists(far), True
        )
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        done = subprocess.run(
            [PROGRAM, "export", server.data, "--out", far + "2"], capture_output=True, text=True, preexec_fn=limit
        )
        yield "a file that may not grow is told", same("exit code", done.returncode, 1) + (
            [] if "cannot be written: File too large" in done.stderr else [done.stderr]
        )
        both = os.path.join(server.folder, "both")
        with open(both, "w", encoding="utf-8") as file:
            file.write("before\n")
        with open(both, "a", encoding="utf-8") as file:
            command = [PROGRAM, "export", server.data, "--after", str(last), "--out", "/dev/stdout"]
            subprocess.run(command, stdout=file, check=True)
            file.write("after\n")
        with open(both, encoding="utf-8") as file:
            lines = file.read().splitlines()
        yield "what standard output goes to is written into", same("ends", (lines[0], lines[-1]), ("before", "after"))
        rows = export_whole(server.data, "--format", "csv", "--campaign", "short")
        yield "CSV", [] if rows[0].startswith("number,at,kind,campaign,event_id") and len(rows) > 1000 else rows[:2]
        command = [PROGRAM, "export", server.data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as slow:
            slow.stdout.read(1)  # it has begun, and waits: what it reads at once is more than a pipe holds
            read = begin_of(server) + 4 * EVERY
            while begin_of(server) < read:
                asked = decide_until_dropped(server, "short", asked)
            said = slow.communicate()[1]
        yield "an export from which records were dropped fails", same("exit code", slow.returncode, 1) + (
            [] if "were dropped while they were exported: export again" in said else [said]
        )
        yield "it stops", same("exit code", server.stop(), 0)
        yield "an audit agrees", server.audit()
        server.start()
        yield "it goes on", same(
            "decisions", server.get("/v1/campaigns/short").json["counters"]["decisions"], asked
        )
        server.stop()
        for path in glob.glob(os.path.join(server.data, "snapshot-*")):
            os.remove(path)
        server.start()
        yield "it starts from its base", same(
            "decisions", server.get("/v1/campaigns/short").json["counters"]["decisions"], asked
        )
        server.stop()
        database = os.path.join(server.data, "roster.db")
        subprocess.run(["sqlite3", database, "UPDATE base SET record = record, head = zeroblob(32)"], check=True)
        found = server.audit()
        yield "a cut that no record vouches for is found", [] if found else ["the audit agrees"]


def held_back():
    with Server("--snapshot-every", str(EVERY)) as server:
        server.create(campaign("short", retain={"events": 100}, reward={"wait": 1}), campaign("all"))
        for i in range(6):
            decide_and_reward(server, "short", 500 * i, 500)
        wait_for(lambda: metric(server, "roster_snapshots_total") >= 1, 60)
        yield "a campaign without retain keeps everything", same(
            "dropped", metric(server, "roster_records_dropped_total"), 0.0
        )
        answer = server.post("/v1/campaigns/all/controls", {"retain": {"events": 1}})
        yield "controls change it", same("status", answer.status, 200)
        decide_until_dropped(server, "short", 5000)
        yield "then records are dropped", []
        answer = server.post("/v1/campaigns/all/controls", {"retain": {"days": 1, "events": 1}})
        yield "both at once are refused", harness.refusal(answer, 400, "invalid", "either days or events")


def audit(server, *options):
    return subprocess.run([PROGRAM, "audit", server.data, *options], capture_output=True, text=True)


def head_of(server):
    return audit(server).stdout.split("head ")[1].strip()


def base_of(server):
    """The last record that was dropped, and the head of the log there."""
    database = f"file:{os.path.join(server.data, 'roster.db')}?mode=ro"
    with contextlib.closing(sqlite3.connect(database, uri=True)) as db:
        record, head = db.execute("SELECT record, head FROM base").fetchone()
    return record, head.hex()


def exported(exports):
    """The lines of each file, in the order in which they were dropped."""
    for path in sorted(glob.glob(os.path.join(exports, "*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            yield [json.loads(line) for line in file]


def seconds_of(line):
    return datetime.datetime.fromisoformat(line["at"].replace("Z", "+00:00")).timestamp()


def too_young(exports, left, age):
    """Numbers of records that were dropped before their time."""
    drops = [line for line in left if line["kind"] == "drop"]
    return [
        line["number"]
        for lines, drop in zip(exported(exports), drops)
        for line in lines
        if seconds_of(line) > seconds_of(drop) - age
    ] + ([] if drops else ["nothing was dropped"])


def signed():
    """By age, with a key: heads from before, forged bases, bytes that are gone."""
    age = 1.5  # seconds
    with Server("--snapshot-every", "400", expect=False) as server:
        key, exports = os.path.join(server.folder, "key"), os.path.join(server.folder, "exports")
        with open(key, "wb") as file:
            file.write(os.urandom(32))
        os.mkdir(exports)
        server.options += ("--key", key, "--export-before-drop", exports)
        server.start().create(campaign("aged", retain={"days": age / 86400}, reward={"wait": 0.3, "remember": 0.1}))
        decide_and_reward(server, "aged", 0, 50)
        early = head_of(server)
        decide_and_reward(server, "aged", 50, 50)
        time.sleep(2 * age)  # all of this is too old when the first snapshot is taken
        decide_until_dropped(server, "aged", 1000)
        server.post("/v1/campaigns/aged/controls", {"retain": {"days": 1}})
        yield "old records are dropped", []
        left = server.get("/v1/events?after=0").lines
        ids = {line.get("event_id") for line in left}
        yield "by their age", same("old one is left", "aged-0" in ids, False) + same(
            "young ones dropped", too_young(exports, left, age), []
        )
        done = audit(server, "--key", key)
        told = [] if "dropped by retention" in done.stdout else [done.stdout]
        yield "MACs fit", same("code", done.returncode, 0) + told
        late = head_of(server)
        decide_and_reward(server, "aged", 500000, 10)
        server.stop()
        record, head = base_of(server)
        between = int(early.split(":")[0]) < record < int(late.split(":")[0])
        yield "the cut is between the heads", [] if between else [str(record)]
        done = audit(server, "--key", key, "--expect", early)
        words = f"the head after record {early.split(':')[0]} cannot be compared: records up to {record} were dropped"
        yield "a head of what was dropped cannot be compared, and it says so", same("code", done.returncode, 1) + (
            [] if words in done.stderr else [done.stderr]
        )
        done = audit(server, "--key", key, "--expect", f"{record}:{head}")
        yield "the head at the cut fits", same("code", done.returncode, 0) + same("stderr", done.stderr, "")
        done = audit(server, "--key", key, "--expect", f"{record}:{head[::-1]}")
        yield "another one does not", same("code", done.returncode, 1)
        done = audit(server, "--key", key, "--expect", late)
        yield "a head of what is left fits later", same("code", done.returncode, 0) + same("stderr", done.stderr, "")
        yield "dropped bytes are gone", same("files", holding(server, b"aged-0"), [])
        repaired = subprocess.run([PROGRAM, "repair", "clock", server.data, "--key", key],
                                  capture_output=True, text=True)
        yield "the clock's repair can read it", same("code and stderr", (repaired.returncode, repaired.stderr), (0, ""))
        for path in glob.glob(os.path.join(server.data, "snapshot-*")):
            os.remove(path)
        bases = {}
        for path in glob.glob(os.path.join(server.data, "base-*")):
            with open(path, "rb") as file:
                bases[path] = file.read()
            with open(path, "wb") as file:
                file.write(b"ROSTERSS" + bases[path][8:32] + bases[path][64:])
        yield "an unsigned base is told", same("code", audit(server, "--key", key).returncode, 1)
        code, said = server.refused()
        yield "and not started from", same("code", code, 1) + ([] if said else ["no sentence"])
        for path, right in bases.items():
            with open(path, "wb") as file:
                file.write(right)
        server.start()
        yield "the signed one is", same("status", server.get("/readyz").status, 200)


def killed():
    """Under load, with something being dropped nearly always."""
    random.seed(2)
    with Server("--snapshot-every", "100", "--log", "errors", expect=False) as server:
        exports = os.path.join(server.folder, "exports")
        os.mkdir(exports)
        server.options += ("--export-before-drop", exports)
        server.start().create(campaign("shop", retain={"events": 50}, reward={"wait": 0.05}))
        told, problems = set(), []
        for kill in range(KILLS):
            load = harness.Load(server, "shop", threads=2).start(f"k{kill}")
            files = set(os.listdir(exports))  # one may take the place of another
            wait_for(lambda: len(load.rewarded) > 50 and set(os.listdir(exports)) - files, 60)
            time.sleep(random.uniform(0, 0.5))
            server.stop(signal.SIGKILL)
            load.stop()
            told |= set(load.decided)
            problems += server.audit() + check_whole(server, exports)
            server.start()
        server.stop()
        left = export_whole(server.data)
        asked = {json.loads(line).get("event_id") for line in left if '"decide"' in line} | decided_in(exports)
        yield f"{KILLS} kills lose nothing and double nothing: {len(told)} decisions", problems[:5] + same(
            "decisions lost", told - asked, set()
        )
        counters = server.start().get("/v1/campaigns/shop").json["counters"]
        yield "all are counted", same("decisions", counters["decisions"], len(asked))


def replaced():
    """Files of a server that was killed before it dropped what was in them, and files of another log."""
    with Server("--snapshot-every", "400", expect=False) as server:
        exports = os.path.join(server.folder, "exports")
        os.mkdir(exports)
        server.options += ("--export-before-drop", exports)
        server.start().create(campaign("shop", retain={"events": 50}, reward={"wait": 600}))
        decide_and_reward(server, "shop", 0, 20)
        mine, parts, other = (
            os.path.join(exports, f"events-{1:020}-{last:020}.jsonl{more}")
            for last, more in ((20, ""), (15, ".4711-0.part"), (10, ""))
        )
        export(server.data, "--until", "20", "--out", mine)
        with open(parts, "w", encoding="utf-8") as file:
            file.write("half")
        with open(mine, encoding="utf-8") as file, open(other, "w", encoding="utf-8") as copied:
            lines = file.readlines()[:10]
            copied.writelines(lines[:9] + [lines[9].replace('"at":"2', '"at":"1')])
        decide_until_dropped(server, "shop", 20, 50)
        yield "the file from before goes", same("is there", os.path.exists(mine), False)
        yield "what was half written goes", same("is there", os.path.exists(parts), False)
        yield "what is of another log stays", same("is there", os.path.exists(other), True)
        os.remove(other)
        decide_until_dropped(server, "shop", 10000, 50)
        server.stop()
        numbers = [line["number"] for lines in exported(exports) for line in lines]
        yield "every record is in one file", same("numbers", numbers == list(range(1, len(numbers) + 1)), True)


def hanging():
    """An export that waits for a reader who never comes."""
    with Server("--snapshot-every", "400", expect=False) as server:
        exports, steady = (os.path.join(server.folder, name) for name in ("exports", "steady"))
        os.mkdir(exports)
        pipes = [os.path.join(exports, f"events-{1:020}-{last:020}.jsonl") for last in range(1, 6000)]
        for path in pipes:
            os.mkfifo(path)
        server.options += ("--export-before-drop", exports)
        server.popen = {"env": harness.preloaded("shift_clock", SHIFT_STEADY=steady)}
        server.start().create(campaign("shop", retain={"events": 50}, reward={"wait": 600}))
        for i in range(4):
            decide_and_reward(server, "shop", 200 * i, 200)
        assert wait_for(lambda: exporter_of(server)), server.said()
        asked, answers = threading.Thread(target=lambda: answers.append(erase(server, "shop-799"))), []
        asked.start()
        assert wait_for(lambda: server.get("/v1/events").lines[-1]["kind"] == "erase")
        shift(steady, 20)
        asked.join()
        words = "records are being exported or dropped: the erasure is begun and will be completed later"
        yield "an erasure behind it is answered", harness.refusal(answers[0], 503, "busy", words)
        for path in pipes:
            os.remove(path)
        shift(steady, 1000)
        killed_it = wait_for(lambda: "roster export was killed" in server.said())
        yield "the export is killed", [] if killed_it else [server.said()]
        erased = wait_for(lambda: "event-erased" in server.said())
        yield "then the erasure is completed", [] if erased else [server.said()]
        decide_until_dropped(server, "shop", 1000, 50)
        yield "and records are dropped", check_whole(server, exports) + server.audit()


def erase(server, event):
    return server.post("/v1/campaigns/shop/erase", {"event_id": event})


def shift(clock, seconds):
    with open(clock, "w", encoding="ascii") as file:
        file.write(f"{seconds}\n")


def exporter_of(server):
    pid = server.process.pid
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = file.read().split()
    for child in children:
        with contextlib.suppress(OSError), open(f"/proc/{child}/cmdline", "rb") as file:
            if b"export" in file.read().split(b"\0"):
                return child
    return None


def decided_in(exports):
    return {line["event_id"] for lines in exported(exports) for line in lines if line["kind"] == "decide"}


for part in (retention, held_back, signed, killed, replaced, hanging):
    for name, problems in part():
        tap.check(f"{part.__name__}: {name}", problems)
tap.finish()
