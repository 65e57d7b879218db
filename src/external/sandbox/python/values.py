"""Values as they cross between interpreters (tagged JSON), and the canonical text that outputs vote with.

What a program hands over is rebuilt from exact built-in types by their own methods, so that an object whose
class answers "equal" to everything arrives as data or not at all.
"""

import json
import math

from collections import deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

MAX_DEPTH = 200
# Above this many bits a decimal text costs quadratic time, and Python refuses it.
DECIMAL_BITS = 14_000
EXACT_FLOAT = 2**53


class Unsupported(Exception):
    """A value that has no plain form. `kind` names its type."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def base_of(value):
    """The built-in type that a value is rebuilt as; None where there is none. Never asks the value itself."""
    cls = type(value)
    for base in PLAIN:
        if issubclass(cls, base):
            return base
    return None


# bool before int, datetime before date: the first that fits wins.
PLAIN = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    bytearray,
    list,
    tuple,
    dict,
    frozenset,
    set,
    deque,
    range,
    Decimal,
    Fraction,
    datetime,
    date,
    time,
    timedelta,
)


def dump(value, other=None, depth=0):
    """Plain data as what JSON holds. `other(value)` writes what is not plain; without it that raises Unsupported."""
    if depth > MAX_DEPTH:
        raise Unsupported("too deeply nested")
    base = base_of(value)
    if base is type(None) or base is bool:
        return value
    if base is str:
        return str.__str__(value)
    if base is int:
        plain = int.__index__(value)
        return plain if abs(plain) < EXACT_FLOAT else {"i": hex(plain)}
    if base is float:
        return {"f": float.hex(value)}
    if base is complex and type(value) is complex:
        return {"c": [float.hex(value.real), float.hex(value.imag)]}
    if base is bytes or base is bytearray:
        return {"b" if base is bytes else "B": base.hex(value)}
    if base is list:
        return [dump(item, other, depth + 1) for item in list.__iter__(value)]
    if base in TAGS:
        return {TAGS[base]: [dump(item, other, depth + 1) for item in base.__iter__(value)]}
    if base is dict:
        pairs = [[dump(key, other, depth + 1), dump(item, other, depth + 1)] for key, item in dict.items(value)]
        return {"d": pairs}
    if base is range:
        return {"r": [value.start, value.stop, value.step]}
    if base is Decimal:
        return {"D": Decimal.__str__(value)}
    if base is Fraction and type(value) is Fraction:
        return {"Q": [hex(value.numerator), hex(value.denominator)]}
    if base is timedelta and type(value) is timedelta:
        return {"w": [value.days, value.seconds, value.microseconds]}
    if base in MOMENTS and type(value) is base:
        return {"m": [MOMENTS[base], base.isoformat(value)]}
    if other is None:
        raise Unsupported(type(value).__name__)
    return other(value)


TAGS = {tuple: "t", set: "s", frozenset: "z", deque: "q"}
MOMENTS = {datetime: "datetime", date: "date", time: "time"}
BY_TAG = {tag: base for base, tag in TAGS.items()}
BY_MOMENT = {name: base for base, name in MOMENTS.items()}


def load(data, other=None):
    """The value that `dump` wrote. `other(tag, data)` reads what is not plain."""
    if isinstance(data, list):
        return [load(item, other) for item in data]
    if not isinstance(data, dict):
        return data
    ((tag, body),) = data.items()
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float.fromhex(body)
    if tag == "c":
        return complex(float.fromhex(body[0]), float.fromhex(body[1]))
    if tag == "b":
        return bytes.fromhex(body)
    if tag == "B":
        return bytearray.fromhex(body)
    if tag in BY_TAG:
        return BY_TAG[tag](load(item, other) for item in body)
    if tag == "d":
        return {load(key, other): load(item, other) for key, item in body}
    if tag == "r":
        return range(*body)
    if tag == "D":
        return Decimal(body)
    if tag == "Q":
        return Fraction(int(body[0], 16), int(body[1], 16))
    if tag == "w":
        return timedelta(*body)
    if tag == "m":
        return BY_MOMENT[body[0]].fromisoformat(body[1])
    if other is None:
        raise Unsupported(tag)
    return other(tag, body)


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


def to_json(data):
    return json.dumps(data, separators=(",", ":"))
