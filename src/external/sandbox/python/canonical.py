"""The canonical text that outputs vote with."""

import math

from collections import deque
from decimal import Decimal

from values import EXACT_FLOAT, MAX_DEPTH, Unsupported, base_of

# Above this many bits a decimal text costs quadratic time, and Python refuses it.
DECIMAL_BITS = 14_000


def canonical(value, unify, depth=0):
    """The text that equal outputs share, whatever the hash seed. With `unify`, an integral float is an integer."""
    if depth > MAX_DEPTH:
        raise Unsupported("too deeply nested")
    base = base_of(value)
    if base is type(None) or base is bool:
        return repr(value)
    if base is int:
        plain = int.__index__(value)
        return str(plain) if plain.bit_length() < DECIMAL_BITS else hex(plain)
    if base is float:
        return float_text(float.__float__(value), unify)
    if base is complex:
        return f"complex({float_text(value.real, unify)}, {float_text(value.imag, unify)})"
    if base is str or base is bytes or base is bytearray:
        return base.__repr__(value)
    if base is list:
        return "[" + ", ".join(canonical(item, unify, depth + 1) for item in list.__iter__(value)) + "]"
    if base is tuple:
        inner = [canonical(item, unify, depth + 1) for item in tuple.__iter__(value)]
        return "(" + ", ".join(inner) + (",)" if len(inner) == 1 else ")")
    if base is set or base is frozenset:
        inner = sorted(canonical(item, unify, depth + 1) for item in base.__iter__(value))
        return "{" + ", ".join(inner) + "}" if inner else "set()"
    if base is dict:
        inner = sorted(
            canonical(key, unify, depth + 1) + ": " + canonical(item, unify, depth + 1)
            for key, item in dict.items(value)
        )
        return "{" + ", ".join(inner) + "}"
    if base is deque:
        return "deque([" + ", ".join(canonical(item, unify, depth + 1) for item in deque.__iter__(value)) + "])"
    if base is not None and (type(value) is base or base is Decimal):
        return base.__repr__(value)
    raise Unsupported(type(value).__name__)


def float_text(number, unify):
    """Ten significant digits, so that the last bits of an arithmetic order do not split a vote."""
    if number != number or number in (math.inf, -math.inf):
        return str(number)
    if number == int(number) and abs(number) < EXACT_FLOAT:
        return str(int(number)) if unify else str(int(number)) + ".0"
    return "%.10g" % number
