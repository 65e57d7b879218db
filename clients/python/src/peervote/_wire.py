"""The protocol without its input and output: what to send next, and what a reply means.

Both clients drive an :class:`Exchange`; everything that is decided is decided here.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from .errors import PeerVoteError, ServerUnreachableError, WaitTimeoutError, error_of
from .models import Group, GroupReward, Pending, Rewards, RolloutReward, Waiting

#: Seconds that one request waits: short enough for proxies on the way.
SLICE_S = 50.0
#: The first requests wait less, so that a log soon names the agent that is waited for, and the cause once the server knows it.
FIRST_SLICES_S = (10.0, 20.0, 10.0, 10.0, 10.0)
#: How much longer than its wait a request may take.
SPARE_S = 30.0
#: A submission is sent in parts of at most this size; the server takes 64 MiB.
MAX_PART_BYTES = 24 * 1024 * 1024
MAX_BACKOFF_S = 30.0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: Optional[bytes]
    #: Seconds until the reply must have begun.
    timeout_s: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    retry_after: Optional[str] = None


@dataclass(frozen=True)
class Limits:
    """``timeout_s``: for a decision, ``None`` waits as long as the server does. ``unreachable_s``: without any answer.
    ``address``: of the server, for messages."""

    timeout_s: Optional[float] = None
    unreachable_s: Optional[float] = 1800.0
    slice_s: float = SLICE_S
    address: str = "its address"


def agent_path(cohort: str, agent: str) -> str:
    return f"/v1/cohorts/{quote(cohort, safe='')}/agents/{quote(agent, safe='')}"


def encode(body: Mapping[str, Any]) -> bytes:
    """JSON without NaN, which the server could not read; raises ValueError that names the field."""
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except ValueError as error:
        raise ValueError("NaN and infinities are no JSON: send None for a number that is not there.") from error


def split_groups(groups: Sequence[Mapping[str, Any]]) -> List[List[Mapping[str, Any]]]:
    """Parts of a submission that are not too long for one request. Any part of a group may come alone."""
    parts: List[List[Mapping[str, Any]]] = [[]]
    size = 0
    for group in groups:
        length = len(json.dumps(group))
        if parts[-1] and size + length > MAX_PART_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size += length
    return parts


def submission_body(
    groups: Sequence[Mapping[str, Any]],
    *,
    submission_id: str,
    step: Optional[int],
    split: str,
    incarnation: Optional[str],
) -> bytes:
    body: Dict[str, Any] = {"submission_id": submission_id, "split": split, "groups": groups}
    if step is not None:
        body["step"] = step
    if incarnation is not None:
        body["incarnation"] = incarnation
    return encode(body)


class Backoff:
    """Seconds to wait before the next try: doubled each time, half of them by chance, so that ranks do not come at once."""

    def __init__(self, jitter: Callable[[], float] = random.random) -> None:
        self._jitter = jitter
        self._tries = 0

    def reset(self) -> None:
        self._tries = 0

    def next(self, retry_after: Optional[str] = None) -> float:
        ceiling = min(MAX_BACKOFF_S, 0.5 * 2.0**self._tries)
        self._tries = min(self._tries + 1, 10)
        seconds = ceiling * (0.5 + 0.5 * self._jitter())
        try:
            return max(seconds, float(retry_after or 0))
        except ValueError:
            return seconds


class _Repeated:
    """What is tried again after a pause, as long as the server is not silent for too long."""

    def __init__(self, limits: Limits, clock: Callable[[], float], jitter: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._backoff = Backoff(jitter)
        self._silent_since: Optional[float] = None
        self._failing_since: Optional[float] = None
        self._started = clock()
        self._sleep: Optional[float] = None
        #: What was wrong with the last try, in words for the log.
        self.problem: Optional[str] = None

    def failed(self, cause: Exception) -> None:
        """No reply came: the connection broke, or nobody listens."""
        self._silent_since = _check_silence(self._silent_since, self._clock(), self._limits, cause)
        self._note(str(cause) or type(cause).__name__)
        self._sleep = self._backoff.next()

    @property
    def waited_s(self) -> float:
        return self._clock() - self._started

    @property
    def failing_s(self) -> float:
        """For how long no try has succeeded."""
        return 0.0 if self._failing_since is None else self._clock() - self._failing_since

    def _note(self, problem: Optional[str]) -> None:
        self.problem = problem
        if problem is None:
            self._failing_since = None
        elif self._failing_since is None:
            self._failing_since = self._clock()

    def _pause(self) -> Optional[Sleep]:
        """The pause that is due before the next try."""
        seconds, self._sleep = self._sleep, None
        return None if seconds is None else Sleep(seconds)


class Call(_Repeated):
    """One request that is repeated until it succeeds or can never do so."""

    def __init__(self, request: Request, limits: Limits, clock: Callable[[], float], jitter: Callable[[], float]) -> None:
        super().__init__(limits, clock, jitter)
        self._request = request
        self.reply: Optional[Reply] = None

    def next(self) -> Union[Request, Sleep, None]:
        """What to do; ``None`` once :attr:`reply` is there."""
        if self.reply is not None:
            return None
        limit = self._limits.timeout_s
        if limit is not None and self.waited_s >= limit:
            raise WaitTimeoutError(
                f"No success after {self.waited_s:.0f} s: {self.problem}.", code="wait_timeout", retryable=True
            )
        return self._pause() or self._request

    def received(self, reply: Reply) -> None:
        self._silent_since = None
        if 200 <= reply.status < 300:
            self.reply = reply
            return
        error = _error(reply)
        if not error.retryable:
            raise error
        self._note(f"it answers {reply.status}: {error}")
        self._sleep = self._backoff.next(reply.retry_after)


class Exchange(_Repeated):
    """One submission, from its rollouts to their rewards, across lost connections and restarts of the server."""

    def __init__(
        self,
        agent_url: str,
        submission_id: str,
        body: bytes,
        limits: Limits,
        clock: Callable[[], float],
        jitter: Callable[[], float],
    ) -> None:
        super().__init__(limits, clock, jitter)
        self._agent_url = agent_url
        self._body = body
        self._asked = False
        self._replies = 0
        #: Whether the server said that it has the rollouts. A restart may make it forget.
        self.recorded = False
        self.waits = True
        self.submission_id = submission_id
        self.pending = Pending(submission_id)
        self.rewards: Optional[Rewards] = None

    def next(self) -> Union[Request, Sleep, None]:
        """What to do; ``None`` once :attr:`rewards` are there, or once recorded if it was told not to wait."""
        if self.rewards is not None or (self.recorded and not self.waits):
            return None
        if self._asked:
            # Before that the rollouts would stay unsent.
            self._check_timeout()
        return self._pause() or self._ask()

    def _ask(self) -> Request:
        wait = self._slice()
        self._asked = True
        if self.recorded:
            path = f"{self._agent_url}/submissions/{quote(self.submission_id, safe='')}?wait={wait:g}"
            return Request("GET", path, None, wait + SPARE_S)
        return Request("POST", f"{self._agent_url}/rollouts?wait={wait:g}", self._body, wait + SPARE_S)

    def received(self, reply: Reply) -> None:
        self._silent_since = None
        if reply.status == 200:
            self._succeeded()
            self.rewards = parse_rewards(_json(reply))
            return
        if reply.status == 202:
            self._succeeded()
            self._replies += 1
            self.pending = parse_pending(_json(reply))
            if reply.retry_after is not None:
                self._sleep = self._backoff.next(reply.retry_after)
            return
        error = _error(reply)
        if error.code == "unknown_submission" and self.recorded:
            # The server lost it; the whole submission goes again.
            self.recorded = False
            self._sleep = self._backoff.next()
            return
        if not error.retryable:
            raise error
        self._note(f"it answers {reply.status}: {error}")
        self._sleep = self._backoff.next(reply.retry_after)

    def _succeeded(self) -> None:
        self._backoff.reset()
        self._note(None)
        self.recorded = True

    def _slice(self) -> float:
        if not self.waits:
            return 0.0
        wait = self._limits.slice_s
        if self._replies < len(FIRST_SLICES_S):
            wait = min(wait, FIRST_SLICES_S[self._replies])
        if self._limits.timeout_s is None:
            return wait
        return max(0.0, min(wait, self._limits.timeout_s - self.waited_s))

    def _check_timeout(self) -> None:
        limit = self._limits.timeout_s
        if limit is None or self.waited_s < limit:
            return
        raise WaitTimeoutError(
            f"No rewards after {self.waited_s:.0f} s; waiting for {self.pending}.", code="wait_timeout", retryable=True
        )


def _check_silence(since: Optional[float], now: float, limits: Limits, cause: Exception) -> float:
    started = now if since is None else since
    if limits.unreachable_s is not None and now - started >= limits.unreachable_s:
        raise ServerUnreachableError(
            f"The server at {limits.address} did not answer for {now - started:.0f} s: {cause}",
            code="unreachable",
            retryable=True,
        ) from cause
    return started


def parse_rewards(body: Mapping[str, Any]) -> Rewards:
    return Rewards(
        submission_id=str(body["submission_id"]),
        groups=tuple(_parse_group(group) for group in body["groups"]),
        metrics=dict(body["metrics"]),
        notices=_parse_notices(body),
    )


def _parse_group(group: Mapping[str, Any]) -> GroupReward:
    rollouts = tuple(
        RolloutReward(
            id=each["id"],
            reward=each["reward"],
            answer=each["answer"],
            late=each["late"],
            reason=each.get("reason"),
        )
        for each in group["rollouts"]
    )
    return GroupReward(
        prompt_id=group["prompt_id"],
        round=group["round"],
        status=group["status"],
        label=group["label"],
        label_share=group["label_share"],
        teachers=tuple(group["teachers"]),
        reward_source=group["reward_source"],
        staleness=group["staleness"],
        reason=group["reason"],
        rewards=tuple(group["rewards"]),
        rollouts=rollouts,
        reward_weight=group.get("reward_weight", 1.0),
        advantage_offset=group.get("advantage_offset", 0.0),
    )


def parse_pending(body: Mapping[str, Any]) -> Pending:
    waiting = tuple(
        Waiting(each["agent"], each["prompt_id"], each["round"], each["have"], each["need"])
        for each in body["waiting_for"]
    )
    return Pending(body["submission_id"], waiting, body["waiting_for_total"], _parse_notices(body))


def _parse_notices(body: Mapping[str, Any]) -> Tuple[str, ...]:
    """The sentences of a reply; one without says none."""
    return tuple(str(notice) for notice in body.get("notices") or ())


def _json(reply: Reply) -> Mapping[str, Any]:
    try:
        body = json.loads(reply.body)
    except ValueError:
        body = None
    if isinstance(body, dict) and "submission_id" in body:
        return body
    text = reply.body[:200].decode("utf-8", "replace")
    raise PeerVoteError(
        f"What answers is not PeerVote (status {reply.status}): {text}", code="not_peervote", retryable=False, status=reply.status
    )


def _error(reply: Reply) -> PeerVoteError:
    text = reply.body.decode("utf-8", "replace")
    try:
        problem = json.loads(text)
    except ValueError:
        problem = {}
    return error_of(reply.status, problem if isinstance(problem, dict) else {}, text)


def groups_to_wire(groups: Sequence[Group]) -> List[Mapping[str, Any]]:
    return [group.to_wire() for group in groups]
