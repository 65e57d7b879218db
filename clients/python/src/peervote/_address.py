"""Where the server is: a url that can be one, and the proxy on the way, if one is to be used."""

from __future__ import annotations

import ipaddress
import re
from typing import Mapping, Optional
from urllib.parse import SplitResult, urlsplit

__all__ = ["check_url", "find_proxy", "is_on", "without_password"]

#: Paths that trainers are given whole; the client makes its own.
_PROTOCOL = re.compile(r"/(openrlhf|slime|roll|v1)(?=/|$)")
_HOST = re.compile(r"[\w.-]+")
_QUOTES = "\"'`“”"


def check_url(url: str) -> str:
    """The url as requests are made from it. Raises ValueError with what is wrong, for what can never be reached."""
    text = url.strip()
    fault = _fault(text)
    if fault is not None:
        raise ValueError(without_password(f'The server\'s url "{text}" {fault}'))
    return text.rstrip("/")


def _fault(text: str) -> Optional[str]:
    if any(mark in text for mark in _QUOTES):
        return "has quotes in it: leave them out."
    if re.search(r"\s", text):
        return "has a space or a line break in it: it is one word, such as http://peervote:8080."
    if re.search(r"[<>{}$]", text):
        return "holds a placeholder that was not filled in."
    if text.count("://") > 1:
        return "holds more than one address: give one, such as http://peervote:8080."
    scheme, separator, rest = text.partition("://")
    if not separator:
        slashed = re.match(r"https?:?/*(?=[^/])", text)
        rest = text[slashed.end() :] if slashed and (":" in slashed.group() or "/" in slashed.group()) else text
        return f"has no http:// in front: did you mean http://{rest.lstrip('/')}?"
    if scheme.lower() not in ("http", "https"):
        return f"starts with {scheme}://, which is neither http:// nor https://: did you mean http://{rest}?"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return "has a port or an address in brackets that cannot be read: it is one such as http://peervote:8080."
    if port == 0 or parts.netloc.endswith(":"):
        return "has no port behind its colon: a port is a number from 1 to 65535."
    return _host_fault(parts) or _path_fault(parts)


def _host_fault(parts: SplitResult) -> Optional[str]:
    host = parts.hostname
    if not host:
        return "names no host: it is one such as http://peervote:8080."
    if ":" in host or re.fullmatch(r"\d+(\.\d+){3}", host):
        try:
            ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return f"names {host}, which is no address."
        return None
    return None if _HOST.fullmatch(host) else f'names the host "{host}", which cannot be one.'


def _path_fault(parts: SplitResult) -> Optional[str]:
    if parts.query or parts.fragment:
        return "has a query or a fragment: it ends with its port, or with the path that a proxy puts before the server's."
    found = _PROTOCOL.search(parts.path)
    if found is None:
        return None
    base = f"{parts.scheme}://{parts.netloc}{parts.path[: found.start()]}"
    return f"ends in the path of a protocol (/{found.group(1)}), which a trainer without Python is given: give {base} here."


def without_password(url: str) -> str:
    """A url, or what holds some, as a message may show it."""
    return re.sub(r'(^|//|")[^/@\s"]*@', r"\1…@", url)


def is_on(word: Optional[str]) -> bool:
    """How switches are written in the environment. Raises ValueError for a word that is neither on nor off."""
    lower = (word or "").strip().lower()
    if lower in ("1", "true", "yes", "on"):
        return True
    if lower in ("", "0", "false", "no", "off"):
        return False
    raise ValueError(f'PEERVOTE_TRUST_ENV is "{word}": write 1 or 0.')


def find_proxy(url: str, env: Mapping[str, str]) -> Optional[str]:
    """The proxy that the environment names for this url, unless NO_PROXY excepts its host."""
    parts = urlsplit(url)

    def read(name: str) -> str:
        return env.get(name) or env.get(name.upper()) or ""

    proxy = read(f"{parts.scheme.lower()}_proxy") or read("all_proxy")
    if not proxy or any(_excepts(rule.strip().lower(), parts) for rule in read("no_proxy").split(",")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _excepts(rule: str, parts: SplitResult) -> bool:
    """A host, a domain, an address, a network in CIDR notation, or ``*``; all but the last two with a port, if they like."""
    host = (parts.hostname or "").rstrip(".")
    if rule in ("", "*"):
        return rule == "*"
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(rule.strip("[]"), strict=False)
    except ValueError:
        pass
    named, colon, port = rule.rpartition(":")
    if colon and port.isdigit() and (":" not in named or named.endswith("]")):
        if int(port) != (parts.port or (443 if parts.scheme.lower() == "https" else 80)):
            return False
        return _excepts(named, parts)
    domain = rule.lstrip("*").lstrip(".").rstrip(".")
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))
