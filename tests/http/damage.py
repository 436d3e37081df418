#!/usr/bin/env python3
"""tests/http/damage.py DIR: a log that lost records is neither served nor passed by the audit, whatever happened to its
files, until the loss is accepted by its size; and logs on read-only mounts can be audited."""

import contextlib
import glob
import os
import re
import signal
import sqlite3
import subprocess

from harness import PROGRAM, SHOP, Server, campaign, decide_until_dropped, same, tap

RECORDS = 1 + 12  # the campaign, and what is decided in requests of their own


def path(server, name):
    return os.path.join(server.data, name)


def written(how, *options):
    """A server that wrote RECORDS records and was then stopped with that signal."""
    server = Server("--log", "errors", *options)
    server.create(SHOP)
    for i in range(RECORDS - 1):
        server.post("/v1/campaigns/shop/decide", {"event_id": f"e{i}", "context": 0})
    server.stop(how)
    return server


def audit(server, *options, command=()):
    done = subprocess.run([*command, PROGRAM, "audit", server.data, *options], capture_output=True, text=True)
    return done.returncode, done.stderr.strip(), done.stdout


def missing(said):
    """How many records are missing, as a sentence says it; 0: it does not."""
    found = re.search(r"ends with record (\d+), but (\d+) were written: (\d+) (?:is|are) missing", said)
    return int(found[3]) if found and int(found[2]) - int(found[1]) == int(found[3]) else 0


def refused(server):
    """The number that is missing, and what is wrong with the way that server and audit say it."""
    code, said = server.refused()
    audited, complaint, _ = audit(server)
    number = missing(said)
    problems = (
        same("exit code", code, 1)
        + ([] if number else [said])
        + same("exit code of the audit", audited, 1)
        + same("missing, by the audit", missing(complaint), number)
    )
    for command in (["export"], ["repair", "clock"]):
        done = subprocess.run([PROGRAM, *command, server.data], capture_output=True, text=True)
        problems += same(f"exit code of {command}", done.returncode, 1)
    return number, problems


def accepted(server, number):
    """The server starts when the loss is named, goes on, and needs no option the next time."""
    server.options += ("--accept-loss", str(number))
    server.start()
    server.create(campaign("after", retain={"events": 1}, reward={"wait": 0.1, "remember": 0.1}))
    problems = same("status", server.post("/v1/campaigns/after/decide", {"context": 1}).status, 200)
    server.stop()
    problems += [] if f'"loss-accepted","records":{number}' in server.said() else ["it is not told"]
    server.options = server.options[:-2]
    server.start()
    server.stop()
    return problems + server.audit()


