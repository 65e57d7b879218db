"""The client for code that awaits: as many calls at a time as there are samples in flight."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Tuple, Type, Union

import httpx

from . import _wire
from ._base import ClientBase, Outcome, Steps, T, reply_of, timeout_of
from ._lanes import Lanes
from .models import Group, Rewards

__all__ = ["AsyncPeerVote"]


class AsyncPeerVote(ClientBase):
    """One agent's line to its cohort, within one event loop. Calls at a time are not limited.

    Its methods are those of :class:`~peervote.client.PeerVote`, awaited.
    """

    async def rewards(
        self,
        groups: Sequence[Group],
        *,
        step: Optional[int] = None,
        split: str = "train",
        submission_id: Optional[str] = None,
    ) -> Rewards:
        return await self._run(self._rewards(groups, step, split, submission_id))

    async def skip(self, prompts: Sequence[Union[str, Tuple[str, int]]], *, step: Optional[int] = None) -> None:
        await self._run(self._skip(prompts, step))

    async def finish(self) -> None:
        await self._run(self._finish())

    async def put_prompts(self, prompts: Sequence[Mapping[str, Any]]) -> None:
        await self._run(self._put_prompts(prompts))

    async def close(self) -> None:
        await self._lanes.close()

    async def __aenter__(self) -> "AsyncPeerVote":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def _connect(self) -> None:
        self._lanes = Lanes(self.settings.url, self.settings.headers, self.settings.proxy)

    async def _run(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                action = steps.send(outcome)
            except StopIteration as end:
                return end.value
            outcome = await self._do(action)

    async def _do(self, action: Union[_wire.Request, _wire.Sleep]) -> Outcome:
        if isinstance(action, _wire.Sleep):
            await asyncio.sleep(action.seconds)
            return None
        try:
            async with self._lanes.lane() as http:
                return reply_of(
                    await http.request(action.method, action.path, content=action.body, timeout=timeout_of(action))
                )
        except httpx.TransportError as error:
            return error
