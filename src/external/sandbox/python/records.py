"""Named tuples: a program's own classes, made anew where they arrive, so that their fields can be asked for."""

import functools
import keyword
from collections import namedtuple

MOST_FIELDS = 100


def fields_of(value):
    """The names of a named tuple's items; None of every other tuple."""
    cls = type(value)
    fields = getattr(cls, "_fields", None)
    if type(fields) is not tuple or not is_record(cls.__name__, fields, tuple.__len__(value)):
        return None
    return list(fields)


def is_record(name, fields, length):
    names = [name, *fields]
    return (
        len(fields) == length <= MOST_FIELDS
        and len(set(fields)) == len(fields)
        and all(type(text) is str and text.isidentifier() and not keyword.iskeyword(text) for text in names)
        and not any(text.startswith("_") for text in fields)
    )


def make_record(name, fields, items):
    """The named tuple; a plain one where the names are none that it could have."""
    if not is_record(name, fields, len(items)):
        return items
    return record_class(name, tuple(fields))._make(items)


@functools.lru_cache(maxsize=64)
def record_class(name, fields):
    return namedtuple(name, fields)
