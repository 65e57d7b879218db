"""OpenRLHF's own remote reward client, unmodified, pointed at the URL."""

from __future__ import annotations

import asyncio
import random
import urllib.request
from typing import Any, Callable, Dict, List, Tuple

import pytest
from openrlhf.datasets.prompts_dataset import preprocess_data
from openrlhf.utils import agent as client_code
from openrlhf.utils.agent import SingleTurnAgentExecutor

from peervote.openrlhf import label_of, reward_url
from server import Server

PROMPTS, K = 64, 8
MakeCohort = Callable[..., str]
Sent = Tuple[str, str, str]


def rollouts_of(agent: str) -> List[Sent]:
    """Query, prompt and label of each, as OpenRLHF makes them of a data set's row."""
    template = {"a": "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n", "b": "[INST] {} [/INST]"}[agent]
    end = {"a": "<|im_end|>", "b": "</s>"}[agent]
    sent: List[Sent] = []
    for i in range(PROMPTS):
        row = {"input": f"What is {i}+{i}? Put it in \\boxed{{}}.", "label": label_of(f"add-{i}", ground_truth=2 * i)}
        prompt, label = preprocess_data(row, input_template=template, label_key="label")
        for k in range(K):
            # Agent b is right 6 times of 8, agent a every other time.
            right = k < 6 if agent == "b" else k % 2 == 0
            sent.append((f"{prompt}It is \\boxed{{{2 * i + (0 if right else 1 + k)}}}.{end}", prompt, label))
    return sent


async def fetch_all(url: str, sent: List[Sent], chance: random.Random) -> List[Dict[str, Any]]:
    """All at once, each as its rollout ends: within two seconds, in any order."""
    executor = SingleTurnAgentExecutor(remote_rm_url=[url])

    async def one(each: Sent) -> Dict[str, Any]:
        await asyncio.sleep(2 * chance.random())
        query, prompt, label = each
        return (await executor._fetch_rewards_via_http([query], [prompt], [label]))[0]

    return await asyncio.gather(*(one(each) for each in sent))


def check(replies: List[Dict[str, Any]], expected: List[float]) -> None:
    rewards = [reply["rewards"] for reply in replies]
    assert rewards == [[reward] for reward in expected]
    for reply in replies:
        for column in (reply["rewards"], reply["scores"], *reply["extra_logs"].values()):
            assert [type(value) for value in column] == [float]
    assert len({tuple(reply["extra_logs"]) for reply in replies}) == 1
    # What OpenRLHF does with them, and crashes on where they are integers.
    torch = pytest.importorskip("torch")
    assert torch.isfinite(torch.tensor([reply["scores"] for reply in replies]).std())


def test_two_policies_get_all_their_rewards(server: Server, cohort: MakeCohort) -> None:
    name = cohort(k=K)
    urls = {agent: reward_url(server.url, name, agent, incarnation="i-1") for agent in "ab"}

    async def both() -> List[List[Dict[str, Any]]]:
        return await asyncio.gather(
            *(fetch_all(urls[agent], rollouts_of(agent), random.Random(agent)) for agent in "ab")
        )

    a, b = asyncio.run(both())
    check(a, [float(k % 2 == 0) for _ in range(PROMPTS) for k in range(K)])
    check(b, [float(k < 6) for _ in range(PROMPTS) for k in range(K)])


def test_a_timed_out_request_and_its_byte_identical_retry_are_one_vote(
    server: Server, cohort: MakeCohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client's 180 s are made 10 s; all of agent a's requests time out once before b comes."""
    name = cohort(k=K)
    make = client_code.aiohttp.ClientTimeout
    monkeypatch.setattr(client_code.aiohttp, "ClientTimeout", lambda total: make(total=total / 18))

    async def both() -> List[List[Dict[str, Any]]]:
        ahead = asyncio.create_task(fetch_all(reward_url(server.url, name, "a"), rollouts_of("a"), random.Random(0)))
        # Two seconds until the last rollout of a ends, ten until it times out, one until it comes again.
        await asyncio.sleep(14)
        monkeypatch.setattr(client_code.aiohttp, "ClientTimeout", make)
        behind = await fetch_all(reward_url(server.url, name, "b"), rollouts_of("b"), random.Random(1))
        return [await ahead, behind]

    before = rollouts_received(server, name)
    a, b = asyncio.run(both())
    check(a, [float(k % 2 == 0) for _ in range(PROMPTS) for k in range(K)])
    check(b, [float(k < 6) for _ in range(PROMPTS) for k in range(K)])
    # Every rollout of a was received more than once, and stored once.
    assert rollouts_received(server, name) - before >= 3 * PROMPTS * K
    for i in range(PROMPTS):
        rounds = server.get(f"/v1/cohorts/{name}/buckets/add-{i}")["rounds"]
        assert [[len(group["rollouts"]) for group in each["groups"]] for each in rounds] == [[K, K]]


def rollouts_received(server: Server, cohort: str) -> int:
    """Rollouts received for a cohort; a repeat counts again."""
    with urllib.request.urlopen(f"{server.url}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    counted = [line for line in lines if line.startswith("peervote_rollouts_received_total") and f'cohort="{cohort}"' in line]
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in counted))


def test_eval_is_graded_at_once(server: Server, cohort: MakeCohort) -> None:
    url = reward_url(server.url, cohort(k=K), "a")
    label = label_of("add-1", ground_truth=2, split="test")

    async def grade() -> List[Dict[str, Any]]:
        executor = SingleTurnAgentExecutor(remote_rm_url=url)
        return [
            (await executor._fetch_rewards_via_http([f"1+1? \\boxed{{{answer}}}"], ["1+1? "], [label]))[0]
            for answer in (2, 3)
        ]

    assert [reply["rewards"] for reply in asyncio.run(grade())] == [[1.0], [0.0]]
