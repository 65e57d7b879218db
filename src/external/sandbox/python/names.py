"""Which names a piece of Python binds, and which it uses."""

import ast
import builtins

BUILT_IN = frozenset(dir(builtins))
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign)


def is_main_guard(node):
    """`if __name__ == "__main__":`, whose body never runs here."""
    return isinstance(node, ast.If) and any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))


def own_names(node):
    """The names that this node alone binds, without those inside of it."""
    if isinstance(node, DEFINITIONS):
        return [node.name]
    if isinstance(node, IMPORTS):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    # An except clause and a pattern hold their name as plain text.
    name = getattr(node, "name", None) or getattr(node, "rest", None)
    return [name] if isinstance(name, str) and not isinstance(node, ast.alias) else []


def module_names(body):
    """The names that statements bind where they stand, and the last statement of the body that binds each."""
    names = {}
    for statement in body:
        for node in same_scope([statement]):
            for name in own_names(node):
                names[name] = statement
    return names


def same_scope(body):
    """The nodes of statements that run with them: not those of functions, classes, lambdas and comprehensions inside."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if is_main_guard(node):
            continue
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            waiting.extend(ast.iter_child_nodes(node))


def all_bound(body):
    """Every name that is bound somewhere in the statements, at any depth."""
    return {name for statement in body for node in ast.walk(statement) for name in own_names(node)}


def all_used(body):
    """Every name that is read somewhere in the statements, at any depth."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
