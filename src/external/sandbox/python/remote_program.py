"""The program as its tests see it: functions and objects that live in another interpreter, behind messages that are not to be trusted."""

import builtins
import json

from sharing import Sharing, replace_content
from values import dump, load, to_json

MOST_NAME = 100
# An exception of these would not fail a test: it would end a loop of it.
ENDS = (StopIteration, StopAsyncIteration)


class ProgramEnded(BaseException):
    """The program's interpreter is gone: it exited, ran out of memory or crashed."""


class CannotSend(BaseException):
    """The tests pass the program a value that has no plain form. `kind` names its type."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class ProgramError(Exception):
    """The program raised what is no exception to go on after, or said nothing that can be read."""


class Remote:
    """
    A function, class or object of the program. It is equal to no plain data, and neither more nor less, whatever its class says;
    it compares with other objects of the program only, and what it makes with plain data is an object of the program or nothing.
    """

    __slots__ = ("_peer", "_ref", "_kind", "_type")

    def __init__(self, peer, ref, kind, type_name):
        self._peer, self._ref, self._kind, self._type = peer, ref, kind, type_name

    def __call__(self, *args, **kwargs):
        return self._peer.ask(self._ref, "", args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._peer.ask(self._ref, "getattr", (name,), {})

    def __eq__(self, other):
        if not isinstance(other, Remote):
            return False
        return self._ref == other._ref or self._peer.ask(self._ref, "__eq__", (other,), {}) is True

    def __hash__(self):
        return hash(self._ref)

    def __bool__(self):
        return True

    def __iter__(self):
        return self if self._kind == "iterator" else self._peer.ask(self._ref, "__iter__", (), {})

    def __next__(self):
        return self._peer.ask(self._ref, "__next__", (), {})

    def __contains__(self, item):
        # What is in a result is found by looking at all that it holds, not by asking it: what never ends holds nothing.
        return item in list(self)

    def __enter__(self):
        return self._peer.ask(self._ref, "__enter__", (), {})

    def __exit__(self, *failure):
        # A test that fails inside fails, whatever the program would make of it.
        self._peer.ask(self._ref, "__exit__", (None, None, None), {})
        return False

    def __repr__(self):
        return "<" + str(self._type) + " of the program>"


def forward(name):
    def special(self, *args):
        return self._peer.ask(self._ref, name, args, {})

    return special


def compare(name):
    def special(self, other):
        if not isinstance(other, Remote):
            return NotImplemented
        return self._peer.ask(self._ref, name, (other,), {}) is True

    return special


def operate(name):
    def special(self, *others):
        value = self._peer.ask(self._ref, name, others, {})
        return value if any(isinstance(part, Remote) for part in (value, *others)) else NotImplemented

    return special


def set_specials(make, *names):
    for name in names:
        setattr(Remote, "__" + name + "__", make("__" + name + "__"))


BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift")
set_specials(forward, "len", "getitem", "setitem", "delitem", "str", "reversed")
set_specials(compare, "lt", "le", "gt", "ge")
set_specials(operate, *BINARY, *("r" + name for name in BINARY), "neg", "pos", "invert", "abs")


class Peer:
    """The program, behind `send`: a request text to a reply text, or None when its interpreter has ended."""

    def __init__(self, send):
        self.send = send
        self.errors = {}

    def exchange(self, request):
        text = self.send(to_json(request))
        if text is None:
            raise ProgramEnded()
        reply = json.loads(text)
        if "error" in reply:
            raise self.error_of(reply["error"], str(reply.get("message", "")))
        return reply

    def ask(self, ref, name, args, kwargs):
        sharing = Sharing()
        request = {
            "op": "ask",
            "object": ref,
            "name": name,
            "args": [dump(arg, self.refer, sharing) for arg in args],
            "kwargs": {key: dump(value, self.refer, sharing) for key, value in kwargs.items()},
        }
        sharing.close()
        reply = self.exchange(request)
        if "stop" in reply:
            raise StopIteration if name == "__next__" else ProgramError("an end where there is none")
        # All read before any is changed: they may hold each other.
        changed = [(sharing.at(place), load(content, self.read_handle, sharing)) for place, content in reply.get("changed", ())]
        for target, content in changed:
            replace_content(target, content)
        return load(reply["value"], self.read_handle, sharing)

    def refer(self, value):
        if isinstance(value, Remote):
            return {"h": [value._ref, value._kind, value._type]}
        if value in self.errors.values():
            raise ProgramError("an exception in place of a value")
        raise CannotSend(type(value).__name__)

    def read_handle(self, tag, body):
        ref, kind, name = body
        return self.error_class(name) if kind == "error" else Remote(self, ref, kind, name)

    def error_class(self, line):
        """
        The class for an exception of the program's, by the names of itself and its bases up to the one that is built in. It is made once
        for each name, so that tests can catch it. Exits of the program are failures of the program, not the end of the tests.
        """
        cls = getattr(builtins, str(line[-1]), None)
        if not isinstance(cls, type) or not issubclass(cls, Exception) or issubclass(cls, ENDS):
            cls = ProgramError
        for name in reversed(line[:-1]):
            name = str(name)[:MOST_NAME]
            cls = self.errors.setdefault(name, type(name, (cls,), {}))
        return cls

    def error_of(self, line, message):
        try:
            return self.error_class(line)(message)
        except Exception:
            return ProgramError(message)
