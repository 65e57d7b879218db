"""Two GRPO trainers that learn from each other's votes, in one command, on a CPU, in a few minutes:

    pip install torch trl -e clients/python
    python examples/trl/run.py [--steps 40]

starts a server and two processes of train.py, shows their curves, and checks every logged reward against the server.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "clients/python/tests"))

from server import Server  # noqa: E402

AGENTS = ("gpt2", "llama")
Log = List[Dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    with Server() as server, tempfile.TemporaryDirectory() as folder:
        server.put("/v1/cohorts/sums", {"agents": list(AGENTS), "k": 8, "answers": {"mode": "boxed"}})
        if not train(server.url, options.steps, Path(folder)):
            return 1
        logs = {agent: json.loads((Path(folder) / f"{agent}.json").read_text()) for agent in AGENTS}
        show(logs, options.steps)
        return check(logs, rewards_of_server(server), options.steps)


def train(url: str, steps: int, out: Path) -> bool:
    commands = [
        [sys.executable, str(HERE / "train.py"), "--agent", agent, "--url", url, "--steps", str(steps), "--out", str(out)]
        for agent in AGENTS
    ]
    with open(out / "trainers.log", "w") as log:
        jobs = [subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT) for command in commands]
        codes = [job.wait() for job in jobs]
    if any(codes):
        print((out / "trainers.log").read_text()[-8000:])
    return not any(codes)


def by_step(log: Log, name: str) -> Dict[int, float]:
    return {entry["step"]: entry[name] for entry in log if entry.get(name) is not None}


def show(logs: Dict[str, Log], steps: int) -> None:
    """Every fifth step; eval is graded by the truth, which no reward uses."""
    print(f"{'step':>5} {'agreement':>10}" + "".join(f" {agent + ' reward':>13} {agent + ' eval':>11}" for agent in AGENTS))
    columns = {agent: (by_step(logs[agent], "reward"), by_step(logs[agent], "eval_reward")) for agent in AGENTS}
    agreement = by_step(logs[AGENTS[0]], "peervote/agreement")
    for step in sorted({1, steps, *range(5, steps, 5)}):
        cells = [f"{step:>5} {_cell(agreement.get(step)):>10}"]
        cells += [f" {_cell(reward.get(step)):>13} {_cell(graded.get(step)):>11}" for reward, graded in columns.values()]
        print("".join(cells))


def _cell(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.2f}"


def rewards_of_server(server: Server) -> Dict[str, Dict[int, List[float]]]:
    """Every reward that the server paid in training, by agent and step (0 is the first), from its inspector."""
    found: Dict[str, Dict[int, List[float]]] = {agent: {} for agent in AGENTS}
    for a in range(10):
        for b in range(10):
            try:
                explained = server.get(f"/v1/cohorts/sums/buckets/add-{a}-{b}")
            except OSError:  # 404: a held-out or unused problem
                continue
            for group in (group for each in explained["rounds"] for group in each["groups"]):
                rewards = [rollout["reward"] for rollout in group["rollouts"]]
                found[group["agent"]].setdefault(group["step"], []).extend(rewards)
    return found


def check(logs: Dict[str, Log], paid: Dict[str, Dict[int, List[float]]], steps: int) -> int:
    """Compares the mean reward of every step in TRL's log with what the server says it paid."""
    wrong: List[str] = []
    for agent, log in logs.items():
        logged = by_step(log, "rewards/peervote/mean")
        if len(logged) != steps or len(paid[agent]) != steps:
            wrong.append(f"{agent}: {len(logged)} steps logged, {len(paid[agent])} paid, {steps} expected")
        for step, mean in logged.items():
            rewards = paid[agent].get(step - 1, [])
            if len(rewards) != 64 or abs(sum(rewards) / len(rewards) - mean) > 1e-6:
                wrong.append(f"{agent}, step {step}: logged {mean}, paid {rewards}")
        if not by_step(log, "eval_reward"):
            wrong.append(f"{agent}: no eval")
        if not by_step(log, "peervote/agreement"):
            wrong.append(f"{agent}: no agreement")
    print("\n".join(wrong) or f"all {2 * steps * 64} rewards in TRL's logs are those of the server")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