def flip_journal(server):
    """Some bytes of a frame in the second half of the journal: SQLite takes it for the journal's end."""
    with open(path(server, "roster.db-wal"), "r+b") as file:
        frames = (os.path.getsize(file.name) - 32) // (4096 + 24)
        file.seek(32 + frames * 3 // 4 * (4096 + 24) + 24 + 100)
        file.write(b"\x55" * 8)


def change(database, statement):
    """Closed afterwards: a connection that stays would keep SQLite from noticing that the journal is gone."""
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        db.execute(statement)


def lose_tail(server):
    """As a restored backup in the place of the log: the rows after the fifth are not there."""
    change(path(server, "roster.db"), "DELETE FROM log WHERE first > 5")


CASES = [
    ("a database of 0 bytes", signal.SIGTERM, lambda s: os.truncate(path(s, "roster.db"), 0), RECORDS),
    ("a database of 0 bytes with its journal", signal.SIGKILL, lambda s: os.truncate(path(s, "roster.db"), 0), RECORDS),
    ("a deleted database", signal.SIGTERM, lambda s: os.remove(path(s, "roster.db")), RECORDS),
    ("a lost journal", signal.SIGKILL, lambda s: os.remove(path(s, "roster.db-wal")), RECORDS),
    ("a journal damaged in the middle", signal.SIGKILL, flip_journal, None),
    ("an older backup beside newer files", signal.SIGTERM, lose_tail, RECORDS - 5),
]
for name, how, damage, expected in CASES:
    server = written(how)
    damage(server)
    number, problems = refused(server)
    tap.check(f"{name} is refused", problems + (same("missing", number, expected) if expected else []))
    server.options += ("--accept-loss", str(number + 1))
    tap.check(f"{name}: another number is not accepted", same("exit code", server.refused()[0], 1))
    server.options = server.options[:-2]
    tap.check(f"{name}: the loss is accepted by its size", accepted(server, number))
    aside = {os.path.basename(file) for file in glob.glob(path(server, "lost-*"))}
    tap.check(
        f"{name}: what is newer is set aside",
        [] if {f"lost-high-water-{RECORDS}"} <= aside else [str(aside)],
    )
    server.end()

# ---- without a mark, as 0.1 wrote it, the snapshot tells
server = written(signal.SIGTERM)
os.remove(path(server, "high-water"))
lose_tail(server)
number, problems = refused(server)
tap.check("a log behind its snapshots is refused", problems + same("missing", number, RECORDS - 5))
tap.check("and accepted by its size", accepted(server, number))
tap.check(
    "its snapshots are set aside",
    same("files", [os.path.basename(f) for f in glob.glob(path(server, "lost-s*"))], [f"lost-snapshot-{RECORDS:020d}"]),
)
server.end()


# ---- after records were dropped
AGED = campaign("aged", retain={"events": 20}, reward={"wait": 0.1, "remember": 0.1})


def copy(server, name, to):
    change(path(server, name), f"VACUUM INTO '{os.path.join(server.folder, to)}'")


def dropped(*options):
    """A server that dropped records twice; copies of its database from before and between are beside its folder."""
    server = Server("--log", "errors", "--snapshot-every", "200", *options)
    server.create(AGED)
    copy(server, "roster.db", "before")
    n = decide_until_dropped(server, "aged", 0, 50)
    server.stop()
    server.start()
    copy(server, "roster.db", "between")
    decide_until_dropped(server, "aged", n, 50)
    return server


def end_with_journal(server):
    """Killed with a journal that has a few records and no more: those before are in the database."""
    server.stop()
    server.start()
    for i in range(5):
        assert server.post("/v1/campaigns/aged/decide", {"event_id": f"last-{i}", "context": 0}).status == 200
    server.stop(signal.SIGKILL)


def goes_on(server):
    """Records are dropped again, and the server starts from what is left."""
    server.start().create(AGED)
    decide_until_dropped(server, "aged", 100000, 50)
    server.stop()
    for file in glob.glob(path(server, "snapshot-*")):
        os.remove(file)
    server.start().stop()
    return server.audit()


def lose_last(server):
    change(path(server, "roster.db"), "DELETE FROM log WHERE first = (SELECT max(first) FROM log)")


def put(server, name):
    os.replace(os.path.join(server.folder, name), path(server, "roster.db"))


AFTER_DROPS = [
    ("a lost journal", end_with_journal, lambda s: os.remove(path(s, "roster.db-wal"))),
    ("a damaged journal", end_with_journal, flip_journal),
    ("a lost end", Server.stop, lose_last),
    ("a deleted database", Server.stop, lambda s: os.remove(path(s, "roster.db"))),
    ("a backup from before", Server.stop, lambda s: put(s, "before")),
]
for name, end, damage in AFTER_DROPS:
    with dropped() as server:
        end(server)
        damage(server)
        number, problems = refused(server)
        tap.check(f"after records were dropped, {name} is refused", problems)
        tap.check(f"after records were dropped, {name}: the loss is accepted by its size", accepted(server, number))
        tap.check(f"after records were dropped, {name}: more are dropped later", goes_on(server))

with dropped() as server:
    server.stop()
    put(server, "between")
    before = sorted(os.listdir(server.data))
    tap.check("a backup whose base is gone does not pass the audit", same("exit code", audit(server)[0], 1))
    server.options += ("--accept-loss", str(missing(server.refused()[1])))
    code, said = server.refused()
    tap.check(
        "its loss cannot be accepted, which would help nobody, and nothing is changed",
        same("exit code", code, 1)
        + ([] if "so is the state that stands for what was dropped" in said else [said])
        + ([said] if "--accept-loss" in said else [])
        + same("files", sorted(os.listdir(server.data)), before),
    )

with dropped("--durability", "os") as server:
    server.stop(signal.SIGKILL)
    server.start().stop()
    tap.check("a mark of a record that was dropped since is no other log", server.audit())

# ---- a file cut off
with written(signal.SIGTERM) as server:
    os.truncate(path(server, "roster.db"), os.path.getsize(path(server, "roster.db")) - 4096)
    code, said = server.refused()
    tap.check("a truncated database is refused",
              same("exit code", code, 1) + ([] if "restore a backup" in said else [said]))
    tap.check("and named by the audit", same("exit code", audit(server)[0], 1))

# ---- a backup alone is a log like any other
with written(signal.SIGTERM) as server, Server(expect=False) as restored:
    os.mkdir(restored.data)
    change(path(server, "roster.db"), f"VACUUM INTO '{path(restored, 'roster.db')}'")
    restored.start()
    again = restored.post("/v1/campaigns/shop/decide", {"event_id": "e3", "context": 0}).json
    tap.check("a backup alone is served", same("repeated", again.get("repeated"), True))
    restored.stop()
    tap.check("and passes the audit", restored.audit())

# ---- what reads beside a server leaves its journal alone
with Server("--log", "errors") as server:
    server.create(SHOP)
    change(path(server, "roster.db"), f"VACUUM INTO '{os.path.join(server.folder, 'backup')}'")
    problems = same("exit code of the audit", audit(server)[0], 0)
    server.post("/v1/campaigns/shop/decide", {"event_id": "after the backup", "context": 0})
    problems += [] if os.path.exists(path(server, "roster.db-wal")) else ["the journal is gone"]
    server.stop(signal.SIGKILL)
    tap.check("a decision after a backup is there after a kill", problems + server.audit())

# ---- the number in the lock file
with written(signal.SIGTERM) as server:
    tap.check("a server that stopped leaves no number", same("lock", open(path(server, "lock")).read(), ""))
    server.start()
    tap.check(
        "one that runs has its number there",
        same("lock", open(path(server, "lock")).read(), f"{server.process.pid}\n"),
    )
    server.stop(signal.SIGKILL)
    free = subprocess.run(["flock", "--nonblock", path(server, "lock"), "true"]).returncode
    tap.check("after a kill nobody holds it", same("flock", free, 0))


def read_only(folder):
    return [
        "unshare",
        "-rm",
        "sh",
        "-c",
        f'mount --bind "{folder}" "{folder}" && mount -o remount,bind,ro "{folder}" && exec "$0" "$@"',
    ]


# ---- read-only mounts
with written(signal.SIGTERM) as stopped, written(signal.SIGKILL) as killed, written(signal.SIGKILL) as bare:
    os.remove(path(bare, "roster.db-shm"))
    cases = (("that was stopped", stopped), ("with its journal", killed), ("with its journal and nothing else", bare))
    for name, server in cases:
        command = read_only(server.data)
        if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
            tap.skip(f"a log {name} on a read-only mount", "no name space of its own may be made here")
            continue
        before = sorted(os.listdir(server.data))
        code, said, out = audit(server, command=command)
        tap.check(
            f"a log {name} is audited on a read-only mount",
            same("exit code", code, 0)
            + ([] if f"{RECORDS} records" in out else [said + out])
            + same("files", sorted(os.listdir(server.data)), before),
        )
    os.truncate(path(bare, "roster.db-wal"), 32 + 3 * (4096 + 24))
    code, said, _ = audit(bare, command=read_only(bare.data))
    if "unshare" not in said:
        tap.check("and a loss is noticed there too", same("exit code", code, 1) + ([] if missing(said) else [said]))
tap.finish()
