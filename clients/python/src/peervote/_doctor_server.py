"""The way to a server, and what ``doctor`` asks it: whether it answers, and what a token lets its bearer do."""

from __future__ import annotations

import errno
import re
import socket
from dataclasses import dataclass
from typing import Any, Iterator, List, Mapping, Optional, Tuple
from urllib.parse import quote as quote_path
from urllib.parse import urlsplit

import httpx

from ._doctor_checks import Check, fail, ok, skip, warn

#: No reply within this time is none. Longer than the checks let a request wait.
TIMEOUT_S = 15.0


class Silence(Exception):
    """No reply came; its text says why, as a sentence."""


@dataclass(frozen=True)
class LinkReply:
    status: int
    #: ``None`` where it is no JSON.
    body: Any

    @property
    def detail(self) -> str:
        """What a server said of a request that it refused."""
        said = self.body.get("detail") if isinstance(self.body, dict) else None
        return said if isinstance(said, str) else f"It answered with status {self.status}."


class Link:
    """The way to a server, past any proxy of the environment. Raises :class:`Silence`."""

    def __init__(self, url: str, token: Optional[str]) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._http = httpx.Client(timeout=TIMEOUT_S, trust_env=False)

    def send(self, method: str, path: str, body: Any = None, token: Optional[str] = None) -> LinkReply:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        try:
            reply = self._http.request(method, f"{self.url}{path}", json=body, headers=headers)
        except httpx.HTTPError as error:
            raise Silence(describe_silence(self.url, error)) from error
        try:
            return LinkReply(reply.status_code, reply.json())
        except ValueError:
            return LinkReply(reply.status_code, None)

    def close(self) -> None:
        self._http.close()


def describe_silence(url: str, error: BaseException) -> str:
    causes = list(_causes(error))
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"No machine is known by the name in {url}: is it spelled right, and known on this machine?"
    if errno.ECONNREFUSED in numbers:
        return f"Nothing listens at {url}: is the server running, and is the port right?"
    if isinstance(error, httpx.TimeoutException) or numbers & {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT}:
        return f"{url} does not answer in time: is the address right, and may this machine reach it?"
    what = str(error) or type(error).__name__
    return f"{url} does not answer as an HTTP server does ({what}): is the port right, and is it http or https?"


def _causes(error: Optional[BaseException]) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def check_address(url: str, env: Mapping[str, str]) -> List[Check]:
    """Whether ``url`` is one that trainers can post to, and which proxy would stand in between."""
    if not re.match(r"[a-z][a-z0-9+.-]*://", url, re.IGNORECASE):
        return [fail("url", f'"{url}" has no scheme: write http://{url}.')]
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host:
        return [fail("url", f'"{url}" is no URL of HTTP: write it as in http://peervote:8080.')]
    names = [f"{parts.scheme}_proxy", f"{parts.scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY"]
    variable = next((name for name in names if env.get(name)), None)
    if variable is None or _is_exempt(host, env):
        return [ok("proxy", f"No proxy stands between this machine and {host}.")]
    return [
        warn(
            "proxy",
            f"{variable} is set, and HTTP libraries of trainers would send the rollouts for {host} through that proxy: "
            f"add {host} to NO_PROXY in each job.",
        )
    ]


def _is_exempt(host: str, env: Mapping[str, str]) -> bool:
    """Whether NO_PROXY names the host, or a domain that it is in."""
    said = f"{env.get('no_proxy', '')},{env.get('NO_PROXY', '')}".split(",")
    names = [re.sub(r":\d+$", "", re.sub(r"^\*?\.", "", name.strip())).lower() for name in said]
    return any(name == "*" or host == name or host.endswith(f".{name}") for name in names if name)


def check_server(link: Link, version: str) -> List[Check]:
    """Whether a PeerVote answers there, takes requests, and is of this version."""
    try:
        said = link.send("GET", "/healthz")
    except Silence as silence:
        return [fail("server", str(silence))]
    if said.status != 200 or not isinstance(said.body, dict) or said.body.get("status") != "ok":
        return [
            fail(
                "server",
                f"Something answers at {link.url}, but not as PeerVote does (status {said.status}): is the port right, "
                "or does a proxy answer?",
            )
        ]
    ready = link.send("GET", "/readyz")
    if ready.status != 200:
        return [fail("server", f"It is alive, but takes no requests: {ready.detail}")]
    described = link.send("GET", "/openapi.json").body
    info = described.get("info") if isinstance(described, dict) else None
    running = info.get("version", "an unknown version") if isinstance(info, dict) else "an unknown version"
    return [
        ok("server", f"{link.url} answers and takes requests."),
        ok("version", f"Server and command are both {version}.")
        if running == version
        else warn("version", f"The server is {running} and this command {version}: install the same for both."),
    ]


def check_token(link: Link, absent: str) -> Tuple[Check, Optional[str]]:
    """What was found, and the role: ``anyone`` (no token is wanted), ``admin``, ``reader``, ``agent``. Changes nothing."""
    token = link.token
    if link.send("GET", "/v1/cohorts").status == 200:
        unused = "" if token is None else ", and the one that was given is not looked at"
        return ok("token", f"The server wants no token{unused}."), "anyone"
    if token is None:
        return fail("token", "The server wants a token: give --token or PEERVOTE_TOKEN, here and in each job."), None
    # Deleting what is not there changes nothing, and only administrators may try.
    as_admin = link.send("DELETE", f"/v1/cohorts/{absent}", token=token)
    if as_admin.status == 404:
        return ok("token", "It is a token of an administrator."), "admin"
    if as_admin.status == 401:
        return fail("token", "The server does not know this token: compare it with its file."), None
    as_reader = link.send("GET", "/v1/cohorts", token=token)
    if as_reader.status == 200:
        return ok("token", "It is a token for reading."), "reader"
    whose = re.search(r"This token is (.*?), and", as_reader.detail)
    return ok("token", f"It is a token {whose.group(1) if whose else 'of an agent'}."), "agent"


def check_agent_token(link: Link, cohort: str, agent: str, token: str) -> Check:
    """Whether a job's own token lets it act as its agent."""
    name = f"token {agent}"
    path = f"/v1/cohorts/{quote_path(cohort, safe='')}/agents/{quote_path(agent, safe='')}/submissions/none"
    reply = link.send("GET", path, token=token)
    if reply.status == 401:
        return fail(name, "The server does not know this token: compare it with its file.")
    if reply.status == 403:
        return fail(name, reply.detail)
    return ok(name, f'It lets its job act as "{agent}" of cohort "{cohort}".')


def unreachable(name: str) -> Check:
    return skip(name, "Not checked: the server cannot be asked.")
