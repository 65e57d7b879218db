"""Posts as a trainer does, with Python's own HTTP client, and looks at what its json module makes of the replies."""

import json
import sys
import urllib.error
import urllib.request

BASE = sys.argv[1]


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(BASE + path, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.headers["Content-Type"].startswith("application/json"), response.headers
        return response.status, json.load(response)


def assert_floats(value, path):
    if isinstance(value, list):
        for item in value:
            assert_floats(item, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            assert_floats(item, f"{path}.{key}")
    else:
        assert value is None or isinstance(value, float), f"{path}: {value!r} is no float"


def native(agent, prompt_id, answers, split="train"):
    rollouts = [{"id": f"r{i}", "index": i, "answer": answer} for i, answer in enumerate(answers)]
    group = {"prompt_id": prompt_id, "ground_truth": "4", "rollouts": rollouts}
    return call(f"/v1/cohorts/test/agents/{agent}/rollouts", {"split": split, "groups": [group]})


def check_native(reply):
    assert_floats(reply["metrics"], "metrics")
    for group in reply["groups"]:
        assert len(group["rewards"]) == len(group["rollouts"])
        assert all(isinstance(reward, float) for reward in group["rewards"]), group["rewards"]
        assert_floats(group["label_share"], "label_share")
        for rollout, reward in zip(group["rollouts"], group["rewards"]):
            assert isinstance(rollout["reward"], float) and rollout["reward"] == reward


def check_openrlhf(agent, items):
    body = {
        "query": [f"Q: {answer}" for _, answer in items],
        "prompts": ["Q: " for _ in items],
        "labels": [label for label, _ in items],
    }
    status, reply = call(f"/openrlhf/test/{agent}", body)
    assert status == 200, status
    for column in [reply["rewards"], reply["scores"], *reply["extra_logs"].values()]:
        assert len(column) == len(items), column
        assert all(isinstance(number, float) for number in column), column
    return reply["rewards"]


assert native("b", "p", ["4", "4"])[0] == 202
status, reply = native("a", "p", ["4", "5"])
assert status == 200 and reply["groups"][0]["rewards"] == [1.0, 0.0], reply
check_native(reply)
check_native(native("a", "e", ["4", "5", "6"], split="eval")[1])

assert native("b", "q", ["4", "4"])[0] == 202
label = json.dumps({"pid": "q", "answer": 4})
assert check_openrlhf("a", [(label, "4"), (label, "5")]) == [1.0, 0.0]
assert check_openrlhf("a", [({"split": "eval", "answer": "7"}, "7")]) == [1.0]
assert check_openrlhf("a", []) == []

# json.dumps writes NaN by default; the answer says where it came from.
try:
    call("/v1/cohorts/test/agents/a/rollouts", {"step": float("nan"), "groups": []})
    raise AssertionError("NaN was taken")
except urllib.error.HTTPError as error:
    problem = json.load(error)
    assert (error.code, problem["code"]) == (400, "non_finite_number"), problem
    assert error.headers["Content-Type"].startswith("application/problem+json")

print("all floats")
