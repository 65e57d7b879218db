"""slime: ``--custom-rm-path peervote.slime.reward``, with or without ``--group-rm``.

Unlike ``--rm-type remote_rm`` it has no limit of connections or time, and survives restarts of the server. It reads ``PEERVOTE_URL``, ``PEERVOTE_COHORT`` and ``PEERVOTE_AGENT``.
"""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, completion_text, first_of, read_label, require_prompt_id
from ._columns import prompt_tail, to_float, to_split
from ._per_loop import client_here
from ._single import details_of, score_group
from .models import Rollout

__all__ = ["reward"]

RewardOrDict = Union[float, Dict[str, Any]]


async def reward(args: Any, samples: Any, **_: Any) -> Union[RewardOrDict, List[RewardOrDict]]:
    """The reward of a sample, or those of a list of samples. A dict where slime has ``--reward-key``."""
    if not isinstance(samples, (list, tuple)):
        return (await _reward_group(args, [samples]))[0]
    groups: Dict[Any, List[int]] = {}
    for place, sample in enumerate(samples):
        # Two rows with the same prompt are two visits to it.
        groups.setdefault((_prompt_id(sample), getattr(sample, "group_index", None)), []).append(place)
    members = list(groups.values())
    scored = await asyncio.gather(*(_reward_group(args, [samples[place] for place in places]) for places in members))
    rewards: List[Any] = [None] * len(samples)
    for places, values in zip(members, scored):
        for place, value in zip(places, values):
            rewards[place] = value
    return rewards


async def _reward_group(args: Any, samples: Sequence[Any]) -> List[RewardOrDict]:
    first = samples[0]
    fields = _fields(first)
    group, rewards = await score_group(
        client_here(
            url=getattr(args, "peervote_url", None),
            cohort=getattr(args, "peervote_cohort", None),
            agent=getattr(args, "peervote_agent", None),
        ),
        _prompt_id(first),
        [_rollout(sample) for sample in samples],
        ground_truth=first_of(fields, TRUTH_KEYS),
        split=to_split(fields.get("split")),
        prompt=prompt_tail(getattr(first, "prompt", None)),
    )
    if not getattr(args, "reward_key", None):
        return [to_float(value) for value in rewards]
    key = str(args.reward_key)
    return [
        {key: to_float(value), "status": group.status, **details_of(group, place)}
        for place, value in enumerate(rewards)
    ]


def _rollout(sample: Any) -> Rollout:
    status = getattr(getattr(sample, "status", None), "value", getattr(sample, "status", None))
    return Rollout(
        completion_text(sample.response),
        tokens=getattr(sample, "response_length", None) or None,
        truncated=status == "truncated",
    )


def _fields(sample: Any) -> Mapping[str, Any]:
    metadata: Optional[Mapping[str, Any]] = getattr(sample, "metadata", None)
    return {**read_label(getattr(sample, "label", None)), **(metadata or {})}


def _prompt_id(sample: Any) -> str:
    return require_prompt_id(first_of(_fields(sample), PROMPT_ID_KEYS), "The label or the metadata of a sample")
