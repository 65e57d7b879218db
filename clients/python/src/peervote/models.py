"""What is sent and what comes back, as plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._truths import to_truth

__all__ = ["Group", "GroupReward", "Pending", "Rewards", "Rollout", "RolloutReward", "Waiting"]


class _Unset:
    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


@dataclass(frozen=True)
class Rollout:
    """One sampled completion.

    ``completion`` is the text without its prompt; ``answer`` instead of it when the trainer extracted the answer
    itself (``None``: there is none). ``index`` is the place in the group: it breaks ties (the lowest wins) and names
    the rollout where ``id`` is not given. ``signals`` are what some methods reward by, named as on the wire:
    ``{"mean_entropy": 0.7}`` (docs/methods.md).
    """

    completion: Optional[str] = None
    answer: Union[str, float, None, _Unset] = UNSET
    id: Optional[str] = None
    index: Optional[int] = None
    tokens: Optional[int] = None
    truncated: bool = False
    signals: Optional[Mapping[str, Any]] = None

    def to_wire(self) -> Dict[str, Any]:
        wire: Dict[str, Any] = {}
        if not isinstance(self.answer, _Unset):
            wire["answer"] = self.answer
        elif self.completion is not None:
            wire["completion"] = self.completion
        else:
            raise ValueError("A rollout needs a completion or an answer.")
        if self.id is not None:
            wire["id"] = self.id
        if self.index is not None:
            wire["index"] = self.index
        if self.tokens is not None:
            wire["tokens"] = self.tokens
        if self.truncated:
            wire["truncated"] = True
        # What it is comes first: no signal can stand in for it.
        return {**(self.signals or {}), **wire}


@dataclass(frozen=True)
class Group:
    """All or part of one agent's rollouts for one prompt."""

    prompt_id: str
    rollouts: Sequence[Rollout]
    round: Optional[int] = None
    ground_truth: Any = None
    task: Optional[str] = None
    mode: Optional[str] = None
    #: The prompt as the model got it, or its end: it may open reasoning, which a completion then has to close.
    prompt: Optional[str] = None
    #: ``opened-by-prompt``, ``in-completion`` or ``none``; goes before what the cohort says.
    reasoning: Optional[str] = None

    def to_wire(self) -> Dict[str, Any]:
        wire: Dict[str, Any] = {
            "prompt_id": self.prompt_id,
            "rollouts": [rollout.to_wire() for rollout in self.rollouts],
        }
        for key in ("round", "task", "mode", "prompt", "reasoning"):
            value = getattr(self, key)
            if value is not None:
                wire[key] = value
        truth = to_truth(self.ground_truth)
        if truth is not None:
            wire["ground_truth"] = truth
        return wire


@dataclass(frozen=True)
class RolloutReward:
    id: str
    #: ``None`` where there is none to give: see ``reason``, or the group's. Leave such a rollout out.
    reward: Optional[float]
    #: What was extracted; ``None``: no answer.
    answer: Optional[str]
    #: Came after its group was decided: scored, without a vote.
    late: bool
    #: Why it has no reward although its group is scored.
    reason: Optional[str] = None


@dataclass(frozen=True)
class GroupReward:
    """The rewards of one group, in the order its rollouts were sent."""

    prompt_id: str
    #: ``None`` for eval, which belongs to no round.
    round: Optional[int]
    #: ``scored``, ``unlabeled``, ``expired``, ``skipped`` or ``eval``.
    status: str
    label: Optional[str]
    label_share: Optional[float]
    teachers: Tuple[str, ...]
    reward_source: str
    staleness: int
    reason: Optional[str]
    rewards: Tuple[Optional[float], ...]
    rollouts: Tuple[RolloutReward, ...]
    #: Factor that the cohort's rules put on all rewards. Where advantages are divided by their standard deviation it
    #: goes away again: multiply them by it.
    reward_weight: float = 1.0
    #: Add it to every advantage of the group; 0 or less.
    advantage_offset: float = 0.0

    @property
    def has_label(self) -> bool:
        """Whether the rewards compare with something; else every rollout of the group is paid the same."""
        return self.status in ("scored", "eval")


@dataclass(frozen=True)
class Rewards:
    """A decided submission; groups in the order sent."""

    submission_id: str
    groups: Tuple[GroupReward, ...]
    #: Means over the submission; always the same keys, ``None`` where nothing was counted.
    metrics: Mapping[str, Optional[float]]
    #: What the server thinks is wrong, in sentences.
    notices: Tuple[str, ...] = ()

    def flat(self) -> List[Optional[float]]:
        """The rewards of all groups, one after another."""
        return [reward for group in self.groups for reward in group.rewards]


@dataclass(frozen=True)
class Waiting:
    """A peer's group that is not decided yet."""

    agent: str
    prompt_id: str
    round: int
    have: int
    need: int


@dataclass(frozen=True)
class Pending:
    """A recorded submission whose rewards are not decided yet."""

    submission_id: str
    waiting_for: Tuple[Waiting, ...] = ()
    waiting_for_total: int = 0
    #: What the server thinks is wrong, in sentences.
    notices: Tuple[str, ...] = field(default_factory=tuple)

    def __str__(self) -> str:
        if not self.waiting_for:
            return "nobody known yet"
        first = self.waiting_for[0]
        more = self.waiting_for_total - 1
        text = f'{first.agent} ({first.have} of {first.need} rollouts of prompt "{first.prompt_id}"'
        text += f", and {more} more groups)" if more > 0 else ")"
        return text if not self.notices else f"{text}; the server says: {' '.join(self.notices)}"
