"""verl's own reward loop with our reward function and one group, for an agent whose peer never comes."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "trainers")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from tensordict import TensorDict  # noqa: E402
from tokenizers import Tokenizer, models  # noqa: E402
from transformers import PreTrainedTokenizerFast  # noqa: E402
from verl import DataProto  # noqa: E402
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker  # noqa: E402

K, LENGTH = 4, 4


def main() -> None:
    from test_verl import config_of

    url, cohort, agent = sys.argv[1:4]
    folder = tempfile.mkdtemp()
    words = {"<pad>": 0, "<eos>": 1, "7": 2}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>").save_pretrained(folder)
    kwargs = {"url": url, "cohort": cohort, "agent": agent}
    reward = {"path": "pkg://peervote.verl", "name": "compute_score", "reward_kwargs": kwargs}
    worker = RewardLoopWorker(config_of(folder, {"custom_reward_function": reward}))
    print("ready", flush=True)
    scored = worker.loop.run_until_complete(asyncio.wait_for(worker.compute_score_batch(batch()), 120))
    print([each["reward_score"] for each in scored])
    print("finished", flush=True)


def batch() -> Any:
    tensors = TensorDict(
        {
            "responses": torch.full((K, LENGTH), 2),
            "prompts": torch.full((K, LENGTH), 2),
            "attention_mask": torch.ones(K, 2 * LENGTH, dtype=torch.long),
        },
        batch_size=K,
    )
    columns = {
        "data_source": ["sums"] * K,
        "uid": ["u"] * K,
        "reward_model": [{"ground_truth": "7", "style": "rule"}] * K,
        "extra_info": [{"split": "train", "index": 1, "prompt_id": "add-1"}] * K,
    }
    arrays = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return DataProto(batch=tensors, non_tensor_batch=arrays, meta_info={"validate": False, "global_steps": 1})


if __name__ == "__main__":
    main()
