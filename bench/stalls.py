#!/usr/bin/env python3
"""How long a request waits for what is slow: snapshots, large campaigns, windows that close by the million.

    bench/stalls.py BUILD [EVENTS] [EXPERTS]

Two probes, processes of their own, ask `GET /healthz` and `POST decide` of a small campaign all the time while one slow
thing after another is done to the same server. Printed per step: how long it took, and how long a probe waited at
most. Nothing is asserted: the figures depend on the machine, and on what else runs on it; what the machine alone does
is the first line. Default: 3 million open events, 2,000 experts.
"""

import json
import multiprocessing
import os
import random
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "http"))
import harness  # noqa: E402

EVENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 3_000_000
EXPERTS = int(sys.argv[3]) if len(sys.argv) > 3 else 2_000
BATCH = 10_000


def snapshots_of(server):
    """Made or failed so far."""
    return sum(harness.metric(server, f"roster_snapshot{what}_total") for what in ("s", "_failures"))


def probe(port, method, path, body, waits, stop):
    """Asks every 2 ms and keeps the longest wait since somebody looked."""
    client = harness.Client(port, timeout=120)
    while not stop.is_set():
        begun = time.monotonic()
        answer = client.ask(method, path, body)
        taken = time.monotonic() - begun
        assert answer.status == 200, answer.body
        with waits.get_lock():
            waits.value = max(waits.value, taken)
        time.sleep(0.002)


def large(name, experts, **changes):
    rng = random.Random(1)
    tables = []
    for k in range(experts):
        rows = []
        for _ in range(4):
            cells = [rng.random() + 0.05 for _ in range(5)]
            rows.append([c / sum(cells) for c in cells])
        tables.append({"name": f"e{k}", "table": rows})
    return harness.campaign(
        name, contexts=[f"c{i}" for i in range(4)], actions=[f"a{i}" for i in range(5)], experts=tables, **changes
    )


def estimated(name, experts, contexts=10, actions=10):
    """A roster known from samples alone, its samples, and a campaign of it."""
    rng = random.Random(2)
    roster = {
        "name": name,
        "contexts": [f"c{i}" for i in range(contexts)],
        "actions": [f"a{i}" for i in range(actions)],
        "experts": [{"name": f"e{k}"} for k in range(experts)],
    }
    samples = [
        {"expert": k, "context": x, "action": v, "count": rng.randint(500, 1500)}
        for k in range(experts)
        for x in range(contexts)
        for v in range(actions)
    ]
    agent = {"agent": "ed-ucb", "p_V": 0.02, "p_X": 0.05, "xi": 0.001}
    return roster, samples, {"name": name, "roster": name, "agent": agent, "fallback": "e0", "seed": 1}


