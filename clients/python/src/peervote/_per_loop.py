"""One asynchronous client for each event loop: its connections belong to the loop that opened them."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Tuple
from weakref import WeakKeyDictionary

from ._start import name_of_start
from .aio import AsyncPeerVote

_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, Dict[Tuple[Any, ...], AsyncPeerVote]]" = WeakKeyDictionary()


def client_here(**options: Any) -> AsyncPeerVote:
    """The client with these options in the running loop, made at its first call."""
    mine = _clients.setdefault(asyncio.get_running_loop(), {})
    key = tuple(sorted(options.items()))
    if key not in mine:
        mine[key] = AsyncPeerVote(**options, incarnation=name_of_start(in_ranks=False))
    return mine[key]
