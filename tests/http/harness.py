"""What the tests of `roster serve` share: a server process of their own on a free port, and requests to it.

Standard library only. Results are lines of TAP (tools/tap.py), as tools/run-tests reads them.
"""

import glob
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tools"))
import tap  # noqa: E402,F401

PROGRAM = os.path.join(os.path.abspath(sys.argv[1]), "roster")
START_SECONDS = 60  # slow builds have sanitizers

SHOP = {
    "name": "shop",
    "contexts": ["day", "night"],
    "actions": ["a", "b", "c"],
    "experts": [
        {"name": "e0", "table": [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]},
        {"name": "e1", "table": [[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]},
        {"name": "e2", "table": [[0.1, 0.1, 0.8], [0.5, 0.25, 0.25]]},
    ],
    "agent": "d-ucb",
    "seed": 7,
}


def campaign(name, **changes):
    return {**SHOP, "name": name, **changes}


class Answer:
    """Status, headers (names in lower case) and body of an answer."""

    def __init__(self, status, headers, body):
        self.status, self.body = status, body
        self.headers = {name.lower(): value for name, value in headers}

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def code(self):
        return self.json["error"]["code"]

    @property
    def sentence(self):
        return self.json["error"]["message"]


class Client:
    """A connection that is kept open."""

    def __init__(self, port, timeout=30):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, kind="application/json"):
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if method in ("POST", "PUT") and kind:
            headers.setdefault("Content-Type", kind)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.getheaders(), answer.read())

    def close(self):
        self.connection.close()


