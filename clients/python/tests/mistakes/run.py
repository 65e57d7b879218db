"""Makes each mistake of docs/mistakes.md with the real trainers, and prints how soon and where it is named.

By hand, since it takes minutes: ``npx tsx scripts/test-python.ts mistakes`` in a checkout; ``-- NAME …`` for some of them.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from stage import Job, Stage

from server import Server, free_port

GIVE_UP_S = 120.0


@dataclass
class Scene:
    """A set-up, and what its trainers' own logs must say."""

    mistake: str
    trainer: str
    start: Callable[["Stage"], Sequence[Job]]
    #: What names it, in the log of any job; None: nothing may, and all jobs must finish.
    sentence: Optional[str] = None
    cohort: Dict[str, Any] = field(default_factory=dict)


def both(*, a: Sequence[str] = (), b: Sequence[str] = ()) -> Callable[[Stage], Sequence[Job]]:
    return lambda stage: [stage.trl("a", *a), stage.trl("b", *b)]


def resumed(stage: Stage) -> Sequence[Job]:
    """B dies and is started again from an older checkpoint, with the same command."""
    folder = ["--save", str(stage.folder / "b"), "--steps", "12"]
    a, b = stage.trl("a", "--steps", "12"), stage.trl("b", *folder, "--die-at", "6")
    b.process.wait()
    return [a, stage.trl("b", *folder)]


NOWHERE = f"http://127.0.0.1:{free_port()}"
PROXIED = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
SCENES: List[Scene] = [
    Scene("nothing", "TRL", both(a=["--steps", "12"], b=["--steps", "12"])),
    Scene("num_generations 4, k 8", "TRL", both(a=["--samples", "4"]), r"stops? at 4 of 8"),
    Scene("one job ends first, normally", "TRL", both(a=["--steps", "6"], b=["--steps", "60"]), r'"a" has finished'),
    Scene(
        "one checkpoint, one seed",
        "TRL",
        both(a=["--seed", "7", "--steps", "90"], b=["--seed", "7", "--arch", "gpt2", "--steps", "90"]),
        r"identical|same texts|one model",
    ),
    Scene("resume without PEERVOTE_INCARNATION", "TRL", resumed),
    Scene("different shuffles", "TRL", both(a=["--shuffle"], b=["--shuffle"]), r"in another order|same order"),
    Scene("different ids", "TRL", both(b=["--ids", "row-{}"]), r"different prompt ids"),
    Scene(
        "unequal row counts", "TRL", both(a=["--rows", "24"], b=["--rows", "32"]), r"in another order|only one|same order|rows"
    ),
    Scene("eval rows that are not marked", "TRL", both(a=["--unmarked-eval"]), r"split: eval"),
    Scene("peer dead", "TRL", both(b=["--die-at", "4"]), r"has sent nothing for|waited 30 s for b"),
    Scene("peer never started", "TRL", lambda stage: [stage.trl("a")], r"has sent nothing|never"),
    Scene("peer never started", "verl", lambda stage: [Job("verl_job.py", stage.server.url, stage.cohort, "a")],
          r"has sent nothing|never", {"k": 4}),
    Scene("wrong port", "TRL", lambda stage: [stage.trl("a", url=NOWHERE)], r"Connection refused"),
    Scene("url without http://", "TRL", lambda stage: [stage.trl("a", url=stage.server.url[7:])], r"http://"),
    Scene(
        "HTTP_PROXY set on the node",
        "TRL",
        lambda stage: [stage.trl(agent, "--steps", "6", env=PROXIED) for agent in "ab"],
    ),
    Scene("wrong agent", "OpenRLHF", lambda stage: [stage.openrlhf("/openrlhf/{}/qwem")], r"qwem"),
    Scene("wrong cohort", "OpenRLHF", lambda stage: [stage.openrlhf("/openrlhf/maths/a")], r"maths"),
    Scene("label that is no JSON", "OpenRLHF", lambda stage: [stage.openrlhf("/openrlhf/{}/a", "{'pid': 'x'}")], r"[Ll]abel"),
    Scene(
        "no answer readable",
        "TRL",
        both(a=["--steps", "90", "--length", "1"], b=["--steps", "90", "--length", "1"]),
        r"[Nn]o answer is found",
        {"answers": {"mode": "boxed"}},
    ),
    Scene("the same prompt twice in a batch", "TRL", both(a=["--duplicates", "--steps", "8"], b=["--duplicates", "--steps", "8"])),
    Scene("truths that are dicts, numpy, Decimal, NaN, long", "TRL",
          both(a=["--odd-truths", "--steps", "8"], b=["--steps", "8"])),
    Scene("completions that are None", "TRL", both(a=["--none-completions", "--steps", "8"], b=["--steps", "8"])),
]


