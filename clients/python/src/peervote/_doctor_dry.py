"""The dry step of ``doctor``: every agent sends a group of fakes through the real client, in a cohort that is deleted again."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union
from urllib.parse import quote as quote_path

from ._doctor_checks import Check, fail, ok, skip, warn
from ._doctor_cohort import AgentView, CohortView
from ._doctor_server import Link
from .client import PeerVote
from .errors import PeerVoteError, WaitTimeoutError
from .models import Group, GroupReward, Rollout

NAME = "dry step"
#: Seconds that an agent waits for a decision, which here takes milliseconds.
WAIT_S = 10.0
#: Methods that only code inside a trainer can serve, or that would cost money.
NOT_FAKED = {
    "comas": "method comas rewards discussions, which are not faked",
    "maporl": "method maporl rewards conversations, which are not faked",
    "llm-judge": "method llm-judge would ask its judge, which is not done for fakes",
}
#: Methods whose rewards do not follow from the answers.
BLIND = frozenset({"random", "format", "inverted", "rent", "intuitor"})
#: How a completion states its answer; a mode that is not here gets the answer as it is.
WRITTEN = {
    "boxed": "The answer is \\boxed{%s}.",
    "auto": "The answer is \\boxed{%s}.",
    "gsm8k": "That makes %s.\n#### %s",
    "answer-tag": "<answer>%s</answer>",
    "number": "The answer is %s.",
}
WRONG_NUMBERS = ("11", "13", "17", "19", "23", "29", "31", "37", "41", "43")
WRONG_CHOICES = ("B", "C", "D")


def make_dry_step(link: Link, cohort: CohortView, scratch: str) -> Check:
    """``scratch``: a name that no cohort has. It is deleted whatever happens."""
    reason = "answers are programs, which are not faked" if cohort.mode == "code" else NOT_FAKED.get(cohort.method)
    if reason is not None:
        return skip(NAME, f"Not made: {reason}.")
    path = f"/v1/cohorts/{quote_path(scratch, safe='')}"
    made = link.send("PUT", path, cohort.config, link.token)
    if made.status in (401, 403):
        return skip(NAME, "Not made: it needs an admin token.")
    if made.status != 201:
        return fail(NAME, f"A scratch cohort of the same settings cannot be made: {made.detail}")
    try:
        return _run(link, cohort, scratch)
    except PeerVoteError as error:
        return fail(NAME, f"The fakes were refused: {error}")
    finally:
        try:
            link.send("DELETE", path, token=link.token)
        except Exception:  # The check itself matters more than what is left of it.
            pass


def _run(link: Link, cohort: CohortView, scratch: str) -> Check:
    # A label of an earlier visit is what `last-label` pays by.
    visits = 2 if cohort.barrier == "last-label" else 1
    answers: List[Union[GroupReward, Check]] = []
    for step in range(1, visits + 1):
        with ThreadPoolExecutor(len(cohort.agents)) as pool:
            sent = [pool.submit(_send, link, cohort, agent, scratch, step) for agent in cohort.agents]
            answers = [each.result() for each in sent]
    paid: List[str] = []
    for agent, answer in zip(cohort.agents, answers):
        if not agent.learns:
            continue
        judged = answer if isinstance(answer, Check) else _judge(cohort, agent, answer)
        if isinstance(judged, Check):
            return judged
        paid.append(judged)
    return ok(NAME, f"Every agent sent a group of fakes through the real protocol and was paid: {'; '.join(paid)}.")


def _send(link: Link, cohort: CohortView, agent: AgentView, scratch: str, step: int) -> Union[GroupReward, Check]:
    rollouts = [rollout for _, rollout in make_fakes(cohort, agent.k)]
    group = Group("doctor", rollouts, ground_truth="A" if cohort.mode == "choice" else "4")
    with PeerVote(link.url, scratch, agent.name, token=link.token, timeout_s=WAIT_S, unreachable_s=WAIT_S) as client:
        try:
            return client.rewards([group], step=step, submission_id=f"doctor-{step}").groups[0]
        except WaitTimeoutError:
            return fail(NAME, f'"{agent.name}" still waits after {WAIT_S:.0f} s although all agents have sent.')


def make_fakes(cohort: CohortView, k: int) -> List[Tuple[bool, Rollout]]:
    """Rollouts and whether each is right: half of them, or as many as the cohort's vote asks for, the right ones first."""
    vote: Mapping[str, Any] = cohort.config["vote"]
    needed = max(math.ceil(k / 2), math.ceil(vote["threshold"] * k))
    # One against one is a tie.
    right = 2 if k == 2 and vote["tie"] != "first" else min(k, needed)
    wrong = WRONG_CHOICES if cohort.mode == "choice" else WRONG_NUMBERS
    best = "A" if cohort.mode == "choice" else "4"
    answers = [best if at < right else wrong[(at - right) % len(wrong)] for at in range(k)]
    return [(at < right, _fake(cohort, at, answer)) for at, answer in enumerate(answers)]


def _fake(cohort: CohortView, index: int, answer: str) -> Rollout:
    signals: Optional[Dict[str, float]] = {"rent": {"mean_entropy": 0.5}, "intuitor": {"mean_kl_u_p": 1.5}}.get(cohort.method)
    written = WRITTEN.get(cohort.mode)
    if written is None:
        return Rollout(answer=answer, id=f"fake-{index}", index=index, signals=signals)
    opened = cohort.config["answers"].get("reasoning") == "opened-by-prompt"
    text = ("A fake thinks.</think>\n" if opened else "") + written.replace("%s", answer)
    return Rollout(text, id=f"fake-{index}", index=index, signals=signals)


def _judge(cohort: CohortView, agent: AgentView, group: GroupReward) -> Union[Check, str]:
    """What an agent was paid in words, or what is wrong with it."""
    if group.status != "scored":
        reason = group.reason or "no reason"
        return fail(NAME, f'"{agent.name}" got no label although its teachers agree ({group.status}): {reason}')
    rewards = [reward for reward in group.rewards if reward is not None]
    if len(rewards) != agent.k:
        return fail(NAME, f'"{agent.name}" sent {agent.k} rollouts and was paid for {len(rewards)}.')
    fakes = make_fakes(cohort, agent.k)
    right = [reward for (is_right, _), reward in zip(fakes, rewards) if is_right]
    wrong = [reward for (is_right, _), reward in zip(fakes, rewards) if not is_right]
    if cohort.method in BLIND or not wrong or min(right) > max(wrong):
        return f"{agent.name} {len(right)} of {agent.k} right"
    return warn(
        NAME,
        f'"{agent.name}" was paid {min(right):g} for right answers and {max(wrong):g} for wrong ones: '
        "look at the settings of reward.",
    )
