"""Both clients against the real server."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, List

import pytest

from peervote import (
    AccessError,
    AsyncPeerVote,
    Group,
    InvalidRequestError,
    NotFoundError,
    PeerVote,
    Rollout,
    ServerUnreachableError,
    WaitTimeoutError,
)
from server import Server, free_port

MakeCohort = Callable[..., str]


def group(prompt_id: str, *answers: str) -> Group:
    return Group(prompt_id, [Rollout(f"It is \\boxed{{{answer}}}.", index=i) for i, answer in enumerate(answers)])


def test_rewards_come_when_the_peer_is_there_and_are_floats(server: Server, cohort: MakeCohort) -> None:
    name = cohort()
    with PeerVote(server.url, name, "a") as a, PeerVote(server.url, name, "b") as b, ThreadPoolExecutor() as pool:
        mine = pool.submit(a.rewards, [group("p", "4", "5"), group("q", "1", "1")], step=1)
        theirs = b.rewards([group("q", "1", "2"), group("p", "4", "4")], step=1)
        rewards = mine.result(30)
    assert rewards.flat() == [1.0, 0.0, 1.0, 1.0]
    assert [type(reward) for reward in rewards.flat() + theirs.flat()] == [float] * 8
    assert rewards.groups[0].status == "scored" and rewards.groups[0].teachers == ("b",)
    assert rewards.metrics["reward_mean"] == 0.75


def test_a_thousand_waiters_are_not_capped(server: Server, cohort: MakeCohort) -> None:
    """One call for each rollout, as verl makes them: all must be in flight before the first is answered."""
    name = cohort(k=8)

    async def run() -> List[float]:
        async with AsyncPeerVote(server.url, name, "a") as a, AsyncPeerVote(server.url, name, "b") as b:
            calls = [
                client.rewards([Group(f"p{i // 8}", [Rollout(answer=answer)])])
                for client, answer in ((a, "4"), (b, "4"))
                for i in range(512)
            ]
            return [(await call).groups[0].rewards[0] or 0.0 for call in asyncio.as_completed(calls, timeout=60)]

    assert asyncio.run(run()) == [1.0] * 1024


def test_a_restart_of_the_server_costs_nothing_but_time(cohort: MakeCohort) -> None:
    """The embedded store forgets; both clients post again what they wait for."""
    first = Server("--agents", "a,b", "--k", "2").start()
    second = Server("--agents", "a,b", "--k", "2", port=first.port)
    try:
        with PeerVote(first.url, agent="a", slice_s=2) as a, PeerVote(first.url, agent="b", slice_s=2) as b:
            with ThreadPoolExecutor() as pool:
                mine = pool.submit(a.rewards, [group("p", "4", "5")])
                until(lambda: first.held("default") == 1)
                first.stop()
                second.start()
                until(lambda: second.held("default") == 1)
                theirs = b.rewards([group("p", "4", "4")])
                assert mine.result(30).flat() == [1.0, 0.0]
                assert theirs.flat() == [1.0, 1.0]
    finally:
        first.stop()
        second.stop()


def test_the_log_names_the_agent_that_is_waited_for(
    server: Server, cohort: MakeCohort, caplog: pytest.LogCaptureFixture
) -> None:
    name = cohort()
    with PeerVote(server.url, name, "a", timeout_s=1.5, slice_s=0.5, log_every_s=0.2) as a:
        with caplog.at_level(logging.WARNING, "peervote"), pytest.raises(WaitTimeoutError, match="b \\(0 of 2"):
            a.rewards([group("p", "4", "5")])
    assert any('for b (0 of 2 rollouts of prompt "p")' in record.getMessage() for record in caplog.records)


def test_a_port_where_nobody_listens_is_named_in_the_log_and_then_in_the_error(caplog: pytest.LogCaptureFixture) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with PeerVote(url, agent="a", unreachable_s=1.0, log_every_s=0.2) as a, caplog.at_level(logging.WARNING, "peervote"):
        with pytest.raises(ServerUnreachableError, match=url):
            a.rewards([group("p", "4", "5")])
    told = [record.getMessage() for record in caplog.records if url in record.getMessage()]
    assert told and "refused" in told[0] and "is the server started" in told[0]


def test_a_proxy_of_the_environment_is_passed_by_unless_it_is_wanted(
    server: Server, cohort: MakeCohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = f"http://127.0.0.1:{free_port()}"
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    where = (server.url, cohort(), "a")
    groups = [Group("e", [Rollout("\\boxed{4}")], ground_truth=4)]

    async def ask(**options: Any) -> "list[Any]":
        async with AsyncPeerVote(*where, **options) as a:
            return (await a.rewards(groups, split="eval")).flat()

    with PeerVote(*where) as a:
        assert a.rewards(groups, split="eval").flat() == asyncio.run(ask()) == [1.0]
    with PeerVote(*where, trust_env=True, unreachable_s=0.5) as a:
        with pytest.raises(ServerUnreachableError, match=f"through the proxy {proxy}"):
            a.rewards(groups, split="eval")
    with pytest.raises(ServerUnreachableError, match=f"through the proxy {proxy}"):
        asyncio.run(ask(trust_env=True, unreachable_s=0.5))
    monkeypatch.setenv("NO_PROXY", "10.0.0.0/8,127.0.0.0/8")
    assert asyncio.run(ask(trust_env=True)) == [1.0]


def test_groups_that_were_not_paid_are_in_the_log(
    server: Server, cohort: MakeCohort, caplog: pytest.LogCaptureFixture
) -> None:
    with PeerVote(server.url, cohort(deadline_ms=1000), "a") as a, caplog.at_level(logging.WARNING, "peervote"):
        a.rewards([group("p", "4", "5"), group("q", "4", "5")], step=3)
    [line] = [record.getMessage() for record in caplog.records if "groups" in record.getMessage()]
    assert line.startswith("peervote: a, step 3: 2 of 2 groups expired (b sent no rollouts for this prompt")


def test_a_submission_comes_back_by_its_id(server: Server, cohort: MakeCohort) -> None:
    name = cohort()
    with PeerVote(server.url, name, "a", timeout_s=0.1) as a:
        with pytest.raises(WaitTimeoutError):
            a.rewards([group("p", "4", "5")], submission_id="s-1")
    with PeerVote(server.url, name, "b", timeout_s=0.1) as b:
        assert b.rewards([group("p", "4", "4")]).flat() == [1.0, 1.0]
    with PeerVote(server.url, name, "a") as a:
        assert a.rewards([group("p", "4", "5")], submission_id="s-1").flat() == [1.0, 0.0]


def test_what_is_too_long_goes_in_parts(
    server: Server, cohort: MakeCohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("peervote._wire.MAX_PART_BYTES", 300)
    name = cohort()
    prompts = [f"p{i}" for i in range(6)]
    with PeerVote(server.url, name, "a") as a, PeerVote(server.url, name, "b") as b, ThreadPoolExecutor() as pool:
        mine = pool.submit(a.rewards, [group(prompt, "4", "5") for prompt in prompts])
        b.rewards([group(prompt, "4", "4") for prompt in reversed(prompts)])
        rewards = mine.result(30)
    assert [each.prompt_id for each in rewards.groups] == prompts
    assert rewards.flat() == [1.0, 0.0] * 6


def test_skip_and_finish_free_the_peer(server: Server, cohort: MakeCohort) -> None:
    name = cohort()
    with PeerVote(server.url, name, "a") as a, PeerVote(server.url, name, "b") as b:
        b.skip(["p"])
        assert a.rewards([group("p", "4", "5")]).groups[0].status == "skipped"
        b.finish()
        assert a.rewards([group("q", "4", "5")]).groups[0].status == "skipped"


def test_eval_waits_for_nobody(server: Server, cohort: MakeCohort) -> None:
    with PeerVote(server.url, cohort(), "a") as a:
        groups = [Group("e", [Rollout("\\boxed{4}")] * 5, ground_truth=4)]
        assert a.rewards(groups, split="eval").flat() == [1.0] * 5


def test_a_manifest_can_be_put(server: Server, cohort: MakeCohort) -> None:
    name = cohort()
    with PeerVote(server.url, name, "a") as a:
        a.put_prompts([{"prompt_id": "p", "text": "2+2?"}, {"prompt_id": "q", "text": "3+3?", "ground_truth": 6}])
        with pytest.raises(InvalidRequestError, match="line 1"):
            a.put_prompts([{"prompt_id": "p"}])
    assert server.get(f"/v1/cohorts/{name}/prompts")["prompts"] == 2


def test_errors_tell_their_family_and_code(server: Server, cohort: MakeCohort) -> None:
    with PeerVote(server.url, cohort(), "z") as z:
        with pytest.raises(NotFoundError) as missing:
            z.rewards([group("p", "4")])
    assert (missing.value.code, missing.value.details["agents"]) == ("unknown_agent", ["a", "b"])
    with PeerVote(server.url, cohort(), "a") as a:
        with pytest.raises(InvalidRequestError) as wrong:
            a.rewards([group("p", "1", "2", "3")])
    assert wrong.value.code == "too_many_rollouts" and wrong.value.details["k"] == 2


def test_a_token_is_sent_by_both_clients_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    token = "token-of-agent-a-01"
    monkeypatch.setenv("PEERVOTE_SERVER_TOKENS", f"agents: {{default/a: {token}}}")
    with Server("--agents", "a,b", "--k", "2") as guarded:
        monkeypatch.delenv("PEERVOTE_SERVER_TOKENS")
        groups = [Group("e", [Rollout("\\boxed{4}")], ground_truth=4)]
        for wrong in (None, "token-of-somebody-else"):
            with PeerVote(guarded.url, "default", "a", token=wrong) as a, pytest.raises(AccessError) as refused:
                a.rewards(groups, split="eval")
            assert refused.value.code == "unauthorized"
        with PeerVote(guarded.url, "default", "b", token=token) as b, pytest.raises(AccessError) as another:
            b.rewards(groups, split="eval")
        assert another.value.code == "forbidden"
        monkeypatch.setenv("PEERVOTE_TOKEN", token)
        with PeerVote(guarded.url, "default", "a") as a:
            assert a.rewards(groups, split="eval").flat() == [1.0]
            assert token not in repr(a.settings)

        async def ask() -> "list[Any]":
            async with AsyncPeerVote(guarded.url, "default", "a") as a:
                return (await a.rewards(groups, split="eval")).flat()

        assert asyncio.run(ask()) == [1.0]


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from peervote.settings import find_settings

    for name in ("PEERVOTE_URL", "PEERVOTE_AGENT", "PEERVOTE_COHORT", "SLURM_JOB_ID"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="PEERVOTE_URL"):
        find_settings()
    with pytest.raises(ValueError, match="PEERVOTE_AGENT"):
        find_settings("http://x/")
    monkeypatch.setenv("PEERVOTE_AGENT", "qwen")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    found = find_settings("http://x/")
    assert (found.url, found.cohort, found.agent, found.incarnation) == ("http://x", "default", "qwen", "slurm-7-0")


def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not _holds(condition):
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)


def _holds(condition: Callable[[], bool]) -> bool:
    try:
        return condition()
    except OSError:
        return False
