#!/usr/bin/env python3
"""tests/http/conformance.py DIR [SECONDS]: what the server says of itself, by tools of others: /openapi.json by
openapi-spec-validator, /metrics by promtool, and every operation by schemathesis, for SECONDS (120) in all, without and
with tokens: no 5xx, no answer that the schema does not allow, nothing lost. A tool that is not installed is skipped:
tools/venv and `tools/deps slow` install them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import SHOP, TOP, Server, campaign, same, tap

SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 120
SEED = "1"
BIN = os.path.join(TOP, "build-python", "bin")
SETTINGS = os.path.join(TOP, "tests", "http", "schemathesis.toml")
ROSTER = {"name": "logged", "contexts": 2, "actions": ["a", "b"], "experts": [{"name": "p"}, {"name": "q"}]}
TOKEN = "conformance-0123456789abcdef"


def tool(name):
    return shutil.which(name, path=BIN + os.pathsep + os.environ["PATH"])


def by_tool(title, name, arguments, **run):
    """One case: the tool finds nothing wrong. Its warnings count too."""
    program = tool(name)
    if program is None:
        return tap.skip(title, f"{name} is not installed")
    done = subprocess.run([program, *arguments], capture_output=True, **run)
    said = (done.stdout + done.stderr).decode(errors="replace")
    return tap.check(title, [said[-6000:] or f"exit code {done.returncode}"] if done.returncode else [])


def documents(server):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(server.get("/openapi.json").body)
        file.flush()
        by_tool("/openapi.json is OpenAPI", "openapi-spec-validator", [file.name])
    for path in ("/metrics", "/metrics/campaigns"):
        by_tool(f"{path} is as promtool wants it", "promtool", ["check", "metrics"], input=server.get(path).body)


def ask_all(server, title, headers):
    with tempfile.TemporaryDirectory() as folder:
        by_tool(
            title,
            "schemathesis",
            ["--config-file", SETTINGS, "run", f"http://127.0.0.1:{server.port}/openapi.json", "--seed", SEED,
             "--no-color", "--max-time", str(max(SECONDS // 2, 1)),
             "--generation-database", "none", "--warnings", "off", *headers],
            cwd=folder, timeout=10 * SECONDS + 300,
        )


def prepare(server, **headers):
    for path, body in (
        ("/v1/campaigns", SHOP),
        ("/v1/campaigns", campaign("old")),
        ("/v1/rosters", ROSTER),
    ):
        assert server.post(path, body, headers=headers).status == 201, path


def after(server):
    tap.check("it is still there", same("status", server.get("/healthz").status, 200))
    code = server.stop()
    said = [line for line in server.said().splitlines() if re.search(r"Sanitizer|runtime error", line)]
    tap.check("it ends cleanly, and the log agrees with the library",
              same("exit code", code, 0) + server.audit() + said[:3])


with Server("--log", "errors") as server:
    prepare(server)
    documents(server)
    ask_all(server, "schemathesis finds nothing", [])
    after(server)
with Server("--log", "errors", expect=False) as server:
    tokens = os.path.join(server.folder, "tokens")
    with open(tokens, "w", encoding="ascii") as file:
        file.write(f"admin {TOKEN}\n")
    os.chmod(tokens, 0o600)
    server.options += ("--tokens", tokens)
    server.start()
    prepare(server, Authorization=f"Bearer {TOKEN}")
    ask_all(server, "nor with tokens", ["--header", f"Authorization: Bearer {TOKEN}"])
    after(server)
tap.finish()
