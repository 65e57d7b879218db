"""The snippets of the README work when they are pasted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable, List

import pytest

from server import Server

README = (Path(__file__).resolve().parents[1] / "README.md").read_text()
#: Trainers that these snippets import themselves and that are not installed here.
ELSEWHERE = ("register()", "nemo_rl")


def snippets() -> List[str]:
    found = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(found) == 6
    return [snippet for snippet in found if not any(word in snippet for word in ELSEWHERE)]


@pytest.mark.parametrize("snippet", snippets())
def test_runs(
    snippet: str,
    server: Server,
    cohort: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = cohort(agents=["qwen", "llama"])
    for key, value in {"URL": server.url, "COHORT": name, "AGENT": "qwen"}.items():
        monkeypatch.setenv(f"PEERVOTE_{key}", value)
    here = snippet.replace("http://127.0.0.1:8080", server.url).replace('cohort="default"', f'cohort="{name}"')
    exec(compile(here, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    if "rewards.flat()" in snippet:
        assert printed == "[1.0, 0.0]\n"
    if "reward_url" in snippet:
        assert printed.splitlines()[0] == "http://peervote:8080/openrlhf/default/qwen"
