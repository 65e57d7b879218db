"""One agent's trainer as a user writes it: TRL's GRPOTrainer with a tiny model, at the packages' own log levels."""

from __future__ import annotations

import argparse
import decimal
import os
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import torch
from datasets import Dataset
from transformers import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

PROJECT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(PROJECT / "examples/trl"))

from policies import build_model  # noqa: E402
from problems import build_tokenizer  # noqa: E402

from peervote.trl import PeerVoteReward  # noqa: E402

#: Truths as data sets have them, none of which may end a training.
ODD_TRUTHS: List[Any] = [
    {"answer": 3},
    np.float64(3.0),
    decimal.Decimal("3"),
    float("nan"),
    "x" * 20_000,
    None,
    ["3", "4"],
    np.array([3]),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--cohort", required=True)
    parser.add_argument("--arch", default="gpt2")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--first-row", type=int, default=0)
    parser.add_argument("--ids", default="add-{}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shuffle", action="store_true")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--unmarked-eval", action="store_true")
    parser.add_argument("--duplicates", action="store_true")
    parser.add_argument("--odd-truths", action="store_true")
    parser.add_argument("--none-completions", action="store_true")
    parser.add_argument("--die-at", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0.3)
    parser.add_argument("--length", type=int, default=12)
    parser.add_argument("--save", type=Path, help="keep a checkpoint of each step there, and go on from the last one")
    options = parser.parse_args()
    torch.set_num_threads(1)

    class Pace(TrainerCallback):
        """A step takes time on a GPU; and some jobs die."""

        def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            print(f"step {state.global_step} done", flush=True)
            if options.die_at and state.global_step >= options.die_at:
                os.kill(os.getpid(), 9)
            time.sleep(options.pause)

    rows = [row_of(options.first_row + at, options.ids) for at in range(options.rows)]
    if options.duplicates:
        rows = [row for row in rows for _ in range(2)]
    if options.odd_truths:
        # A column of Arrow has one type: as a table of Python objects it reaches the reward function as it is.
        truths = {row["prompt_id"]: ODD_TRUTHS[at % len(ODD_TRUTHS)] for at, row in enumerate(rows)}
    evaluation = [{"prompt": f"{at}+1=", "prompt_id": f"eval-{at}", "ground_truth": str(at + 1)} for at in range(6)]
    tokenizer = build_tokenizer()
    reward = PeerVoteReward(options.url, options.cohort, options.agent)

    def adjusted(prompts: Any, completions: Any, **columns: Any) -> Any:
        if options.odd_truths:
            columns["ground_truth"] = [truths[each] for each in columns["prompt_id"]]
        if options.none_completions:
            completions = [None if at % 5 == 0 else text for at, text in enumerate(completions)]
        return reward(prompts, completions, **columns)

    wants_adjusting = options.odd_truths or options.none_completions
    trainer = GRPOTrainer(
        model=build_model(options.arch, tokenizer),
        reward_funcs=adjusted if wants_adjusting else reward,
        args=GRPOConfig(
            output_dir=str(options.save or "/tmp/peervote-mistakes"),
            max_steps=options.steps,
            num_generations=options.samples,
            per_device_train_batch_size=4 * options.samples,
            max_completion_length=options.length,
            logging_steps=1,
            save_strategy="no" if options.save is None else "steps",
            save_steps=1,
            save_total_limit=4,
            eval_strategy="steps" if options.unmarked_eval else "no",
            eval_steps=2,
            num_generations_eval=2,
            per_device_eval_batch_size=6,
            report_to=[],
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
            shuffle_dataset=options.shuffle,
            seed=options.seed,
        ),
        train_dataset=Dataset.from_list(rows),
        eval_dataset=Dataset.from_list(evaluation) if options.unmarked_eval else None,
        processing_class=tokenizer,
        callbacks=[Pace()],
    )
    print("ready", flush=True)
    resumes = options.save is not None and any(options.save.glob("checkpoint-*"))
    trainer.train(resume_from_checkpoint=str(latest(options.save)) if resumes else None)
    print("finished", flush=True)


def row_of(number: int, ids: str) -> Dict[str, Any]:
    a, b = number // 10 % 10, number % 10
    # Without a truth: the model is drawn at random, and that none of its answers is right is a finding of its own.
    return {"prompt": f"{a}+{b}=", "prompt_id": ids.format(number)}


def latest(folder: Path) -> Path:
    """The oldest checkpoint that is kept: a user who resumes loses steps."""
    return min(folder.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))


if __name__ == "__main__":
    main()
