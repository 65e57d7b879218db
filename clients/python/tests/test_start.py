"""How a start of a training is named, and when its end is told."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Callable, Dict, List, Optional

import pytest

from peervote import Group, PeerVote, Rollout
from peervote import finish as finish_module
from peervote._start import name_by_launcher, name_of_start
from peervote.trl import PeerVoteReward
from server import Server

MakeCohort = Callable[..., str]
SOURCE = Path(__file__).resolve().parents[1] / "src"


@pytest.fixture(autouse=True)
def nothing_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("SLURM_", "TORCHELASTIC_", "LSB_", "PBS_", "AWS_BATCH", "PMIX_", "PEERVOTE_INC", "OMPI_")):
            monkeypatch.delenv(name)
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "LOCAL_SIZE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"SLURM_JOB_ID": "7"}, "slurm-7-0"),
        ({"SLURM_JOB_ID": "7", "SLURM_RESTART_COUNT": "2", "TORCHELASTIC_RUN_ID": "x"}, "slurm-7-2"),
        ({"TORCHELASTIC_RUN_ID": "x", "TORCHELASTIC_RESTART_COUNT": "1"}, "torchelastic-x-1"),
        ({"TORCHELASTIC_RUN_ID": "none", "TORCHELASTIC_RESTART_COUNT": "1"}, None),
        ({"AWS_BATCH_JOB_ID": "b", "AWS_BATCH_JOB_ATTEMPT": "3"}, "batch-b-3"),
        ({"PBS_JOBID": "12.head"}, "pbs-12.head-0"),
        ({}, None),
    ],
)
def test_launchers_name_a_start(env: Dict[str, str], name: Optional[str]) -> None:
    assert name_by_launcher(env) == name
    assert name_of_start(in_ranks=False, environ=env) == name
    assert name_of_start(in_ranks=False, environ={**env, "PEERVOTE_INCARNATION": "mine"}) == "mine"


def run_here(code: str, env: Optional[Dict[str, str]] = None) -> str:
    whole = {**os.environ, "PYTHONPATH": str(SOURCE), **(env or {})}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=whole, timeout=60).stdout.strip()


SHOW = "from peervote._start import name_of_start; print(name_of_start(in_ranks=True))"


def test_a_process_of_its_own_is_another_start_and_the_same_process_the_same() -> None:
    assert name_of_start(in_ranks=True) == name_of_start(in_ranks=True)
    assert len({name_of_start(in_ranks=True), run_here(SHOW), run_here(SHOW)}) == 3


def show_name(queue: Any) -> None:
    queue.put(name_of_start(in_ranks=True))


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_that_python_starts_for_a_job_have_its_name(method: Any) -> None:
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    workers = [context.Process(target=show_name, args=(queue,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    assert [queue.get(timeout=60) for _ in workers] == [name_of_start(in_ranks=True)] * 2
    for worker in workers:
        worker.join(60)


def test_ranks_that_one_launcher_started_have_one_name_and_its_restarts_another() -> None:
    ranks = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "none"}
    first, second = (run_here(SHOW, {**ranks, "RANK": rank}) for rank in "01")
    again = run_here(SHOW, {**ranks, "RANK": "0", "TORCHELASTIC_RESTART_COUNT": "1"})
    assert first == second != again and first != run_here(SHOW)


def test_ranks_on_several_machines_that_nothing_names_have_none_rather_than_two() -> None:
    env = {"WORLD_SIZE": "16", "LOCAL_WORLD_SIZE": "8", "RANK": "9"}
    assert name_of_start(in_ranks=True, environ=env) is None
    assert name_of_start(in_ranks=False, environ={}) is None


class Store:
    """As the store of a process group: the first value stays."""

    def __init__(self) -> None:
        self.values: Dict[str, str] = {}

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        return self.values.setdefault(key, desired).encode()


def fake_torch(monkeypatch: pytest.MonkeyPatch, store: Any, world: int = 2) -> None:
    module: Any = ModuleType("torch.distributed")
    module.is_initialized = lambda: True
    module.get_world_size = lambda: world
    module.distributed_c10d = SimpleNamespace(_get_default_store=lambda: store)
    monkeypatch.setitem(sys.modules, "torch.distributed", module)


def test_ranks_agree_through_the_store_of_their_process_group(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_torch(monkeypatch, Store())
    # Restarts are counted by each machine for itself.
    names = {
        name_of_start(in_ranks=True, environ={"TORCHELASTIC_RUN_ID": "x", "TORCHELASTIC_RESTART_COUNT": count})
        for count in "01"
    }
    [name] = names
    assert name is not None and name.startswith("torchelastic-x-0-")
    fake_torch(monkeypatch, Store())
    assert name_of_start(in_ranks=True, environ={"TORCHELASTIC_RUN_ID": "x"}) not in names
    fake_torch(monkeypatch, None)
    assert name_of_start(in_ranks=True, environ={"TORCHELASTIC_RUN_ID": "x"}) == "torchelastic-x-0"


def test_ray_names_its_driver_also_where_every_cluster_has_but_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def use(session: str, job: str) -> Optional[str]:
        ray: Any = ModuleType("ray")
        ray.is_initialized = lambda: True
        ray.get_runtime_context = lambda: SimpleNamespace(get_session_name=lambda: session, get_job_id=lambda: job)
        monkeypatch.setitem(sys.modules, "ray", ray)
        return name_of_start(in_ranks=False, environ={"SLURM_JOB_ID": "7"})

    assert use("s1", "01") == "slurm-7-0-ray-s1-01"
    assert len({use("s1", "01"), use("s2", "01"), use("s1", "02")}) == 3


class Trainer:
    """As transformers' trainer: it has callbacks, and its methods call the reward function."""

    def __init__(self, reward: PeerVoteReward, steps: int = 1) -> None:
        self.callback_handler: List[Any] = []
        self.state = SimpleNamespace(global_step=0, max_steps=0, is_world_process_zero=True)
        self._reward = reward
        self._steps = steps

    def add_callback(self, callback: Any) -> None:
        self.callback_handler.append(callback)

    def train(self, prompt: str) -> None:
        self.state.max_steps = self._steps
        for self.state.global_step in range(self._steps):
            self._reward(["Q"], ["\\boxed{4}"], prompt_id=[f"{prompt}{self.state.global_step}"], trainer_state=self.state)
        self.state.global_step += 1
        for callback in self.callback_handler:
            callback.on_train_end(None, self.state, None)


