"""Ground truths as data sets hold them, made into what JSON can carry."""

from __future__ import annotations

import logging
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, List, Mapping, Set

logger = logging.getLogger("peervote")

#: Beyond it JSON numbers are rounded, so integers go as their digits.
_EXACT = 2**53
#: What the server reads of a truth.
MAX_LENGTH = 16_384
_warned: Set[str] = set()


class _Dropped(Exception):
    """What cannot be carried; its text says what it is."""


def to_truth(value: Any) -> Any:
    """A truth as JSON carries it; ``None`` for one that is missing (NaN, NaT) or of a type nobody can read.

    Such a truth is for metrics in most cohorts, so it keeps no rollout back: it is left out with one warning.
    """
    try:
        plain = _plain(value)
    except _Dropped as dropped:
        _warn_once(f"A ground truth that holds {dropped} is left out, and so are others like it.")
        return None
    # The server says the same in its metrics, for which it has to see them.
    if isinstance(plain, str) and len(plain) > MAX_LENGTH:
        _warn_once(f"A ground truth of more than {MAX_LENGTH:,} characters is not read, nor are others like it.")
    if isinstance(plain, dict) and set(plain) != {"target"}:
        _warn_once('A ground truth that is an object with fields beside "target" is not read, nor are others like it.')
    return plain


def _warn_once(sentence: str) -> None:
    if sentence not in _warned:
        _warned.add(sentence)
        logger.warning("%s", sentence)


def is_missing(value: Any) -> bool:
    """Whether a column has nothing there: ``None``, an empty text, or NaN, as pandas and numpy have it."""
    if value is None:
        return True
    if isinstance(value, str):
        return value == ""
    if isinstance(value, (float, Decimal)):
        return math.isnan(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return True
    return getattr(value, "ndim", None) == 0 and is_missing(value.tolist())


def _plain(value: Any) -> Any:
    if is_missing(value):
        return None
    if isinstance(value, (str, bool)):
        # A text of numpy is a subclass, which JSON takes too.
        return value
    if isinstance(value, int):
        return value if -_EXACT <= value <= _EXACT else str(value)
    if isinstance(value, (Decimal, Fraction)):
        if isinstance(value, Decimal) and not value.is_finite():
            raise _Dropped("an infinite number")
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    if isinstance(value, float):
        if math.isinf(value):
            raise _Dropped("an infinite number")
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return _members(value)
    if isinstance(value, (set, frozenset)):
        return sorted(_members(list(value)), key=str)
    convert = getattr(value, "tolist", None)
    if callable(convert):
        # An array or a scalar of numpy, or a tensor.
        return _plain(convert())
    raise _Dropped(f"a {type(value).__name__}")


def _members(values: Any) -> List[Any]:
    return [member for member in (_plain(value) for value in values) if member is not None]