def play(stage: Stage, scene: Scene) -> Tuple[str, str, str]:
    """Outcome, seconds, and the sentence or what is wrong."""
    stage.open(f"{scene.mistake} {scene.trainer}", scene.cohort)
    jobs = scene.start(stage)
    began = time.monotonic()
    try:
        while True:
            time.sleep(0.2)
            ready = [job.ready_at for job in jobs if job.ready_at is not None]
            found = [job.find(scene.sentence) for job in jobs] if scene.sentence else []
            named = min((each for each in found if each is not None), default=None)
            if named is not None:
                return "named", f"{max(0.0, named[0] - max([*ready, began])):.0f}", named[1]
            if all(job.process.poll() is not None for job in jobs):
                time.sleep(0.5)
                if scene.sentence is None:
                    return judge_quiet(jobs)
                if any(job.find(scene.sentence) for job in jobs):
                    continue
                return "NOT NAMED", "", "all jobs ended: " + last_line(jobs)
            late = time.monotonic() - max([*ready, began]) > GIVE_UP_S
            if late and len(ready) == len(jobs):
                return "NOT NAMED", "", last_line(jobs)
    finally:
        for job in jobs:
            job.stop()


def judge_quiet(jobs: Sequence[Job]) -> Tuple[str, str, str]:
    failed = [job for job in jobs if job.process.returncode != 0]
    if failed:
        return "FAILED", "", last_line(failed)
    warned = [line for job in jobs for _, line in job.lines if line.startswith("peervote:")]
    return ("WARNS", "", warned[0]) if warned else ("trains", "", "and says nothing")


def last_line(jobs: Sequence[Job]) -> str:
    lines = [line for job in jobs for _, line in job.lines[-1:]]
    return " | ".join(lines)


def main() -> None:
    wanted = [argument for argument in sys.argv[1:] if argument != "--"]
    scenes = [scene for scene in SCENES if not wanted or any(word in scene.mistake for word in wanted)]
    # As a user has them who started the server where the trainer's variables are exported.
    os.environ.update({"PEERVOTE_AGENT": "a", "PEERVOTE_COHORT": "default", "PEERVOTE_URL": "http://127.0.0.1:1"})
    server = Server("--agents", "a,b", "--k", "8").start()
    for name in ("PEERVOTE_AGENT", "PEERVOTE_COHORT", "PEERVOTE_URL"):
        del os.environ[name]
    stage = Stage(server)
    wrong = 0
    try:
        print("| mistake | trainer | outcome | s | its own log |\n| --- | --- | --- | --- | --- |", flush=True)
        for scene in scenes:
            outcome, seconds, text = play(stage, scene)
            wrong += outcome not in ("named", "trains") or (seconds != "" and float(seconds) > 60)
            print(f"| {scene.mistake} | {scene.trainer} | {outcome} | {seconds} | {text[:400]} |", flush=True)
    finally:
        server.stop()
        shutil.rmtree(stage.folder, ignore_errors=True)
    print(f"{len(scenes) - wrong} of {len(scenes)} are as they should be.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
