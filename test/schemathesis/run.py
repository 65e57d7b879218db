"""Schemathesis against the server and its own /openapi.json: without tokens, and with those of an admin and of an agent.

Bounded and seeded: ``npx tsx scripts/test-python.ts schemathesis``; with ``--seconds N --seed N`` longer and elsewhere.
No violation is left out: what a check expects otherwise is said in schemathesis.toml, with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "clients/python/tests"))

from server import Server  # noqa: E402

ADMIN, AGENT = "token-of-the-admin", "token-of-agent-a-01"
TOKENS = json.dumps({"admin": ADMIN, "agents": {"default/a": AGENT}})
#: A stream of events has no end to check.
LEFT_OUT = ["followCohort"]
#: Who speaks, and what the server is told of tokens.
SPEAKERS: Dict[str, Optional[str]] = {"nobody, without tokens": None, "an admin": ADMIN, "an agent": AGENT}


def test(who: str, token: Optional[str], seconds: int, seed: int) -> bool:
    os.environ.pop("PEERVOTE_SERVER_TOKENS", None)
    if token is not None:
        os.environ["PEERVOTE_SERVER_TOKENS"] = TOKENS
    server = Server("--agents", "a,b", "--k", "2", "--log-level", "silent").start()
    try:
        print(f"\n== as {who}", flush=True)
        # It keeps cases to replay in the folder where it runs.
        with tempfile.TemporaryDirectory() as folder:
            program = command(server.url, token, seconds, seed)
            return subprocess.run(program, env=environment(), cwd=folder).returncode == 0
    finally:
        server.stop()


def command(url: str, token: Optional[str], seconds: int, seed: int) -> List[str]:
    program = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml")]
    phases = ["--phases", "examples,coverage,fuzzing", "--continue-on-failure", "--warnings", "off", "--no-color"]
    bounds = ["--seed", str(seed), "--max-time", str(seconds), "--request-timeout", "30", "--generation-database", "none"]
    left_out = [option for name in LEFT_OUT for option in ("--exclude-operation-id", name)]
    bearer = [] if token is None else ["--header", f"Authorization: Bearer {token}"]
    return [*program, "run", f"{url}/openapi.json", *phases, *bounds, *left_out, *bearer]


def environment() -> Dict[str, str]:
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": path}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = [who for who, token in SPEAKERS.items() if not test(who, token, options.seconds, options.seed)]
    if failed:
        print(f"The server does not keep its description: as {', as '.join(failed)}.")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
