"""Runs one program: its outputs for given calls, or its functions for tests that live elsewhere."""

import builtins
import json
import random
import sys
import types

from values import Unsupported, canonical, dump, load, to_json

PRELUDE = "from typing import *\n"


def error_name(error):
    name = type(error).__name__
    return name if isinstance(name, str) and name.isidentifier() and len(name) < 100 else "Exception"


def compile_program(code):
    # The prelude's line is 0, so that a traceback counts as the author does.
    return compile(PRELUDE + code, "<program>", "exec", dont_inherit=True)


def fresh_namespace(compiled):
    """Runs the program's text as a module of its own and returns its names."""
    random.seed(0)
    module = types.ModuleType("program")
    sys.modules["program"] = module
    exec(compiled, module.__dict__)
    return module.__dict__


def run_calls(request, emit):
    """Emits one text per call: the canonical output, or <NOFUNC>, <OBJECT>, <ERR:Type>. Each call has its own namespace."""
    entry, unify = request["entry"], request["unify"]
    try:
        compiled = compile_program(request["code"])
    except BaseException as error:
        for _ in request["calls"]:
            emit("<ERR:" + error_name(error) + ">")
        return
    for call in request["calls"]:
        emit(output_of(compiled, entry, call, unify, request["limit"]))


def output_of(compiled, entry, call, unify, limit):
    try:
        function = fresh_namespace(compiled).get(entry)
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

    def __init__(self, code):
        self.objects = []
        self.names = fresh_namespace(compile_program(code))

    def public_names(self):
        return {
            name: self.dump(value)
            for name, value in list(self.names.items())
            if not name.startswith("__") and self.is_own(name, value)
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
                self.session = Session(request["code"])
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


def exits_raise():
    """`os._exit` ends the interpreter under the feet of its host; a program that calls it ends like one that calls exit()."""
    import os

    def leave(status=0):
        raise SystemExit(status)

    os._exit = leave
    builtins.exit = leave
    builtins.quit = leave
