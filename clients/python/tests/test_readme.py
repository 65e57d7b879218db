"""The snippets of the README and of docs/trainers.md work when they are pasted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Dict

import pytest
import requests

from server import Server
from snippets import README, TRAINERS, snippets_of

HERE = "here"
#: Where each snippet is run: here, or by the test of its trainer.
README_SNIPPETS = {
    "The client": HERE,
    "TRL": HERE,
    "OpenRLHF": HERE,
    "AReaL": HERE,
    "ms-swift": "elsewhere/test_swift.py",
    "NeMo RL": "elsewhere/test_nemo_rl.py",
}
TRAINERS_SNIPPETS = {
    "ROLL": HERE,
    "OpenRLHF": "trainers/test_snippets.py",
    "TRL": "trainers/test_snippets.py",
    "ms-swift": "elsewhere/test_swift.py",
    "AReaL": "elsewhere/test_areal.py",
    "NeMo RL": "elsewhere/test_nemo_rl.py",
}


def test_every_snippet_has_a_test() -> None:
    assert set(snippets_of(README)) == set(README_SNIPPETS)
    assert set(snippets_of(TRAINERS)) == set(TRAINERS_SNIPPETS)


@pytest.mark.parametrize("section", [section for section, place in README_SNIPPETS.items() if place == HERE])
def test_those_of_the_readme_run(
    section: str,
    server: Server,
    cohort: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = cohort(agents=["qwen", "llama"])
    for key, value in {"URL": server.url, "COHORT": name, "AGENT": "qwen"}.items():
        monkeypatch.setenv(f"PEERVOTE_{key}", value)
    snippet = snippets_of(README)[section]
    here = snippet.replace("http://127.0.0.1:8080", server.url).replace('cohort="default"', f'cohort="{name}"')
    exec(compile(here, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    if section == "The client":
        assert printed == "[1.0, 0.0]\n"
    if section == "OpenRLHF":
        assert printed.splitlines()[0] == "http://peervote:8080/openrlhf/default/qwen"


def test_the_urls_for_roll_are_those_of_the_server(server: Server, cohort: Callable[..., str]) -> None:
    name = cohort(agents=["qwen", "llama"])
    snippet = snippets_of(TRAINERS)["ROLL"]
    data = SimpleNamespace(meta_info={})
    exec(snippet.replace("http://peervote:8080/roll/default", f"{server.url}/roll/{name}"), {"data": data})
    urls: Dict[str, str] = data.meta_info["reward_system_config"]
    task: Dict[str, Any] = {
        "data_id": "add-2", "rollout_id": "u-1", "global_step": 4, "prompt": "2+2?", "response": "\\boxed{4}",
        "reward_info": {"ground_truth": "4"},
    }  # fmt: skip
    submitted = requests.post(urls["submit_url"], json=task, timeout=20).json()
    body = {"reward_request_id": submitted["reward_request_id"]}
    polled = requests.get(urls["get_result_url"], json=body, timeout=20).json()
    assert (submitted["errcode"], polled["errcode"]) == (0, 1)
