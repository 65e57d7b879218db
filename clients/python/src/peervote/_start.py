"""The name of this start of a training (its incarnation): the same in all its ranks, and another one the next time.

Two names in one start would be worse than none: the server takes the second for a restart and refuses the first.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import uuid
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Mapping, Optional

__all__ = ["name_by_launcher", "name_of_start"]

#: Names that schedulers give a job, and how often it was started again.
_SCHEDULERS = (
    ("slurm", "SLURM_JOB_ID", "SLURM_RESTART_COUNT"),
    ("torchelastic", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"),
    ("batch", "AWS_BATCH_JOB_ID", "AWS_BATCH_JOB_ATTEMPT"),
    ("lsf", "LSB_JOBID", "LSB_RESTART_COUNT"),
    ("pbs", "PBS_JOBID", "PBS_RUN_COUNT"),
    ("mpi", "PMIX_NAMESPACE", "PMIX_RESTART_COUNT"),
)
_KEY = "peervote/start"


def name_by_launcher(env: Mapping[str, str]) -> Optional[str]:
    """By the variables of a launcher, which all ranks of a job see alike."""
    for launcher, job, restarts in _SCHEDULERS:
        # "none" is what torchrun calls every run that was not named.
        if env.get(job) not in (None, "", "none"):
            return f"{launcher}-{env[job]}-{env.get(restarts) or '0'}"
    return None


def name_of_start(*, in_ranks: bool, environ: Optional[Mapping[str, str]] = None) -> Optional[str]:
    """``PEERVOTE_INCARNATION``, else what the ranks agree on, else by Ray, by the launcher, or by the process.

    ``in_ranks``: all who call are ranks of the training itself, and started by one process of their machine. Else
    nobody knows what the processes of a job have in common, and ``None`` is the answer where no launcher says it.
    """
    env = os.environ if environ is None else environ
    given = env.get("PEERVOTE_INCARNATION")
    if given:
        return given
    launched = name_by_launcher(env)
    agreed = _agree(f"{launched or 'ranks'}-{uuid.uuid4().hex[:12]}") if in_ranks else None
    return agreed or _name_by_ray(launched) or launched or (_name_by_process(env) if in_ranks else None)


def _agree(proposal: str) -> Optional[str]:
    """The name that the first rank proposed. No collective operation, so it does not matter which ranks ask, and when."""
    distributed: Any = sys.modules.get("torch.distributed")
    try:
        if distributed is None or not distributed.is_initialized() or distributed.get_world_size() < 2:
            return None
        store = distributed.distributed_c10d._get_default_store()
        return bytes(store.compare_set(_KEY, "", proposal)).decode()
    except Exception:  # noqa: BLE001
        # A backend without such a store.
        return None


def _name_by_ray(launched: Optional[str]) -> Optional[str]:
    """The driver, among those of all clusters: a cluster that lives as long as its driver calls every one job 1."""
    ray: Any = sys.modules.get("ray")
    try:
        if ray is None or not ray.is_initialized():
            return None
        context = ray.get_runtime_context()
        session = getattr(context, "get_session_name", lambda: context.worker.node.session_name)()
        name = f"ray-{session}-{context.get_job_id()}"
    except Exception:  # noqa: BLE001
        # Another version of Ray.
        return None
    return name if launched is None else f"{launched}-{name}"


def _name_by_process(env: Mapping[str, str]) -> Optional[str]:
    """The process that all ranks descend from, where all are on this machine."""

    def read(*names: str) -> int:
        return next((int(env[name]) for name in names if env.get(name, "").isdigit()), 1)

    world = read("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE")
    if world > 1:
        if read("LOCAL_WORLD_SIZE", "LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE") != world:
            return None
        return f"{_name_of_process(os.getppid())}-{env.get('TORCHELASTIC_RESTART_COUNT') or '0'}"
    parent = parent_process()
    pid = os.getpid() if parent is None else parent.pid
    return None if pid is None else _name_of_process(pid)


def _name_of_process(pid: int) -> str:
    return f"{socket.gethostname()}-{pid}-{_started(pid)}"


def _started(pid: int) -> str:
    """When a process started: its number alone comes again, in a container each time."""
    try:
        # Behind the name, which may hold spaces and brackets.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text()[:8]}-{fields[19]}"
    except (OSError, IndexError):
        pass
    try:
        shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, timeout=5)
        return "-".join(shown.stdout.split()) or "0"
    except (OSError, subprocess.SubprocessError):
        return "0"
