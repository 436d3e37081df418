#!/usr/bin/env python3
"""tests/http/demo.py DIR: `make demo-serve`, or what it runs: it says where the page is, users are at work, nothing is
left."""
import glob
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

from harness import TOP, same, tap, wait_for


def ask(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def at_work(port):
    """Problems with the page and with the users."""
    status, page = ask(port, "/")

    def decisions():
        return json.loads(ask(port, "/v1/campaigns/cifar10")[1]).get("counters", {}).get("decisions", 0)

    moves = wait_for(lambda: decisions() > 50, 60)
    return (same("status of the page", status, 200) +
            ([] if b"<title>roster</title>" in page else ["it is another page"]) +
            same("users are at work", moves, True))


def play(what, seconds, end, **popen):
    with tempfile.TemporaryDirectory() as temporary:
        env = {**os.environ, "TMPDIR": temporary, **({"DEMO_SECONDS": seconds} if seconds else {})}
        process = subprocess.Popen([os.path.join(TOP, "tools", "demo-serve"), os.path.abspath(sys.argv[1])],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                                   start_new_session=True, **popen)
        port = int(re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())[1])
        problems = at_work(port) if end is not None else []  # one that ends by itself may have ended
        if end is not None:
            os.killpg(process.pid, end)
        out, said = process.communicate(timeout=60)
        problems += same("exit code and words", (process.returncode, said), (0, ""))
        problems += [] if "decisions" in out else [f"no table: {out}"]
        problems += same("what is left behind", glob.glob(os.path.join(temporary, "*")), [])
        tap.check(f"the demo {what}", problems)
        try:
            ask(port, "/")
            tap.check("its server is gone", ["it still answers"])
        except OSError:
            tap.check("its server is gone", [])


play("ends by itself", "3", None)
play("ends on Ctrl-C", None, signal.SIGINT)
play("ends on Ctrl-C that was ignored when it started", None, signal.SIGINT,
     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
play("ends on SIGTERM", None, signal.SIGTERM)
play("ends when its terminal is closed", None, signal.SIGHUP)
tap.finish()
