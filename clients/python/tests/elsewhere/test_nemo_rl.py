"""NeMo RL's own registry and rollout code with its Ray actors, on a CPU, with the snippet of the documentation."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List

import pytest
import ray
from nemo_rl.distributed.batched_data_dict import BatchedDataDict
from nemo_rl.environments.utils import ENV_REGISTRY, create_env
from nemo_rl.experience.rollouts import calculate_rewards

from server import Server
from snippets import README, TRAINERS, snippets_of

PROMPTS, K = 4, 4
MakeCohort = Callable[..., str]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=100_000_000)
        yield
        ray.shutdown()


@pytest.fixture(params=[TRAINERS, README], ids=["trainers.md", "README.md"])
def registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ENV_REGISTRY, "peervote", raising=False)
    exec(snippets_of(request.param)["NeMo RL"], {})


def batch_of(right: Callable[[int], bool], **fields: Any) -> "BatchedDataDict[Any]":
    """PROMPTS × K conversations after their rollout, as NeMo RL's data processor and generation leave them."""
    rollouts = [(i, k) for i in range(PROMPTS) for k in range(K)]
    logs: List[List[Dict[str, Any]]] = [
        [
            {"role": "user", "content": f"{i}+{i}? Put it in \\boxed{{}}."},
            {"role": "assistant", "content": f"\\boxed{{{2 * i + (0 if right(k) else k + 1)}}}"},
        ]
        for i, k in rollouts
    ]
    return BatchedDataDict(
        message_log=logs,
        task_name=["sums"] * len(rollouts),
        extra_env_info=[{"prompt_id": f"sum-{i}", "ground_truth": str(2 * i), **fields} for i, _ in rollouts],
    )


@pytest.mark.usefixtures("registered")
def test_its_rollouts_are_paid_by_the_peers_votes(server: Server, cohort: MakeCohort) -> None:
    name = cohort(k=K)
    a, b = (create_env("peervote", {"url": server.url, "cohort": name, "agent": agent}) for agent in "ab")
    of_b = batch_of(lambda k: k > 0)
    # Agent b is half a step ahead: its environment waits for that of a.
    ahead = b.step.remote(of_b["message_log"], of_b["extra_env_info"])
    assert ray.wait([ahead], timeout=2)[0] == []
    paid = calculate_rewards(batch_of(lambda k: k % 2 == 0), {"sums": a})
    assert paid.rewards.tolist() == [1.0, 0.0, 1.0, 0.0] * PROMPTS
    assert ray.get(ahead, timeout=60).rewards.tolist() == [0.0, 1.0, 1.0, 1.0] * PROMPTS
    # The episodes are over, each with an observation and its metadata.
    assert paid.terminateds.tolist() == [1.0] * PROMPTS * K
    assert {each["role"] for each in paid.observations} == {"environment"}
    assert [each["prompt_id"] for each in paid.metadata] == [f"sum-{i}" for i in range(PROMPTS) for _ in range(K)]


@pytest.mark.usefixtures("registered")
def test_eval_is_graded_at_once(server: Server, cohort: MakeCohort) -> None:
    a = create_env("peervote", {"url": server.url, "cohort": cohort(k=K), "agent": "a"})
    paid = calculate_rewards(batch_of(lambda k: k == 3, split="validation"), {"sums": a})
    assert paid.rewards.tolist() == [0.0, 0.0, 0.0, 1.0] * PROMPTS
