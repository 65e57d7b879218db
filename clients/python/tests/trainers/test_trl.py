"""TRL's own GRPOTrainer, twice, against one server: the short form of examples/trl."""

from __future__ import annotations

import subprocess
import sys

from server import PROJECT


def test_two_trainers_learn_from_each_other() -> None:
    command = [sys.executable, str(PROJECT / "examples/trl/run.py"), "--steps", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "all 384 rewards in TRL's logs are those of the server"
