"""What a check of ``doctor`` found. Names and sentences are those of ``peervote doctor``, and a test holds both together."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Callable, Iterable, Sequence

@dataclass(frozen=True)
class Check:
    #: ``ok``, ``warn``, ``FAIL``, or ``skip``: it could not be made, and its sentence says what for.
    status: str
    name: str
    says: str


#: Makes a check that is not ok, in the severity that it has here.
Problem = Callable[[str, str], Check]


def ok(name: str, says: str) -> Check:
    return Check("ok", name, says)


def warn(name: str, says: str) -> Check:
    return Check("warn", name, says)


def fail(name: str, says: str) -> Check:
    return Check("FAIL", name, says)


def skip(name: str, says: str) -> Check:
    return Check("skip", name, says)


def has_failed(checks: Iterable[Check]) -> bool:
    return any(check.status == "FAIL" for check in checks)


def format_checks(checks: Sequence[Check]) -> str:
    """A line for each check in aligned columns, and how many there were of each."""
    width = max((len(check.name) for check in checks), default=0)
    lines = [f"{check.status:<4}  {check.name:<{width}}  {check.says}" for check in checks]
    counts = [f"{sum(check.status == status for check in checks)} {status}" for status in ("ok", "warn", "FAIL", "skip")]
    return "\n".join([*lines, "", f"{len(checks)} checks: {', '.join(counts)}", ""])


def checks_to_json(checks: Sequence[Check]) -> str:
    return json.dumps({"ok": not has_failed(checks), "checks": [asdict(check) for check in checks]}, indent=2) + "\n"


def quote(text: str) -> str:
    """A text of a data set, to be shown in a sentence: on one line, and not long."""
    line = " ".join(text.split())
    return f'"{line[:60]}…"' if len(line) > 60 else f'"{line}"'
