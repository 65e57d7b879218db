"""Runs one program: its outputs for given calls, or its functions for tests that live elsewhere."""

import __future__
import ast
import builtins
import json
import random
import sys
import types

from absent import split_absent
from assemble import assemble
from canonical import canonical
from library import LENT
from names import module_names
from sharing import Sharing, changes
from values import Unsupported, dump, load, to_json


def error_name(cls):
    name = cls.__name__
    return name if isinstance(name, str) and name.isidentifier() and len(name) < 100 else "Exception"


class Program:
    """
    A program that can be run afresh. What fails after the entry point stands is an example, and passed over; but one that
    reads standard input there would keep everybody waiting who imports it.
    """

    def __init__(self, request, entry, uses=()):
        body, self.absent = split_absent(assemble(request, entry, uses))
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
        module.__dict__.update(self.absent)
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
            emit("<ERR:" + error_name(type(error)) + ">")
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
        return "<ERR:" + error_name(type(error)) + ">"


class Session:
    """The functions and objects of one program, called one at a time by whoever holds the tests."""

    def __init__(self, request):
        entry, uses = request["entry"], request["uses"]
        self.objects = []
        self.uses = set(uses)
        self.names = dict(Program(request, entry, uses).fresh_namespace())
        for name in [entry] if entry else uses:
            function = entry_of(self.names, name)
            if function is not None:
                self.names[name] = function
        self.asked = {entry} if entry else {name for name in uses if not isinstance(self.names.get(name), types.ModuleType)}

    def public_names(self):
        return {
            name: self.hand_over(value) if callable(value) else self.dump(value)
            for name, value in self.names.items()
            if name in self.asked or (name in self.uses and self.is_own(value))
        }

    def is_own(self, value):
        """What the program itself made; not the modules and the typing names that it imported."""
        if isinstance(value, types.ModuleType):
            return False
        return getattr(value, "__module__", "program") in ("program", None)

    def dump(self, value):
        return dump(value, self.hand_over)

    def hand_over(self, value):
        self.objects.append(value)
        handle = [len(self.objects) - 1, kind_of(value), type(value).__name__]
        if handle[1] == "error":
            handle[2] = error_line(value)
        return {"h": handle}

    def read_handle(self, tag, body):
        return self.objects[body[0]]

    def answer(self, request):
        sharing = Sharing()
        args = [load(item, self.read_handle, sharing) for item in request["args"]]
        kwargs = {key: load(item, self.read_handle, sharing) for key, item in request["kwargs"].items()}
        sharing.close()
        before = sharing.contents(self.hand_over)
        target = self.objects[request["object"]]
        value = ask(target, request["name"], args, kwargs)
        reply = {"value": dump(value, self.hand_over, sharing)}
        # Tests may look at a list that the program changed in place.
        changed = changes(before, sharing.contents(self.hand_over))
        if changed:
            reply["changed"] = changed
        return reply


def kind_of(value):
    if isinstance(value, type):
        return "error" if issubclass(value, BaseException) else "class"
    if hasattr(type(value), "__next__"):
        return "iterator"
    return "function" if callable(value) else "object"


def error_line(cls):
    """The names of an exception's class and its bases, up to the first that is built in."""
    names = []
    for base in cls.__mro__:
        names.append(error_name(base))
        if base.__module__ == "builtins":
            break
    return names


def ask(target, name, args, kwargs):
    if name == "":
        return call(target, args, kwargs)
    if name == "getattr":
        return getattr(target, args[0])
    special = getattr(type(target), name, None)
    if special is None:
        raise TypeError("no " + name)
    return special(target, *args) if name == "__next__" else call(special, [target, *args], kwargs)


def call(function, args, kwargs):
    """Only an iterator has an end: what a function lets through would end a loop of the tests, and with it what they look at."""
    try:
        return function(*args, **kwargs)
    except StopIteration as error:
        raise RuntimeError("the program raised StopIteration") from error


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
            return to_json({"error": ["TypeError"], "message": "unsupported value: " + error.kind})
        except BaseException as error:
            return to_json({"error": error_line(type(error)), "message": message_of(error)})


def message_of(error):
    try:
        [text] = error.args if len(error.args) == 1 else [str(error)]
        return (text if type(text) is str else str(error))[:500]
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
