"""Expressions in machine code: names, elements, operators, conditions and calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ggtp.native import operators
from ggtp.native.atomics import ATOMICS, atomic
from ggtp.native.kinds import (
    HALF,
    HALVES,
    INT,
    PAIR,
    REAL,
    REALS,
    TRUTH,
    UNSIGNED,
    VOID,
    WORDS,
    Kind,
    Signature,
    Value,
)
from ggtp.native.writer import Writer

_CASTS = {"words": WORDS, "halves": HALVES, "reals": REALS}
_ARGUMENTS = {"address": 2, "sqrt": 1, "log": 1, "ones": 1, "lowest": 1, "logical_shift": 2, "copy_numbers": 3}
_ARGUMENTS |= {"float": 1, "int": 1, "abs": 1, "int64": 1, "uint64": 1, **dict.fromkeys(_CASTS, 1)}
_ARGUMENTS |= {name: 2 + more for name, more in ATOMICS.items()}
"""The functions that are part of the language, and how many arguments each takes; `min`, `max` and `call` take any."""


class Callee(NamedTuple):
    """A function that can be called."""

    symbol: str
    """Its name in LLVM's language."""
    signature: Signature


class Scope(Protocol):
    """What the names of a function's module mean, as far as the language knows."""

    def number(self, name: str) -> int | float | None:
        """A constant, perhaps one of another module: `layout.RECORD`."""

    def callee(self, name: str) -> Callee | None:
        """Another function that is machine code."""

    def builtin(self, name: str) -> str:
        """The last part of the name of a function that may belong to the language, or nothing."""


