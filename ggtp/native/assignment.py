"""Which variables certainly have a value where they are read, and whether a function can end without a result.

In the interpreter, a variable without a value is an error; in machine code it would be whatever the memory holds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

Known = frozenset[str] | None
"""The variables that certainly have a value; None where the program never comes."""

Refuse = Callable[[ast.AST, str], Exception]
"""Makes the error about a node from what is wrong with it."""


def check_assignments(tree: ast.FunctionDef, result: bool, refuse: Refuse) -> None:
    """Look at a whole function.

    Args:
        tree: the function.
        result: whether it has to return something.
        refuse: makes the error that is raised.
    """
    flow = _Flow(tree, refuse)
    end = flow.block(tree.body, frozenset(argument.arg for argument in tree.args.args))
    if result and end is not None:
        raise refuse(tree, "it can end without returning a value")


def _assigned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _joined(one: Known, other: Known) -> Known:
    if one is None or other is None:
        return other if one is None else one
    return one & other


class _Flow:
    def __init__(self, tree: ast.FunctionDef, refuse: Refuse) -> None:
        self._refuse = refuse
        self._locals = {argument.arg for argument in tree.args.args} | set(_assigned(tree))
        self._breaks: list[Known] = []
        """What is known at the `break`s of each loop, innermost last."""

    def block(self, statements: Sequence[ast.stmt], known: Known) -> Known:
        for statement in statements:
            if known is None:
                return None
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: frozenset[str]) -> Known:
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._read(value, known)
                self._read(target, known)
                return known | set(_assigned(target))
            case ast.AugAssign(target=target, value=value):
                if isinstance(target, ast.Name) and target.id not in known:
                    raise self._refuse(target, f"{target.id} may have no value here")
                self._read(target, known)
                self._read(value, known)
                return known
            case ast.Expr(value=value):
                self._read(value, known)
                return known
            case ast.Pass():
                return known
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test, known)
                return _joined(self.block(body, known), self.block(orelse, known))
            case ast.While(test=test, body=body, orelse=[]):
                self._read(test, known)
                endless = isinstance(test, ast.Constant) and bool(test.value)
                return _joined(None if endless else known, self._loop(body, known))
            case ast.For(target=ast.Name(id=name), iter=ast.expr() as counted, body=body, orelse=[]):
                self._read(counted, known)
                return _joined(known, self._loop(body, known | {name}))
            case ast.Break() | ast.Continue():
                if isinstance(node, ast.Break):
                    self._breaks[-1] = _joined(self._breaks[-1], known)
                return None
            case ast.Return(value=value):
                if value is not None:
                    self._read(value, known)
                return None
            case ast.While() | ast.For():
                raise self._refuse(node, "a loop with `else`, or over more than one variable, is not known")
            case _:
                raise self._refuse(node, "a statement of this form is not known")

    def _loop(self, body: Sequence[ast.stmt], known: frozenset[str]) -> Known:
        """What is known where the body has ended the loop."""
        self._breaks.append(None)
        self.block(body, known)
        return self._breaks.pop()

    def _read(self, expression: ast.expr, known: frozenset[str]) -> None:
        for node in ast.walk(expression):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Load)
                and node.id in self._locals
                and node.id not in known
            ):
                raise self._refuse(node, f"{node.id} may have no value here")
