"""TRL's own GRPOTrainer: twice against one server (the short form of examples/trl), and once on two ranks."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from peervote import Group, PeerVote, Rollout, WaitTimeoutError
from server import PROJECT, Server

sys.path.insert(0, str(PROJECT / "examples/trl"))

from problems import build_rows  # noqa: E402

K = 8


def test_two_trainers_learn_from_each_other() -> None:
    command = [sys.executable, str(PROJECT / "examples/trl/run.py"), "--steps", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "all 384 rewards in TRL's logs are those of the server"


def test_a_group_on_two_ranks_is_one_group(server: Server, cohort: Callable[..., str], tmp_path: Path) -> None:
    """Two processes train one model over gloo, each with half of every group."""
    name = cohort(k=K)
    rows = build_rows("train")[:4]
    with PeerVote(server.url, name, "b", timeout_s=0.1) as b, suppress(WaitTimeoutError):
        b.rewards([Group(row["prompt_id"], [Rollout(answer=sum_of(row["prompt"]))] * K) for row in rows])
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    script = [str(Path(__file__).with_name("rank.py")), "--url", server.url, "--cohort", name, "--out", str(tmp_path)]
    done = subprocess.run([*launcher, *script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr

    log: List[Dict[str, Any]] = json.loads((tmp_path / "log.json").read_text())
    logged = {entry["step"] - 1: entry["rewards/peervote/mean"] for entry in log if "rewards/peervote/mean" in entry}
    paid: Dict[int, float] = {}
    for row in rows:
        [bucket] = server.get(f"/v1/cohorts/{name}/buckets/{row['prompt_id']}")["rounds"]
        for group in bucket["groups"]:
            if group["agent"] != "a" or not group["rollouts"]:
                continue
            assert group["state"] == "complete"
            assert sorted(each["index"] for each in group["rollouts"]) == list(range(K))
            # Each rank names its own.
            assert len({each["id"].split("-")[0] for each in group["rollouts"]}) == 2
            paid[group["step"]] = sum(each["reward"] for each in group["rollouts"]) / K
    assert logged == pytest.approx(paid) and sorted(paid) == [0, 1]


def sum_of(prompt: str) -> str:
    a, b = prompt.rstrip("=").split("+")
    return str(int(a) + int(b))
