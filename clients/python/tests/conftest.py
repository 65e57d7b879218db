from __future__ import annotations

import sys
import uuid
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from server import Server  # noqa: E402


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server("--agents", "a,b", "--k", "2") as running:
        yield running


@pytest.fixture
def cohort(server: Server) -> Callable[..., str]:
    """Makes a cohort of agents ``a`` and ``b`` with a name of its own."""

    def make(**config: Any) -> str:
        name = f"c-{uuid.uuid4().hex[:8]}"
        server.put(f"/v1/cohorts/{name}", {"agents": ["a", "b"], "k": 2, **config})
        return name

    return make
