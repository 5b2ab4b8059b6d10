"""Statements in machine code."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from ggtp.native import operators
from ggtp.native.expressions import Expressions
from ggtp.native.kinds import INT, NAMED, PAIR, VOID, Value
from ggtp.native.writer import Writer


class _Loop(NamedTuple):
    again: str
    """Where `continue` goes."""
    done: str
    """Where `break` goes."""


class Statements:
    """Writes statements. `assignment` has looked already at their forms, and whether variables have values."""

    def __init__(self, out: Writer, expressions: Expressions) -> None:
        self._out, self._expressions = out, expressions
        self._loops: list[_Loop] = []

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """One after the other, as far as the program comes."""
        for statement in statements:
            if self._out.ended:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        out = self._out
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                self._assign_several(node, targets, value)
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self._expressions.complete(value))
            case ast.AnnAssign(target=target, annotation=annotation, value=ast.expr() as value):
                kind = NAMED.get(ast.unparse(annotation))
                if kind is None:
                    raise out.refuse(node, f"the type {ast.unparse(annotation)} is not known")
                self._assign(target, out.as_kind(self._expressions.complete(value), kind, node))
            case ast.AugAssign(target=target, op=op, value=value):
                self._change(node, target, op, value)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=value):
                self._expressions.value(value)
            case ast.If():
                self._if(node)
            case ast.While(test=test, body=body):
                self._while(test, body)
            case ast.For(target=ast.Name() as target, iter=counted, body=body):
                self._for(target, counted, body)
            case ast.Break():
                out.go(self._loops[-1].done)
            case ast.Continue():
                out.go(self._loops[-1].again)
            case ast.Return(value=value):
                self._return(node, value)
            case _:
                raise out.refuse(node, "a statement of this form is not known")

    # Assignments.

    def _assign(self, target: ast.expr, value: Value) -> None:
        out = self._out
        match target:
            case ast.Name(id=name):
                if value.kind is VOID:
                    raise out.refuse(target, "this is given no value")
                out.declare(name, value.kind)
                kind = out.variables[name]
                out.store(name, value if kind == value.kind else out.as_kind(value, kind, target))
            case ast.Subscript(value=base, slice=index):
                self._expressions.write(target, *self._expressions.element(target, base, index), value)
            case _:
                raise out.refuse(target, "an assignment to this is not known")

    def _assign_several(self, node: ast.stmt, targets: Sequence[ast.expr], value: ast.expr) -> None:
        out = self._out
        if isinstance(value, ast.Tuple):
            if len(value.elts) != len(targets):
                raise out.refuse(node, f"{len(value.elts)} values for {len(targets)} targets")
            found = [self._expressions.complete(each) for each in value.elts]
            for target, each in zip(targets, found, strict=True):
                self._assign(target, each)
            return
        pair = self._expressions.pair(value)
        if len(targets) != 2:
            raise out.refuse(node, f"2 values for {len(targets)} targets")
        for place, target in enumerate(targets):
            self._assign(target, Value(INT, out.set(f"extractvalue {PAIR.llvm} {pair.name}, {place}")))

    def _change(self, node: ast.AugAssign, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """The element is found once, as in Python."""
        out = self._out
        if isinstance(target, ast.Subscript):
            kind, place = self._expressions.element(target, target.value, target.slice)
            old = self._expressions.read(kind, place)
            new = operators.arithmetic(out, node, op, old, self._expressions.value(value))
            self._expressions.write(target, kind, place, new)
        else:
            old = self._expressions.value(target)
            self._assign(target, operators.arithmetic(out, node, op, old, self._expressions.value(value)))

    # Branches and loops.

    def _if(self, node: ast.If) -> None:
        out = self._out
        yes, no, done = out.fresh(), out.fresh(), out.fresh()
        self._expressions.condition(node.test, yes, no)
        reached = False
        for label, statements in ((yes, node.body), (no, node.orelse)):
            out.label(label)
            self.block(statements)
            reached = reached or not out.ended
            out.go(done)
        if reached:
            out.label(done)

    def _while(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        out = self._out
        again, inside, done = out.fresh(), out.fresh(), out.fresh()
        out.label(again)
        self._expressions.condition(test, inside, done)
        out.label(inside)
        self._body(_Loop(again, done), body)
        out.go(again)
        out.label(done)

    def _body(self, loop: _Loop, body: Sequence[ast.stmt]) -> None:
        self._loops.append(loop)
        self.block(body)
        self._loops.pop()

    def _for(self, target: ast.Name, counted: ast.expr, body: Sequence[ast.stmt]) -> None:
        out = self._out
        match counted:
            case ast.Call(func=ast.Name(id="range"), args=[*args], keywords=[]) if 1 <= len(args) <= 3:
                values = [Value(INT, self._expressions.whole(arg)) for arg in args]
            case _:
                raise out.refuse(counted, "a loop over anything but range() is not known")
        first, end = (values[0], values[1]) if len(values) > 1 else (Value(INT, "0"), values[0])
        step = values[2].name if len(values) > 2 else "1"
        index, again, inside, more, done = (out.fresh() for _ in range(5))
        out.declare(index, INT)
        out.store(index, first)
        if out.checked:
            out.check(counted, "a loop by steps of 0", out.set(f"icmp ne i64 {step}, 0"))
        out.label(again)
        now = out.load(index)
        out.branch(self._goes_on(now.name, end.name, step), inside, done)
        out.label(inside)
        self._assign(target, now)
        self._body(_Loop(more, done), body)
        out.label(more)
        out.store(index, Value(INT, out.set(f"add i64 {out.load(index).name}, {step}")))
        out.go(again)
        out.label(done)

    def _goes_on(self, now: str, end: str, step: str) -> str:
        """Whether a loop has not come to its end, counting up or down."""
        out = self._out
        if step.isdigit() and step != "0":
            return out.set(f"icmp slt i64 {now}, {end}")
        up = out.set(f"and i1 {out.set(f'icmp sgt i64 {step}, 0')}, {out.set(f'icmp slt i64 {now}, {end}')}")
        down = out.set(f"and i1 {out.set(f'icmp slt i64 {step}, 0')}, {out.set(f'icmp sgt i64 {now}, {end}')}")
        return out.set(f"or i1 {up}, {down}")

    def _return(self, node: ast.stmt, value: ast.expr | None) -> None:
        out = self._out
        if (value is None) != (out.result is VOID):
            raise out.refuse(node, f"the function returns {out.result.text}")
        match value:
            case None:
                out.end("ret void")
            case ast.Tuple(elts=[one, two]) if out.result is PAIR:
                half = out.set(f"insertvalue {PAIR.llvm} undef, i64 {self._expressions.whole(one)}, 0")
                both = out.set(f"insertvalue {PAIR.llvm} {half}, i64 {self._expressions.whole(two)}, 1")
                out.end(f"ret {PAIR.llvm} {both}")
            case _:
                found = out.as_kind(self._expressions.value(value), out.result, node)
                out.end(f"ret {out.result.llvm} {found.name}")
