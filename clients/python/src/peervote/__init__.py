"""Client of PeerVote, the reward server for Co-RL, and adapters for trainers (``peervote.trl``, ``peervote.verl``, …)."""

from .aio import AsyncPeerVote
from .client import PeerVote
from .errors import (
    AccessError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PeerVoteError,
    ServerUnreachableError,
    UnavailableError,
    WaitTimeoutError,
)
from .models import Group, GroupReward, Pending, Rewards, Rollout, RolloutReward, Waiting

__version__ = "0.1.0"

__all__ = [
    "AccessError",
    "AsyncPeerVote",
    "ConflictError",
    "Group",
    "GroupReward",
    "InvalidRequestError",
    "NotFoundError",
    "PeerVote",
    "PeerVoteError",
    "Pending",
    "Rewards",
    "Rollout",
    "RolloutReward",
    "ServerUnreachableError",
    "UnavailableError",
    "WaitTimeoutError",
    "Waiting",
    "__version__",
]
