"""Lambdas and the like on signals of objects that a class or function did not create.

Qt disconnects a bound method when its QObject is deleted. It keeps a lambda, a partial or a nested function as long as
the sender lives, and calls it after the objects that it uses were deleted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.Lambda


def borrowing_connections(tree: ast.Module) -> Iterator[str]:
    """Yield the connections of a module whose slot may outlive what it uses."""
    yield from _of_functions(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from _of_functions(node.body)


def _of_functions(body: list[ast.stmt]) -> Iterator[str]:
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    attributes = {name for one in functions for name in _kept(one)}
    for function in functions:
        yield from _connections(function, attributes)


def _connections(function: ast.FunctionDef, attributes: set[str]) -> Iterator[str]:
    nested = {node.name: node for node in ast.walk(function) if isinstance(node, ast.FunctionDef)}
    borrowed = _borrowed(function, attributes)
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(value=signal, attr="connect"), args=[slot, *_]):
                called: ast.AST = nested.get(slot.id, slot) if isinstance(slot, ast.Name) else slot
                is_function = isinstance(called, ast.Lambda | ast.FunctionDef | ast.Call)
                if is_function and _root(signal) in borrowed and _used(called) - {_root(signal)}:
                    yield f"line {node.lineno}: {ast.unparse(node)}"


def _borrowed(function: ast.FunctionDef, attributes: set[str]) -> set[str]:
    """Return the parameters of a function, the given attributes, and the local names for parts of them."""
    inner = [node for node in ast.walk(function) if isinstance(node, Function)]
    known = attributes | {name for node in inner for name in _parameters(node)}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[target], value=value):
                parts = [one for one, part in _pairs(target, value) if _is_in(part, known)]
                known |= {one.id for one in parts if isinstance(one, ast.Name)}
            case ast.For(target=ast.Name(id=name), iter=values) if _root(values) in known:
                known.add(name)
    return known


def _kept(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the attributes that hold a parameter, or a part of one."""
    known = set(_parameters(function))
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                match target:
                    case ast.Attribute(value=ast.Name(id="self"), attr=name) if _is_in(value, known):
                        yield f"self.{name}"


def _is_in(value: ast.expr, known: set[str]) -> bool:
    """Return whether a value is an object or a part of it, not a new object."""
    return not isinstance(value, ast.Call) and _root(value) in known


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _parameters(function: Function) -> Iterator[str]:
    every = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return (one.arg for one in every if one.arg != "self")


def _used(slot: ast.AST) -> set[str]:
    """Return the roots of the names that a slot uses, besides its own parameters and names of classes and modules."""
    own = set(_parameters(slot)) if isinstance(slot, Function) else set()
    return {_root(node) for node in ast.walk(slot) if isinstance(node, ast.Name | ast.Attribute)} - own


def _root(node: ast.AST) -> str:
    """Return the object that an expression starts from: a name, or an attribute of `self`."""
    while True:
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                return f"self.{attribute}"
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
                node = inner
            case ast.Name(id=name):
                return name
            case _:
                return ""
