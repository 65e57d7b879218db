"""slime's own reward client, unmodified and at its own pauses, pointed at the URL; and its dispatch to our adapter."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace
from typing import Any, Callable, List, Sequence, Tuple

import pytest
from slime.rollout import rm_hub
from slime.utils.types import Sample

from peervote import Group, PeerVote, Rollout
from server import Server

PROMPTS, K = 64, 8
MakeCohort = Callable[..., str]


def sample_of(prompt: int, text: str) -> Sample:
    return Sample(prompt=f"{prompt}+{prompt}?", response=text, label=f'{{"pid": "add-{prompt}"}}')


def samples_of(agent: str) -> List[Sample]:
    """Agent b is right 6 times of 8, agent a every other time. No two texts are the same."""
    return [
        sample_of(i, f"Try {k}: \\boxed{{{2 * i + (0 if (k < 6 if agent == 'b' else k % 2 == 0) else k + 1)}}}")
        for i in range(PROMPTS)
        for k in range(K)
    ]


def score(url: str, agent: str) -> Tuple[List[Any], float]:
    """Rewards of a batch as slime asks for them, and the seconds that took. In a process of its own: its pool is one for all."""
    started = time.monotonic()
    args = SimpleNamespace(rm_url=f"{url}/{agent}", rm_type="remote_rm", custom_rm_path=None)

    async def run() -> List[Any]:
        return await rm_hub.batched_async_rm(args, samples_of(agent))

    return asyncio.run(run()), time.monotonic() - started


def test_its_client_gets_all_rewards_of_two_policies(server: Server, cohort: MakeCohort) -> None:
    name = cohort(k=K)
    with ProcessPoolExecutor(2) as pool:
        url = f"{server.url}/slime/{name}"
        (a, spent), (b, _) = (job.result() for job in [pool.submit(score, url, agent) for agent in "ab"])
    assert a == [float(k % 2 == 0) for _ in range(PROMPTS) for k in range(K)]
    assert b == [float(k < 6) for _ in range(PROMPTS) for k in range(K)]
    assert {type(reward) for reward in a + b} == {float}
    # One held pool for each side, without shedding, passes only by its 120 s timeouts.
    assert spent < 60


def test_equal_texts_that_are_sent_away_are_as_many_votes_as_samples(cohort: MakeCohort) -> None:
    """A server that holds nobody, so that every try of every sample is refused until the peer is there."""
    with Server("--agents", "a,b", "--k", str(K), "--slime-held-per-agent", "1") as server:
        args = SimpleNamespace(rm_url=f"{server.url}/slime/default/a", rm_type="remote_rm", custom_rm_path=None)

        async def ask(delay: float, sample: Sample) -> Any:
            await asyncio.sleep(delay)
            return await rm_hub.async_rm(args, sample)

        async def run() -> List[Any]:
            # One that holds the only place, then eight equal ones over three seconds.
            asked = [asyncio.create_task(ask(0, sample_of(1, "\\boxed{2}")))]
            await asyncio.sleep(0.5)
            asked += [asyncio.create_task(ask(k * 3 / K, sample_of(2, "\\boxed{4}"))) for k in range(K)]
            await asyncio.sleep(12)
            [bucket] = server.get("/v1/cohorts/default/buckets/add-2")["rounds"]
            counted.extend(len(group["rollouts"]) for group in bucket["groups"] if group["agent"] == "a")
            await asyncio.to_thread(teach, server)
            return await asyncio.gather(*asked)

        counted: List[int] = []
        rewards = asyncio.run(run())
        assert counted == [K] and rewards == [0.0] + [1.0] * K


def teach(server: Server) -> None:
    with PeerVote(server.url, "default", "b") as b:
        b.skip(["add-1"])
        b.rewards([Group("add-2", [Rollout(answer="4")] * K)])
