"""Holds the tests: finds the calls that they make, and runs them against a program in another interpreter."""

import ast
import builtins
import collections
import copy
import decimal
import fractions
import importlib
import json
import math
import sys
import typing

from absent import is_here
from names import BUILT_IN, IMPORTS, all_bound, all_used
from remote_program import CannotSend, Peer, Remote
from values import Unsupported, dump, to_json
from values import load as load_value

MAX_CALLS = 1_000
# Characters of requests that are sent on a guess.
MAX_GUESSED = 32_768
# What tests compare results with, and were often written to find behind the program's own imports.
HELPERS = {
    **{name: getattr(collections, name) for name in collections.__all__},
    **{name: getattr(math, name) for name in ("isclose", "isnan", "isinf", "isfinite", "inf", "nan", "pi")},
    **{value.__name__: value for value in (copy.deepcopy, decimal.Decimal, fractions.Fraction)},
}


def plan(request):
    """The function that is asked for, and the calls whose outputs vote. Expected values are left out."""
    entry = request.get("entry")
    inputs = request.get("inputs")
    if inputs is not None:
        try:
            return {"entry": entry, "calls": [call_of(item) for item in inputs][:MAX_CALLS]}
        except (SyntaxError, ValueError, RecursionError, MemoryError, Unsupported) as error:
            return {"fault": "An entry of inputs is no list of literals: " + type(error).__name__ + "."}
    try:
        tree = ast.parse(request.get("tests") or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"fault": "The test code cannot be read: " + type(error).__name__ + "."}
    found = list(asserted_calls(tree))
    aliases = {"candidate"} | ({entry} if entry else set())
    if entry is None:
        entry = most_asserted(tree)
        aliases = {entry}
    calls = [call for name, call in found if name in aliases and call is not None]
    return {"entry": entry, "calls": calls[:MAX_CALLS]}


def call_of(item):
    """One entry of `inputs`: the argument list as Python text, an array of arguments, or {"args", "kwargs"}."""
    if isinstance(item, str):
        call = literal_call(ast.parse("f(" + item + ")", mode="eval").body)
        if call is None:
            raise Unsupported("an input that is no list of literals")
        return call
    if isinstance(item, list):
        return {"args": [dump(value) for value in item], "kwargs": {}}
    args, kwargs = item.get("args", []), item.get("kwargs", {})
    return {"args": [dump(value) for value in args], "kwargs": {key: dump(value) for key, value in kwargs.items()}}


def asserted_calls(tree):
    """(name, call) of every `assert f(...)` and `assert f(...) <op> ...`, in order; call is None where an argument is no literal."""
    statements = sorted(
        (node for node in ast.walk(tree) if isinstance(node, ast.Assert)), key=lambda node: (node.lineno, node.col_offset)
    )
    for node in statements:
        test = node.test
        if isinstance(test, ast.Compare):
            test = test.left
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Name):
            yield test.func.id, literal_call(test)


def literal_call(node):
    try:
        if any(keyword.arg is None for keyword in node.keywords):
            return None
        return {
            "args": [dump(ast.literal_eval(arg)) for arg in node.args],
            "kwargs": {keyword.arg: dump(ast.literal_eval(keyword.value)) for keyword in node.keywords},
        }
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, Unsupported):
        return None


def run_tests(request, send):
    """Whether every test passes: {"passed": bool, "error"?: type} or {"fault": text} where nothing can be said."""
    entry = request.get("entry")
    try:
        tree = ast.parse("from typing import *\n" + request["tests"])
        tree.body = [node for node in tree.body if not is_left_out(node, entry)]
        compiled = compile(tree, "<tests>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"fault": "The test code cannot be read: " + type(error).__name__ + "."}
    missing = next((name for node in tree.body for name in modules_of(node) if not is_here(name)), None)
    if missing is not None:
        return {"fault": "The test code imports " + missing + ", which the sandbox does not have."}
    try:
        peer = Peer(send)
        lent = lent_names(tree, entry)
        load = {"op": "load", "code": request["code"], "blocks": request.get("blocks"), "entry": entry, "uses": missing_names(tree, lent)}
        # Only what was asked for: a program that calls one of its functions `len` or `all` must not change what the tests mean by it.
        wanted = {entry, *load["uses"]} - set(lent)
        own = {name: load_value(value, peer.read_handle) for name, value in peer.exchange(load)["names"].items() if name in wanted}
        if entry is not None and not isinstance(own.get(entry), Remote):
            return {"passed": False, "error": "NameError"}
        return run_all(tree, compiled, {**lent, **own}, entry)
    except CannotSend as error:
        return {"fault": "The tests pass the program a value of type " + error.kind + ", which cannot be sent to it."}
    except BaseException as error:
        return {"passed": False, "error": type(error).__name__}


def is_left_out(node, entry):
    """Of the tests: the import of the solution from a file that is not there, and the call that runs all tests and then exits."""
    if isinstance(node, ast.ImportFrom) and any(alias.name == entry for alias in node.names):
        return node.level > 0 or not is_here(node.module)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    return ast.unparse(node.value.func) in ("unittest.main", "pytest.main")


def modules_of(node):
    if not isinstance(node, IMPORTS):
        return []
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]


