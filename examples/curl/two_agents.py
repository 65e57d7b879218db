"""Two trainers that share nothing but a URL, played by two threads. Needs `pip install requests` and a server:

    npx peervote serve --agents qwen,llama --k 4
    python3 examples/curl/two_agents.py [http://127.0.0.1:8080]
"""

import sys
import threading
import time
import uuid

import requests

WAIT_S = 50  # one request is held so long at most: short enough for proxies on the way


def request_rewards(agent_url, submission_id, step, groups):
    """Rewards of `groups`, held back until the teacher's answers are there.

    `submission_id` names this call. The same call again, after whatever went wrong, counts once.
    """
    body = {"submission_id": submission_id, "step": step, "groups": groups}
    recorded = False
    while True:
        try:
            if recorded:
                reply = requests.get(
                    f"{agent_url}/submissions/{submission_id}", params={"wait": WAIT_S}, timeout=2 * WAIT_S
                )
            else:
                reply = requests.post(
                    f"{agent_url}/rollouts", params={"wait": WAIT_S}, json=body, timeout=2 * WAIT_S
                )
        except (requests.ConnectionError, requests.Timeout):  # the server restarts, or the network is down
            recorded = False
            time.sleep(1)
            continue
        if reply.status_code == 200:
            return [group["rewards"] for group in reply.json()["groups"]]
        recorded = reply.status_code == 202
        if recorded:
            continue
        problem = reply.json()
        if not problem["retryable"] and problem["code"] != "unknown_submission":
            raise RuntimeError(problem["detail"])
        time.sleep(int(reply.headers.get("Retry-After", 1)))


def train(server, agent, answers, sampling_s):
    """A trainer without a model: one prompt, one step."""
    time.sleep(sampling_s)
    rollouts = [
        {"index": i, "completion": f"The answer is \\boxed{{{answer}}}."} for i, answer in enumerate(answers)
    ]
    groups = [{"prompt_id": f"p-{run}", "rollouts": rollouts}]
    started = time.monotonic()
    rewards = request_rewards(f"{server}/v1/cohorts/default/agents/{agent}", f"{run}-1", 1, groups)
    print(f"{agent:6} answered {answers} and got {rewards[0]} after {time.monotonic() - started:.1f} s")


run = uuid.uuid4().hex[:8]  # a prompt of its own for each run, so that it can be run again
server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
trainers = [
    threading.Thread(target=train, args=(server, "qwen", [42, 13, 42, 42], 0)),
    threading.Thread(target=train, args=(server, "llama", [42, 36, 42, 48], 3)),
]
for trainer in trainers:
    trainer.start()
for trainer in trainers:
    trainer.join()
