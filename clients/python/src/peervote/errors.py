"""What can go wrong, one class for each family of the server's error codes."""

from __future__ import annotations

from typing import Any, Mapping, Optional

__all__ = [
    "AccessError",
    "ConflictError",
    "InvalidRequestError",
    "NotFoundError",
    "PeerVoteError",
    "ServerUnreachableError",
    "UnavailableError",
    "WaitTimeoutError",
]


class PeerVoteError(Exception):
    """The server's answer, or its absence. ``code`` is stable; ``retryable`` says whether the same call may succeed later."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        retryable: bool,
        status: Optional[int] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable
        self.status = status
        self.details: Mapping[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.args[0]} [{self.code}]"


class InvalidRequestError(PeerVoteError):
    """What was sent can never be right: a bad shape, more rollouts than k, a prompt that no manifest knows."""


class AccessError(PeerVoteError):
    """The server wants a token, or this one is not for this agent."""


class NotFoundError(PeerVoteError):
    """There is no such cohort, agent, prompt or path."""


class ConflictError(PeerVoteError):
    """It contradicts what is stored: another text for an id, another ground truth, an older start of the trainer."""


class UnavailableError(PeerVoteError):
    """The server cannot serve it now."""


class ServerUnreachableError(UnavailableError):
    """No answer came for as long as the client was told to try."""


class WaitTimeoutError(UnavailableError):
    """The rewards were not decided within the timeout that the caller gave; the rollouts stay recorded."""


def error_of(status: int, problem: Mapping[str, Any], text: str) -> PeerVoteError:
    """The exception for a reply that is not 2xx; ``problem`` is empty when it was not one of the server's own."""
    code = str(problem.get("code") or f"http_{status}")
    message = str(problem.get("detail") or f"The server answered {status}: {text[:200] or 'nothing'}")
    # A proxy in the way knows no problems; what it says with 5xx, 408 or 429 passes.
    retryable = bool(problem.get("retryable", status >= 500 or status in (408, 429)))
    known = {"type", "title", "status", "detail", "code", "retryable"}
    details = {key: value for key, value in problem.items() if key not in known}
    kind = _family(status)
    return kind(message, code=code, retryable=retryable, status=status, details=details)


def _family(status: int) -> "type[PeerVoteError]":
    if status in (401, 403):
        return AccessError
    if status in (404, 405):
        return NotFoundError
    if status == 409:
        return ConflictError
    if status >= 500 or status in (408, 429):
        return UnavailableError
    return InvalidRequestError
