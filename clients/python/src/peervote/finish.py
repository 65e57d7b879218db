"""Says that an agent is done, for trainers that call no hook at their end: ``train … && python -m peervote.finish``.

Reads ``PEERVOTE_URL``, ``PEERVOTE_COHORT``, ``PEERVOTE_AGENT`` and ``PEERVOTE_TOKEN``.
"""

from __future__ import annotations

import sys
from typing import Optional, Sequence

from ._ends import PATIENCE_S
from .client import PeerVote
from .errors import PeerVoteError

__all__ = ["main"]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The exit code; ``arguments`` are those of the command line, of which there are none."""
    if sys.argv[1:] if arguments is None else arguments:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    try:
        with PeerVote() as client:
            # Whatever this start was called where it ran: nobody else speaks for the agent now.
            client.use_incarnation(None)
            client._finish_soon(PATIENCE_S)
            print(f"{client.settings.agent} is done; nobody waits for it any more.")
    except (PeerVoteError, ValueError) as error:
        print(f"peervote: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
