"""ms-swift: ``--external_plugins`` with a file that imports this, and ``--reward_funcs peervote``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from ._batch import Sample, score_samples
from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, completion_text, first_of, is_column, require_prompt_id, to_split
from ._ends import Training
from .client import PeerVote
from .models import Rollout

__all__ = ["PeerVoteORM", "register"]


class PeerVoteORM:
    """A reward function of ms-swift. The data set needs a column ``pid``; columns arrive as lists."""

    def __init__(self, *_: Any, client: Optional[PeerVote] = None, **__: Any) -> None:
        # Made at the first call, in the process that calls: ms-swift may hand the object to another one.
        self._client = client
        self._training = None if client is None else Training(client, names=False)

    def __call__(self, completions: List[Any], **columns: Any) -> List[Optional[float]]:
        if self._client is None or self._training is None:
            self._client = PeerVote()
            self._training = Training(self._client, names=True)
        samples: List[Sample] = []
        for place, completion in enumerate(completions):
            row: Dict[str, Any] = {
                key: values[place]
                for key, values in columns.items()
                if is_column(values, len(completions))
            }
            rollout = Rollout(
                completion_text(completion),
                id=None if row.get("request_id") is None else str(row["request_id"]),
                truncated=bool(row.get("is_truncated")) or row.get("finish_reason") == "length",
            )
            # ms-swift's own prompt_id is a counter within the batch, so a pid goes before it.
            prompt_id = require_prompt_id(first_of(row, tuple(reversed(PROMPT_ID_KEYS))), 'A data set (column "pid")')
            samples.append(Sample(prompt_id, rollout, first_of(row, TRUTH_KEYS), to_split(row.get("split"))))
        state = columns.get("trainer_state")
        if any(sample.split == "train" for sample in samples):
            self._training.note_call(state)
        step = getattr(state, "global_step", None)
        scored, _ = score_samples(self._client, samples, step=step, copies=self._training.copies)
        return [each.reward for each in scored]


def register(name: str = "peervote") -> None:
    """Makes the reward known to ms-swift under ``name``; call it in the plugin file."""
    try:
        from swift.rewards import orms
    except ImportError:
        from swift.plugin import orms  # ms-swift 3
    orms[name] = PeerVoteORM
