"""The client for code that awaits: as many calls at a time as there are samples in flight."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Tuple, Type, Union

import httpx

from . import _wire
from ._base import ClientBase, ProgressLog, join_rewards
from ._lanes import Lanes
from .models import Group, Rewards

__all__ = ["AsyncPeerVote"]


class AsyncPeerVote(ClientBase):
    """One agent's line to its cohort, within one event loop. Calls at a time are not limited."""

    def __init__(
        self,
        url: Optional[str] = None,
        cohort: Optional[str] = None,
        agent: Optional[str] = None,
        *,
        incarnation: Optional[str] = None,
        timeout_s: Optional[float] = None,
        unreachable_s: Optional[float] = 1800.0,
        slice_s: float = _wire.SLICE_S,
        log_every_s: float = 30.0,
    ) -> None:
        super().__init__(
            url,
            cohort,
            agent,
            incarnation=incarnation,
            timeout_s=timeout_s,
            unreachable_s=unreachable_s,
            slice_s=slice_s,
            log_every_s=log_every_s,
        )
        self._lanes = Lanes(self.settings.url)

    async def rewards(
        self,
        groups: Sequence[Group],
        *,
        step: Optional[int] = None,
        split: str = "train",
        submission_id: Optional[str] = None,
    ) -> Rewards:
        """The rewards of ``groups``, as soon as their teachers are decided.

        The call survives lost connections and restarts of the server, and counts once however often it is sent.
        Raises a :class:`~peervote.errors.PeerVoteError`.
        """
        exchanges = self._exchanges(groups, step, split, submission_id)
        for exchange in exchanges if len(exchanges) > 1 else []:
            await self._drive(exchange, ProgressLog(self.settings.agent, self._log_every_s))
            exchange.waits = True
        for exchange in exchanges:
            await self._drive(exchange, ProgressLog(self.settings.agent, self._log_every_s))
        return join_rewards(exchanges)

    async def skip(self, prompts: Sequence[Union[str, Tuple[str, int]]], *, step: Optional[int] = None) -> None:
        """No more rollouts come for these prompts (ids, or ids with their round): peers need not wait for them."""
        await self._drive(self._skip_call(prompts, step), None)

    async def finish(self) -> None:
        """This agent is done; nobody waits for it any more."""
        await self._drive(self._finish_call(), None)

    async def put_prompts(self, prompts: Sequence[Mapping[str, Any]]) -> None:
        """The cohort's manifest: objects with prompt_id, text, and optionally rephrasings, ground_truth and split."""
        await self._drive(self._prompts_call(prompts), None)

    async def close(self) -> None:
        await self._lanes.close()

    async def __aenter__(self) -> "AsyncPeerVote":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def _drive(self, work: Union[_wire.Exchange, _wire.Call], log: Optional[ProgressLog]) -> None:
        while True:
            action = work.next()
            if action is None:
                return
            problem: Optional[str] = None
            if isinstance(action, _wire.Sleep):
                await asyncio.sleep(action.seconds)
                continue
            try:
                timeout = httpx.Timeout(action.timeout_s, connect=10.0, pool=None)
                async with self._lanes.lane() as http:
                    reply = await http.request(action.method, action.path, content=action.body, timeout=timeout)
            except httpx.TransportError as error:
                work.failed(error)
                problem = str(error) or type(error).__name__
            else:
                work.received(_wire.Reply(reply.status_code, reply.content, reply.headers.get("retry-after")))
                if reply.status_code >= 400:
                    problem = f"status {reply.status_code}"
            if log is not None and isinstance(work, _wire.Exchange) and work.rewards is None:
                log.tell(work, problem)
