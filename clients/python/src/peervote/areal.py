"""AReaL: a reward for a rollout workflow, which may wait as long as it takes.

Not for ``reward_fn``: AReaL gives that 15 s and then pays 0.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, completion_text, first_of, prompt_tail, require_prompt_id, to_float, to_split
from ._per_loop import client_here
from ._single import score_one
from .models import Rollout

__all__ = ["score_episode"]


async def score_episode(
    data: Mapping[str, Any],
    completion: Any,
    *,
    is_eval: Optional[bool] = None,
    tokens: Optional[int] = None,
    truncated: bool = False,
    stop_reason: Optional[str] = None,
    prompt: Optional[str] = None,
    url: Optional[str] = None,
    cohort: Optional[str] = None,
    agent: Optional[str] = None,
) -> float:
    """The reward of one completion of the data set's row ``data``; await it in ``RolloutWorkflow.arun_episode``.

    ``is_eval``: ``workflow_context.get().is_eval``; without it the row's column ``split`` decides. ``stop_reason``: of the
    engine's response, which says whether the length limit cut it. ``prompt``: as the model got it, or its end.
    """
    split = to_split(data.get("split")) if is_eval is None else "eval" if is_eval else "train"
    reward, _ = await score_one(
        client_here(url=url, cohort=cohort, agent=agent),
        require_prompt_id(first_of(data, PROMPT_ID_KEYS), 'The data set (a column "prompt_id")'),
        Rollout(completion_text(completion), tokens=tokens, truncated=truncated or stop_reason == "length"),
        ground_truth=first_of(data, TRUTH_KEYS),
        split=split,
        prompt=prompt_tail(prompt),
    )
    return to_float(reward)
