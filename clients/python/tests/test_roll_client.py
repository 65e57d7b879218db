"""ROLL's submit-and-poll client as it behaves on the wire: `requests`, and a GET that carries its id in a JSON body."""

from __future__ import annotations

from typing import Any, Callable, Dict

import requests

from peervote import Group, PeerVote, Rollout
from server import Server

HEADERS = {"Content-Type": "application/json", "XRL-Authorization": "Bearer t", "BusinessType": "online"}


def test_submits_polls_and_reads_a_float(server: Server, cohort: Callable[..., str]) -> None:
    name = cohort()
    base = f"{server.url}/roll/{name}/a"

    def submit(rollout_id: str, answer: str) -> str:
        task: Dict[str, Any] = {
            "priority": 1, "project_id": "p", "experiment_id": "e", "global_step": 4, "data_id": "add-2",
            "rollout_id": rollout_id, "prompt": "2+2?", "response": f"\\boxed{{{answer}}}",
            "reward_info": {"ground_truth": "4"}, "reward_manager": [], "timeout": 300,
        }  # fmt: skip
        reply = requests.post(f"{base}/submit_task", headers=HEADERS, json=task, timeout=20)
        reply.raise_for_status()
        assert reply.json()["errcode"] == 0
        return str(reply.json()["reward_request_id"])

    def poll(request_id: str) -> Dict[str, Any]:
        body = {"reward_request_id": request_id}
        reply = requests.get(f"{base}/task_result", headers=HEADERS, json=body, timeout=20)
        reply.raise_for_status()
        return dict(reply.json())

    ids = [submit("u-1", "4"), submit("u-2", "5")]
    assert submit("u-1", "4") == ids[0]
    assert [poll(each)["errcode"] for each in ids] == [1, 1]
    with PeerVote(server.url, name, "b") as b:
        b.rewards([Group("add-2", [Rollout(answer="4")] * 2)])
    results = [poll(each) for each in ids]
    assert [result["reward_score"] for result in results] == [1.0, 0.0]
    assert [type(result["reward_score"]) for result in results] == [float, float]
    assert results[0]["dimention_reward_score"] == {}
