"""The protocol's decisions, without a server, a clock or chance."""

from __future__ import annotations

import json
from typing import Any, Callable, Optional

import pytest

from peervote import ConflictError, Group, InvalidRequestError, NotFoundError, Rollout
from peervote import PeerVoteError, ServerUnreachableError, UnavailableError, WaitTimeoutError, _wire
from peervote._base import join_rewards

DECIDED = {"submission_id": "s", "status": "decided", "groups": [], "metrics": {"reward_mean": 1.0}}
PENDING = {
    "submission_id": "s",
    "status": "pending",
    "waiting_for": [{"agent": "llama", "prompt_id": "p", "round": 0, "have": 3, "need": 8}],
    "waiting_for_total": 4,
    "notices": ["llama is silent."],
}


def exchange(limits: _wire.Limits = _wire.Limits(), clock: Callable[[], float] = lambda: 0.0) -> _wire.Exchange:
    return _wire.Exchange("/v1/cohorts/c/agents/a", "s 1", b"{}", limits, clock, lambda: 1.0)


def reply(status: int, body: Any = None, retry_after: Optional[str] = None) -> _wire.Reply:
    return _wire.Reply(status, json.dumps(body).encode(), retry_after)


def problem(status: int, code: str, retryable: bool, **more: Any) -> _wire.Reply:
    return reply(status, {"code": code, "detail": f"about {code}", "retryable": retryable, **more}, "1")


def request(one: _wire.Exchange) -> _wire.Request:
    action = one.next()
    assert isinstance(action, _wire.Request)
    return action


def test_posts_once_and_then_polls_in_slices() -> None:
    one = exchange()
    assert request(one) == _wire.Request("POST", "/v1/cohorts/c/agents/a/rollouts?wait=10", b"{}", 40.0)
    one.received(reply(202, PENDING))
    # Short ones first: after 30 s a log says who is waited for, and within 60 why, which the server knows by then.
    for wait in (20, 10, 10, 10, 50, 50):
        path = f"/v1/cohorts/c/agents/a/submissions/s%201?wait={wait}"
        assert request(one) == _wire.Request("GET", path, None, wait + 30.0)
        one.received(reply(202, PENDING))
    one.received(reply(200, DECIDED))
    assert one.next() is None
    assert one.rewards is not None and one.rewards.metrics == {"reward_mean": 1.0}


def test_says_whom_it_waits_for() -> None:
    one = exchange()
    one.received(reply(202, PENDING))
    assert str(one.pending) == 'llama (3 of 8 rollouts of prompt "p", and 3 more groups); the server says: llama is silent.'


def test_reads_the_notices_of_any_reply_and_none_where_there_are_none() -> None:
    one = exchange()
    one.received(reply(202, {key: value for key, value in PENDING.items() if key != "notices"}))
    assert one.pending.notices == () and str(one.pending).endswith("3 more groups)")
    one.received(reply(200, {**DECIDED, "notices": ["a and b are clones."]}))
    assert one.rewards is not None and one.rewards.notices == ("a and b are clones.",)
    assert _wire.parse_rewards(DECIDED).notices == ()


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"[]", b'{"status":"ok"}'])
def test_says_that_another_service_answers(body: bytes) -> None:
    with pytest.raises(PeerVoteError, match="not PeerVote") as raised:
        exchange().received(_wire.Reply(200, body))
    assert raised.value.code == "not_peervote"


def test_knows_since_when_no_try_succeeds_and_why() -> None:
    now = [0.0]
    one = exchange(clock=lambda: now[0])
    assert (one.failing_s, one.problem) == (0.0, None)
    one.failed(OSError("refused"))
    now[0] = 7.0
    one.received(problem(503, "draining", True))
    assert (one.failing_s, one.problem) == (7.0, "it answers 503: about draining [draining]")
    one.received(reply(202, PENDING))
    assert (one.failing_s, one.problem) == (0.0, None)


def test_a_call_at_the_end_of_a_job_has_an_end_itself() -> None:
    now = [0.0]
    call = _wire.Call(_wire.Request("POST", "/x", b"{}", 30.0), _wire.Limits(timeout_s=30.0), lambda: now[0], lambda: 1.0)
    call.received(problem(503, "draining", True))
    assert isinstance(call.next(), _wire.Sleep)
    now[0] = 31.0
    with pytest.raises(WaitTimeoutError, match="about draining"):
        call.next()


def test_posts_again_when_the_server_forgot_the_submission() -> None:
    one = exchange()
    one.received(reply(202, PENDING))
    one.received(problem(404, "unknown_submission", False))
    assert one.next() == _wire.Sleep(0.5)
    assert request(one).method == "POST"


