"""The client for code that blocks: one call per rank and step."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Tuple, Type, Union

import httpx

from . import _wire
from ._base import HEADERS, POOL, ClientBase, Outcome, Steps, T, reply_of, timeout_of
from .models import Group, Rewards

__all__ = ["PeerVote"]


class PeerVote(ClientBase):
    """One agent's line to its cohort. May be shared by threads; open one in each process."""

    def rewards(
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
        return self._run(self._rewards(groups, step, split, submission_id))

    def skip(self, prompts: Sequence[Union[str, Tuple[str, int]]], *, step: Optional[int] = None) -> None:
        """No more rollouts come for these prompts (ids, or ids with their round): peers need not wait for them."""
        self._run(self._skip(prompts, step))

    def finish(self) -> None:
        """This agent is done; nobody waits for it any more."""
        self._run(self._finish())

    def _finish_soon(self, patience_s: float) -> None:
        """The same at the end of a job, which waits no longer than this for a server that is gone."""
        self._run(self._finish(patience_s))

    def put_prompts(self, prompts: Sequence[Mapping[str, Any]]) -> None:
        """The cohort's manifest: objects with prompt_id, text, and optionally rephrasings, ground_truth and split."""
        self._run(self._put_prompts(prompts))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "PeerVote":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _connect(self) -> None:
        self._http = httpx.Client(
            base_url=self.settings.url,
            headers={**HEADERS, **self.settings.headers},
            limits=POOL,
            # The certificates that the environment names are trusted all the same.
            verify=httpx.create_ssl_context(),
            proxy=self.settings.proxy,
            trust_env=False,
        )

    def _run(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                action = steps.send(outcome)
            except StopIteration as end:
                return end.value
            outcome = self._do(action)

    def _do(self, action: Union[_wire.Request, _wire.Sleep]) -> Outcome:
        if isinstance(action, _wire.Sleep):
            time.sleep(action.seconds)
            return None
        try:
            return reply_of(
                self._http.request(action.method, action.path, content=action.body, timeout=timeout_of(action))
            )
        except httpx.TransportError as error:
            return error
