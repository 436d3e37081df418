#!/usr/bin/env python3
"""tests/http/drive.py DIR [EVENTS]: `roster drive` against a real server, and against one that errs. With EVENTS so
many choices are compared with those of `roster run`, and nothing else is done."""
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from harness import PROGRAM, Server, TOP, deaf, same, tap, wait_for

CIFAR = os.path.join(TOP, "experiments", "cifar10.json")
TOY = {
    "name": "toy", "contexts": ["X1", "X2"], "actions": ["A1", "A2", "A3"],
    "experts": [{"name": "one", "table": [[0.75, 0.125, 0.125], [0.125, 0.75, 0.125]]},
                {"name": "two", "table": [[0.25, 0.5, 0.25], [0.5, 0.25, 0.25]]}],
    "episodes": [{"rounds": 300, "context_probabilities": [0.5, 0.5], "reward_means": [[1, 0, 0], [0, 0.5, 0.25]]},
                 {"rounds": 200, "context_probabilities": [0.25, 0.75],
                  "rewards": [[[0.5], [0, 1], [1]], [[0.25], [0.75, 0.25], [0]]]}],
    "agents": [{"agent": "d-ucb"}, {"agent": "ed-ucb", "p_V": 0.125, "p_X": 0.25, "xi": 0.05, "samples": 1000}],
    "runs": 1, "seed": 5,
}