class Unanswered(BaseException):
    """The tests ask the program what nobody has asked it yet."""


def run_replayed(request):
    """
    The tests against a program that runs where nobody can talk to it: `known` are requests that it has been sent, in order, each
    with its reply or null. The verdict, or what the program has to be sent instead, as {"ask": requests}.
    """
    known, asked, needed = request["known"], [], []

    def send(text):
        place = len(asked)
        # A program that has ended answers nothing more.
        if any(reply is None for _, reply in known[:place]):
            return None
        if not needed and place < len(known) and known[place][0] == text:
            asked.append(text)
            return known[place][1]
        if not needed:
            needed.extend([*asked, text])
        raise Unanswered()

    verdict = run_tests(request, send)
    if not needed:
        return verdict
    # A guess that was wrong once is not made again.
    return {"ask": needed + (expected_requests(request, known, needed) if len(asked) == len(known) else [])}


def expected_requests(request, known, needed):
    """What the tests are likely to ask next: their calls with literal arguments, one after the other."""
    if len(known) == 0 or known[0][1] is None:
        return []
    names = json.loads(known[0][1]).get("names", {})
    refs = {name: value["h"][0] for name, value in names.items() if isinstance(value, dict) and "h" in value}
    refs["candidate"] = refs.get(request.get("entry"))
    texts = [
        to_json({"op": "ask", "object": refs[name], "name": "", **call})
        for name, call in asserted_calls(ast.parse(request["tests"]))
        if call is not None and refs.get(name) is not None
    ]
    place = len(needed) - 2
    if place >= len(texts) or texts[place] != needed[-1]:
        return []
    rest, length = [], 0
    for text in texts[place + 1 : MAX_CALLS]:
        length += len(text)
        if length > MAX_GUESSED:
            break
        rest.append(text)
    return rest


def lent_names(tree, entry):
    """
    What the tests use without importing or defining it, and the library has: modules, by `name.attribute`, and what results are
    compared with. These are the tests' own, whatever the program calls so; but the function that is asked for is the program's.
    """
    wanted = all_used(tree.body) - all_bound(tree.body) - BUILT_IN - {entry}
    nodes = [node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    modules = {node.id for node in nodes if isinstance(node, ast.Name)} & wanted & sys.stdlib_module_names
    asked = asked_helpers(tree, wanted) if entry is None else set()
    lent = {name: HELPERS[name] for name in wanted - asked if name in HELPERS}
    for name in modules:
        try:
            lent[name] = importlib.import_module(name)
        except ImportError:
            continue
    return lent


def asked_helpers(tree, wanted):
    """Names of helpers that nothing of the program's is handed to: then they are what the tests ask for."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    helping = {
        call.func.id
        for call in calls
        for argument in (*call.args, *call.keywords)
        for part in ast.walk(argument)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in wanted - HELPERS.keys()
    }
    return {call.func.id for call in calls} - helping


def most_asserted(tree):
    names = collections.Counter(name for name, _ in asserted_calls(tree))
    return max(names, key=lambda name: names[name], default=None)


def missing_names(tree, lent):
    """The names that the tests use and do not have: those of the program."""
    names = all_used(tree.body) - all_bound(tree.body) - BUILT_IN - set(lent)
    return sorted(name for name in names if not hasattr(typing, name))


def run_all(tree, compiled, own, entry):
    namespace = {"__name__": "tests", "__builtins__": builtins, **own}
    if entry is not None:
        namespace["candidate"] = own[entry]
    exec(compiled, namespace)
    defined = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    bound = all_bound(tree.body)
    ran = any(is_test(part, bound) for node in tree.body if node not in defined.values() for part in ast.walk(node))
    for name, node in defined.items():
        if isinstance(node, ast.FunctionDef) and name.startswith("test"):
            namespace[name]()
            ran = True
    if "check" in defined and entry is not None:
        namespace["check"](own[entry])
        ran = True
    if any(isinstance(node, ast.ClassDef) for node in defined.values()):
        ran = run_test_cases([namespace[name] for name in defined]) or ran
    return {"passed": True} if ran else {"fault": "The test code holds no test: no assert, no test function, no check(candidate)."}


def is_test(node, bound):
    """An assert, or a call of what the tests themselves define or import; what only calls or prints the program says nothing of it."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return isinstance(node, ast.Assert)
    return any(isinstance(part, ast.Name) and part.id in bound for part in ast.walk(node.value.func))


def run_test_cases(values):
    import unittest

    cases = [value for value in values if isinstance(value, type) and issubclass(value, unittest.TestCase)]
    for case in cases:
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
        if not result.wasSuccessful():
            raise AssertionError
    return cases != []
