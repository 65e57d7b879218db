from __future__ import annotations

from typing import Callable

import pytest

from server import Server


@pytest.fixture
def name(server: Server, cohort: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> str:
    """A cohort with K = 4, of which this process is agent ``a``, as its environment says."""
    made = cohort(k=4)
    for key, value in {"URL": server.url, "COHORT": made, "AGENT": "a"}.items():
        monkeypatch.setenv(f"PEERVOTE_{key}", value)
    return made
