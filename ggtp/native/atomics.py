"""Elements that several threads read and change; in a module that is not shared, one thread does it alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ggtp.native.kinds import HALF, INT, VOID, Kind, Value
from ggtp.native.writer import Writer

ATOMICS = {"get": 0, "put": 1, "add": 1, "swap": 2}
"""The functions, and how many integers each takes after the pointer and the index."""


def atomic(out: Writer, node: ast.AST, name: str, element: Kind, place: str, values: Sequence[Value]) -> Value:
    """A call of one of them.

    Args:
        out: where to write.
        node: the call.
        name: the function.
        element: the kind of the element.
        place: the register that has its address.
        values: the integers that it takes.
    """
    if element not in (INT, HALF):
        raise out.refuse(node, f"{name} of {element.text} is not known")
    numbers = [_narrow(out, element, out.as_kind(value, INT, node).name) for value in values]
    kind, align = element.llvm, element.bytes
    if name == "get":
        order = f"atomic {kind}, ptr {place} acquire, align {align}" if out.shared else f"{kind}, ptr {place}"
        return _widened(out, element, out.set(f"load {order}"))
    if name == "put":
        how = f"atomic {kind} {numbers[0]}, ptr {place} release, align {align}"
        out.line(f"store {how if out.shared else f'{kind} {numbers[0]}, ptr {place}'}")
        return Value(VOID, "")
    change = _change_shared if out.shared else _change_alone
    return _widened(out, element, change(out, name, kind, place, numbers))


def _change_shared(out: Writer, name: str, kind: str, place: str, numbers: Sequence[str]) -> str:
    if name == "add":
        return out.set(f"atomicrmw add ptr {place}, {kind} {numbers[0]} acq_rel")
    both = out.set(f"cmpxchg ptr {place}, {kind} {numbers[0]}, {kind} {numbers[1]} acq_rel acquire")
    return out.set(f"extractvalue {{ {kind}, i1 }} {both}, 0")


def _change_alone(out: Writer, name: str, kind: str, place: str, numbers: Sequence[str]) -> str:
    old = out.set(f"load {kind}, ptr {place}")
    if name == "add":
        new = out.set(f"add {kind} {old}, {numbers[0]}")
    else:
        same = out.set(f"icmp eq {kind} {old}, {numbers[0]}")
        new = out.set(f"select i1 {same}, {kind} {numbers[1]}, {kind} {old}")
    out.line(f"store {kind} {new}, ptr {place}")
    return old


def _narrow(out: Writer, element: Kind, name: str) -> str:
    return out.set(f"trunc i64 {name} to i32") if element is HALF else name


def _widened(out: Writer, element: Kind, name: str) -> Value:
    return Value(INT, out.set(f"sext i32 {name} to i64") if element is HALF else name)
