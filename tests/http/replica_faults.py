#!/usr/bin/env python3
"""tests/http/replica_faults.py BUILD [TIMES]: servers on one PostgreSQL are killed and stopped, and so is PostgreSQL,
and a proxy loses what it says, under load; afterwards everything that was acknowledged is in the log once, the audit
agrees and all have the same state. Below tools/scratch-postgres.
"""

import json
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time

from harness import SHOP, metric, preloaded, same, tap, wait_for
from replica_support import FOLDER, URL, Load, Replica, compare, control, end_all, kill_postmaster, none, program, sql

TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1
chance = random.Random(5)


class Proxy:
    """Between a server and PostgreSQL: a socket of the same name in a folder of its own. Told to, it loses the next
    COMMIT: "before" PostgreSQL gets it, or "after", with the answer, or it hands it over in "halves"."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="roster-proxy-")
        self.loses, self.lost = None, {"before": 0, "after": 0, "halves": 0}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(os.path.join(self.folder, ".s.PGSQL.5432"))
        self.socket.listen(50)
        self.url = URL.replace(FOLDER, self.folder)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.socket.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(os.path.join(FOLDER, ".s.PGSQL.5432"))
            except OSError:
                client.close()
                continue
            pair = {"client": client, "server": server, "deaf": False}
            threading.Thread(target=self.forward, args=(pair, "client", "server"), daemon=True).start()
            threading.Thread(target=self.forward, args=(pair, "server", "client"), daemon=True).start()

    def commits(self, pair, data):
        """What to do with the COMMIT in these bytes; False: the connection ends."""
        how, self.loses = self.loses, None
        self.lost[how] += 1
        if how == "before":
            return False
        if how == "after":
            pair["deaf"] = True
            pair["server"].sendall(data)
            return True
        half = len(data) // 2
        pair["server"].sendall(data[:half])
        time.sleep(0.1)
        pair["server"].sendall(data[half:])
        return True

    def forward(self, pair, source, sink):
        try:
            while data := pair[source].recv(1 << 20):
                if source == "server" and pair["deaf"]:
                    break
                if source == "client" and self.loses and b"COMMIT\0" in data:
                    if not self.commits(pair, data):
                        break
                    continue
                pair[sink].sendall(data)
        except OSError:
            pass
        for end in ("client", "server"):
            try:
                pair[end].shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def all_ready(title):
    tap.check(f"{title}: all are ready again", none(not wait_for(lambda: all(r.is_ready() for r in replicas))))


def under_load(title, faults, threads=4):
    """The faults, one after the other, while clients ask."""
    load = Load(replicas, threads=threads, name=title.replace(" ", "-"))
    time.sleep(0.3)
    for fault in faults:
        fault()
        time.sleep(chance.uniform(0.02, 0.15))
    all_ready(title)
    time.sleep(0.3)
    compare(load.stop(), title)


def kill_one():
    victim = chance.choice(replicas[:2])
    victim.kill()
    victim.start()


def stop_one(seconds):
    victim = chance.choice(replicas)
    victim.process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    victim.process.send_signal(signal.SIGCONT)


def end_connection():
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roster'"
        " ORDER BY random() LIMIT 1")


def kill_backend():
    """One that PostgreSQL does not expect to go: it restarts all others."""
    pids = sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'roster'").split()
    if pids:
        os.kill(int(chance.choice(pids)), signal.SIGKILL)
    sql("SELECT 1")


def lose_commit(how):
    proxy.loses = how
    wait_for(lambda: proxy.loses is None, 20)


proxy = Proxy()
folder = tempfile.mkdtemp(prefix="roster-faults-")
shop = os.path.join(folder, "shop.json")
with open(shop, "w", encoding="utf-8") as file:
    json.dump(SHOP, file)
ahead = os.path.join(folder, "ahead")
with open(ahead, "w", encoding="ascii") as file:
    file.write("3600\n")
# The third talks to PostgreSQL through the proxy, and its machine's clock is an hour ahead.
replicas = [Replica("--snapshot-every", "3000", shop), Replica("--snapshot-every", "3000"),
            Replica(url=proxy.url, env=preloaded("shift_clock", SHIFT_CLOCK=ahead))]
third = replicas[2]

under_load("killed servers", [kill_one] * (50 * TIMES))
under_load("stopped servers", [lambda: stop_one(0.5)] * (8 * TIMES) + [lambda: stop_one(2.0)] * (4 * TIMES))
under_load("lost connections", [end_connection] * (50 * TIMES))
under_load("lost answers", [lambda: lose_commit("after")] * (40 * TIMES))
tap.check("some of these rows were found in the log", none(metric(third, "roster_commits_found_total") < 10))
under_load("lost commits", [lambda: lose_commit("before")] * (20 * TIMES))
under_load("halved commits", [lambda: lose_commit("halves")] * (20 * TIMES))
under_load("killed backends", [kill_backend] * (5 * TIMES))
under_load("killed databases", [kill_postmaster] * (4 * TIMES))
under_load("restarted databases", [lambda: control("-m", "immediate", "restart")] * (4 * TIMES))
under_load("a database that is read-only", [
    lambda: sql("ALTER DATABASE postgres SET default_transaction_read_only = on"), end_connection,
    lambda: time.sleep(1),
    lambda: sql("ALTER DATABASE postgres RESET default_transaction_read_only")])
sql("ALTER DATABASE postgres SET default_transaction_isolation = serializable")
under_load("a database that orders all transactions", [end_connection] * 12)
sql("ALTER DATABASE postgres RESET default_transaction_isolation")
tap.check("no server lost what it knew",
          none([r for r in replicas if metric(r, "roster_records_lost_total") > 0]))
tap.check("the clock of the third did not count",
          none(int(sql("SELECT max(at) / 1000000 FROM roster_log")) > time.time() + 600))

# ---- the log in the database is an older one
last = int(sql("SELECT last FROM roster_head"))
cut = int(sql(f"SELECT max(first) FROM roster_log WHERE first <= {last - 50}"))
sql(f"BEGIN; DELETE FROM roster_log WHERE first > {cut}; DELETE FROM roster_snapshot WHERE number > {cut};"
    f" UPDATE roster_head SET last = (SELECT first + count - 1 FROM roster_log WHERE first = {cut}),"
    f" checksum = (SELECT checksum FROM roster_log WHERE first = {cut}); COMMIT")
tap.check("an older log is noticed", none(not wait_for(
    lambda: all(r.is_ready() and metric(r, "roster_records_lost_total") > 0 for r in replicas))))
load = Load(replicas, threads=4, most=20, name="after-the-loss").join()
compare(load, "after the loss")
head = end_all(replicas, "all").splitlines()[-1]
copy = os.path.join(folder, "copy")
tap.check("the log can be copied", none(program("migrate", URL, copy).stderr))
tap.check("and audited as one of SQLite", same("head", program("audit", copy).stdout.splitlines()[-1], head))
for replica in replicas:
    replica.end()
tap.finish()