@pytest.fixture
def transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("transformers")
    module.TrainerCallback = object
    monkeypatch.setitem(sys.modules, "transformers", module)


def agent_of(server: Server, cohort: str, name: str = "a") -> Any:
    return next(agent for agent in server.get(f"/v1/cohorts/{cohort}")["agents"] if agent["name"] == name)


def test_the_end_of_a_training_is_told_and_the_next_is_a_new_start(
    server: Server, cohort: MakeCohort, transformers: None
) -> None:
    name = cohort(k=1)
    with PeerVote(server.url, name, "b") as b:
        b.skip([f"{prompt}{step}" for prompt in "pqr" for step in range(2)])
        trainer = Trainer(PeerVoteReward(server.url, name, "a"), steps=2)
        trainer.train("p")
        first = agent_of(server, name)
        assert first["finished"] and first["incarnation"] == name_of_start(in_ranks=True)
        assert b.rewards([Group("late", [Rollout("x")])]).groups[0].status == "skipped"
        # An eval after the end brings it back to nobody.
        trainer._reward(["Q"], ["x"], prompt_id=["e"], split=["eval"], ground_truth=["4"])
        assert agent_of(server, name)["finished"]
        seen: List[Any] = []
        for each in (trainer, Trainer(PeerVoteReward(server.url, name, "a"), steps=2)):
            each.train("q" if each is trainer else "r")
            seen.append(agent_of(server, name))
        assert [each["finished"] for each in seen] == [True, True]
        assert [each["incarnation"] for each in seen] == [f"{first['incarnation']}+1", f"{first['incarnation']}+2"]
        assert len(trainer.callback_handler) == 1


def test_other_ranks_than_the_first_and_trainings_that_break_off_tell_no_end(
    server: Server, cohort: MakeCohort, transformers: None
) -> None:
    name = cohort(k=1)
    with PeerVote(server.url, name, "b") as b:
        b.skip(["p0"])
    trainer = Trainer(PeerVoteReward(server.url, name, "a"))
    trainer.state.is_world_process_zero = False
    trainer.train("p")
    assert not agent_of(server, name)["finished"]


JOB = """
import sys
from types import SimpleNamespace
from peervote.trl import PeerVoteReward
reward = PeerVoteReward(sys.argv[1], sys.argv[2], "a")
state = SimpleNamespace(global_step=0, max_steps=2, is_world_process_zero=True)
for step in range(int(sys.argv[3])):
    state.global_step = step
    reward(["Q"], ["x"], prompt_id=[f"p{step}"], trainer_state=state)
state.global_step += 1
exec(sys.argv[4])
"""


@pytest.mark.parametrize(
    ("steps", "then", "finished"),
    [
        (2, "", True),
        (1, "", False),
        (2, "raise RuntimeError", False),
        (2, "raise KeyboardInterrupt", False),
        (2, "import os, signal; os.kill(os.getpid(), signal.SIGTERM)", False),
        (2, "import os; os._exit(0)", False),
        (1, "sys.exit(1)", False),
    ],
)
def test_where_no_trainer_is_found_the_exit_tells_the_end_of_a_training_that_reached_it(
    server: Server, cohort: MakeCohort, steps: int, then: str, finished: bool
) -> None:
    name = cohort(k=1)
    with PeerVote(server.url, name, "b") as b:
        b.skip(["p0", "p1"])
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    subprocess.run([sys.executable, "-c", JOB, server.url, name, str(steps), then], env=env, capture_output=True, timeout=60)
    assert agent_of(server, name)["finished"] is finished


def test_finish_is_a_command_for_trainers_without_a_hook(
    server: Server, cohort: MakeCohort, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = cohort(k=1)
    with PeerVote(server.url, name, "b") as b:
        b.skip(["p"])
    with PeerVote(server.url, name, "a", incarnation="of-the-job") as a:
        a.rewards([Group("p", [Rollout("x")])])
    for key, value in {"URL": server.url, "COHORT": name, "AGENT": "a", "INCARNATION": "of-the-shell"}.items():
        monkeypatch.setenv(f"PEERVOTE_{key}", value)
    assert finish_module.main([]) == 0 and capsys.readouterr().out.startswith("a is done")
    agent = agent_of(server, name)
    assert (agent["finished"], agent["incarnation"]) == (True, "of-the-job")
    monkeypatch.setenv("PEERVOTE_AGENT", "z")
    assert finish_module.main([]) == 1 and "unknown_agent" in capsys.readouterr().err
    assert finish_module.main(["--help"]) == 2