def drive(port, *options, file=CIFAR, seconds=120):
    """Exit code, figures and what it says."""
    command = [PROGRAM, "drive", file, "--server", f"http://127.0.0.1:{port}", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr.strip()


def written(server, experiment=None):
    path = os.path.join(server.folder, "toy.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(experiment or TOY, file)
    return path


def decisions(server, name):
    """(event, expert, action) of all, as the log has them."""
    after, found = 0, []
    while True:
        answer = server.get(f"/v1/campaigns/{name}/events?limit=10000&after={after}")
        found += [(r["event_id"], r["expert"], r["action"]) for r in answer.lines if r["kind"] == "decide"]
        if int(answer.headers["roster-next"]) == after:
            return found
        after = int(answer.headers["roster-next"])


def simulated(path, rounds, agent):
    """The same from `roster trace`, as numbers; its runs are those of `roster run`."""
    done = subprocess.run([PROGRAM, "trace", path, "--agent", agent, "--rounds", str(rounds)],
                          capture_output=True, text=True)
    for line in done.stdout.splitlines()[1:rounds + 1]:
        found = re.match(r'{"e":1,"t":(\d+),"k":(\d+),"x":\d+,"v":(\d+),', line)
        yield found[1], int(found[2]), int(found[3])


def same_choices(rounds):
    with Server("--durability", "os") as server:
        code, figures, said = drive(server.port, "--agent", "d-ucb", "--events", str(rounds), seconds=250)
        problems = same("exit code and words", (code, said), (0, "")) + same("decisions", figures["decisions"], rounds)
        about = server.get("/v1/campaigns/cifar10").json["description"]
        experts, actions = [e["name"] for e in about["experts"]], about["actions"]
        played = decisions(server, "cifar10")
        wanted = [(t, experts[k], actions[v]) for t, k, v in simulated(CIFAR, rounds, "d-ucb")]
        problems += same("number of choices", (len(played), len(wanted)), (rounds, rounds))
        problems += [f"the service has {a}, roster run {b}" for a, b in zip(played, wanted) if a != b][:3]
        tap.check(f"{rounds} events in turn are the choices of roster run", problems)
        tap.check("the log agrees with the library", server.stop() and [] or server.audit())


def rough_traffic():
    with Server() as server:
        toy = written(server)
        code, f, said = drive(server.port, "--connections", "16", "--delay", "0-0.3", "--loss", "0.2",
                              "--duplicates", "0.2", "--campaign", "rough", file=toy)
        r = f["rewards"]
        problems = same("exit code and words", (code, said), (0, "")) + same("decisions", f["decisions"], 500)
        problems += same("episodes", f["episodes"], 2) + same("joined and lost", r["joined"] + r["lost"], 500)
        problems += [] if 50 < r["lost"] < 150 and 40 < r["duplicate"] < 130 else [f"{r}"]
        counters = server.get("/v1/campaigns/rough").json["counters"]
        problems += same("the server's counters", [counters["rewards"][w] for w in ("joined", "duplicate")],
                         [r["joined"], r["duplicate"]])
        problems += same("the server's episode", server.get("/v1/campaigns/rough").json["episode"], 1)
        tap.check("late, lost and repeated rewards on 16 connections", problems)
        order = [line["event_id"] for line in server.get("/v1/campaigns/rough/events").lines
                 if line["kind"] == "reward"]
        tap.check("rewards arrive out of order", [] if order != sorted(order, key=int) else ["they are in order"])

        code, f, said = drive(server.port, "--events", "100", "--batch", "7", "--campaign", "rough", file=toy)
        last = server.get("/v1/campaigns/rough").json["counters"]["decisions"]
        tap.check("a campaign goes on behind its last event",
                  same("exit code, decisions, counter", (code, f["decisions"], last), (0, 100, 600)))

        code, f, said = drive(server.port, "--campaign", "short", "--wait", "0.2", "--delay", "0-0.6",
                              "--connections", "8", file=toy)
        tap.check("rewards behind the window are late",
                  same("exit code", (code, said), (0, ""))
                  + ([] if f["rewards"]["late"] > 100 else [f"{f['rewards']}"]))

        code, f, said = drive(server.port, "--agent", "ed-ucb", "--campaign", "estimated", file=toy)
        tap.check("an agent that works on estimates",
                  same("exit code and words", (code, said), (0, "")) + same("decisions", f["decisions"], 500))

        code, f, said = drive(server.port, "--unannounced", "--rounds", "400", "--campaign", "changing", file=toy)
        about = server.get("/v1/campaigns/changing").json
        tap.check("ends that are not announced are for alarms to find",
                  same("exit code, words, decisions", (code, said, f["decisions"]), (0, "", 800))
                  + same("agent and restart", [about[key] for key in ("agent", "chosen", "restart")],
                         ["auto", "direct", "alarm"])
                  + same("other reasons of episodes",
                         {e["reason"] for e in about["episodes"][1:]} - {"contexts", "rewards"}, set()))

        start = time.monotonic()
        code, f, said = drive(server.port, "--events", "100", "--rate", "100/s", "--campaign", "slow", file=toy)
        took = time.monotonic() - start
        tap.check("the rate is kept",
                  same("exit code", code, 0) + ([] if took > 0.9 else [f"100 events took {took} s"]))

        code, f, said = drive(server.port, "--seed", "6", "--campaign", "rough", file=toy)
        tap.check("another campaign of that name is refused",
                  same("exit code", code, 1) + ([] if "--campaign NAME" in said else [said]))
        tap.check("the log agrees with the library", server.stop() and [] or server.audit())


def decided(server, name="cifar10"):
    """How many, 0 before there is a campaign."""
    answer = server.get(f"/v1/campaigns/{name}")
    return answer.json["counters"]["decisions"] if answer.status == 200 else 0


def interrupted(what, **popen):
    with Server() as server:
        command = [PROGRAM, "drive", CIFAR, "--server", f"http://127.0.0.1:{server.port}", "--rate", "200",
                   "--connections", "4"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen)
        begun = wait_for(lambda: decided(server) > 20, 60)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
        problems = same("begun, exit code and words", (begun, process.returncode, said), (True, 0, ""))
        tap.check(f"{what} ends with the figures so far",
                  problems + ([] if re.match(r"decisions +\d+ in", out) else [out]))


def abandoned():
    """Asked to end when the server is gone, it waits for no more answers."""
    with Server() as server:
        command = [PROGRAM, "drive", CIFAR, "--server", f"http://127.0.0.1:{server.port}", "--connections", "4"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        begun = wait_for(lambda: decided(server) > 20, 60)
        server.stop(signal.SIGKILL)
        with socket.create_server(("127.0.0.1", server.port)) as other:
            other.accept()[0].close()  # so it has noticed, and asks again
        process.send_signal(signal.SIGTERM)
        out, said = process.communicate(timeout=60)
        problems = same("begun and exit code", (begun, process.returncode), (True, 1))
        problems += [] if "does not answer: what becomes of the last 4 requests is unknown" in said else [said]
        tap.check("SIGTERM while the server is gone ends it",
                  problems + ([] if re.match(r"decisions +\d+ in", out) else [out]))


def restarted():
    """The server is killed under traffic and comes back: what was under way is asked again, nothing counts twice."""
    with Server() as server:
        server.options = ("--listen", f"127.0.0.1:{server.port}")
        command = [PROGRAM, "drive", CIFAR, "--server", f"http://127.0.0.1:{server.port}", "--events", "6000",
                   "--rate", "1500", "--connections", "16", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3):
            before = decided(server)
            moves = wait_for(lambda: decided(server) >= before + 100)
            server.stop(signal.SIGKILL)
            server.start()
        out, said = process.communicate(timeout=60)
        counters = server.get("/v1/campaigns/cifar10").json["counters"]
        problems = same("traffic, exit code and words", (moves, process.returncode, said), (True, 0, ""))
        problems += same("the server's decisions and joined rewards",
                         (counters["decisions"], counters["rewards"]["joined"]), (6000, 6000))
        problems += [] if json.loads(out)["faults"] > 0 else ["no fault was seen"]
        tap.check("a server that is killed and comes back", problems)
        tap.check("the log agrees with the library", server.stop() and [] or server.audit())


class Liar(http.server.BaseHTTPRequestHandler):
    """A server in front of the real one that changes its answers."""
    protocol_version = "HTTP/1.1"
    lie, real = None, None

    def handle_one(self):
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size) if size else None
        answer = self.real.ask(self.command, self.path, body)
        status, text = Liar.lie(self.path, answer.status, answer.body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = handle_one

    def log_message(self, *_):
        pass


def changed(last, **fields):
    """A lie in the answers to that kind of request."""
    def lie(path, status, body):
        if not path.endswith(last) or status >= 400 and last == "decide":
            return status, body
        told = json.loads(body)
        for key, value in fields.items():
            told[key] = value(told) if callable(value) else value
        return status, json.dumps(told).encode()
    return lie


def counted(path, status, body):
    told = json.loads(body)
    if path.endswith("/lies") and "counters" in told:
        told["counters"]["decisions"] += 1
    return status, json.dumps(told).encode()


LIES = [
    ("an action that is none", changed("decide", action="A9"), "there is no action A9"),
    ("an expert that is none", changed("decide", expert="three"), "there is no expert three"),
    ("another event", changed("decide", event_id="77"), "is about 77"),
    ("another propensity", changed("decide", propensity=0.3), "its propensity is 0.2999"),
    ("a propensity that is none", changed("decide", propensity="much"), "its propensity is 0,"),
    ("another action of the same probability",
     changed("decide", action=lambda d: {"A1": "A1", "A2": "A3", "A3": "A2"}[d["action"]]), "event"),
    ("a decision that was made before", changed("decide", repeated=True), "decided before"),
    ("a duplicate that is none", changed("reward", status="duplicate"), "sent once, but the answer says duplicate"),
    ("a late reward that is none", changed("reward", status="late"), "came within the window"),
    ("an unknown event that is known", changed("reward", status="unknown"), "came within the window"),
    ("a reward in range that is not", changed("reward", status="out-of-range"), "out of range"),
    ("a status that is none", changed("reward", status="lost"), "no status that is known: lost"),
    ("every reward joins", changed("reward", status="joined"), "joined twice"),
    ("a count that is too high", counted, "the server counts"),
    ("no JSON", lambda path, status, body: (status, b"<p>") if path.endswith("decide") else (status, body), "no event"),
    ("a refusal", lambda path, status, body:
     (400, b'{"error":{"code":"x","message":"not today"}}') if path.endswith("decide") else (status, body),
     "refuses a decision: not today"),
]


def liars():
    with Server("--durability", "os") as server:
        toy, port = written(server), None
        Liar.real = server
        front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        front.daemon_threads = True
        port = front.server_address[1]
        server.stop()
        server.options = ("--durability", "os", "--host", "127.0.0.1")
        server.start()
        threading.Thread(target=front.serve_forever, daemon=True).start()
        for number, (what, lie, words) in enumerate(LIES):
            Liar.lie = staticmethod(lie)
            code, _, said = drive(port, "--events", "60", "--duplicates", "0.5", "--seed", str(number), "--campaign",
                                  "lies" if lie is counted else f"lie-{number}", file=toy)
            tap.check(f"noticed: {what}", same("exit code", code, 1) + ([] if words in said else [f"it says {said!r}"]))
        front.shutdown()


if len(sys.argv) > 2:
    same_choices(int(sys.argv[2]))
else:
    same_choices(5000)
    rough_traffic()
    interrupted("Ctrl-C")
    interrupted("Ctrl-C that was ignored and blocked", preexec_fn=deaf)
    abandoned()
    restarted()
    liars()
tap.finish()