class Expressions:
    """Writes expressions."""

    def __init__(self, out: Writer, scope: Scope) -> None:
        self.out, self.scope = out, scope

    # Values.

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        out = self.out
        match node:
            case ast.Constant(value=int() | float() as number):
                return self._constant(node, number)
            case ast.Name(id=name):
                return out.load(name) if name in out.variables else self._number(node, name)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner not in out.variables:
                return self._number(node, f"{owner}.{attr}")
            case ast.Attribute(value=base, attr="size"):
                return Value(INT, self._array(base).size)
            case ast.Attribute(value=base, attr=attr):
                return self._field(node, self.value(base), attr)
            case ast.Subscript(value=base, slice=index):
                return self.read(*self.element(node, base, index))
            case ast.BinOp(left=left, op=op, right=right):
                return operators.arithmetic(out, node, op, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return self._truth(node)
            case ast.UnaryOp(op=op, operand=operand):
                return operators.unary(out, node, op, self.value(operand))
            case ast.BoolOp() | ast.IfExp():
                return self._chosen(node)
            case ast.Call(func=ast.Name() | ast.Attribute() as function, args=args, keywords=[]):
                return self._call(node, function, args)
            case ast.Call():
                raise out.refuse(node, "a call with keywords, or of what has no name, is not known")
            case _:
                raise out.refuse(node, "an expression of this form is not known")

    def whole(self, node: ast.expr) -> str:
        """The register of an integer."""
        return self.out.as_kind(self.value(node), INT, node).name

    def _constant(self, node: ast.AST, number: int | float) -> Value:
        found = operators.real_constant(number) if isinstance(number, float) else operators.constant(number)
        if found is None:
            raise self.out.refuse(node, "an integer of more than 64 bits")
        return found

    def _number(self, node: ast.AST, name: str) -> Value:
        number = self.scope.number(name)
        if number is None:
            raise self.out.refuse(node, f"{name} is not known")
        return self._constant(node, number)

    # Memory.

    def element(self, node: ast.AST, base: ast.expr, index: ast.expr, *, last: bool = True) -> tuple[Kind, str]:
        """The kind and the address of an element.

        Args:
            node: what asks for it.
            base: the pointer or array.
            index: the number of the element.
            last: whether the element itself must be there; its address may be where the memory ends.
        """
        out = self.out
        pointer = self._array(base) if out.checked else self.value(base)
        if pointer.kind.element is None:
            raise out.refuse(node, f"{ast.unparse(base)} is {pointer.kind.text}, which has no elements")
        kind, number = pointer.kind.element, self.whole(index)
        place = out.set(f"getelementptr {kind.llvm}, ptr {pointer.name}, i64 {number}")
        if out.checked and pointer.kind.sized:
            holds = out.set(f"icmp {'ult' if last else 'ule'} i64 {number}, {pointer.size}")
            out.check(node, "index {} is outside of an array of {} elements", holds, number, pointer.size)
        elif out.checked:
            size = kind.bytes if last else 0
            given = f"ptr @native.record, ptr {pointer.name}, ptr {place}, i64 {size}"
            inside = out.set(f"call i64 @native.inside({given})")
            out.check(node, "index {} is outside of the memory", out.set(f"icmp ne i64 {inside}, 0"), number)
        return kind, place

    def read(self, kind: Kind, place: str) -> Value:
        """The element at an address."""
        found = self.out.set(f"load {kind.llvm}, ptr {place}")
        return Value(INT, self.out.set(f"sext i32 {found} to i64")) if kind is HALF else Value(kind, found)

    def write(self, node: ast.AST, kind: Kind, place: str, value: Value) -> None:
        """Change the element at an address."""
        out = self.out
        value = out.as_kind(value, INT if kind is HALF else kind, node)
        name = out.set(f"trunc i64 {value.name} to i32") if kind is HALF else value.name
        out.line(f"store {kind.llvm} {name}, ptr {place}")

    def _array(self, node: ast.expr) -> Value:
        """A pointer, or an array with its size."""
        out = self.out
        if isinstance(node, ast.Name) and node.id in out.variables and out.variables[node.id].sized:
            return out.load(node.id)._replace(size=out.size(node.id))
        found = self.value(node)
        if found.kind.sized and not found.size:
            raise out.refuse(node, "an array needs a name here")
        return found

    def complete(self, node: ast.expr) -> Value:
        """A value that can be kept in a variable or handed over: an array with its size."""
        return self.out.plain(self._array(node))

    def _field(self, node: ast.AST, record: Value, name: str) -> Value:
        """A field of a record, which stands there as an address and a size."""
        out = self.out
        for place, (field, kind) in enumerate(record.kind.fields):
            if field == name:
                at = out.set(f"getelementptr i64, ptr {record.name}, i64 {2 * place}")
                pointer = out.set(f"load ptr, ptr {at}")
                if not kind.sized:
                    return Value(kind, pointer)
                after = out.set(f"getelementptr i64, ptr {record.name}, i64 {2 * place + 1}")
                return Value(kind, pointer, out.set(f"load i64, ptr {after}"))
        raise out.refuse(node, f"{record.kind.text} has no {name}")

    # Conditions.

    def condition(self, node: ast.expr, yes: str, no: str) -> None:
        """Go on at one of two labels; what is not needed to know which is not computed."""
        out = self.out
        match node:
            case ast.BoolOp(op=op, values=[*first, last]):
                for value in first:
                    more = out.fresh()
                    self.condition(value, *((more, no) if isinstance(op, ast.And) else (yes, more)))
                    out.label(more)
                self.condition(last, yes, no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.condition(operand, no, yes)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                found = self.value(left)
                for i, (how, comparator) in enumerate(zip(ops, comparators, strict=True)):
                    right = self.value(comparator)
                    truth = operators.compare(out, node, how, found, right).name
                    more = yes if i == len(ops) - 1 else out.fresh()
                    out.branch(truth, more, no)
                    if more is not yes:
                        out.label(more)
                    found = right
            case _:
                out.branch(out.truth(self.value(node), node), yes, no)

    def _truth(self, node: ast.expr) -> Value:
        """A condition as a value."""
        out = self.out
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self.value(node.left), self.value(node.comparators[0])
            return operators.compare(out, node, node.ops[0], left, right)
        kept, yes, no, done = (out.fresh() for _ in range(4))
        out.declare(kept, TRUTH)
        self.condition(node, yes, no)
        for label, truth in ((yes, "true"), (no, "false")):
            out.label(label)
            out.store(kept, Value(TRUTH, truth))
            out.go(done)
        out.label(done)
        return out.load(kept)

    def _chosen(self, node: ast.BoolOp | ast.IfExp) -> Value:
        """One of several values, which all become of the same kind; only what is needed is computed."""
        out = self.out
        nodes = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        kind = self._common(node, nodes)
        if kind is TRUTH and isinstance(node, ast.BoolOp):
            return self._truth(node)
        kept, done = out.fresh(), out.fresh()
        out.declare(kept, kind)
        if isinstance(node, ast.IfExp):
            yes, no = out.fresh(), out.fresh()
            self.condition(node.test, yes, no)
            for label, each in ((yes, node.body), (no, node.orelse)):
                out.label(label)
                out.store(kept, out.as_kind(self.value(each), kind, each))
                out.go(done)
        else:
            for each in nodes:
                value = self.value(each)
                out.store(kept, out.as_kind(value, kind, each))
                if each is not nodes[-1]:
                    more = out.fresh()
                    ways = (more, done) if isinstance(node.op, ast.And) else (done, more)
                    out.branch(out.truth(value, each), *ways)
                    out.label(more)
        out.label(done)
        return out.load(kept)

    def _common(self, node: ast.AST, nodes: Sequence[ast.expr]) -> Kind:
        """The kind that several values have, or become: truths integers, and integers floating-point numbers."""
        with self.out.trial():
            kinds = {self.value(each).kind for each in nodes}
        if len(kinds) == 1 and not (found := kinds.pop()).sized and found is not VOID:
            return found
        if kinds <= {TRUTH, INT}:
            return INT
        if kinds <= {TRUTH, INT, REAL}:
            return REAL
        raise self.out.refuse(node, "the values are of kinds that have nothing in common")

    # Calls.

    def _call(self, node: ast.Call, function: ast.Name | ast.Attribute, args: Sequence[ast.expr]) -> Value:
        out, name = self.out, ast.unparse(function)
        if name.partition(".")[0] in out.variables:
            raise out.refuse(node, f"{name} is a variable")
        callee = self.scope.callee(name)
        if callee is not None:
            return self._call_function(node, callee, args)
        own = self.scope.builtin(name)
        if own in ("min", "max") and len(args) > 1:
            op = ast.Lt() if own == "min" else ast.Gt()
            return operators.extreme(out, node, op, [self.value(arg) for arg in args])
        if own == "call" and args:
            given = [self.complete(arg) for arg in args[1:]]
            where = out.set(f"inttoptr i64 {self.whole(args[0])} to ptr")
            out.line(f"call void {where}({', '.join(f'{value.kind.llvm} {value.name}' for value in given)})")
            return Value(VOID, "")
        if own not in _ARGUMENTS:
            raise out.refuse(node, f"{name} is not known")
        if len(args) != _ARGUMENTS[own]:
            raise out.refuse(node, f"{name} takes {_ARGUMENTS[own]} arguments")
        if own in ATOMICS:
            kind, place = self.element(node, args[0], args[1])
            return atomic(out, node, own, kind, place, [self.value(arg) for arg in args[2:]])
        if own in _CASTS:
            return self._cast(node, _CASTS[own], self.value(args[0]))
        if own == "address":
            place = self.element(node, args[0], args[1], last=False)[1]
            return Value(INT, out.set(f"ptrtoint ptr {place} to i64"))
        if own == "copy_numbers":
            return self._copy(node, *args)
        if own == "uint64" and isinstance(args[0], ast.Constant) and isinstance(args[0].value, int):
            return Value(UNSIGNED, str(operators.wrapped(args[0].value)))
        return self._compute(node, own, [self.value(arg) for arg in args])

    def _call_function(self, node: ast.Call, callee: Callee, args: Sequence[ast.expr]) -> Value:
        out, signature = self.out, callee.signature
        if len(args) != len(signature.kinds):
            raise out.refuse(node, f"{callee.symbol} takes {len(signature.kinds)} arguments")
        given = []
        for kind, arg in zip(signature.kinds, args, strict=True):
            value = out.as_kind(self.complete(arg), kind, arg)
            given += [f"{kind.llvm} {value.name}", *([f"i64 {value.size}"] if kind.sized else [])]
        text = f"call {signature.result.llvm} @{callee.symbol}({', '.join(given)})"
        if signature.result is VOID:
            out.line(text)
            found = ""
        else:
            found = out.set(text)
        out.check_failure()
        return Value(signature.result, found)

    def _cast(self, node: ast.AST, kind: Kind, value: Value) -> Value:
        if value.kind.pointer:
            return Value(kind, value.name)
        return Value(kind, self.out.set(f"inttoptr i64 {self.out.as_kind(value, INT, node).name} to ptr"))

    def _copy(self, node: ast.AST, target: ast.expr, source: ast.expr, count: ast.expr) -> Value:
        out = self.out
        into, of, number = self.complete(target), self.complete(source), self.whole(count)
        if into.kind != of.kind or into.kind.element is None or not into.kind.sized:
            raise out.refuse(node, "these are not two arrays of the same kind")
        if out.checked:
            fits = [out.set(f"icmp ule i64 {number}, {array.size}") for array in (into, of)]
            holds = out.set(f"and i1 {fits[0]}, {fits[1]}")
            out.check(node, "{} elements are more than an array of {} or {} has", holds, number, into.size, of.size)
        size = out.set(f"mul i64 {number}, {into.kind.element.bytes}")
        out.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {into.name}, ptr {of.name}, i64 {size}, i1 false)")
        return Value(VOID, "")

    def _compute(self, node: ast.AST, name: str, values: Sequence[Value]) -> Value:
        """A function of numbers."""
        out, value = self.out, self.out.plain(values[0])
        computed: dict[str, Callable[[], Value]] = {
            "logical_shift": lambda: operators.logical_shift(out, node, *values),
            "abs": lambda: operators.absolute(out, node, value),
            "int": lambda: operators.whole(out, node, value),
        }
        if name in computed:
            return computed[name]()
        if name in ("int64", "uint64"):
            if value.kind not in (INT, UNSIGNED):
                raise out.refuse(node, f"{name} of {value.kind.text} is not known")
            return Value(INT if name == "int64" else UNSIGNED, value.name)
        if name == "float":
            return out.as_kind(value, REAL, node)
        if name in ("sqrt", "log"):
            return Value(REAL, out.set(f"call double @llvm.{name}.f64(double {out.as_kind(value, REAL, node).name})"))
        bits = out.as_kind(value, INT, node).name
        how = f"llvm.ctpop.i64(i64 {bits})" if name == "ones" else f"llvm.cttz.i64(i64 {bits}, i1 false)"
        return Value(INT, out.set(f"call i64 @{how}"))

    def pair(self, node: ast.expr) -> Value:
        """Two integers that a function returns at once."""
        found = self.value(node)
        if found.kind is not PAIR:
            raise self.out.refuse(node, f"this is {found.kind.text}, not two integers")
        return found
