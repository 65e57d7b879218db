"""OpenRLHF needs no code, only ``--reward.remote_url``. This fills the label column that tells it which prompt is which."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional
from urllib.parse import quote, urlencode

from ._columns import to_plain, to_split

__all__ = ["label_of", "reward_url"]


def label_of(
    prompt_id: Any,
    *,
    ground_truth: Any = None,
    split: Optional[str] = None,
    task: Optional[str] = None,
) -> str:
    """The value of the label column (``--data.label_key``), as JSON text.

    >>> dataset = dataset.map(lambda row, i: {"label": label_of(f"gsm8k-{i}", ground_truth=row["answer"])}, with_indices=True)
    """
    label: Dict[str, Any] = {"pid": str(prompt_id), "split": to_split(split)}
    if ground_truth is not None:
        label["answer"] = to_plain(ground_truth)
    if task is not None:
        label["task"] = task
    return json.dumps(label, ensure_ascii=False, allow_nan=False)


def reward_url(url: str, cohort: str, agent: str, *, incarnation: Optional[str] = None) -> str:
    """The value of ``--reward.remote_url``. Raises ValueError for what OpenRLHF would misread."""
    query = "" if incarnation is None else "?" + urlencode({"inc": incarnation})
    made = f"{url.rstrip('/')}/openrlhf/{quote(cohort, safe='')}/{quote(agent, safe='')}{query}"
    if "," in made or made.endswith(".py"):
        raise ValueError(f"OpenRLHF splits the URL at commas and takes one that ends in .py for a file: {made}")
    return made
