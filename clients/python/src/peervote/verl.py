"""verl: an asynchronous ``compute_score`` and a reward manager for its reward loop (verl ≥ 0.7.1).

Both read ``PEERVOTE_URL``, ``PEERVOTE_COHORT`` and ``PEERVOTE_AGENT`` where the configuration does not say it.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from ._columns import PROMPT_ID_KEYS, completion_text, first_of, prompt_tail, to_float, to_plain, to_split
from ._per_loop import client_here
from ._single import score_one
from .models import Rollout

__all__ = ["PeerVoteRewardManager", "compute_score"]

#: Of a prompt; enough for what templates write behind the last message.
TAIL_TOKENS = 48


async def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Optional[Mapping[str, Any]] = None,
    *,
    url: Optional[str] = None,
    cohort: Optional[str] = None,
    agent: Optional[str] = None,
    **_: Any,
) -> Dict[str, float]:
    """``reward.custom_reward_function``: the reward of one rollout, with the same extra keys every time."""
    info = extra_info or {}
    reward, details = await score_one(
        client_here(url=url, cohort=cohort, agent=agent),
        prompt_id_of(data_source, info),
        Rollout(completion_text(solution_str)),
        ground_truth=ground_truth,
        split=to_split(info.get("split")),
    )
    return {"score": to_float(reward), **details}


def prompt_id_of(data_source: Any, info: Mapping[str, Any]) -> str:
    """``extra_info.prompt_id`` (or ``pid``), else data source, split and index, which verl's preprocessing writes."""
    named = first_of(info, PROMPT_ID_KEYS)
    if named is not None:
        return str(named)
    index = info.get("index")
    if index is None:
        raise ValueError("extra_info needs prompt_id (or index), the same in the data sets of all agents.")
    return f"{data_source}/{info.get('split', 'train')}/{index}"


try:
    from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase as _Base  # type: ignore
except ImportError:
    # compute_score works without verl, and so do our own tools.
    _Base = object  # type: ignore


class PeerVoteRewardManager(_Base):  # type: ignore[misc, valid-type]
    """``reward.reward_manager``: names each rollout by verl's own uid, so that a repeated call counts once."""

    def __init__(
        self,
        config: Any,
        tokenizer: Any,
        compute_score: Any = None,
        reward_router_address: Optional[str] = None,
        reward_model_tokenizer: Any = None,
    ) -> None:
        super().__init__(config, tokenizer, compute_score)  # type: ignore[call-arg]
        kwargs = config.reward.get("reward_kwargs") or {}
        # Without it nobody knows whether the limit cut a response, since it may be as long as the tensor by chance.
        self._limit = to_plain((config.get("data") or {}).get("max_response_length"))
        self._options = {key: kwargs.get(f"peervote_{key}") for key in ("url", "cohort", "agent")}

    async def run_single(self, data: Any) -> Dict[str, Any]:
        """The reward of the last sequence of ``data``, a DataProto of one trajectory."""
        item = data[-1:][0]
        fields: Mapping[str, Any] = item.non_tensor_batch
        info: Mapping[str, Any] = fields.get("extra_info") or {}
        response_ids = item.batch["responses"]
        length = int(item.batch["attention_mask"][-response_ids.shape[-1] :].sum())
        text = await self.loop.run_in_executor(  # type: ignore[attr-defined]
            None, lambda: self.tokenizer.decode(response_ids[:length], skip_special_tokens=True)  # type: ignore[attr-defined]
        )
        step = to_plain(fields.get("global_steps", getattr(data, "meta_info", {}).get("global_steps")))
        validating = bool(getattr(data, "meta_info", {}).get("validate", False))
        reward, details = await score_one(
            client_here(**self._options),
            prompt_id_of(fields.get("data_source"), info),
            Rollout(
                text,
                id=_rollout_id(fields),
                index=_session(fields),
                tokens=length,
                truncated=self._is_cut(response_ids, length),
            ),
            ground_truth=(fields.get("reward_model") or {}).get("ground_truth"),
            split="eval" if validating else to_split(info.get("split")),
            step=step if isinstance(step, int) and step >= 0 else None,
            prompt=await self.loop.run_in_executor(None, self._prompt_tail, item.batch),  # type: ignore[attr-defined]
        )
        return {"reward_score": to_float(reward), "reward_extra_info": {"acc": to_float(reward), **details}}


    def _is_cut(self, response_ids: Any, length: int) -> bool:
        """Whether the limit ended it: it is as long as may be, and its last token ends no text."""
        if not isinstance(self._limit, int) or length < self._limit:
            return False
        return int(response_ids[length - 1]) != self.tokenizer.eos_token_id  # type: ignore[attr-defined]

    def _prompt_tail(self, batch: Any) -> Optional[str]:
        """The end of the prompt with its special tokens: a template may open the reasoning there."""
        if "prompts" not in batch.keys():
            return None
        return prompt_tail(self.tokenizer.decode(batch["prompts"][-TAIL_TOKENS:], skip_special_tokens=False))  # type: ignore[attr-defined]


def _session(fields: Mapping[str, Any]) -> Optional[int]:
    """Which of the n samples of its prompt it is; only newer trainers say it."""
    session = to_plain(fields.get("session_id"))
    return session if isinstance(session, int) and session >= 0 else None


def _rollout_id(fields: Mapping[str, Any]) -> Optional[str]:
    """All n samples of a prompt share one uid, so it names a rollout only together with the session."""
    uid, session = to_plain(fields.get("uid")), _session(fields)
    return None if uid is None or session is None else f"{uid}/{session}"
