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
_warned: Set[str] = set()


class _Dropped(Exception):
    """What cannot be carried; its text says what it is."""


def to_truth(value: Any) -> Any:
    """A truth as JSON carries it; ``None`` for one that is missing (NaN, NaT) or of a type nobody can read.

    Such a truth is for metrics in most cohorts, so it keeps no rollout back: it is left out with one warning.
    """
    try:
        return _plain(value)
    except _Dropped as dropped:
        kind = str(dropped)
        if kind not in _warned:
            _warned.add(kind)
            logger.warning("A ground truth that holds %s is left out, and so are others like it.", kind)
        return None


def is_missing(value: Any) -> bool:
    """Whether a column has nothing there: ``None``, an empty text, or NaN, as pandas has it."""
    if value is None:
        return True
    if isinstance(value, str):
        return value == ""
    return isinstance(value, (float, Decimal)) and math.isnan(value)


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
