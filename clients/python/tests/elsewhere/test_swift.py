"""ms-swift's own registry, samples and scoring, on a CPU, with the snippet of the documentation as plugin file."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, List, Optional

import pytest
import torch
from swift.rewards import AsyncORM, orms
from swift.rl_core.data import GRPOSample
from swift.rl_core.grpo_algorithm import score_completions
from swift.rlhf_trainers.utils import resolve_reward_funcs
from swift.utils import import_external_file

from peervote import AsyncPeerVote, Group, PeerVote, Rollout
from server import Server
from snippets import README, TRAINERS, snippets_of

K = 4


class Length(AsyncORM):
    """Another reward of the same training, of the kind that ms-swift awaits."""

    async def __call__(self, completions: List[str], **_: Any) -> List[float]:  # type: ignore[override]
        return [float(len(completion)) for completion in completions]


class AwaitedPeerVote(AsyncORM):
    """How a plugin awaits the client itself."""

    async def __call__(self, completions: List[str], pid: List[str], **_: Any) -> List[Optional[float]]:  # type: ignore[override]
        groups = [Group(each, [Rollout(text)]) for each, text in zip(pid, completions)]
        async with AsyncPeerVote() as client:
            return (await client.rewards(groups)).flat()


@pytest.fixture(params=[TRAINERS, README], ids=["trainers.md", "README.md"])
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``--external_plugins plugin.py`` does it."""
    monkeypatch.delitem(orms, "peervote", raising=False)
    plugin = tmp_path / "plugin.py"
    plugin.write_text(snippets_of(request.param)["ms-swift"])
    import_external_file(str(plugin))


def samples_of(answers: List[str], **columns: Any) -> List[GRPOSample]:
    """Rows of a data set, each with its completion, as ms-swift's rollout leaves them; of them ``K`` for a prompt."""
    return [
        GRPOSample.from_row(
            {
                "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": f"\\boxed{{{answer}}}"}],
                "prompt_id": f"prompt_{at // K}",
                "request_id": f"request-{at}",
                "finish_reason": "stop",
                "pid": f"sum-{at // K}",
                **columns,
            }
        )
        for at, answer in enumerate(answers)
    ]


def score(samples: List[GRPOSample], *names: str) -> torch.Tensor:
    """One column for each reward."""
    rewards, _ = resolve_reward_funcs(list(names), args=SimpleNamespace())
    state = SimpleNamespace(global_step=7)
    return score_completions(samples, rewards, [None] * len(rewards), False, torch.device("cpu"), trainer_state=state)


def teach(server: Server, cohort: str, *labels: str) -> None:
    with PeerVote(server.url, cohort, "b") as b:
        b.rewards([Group(f"sum-{i}", [Rollout(answer=label)] * K) for i, label in enumerate(labels)])


@pytest.mark.usefixtures("registered")
def test_its_scoring_pays_the_peers_votes_beside_an_awaited_reward(
    server: Server, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(orms, "length", Length)
    samples = samples_of(["4", "5", "4", "4", "6", "6", "7", "6"])
    with ThreadPoolExecutor() as pool:
        scored = pool.submit(score, samples, "peervote", "length")
        teach(server, name, "4", "6")
        rewards = scored.result(60)
    assert rewards[:, 0].tolist() == [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0]
    assert rewards[:, 1].tolist() == [9.0] * 8
    [bucket] = server.get(f"/v1/cohorts/{name}/buckets/sum-1")["rounds"]
    own = next(group for group in bucket["groups"] if group["agent"] == "a")
    assert sorted(each["id"] for each in own["rollouts"]) == [f"request-{at}" for at in range(4, 8)]
    assert own["step"] == 7


@pytest.mark.usefixtures("registered", "name")
def test_eval_rows_are_graded_at_once() -> None:
    samples = samples_of(["4", "5"], split="test", solution="4")
    assert score(samples, "peervote")[:, 0].tolist() == [1.0, 0.0]


def test_a_plugin_may_await_the_client(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(orms, "awaited", AwaitedPeerVote)
    with ThreadPoolExecutor() as pool:
        scored = pool.submit(score, samples_of(["4", "5", "4", "4"]), "awaited")
        teach(server, name, "4")
        assert scored.result(60)[:, 0].tolist() == [1.0, 0.0, 1.0, 1.0]
