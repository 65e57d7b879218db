"""Finds the program in the blocks of a completion: the last that defines what is asked for, with what it uses of the others."""

import ast
import re
import sys
import textwrap

from body import complete_body
from names import ASSIGNMENTS, BUILT_IN, DEFINITIONS, IMPORTS, all_bound, all_used, module_names

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")


def assemble(request, entry, uses=()):
    """
    The statements of the program. `code` is the program where no block defines `entry`, or where there is none, one of the
    names that the tests use. Raises what compiling that raises.
    """
    code, blocks = request["code"], request.get("blocks") or [request["code"]]
    wanted = {entry} if entry else set(uses)
    trees = [read(block) for block in blocks]
    found = last_definition(trees, wanted)
    if found is None and entry:
        bodies = (complete_body(text, entry) for text in (code, *reversed(blocks)))
        body = next((body for body in bodies if body is not None), None)
        if body is not None:
            trees.append(body)
            found = len(trees) - 1
    if found is None:
        return ast.parse(code).body
    return with_helpers(found, trees, wanted | set(uses))


def read(text):
    """The statements of a block, also of one that is indented as a whole or was copied from an interactive session; None for no Python."""
    for form in (str, textwrap.dedent, typed_in_session):
        try:
            return ast.parse(form(text)).body
        except UNREADABLE:
            continue
    return None


def typed_in_session(text):
    return "\n".join(PROMPT.sub("", line) for line in text.split("\n") if PROMPT.match(line))


def last_definition(trees, wanted):
    """Where the last definition of a wanted name is; one that only shows its signature counts where there is no other."""
    shown = None
    for place in range(len(trees) - 1, -1, -1):
        defined = [statement for name, statement in entry_points(trees[place] or []).items() if name in wanted]
        if any(not is_only_shown(statement) for statement in defined):
            return place
        if shown is None and defined:
            shown = place
    return shown


def entry_points(body):
    """What statements define for others to call: names of the module, and methods of `class Solution`."""
    names = module_names(body)
    solution = names.get("Solution")
    methods = module_names(solution.body) if isinstance(solution, ast.ClassDef) else {}
    return {name: statement for name, statement in {**methods, **names}.items() if is_definition(statement)}


def is_definition(statement):
    """An example may import the solution from a file that it makes up."""
    return not isinstance(statement, IMPORTS) or all(name in sys.stdlib_module_names for name in imported_modules(statement))


def imported_modules(statement):
    names = [statement.module or ""] if isinstance(statement, ast.ImportFrom) else [alias.name for alias in statement.names]
    return [name.split(".")[0] for name in names]


def is_only_shown(definition):
    return isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Raise) and "NotImplementedError" in all_used([node]))
        for node in definition.body
    )


def with_helpers(chosen, trees, wanted):
    """
    The chosen statements behind those that define the names which they use and do not have: functions, classes, imports and
    values from other blocks, the nearest earlier one first. What those blocks do besides stays out.
    """
    sources = {}
    for place in (*range(len(trees) - 1, chosen, -1), *range(chosen)):
        for name, statement in module_names(trees[place] or []).items():
            if isinstance(statement, (*DEFINITIONS, *IMPORTS, *ASSIGNMENTS)):
                sources[name] = (place, statement)
    taken = {}
    waiting = [(trees[chosen], wanted)]
    have = {*module_names(trees[chosen]), *entry_points(trees[chosen])}
    while waiting:
        body, also = waiting.pop()
        inner = all_bound(body)
        for name in sorted((all_used(body) | also) - have):
            place, statement = sources.get(name, (0, None))
            # A local name of the program is no reason to run an assignment of an example.
            if statement is None or name in BUILT_IN or (name in inner and isinstance(statement, ASSIGNMENTS)):
                continue
            have.add(name)
            if id(statement) not in taken:
                taken[id(statement)] = (place, statement.lineno, statement.col_offset, statement)
                waiting.append(([statement], set()))
    helpers = [item[-1] for item in sorted(taken.values(), key=lambda item: item[:-1])]
    return futures_first(helpers + trees[chosen])


def futures_first(body):
    """A `from __future__` has to stand before everything else."""
    return sorted(body, key=lambda node: not (isinstance(node, ast.ImportFrom) and node.module == "__future__"))
