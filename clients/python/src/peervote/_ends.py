"""Tells the server that an agent is done when its training ends, so that no peer waits for it; only after a normal end."""

from __future__ import annotations

import atexit
import logging
import sys
import weakref
from collections import Counter
from typing import Any, Callable, Optional, Tuple

from ._start import name_of_start
from .client import PeerVote
from .errors import PeerVoteError

__all__ = ["Training"]

logger = logging.getLogger("peervote")

#: How long a job that is over stays for a server that does not answer.
PATIENCE_S = 30.0
#: How many callers up the trainer is looked for.
_CALLERS = 12


#: How many trainings of an agent ended in this process. The next is another start, since the server takes no agent back
#: that comes again by the name under which it left.
_ended: "Counter[Tuple[str, str, str]]" = Counter()


class Training:
    """One training after another, as the reward function of a transformers trainer (TRL, ms-swift) sees them."""

    def __init__(self, client: PeerVote, *, names: bool) -> None:
        """``names``: give the client's rollouts the name of this start."""
        self._client = client
        self._names = names
        self._state: Any = None
        self._open = False
        self._trainer: "Callable[[], Any]" = lambda: None

    def note_call(self, state: Any) -> None:
        """To be told at each call for training, with the trainer's state if the reward function is given one."""
        self._state = state
        if self._open:
            return
        self._open = True
        if self._names:
            name, ended = name_of_start(in_ranks=True), _ended[self._agent]
            if name is not None:
                self._client.use_incarnation(f"{name}+{ended}" if ended else name)
        trainer = _find_trainer()
        if trainer is not None and trainer is self._trainer():
            return
        if trainer is not None:
            self._trainer = weakref.ref(trainer)
        if trainer is None or not _add_callback(trainer, self.on_train_end):
            atexit.register(self._at_exit)

    @property
    def copies(self) -> Optional[int]:
        """How often the sampler repeats a prompt, where the trainer says it."""
        said = getattr(self._trainer(), "num_generations", None)
        return said if isinstance(said, int) and said > 0 else None

    def on_train_end(self, state: Any) -> None:
        """The training is over in all ranks; the first tells it, once."""
        if not self._open:
            return
        self._open = False
        _ended[self._agent] += 1
        if not getattr(state, "is_world_process_zero", True):
            return
        try:
            self._client._finish_soon(PATIENCE_S)
        except PeerVoteError as error:
            who = self._client.settings.agent
            logger.warning("peervote: %s is done, and the server could not be told, so peers wait for it. %s", who, error)

    @property
    def _agent(self) -> Tuple[str, str, str]:
        settings = self._client.settings
        return settings.url, settings.cohort, settings.agent

    def _at_exit(self) -> None:
        """An exit says nothing of how the training ended; its steps do, and whether an exception ended the process."""
        state = self._state
        steps, last = getattr(state, "global_step", 0), getattr(state, "max_steps", 0)
        if getattr(sys, "last_type", None) is None and 0 < last <= steps:
            self.on_train_end(state)


def _find_trainer() -> Optional[Any]:
    """The trainer that calls, which no argument of a reward function names: the first up the stack whose method runs."""
    frame = sys._getframe(1)
    for _ in range(_CALLERS):
        if frame is None:
            break
        own = frame.f_locals.get("self")
        if callable(getattr(own, "add_callback", None)) and hasattr(own, "callback_handler"):
            return own
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _add_callback(trainer: Any, on_train_end: Callable[[Any], None]) -> bool:
    try:
        from transformers import TrainerCallback
    except ImportError:
        return False

    class PeerVoteCallback(TrainerCallback):  # type: ignore[misc, valid-type]
        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            on_train_end(state)

    trainer.add_callback(PeerVoteCallback())
    return True
