"""Many samples of many prompts in one call, as trainers that score a whole slice of a batch have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .client import PeerVote
from .models import Group, GroupReward, Rollout

__all__ = ["Sample", "Scored", "score_samples"]


@dataclass(frozen=True)
class Sample:
    prompt_id: str
    rollout: Rollout
    ground_truth: Any = None
    split: str = "train"
    prompt: Optional[str] = None


@dataclass(frozen=True)
class Scored:
    reward: Optional[float]
    answer: Optional[str]
    group: GroupReward


def score_samples(
    client: PeerVote, samples: Sequence[Sample], *, step: Optional[int]
) -> Tuple[List[Scored], Dict[str, Mapping[str, Optional[float]]]]:
    """Results in the order of the samples, and the server's metrics by split. Train and eval go separately."""
    scored: List[Optional[Scored]] = [None] * len(samples)
    metrics: Dict[str, Mapping[str, Optional[float]]] = {}
    for split in ("train", "eval"):
        members: Dict[str, List[int]] = {}
        for place, sample in enumerate(samples):
            if sample.split == split:
                members.setdefault(sample.prompt_id, []).append(place)
        if not members:
            continue
        groups = [
            Group(
                prompt_id,
                [samples[place].rollout for place in places],
                ground_truth=samples[places[0]].ground_truth,
                prompt=samples[places[0]].prompt,
            )
            for prompt_id, places in members.items()
        ]
        rewards = client.rewards(groups, step=step, split=split)
        metrics[split] = rewards.metrics
        for places, group in zip(members.values(), rewards.groups):
            for place, rollout in zip(places, group.rollouts):
                scored[place] = Scored(rollout.reward, rollout.answer, group)
    return [each for each in scored if each is not None], metrics
