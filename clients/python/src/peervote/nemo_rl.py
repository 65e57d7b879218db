"""NeMo RL: an environment whose ``step`` scores the whole batch at once (synchronous rollouts)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._batch import Sample, score_samples
from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, completion_text, first_of, require_prompt_id, to_float, to_split
from ._start import name_of_start
from .client import PeerVote
from .models import Rollout

__all__ = ["register", "score_conversations"]

#: How NeMo RL's registries name the environment.
ACTOR = "peervote.nemo_rl.PeerVoteActor"


def register(name: str = "peervote") -> None:
    """Makes the environment known to NeMo RL under ``name``; call it before the data is set up."""
    from nemo_rl.distributed.ray_actor_environment_registry import ACTOR_ENVIRONMENT_REGISTRY
    from nemo_rl.distributed.virtual_cluster import PY_EXECUTABLES
    from nemo_rl.environments.utils import register_env

    # Which Python runs an actor; without an entry NeMo RL refuses to make one.
    ACTOR_ENVIRONMENT_REGISTRY[ACTOR] = PY_EXECUTABLES.SYSTEM
    register_env(name, ACTOR)


def score_conversations(
    client: PeerVote, message_logs: Sequence[Sequence[Mapping[str, Any]]], metadata: Sequence[Mapping[str, Any]]
) -> List[float]:
    """The reward of the last assistant's message of each conversation, in their order."""
    samples: List[Sample] = []
    for log, info in zip(message_logs, metadata):
        fields = info or {}
        said = [message for message in log if message.get("role") == "assistant"]
        prompt_id = require_prompt_id(first_of(fields, PROMPT_ID_KEYS), "extra_env_info")
        rollout = Rollout(completion_text(said[-1]) if said else "", index=len(samples))
        samples.append(Sample(prompt_id, rollout, first_of(fields, TRUTH_KEYS), to_split(fields.get("split"))))
    scored, _ = score_samples(client, samples, step=None)
    return [to_float(each.reward) for each in scored]


def __getattr__(name: str) -> Any:
    """``PeerVoteActor``, for NeMo RL's registry; made when it is asked for, since it needs NeMo RL and Ray."""
    if name == "PeerVoteActor":
        return _make_actor()
    raise AttributeError(f"module {__name__} has no attribute {name}")


def _make_actor() -> Any:
    import ray
    import torch
    from nemo_rl.environments.interfaces import EnvironmentInterface, EnvironmentReturn

    class PeerVoteEnvironment(EnvironmentInterface):  # type: ignore[misc, valid-type]
        def __init__(self, cfg: Optional[Mapping[str, Any]] = None) -> None:
            options: Dict[str, Any] = {key: (cfg or {}).get(key) for key in ("url", "cohort", "agent")}
            self._client = PeerVote(**options, incarnation=name_of_start(in_ranks=False))

        def step(self, message_log_batch: Any, metadata: Any, *_: Any) -> Any:
            count = len(metadata)
            return EnvironmentReturn(
                observations=[{"role": "environment", "content": ""}] * count,
                metadata=metadata,
                next_stop_strings=[None] * count,
                rewards=torch.tensor(score_conversations(self._client, message_log_batch, metadata)),
                terminateds=torch.ones(count),
                answers=None,
            )

        def global_post_process_and_metrics(self, batch: Any) -> Any:
            return batch, {}

    return ray.remote(PeerVoteEnvironment)
