"""Functions in a small part of Python → LLVM's language, for inner loops that must run without the interpreter.

Loading a general compiler takes an engine a second each time it starts; what is made here is a text, whose machine
code `gdl.kernel_machine` keeps in a cache. The part of Python is: whole numbers of 64 bits, floating numbers,
pointers; assignments, `if`, `while`, `for ... in range(...)`, `break`, `continue`, `return`; arithmetic without
exceptions (`//` and `%` are those of the processor), comparisons, `and`, `or`, `not`, `x if c else y`; calls of other
such functions, and of the ones below. A variable has the type of what is first assigned to it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ggtp.native.source import parsed


class Words(Protocol):
    """A pointer to numbers of 64 bits."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, value: int) -> None: ...


class Halves(Protocol):
    """A pointer to numbers of 32 bits."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, value: int) -> None: ...


class Reals(Protocol):
    """A pointer to floating numbers."""

    def __getitem__(self, index: int) -> float: ...
    def __setitem__(self, index: int, value: float) -> None: ...


def _only_native(*_: Any) -> Any:
    raise NotImplementedError("only machine code does this")


words: Callable[[Any], Words] = _only_native
"""A number or a pointer as a pointer to words."""
halves: Callable[[Any], Halves] = _only_native
"""A number or a pointer as a pointer to halves."""
reals: Callable[[Any], Reals] = _only_native
"""A number or a pointer as a pointer to floating numbers."""
address: Callable[[Any, int], int] = _only_native
"""The address of an element."""
sqrt: Callable[[float], float] = _only_native
log: Callable[[float], float] = _only_native
ones: Callable[[int], int] = _only_native
"""How many bits are set."""
lowest: Callable[[int], int] = _only_native
"""The number of the lowest bit that is set."""
get: Callable[[Any, int], int] = _only_native
"""An element that other threads change: what they wrote before it is seen too."""
put: Callable[[Any, int, int], None] = _only_native
"""Change such an element: who sees it sees what was written before it."""
add: Callable[[Any, int, int], int] = _only_native
"""Add to an element at once, though others do the same; returns what it was."""
swap: Callable[[Any, int, int, int], int] = _only_native
"""Change an element from the first number to the second if it is the first; returns what it was."""
call: Callable[..., None] = _only_native
"""Call the function at an address with these numbers or pointers."""

_POINTERS = {"Words": "i64*", "Halves": "i32*", "Reals": "double*"}
_TYPES = {"int": "i64", "float": "double", "None": "void", "bool": "i64", **_POINTERS}
_NAMES = {"u64": "i64", "pair": "{ i64, i64 }"}
_CASTS = {"words": "i64*", "halves": "i32*", "reals": "double*"}
_INTEGER = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "sdiv",
    ast.Mod: "srem",
    ast.LShift: "shl",
    ast.RShift: "lshr",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_FLOATING = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMPARISONS = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}

_DECLARATIONS = """declare double @llvm.sqrt.f64(double)
declare double @llvm.log.f64(double)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
"""


class NotNative(Exception):
    """A function uses what the small part of Python does not have."""


def module_text(functions: Sequence[Callable[..., Any]], constants: dict[str, int | float], *, shared: bool) -> str:
    """The functions as a module in LLVM's language, each under its own name.

    Args:
        functions: those that call each other and that others call.
        constants: numbers that the functions use by name.
        shared: whether several threads work on the same memory; alone, nothing need be done at once.

    Raises:
        NotNative: they use more than there is.
    """
    trees = [parsed(inspect.getsource(function)).body[0] for function in functions]
    defined = [tree for tree in trees if isinstance(tree, ast.FunctionDef)]
    kinds = {tree.name: _signature(tree) for tree in defined}
    return _DECLARATIONS + "\n".join(Function(tree, kinds, constants, shared).text() for tree in defined)


def _signature(tree: ast.FunctionDef) -> tuple[str, list[str]]:
    return _type(tree.returns), [_type(argument.annotation) for argument in tree.args.args]


def _type(annotation: ast.expr | None) -> str:
    name = annotation.id if isinstance(annotation, ast.Name) else "None" if annotation is not None else ""
    if name not in _TYPES:
        raise NotNative(f"the type {name or 'that is missing'}")
    return _TYPES[name]


def written(kind: str) -> str:
    """What LLVM calls a type; it does not tell numbers without a sign from others."""
    return "ptr" if kind.endswith("*") else _NAMES.get(kind, kind)


Value = tuple[str, str]
"""A type, and the name of a register or a constant."""


class Function:
    """One function on its way; a larger part of Python may be made of it by a class that knows more expressions."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        kinds: dict[str, tuple[str, list[str]]],
        constants: dict[str, int | float],
        shared: bool,
    ) -> None:
        self.tree, self.kinds, self.constants, self.shared = tree, kinds, constants, shared
        self.result = kinds[tree.name][0]
        self.variables: dict[str, str] = {}
        self.head: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.loops: list[tuple[str, str]] = []
        """Where `continue` and `break` go, innermost last."""
        self.ended = False

    def text(self) -> str:
        """The whole function."""
        arguments = []
        for argument, kind in zip(self.tree.args.args, self.kinds[self.tree.name][1], strict=True):
            arguments.append(f"{written(kind)} %{argument.arg}")
            self.declare(argument.arg, kind)
            self.lines.append(f"store {written(kind)} %{argument.arg}, ptr %v.{argument.arg}")
        self.block(self.tree.body)
        if not self.ended:
            zero = {"void": "ret void", "i64": "ret i64 0", "double": "ret double 0.0"}
            self.lines.append(zero[self.result])
        body = "\n".join(["entry:", *self.head, "br label %body", "body:", *self.lines])
        return f"define {written(self.result)} @{self.tree.name}({', '.join(arguments)}) nounwind {{\n{body}\n}}\n"

    # Writing.

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def set(self, expression: str) -> str:
        name = "%" + self.fresh()
        self.lines.append(f"{name} = {expression}")
        return name

    def label(self, name: str) -> None:
        if not self.ended:
            self.lines.append(f"br label %{name}")
        self.lines.append(f"{name}:")
        self.ended = False

    def go(self, name: str) -> None:
        if not self.ended:
            self.lines.append(f"br label %{name}")
        self.ended = True

    def branch(self, condition: Value, yes: str, no: str) -> None:
        self.lines.append(f"br i1 {self.truth(condition)}, label %{yes}, label %{no}")
        self.ended = True

    def declare(self, name: str, kind: str) -> None:
        if name not in self.variables:
            self.variables[name] = kind
            self.head.append(f"%v.{name} = alloca {written(kind)}")

    def truth(self, value: Value) -> str:
        kind, name = value
        if kind == "i1":
            return name
        if kind == "i64":
            return self.set(f"icmp ne i64 {name}, 0")
        raise NotNative(f"the truth of {kind}")

    def plain(self, value: Value) -> Value:
        """What can be kept in a variable."""
        return ("i64", self.set(f"zext i1 {value[1]} to i64")) if value[0] == "i1" else value

    def real(self, value: Value) -> str:
        kind, name = self.plain(value)
        return name if kind == "double" else self.set(f"sitofp i64 {name} to double")

    # Statements.

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.ended:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.plain(self.expression(value)))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, self.plain(self.expression(value)))
            case ast.AugAssign(target=target, op=op, value=value):
                old = self.expression(target)
                self.assign(target, self.arithmetic(type(op), old, self.expression(value)))
            case ast.Expr(value=ast.Constant()):
                return
            case ast.Expr(value=value):
                self.expression(value)
            case ast.If():
                self.condition(node)
            case ast.While(test=test, body=body):
                again, inside, done = self.fresh(), self.fresh(), self.fresh()
                self.label(again)
                self.branch(self.expression(test), inside, done)
                self.loop(inside, again, done, body)
                self.go(again)
                self.label(done)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), body=body):
                self.count_up(name, args, body)
            case ast.Break():
                self.go(self.loops[-1][1])
            case ast.Continue():
                self.go(self.loops[-1][0])
            case ast.Return(value=None):
                self.lines.append("ret void")
                self.ended = True
            case ast.Return(value=ast.expr() as value):
                found = self.plain(self.expression(value))
                name = self.real(found) if self.result == "double" else found[1]
                self.lines.append(f"ret {written(self.result)} {name}")
                self.ended = True
            case _:
                raise NotNative(f"line {node.lineno} of {self.tree.name}: {ast.unparse(node)}")

    def loop(self, inside: str, again: str, done: str, body: Sequence[ast.stmt]) -> None:
        self.label(inside)
        self.loops.append((again, done))
        self.block(body)
        self.loops.pop()

    def count_up(self, name: str, args: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        values = [self.expression(arg)[1] for arg in args]
        first, end = (values[0], values[1]) if len(values) > 1 else ("0", values[0])
        step = values[2] if len(values) > 2 else "1"
        index = self.fresh()
        self.declare(index, "i64")
        self.lines.append(f"store i64 {first}, ptr %v.{index}")
        again, inside, more, done = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        self.label(again)
        now = self.set(f"load i64, ptr %v.{index}")
        self.branch(("i1", self.set(f"icmp slt i64 {now}, {end}")), inside, done)
        self.lines.append(f"{inside}:")
        self.ended = False
        self.assign(ast.Name(name), ("i64", now))
        self.loops.append((more, done))
        self.block(body)
        self.loops.pop()
        self.label(more)
        now = self.set(f"load i64, ptr %v.{index}")
        self.lines.append(f"store i64 {self.set(f'add i64 {now}, {step}')}, ptr %v.{index}")
        self.go(again)
        self.label(done)

    def condition(self, node: ast.If) -> None:
        yes, no, done = self.fresh(), self.fresh(), self.fresh()
        self.branch(self.expression(node.test), yes, no if node.orelse else done)
        self.label(yes)
        self.block(node.body)
        self.go(done)
        if node.orelse:
            self.label(no)
            self.block(node.orelse)
            self.go(done)
        self.label(done)

    def assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(id=name):
                self.declare(name, value[0])
                kind = self.variables[name]
                if kind == "double" and value[0] != "double":
                    value = kind, self.real(value)
                if kind != value[0]:
                    raise NotNative(f"{name} of {self.tree.name} is {kind}, not {value[0]}")
                self.lines.append(f"store {written(kind)} {value[1]}, ptr %v.{name}")
            case ast.Subscript(value=base, slice=index):
                kind, place = self.element(base, index)
                if kind == "double":
                    self.lines.append(f"store double {self.real(value)}, ptr {place}")
                    return
                name = value[1] if kind == "i64" else self.set(f"trunc i64 {value[1]} to i32")
                self.lines.append(f"store {kind} {name}, ptr {place}")
            case _:
                raise NotNative(ast.unparse(target))

    # Expressions.

    def element(self, base: ast.expr, index: ast.expr) -> tuple[str, str]:
        kind, pointer = self.expression(base)
        if not kind.endswith("*"):
            raise NotNative(f"{ast.unparse(base)} is no pointer")
        _, place = self.plain(self.expression(index))
        return kind[:-1], self.set(f"getelementptr {kind[:-1]}, ptr {pointer}, i64 {place}")

    def expression(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int() as whole):
                return "i64", str(int(whole))
            case ast.Constant(value=float() as real):
                return "double", f"{real:.17e}"
            case ast.Name(id=name):
                return self.name(name)
            case ast.Subscript(value=base, slice=index):
                return self.widened(*self.element(base, index))
            case ast.BinOp(left=left, op=op, right=right):
                return self.arithmetic(type(op), self.expression(left), self.expression(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return "i1", self.set(f"xor i1 {self.truth(self.expression(operand))}, true")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                kind, value = self.plain(self.expression(operand))
                return kind, self.set(f"fneg double {value}" if kind == "double" else f"sub i64 0, {value}")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return "i64", self.set(f"xor i64 {self.expression(operand)[1]}, -1")
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compare(type(op), self.expression(left), self.expression(right))
            case ast.BoolOp(op=op, values=values):
                return self.connect(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.either(test, body, orelse)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.called(name, args)
            case _:
                raise NotNative(f"line {node.lineno} of {self.tree.name}: {ast.unparse(node)}")

    def name(self, name: str) -> Value:
        kind = self.variables.get(name)
        if kind is not None:
            return kind, self.set(f"load {written(kind)}, ptr %v.{name}")
        constant = self.constants.get(name)
        if constant is None:
            raise NotNative(f"{name} in {self.tree.name} has no value")
        return ("double", f"{constant:.17e}") if isinstance(constant, float) else ("i64", str(constant))

    def widened(self, kind: str, place: str, order: str = "") -> Value:
        value = self.set(
            f"load {order}{kind}, ptr {place}" if not order else f"load atomic {kind}, ptr {place} {order}"
        )
        return ("i64", self.set(f"sext i32 {value} to i64")) if kind == "i32" else (kind, value)

    def arithmetic(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        left, right = self.plain(left), self.plain(right)
        if left[0] == "double" or right[0] == "double" or op is ast.Div:
            return "double", self.set(f"{_FLOATING[op]} double {self.real(left)}, {self.real(right)}")
        if left[0] != "i64" or right[0] != "i64" or op not in _INTEGER:
            raise NotNative(f"{op.__name__} of {left[0]} and {right[0]} in {self.tree.name}")
        return "i64", self.set(f"{_INTEGER[op]} i64 {left[1]}, {right[1]}")

    def compare(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        left, right = self.plain(left), self.plain(right)
        whole, floating = _COMPARISONS[op]
        if "double" in (left[0], right[0]):
            return "i1", self.set(f"fcmp {floating} double {self.real(left)}, {self.real(right)}")
        return "i1", self.set(f"icmp {whole} i64 {left[1]}, {right[1]}")

    def connect(self, both: bool, values: Sequence[ast.expr]) -> Value:
        kept = self.fresh()
        self.declare(kept, "i1")
        done = self.fresh()
        for i, value in enumerate(values):
            truth = self.truth(self.expression(value))
            self.lines.append(f"store i1 {truth}, ptr %v.{kept}")
            more = done if i == len(values) - 1 else self.fresh()
            if more is done:
                self.go(done)
            else:
                self.branch(("i1", truth), more if both else done, done if both else more)
                self.label(more)
        self.label(done)
        return "i1", self.set(f"load i1, ptr %v.{kept}")

    def either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
        kept, yes, no, done = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        self.branch(self.expression(test), yes, no)
        self.label(yes)
        one = self.plain(self.expression(body))
        self.declare(kept, one[0])
        self.lines.append(f"store {written(one[0])} {one[1]}, ptr %v.{kept}")
        self.go(done)
        self.label(no)
        two = self.plain(self.expression(orelse))
        name = self.real(two) if one[0] == "double" else two[1]
        self.lines.append(f"store {written(one[0])} {name}, ptr %v.{kept}")
        self.label(done)
        return one[0], self.set(f"load {written(one[0])}, ptr %v.{kept}")

    # Calls.

    def called(self, name: str, args: Sequence[ast.expr]) -> Value:
        if name in _CASTS:
            kind, value = self.expression(args[0])
            return _CASTS[name], value if kind.endswith("*") else self.set(f"inttoptr i64 {value} to ptr")
        if name == "address":
            return "i64", self.set(f"ptrtoint ptr {self.element(args[0], args[1])[1]} to i64")
        if name in ("sqrt", "log"):
            value = self.real(self.expression(args[0]))
            return "double", self.set(f"call double @llvm.{name}.f64(double {value})")
        if name in ("get", "put", "add", "swap"):
            return self.together(name, args)
        if name == "float":
            return "double", self.real(self.expression(args[0]))
        if name == "int":
            kind, value = self.plain(self.expression(args[0]))
            return "i64", self.set(f"fptosi double {value} to i64") if kind == "double" else value
        if name in ("min", "max"):
            return self.extreme(name, args)
        values = [self.plain(self.expression(arg)) for arg in args]
        if name == "ones":
            return "i64", self.set(f"call i64 @llvm.ctpop.i64(i64 {values[0][1]})")
        if name == "lowest":
            return "i64", self.set(f"call i64 @llvm.cttz.i64(i64 {values[0][1]}, i1 false)")
        if name == "call":
            function = self.set(f"inttoptr i64 {values[0][1]} to ptr")
            given = ", ".join(f"{written(kind)} {value}" for kind, value in values[1:])
            self.lines.append(f"call void {function}({given})")
            return "void", ""
        if name not in self.kinds:
            raise NotNative(f"{name} in {self.tree.name} is not known")
        result, kinds = self.kinds[name]
        wanted = [self.real(value) if kind == "double" else value[1] for kind, value in zip(kinds, values, strict=True)]
        given = ", ".join(f"{written(kind)} {value}" for kind, value in zip(kinds, wanted, strict=True))
        if result == "void":
            self.lines.append(f"call void @{name}({given})")
            return "void", ""
        return result, self.set(f"call {written(result)} @{name}({given})")

    def extreme(self, name: str, args: Sequence[ast.expr]) -> Value:
        one, two = (self.plain(self.expression(arg)) for arg in args)
        less = self.compare(ast.Lt if name == "min" else ast.Gt, one, two)[1]
        if "double" in (one[0], two[0]):
            return "double", self.set(f"select i1 {less}, double {self.real(one)}, double {self.real(two)}")
        return "i64", self.set(f"select i1 {less}, i64 {one[1]}, i64 {two[1]}")

    def together(self, name: str, args: Sequence[ast.expr]) -> Value:
        """What several threads do to the same element."""
        kind, place = self.element(args[0], args[1])
        size = 8 if kind == "i64" else 4
        if name == "get":
            return self.widened(kind, place, f"acquire, align {size}") if self.shared else self.widened(kind, place)
        values = []
        for arg in args[2:]:
            value = self.plain(self.expression(arg))[1]
            values.append(value if kind == "i64" else self.set(f"trunc i64 {value} to i32"))
        if name == "put":
            order = f"store atomic {kind} {values[0]}, ptr {place} release, align {size}"
            self.lines.append(order if self.shared else f"store {kind} {values[0]}, ptr {place}")
            return "void", ""
        if self.shared:
            if name == "add":
                old = self.set(f"atomicrmw add ptr {place}, {kind} {values[0]} acq_rel")
            else:
                both = self.set(f"cmpxchg ptr {place}, {kind} {values[0]}, {kind} {values[1]} acq_rel acquire")
                old = self.set(f"extractvalue {{ {kind}, i1 }} {both}, 0")
        else:
            old = self.set(f"load {kind}, ptr {place}")
            if name == "add":
                new = self.set(f"add {kind} {old}, {values[0]}")
            else:
                same = self.set(f"icmp eq {kind} {old}, {values[0]}")
                new = self.set(f"select i1 {same}, {kind} {values[1]}, {kind} {old}")
            self.lines.append(f"store {kind} {new}, ptr {place}")
        return ("i64", self.set(f"sext i32 {old} to i64")) if kind == "i32" else ("i64", old)
