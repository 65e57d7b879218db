"""Many samples of many prompts in one call, as trainers that score a whole slice of a batch have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .client import PeerVote
from .errors import InvalidRequestError
from .models import Group, GroupReward, Rewards, Rollout

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
    client: PeerVote, samples: Sequence[Sample], *, step: Optional[int], copies: Optional[int] = None
) -> Tuple[List[Scored], Dict[str, Mapping[str, Optional[float]]]]:
    """Results in the order of the samples, and the server's metrics by split. Train and eval go separately.

    The copies of a prompt stand one after another, as samplers repeat it: those of another row with the same prompt
    further on are sent as a group of their own, and those of several rows at one place as one visit after another.
    ``copies``: how often the sampler repeats a row; without it the server's k says it, once a place has more.
    """
    scored: List[Optional[Scored]] = [None] * len(samples)
    metrics: Dict[str, Mapping[str, Optional[float]]] = {}
    for split in ("train", "eval"):
        runs = _runs(samples, [place for place, sample in enumerate(samples) if sample.split == split])
        if not runs:
            continue
        parts, rewards = _ask(client, samples, runs, step, split, copies)
        metrics[split] = rewards.metrics
        for places, group in zip(parts, rewards.groups):
            for place, rollout in zip(places, group.rollouts):
                scored[place] = Scored(rollout.reward, rollout.answer, group)
    return [each for each in scored if each is not None], metrics


def _runs(samples: Sequence[Sample], places: Sequence[int]) -> List[List[int]]:
    """Places one after another that hold the same prompt."""
    runs: List[List[int]] = []
    for place in places:
        if runs and samples[runs[-1][-1]].prompt_id == samples[place].prompt_id:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _ask(
    client: PeerVote, samples: Sequence[Sample], runs: Sequence[List[int]], step: Optional[int], split: str, copies: Optional[int]
) -> Tuple[List[List[int]], Rewards]:
    """The rewards of the runs, and the places that each of their groups holds."""
    while True:
        k = None if split == "eval" else copies or client.known_k
        parts = [part for run in runs for part in _visits(samples, run, k)]
        try:
            return parts, client.rewards([_group(samples, part) for part in parts], step=step, split=split)
        except InvalidRequestError as error:
            said = error.details.get("k")
            # Nothing was stored of what was too long. What a group has too many of in all comes with its round.
            if error.code != "too_many_rollouts" or "round" in error.details or not isinstance(said, int) or said == k:
                raise
            client.known_k, copies = said, None


def _visits(samples: Sequence[Sample], run: List[int], k: Optional[int]) -> List[List[int]]:
    """A run, cut where the next k of the whole batch begin: also where ranks share it."""
    if k is None:
        return [run]
    visits: Dict[int, List[int]] = {}
    for at, place in enumerate(run):
        index = samples[place].rollout.index
        visits.setdefault((at if index is None else index) // k, []).append(place)
    return list(visits.values())


def _group(samples: Sequence[Sample], places: Sequence[int]) -> Group:
    first = samples[places[0]]
    rollouts = [samples[place].rollout for place in places]
    return Group(first.prompt_id, rollouts, ground_truth=first.ground_truth, prompt=first.prompt)
