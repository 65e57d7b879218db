"""What calls tell the log, where a training that goes wrong is looked at: at WARNING, which Python shows by itself.

A broken run says each kind of thing about once a minute, however many calls it makes.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .models import GroupReward, Pending, Rewards

__all__ = ["Reporter", "reporter_of"]

logger = logging.getLogger("peervote")

#: A wait that is worth a line.
WAIT_S = 30.0
#: Tries that fail for less are a restart of the server.
FAILING_S = 5.0
#: A sentence that is new need not wait for its turn as long as one that is repeated.
NEW_S = 9.0
#: What the server says although all groups were paid is no news every minute.
NOTICE_FACTOR = 10.0
#: Processes of a node beside its first, which have the same to say.
RANK_FACTOR = 5.0
#: Replies come when they come; a little early is on time.
EARLY = 0.8
_SEEN = 16

Clock = Callable[[], float]


@dataclass
class _Kind:
    """What was said of one kind, and when."""

    last: Optional[float] = None
    seen: Set[str] = field(default_factory=set)


@dataclass
class _Unpaid:
    """What came since the last line about it."""

    calls: int = 0
    groups: int = 0
    steps: List[int] = field(default_factory=list)
    statuses: "Counter[str]" = field(default_factory=Counter)
    reasons: "Counter[Tuple[str, str]]" = field(default_factory=Counter)

    def add(self, rewards: Rewards, unpaid: Sequence[GroupReward], step: Optional[int]) -> None:
        self.calls += 1
        self.groups += len(rewards.groups)
        if step is not None:
            self.steps = [min(self.steps[:1] + [step]), max(self.steps[1:] + [step])]
        self.statuses.update(group.status for group in unpaid)
        if len(self.reasons) < 1_000:
            self.reasons.update((group.status, group.reason) for group in unpaid if group.reason)

    def __str__(self) -> str:
        where = "" if not self.steps else f"step {self.steps[0]}"
        if self.steps and self.steps[0] != self.steps[1]:
            where = f"steps {self.steps[0]} to {self.steps[1]}"
        if self.calls > 1:
            where = f"{where} ({self.calls} calls)" if where else f"{self.calls} calls"
        told = ", ".join(self._tell(status, count) for status, count in sorted(self.statuses.items()))
        return f"{where}: {told}" if where else told

    def _tell(self, status: str, count: int) -> str:
        text = f"{count} of {self.groups} groups {status}"
        reasons = Counter({reason: times for (of, reason), times in self.reasons.items() if of == status})
        return f"{text} ({reasons.most_common(1)[0][0].rstrip('.')})" if reasons else text


class Reporter:
    """One for each agent in a process, shared by its clients: see :func:`reporter_of`."""

    def __init__(
        self, agent: str, address: str, every_s: float, *, log: logging.Logger = logger, clock: Clock = time.monotonic
    ) -> None:
        self._agent = agent
        self._address = address
        factor = 1.0 if os.environ.get("LOCAL_RANK") in (None, "", "0") else RANK_FACTOR
        self._every_s = every_s * factor
        self._wait_s = min(WAIT_S, every_s) * factor
        self._log = log
        self._clock = clock
        self._kinds: Dict[str, _Kind] = {}
        self._unpaid = _Unpaid()
        self._calls = 0
        self._lock = threading.Lock()

    @contextmanager
    def call(self) -> Iterator[None]:
        """Counts the calls that are under way."""
        with self._lock:
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1

    def waiting(self, waited_s: float, pending: Pending, step: Optional[int]) -> None:
        """A call has its rollouts recorded, and its peers are not there."""
        if waited_s < self._wait_s or not self._due("waiting", pending.notices):
            return
        step_text = "" if step is None else f", step {step},"
        more = f" ({self._calls} calls wait)" if self._calls > 1 else ""
        self._log.warning("peervote: %s%s has waited %.0f s for %s%s", self._agent, step_text, waited_s, pending, more)

    def failing(self, failing_s: float, problem: str, patience_s: Optional[float]) -> None:
        """Tries get no answer, or one that says to try again."""
        if failing_s < min(FAILING_S, self._every_s) or not self._due("failing", (problem,)):
            return
        until = "" if patience_s is None else f", for {patience_s:.0f} s at most"
        self._log.warning(
            "peervote: %s gets no rewards from %s for %.0f s: %s. It tries again%s.%s",
            self._agent, self._address, failing_s, problem.rstrip("."), until, _hint_of(problem),
        )  # fmt: skip

    def decided(self, rewards: Rewards, step: Optional[int]) -> None:
        """A call has its rewards; groups without a label, and what the server has to say, are told."""
        # In the order of how much it matters: what a line is of goes by the first.
        unpaid = [group for group in rewards.groups if group.status in ("expired", "skipped", "unlabeled")]
        says = f" The server says: {' '.join(rewards.notices)}" if rewards.notices else ""
        with self._lock:
            self._unpaid.add(rewards, unpaid, step)
        if not unpaid:
            if says and self._due("notices", rewards.notices, NOTICE_FACTOR):
                self._log.warning("peervote: %s.%s", self._agent, says)
        elif self._due(min(group.status for group in unpaid), rewards.notices):
            with self._lock:
                told, self._unpaid = self._unpaid, _Unpaid()
            text = "peervote: %s, %s. All rollouts of such a group are paid the same, so it teaches nothing.%s"
            self._log.warning(text, self._agent, told, says)

    def _due(self, kind: str, sentences: Sequence[str], factor: float = 1.0) -> bool:
        """Whether it is time for a line of this kind: its turn, or a sentence that was not said yet."""
        now = self._clock()
        said = {re.sub(r"\d[\d.,]*", "#", sentence) for sentence in sentences}
        with self._lock:
            state = self._kinds.setdefault(kind, _Kind())
            since = None if state.last is None else now - state.last
            is_new = bool(said - state.seen) and len(state.seen) < _SEEN
            every = self._every_s * factor * EARLY
            if since is not None and since < (min(NEW_S, every) if is_new else every):
                return False
            state.last = now
            state.seen |= set(sorted(said)[:_SEEN])
            return True


@lru_cache(maxsize=256)
def reporter_of(agent: str, address: str, every_s: float) -> Reporter:
    """The reporter of all clients of an agent in this process."""
    return Reporter(agent, address, every_s)


def _hint_of(problem: str) -> str:
    """What an error of the network usually means."""
    lower = problem.lower()
    if "refused" in lower:
        return " Nobody listens there: is the server started, and is this its port?"
    if "name or service not known" in lower or "nodename nor servname" in lower or "name resolution" in lower:
        return " No such host is known here: is its name right?"
    if "wrong_version_number" in lower or "wrong version number" in lower:
        return " It does not speak https: is the url to start with http://?"
    if "timed out" in lower or "timeout" in lower:
        return " Nothing comes back: does a firewall stand between, or is this another machine's address?"
    return ""
