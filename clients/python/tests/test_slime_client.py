"""slime's remote reward client as it behaves on the wire, at its own timers.

slime is no package that can be installed, so this sends what its `remote_rm` sends: one POST for each sample over one
pool of 64 connections, 120 s in all, the wait for a connection included, and ten tries with growing pauses between.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any, Callable, Dict, List

import aiohttp

from server import Server

PROMPTS, K = 64, 8
MakeCohort = Callable[..., str]


class SlimeClient:
    def __init__(self, url: str) -> None:
        self._url = url
        self.failed_tries = 0

    async def __aenter__(self) -> "SlimeClient":
        timeout = aiohttp.ClientTimeout(total=120)
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64), timeout=timeout)
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self._session.close()

    async def reward(self, payload: Dict[str, Any]) -> Any:
        for attempt in range(10):
            try:
                async with self._session.post(self._url, json=payload) as reply:
                    reply.raise_for_status()
                    return await reply.json()
            except Exception:
                self.failed_tries += 1
                if attempt == 9:
                    raise
            await asyncio.sleep(min(2.0**attempt, 30) + random.random())
        raise AssertionError

    async def reward_all(self, payloads: List[Dict[str, Any]]) -> List[Any]:
        return await asyncio.gather(*(self.reward(payload) for payload in payloads))


def payloads_of(agent: str) -> List[Dict[str, Any]]:
    """Agent b is right 6 times of 8, agent a every other time."""
    return [
        {
            "prompt": f"<|im_start|>user\n{i}+{i}?<|im_end|>\n<|im_start|>assistant\n",
            # No two completions of a language model are letter for letter the same.
            "response": f"Try {k}: it is \\boxed{{{2 * i + (0 if (k < 6 if agent == 'b' else k % 2 == 0) else k + 1)}}}.",
            "label": f'{{"pid": "add-{i}"}}',
        }
        for i in range(PROMPTS)
        for k in range(K)
    ]


def check(server: Server, cohort: str, a: List[Any], b: List[Any]) -> None:
    assert a == [float(k % 2 == 0) for _ in range(PROMPTS) for k in range(K)]
    assert b == [float(k < 6) for _ in range(PROMPTS) for k in range(K)]
    assert {type(reward) for reward in a + b} == {float}
    for i in range(PROMPTS):
        rounds = server.get(f"/v1/cohorts/{cohort}/buckets/add-{i}")["rounds"]
        assert [[len(group["rollouts"]) for group in each["groups"]] for each in rounds] == [[K, K]]


def test_eight_times_more_samples_than_connections_pass_at_real_timers(server: Server, cohort: MakeCohort) -> None:
    name = cohort(k=K)

    async def both() -> List[List[Any]]:
        async with SlimeClient(f"{server.url}/slime/{name}/a") as a, SlimeClient(f"{server.url}/slime/{name}/b") as b:
            pair = asyncio.gather(a.reward_all(payloads_of("a")), b.reward_all(payloads_of("b")))
            # One held pool for each side, without shedding, passes only by 120 s timeouts.
            return await asyncio.wait_for(pair, 60)

    check(server, name, *asyncio.run(both()))


def test_a_peer_that_is_late_costs_tries_and_no_votes(server: Server, cohort: MakeCohort) -> None:
    """Most rollouts of a are sent away several times before b comes."""
    name = cohort(k=K)

    async def both() -> List[List[Any]]:
        url = f"{server.url}/slime/{name}"
        async with SlimeClient(f"{url}/a") as a, SlimeClient(f"{url}/b") as b:
            ahead = asyncio.create_task(a.reward_all(payloads_of("a")))
            await asyncio.sleep(10)
            behind = await b.reward_all(payloads_of("b"))
            results = [await ahead, behind]
            assert a.failed_tries > 2 * PROMPTS * K
            return results

    check(server, name, *asyncio.run(both()))


def test_a_reward_may_be_an_object(server: Server, cohort: MakeCohort) -> None:
    async def ask() -> Any:
        async with SlimeClient(f"{server.url}/slime/{cohort()}/a?format=object") as client:
            label = {"split": "test", "answer": "4"}
            return await client.reward({"prompt": "2+2?", "response": "\\boxed{4}", "label": label})

    reply = asyncio.run(ask())
    assert reply["score"] == 1.0 and type(reply["score"]) is float and reply["status"] == "eval"
    assert {type(value) for value in reply["metrics"].values()} == {float}
