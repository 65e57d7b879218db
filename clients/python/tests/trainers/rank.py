"""One rank of a GRPOTrainer whose groups lie on two ranks; started by torchrun in test_trl.py."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples/trl"))

from policies import build_model, warm_up  # noqa: E402
from problems import build_rows, build_tokenizer  # noqa: E402

from peervote.trl import PeerVoteReward  # noqa: E402

K = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--cohort", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = build_tokenizer()
    model = build_model("gpt2", tokenizer)
    warm_up(model, tokenizer, "gpt2", target=0.3)
    config = GRPOConfig(
        output_dir=str(options.out / "model"),
        max_steps=2,
        num_generations=K,
        # Half a group on each rank.
        per_device_train_batch_size=K // 2,
        max_completion_length=6,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=PeerVoteReward(options.url, options.cohort, "a"),
        args=config,
        train_dataset=Dataset.from_list(build_rows("train")[:4]),
        processing_class=tokenizer,
    )
    trainer.train()
    if os.environ["RANK"] == "0":
        (options.out / "log.json").write_text(json.dumps(trainer.state.log_history))
    # Otherwise the threads of gloo may still run when the interpreter ends, which aborts the process now and then.
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
