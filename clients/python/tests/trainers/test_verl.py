"""verl's own reward loop, on a CPU, with our adapters on its DataProto batches."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from tensordict import TensorDict
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl import DataProto
from verl.experimental.reward_loop.reward_loop import RewardLoopManager, RewardLoopWorker

from server import Server

PROMPTS, K, LENGTH = 8, 4, 12
MakeCohort = Callable[..., str]


@pytest.fixture(scope="module")
def tokenizer_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    letters = ["<pad>", "<eos>", "\\boxed{", *"0123456789} ."]
    tokenizer = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate(letters)}, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\\boxed\{|."), behavior="isolated")
    tokenizer.decoder = decoders.Fuse()
    path = tmp_path_factory.mktemp("tokenizer")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>").save_pretrained(path)
    return str(path)


def config_of(tokenizer_path: str, reward: Dict[str, Any]) -> Any:
    """What verl's reward.yaml holds, where the reward loop reads it."""
    defaults: Dict[str, Any] = {
        "num_workers": 2,
        "custom_reward_function": {"path": None, "name": "compute_score", "reward_kwargs": {}},
        "reward_manager": {"source": "register", "name": "naive", "module": {"path": None, "name": None}},
        "reward_model": {"enable": False, "enable_resource_pool": False},
        "sandbox_fusion": {"url": None},
    }
    return OmegaConf.create(
        {
            "actor_rollout_ref": {"model": {"path": tokenizer_path, "tokenizer_path": tokenizer_path}},
            "reward": {**defaults, **reward},
        }
    )


def with_function(server: Server, cohort: str, agent: str) -> Dict[str, Any]:
    kwargs = {"url": server.url, "cohort": cohort, "agent": agent}
    path = {"path": "pkg://peervote.verl", "name": "compute_score", "reward_kwargs": kwargs}
    return {"custom_reward_function": path}


def with_manager(server: Server, cohort: str, agent: str) -> Dict[str, Any]:
    module = {"path": "pkg://peervote.verl", "name": "PeerVoteRewardManager"}
    return {
        "reward_manager": {"source": "importlib", "name": "PeerVoteRewardManager", "module": module},
        "reward_kwargs": {"peervote_url": server.url, "peervote_cohort": cohort, "peervote_agent": agent},
    }