class Server:
    """`roster serve` in a folder of its own, which goes with it."""

    def __init__(self, *options, data=None, expect=True, **popen):
        self.folder = tempfile.mkdtemp(prefix="roster-http-")
        self.data = data or os.path.join(self.folder, "data")
        self.options, self.popen, self.process = options, popen, None
        if expect:
            self.start()

    def command(self):
        options = list(self.options)
        if "--listen" not in options:
            options += ["--listen", "127.0.0.1:0"]
        return [PROGRAM, "serve", "--data", self.data, *options]

    def begin(self):
        """Starts the process without waiting for it."""
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, stderr=self.log, text=True, **self.popen
        )

    def start(self):
        self.begin()
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        if not found:
            raise RuntimeError(f"the server did not start: {line!r} {self.said()}")
        self.port = int(found[1])
        return self

    def refused(self):
        """Exit code and what it says when it does not start."""
        done = subprocess.run(self.command(), capture_output=True, text=True, timeout=START_SECONDS, **self.popen)
        return done.returncode, done.stderr.strip()

    def said(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def ask(self, *arguments, **named):
        client = Client(self.port)
        try:
            return client.ask(*arguments, **named)
        finally:
            client.close()

    def post(self, path, body, **named):
        return self.ask("POST", path, body, **named)

    def get(self, path, **named):
        return self.ask("GET", path, **named)

    def create(self, *campaigns):
        for description in campaigns:
            answer = self.post("/v1/campaigns", description)
            assert answer.status in (200, 201), answer.body
        return self

    def raw(self, data, timeout=10):
        """All that comes back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as s:
            s.sendall(data)
            got = b""
            try:
                while piece := s.recv(65536):
                    got += piece
            except (TimeoutError, ConnectionError):
                pass
            return got

    def audit(self):
        """What is wrong by `roster audit`, as a list."""
        done = subprocess.run([PROGRAM, "audit", self.data], capture_output=True, text=True)
        return [done.stderr or done.stdout] if done.returncode else []

    def stop(self, how=signal.SIGTERM):
        """The exit code."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.log.close()
        self.process = None
        return code

    def end(self):
        if self.process is not None:
            self.stop(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def same(what, got, wanted):
    """A list of problems for tap.check."""
    return [] if got == wanted else [f"{what} is {got!r}, expected {wanted!r}"]


def refusal(answer, status, code, words=None):
    """That an answer is an error of that status, code and words."""
    problems = same("status", answer.status, status)
    try:
        problems += same("code", answer.code, code)
        if words is not None and words not in answer.sentence:
            problems += [f"the sentence is {answer.sentence!r}, expected {words!r}"]
    except (ValueError, KeyError, TypeError):
        problems += [f"the body is {answer.body!r}"]
    return problems


class Load:
    """Threads that decide and reward until stopped, and remember what they were told."""

    def __init__(self, server, name, threads=4):
        self.server, self.name, self.stopping, self.lock = server, name, threading.Event(), threading.Lock()
        self.decided, self.rewarded, self.asked, self.problems = {}, {}, set(), []
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(threads)]

    def start(self, prefix):
        self.prefix = prefix
        for thread in self.threads:
            thread.start()
        return self

    def work(self, which):
        client, n = Client(self.server.port), 0
        try:
            while not self.stopping.is_set():
                n += 1
                self.one(client, f"{self.prefix}-{which}-{n}", n)
        except (OSError, http.client.HTTPException):
            pass  # the server is gone
        finally:
            client.close()

    def one(self, client, event, n):
        with self.lock:
            self.asked.add(event)
        answer = client.ask("POST", f"/v1/campaigns/{self.name}/decide", {"event_id": event, "context": n % 2})
        if answer.status != 200:
            self.problems.append(f"decide {event}: {answer.status} {answer.body!r}")
            return
        self.decided[event] = answer.json
        if n % 3 == 0:
            return
        answer = client.ask("POST", f"/v1/campaigns/{self.name}/reward", {"event_id": event, "reward": n % 2})
        if answer.status != 200:
            self.problems.append(f"reward {event}: {answer.status} {answer.body!r}")
            return
        self.rewarded[event] = n % 2

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        return self


def decide_and_reward(server, name, first, n):
    """Events NAME-FIRST and so on, in two requests."""
    events = [f"{name}-{i}" for i in range(first, first + n)]
    items = [{"event_id": event, "context": i % 2} for i, event in enumerate(events, first)]
    rewards = [{"event_id": event, "reward": i % 2} for i, event in enumerate(events, first)]
    for what, body in (("decide", items), ("reward", rewards)):
        answer = server.post(f"/v1/campaigns/{name}/{what}", body)
        assert answer.status == 200, answer.body


def holding(server, what):
    """Files of the data directory that hold the bytes."""
    held = []
    for path in glob.glob(os.path.join(server.data, "*")):
        with open(path, "rb") as file:
            held += [os.path.basename(path)] if what in file.read() else []
    return sorted(held)


def metric(server, name):
    for line in server.get("/metrics").body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    return 0.0


def decide_until_dropped(server, name, first, at_once=500, seconds=60):
    """Until the log lost records to retention once more; the number after that of the last event. Events come at a
    pace: as fast as they are taken there would be ever more to drop, and a drop behind a reader would never end."""
    before = metric(server, "roster_records_dropped_total")
    n = [first]

    def dropped():
        return metric(server, "roster_records_dropped_total") > before

    def decided_and_dropped():
        decide_and_reward(server, name, n[0], at_once)
        n[0] += at_once
        return wait_for(dropped, at_once / 2500)

    assert wait_for(decided_and_dropped, seconds), server.said()
    return n[0]


def memory_of(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) * 1024


def sanitized(server):
    """Whether it was built with a sanitizer, which needs memory of its own for every byte and keeps what is freed."""
    with open(f"/proc/{server.process.pid}/maps", encoding="ascii") as file:
        return re.search(r"lib[at]san", file.read()) is not None


def preloaded(library, **settings):
    """An environment in which a library of the tests comes before a program."""
    return {
        **os.environ,
        "LD_PRELOAD": os.path.join(os.path.abspath(sys.argv[1]), "tests", f"lib{library}.so"),
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
        **settings,
    }


def limit_files(server, size):
    """No file of the running server may grow beyond that; None: any may."""
    most = resource.RLIM_INFINITY
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))


def deaf():
    """For preexec_fn: a process that inherits signals ignored, as from a background shell, and blocked besides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])


def wait_for(condition, seconds=60):
    """Whether it comes true; the time is for a busy machine, and is spent only where it does not."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
