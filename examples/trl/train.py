"""One agent's trainer: TRL's own GRPOTrainer, whose only reward is the peer's vote. Started by run.py, once per agent."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from datasets import Dataset
from policies import AGENTS, build_model, warm_up
from problems import build_rows, build_tokenizer
from transformers.trainer_utils import set_seed
from trl import GRPOConfig, GRPOTrainer

from peervote.trl import PeerVoteReward

K = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", choices=AGENTS, required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    # Both agents share the machine.
    torch.set_num_threads(1)

    tokenizer = build_tokenizer()
    model = build_model(options.agent, tokenizer)
    share = warm_up(model, tokenizer, options.agent)
    print(f"{options.agent}: {share:.0%} of the sums right before training", flush=True)
    set_seed(1)

    config = GRPOConfig(
        output_dir=str(options.out / options.agent),
        max_steps=options.steps,
        num_generations=K,
        per_device_train_batch_size=8 * K,
        num_generations_eval=1,
        per_device_eval_batch_size=20,
        eval_strategy="steps",
        eval_steps=max(1, min(10, options.steps // 2)),
        max_completion_length=6,
        learning_rate=5e-4,
        temperature=1.0,
        beta=0.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        dataloader_num_workers=0,
        disable_tqdm=True,
        # The rows are shuffled once, alike for both, and stay so: the seed is for the samples, which must differ.
        shuffle_dataset=False,
        seed=1 + AGENTS.index(options.agent),
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=PeerVoteReward(options.url, "sums", options.agent),
        args=config,
        train_dataset=Dataset.from_list(build_rows("train")).shuffle(seed=7),
        eval_dataset=Dataset.from_list(build_rows("eval")),
        processing_class=tokenizer,
    )
    trainer.train()
    (options.out / f"{options.agent}.json").write_text(json.dumps(trainer.state.log_history))


if __name__ == "__main__":
    main()
