"""The program of a completion that goes on where its prompt stopped: the body of a function, whose head was in the prompt."""

import ast
import types

from library import LENT
from names import BUILT_IN, DEFINITIONS, own_names

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
CONSTANTS = {"pi", "inf", "nan", "ascii_letters", "ascii_lowercase", "ascii_uppercase"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
VALUES_FIRST = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension)


def complete_body(text, entry):
    """
    The statements of the text with the body under a head of our own; None when it is no body. The names of the parameters
    stood in the prompt: they are those that the body reads and nothing defines, in the order of their first use.
    """
    parts = indented_body(text) or flat_body(text)
    if parts is None:
        return None
    body, rest = parts
    (function,) = ast.parse("def " + entry + "(*_): pass").body
    function.body = body
    names = parameters(body, entry, {name for node in rest for name in own_names(node)})
    function.args.args = [ast.arg(name) for name in names]
    return ast.fix_missing_locations(ast.Module([function, *rest], [])).body


def indented_body(text):
    """Lines that are indented, and what follows them at the margin, if that is Python."""
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    end = next((place for place in range(start + 1, len(lines)) if is_at_margin(lines[place])), len(lines))
    head, inner = lines[start:end][:1], lines[start + 1 : end]
    if not head or not (is_indented(head[0]) or any(map(is_indented, inner))):
        return None
    # The first line may have lost its indent, or got a space more, where the prompt was cut.
    indents = [line[: len(line) - len(line.lstrip())] for line in inner if is_indented(line)]
    for indent in (head[0][: len(head[0]) - len(head[0].lstrip())], min(indents, key=len, default="    ")):
        body = parse_body("\n".join([indent + head[0].lstrip(), *inner]))
        if body is not None and gives_back(body):
            return body, read("\n".join(lines[end:]))
    return None


def flat_body(text):
    """Statements at the margin that give something back; what comes after the last of those is no part of the body."""
    body = read(text)
    last = max((place for place, node in enumerate(body) if gives_back([node])), default=None)
    return None if last is None else (body[: last + 1], body[last + 1 :])


def parse_body(text):
    try:
        return ast.parse("def body():\n" + text).body[0].body
    except UNREADABLE:
        return None


def read(text):
    try:
        return ast.parse(text).body
    except UNREADABLE:
        return []


def is_indented(line):
    return line[:1] in (" ", "\t") and line.strip() != ""


def is_at_margin(line):
    return line.strip() != "" and line[0] not in " \t#"


def gives_back(body):
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def parameters(body, entry, defined):
    """Names that are read before they are bound, and that are neither Python's nor the library's."""
    order = list(in_order(body))
    read_first, bound = {}, set(defined) | {entry}
    for node in order:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
            read_first.setdefault(node.id, node)
        bound.update(own_names(node))
    called = {node.func.id for node in order if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    read_from = {}
    for node in order:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            read_from.setdefault(node.value.id, set()).add(node.attr)
    names = [name for name in read_first if name not in BUILT_IN and not is_lent(name, called, read_from.get(name, ()))]
    # A parameter may have the name of a built-in, such as `dict`, which then is not called.
    return names or [name for name in read_first if name in BUILT_IN and name not in called][:1]


def is_lent(name, called, attributes):
    """Whether the body means the library by a name: by how it uses it."""
    value = LENT.get(name)
    if value is None:
        return False
    if isinstance(value, types.ModuleType):
        return bool(attributes) and all(hasattr(value, attribute) for attribute in attributes)
    return name in called or name in CONSTANTS or getattr(value, "__module__", "") == "typing"


def in_order(body):
    """All nodes, about in the order in which they run: values before targets, loops before what they yield, inner functions last."""
    later = []
    stack = list(reversed(body))
    while stack or later:
        if not stack:
            stack = list(reversed(later))
            later = []
        node = stack.pop()
        if isinstance(node, DEFINITIONS):
            arguments = [node.args] if hasattr(node, "args") else []
            later.extend(arguments + node.body)
            inner = set(map(id, arguments + node.body))
            stack.extend(part for part in reversed(children(node)) if id(part) not in inner)
        else:
            stack.extend(reversed(children(node)))
        yield node


def children(node):
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, COMPREHENSIONS):
        return node.generators + [part for part in parts if not isinstance(part, ast.comprehension)]
    if isinstance(node, ast.Lambda):
        return [node.args, node.body]
    if isinstance(node, ast.AugAssign):
        return [ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target, node.value]
    if isinstance(node, VALUES_FIRST):
        value = getattr(node, "iter", None) or node.value
        return [part for part in (value,) if part is not None] + [part for part in parts if part is not value]
    return parts
