"""Ground truths as the server reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple


@dataclass(frozen=True)
class ReadTruth:
    """What the server makes of a truth: ``fault`` says of one that it cannot use why; ``readable`` whether it parses."""

    readable: bool
    fault: Optional[str] = None


class TruthReader:
    """The server's own reading of truths; a pair of texts is equal when it says so."""

    def __init__(self, grade: Callable[[List[Mapping[str, Any]]], List[Mapping[str, Any]]], mode: str) -> None:
        self._grade = grade
        self.mode = mode

    def read(self, truths: Sequence[Any]) -> List[ReadTruth]:
        # A pattern is for completions; truths are read alike in both modes.
        mode = "auto" if self.mode == "regex" else self.mode
        prediction = {"choice": "A", "boxed": "\\boxed{0}", "auto": "\\boxed{0}", "gsm8k": "#### 0"}.get(mode, "0")
        prediction = "<answer>0</answer>" if mode == "answer-tag" else prediction
        graded = self._grade([{"prediction": prediction, "truth": truth, "mode": mode} for truth in truths])
        return [_read_truth(result) for result in graded]

    def are_equal(self, pairs: Sequence[Tuple[Any, Any]]) -> List[bool]:
        modes = ("choice",) if self.mode == "choice" else ("raw", "auto")
        asked = [(a, b, mode) for mode in modes for one, other in pairs for a, b in ((one, other), (other, one))]
        graded = self._grade(
            [{"prediction": show(a), "truth": b, "mode": mode} for a, b, mode in asked],
        )
        equal = [bool(result["equal"]) for result in graded]
        step = 2 * len(pairs)
        return [
            any(equal[base + 2 * at] or equal[base + 2 * at + 1] for base in range(0, len(equal), step))
            for at in range(len(pairs))
        ]


def _read_truth(result: Mapping[str, Any]) -> ReadTruth:
    reason = str(result["reason"])
    if result["status"] != "unparsable_truth":
        return ReadTruth(True)
    said = re.match(r"the truth ((?:is|has|holds) .*)$", reason)
    is_fault = said is not None and said.group(1) != "holds no answer"
    return ReadTruth(False, said.group(1) if said and is_fault else None)


def has_none(truth: Any) -> bool:
    """Blank texts, and lists of such, are no truths."""
    if isinstance(truth, list):
        return all(has_none(each) for each in truth)
    return truth is None or (isinstance(truth, str) and not truth.strip())


def show(truth: Any) -> str:
    if isinstance(truth, Mapping) and list(truth) == ["target"]:
        return show(truth["target"])
    texts = [_text(each) for each in truth] if isinstance(truth, list) else [_text(truth)]
    return ", ".join(dict.fromkeys(text for text in texts if text.strip()))


def _text(value: Any) -> str:
    """As JSON and then JavaScript write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
