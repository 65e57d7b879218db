"""What ``doctor`` says of a cohort and of what the trainers are set to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ._doctor_checks import Check, fail, ok, skip, warn


@dataclass(frozen=True)
class AgentView:
    name: str
    k: int
    view: str
    learns: bool
    teachers: Tuple[str, ...]
    #: Stored so far.
    rollouts: int


@dataclass(frozen=True)
class CohortView:
    """What the checks need to know of a cohort."""

    name: str
    agents: Tuple[AgentView, ...]
    #: As ``PUT /v1/cohorts/{cohort}`` takes it.
    config: Mapping[str, Any]

    @property
    def method(self) -> str:
        return str(self.config["method"])

    @property
    def mode(self) -> str:
        return str(self.config["answers"]["mode"])

    @property
    def barrier(self) -> str:
        return str(self.config["barrier"])

    @property
    def pays_truth(self) -> bool:
        """Whether the method rewards by the ground truth."""
        inverted = self.config.get("options", {}).get("inverted", {})
        return self.method == "ground-truth" or (self.method == "inverted" and inverted.get("label") == "ground-truth")

    def view_of(self, agent: str) -> Optional[str]:
        return next((each.view for each in self.agents if each.name == agent), None)


def parse_cohort_view(body: Any) -> Optional[CohortView]:
    """A cohort from what ``GET /v1/cohorts/{cohort}`` answers; ``None`` for what no PeerVote of this version says."""
    try:
        config: Dict[str, Any] = body["config"]
        views = {agent["name"]: agent["view"] for agent in config["agents"]}
        agents = tuple(
            AgentView(
                name=agent["name"],
                k=int(agent["k"]),
                view=views.get(agent["name"], "original"),
                learns=agent["role"] == "learner",
                teachers=tuple(agent["teachers"]),
                rollouts=int(agent["rollouts"]),
            )
            for agent in body["agents"]
        )
        view = CohortView(str(body["name"]), agents, config)
        _ = (view.method, view.mode, view.barrier, config["vote"]["threshold"], config["vote"]["tie"])
        return view
    except (KeyError, TypeError, ValueError):
        return None


def check_cohort(cohort: CohortView) -> List[Check]:
    """Who learns from whom, and whether the cohort is as new as a run wants it."""
    edges = [
        f"{agent.name} learns from {', '.join(agent.teachers)}" if agent.teachers else f"{agent.name} waits for nobody"
        for agent in cohort.agents
        if agent.learns
    ]
    about = (
        f'"{cohort.name}" is {cohort.method}, answers {cohort.mode}, barrier {cohort.barrier}: {"; ".join(edges)}.'
    )
    stored = ", ".join(f"{agent.rollouts} rollouts of {agent.name}" for agent in cohort.agents if agent.rollouts > 0)
    if not stored:
        return [ok("cohort", about)]
    return [
        warn(
            "cohort",
            f"{about} It already holds {stored}: a new run needs a cohort of its own, or DELETE this one first; "
            "a job that resumes needs a new PEERVOTE_INCARNATION.",
        )
    ]


def check_agents(cohort: CohortView, given: Sequence[str]) -> List[Check]:
    """Whether every data set is of an agent of the cohort, and every agent has one."""
    names = [agent.name for agent in cohort.agents]
    unknown = [agent for agent in given if agent not in names]
    if unknown:
        whom = ", ".join(f'"{agent}"' for agent in unknown)
        return [fail("agents", f'Cohort "{cohort.name}" has no agent {whom}: its agents are {", ".join(names)}.')]
    without = [name for name in names if name not in given]
    if given and without:
        return [
            warn(
                "agents",
                f"No data set was given for {', '.join(without)}: add --data {without[0]}=FILE, or it is not compared.",
            )
        ]
    return [ok("agents", f"The agents are {', '.join(names)}.")]


def check_k(cohort: CohortView, samples: Mapping[str, int]) -> List[Check]:
    """Samples per prompt of the trainers against the cohort's K. ``samples``: by agent, ``""`` for all."""
    counts = [(agent, samples.get(agent.name, samples.get(""))) for agent in cohort.agents]
    said = [(agent, count) for agent, count in counts if count is not None]
    all_k = ", ".join(f"{agent.name} {agent.k}" for agent in cohort.agents)
    if not said:
        return [
            skip("k", f"The cohort waits for: {all_k}. Say what the trainers sample (num_generations, …) with --k.")
        ]
    wrong = [(agent, count) for agent, count in said if agent.k != count]
    if not wrong:
        return [ok("k", f"Rollouts per prompt are what the trainers sample: {all_k}.")]
    return [fail("k", _k_mismatch(agent, count)) for agent, count in wrong]


def _k_mismatch(agent: AgentView, count: int) -> str:
    if count < agent.k:
        return (
            f'Every group of "{agent.name}" would stop at {count} of {agent.k} and wait for the deadline: let its trainer '
            f"sample {agent.k} (num_generations, n_samples_per_prompt, rollout.n), or give the agent k {count}."
        )
    return (
        f'The trainer of "{agent.name}" samples {count} for a group of {agent.k}, which then holds more than votes: '
        f"give the agent k {count}, or let its trainer sample {agent.k}."
    )


def check_seeds(agents: Sequence[str], seeds: Mapping[str, int], order: Optional[str]) -> Check:
    """What the trainers' seeds do to the order of the prompts, and to the samples. ``seeds``: by agent, ``""`` for all."""
    found = [seeds.get(agent, seeds.get("")) for agent in agents]
    known = [seed for seed in found if seed is not None]
    if len(known) < 2 or len(known) < len(agents) or order is None:
        return skip(
            "seeds",
            "Say the trainers' seeds and what they order, as in --seed qwen=1 --seed llama=2 --order file (or shuffle).",
        )
    distinct = len(set(known))
    if order == "shuffle" and distinct > 1:
        return fail(
            "seeds",
            "Trainers that shuffle by different seeds visit the prompts in different orders: shuffle the rows once "
            "beforehand, turn the shuffle of the trainers off, and keep the seeds apart.",
        )
    if distinct < len(known):
        return warn(
            "seeds",
            "Agents have the same seed. Where it draws the samples too, as in TRL, agents from one checkpoint answer word "
            "for word alike and learn only from themselves: shuffle beforehand, turn the shuffle off, and give each agent "
            "its own seed.",
        )
    return ok("seeds", "The rows keep their order, and each agent draws its own samples.")
