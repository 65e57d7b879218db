"""What the two clients share: everything but input and output, which they do one step after the other."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import replace
from typing import Any, Callable, Dict, Generator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

import httpx

from . import _wire
from ._reporter import Reporter, reporter_of
from .models import Group, Rewards
from .settings import Settings, find_settings

#: Connections are not counted: a cap would queue the very rollouts that a peer waits for behind those that wait.
POOL = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=60.0)
HEADERS = {"content-type": "application/json", "user-agent": "peervote-python/0.1.0"}

T = TypeVar("T")
#: What became of a step: a reply, the error of a request that got none, or nothing after a pause.
Outcome = Union[_wire.Reply, httpx.TransportError, None]
#: A call as the steps that it takes. Its driver does each and sends back the outcome; the value at the end is the result.
Steps = Generator[Union[_wire.Request, _wire.Sleep], Outcome, T]


class ClientBase:
    def __init__(
        self,
        url: Optional[str] = None,
        cohort: Optional[str] = None,
        agent: Optional[str] = None,
        *,
        incarnation: Optional[str] = None,
        token: Optional[str] = None,
        timeout_s: Optional[float] = None,
        unreachable_s: Optional[float] = 1800.0,
        slice_s: float = _wire.SLICE_S,
        log_every_s: float = 60.0,
        trust_env: Optional[bool] = None,
        reporter: Optional[Reporter] = None,
    ) -> None:
        """
        ``timeout_s`` bounds the wait for a decision; by default only the cohort's deadline does. ``unreachable_s``: how
        long a server that does not answer at all is tried. ``slice_s``: how long one request waits. ``log_every_s``: how
        often a warning is repeated while something is wrong. ``trust_env``: go through the proxy that the environment
        names, which nothing else does. What is not given comes from the environment: see
        :func:`peervote.settings.find_settings`.
        """
        self.settings: Settings = find_settings(url, cohort, agent, incarnation, token=token, trust_env=trust_env)
        where = self.settings.where
        self._limits = _wire.Limits(timeout_s=timeout_s, unreachable_s=unreachable_s, slice_s=slice_s, address=where)
        self._reporter = reporter or reporter_of(self.settings.agent, f"{where} ({self.settings.cohort})", log_every_s)
        #: Rollouts per prompt, once the server has said it.
        self.known_k: Optional[int] = None
        self._clock: Callable[[], float] = time.monotonic
        self._jitter: Callable[[], float] = random.random
        self._connect()

    def use_incarnation(self, name: Optional[str]) -> None:
        """Names the start that rollouts are of from now on."""
        self.settings = replace(self.settings, incarnation=name)

    def _connect(self) -> None:
        raise NotImplementedError

    def _rewards(
        self, groups: Sequence[Group], step: Optional[int], split: str, submission_id: Optional[str]
    ) -> Steps[Rewards]:
        exchanges = self._exchanges(groups, step, split, submission_id)
        if len(exchanges) > 1:
            # Every part is sent before any is waited for: a peer may need the last to answer the first.
            for exchange in exchanges:
                exchange.waits = False
                yield from self._exchange_steps(exchange, step)
                exchange.waits = True
        for exchange in exchanges:
            yield from self._exchange_steps(exchange, step)
        rewards = join_rewards(exchanges)
        self._reporter.decided(rewards, step)
        return rewards

    def _exchange_steps(self, exchange: _wire.Exchange, step: Optional[int]) -> Steps[None]:
        with self._reporter.call():
            action = exchange.next()
            while action is not None:
                _take(exchange, (yield action))
                if isinstance(action, _wire.Request) and exchange.rewards is None:
                    if exchange.problem is not None:
                        self._reporter.failing(exchange.failing_s, exchange.problem, self._limits.unreachable_s)
                    elif exchange.waits:
                        self._reporter.waiting(exchange.waited_s, exchange.pending, step)
                action = exchange.next()

    @property
    def _agent_url(self) -> str:
        return _wire.agent_path(self.settings.cohort, self.settings.agent)

    def _exchanges(
        self, groups: Sequence[Group], step: Optional[int], split: str, submission_id: Optional[str]
    ) -> List[_wire.Exchange]:
        base = submission_id or uuid.uuid4().hex
        parts = _wire.split_groups(_wire.groups_to_wire(groups))
        ids = [base] if len(parts) == 1 else [f"{base}/{part}" for part in range(len(parts))]
        exchanges: List[_wire.Exchange] = []
        for part, part_id in zip(parts, ids):
            body = _wire.submission_body(
                part,
                submission_id=part_id,
                step=step,
                split=split,
                incarnation=self.settings.incarnation,
            )
            exchanges.append(_wire.Exchange(self._agent_url, part_id, body, self._limits, self._clock, self._jitter))
        return exchanges

    def _call(self, method: str, path: str, body: bytes, limits: Optional[_wire.Limits] = None) -> Steps[None]:
        request = _wire.Request(method, path, body, _wire.SPARE_S)
        # A timeout is for decisions, unless it is this call's own.
        limits = limits or replace(self._limits, timeout_s=None)
        call = _wire.Call(request, limits, self._clock, self._jitter)
        action = call.next()
        while action is not None:
            _take(call, (yield action))
            if call.problem is not None:
                self._reporter.failing(call.failing_s, call.problem, limits.unreachable_s)
            action = call.next()

    def _skip(self, prompts: Sequence[Union[str, Tuple[str, int]]], step: Optional[int]) -> Steps[None]:
        body: Dict[str, Any] = {"prompts": [_prompt_of(prompt) for prompt in prompts]}
        if step is not None:
            body["step"] = step
        return self._call("POST", f"{self._agent_url}/skip", self._with_incarnation(body))

    def _finish(self, patience_s: Optional[float] = None) -> Steps[None]:
        """``patience_s``: a job that is over does not stay for a server that is gone."""
        limits = None if patience_s is None else replace(self._limits, timeout_s=patience_s, unreachable_s=patience_s)
        return self._call("POST", f"{self._agent_url}/finish", self._with_incarnation({}), limits)

    def _put_prompts(self, prompts: Sequence[Mapping[str, Any]]) -> Steps[None]:
        lines = b"\n".join(_wire.encode(prompt) for prompt in prompts)
        cohort = self._agent_url.rsplit("/agents/", 1)[0]
        return self._call("PUT", f"{cohort}/prompts", lines)

    def _with_incarnation(self, body: Dict[str, Any]) -> bytes:
        if self.settings.incarnation is not None:
            body["incarnation"] = self.settings.incarnation
        return _wire.encode(body)


def _take(work: Union[_wire.Exchange, _wire.Call], outcome: Outcome) -> None:
    """Hands the outcome of a step over."""
    if isinstance(outcome, _wire.Reply):
        work.received(outcome)
    elif outcome is not None:
        work.failed(outcome)


def timeout_of(request: _wire.Request) -> httpx.Timeout:
    return httpx.Timeout(request.timeout_s, connect=10.0, pool=None)


def reply_of(response: httpx.Response) -> _wire.Reply:
    return _wire.Reply(response.status_code, response.content, response.headers.get("retry-after"))


def join_rewards(exchanges: Sequence[_wire.Exchange]) -> Rewards:
    """One result for the parts of a submission. Metrics of several parts are means over their groups."""
    results = [exchange.rewards for exchange in exchanges if exchange.rewards is not None]
    if len(results) == 1:
        return results[0]
    weights = [len(result.groups) for result in results]
    metrics: Dict[str, Optional[float]] = {}
    for key in results[0].metrics:
        known = [
            (value, weight)
            for value, weight in ((result.metrics.get(key), weight) for result, weight in zip(results, weights))
            if value is not None
        ]
        total = sum(weight for _, weight in known)
        metrics[key] = sum(value * weight for value, weight in known) / total if total else None
    groups = tuple(group for result in results for group in result.groups)
    notices = tuple(dict.fromkeys(notice for result in results for notice in result.notices))
    return Rewards(exchanges[0].submission_id.rsplit("/", 1)[0], groups, metrics, notices)


def _prompt_of(prompt: Union[str, Tuple[str, int]]) -> Dict[str, Any]:
    if isinstance(prompt, str):
        return {"prompt_id": prompt}
    return {"prompt_id": prompt[0], "round": prompt[1]}
