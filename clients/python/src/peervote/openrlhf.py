"""OpenRLHF needs no code, only ``--reward.remote_url``. This fills the label column that tells it which prompt is which."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional, Sequence
from urllib.parse import quote, urlencode

from ._address import check_url
from ._columns import to_split
from ._truths import to_truth

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
    truth = to_truth(ground_truth)
    if truth is not None:
        label["answer"] = truth
    if task is not None:
        label["task"] = task
    return json.dumps(label, ensure_ascii=False, allow_nan=False)


def reward_url(
    url: str, cohort: str, agent: str, *, incarnation: Optional[str] = None, eos: Sequence[str] = ()
) -> str:
    """The value of ``--reward.remote_url``. Raises ValueError for what OpenRLHF would misread.

    ``eos``: what finished responses end with, as ``<|im_end|>``; all others count as cut off by the length limit.
    """
    said = ([] if incarnation is None else [("inc", incarnation)]) + [("eos", text) for text in eos]
    query = "?" + urlencode(said) if said else ""
    made = f"{check_url(url)}/openrlhf/{quote(cohort, safe='')}/{quote(agent, safe='')}{query}"
    if "," in made or made.endswith(".py"):
        raise ValueError(f"OpenRLHF splits the URL at commas and takes one that ends in .py for a file: {made}")
    return made
