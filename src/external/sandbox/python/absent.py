"""Packages that are not here. Importing one is no mistake of a program that never uses it."""

import ast
import importlib.util
import sys


def is_here(module):
    top = module.split(".")[0]
    if top in sys.modules or top in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False


class Absent:
    """A module that is not here, or something of it: can be named, in a type hint too, and fails as its import would once it is used."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self._name + "." + name)

    def __call__(self, *args, **kwargs):
        raise ModuleNotFoundError("No module named " + repr(self._name.split(".")[0]))

    __getitem__ = __iter__ = __len__ = __enter__ = __bool__ = __contains__ = __call__

    def __mro_entries__(self, bases):
        return ()

    def __or__(self, other):
        return self

    __ror__ = __or__


def split_absent(body):
    """The statements without the imports that would fail, and what stands for the names that those bind."""
    kept, names = [], {}
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level == 0 and not is_here(node.module):
            names |= {alias.asname or alias.name: Absent(node.module + "." + alias.name) for alias in node.names if alias.name != "*"}
        elif isinstance(node, ast.Import) and any(not is_here(alias.name) for alias in node.names):
            here = [alias for alias in node.names if is_here(alias.name)]
            names |= {(alias.asname or alias.name.split(".")[0]): Absent(alias.name) for alias in node.names if alias not in here}
            if here:
                kept.append(ast.copy_location(ast.Import(here), node))
        else:
            kept.append(node)
    return kept, names
