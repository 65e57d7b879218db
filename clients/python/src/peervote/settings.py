"""Where the server is and who speaks: given, or from the environment, which reaches every rank of a job."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Dict, Mapping, Optional

__all__ = ["Settings", "find_settings"]


@dataclass(frozen=True)
class Settings:
    #: Such as ``http://peervote:8080``.
    url: str
    cohort: str
    agent: str
    #: Names this start of the trainer; the same in all its ranks.
    incarnation: Optional[str]
    #: What a server with tokens asks for; not shown.
    token: Optional[str] = field(default=None, repr=False)

    @property
    def headers(self) -> Dict[str, str]:
        return {} if self.token is None else {"authorization": f"Bearer {self.token}"}


def find_settings(
    url: Optional[str] = None,
    cohort: Optional[str] = None,
    agent: Optional[str] = None,
    incarnation: Optional[str] = None,
    environ: Optional[Mapping[str, str]] = None,
    token: Optional[str] = None,
) -> Settings:
    """What was given goes before ``PEERVOTE_URL``, ``PEERVOTE_COHORT``, ``PEERVOTE_AGENT``,
    ``PEERVOTE_INCARNATION`` and ``PEERVOTE_TOKEN``.

    The cohort is ``default`` unless told otherwise. Raises ValueError without a URL or an agent.
    """
    env = os.environ if environ is None else environ
    url = url or env.get("PEERVOTE_URL")
    agent = agent or env.get("PEERVOTE_AGENT")
    if not url:
        raise ValueError("Give the server's url, such as http://peervote:8080, or set PEERVOTE_URL.")
    if not agent:
        raise ValueError("Give the agent, the name of this policy in the cohort, or set PEERVOTE_AGENT.")
    return Settings(
        url=url.rstrip("/"),
        cohort=cohort or env.get("PEERVOTE_COHORT") or "default",
        agent=agent,
        incarnation=incarnation or env.get("PEERVOTE_INCARNATION") or _start_of_job(env),
        token=token or env.get("PEERVOTE_TOKEN") or None,
    )


def _start_of_job(env: Mapping[str, str]) -> Optional[str]:
    """A name that changes with each start of a job and is the same in all its ranks, where a launcher gives one."""
    if env.get("SLURM_JOB_ID"):
        return f"slurm-{env['SLURM_JOB_ID']}-{env.get('SLURM_RESTART_COUNT', '0')}"
    if env.get("TORCHELASTIC_RUN_ID") not in (None, "", "none"):
        return f"torchelastic-{env['TORCHELASTIC_RUN_ID']}-{env.get('TORCHELASTIC_RESTART_COUNT', '0')}"
    return None
