"""What the standard library lends a program that does not import it: prompts hold imports that a completion need not repeat."""

import builtins
import bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq  # noqa: E401, F401
import itertools, json, math, operator, os, random, re, statistics, string, sys, time, typing  # noqa: E401, F401

MODULES = (
    bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq,
    itertools, json, math, operator, os, random, re, statistics, string, sys, time, typing,
)  # fmt: skip
# Whose names stand alone where a prompt says `from … import`; the first that has a name gives it.
OPEN_MODULES = (
    typing, collections, itertools, functools, heapq, bisect, math, copy, dataclasses, enum, fractions,
    decimal, datetime, string, statistics, operator,
)  # fmt: skip


def lent_names():
    names = {module.__name__: module for module in MODULES}
    for module in OPEN_MODULES:
        public = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
        for name in public:
            names.setdefault(name, getattr(module, name))
    return {name: value for name, value in names.items() if not hasattr(builtins, name)}


LENT = lent_names()
