"""The Python snippets of the documentation, by the section that they stand in."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Dict, List

CLIENT = Path(__file__).resolve().parents[1]
README = CLIENT / "README.md"
TRAINERS = CLIENT.parents[1] / "docs/trainers.md"


def snippets_of(document: Path) -> Dict[str, str]:
    """Heading (or a line that starts in bold) above each snippet → its code. Raises ValueError for two under one heading."""
    found: Dict[str, str] = {}
    section = ""
    code: List[str] = []
    inside = False
    for line in document.read_text().splitlines():
        heading = re.match(r"#+ (.+)|\*\*(.+?)\*\*", line)
        if inside and line == "```":
            if section in found:
                raise ValueError(f"Two snippets under {section}.")
            found[section] = "\n".join(code)
            inside, code = False, []
        elif inside:
            code.append(line)
        elif line == "```python":
            inside = True
        elif heading is not None:
            section = heading.group(1) or heading.group(2)
    return found


def as_coroutine(code: str, arguments: str, result: str) -> str:
    """The source of ``async def snippet(arguments)``, which runs ``code`` and returns its name ``result``."""
    return f"async def snippet({arguments}):\n{textwrap.indent(code, '    ')}\n    return {result}\n"
