"""Containers that tests pass to a program: both sides have them, and what the program does to its own is done to theirs."""

from collections import deque

from values import Unsupported, dump_content, to_json

KINDS = (list, dict, set, bytearray, deque)


class Sharing:
    """
    The containers among the arguments of one call, numbered on both sides in the order in which they are written: so a list that is
    passed twice arrives as one, and a result that is an argument is that argument.
    """

    def __init__(self):
        self.items = []
        self.numbers = {}
        self.is_open = True

    def number(self, value):
        return self.numbers.get(id(value))

    def note(self, value):
        # Kept in the list too, so that no other object gets its id.
        if self.is_open and type(value) in KINDS:
            self.numbers[id(value)] = len(self.items)
            self.items.append(value)

    def at(self, number):
        if type(number) is not int or not 0 <= number < len(self.items):
            raise Unsupported("a list that was not sent")
        return self.items[number]

    def close(self):
        """The arguments are written or read: nothing new is shared from here."""
        self.is_open = False

    def contents(self, other):
        """What each holds now; the containers in it by their numbers."""
        return [dump_content(item, other, self) for item in self.items]


def changes(before, after):
    """[[number, content]] of those that differ."""
    return [[place, now] for place, (then, now) in enumerate(zip(before, after)) if to_json(then) != to_json(now)]


def replace_content(target, content):
    if type(target) is not type(content):
        raise Unsupported("another type in place of a list")
    if isinstance(target, (list, bytearray)):
        target[:] = content
    else:
        target.clear()
        (target.extend if isinstance(target, deque) else target.update)(content)