def batch_of(tokenizer_path: str, wrong: Callable[[int], bool], split: str = "train") -> DataProto:
    """A batch of PROMPTS × K trajectories as agent loops hand them over: prompts padded left, responses right."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tokenizer_path)
    responses, masks = [], []
    fields: Dict[str, List[Any]] = {key: [] for key in ("data_source", "reward_model", "extra_info", "uid", "session_id")}
    for i in range(PROMPTS):
        for k in range(K):
            ids = tokenizer.encode(f"\\boxed{{{2 * i + int(wrong(k)) * (k + 1)}}}") + [tokenizer.eos_token_id]
            responses.append(ids + [tokenizer.pad_token_id] * (LENGTH - len(ids)))
            masks.append([1] * 4 + [1] * len(ids) + [0] * (LENGTH - len(ids)))
            fields["data_source"].append("sums")
            fields["reward_model"].append({"ground_truth": str(2 * i), "style": "rule"})
            fields["extra_info"].append({"split": split, "index": i})
            fields["uid"].append(f"uid-{i}")
            fields["session_id"].append(k)
    size = PROMPTS * K
    tensors = {
        "prompts": torch.ones((size, 4), dtype=torch.long),
        "responses": torch.tensor(responses),
        "attention_mask": torch.tensor(masks),
    }
    arrays = {key: np.array(values, dtype=object) for key, values in fields.items()}
    return DataProto(batch=TensorDict(tensors, batch_size=size), non_tensor_batch=arrays, meta_info={"global_steps": 3})


def expected_for_a() -> List[float]:
    """Agent b is right 3 times of 4, so that its label is the truth."""
    return [float(k % 2 == 0) for _ in range(PROMPTS) for k in range(K)]


@pytest.mark.parametrize("adapter", [with_function, with_manager])
def test_its_reward_loop_gets_the_peers_votes(
    server: Server, cohort: MakeCohort, tokenizer_path: str, adapter: Callable[..., Dict[str, Any]]
) -> None:
    name = cohort(k=K)

    async def both() -> List[List[Dict[str, Any]]]:
        workers = [RewardLoopWorker(config_of(tokenizer_path, adapter(server, name, agent))) for agent in "ab"]
        batches = [batch_of(tokenizer_path, lambda k: k % 2 == 1), batch_of(tokenizer_path, lambda k: k == 1)]
        return await asyncio.gather(*(worker.compute_score_batch(batch) for worker, batch in zip(workers, batches)))

    a, b = asyncio.run(both())
    assert [each["reward_score"] for each in a] == expected_for_a()
    assert {type(each["reward_score"]) for each in a + b} == {float}
    keys = {tuple(each["reward_extra_info"]) for each in a + b}
    assert len(keys) == 1 and "labeled" in next(iter(keys))
    assert all(type(value) is float for each in a + b for value in each["reward_extra_info"].values())


def test_the_manager_names_rollouts_by_uid_and_session(
    server: Server, cohort: MakeCohort, tokenizer_path: str
) -> None:
    """So a batch that is scored twice, as after an error, is stored once."""
    name = cohort(k=K)

    async def run() -> None:
        a, b = (RewardLoopWorker(config_of(tokenizer_path, with_manager(server, name, agent))) for agent in "ab")
        batch = batch_of(tokenizer_path, lambda k: k % 2 == 1)
        first = asyncio.create_task(a.compute_score_batch(batch))
        await asyncio.sleep(1)
        again = asyncio.create_task(a.compute_score_batch(batch))
        await b.compute_score_batch(batch_of(tokenizer_path, lambda k: False))
        assert await first == await again

    asyncio.run(run())
    [bucket] = server.get(f"/v1/cohorts/{name}/buckets/sums%2Ftrain%2F0")["rounds"]
    group = next(group for group in bucket["groups"] if group["agent"] == "a")
    assert sorted(rollout["id"] for rollout in group["rollouts"]) == [f"uid-0/{k}" for k in range(K)]
    assert (group["step"], bucket["ground_truth"]) == (3, "0")


def test_eval_is_graded_at_once(server: Server, cohort: MakeCohort, tokenizer_path: str) -> None:
    async def grade() -> List[Dict[str, Any]]:
        worker = RewardLoopWorker(config_of(tokenizer_path, with_function(server, cohort(k=K), "a")))
        return await worker.compute_score_batch(batch_of(tokenizer_path, lambda k: k % 2 == 1, split="test"))

    assert [each["reward_score"] for each in asyncio.run(grade())] == expected_for_a()


def test_the_barrier_holds_with_its_ray_actors(
    server: Server, cohort: MakeCohort, tokenizer_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Agent a has verl's manager with two workers, and every sample goes to any of them, as its agent loop sends it."""
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=100_000_000)
    try:
        name = cohort(k=K)
        workers = RewardLoopManager(config_of(tokenizer_path, with_function(server, name, "a"))).reward_loop_workers
        batch = batch_of(tokenizer_path, lambda k: k % 2 == 1)
        a = [workers[i % len(workers)].compute_score.remote(batch[i : i + 1]) for i in range(len(batch))]
        ready, _ = ray.wait(a, timeout=10)
        assert ready == []

        async def teach() -> None:
            b = RewardLoopWorker(config_of(tokenizer_path, with_manager(server, name, "b")))
            await b.compute_score_batch(batch_of(tokenizer_path, lambda k: k == 1))

        asyncio.run(teach())
        assert [each["reward_score"] for each in ray.get(a, timeout=120)] == expected_for_a()
    finally:
        ray.shutdown()
