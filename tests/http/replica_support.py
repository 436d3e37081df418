"""What the tests of several servers on one PostgreSQL share: replicas, a load that notes what was acknowledged, and
what must hold afterwards. They run below tools/scratch-postgres.
"""

import atexit
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import harness

if "ROSTER_POSTGRES" not in os.environ:
    print("1..0 # SKIP run it below tools/scratch-postgres")
    sys.exit(77)
URL = os.environ["ROSTER_POSTGRES"]
FOLDER = os.environ["ROSTER_POSTGRES_FOLDER"]
AS = os.environ["ROSTER_POSTGRES_AS"].split()
BIN = os.environ["ROSTER_POSTGRES_BIN"]


class Replica(harness.Server):
    """`roster serve --store`, of which there may be several."""

    def __init__(self, *options, url=URL, **named):
        self.url = url
        atexit.register(self.end)
        super().__init__(*options, **named)

    def command(self):
        return [harness.PROGRAM, "serve", "--store", self.url, "--listen", "127.0.0.1:0", *self.options]

    def is_ready(self):
        try:
            return self.ask("GET", "/readyz").status == 200
        except OSError:
            return False

    def campaign(self, name="shop"):
        return self.ask("GET", f"/v1/campaigns/{name}").json

    def kill(self):
        self.stop(signal.SIGKILL)


def sql(text, seconds=20):
    """What PostgreSQL answers, once it does."""
    command = [os.path.join(BIN, "psql"), URL, "-Atqc", text]
    env = {**os.environ, "PGOPTIONS": "-c default_transaction_read_only=off"}
    end = time.monotonic() + seconds
    while True:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        if done.returncode == 0:
            return done.stdout.strip()
        if time.monotonic() > end:
            raise RuntimeError(done.stderr)
        time.sleep(0.05)


def control(*what):
    """pg_ctl, as the server's user."""
    subprocess.run(
        [*AS, os.path.join(BIN, "pg_ctl"), "-D", os.path.join(FOLDER, "data"), "-w", "-l", os.path.join(FOLDER, "log"),
         *what],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=FOLDER,
    )


def kill_postmaster():
    """With no time for anything; its children notice. Then it is started again."""
    with open(os.path.join(FOLDER, "data", "postmaster.pid"), encoding="utf-8") as file:
        os.kill(int(file.readline()), signal.SIGKILL)
    for _ in range(50):
        time.sleep(0.1)
        try:
            control("start")
            return
        except subprocess.CalledProcessError:
            continue  # they are still there
    raise RuntimeError("PostgreSQL does not start again")


def program(*arguments):
    return subprocess.run([harness.PROGRAM, *arguments], capture_output=True, text=True, check=False)


class Load:
    """Threads that decide and reward, each event on several replicas, until they are stopped. What was acknowledged is
    noted; what was not is asked again, elsewhere."""

    def __init__(self, replicas, threads=4, seed=1, most=None, name="event"):
        self.replicas, self.most, self.name = replicas, most, name
        self.decided, self.rewarded, self.wrong = {}, {}, []
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(i, random.Random(seed + i)), daemon=True)
                        for i in range(threads)]
        for thread in self.threads:
            thread.start()

    def ask(self, random_, path, body):
        """Of any replica, and of another where that fails; None: the test is over."""
        while True:
            try:
                replica = random_.choice(self.replicas)
                client = harness.Client(replica.port, timeout=20)
                try:
                    answer = client.ask("POST", path, body)
                finally:
                    client.close()
                if answer.status != 503:
                    return answer
            except (OSError, harness.http.client.HTTPException):
                pass
            if self.ended.is_set():
                return None
            time.sleep(0.02)

    def one(self, random_, name):
        path = "/v1/campaigns/shop"
        body = {"event_id": name, "context": random_.choice(["day", "night"])}
        answers = [self.ask(random_, path + "/decide", body) for _ in range(1 + (random_.random() < 0.3))]
        for answer in answers:
            if answer is None:
                return
            if answer.status != 200:
                self.wrong.append((name, answer.status, answer.body))
                return
            told = tuple(answer.json[key] for key in ("expert", "action", "propensity"))
            if self.decided.setdefault(name, told) != told:
                self.wrong.append((name, "decided twice", answer.body))
        reward = random_.random()
        for _ in range(1 + (random_.random() < 0.2)):
            answer = self.ask(random_, path + "/reward", {"event_id": name, "reward": reward})
            if answer is None:
                return
            if answer.status not in (200, 409):  # joined, or a duplicate of what was not acknowledged
                self.wrong.append((name, answer.status, answer.body))
            self.rewarded[name] = True

    def work(self, number, random_):
        at = 0
        while not self.ended.is_set() and (self.most is None or at < self.most):
            self.one(random_, f"{self.name}-{number}-{at}")
            at += 1

    def stop(self):
        self.ended.set()
        return self.join()

    def join(self):
        for thread in self.threads:
            thread.join()
        return self


def none(what):
    """A list of problems for tap.check: there should be none of these."""
    return [] if not what else [repr(what)[:1000]]


def compare(load, title):
    """Everything that was acknowledged is in the log, once."""
    lines = [json.loads(line) for line in program("export", URL, "--campaign", "shop").stdout.splitlines()]
    decided, joined = {}, {}
    for line in lines:
        if line.get("kind") == "decide":
            decided.setdefault(line["event_id"], []).append(line)
        if line.get("kind") == "reward" and line.get("status") == "joined":
            joined.setdefault(line["event_id"], []).append(line)
    lost = [name for name in load.decided if len(decided.get(name, [])) != 1]
    other = [name for name, told in load.decided.items()
             if name not in lost and (decided[name][0]["expert"], decided[name][0]["action"]) != told[:2]]
    unpaid = [name for name in load.rewarded if len(joined.get(name, [])) != 1]
    twice = [name for name, found in decided.items() if len(found) != 1]
    harness.tap.check(f"{title}: every answer was one that can be given", none(load.wrong))
    harness.tap.check(f"{title}: all decisions that were answered are in the log once", none(lost + twice))
    harness.tap.check(f"{title}: as they were answered", none(other))
    harness.tap.check(f"{title}: and so are all rewards", none(unpaid))
    print(f"# {len(load.decided)} decisions and {len(load.rewarded)} rewards were acknowledged")


def end_all(replicas, title):
    """Each stores its state when it ends, or compares it with the one that is there; then the audit derives it."""
    codes = [replica.stop() for replica in replicas if replica.process is not None]
    harness.tap.check(f"{title}: they end when told to", none([code for code in codes if code != 0]))
    said = [line for replica in replicas for line in replica.said().splitlines() if "snapshot-failed" in line]
    harness.tap.check(f"{title}: their states are equal", none(said))
    audit = program("audit", URL)
    harness.tap.check(f"{title}: the audit agrees", none(audit.stderr))
    return audit.stdout
