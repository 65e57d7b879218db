"""Where the server is and who speaks: given, or from the environment, which reaches every rank of a job."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Dict, Mapping, Optional

from ._address import check_url, find_proxy, is_on, without_password
from ._start import name_by_launcher

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
    #: That requests go through; may hold a password.
    proxy: Optional[str] = field(default=None, repr=False)

    @property
    def where(self) -> str:
        """The server's address and the way to it, for messages."""
        through = "" if self.proxy is None else f" through the proxy {without_password(self.proxy)}"
        return f"{without_password(self.url)}{through}"

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
    trust_env: Optional[bool] = None,
) -> Settings:
    """What was given goes before ``PEERVOTE_URL``, ``PEERVOTE_COHORT``, ``PEERVOTE_AGENT``,
    ``PEERVOTE_INCARNATION``, ``PEERVOTE_TOKEN`` and ``PEERVOTE_TRUST_ENV``.

    The cohort is ``default`` unless told otherwise. ``trust_env``: use the proxies of the environment; clusters set
    them for the internet, and a reward server is not there. Raises ValueError without an agent or a URL that can be one.
    """
    env = os.environ if environ is None else environ
    url = url or env.get("PEERVOTE_URL")
    agent = agent or env.get("PEERVOTE_AGENT")
    if not url:
        raise ValueError("Give the server's url, such as http://peervote:8080, or set PEERVOTE_URL.")
    if not agent:
        raise ValueError("Give the agent, the name of this policy in the cohort, or set PEERVOTE_AGENT.")
    address = check_url(url)
    trusts = is_on(env.get("PEERVOTE_TRUST_ENV")) if trust_env is None else trust_env
    return Settings(
        url=address,
        cohort=cohort or env.get("PEERVOTE_COHORT") or "default",
        agent=agent,
        incarnation=incarnation or env.get("PEERVOTE_INCARNATION") or name_by_launcher(env),
        token=token or env.get("PEERVOTE_TOKEN") or None,
        proxy=find_proxy(address, env) if trusts else None,
    )
