"""TRL: a reward function for ``GRPOTrainer(reward_funcs=…)``.

Each rank sends its own slice of the batch; the server puts groups together that lie on several ranks.
"""

from __future__ import annotations

import os
import uuid
from typing import Any, Callable, List, Optional, Sequence, Union

from ._batch import Sample, Scored, score_samples
from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, completion_text, first_of, is_column, prompt_tail
from ._columns import require_prompt_id, to_split
from ._ends import Training
from .client import PeerVote
from .models import Rollout

__all__ = ["PeerVoteReward"]


class PeerVoteReward:
    """Rewards of the peer's vote. The data set needs a column ``prompt_id`` (or ``pid``).

    ``ground_truth`` (or ``answer``, ``solution``) is for metrics and eval; ``split`` says which rows are eval, which TRL
    itself does not. With ``none_if_unlabeled`` groups without a label get ``None``, which TRL leaves out of its mean,
    instead of the same 0.0 for all. ``eos_token_id``: of the tokenizer, or all of the model's generation config; a completion
    that ends in no such token was cut off by the length limit. When the training ends, the server is told; each start gets
    an incarnation of its own, unless it or a ``client`` is given.
    """

    #: TRL names its metrics after it: ``rewards/peervote/mean``.
    __name__ = "peervote"

    def __init__(
        self,
        url: Optional[str] = None,
        cohort: Optional[str] = None,
        agent: Optional[str] = None,
        *,
        none_if_unlabeled: bool = False,
        eos_token_id: Union[int, Sequence[int], None] = None,
        client: Optional[PeerVote] = None,
        **client_options: Any,
    ) -> None:
        self._client = client or PeerVote(url, cohort, agent, **client_options)
        own = client is None and client_options.get("incarnation") is None
        self._training = Training(self._client, names=own)
        self._none_if_unlabeled = none_if_unlabeled
        self._ends = {eos_token_id} if isinstance(eos_token_id, int) else set(eos_token_id or ())
        # Rollouts of a trainer that starts again must not pass for those of its first life.
        self._start = uuid.uuid4().hex[:12]
        self._calls = 0

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Optional[Sequence[Sequence[int]]] = None,
        trainer_state: Any = None,
        log_extra: Optional[Callable[[str, List[Any]], None]] = None,
        log_metric: Optional[Callable[[str, float], None]] = None,
        **columns: Any,
    ) -> List[Optional[float]]:
        first = _rank() * len(completions)
        self._calls += 1
        samples: List[Sample] = []
        for place, completion in enumerate(completions):
            row = {key: values[place] for key, values in columns.items() if is_column(values, len(completions))}
            prompt_id = require_prompt_id(first_of(row, PROMPT_ID_KEYS), 'The data set (a column "prompt_id")')
            rollout = Rollout(
                completion_text(completion),
                id=f"{self._start}-{self._calls}-{place}",
                # Its place in the whole batch decides ties: the same in every run.
                index=first + place,
                tokens=None if completion_ids is None else len(completion_ids[place]),
                truncated=completion_ids is not None and self._is_cut(completion_ids[place]),
            )
            prompt = prompt_tail(prompts[place]) if place < len(prompts) else None
            samples.append(Sample(prompt_id, rollout, first_of(row, TRUTH_KEYS), to_split(row.get("split")), prompt))
        if any(sample.split == "train" for sample in samples):
            self._training.note_call(trainer_state)
        step = getattr(trainer_state, "global_step", None)
        scored, metrics = score_samples(self._client, samples, step=step, copies=self._training.copies)
        if log_extra is not None:
            log_extra("peervote_answer", [each.answer for each in scored])
            log_extra("peervote_label", [each.group.label for each in scored])
        if log_metric is not None:
            for split_metrics in metrics.values():
                for name, value in split_metrics.items():
                    if value is not None:
                        # Names of a reference implementation, as ``co_labeling/peer_agreement``, stay what they are.
                        log_metric(name if "/" in name else f"peervote/{name}", value)
        return [self._pay(each) for each in scored]

    def _is_cut(self, ids: Sequence[int]) -> bool:
        """As TRL tells it: the last token ends no text. TRL does not pass its own setting on."""
        return bool(self._ends) and len(ids) > 0 and int(ids[-1]) not in self._ends

    def _pay(self, scored: Scored) -> Optional[float]:
        if self._none_if_unlabeled and not scored.group.has_label:
            return None
        return None if scored.reward is None else float(scored.reward)


def _rank() -> int:
    """Of this process among those of its job; launchers set it."""
    return int(os.environ.get("RANK") or 0)