def test_waits_longer_after_each_failure_and_at_least_as_told() -> None:
    one = exchange()
    seconds = []
    for _ in range(8):
        one.failed(OSError("refused"))
        action = one.next()
        assert isinstance(action, _wire.Sleep)
        seconds.append(action.seconds)
    assert seconds == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    one.received(reply(503, None, "45"))
    assert one.next() == _wire.Sleep(45.0)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_tries_again_what_a_proxy_says_in_words_of_its_own(status: int) -> None:
    one = exchange()
    one.received(_wire.Reply(status, b"<html>Bad Gateway</html>"))
    assert isinstance(one.next(), _wire.Sleep)
    assert isinstance(one.next(), _wire.Request)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (422, "too_many_rollouts", InvalidRequestError),
        (413, "body_too_large", InvalidRequestError),
        (404, "unknown_cohort", NotFoundError),
        (409, "stale_incarnation", ConflictError),
    ],
)
def test_raises_what_can_never_succeed(status: int, code: str, kind: Any) -> None:
    with pytest.raises(kind) as raised:
        exchange().received(problem(status, code, False, k=8))
    assert (raised.value.code, raised.value.retryable, raised.value.status) == (code, False, status)
    assert raised.value.details == {"k": 8}
    assert str(raised.value) == f"about {code} [{code}]"


def test_gives_up_on_a_server_that_never_answers() -> None:
    now = [0.0]
    one = exchange(_wire.Limits(unreachable_s=100.0, address="http://h:1"), lambda: now[0])
    one.failed(OSError("refused"))
    now[0] = 99.0
    one.failed(OSError("refused"))
    one.received(reply(503, None))
    now[0] = 198.0
    one.failed(OSError("refused"))
    now[0] = 298.0
    with pytest.raises(ServerUnreachableError, match="http://h:1 did not answer for 100 s: refused") as raised:
        one.failed(OSError("refused"))
    assert isinstance(raised.value, UnavailableError) and raised.value.retryable


def test_ends_the_wait_when_the_callers_time_is_over() -> None:
    now = [0.0]
    one = exchange(_wire.Limits(timeout_s=60.0), lambda: now[0])
    one.received(reply(202, PENDING))
    now[0] = 40.0
    assert request(one).path.endswith("?wait=20")
    now[0] = 60.0
    with pytest.raises(WaitTimeoutError, match="llama"):
        one.next()


def test_sends_the_rollouts_once_however_short_the_callers_time_is() -> None:
    now = [0.0]
    one = exchange(_wire.Limits(timeout_s=0.01), lambda: now[0])
    now[0] = 5.0
    assert request(one).path.endswith("/rollouts?wait=0")
    with pytest.raises(WaitTimeoutError):
        one.next()


def test_a_part_that_is_only_recorded_asks_for_no_wait() -> None:
    one = exchange()
    one.waits = False
    assert request(one).path.endswith("?wait=0")
    one.received(reply(202, PENDING))
    assert one.next() is None
    one.waits = True
    assert request(one).method == "GET"


def test_splits_what_is_too_long_for_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wire, "MAX_PART_BYTES", 300)
    groups = _wire.groups_to_wire([Group(f"p{i}", [Rollout("x" * 80)]) for i in range(5)])
    parts = _wire.split_groups(groups)
    assert [len(part) for part in parts] == [2, 2, 1]
    assert [group for part in parts for group in part] == groups


def test_joins_the_rewards_of_parts() -> None:
    parts = [exchange(), exchange()]
    parts[0].submission_id = "s/0"
    group = {
        "prompt_id": "p", "round": 0, "status": "scored", "label": "4", "label_share": 1.0, "teachers": ["b"],
        "reward_source": "peer-vote", "staleness": 0, "reason": None, "rewards": [1.0], "rollouts": [],
    }  # fmt: skip
    first = {**DECIDED, "groups": [group] * 3, "metrics": {"m": 1.0, "n": None}, "notices": ["x", "y"]}
    parts[0].received(reply(200, first))
    parts[1].received(reply(200, {**DECIDED, "groups": [group], "metrics": {"m": 0.0, "n": None}, "notices": ["y"]}))
    joined = join_rewards(parts)
    assert joined.submission_id == "s" and joined.flat() == [1.0] * 4
    assert {(one.reward_weight, one.advantage_offset) for one in joined.groups} == {(1.0, 0.0)}
    assert joined.metrics == {"m": 0.75, "n": None} and joined.notices == ("x", "y")


def test_reads_what_rules_put_on_a_group() -> None:
    group = {
        "prompt_id": "p", "round": 0, "status": "scored", "label": "4", "label_share": 1.0, "teachers": ["b"],
        "reward_source": "peer-vote", "staleness": 0, "reason": None, "reward_weight": 0.5, "advantage_offset": -0.25,
        "rewards": [0.5], "rollouts": [],
    }  # fmt: skip
    [read] = _wire.parse_rewards({**DECIDED, "groups": [group]}).groups
    assert (read.reward_weight, read.advantage_offset) == (0.5, -0.25)


def test_refuses_numbers_that_are_no_json() -> None:
    with pytest.raises(ValueError, match="None"):
        _wire.encode({"ground_truth": float("nan")})


def test_an_answer_may_be_given_also_as_none() -> None:
    assert Rollout(answer=None, index=1).to_wire() == {"answer": None, "index": 1}
    assert Rollout("x", tokens=3, truncated=True).to_wire() == {"completion": "x", "tokens": 3, "truncated": True}
    with pytest.raises(ValueError):
        Rollout().to_wire()


def test_signals_go_beside_the_answer_and_never_in_its_place() -> None:
    rollout = Rollout("x", signals={"mean_entropy": None, "turn": 2, "completion": "y"})
    assert rollout.to_wire() == {"completion": "x", "mean_entropy": None, "turn": 2}
    with pytest.raises(ValueError):
        Rollout(signals={"completion": "y"}).to_wire()
