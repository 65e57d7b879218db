"""AReaL's own workflow executor and group, on a CPU, with the snippet of docs/trainers.md and an engine that answers from a list."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any, Awaitable, Callable, Dict, Iterator, List, Optional

import pytest
import torch
from areal.api import ModelRequest, ModelResponse, RolloutWorkflow
from areal.api.cli_args import InferenceEngineConfig
from areal.infra.remote_inf_engine import GroupedRolloutWorkflow
from areal.infra.workflow_executor import WorkflowExecutor

from peervote.areal import score_episode
from server import Server
from snippets import TRAINERS, as_coroutine, snippets_of

PROMPTS, K = 8, 4
Score = Callable[[Dict[str, Any], str], Awaitable[float]]


class ListEngine:
    """What the executor and a workflow ask of an inference engine. The k-th answer to a sum is right where ``right(k)``."""

    def __init__(self, right: Callable[[int], bool]) -> None:
        self._right = right
        self._asked: "Counter[int]" = Counter()

    def get_version(self) -> int:
        return 0

    async def agenerate(self, request: ModelRequest) -> ModelResponse:
        [i] = request.input_ids
        k = self._asked[i]
        self._asked[i] += 1
        text = f"\\boxed{{{2 * i + (0 if self._right(k) else k + 1)}}}".encode()
        return ModelResponse(input_tokens=[i], output_tokens=list(text), output_logprobs=[0.0] * len(text))


class Sums(RolloutWorkflow):
    def __init__(self, score: Score) -> None:
        self._score = score

    async def arun_episode(self, engine: Any, data: Dict[str, Any]) -> Dict[str, torch.Tensor]:
        response = await engine.agenerate(ModelRequest(input_ids=[data["sum"]]))
        reward = await self._score(data, bytes(response.output_tokens).decode())
        tokens = torch.tensor([response.input_tokens + response.output_tokens])
        return {
            "input_ids": tokens,
            "attention_mask": torch.ones_like(tokens, dtype=torch.bool),
            "rewards": torch.tensor([reward]),
        }


@pytest.fixture
def executor() -> Iterator[Callable[[Callable[[int], bool]], WorkflowExecutor]]:
    made: List[WorkflowExecutor] = []

    def make(right: Callable[[int], bool]) -> WorkflowExecutor:
        config = InferenceEngineConfig(consumer_batch_size=PROMPTS, check_trajectory_format=True)
        made.append(WorkflowExecutor(config, ListEngine(right)))
        made[-1].initialize()
        return made[-1]

    yield make
    for each in made:
        each.destroy()


def from_the_docs() -> Score:
    names: Dict[str, Any] = {}
    exec(as_coroutine(snippets_of(TRAINERS)["AReaL"], "data, completion_text", "reward"), names)
    return names["snippet"]


def grouped(score: Score) -> RolloutWorkflow:
    return GroupedRolloutWorkflow(Sums(score), K, logging.getLogger("test"))


def rows(**fields: Any) -> List[Dict[str, Any]]:
    return [{"sum": i, "prompt_id": f"sum-{i}", "answer": str(2 * i), **fields} for i in range(PROMPTS)]


def rewards_by_sum(trajectories: List[Optional[Dict[str, Any]]]) -> Dict[int, List[float]]:
    return {int(each["input_ids"][0, 0]): each["rewards"].tolist() for each in trajectories if each is not None}


def test_two_executors_get_each_others_votes(
    server: Server, name: str, executor: Callable[[Callable[[int], bool]], WorkflowExecutor]
) -> None:
    async def as_b(data: Dict[str, Any], text: str) -> float:
        return await score_episode(data, text, url=server.url, cohort=name, agent="b")

    a, b = executor(lambda k: k % 2 == 0), executor(lambda k: k > 0)
    for row in rows():
        a.submit(row, grouped(from_the_docs()))
    # Nothing is paid before the peer is there.
    assert a.wait(1, timeout=2, raise_timeout=False) == []
    for row in rows():
        b.submit(row, grouped(as_b))
    paid = rewards_by_sum(a.wait(PROMPTS, timeout=60))
    assert paid == {i: [1.0, 0.0, 1.0, 0.0] for i in range(PROMPTS)}
    assert rewards_by_sum(b.wait(PROMPTS, timeout=60)) == {i: [0.0, 1.0, 1.0, 1.0] for i in range(PROMPTS)}


def test_its_eval_is_graded_at_once(
    name: str, executor: Callable[[Callable[[int], bool]], WorkflowExecutor]
) -> None:
    a = executor(lambda k: k == 3)
    for row in rows():
        a.submit(row, grouped(from_the_docs()), is_eval=True)
    assert rewards_by_sum(a.wait(PROMPTS, timeout=60)) == {i: [0.0, 0.0, 0.0, 1.0] for i in range(PROMPTS)}


def test_an_exception_rejects_its_group_and_no_other(
    name: str, executor: Callable[[Callable[[int], bool]], WorkflowExecutor]
) -> None:
    a = executor(lambda k: True)
    for row in rows():
        sent = {**row, "prompt_id": None} if row["sum"] == 3 else row
        a.submit(sent, grouped(from_the_docs()), is_eval=True)
    assert sorted(rewards_by_sum(a.wait(PROMPTS, timeout=60))) == [i for i in range(PROMPTS) if i != 3]
