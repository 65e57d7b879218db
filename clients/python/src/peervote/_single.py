"""One sample in one call, as trainers that score each rollout by itself have it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from .aio import AsyncPeerVote
from .models import Group, GroupReward, Rollout

__all__ = ["details_of", "score_group", "score_one"]


async def score_one(
    client: AsyncPeerVote,
    prompt_id: str,
    rollout: Rollout,
    *,
    ground_truth: Any = None,
    split: str = "train",
    round: Optional[int] = None,
    step: Optional[int] = None,
    prompt: Optional[str] = None,
) -> Tuple[Optional[float], Dict[str, float]]:
    """The reward of one rollout, and numbers about it that always have the same keys."""
    group, rewards = await score_group(
        client, prompt_id, [rollout], ground_truth=ground_truth, split=split, round=round, step=step, prompt=prompt
    )
    return rewards[0], details_of(group, 0)


async def score_group(
    client: AsyncPeerVote,
    prompt_id: str,
    rollouts: Sequence[Rollout],
    *,
    ground_truth: Any = None,
    split: str = "train",
    round: Optional[int] = None,
    step: Optional[int] = None,
    prompt: Optional[str] = None,
) -> Tuple[GroupReward, List[Optional[float]]]:
    group = Group(prompt_id, rollouts, round=round, ground_truth=ground_truth, prompt=prompt)
    result = await client.rewards([group], step=step, split=split)
    return result.groups[0], list(result.groups[0].rewards)


def details_of(group: GroupReward, place: int) -> Dict[str, float]:
    """Floats for trainers that log what comes beside a reward, and want the same keys every time."""
    return {
        "labeled": float(group.status == "scored" and group.rewards[place] is not None),
        "expired": float(group.status == "expired"),
        "answered": float(group.rollouts[place].answer is not None),
        "label_share": float(group.label_share or 0.0),
        "staleness": float(group.staleness),
        "late": float(group.rollouts[place].late),
    }
