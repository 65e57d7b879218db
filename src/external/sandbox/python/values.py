"""Values as they cross between interpreters (tagged JSON).

What a program hands over is rebuilt from exact built-in types by their own methods, so that an object whose
class answers "equal" to everything arrives as data or not at all.
"""

import builtins
import json

from collections import Counter, OrderedDict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

from records import fields_of, make_record

MAX_DEPTH = 200
EXACT_FLOAT = 2**53


class Unsupported(Exception):
    """A value that has no plain form. `kind` names its type."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class Unshared:
    """Of values that cross once: none of their containers is remembered. What is, and what for, says `sharing`."""

    def number(self, value):
        return None

    def note(self, value):
        pass

    def at(self, number):
        raise Unsupported("a list that was not sent")


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
TAGS = {tuple: "t", set: "s", frozenset: "z", deque: "q"}
DICTS = {Counter: "C", OrderedDict: "O", dict: "d"}
VIEWS = {type(dict().keys()): "k", type(dict().values()): "v", type(dict().items()): "y"}
VIEWS |= {type(OrderedDict().keys()): "k", type(OrderedDict().values()): "v", type(OrderedDict().items()): "y"}
MOMENTS = {datetime: "datetime", date: "date", time: "time"}
CONSTANTS = {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented, "NoneType": type(None)}


def dump(value, other=None, shared=Unshared(), depth=0):
    """
    Plain data as what JSON holds. `other(value)` writes what is not plain; without it that raises Unsupported. `shared` knows the
    containers that both sides have: they cross by their numbers.
    """
    number = shared.number(value)
    if number is not None:
        return {"&": number}
    shared.note(value)
    return dump_content(value, other, shared, depth)


def dump_content(value, other, shared, depth=0):
    """The same, also of a container that both sides have."""
    if depth > MAX_DEPTH:
        raise Unsupported("too deeply nested")

    def inner(items):
        return [dump(item, other, shared, depth + 1) for item in items]

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
    if base is complex:
        return {"c": [float.hex(value.real), float.hex(value.imag)]}
    if base is bytes or base is bytearray:
        return {"b" if base is bytes else "B": base.hex(value)}
    if base is list:
        return inner(list.__iter__(value))
    if base is tuple and (fields := fields_of(value)) is not None:
        return {"N": [type(value).__name__, fields, inner(tuple.__iter__(value))]}
    if base in TAGS:
        return {TAGS[base]: inner(base.__iter__(value))}
    if base is dict:
        tag = next(tag for kind, tag in DICTS.items() if isinstance(value, kind))
        return {tag: [inner(pair) for pair in dict.items(value)]}
    if type(value) in VIEWS:
        return {VIEWS[type(value)]: inner(value)}
    if base is range:
        return {"r": [value.start, value.stop, value.step]}
    if base is Decimal:
        return {"D": Decimal.__str__(value)}
    if base is Fraction:
        return {"Q": [hex(value.numerator), hex(value.denominator)]}
    if base is timedelta:
        return {"w": [value.days, value.seconds, value.microseconds]}
    if base in MOMENTS:
        return {"m": [MOMENTS[base], base.isoformat(value)]}
    if (name := constant_name(value)) is not None:
        return {"T": name}
    if other is None:
        raise Unsupported(type(value).__name__)
    return other(value)


def constant_name(value):
    """Of a type or constant that every interpreter has as its own."""
    for name, constant in CONSTANTS.items():
        if value is constant:
            return name
    if type(value) is not type:
        return None
    name = type.__dict__["__name__"].__get__(value)
    return name if getattr(builtins, name, None) is value else None


def load(data, other=None, shared=Unshared()):
    """The value that `dump` wrote. `other(tag, data)` reads what is not plain."""

    def inner(items):
        return (load(item, other, shared) for item in items)

    def fill(empty, add, items):
        # Noted before what it holds, as `dump` does: the items come one by one.
        shared.note(empty)
        add(empty, items)
        return empty

    if isinstance(data, list):
        return fill([], list.extend, inner(data))
    if not isinstance(data, dict):
        return data
    ((tag, body),) = data.items()
    if tag == "&":
        return shared.at(body)
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float.fromhex(body)
    if tag == "c":
        return complex(float.fromhex(body[0]), float.fromhex(body[1]))
    if tag == "b":
        return bytes.fromhex(body)
    if tag == "B":
        return fill(bytearray(), bytearray.extend, bytes.fromhex(body))
    if tag == "s":
        return fill(set(), set.update, inner(body))
    if tag == "q":
        return fill(deque(), deque.extend, inner(body))
    if tag == "t":
        return tuple(inner(body))
    if tag == "z":
        return frozenset(inner(body))
    if tag == "N":
        return make_record(body[0], body[1], tuple(inner(body[2])))
    if tag in BY_DICT_TAG:
        return fill(BY_DICT_TAG[tag](), put_pairs, (tuple(inner(pair)) for pair in body))
    if tag == "k":
        return dict.fromkeys(inner(body)).keys()
    if tag == "v":
        return dict(enumerate(inner(body))).values()
    if tag == "y":
        return dict(inner(body)).items()
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
    if tag == "T":
        return load_constant(body)
    if other is None:
        raise Unsupported(tag)
    return other(tag, body)


def put_pairs(empty, pairs):
    # Not by `update`, which counts what a Counter is given.
    for key, value in pairs:
        empty[key] = value


BY_DICT_TAG = {tag: kind for kind, tag in DICTS.items()}
BY_MOMENT = {name: base for base, name in MOMENTS.items()}


def load_constant(name):
    if name in CONSTANTS:
        return CONSTANTS[name]
    value = getattr(builtins, name, None)
    if type(value) is not type:
        raise Unsupported("a type of no name")
    return value


def to_json(data):
    return json.dumps(data, separators=(",", ":"))
