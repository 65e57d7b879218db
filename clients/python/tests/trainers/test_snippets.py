"""The snippets of docs/trainers.md that need a trainer or its data sets, as they stand there."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Dict

import pytest
from datasets import Dataset
from transformers import PreTrainedTokenizerFast

from peervote import Group, PeerVote, Rollout, WaitTimeoutError
from server import PROJECT, Server
from snippets import TRAINERS, snippets_of

sys.path.insert(0, str(PROJECT / "examples/trl"))

from policies import build_model  # noqa: E402
from problems import build_rows, build_tokenizer  # noqa: E402


def test_openrlhf_fills_the_label_column() -> None:
    names: Dict[str, Any] = {"dataset": Dataset.from_list([{"answer": "42"}, {"answer": "7"}])}
    exec(snippets_of(TRAINERS)["OpenRLHF"], names)
    assert [json.loads(row["label"]) for row in names["dataset"]] == [
        {"pid": "gsm8k-0", "split": "train", "answer": "42"},
        {"pid": "gsm8k-1", "split": "train", "answer": "7"},
    ]


def test_trl_trains_with_the_trainer_of_the_snippet(server: Server, cohort: Callable[..., str], tmp_path: Path) -> None:
    """Only the model is another, since nothing is downloaded here, and the training is one step on a CPU."""
    name = cohort(agents=["qwen", "gemma"], k=8)
    rows = build_rows("train")[:2]
    with PeerVote(server.url, name, "gemma", timeout_s=0.1) as gemma, suppress(WaitTimeoutError):
        gemma.rewards([Group(row["prompt_id"], [Rollout(answer="1")] * 8) for row in rows])
    tokenizer: PreTrainedTokenizerFast = build_tokenizer()
    build_model("gpt2", tokenizer).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    brief = "use_cpu=True, bf16=False, max_steps=1, max_completion_length=6, report_to=[], save_strategy='no'"
    here = {
        "Qwen/Qwen2.5-0.5B-Instruct": str(tmp_path / "model"),
        "http://peervote:8080": server.url,
        '"default"': f'"{name}"',
        "seed=1": f"seed=1, {brief}",
    }
    code = snippets_of(TRAINERS)["TRL"]
    for there, value in here.items():
        assert code.count(there) == 1
        code = code.replace(there, value)
    names: Dict[str, Any] = {
        "train_dataset": Dataset.from_list(rows),
        "eval_dataset": Dataset.from_list(build_rows("eval")[:8]),
    }
    with pytest.MonkeyPatch.context() as folder:
        folder.chdir(tmp_path)
        exec(code, names)
        trainer = names["trainer"]
        trainer.train()
        graded = trainer.evaluate()
    logged = {key for entry in trainer.state.log_history for key in entry}
    assert {"rewards/peervote/mean", "peervote/barrier_wait_s", "peervote/labeled_fraction"} <= logged
    assert "eval_rewards/peervote/mean" in graded
