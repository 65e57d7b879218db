"""Runs one program: its outputs for given calls, or its functions for tests that live elsewhere."""

import __future__
import ast
import builtins
import json
import random
import sys
import types

from assemble import assemble
from library import LENT
from names import module_names
from values import Unsupported, canonical, dump, load, to_json

def error_name(error):
    name = type(error).__name__
    return name if isinstance(name, str) and name.isidentifier() and len(name) < 100 else "Exception"


class Program:
    """
    A program that can be run afresh. What fails after the entry point stands is an example, and passed over; but one that
    reads standard input there would keep everybody waiting who imports it.
    """

    def __init__(self, request, entry, uses=()):
        body = assemble(request, entry, uses)
        self.entry = entry
        self.flags = 0
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    self.flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
        end = entry_end(body, [entry] if entry else uses)
        self.head = self.compile(body[:end])
        self.examples = [self.compile([node]) for node in body[end:]]

    def compile(self, body):
        return compile(ast.Module(body, []), "<program>", "exec", self.flags, dont_inherit=True)

    def fresh_namespace(self):
        """Runs the program's text as a module of its own and returns its names."""
        random.seed(0)
        module = types.ModuleType("program")
        sys.modules["program"] = module
        exec(self.head, module.__dict__)
        for example in self.examples:
            try:
                exec(example, module.__dict__)
            except EOFError:
                raise
            except SystemExit:
                break
            except BaseException:
                continue
        return module.__dict__


def entry_end(body, wanted):
    """How many statements it takes until all wanted names that the statements define are defined; all where there is none."""
    places = {}
    for place, node in enumerate(body):
        for name in module_names([node]):
            places.setdefault(name, place)
    ends = [places[name] for name in wanted if name in places]
    if not ends and "Solution" in places:
        ends = [places["Solution"]]
    return max(ends) + 1 if ends else len(body)


def entry_of(names, entry):
    """The function that is asked for: of the module, else of a new instance of `class Solution` at each call."""
    function, solution = names.get(entry), names.get("Solution")
    if callable(function) or not isinstance(solution, type) or not callable(getattr(solution, entry, None)):
        return function
    return lambda *args, **kwargs: getattr(solution(), entry)(*args, **kwargs)


def run_calls(request, emit):
    """Emits one text per call: the canonical output, or <NOFUNC>, <OBJECT>, <ERR:Type>. Each call has its own namespace."""
    entry, unify = request["entry"], request["unify"]
    try:
        program = Program(request, entry)
    except BaseException as error:
        for _ in request["calls"]:
            emit("<ERR:" + error_name(error) + ">")
        return
    for call in request["calls"]:
        emit(output_of(program, call, unify, request["limit"]))


def output_of(program, call, unify, limit):
    try:
        function = entry_of(program.fresh_namespace(), program.entry)
        if not callable(function):
            return "<NOFUNC>"
        args = load(call["args"])
        kwargs = {key: load(value) for key, value in call["kwargs"].items()}
        text = canonical(function(*args, **kwargs), unify)
        return text if len(text) <= limit else "<ERR:OutputLimit>"
    except Unsupported:
        return "<OBJECT>"
    except BaseException as error:
        return "<ERR:" + error_name(error) + ">"


class Session:
    """The functions and objects of one program, called one at a time by whoever holds the tests."""

    def __init__(self, request):
        entry, uses = request["entry"], request["uses"]
        self.objects = []
        self.names = dict(Program(request, entry, uses).fresh_namespace())
        for name in [entry] if entry else uses:
            function = entry_of(self.names, name)
            if function is not None:
                self.names[name] = function
        self.asked = {entry} if entry else {name for name in uses if not isinstance(self.names.get(name), types.ModuleType)}

    def public_names(self):
        return {
            name: self.dump(value)
            for name, value in self.names.items()
            if not name.startswith("__") and (name in self.asked or self.is_own(name, value))
        }

    def is_own(self, name, value):
        """What the program itself made; not the modules and the typing names that it imported."""
        if isinstance(value, types.ModuleType):
            return False
        return getattr(value, "__module__", "program") in ("program", None)

    def dump(self, value):
        return dump(value, self.hand_over)

    def hand_over(self, value):
        self.objects.append(value)
        kind = "class" if isinstance(value, type) else "object"
        if kind == "object" and callable(value):
            kind = "function"
        if hasattr(type(value), "__next__"):
            kind = "iterator"
        return {"h": [len(self.objects) - 1, kind, type(value).__name__]}

    def load(self, data):
        return load(data, lambda _, body: self.objects[body[0]])

    def answer(self, request):
        args = [self.load(item) for item in request["args"]]
        kwargs = {key: self.load(item) for key, item in request["kwargs"].items()}
        before = to_json(request["args"])
        target = self.objects[request["object"]]
        name = request["name"]
        if name == "":
            value = target(*args, **kwargs)
        elif name == "getattr":
            value = getattr(target, args[0])
        else:
            special = getattr(type(target), name, None)
            if special is None:
                raise TypeError("no " + name)
            value = special(target, *args)
        reply = {"value": self.dump(value)}
        if args:
            # Tests may look at a list that the program changed in place.
            after = [self.dump(item) for item in args]
            if to_json(after) != before:
                reply["args"] = after
        return reply


class Server:
    """Answers requests, each a JSON text. `emit` takes the outputs of a voting run as they come."""

    def __init__(self):
        self.session = None

    def answer(self, text, emit):
        request = json.loads(text)
        try:
            if request["op"] == "run":
                run_calls(request, emit)
                return "{}"
            if request["op"] == "load":
                self.session = Session(request)
                return to_json({"names": self.session.public_names()})
            return to_json(self.session.answer(request))
        except StopIteration:
            return to_json({"stop": True})
        except Unsupported as error:
            return to_json({"error": "TypeError", "message": "unsupported value: " + error.kind})
        except BaseException as error:
            return to_json({"error": error_name(error), "message": message_of(error)})


def message_of(error):
    try:
        return str(error)[:500]
    except BaseException:
        return ""


def prepare_builtins():
    """
    Lends programs the library as built-ins, which whatever they define themselves hides. `os._exit` ends the interpreter under
    the feet of its host; a program that calls it ends like one that calls exit().
    """
    import os

    def leave(status=0):
        raise SystemExit(status)

    os._exit = leave
    builtins.exit = leave
    builtins.quit = leave
    builtins.__dict__.update(LENT)
