"""What operators mean in machine code; `ggtp.native` says it in words."""

from __future__ import annotations

import ast
import struct
from collections.abc import Sequence

from ggtp.native.kinds import INT, REAL, TRUTH, UNSIGNED, Value
from ggtp.native.writer import Writer

WORD = 64
LEAST = -(1 << 63)

_EITHER_SIGN = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_FLOATING = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_SHIFTS = {ast.LShift: ("shl", "shl"), ast.RShift: ("ashr", "lshr")}
_DIVISIONS = {ast.FloorDiv: "udiv", ast.Mod: "urem"}
_COMPARISONS = {
    ast.Eq: ("eq", "eq", "oeq"),
    ast.NotEq: ("ne", "ne", "une"),
    ast.Lt: ("slt", "ult", "olt"),
    ast.LtE: ("sle", "ule", "ole"),
    ast.Gt: ("sgt", "ugt", "ogt"),
    ast.GtE: ("sge", "uge", "oge"),
}
"""For integers with a sign, without one, and floating-point numbers."""


def real_constant(value: float) -> Value:
    """A floating-point number, in the bits that it has."""
    return Value(REAL, f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")


def constant(value: int) -> Value | None:
    """An integer, unless it takes more than 64 bits with its sign."""
    return Value(INT, str(int(value))) if LEAST <= value < -LEAST else None


def wrapped(value: int) -> int:
    """The integer that has the last 64 bits of another one."""
    return (value - LEAST) % (1 << WORD) + LEAST


def _known(value: Value) -> int | None:
    """The number of a constant."""
    return int(value.name) if value.name.lstrip("-").isdigit() else None


def arithmetic(out: Writer, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator. Integers wrap around at 64 bits; an integer and a floating-point number give the latter."""
    left, right = out.plain(left), out.plain(right)
    kinds, which = {left.kind, right.kind}, type(op)
    if REAL in kinds or (which is ast.Div and kinds == {INT}):
        if which not in _FLOATING or not kinds <= {REAL, INT}:
            raise out.refuse(node, f"{which.__name__} of {left.kind.text} and {right.kind.text} is not known")
        both = [out.as_kind(each, REAL, node).name for each in (left, right)]
        return Value(REAL, out.set(f"{_FLOATING[which]} double {both[0]}, {both[1]}"))
    if len(kinds) > 1 or not kinds <= {INT, UNSIGNED}:
        raise out.refuse(node, f"{which.__name__} of {left.kind.text} and {right.kind.text} is not known")
    if which in _EITHER_SIGN:
        return Value(left.kind, out.set(f"{_EITHER_SIGN[which]} i64 {left.name}, {right.name}"))
    if which in _SHIFTS:
        return _shifted(out, node, _SHIFTS[which][left.kind is UNSIGNED], left, right)
    if which in _DIVISIONS:
        return _divided(out, node, op, left, right)
    raise out.refuse(node, f"{which.__name__} is not known")


def logical_shift(out: Writer, node: ast.AST, value: Value, count: Value) -> Value:
    """To the right, with zeros from the left."""
    return _shifted(out, node, "lshr", out.as_kind(value, INT, node), out.as_kind(count, INT, node))


def _shifted(out: Writer, node: ast.AST, how: str, value: Value, count: Value) -> Value:
    known = _known(count)
    if known is None:
        holds = out.set(f"icmp ult i64 {count.name}, {WORD}") if out.checked else ""
        out.check(node, "a shift by {}", holds, count.name)
        count = Value(INT, out.set(f"and i64 {count.name}, {WORD - 1}"))
    elif not 0 <= known < WORD:
        raise out.refuse(node, f"a shift by {known} bits is not known")
    return Value(value.kind, out.set(f"{how} i64 {value.name}, {count.name}"))


def _divided(out: Writer, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    """`//` and `%` as in Python; processors round towards 0, and stop the program where the divisor is 0."""
    known = _known(right)
    if known == 0:
        raise out.refuse(node, "a division by 0")
    if left.kind is INT and known is not None and known > 0 and known & (known - 1) == 0:
        how = f"ashr i64 {left.name}, {known.bit_length() - 1}"
        return Value(INT, out.set(how if isinstance(op, ast.FloorDiv) else f"and i64 {left.name}, {known - 1}"))
    by = right.name if known is not None and known != -1 else _divisor(out, node, left, right)
    if left.kind is UNSIGNED:
        return Value(UNSIGNED, out.set(f"{_DIVISIONS[type(op)]} i64 {left.name}, {by}"))
    rest = out.set(f"srem i64 {left.name}, {by}")
    odd = out.set(f"icmp ne i64 {rest}, 0")
    apart = out.set(f"icmp slt i64 {out.set(f'xor i64 {rest}, {by}')}, 0")
    below = out.set(f"and i1 {odd}, {apart}")
    if isinstance(op, ast.Mod):
        return Value(INT, out.set(f"select i1 {below}, i64 {out.set(f'add i64 {rest}, {by}')}, i64 {rest}"))
    whole = out.set(f"sdiv i64 {left.name}, {by}")
    return Value(INT, out.set(f"select i1 {below}, i64 {out.set(f'sub i64 {whole}, 1')}, i64 {whole}"))


def _divisor(out: Writer, node: ast.AST, left: Value, right: Value) -> str:
    """What a processor can divide by: 1 instead of 0, and where the least number by -1 has no quotient."""
    none = out.set(f"icmp eq i64 {right.name}, 0")
    if out.checked:
        out.check(node, "a division of {} by 0", out.set(f"xor i1 {none}, true"), left.name)
    if left.kind is INT:
        least = out.set(f"icmp eq i64 {left.name}, {LEAST}")
        turned = out.set(f"icmp eq i64 {right.name}, -1")
        none = out.set(f"or i1 {none}, {out.set(f'and i1 {least}, {turned}')}")
    return out.set(f"select i1 {none}, i64 1, i64 {right.name}")


def unary(out: Writer, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
    """`-` and `~`."""
    value = out.plain(value)
    if isinstance(op, ast.USub) and value.kind is REAL:
        return Value(REAL, out.set(f"fneg double {value.name}"))
    if isinstance(op, ast.USub) and value.kind in (INT, UNSIGNED):
        known = _known(value)
        folded = constant(-known) if known is not None and value.kind is INT else None
        return folded or Value(value.kind, out.set(f"sub i64 0, {value.name}"))
    if isinstance(op, ast.Invert) and value.kind in (INT, UNSIGNED):
        return Value(value.kind, out.set(f"xor i64 {value.name}, -1"))
    raise out.refuse(node, f"{type(op).__name__} of {value.kind.text} is not known")


def compare(out: Writer, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
    """A comparison of two numbers."""
    left, right = out.plain(left), out.plain(right)
    kinds = {left.kind, right.kind}
    if type(op) not in _COMPARISONS or not (kinds <= {INT, REAL} or kinds == {UNSIGNED}):
        raise out.refuse(node, f"{type(op).__name__} of {left.kind.text} and {right.kind.text} is not known")
    signed, unsigned, floating = _COMPARISONS[type(op)]
    if REAL in kinds:
        both = [out.as_kind(each, REAL, node).name for each in (left, right)]
        return Value(TRUTH, out.set(f"fcmp {floating} double {both[0]}, {both[1]}"))
    how = unsigned if kinds == {UNSIGNED} else signed
    return Value(TRUTH, out.set(f"icmp {how} i64 {left.name}, {right.name}"))


def extreme(out: Writer, node: ast.AST, op: ast.cmpop, values: Sequence[Value]) -> Value:
    """`min` and `max`: the first of the least or greatest ones, as in Python."""
    found = out.plain(values[0])
    for value in values[1:]:
        value = out.plain(value)
        better = compare(out, node, op, value, found).name
        kind = REAL if REAL in (value.kind, found.kind) else value.kind
        one, two = (out.as_kind(each, kind, node) for each in (value, found))
        found = Value(kind, out.set(f"select i1 {better}, {kind.llvm} {one.name}, {kind.llvm} {two.name}"))
    return found


def absolute(out: Writer, node: ast.AST, value: Value) -> Value:
    """`abs`."""
    value = out.plain(value)
    if value.kind is REAL:
        return Value(REAL, out.set(f"call double @llvm.fabs.f64(double {value.name})"))
    value = out.as_kind(value, INT, node)
    less = out.set(f"icmp slt i64 {value.name}, 0")
    return Value(INT, out.set(f"select i1 {less}, i64 {out.set(f'sub i64 0, {value.name}')}, i64 {value.name}"))


def whole(out: Writer, node: ast.AST, value: Value) -> Value:
    """`int`: towards 0, and the nearest integer of 64 bits where there is none."""
    value = out.plain(value)
    if value.kind is not REAL:
        return out.as_kind(value, INT, node)
    if out.checked:
        above = out.set(f"fcmp oge double {value.name}, {real_constant(float(LEAST)).name}")
        below = out.set(f"fcmp olt double {value.name}, {real_constant(-float(LEAST)).name}")
        out.check(node, "a number beyond 64 bits", out.set(f"and i1 {above}, {below}"))
    return Value(INT, out.set(f"call i64 @llvm.fptosi.sat.i64.f64(double {value.name})"))