class Bench:
    def __init__(self):
        self.server = harness.Server("--durability", "os", "--log", "errors")
        self.server.create(harness.campaign("probe"))
        self.stop = multiprocessing.Event()
        self.probes = []
        for method, path, body in (
            ("GET", "/healthz", None),
            ("POST", "/v1/campaigns/probe/decide", '{"context": "day"}'),
        ):
            waits = multiprocessing.Value("d", 0.0)
            process = multiprocessing.Process(
                target=probe, args=(self.server.port, method, path, body, waits, self.stop)
            )
            process.start()
            self.probes.append((process, waits))
        print(f"{'step':44} {'took':>9} {'/healthz':>10} {'decide':>10}")

    def step(self, name, work):
        time.sleep(0.2)
        for _, waits in self.probes:
            waits.value = 0.0
        begun = time.monotonic()
        work()
        taken = time.monotonic() - begun
        time.sleep(0.2)
        waited = [f"{1e3 * waits.value:7.1f} ms" for _, waits in self.probes]
        print(f"{name:44} {taken:7.2f} s {waited[0]:>10} {waited[1]:>10}", flush=True)

    def end(self):
        self.stop.set()
        for process, _ in self.probes:
            process.join(20)
            if process.is_alive():
                process.terminate()
        self.server.stop()

    def ask(self, method, path, body=None):
        client = harness.Client(self.server.port, timeout=300)
        answer = client.ask(method, path, body)
        client.close()
        assert answer.status in (200, 201), answer.body[:300]
        return answer

    def estimate(self, name, experts):
        roster, samples, description = estimated(name, experts)
        self.ask("POST", "/v1/rosters", roster)
        for i in range(0, len(samples), 5000):
            self.ask("POST", f"/v1/rosters/{name}/samples", samples[i : i + 5000])
        self.ask("POST", "/v1/campaigns", description)

    def decide(self, name, n, batch=BATCH):
        client = harness.Client(self.server.port, timeout=300)
        body = json.dumps([{"context": "day"}] * batch)
        for _ in range(n // batch):
            answer = client.ask("POST", f"/v1/campaigns/{name}/decide", body)
            assert answer.status == 200, answer.body[:300]
        client.close()

    def snapshot(self, before):
        while snapshots_of(self.server) <= before:
            self.decide("filler", 1000, 1000)  # few at a time: the snapshot is what is measured
            time.sleep(0.002)


def main():
    bench = Bench()
    try:
        wide = large("wide", EXPERTS)
        half = large("half", min(EXPERTS, 1000))
        text, text_half = json.dumps(wide), json.dumps(half)
        bench.step("nothing, 2 s", lambda: time.sleep(2))
        bench.step(f"create a campaign of {EXPERTS} experts", lambda: bench.ask("POST", "/v1/campaigns", text))
        bench.step("create it again", lambda: bench.ask("POST", "/v1/campaigns", text))
        bench.step("look at it", lambda: bench.ask("GET", "/v1/campaigns/wide"))
        bench.step("start an episode of it", lambda: bench.ask("POST", "/v1/campaigns/wide/episodes", "{}"))
        bench.estimate("sampled", 500)
        bench.step("start an episode of 500 estimated experts",
                   lambda: bench.ask("POST", "/v1/campaigns/sampled/episodes"))
        bench.step("create a campaign of 1000 experts", lambda: bench.ask("POST", "/v1/campaigns", text_half))
        bench.ask("POST", "/v1/campaigns/half/decide", '{"event_id": "x", "context": 0}')
        bench.ask("POST", "/v1/campaigns/half/reward", '{"event_id": "x", "reward": 1}')
        bench.step("look at it for the first time", lambda: bench.ask("GET", "/v1/campaigns/half"))
        bench.step("archive it", lambda: bench.ask("DELETE", "/v1/campaigns/half"))
        bench.ask(
            "POST", "/v1/campaigns",
            json.dumps(harness.campaign("open", reward={"wait": 864000, "events_most": 8000000}))
        )
        bench.ask("POST", "/v1/campaigns",
                  json.dumps(harness.campaign("filler", reward={"wait": 0.001, "remember": 0})))
        bench.step(f"decide {EVENTS} times, batches of {BATCH}", lambda: bench.decide("open", EVENTS))
        done = snapshots_of(bench.server)
        bench.step(f"a snapshot of {EVENTS} open events", lambda: bench.snapshot(done))
        bench.step("look at the campaigns", lambda: bench.ask("GET", "/v1/campaigns"))
        bench.step(f"archive {EVENTS} open events", lambda: bench.ask("DELETE", "/v1/campaigns/open"))
        bench.ask(
            "POST", "/v1/campaigns", json.dumps(harness.campaign("soon", reward={"wait": 30, "events_most": 8000000}))
        )
        begun = time.monotonic()
        bench.decide("soon", EVENTS // 3)
        time.sleep(max(0, 29 - (time.monotonic() - begun)))

        def closing():
            while harness.metric(bench.server, "roster_events_open") > 100_000:
                time.sleep(0.1)

        bench.step(f"close {EVENTS // 3} windows", closing)
    finally:
        bench.end()


if __name__ == "__main__":
    main()
