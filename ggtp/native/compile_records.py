"""The part of Python in which the kernel and the searches are written → LLVM's language.

It is that of `search.native`, and more: arrays know their length (`.size`) and are passed with it; `//`, `%` and `>>`
do what they do in Python; comparisons may be chained; two numbers can be assigned and returned together; numbers of
`np.uint64` have no sign. Functions of other modules may be called, and every number of a module is a constant.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ggtp.native.compile import Function, NotNative, Value, written
from ggtp.native.source import parsed

ARRAYS = {"Ints": "i32*", "Longs": "i64*", "Floats": "double*"}
PAIR = "pair"
"""Two whole numbers at once."""
_TYPES = {"int": "i64", "float": "double", "bool": "i64", "None": "void", "tuple[int, int]": PAIR, **ARRAYS}
_UNSIGNED = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "udiv",
    ast.Mod: "urem",
    ast.LShift: "shl",
    ast.RShift: "lshr",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_NOTHING = {
    "void": "ret void",
    "i64": "ret i64 0",
    "double": "ret double 0.0",
    PAIR: "ret { i64, i64 } zeroinitializer",
}
_DECLARATIONS = """declare double @llvm.sqrt.f64(double)
declare double @llvm.log.f64(double)
declare double @llvm.fabs.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


class Marked(Protocol):
    """A function that is to be machine code."""

    plain: Callable[..., Any]

    @property
    def symbol(self) -> str: ...


class Signature:
    """What a function takes and gives."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Reads the annotations.

        Raises:
            NotNative: one of them is missing, or of a kind that there is not.
        """
        texts = dict(function.__annotations__)
        names = inspect.signature(function).parameters
        self.result = _type(texts.get("return", ""))
        self.kinds = [_type(texts.get(name, "")) for name in names]
        self.truth = texts.get("return") == "bool"

    def declared(self) -> str:
        """The types of all arguments; the length of an array follows it."""
        return ", ".join("ptr, i64" if kind.endswith("*") else written(kind) for kind in self.kinds)


def _type(text: str) -> str:
    if text not in _TYPES:
        raise NotNative(f"the type {text or 'that is missing'}")
    return _TYPES[text]


def module_text(functions: Sequence[Marked]) -> str:
    """Functions that call each other as one module in LLVM's language; others that they call are declared.

    Raises:
        NotNative: they use more than there is.
    """
    foreign: dict[str, str] = {}
    texts = [_Translation(function, foreign).text() for function in functions]
    own = {function.symbol for function in functions}
    declared = [line for symbol, line in foreign.items() if symbol not in own]
    return _DECLARATIONS + "\n".join([*declared, *texts])


class _Translation(Function):
    """One function of ours."""

    def __init__(self, function: Marked, foreign: dict[str, str]) -> None:
        source = parsed(inspect.getsource(function.plain)).body[0]
        if not isinstance(source, ast.FunctionDef):
            raise NotNative(f"{function.symbol} is no plain function")
        self._signature = Signature(function.plain)
        super().__init__(source, {source.name: (self._signature.result, self._signature.kinds)}, {}, False)
        self._symbol = function.symbol
        self._globals: Mapping[str, Any] = function.plain.__globals__
        self._foreign = foreign

    def text(self) -> str:
        """The whole function."""
        arguments = []
        for argument, kind in zip(self.tree.args.args, self._signature.kinds, strict=True):
            names = (
                [(argument.arg, kind), (f"{argument.arg}.size", "i64")]
                if kind.endswith("*")
                else [(argument.arg, kind)]
            )
            for name, own in names:
                arguments.append(f"{written(own)} %{name}")
                self.declare(name, own)
                self.lines.append(f"store {written(own)} %{name}, ptr %v.{name}")
        self.block(self.tree.body)
        if not self.ended:
            self.lines.append(_NOTHING[self.result])
        body = "\n".join(["entry:", *self.head, "br label %body", "body:", *self.lines])
        return f"define {written(self.result)} @{self._symbol}({', '.join(arguments)}) nounwind {{\n{body}\n}}\n"

    # Statements.

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                found = [self.plain(self.expression(value)) for value in values]
                for target, value in zip(targets, found, strict=True):
                    self.assign(target, value)
            case ast.Assign(targets=[ast.Tuple(elts=[one, two])], value=value):
                kind, pair = self.expression(value)
                if kind != PAIR:
                    raise NotNative(f"line {node.lineno} of {self.tree.name}: {ast.unparse(value)} are not two numbers")
                for place, target in enumerate((one, two)):
                    self.assign(target, ("i64", self.set(f"extractvalue {written(PAIR)} {pair}, {place}")))
            case ast.Return(value=ast.Tuple(elts=[one, two])):
                first, second = self.whole(one), self.whole(two)
                half = self.set(f"insertvalue {written(PAIR)} undef, i64 {first}, 0")
                both = self.set(f"insertvalue {written(PAIR)} {half}, i64 {second}, 1")
                self.lines.append(f"ret {written(PAIR)} {both}")
                self.ended = True
            case _:
                super().statement(node)

    # Expressions.

    def whole(self, node: ast.expr) -> str:
        """An expression that is a whole number."""
        kind, value = self.plain(self.expression(node))
        if kind != "i64":
            raise NotNative(f"{ast.unparse(node)} in {self.tree.name} is {kind}, not a whole number")
        return value

    def expression(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int() as whole) if int(whole) >= 1 << 63:
                return "i64", str(int(whole) - (1 << 64))
            case ast.Attribute(value=ast.Name(id=name), attr="size") if name in self.variables:
                return "i64", self.set(f"load i64, ptr %v.{name}.size")
            case ast.Attribute(value=ast.Name(id=owner), attr=attr):
                return self.constant(getattr(self._globals.get(owner), attr, None), f"{owner}.{attr}")
            case ast.Compare(left=left, ops=ops, comparators=rest) if len(ops) > 1:
                values = [self.expression(each) for each in (left, *rest)]
                truths = [self.compare(type(op), values[i], values[i + 1])[1] for i, op in enumerate(ops)]
                found = truths[0]
                for truth in truths[1:]:
                    found = self.set(f"and i1 {found}, {truth}")
                return "i1", found
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attr), args=args):
                return self.call(getattr(self._globals.get(owner), attr, None), attr, args)
            case ast.Call(func=ast.Name(id=name), args=args) if name in self._globals:
                return self.call(self._globals[name], name, args)
            case _:
                return super().expression(node)

    def name(self, name: str) -> Value:
        return super().name(name) if name in self.variables else self.constant(self._globals.get(name), name)

    def constant(self, value: object, name: str) -> Value:
        """A number of the module."""
        if isinstance(value, float):
            return "double", "0x7FF0000000000000" if value == float("inf") else f"{value:.17e}"
        if isinstance(value, int):
            return "i64", str(int(value))
        raise NotNative(f"{name} in {self.tree.name} has no value")

    def arithmetic(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        left, right = self.plain(left), self.plain(right)
        kinds = {left[0], right[0]}
        if kinds == {"u64"}:
            return "u64", self.set(f"{_UNSIGNED[op]} i64 {left[1]}, {right[1]}")
        if "u64" in kinds:
            raise NotNative(f"{op.__name__} of {left[0]} and {right[0]} in {self.tree.name}")
        if kinds == {"i64"} and op is ast.RShift:
            return "i64", self.set(f"ashr i64 {left[1]}, {right[1]}")
        if kinds == {"i64"} and op in (ast.FloorDiv, ast.Mod):
            return "i64", self.floored(op, left[1], right[1])
        return super().arithmetic(op, left, right)

    def floored(self, op: type[ast.operator], left: str, right: str) -> str:
        """Rounded down, as Python does, while processors round towards 0; by 0, which would end us, it is by 1."""
        none = self.set(f"icmp eq i64 {right}, 0")
        by = self.set(f"select i1 {none}, i64 1, i64 {right}")
        rest = self.set(f"srem i64 {left}, {by}")
        odd = self.set(f"icmp ne i64 {rest}, 0")
        apart = self.set(f"icmp slt i64 {self.set(f'xor i64 {rest}, {by}')}, 0")
        below = self.set(f"and i1 {odd}, {apart}")
        if op is ast.Mod:
            return self.set(f"select i1 {below}, i64 {self.set(f'add i64 {rest}, {by}')}, i64 {rest}")
        whole = self.set(f"sdiv i64 {left}, {by}")
        return self.set(f"select i1 {below}, i64 {self.set(f'sub i64 {whole}, 1')}, i64 {whole}")

    # Calls.

    def called(self, name: str, args: Sequence[ast.expr]) -> Value:
        if name == "abs":
            kind, value = self.plain(self.expression(args[0]))
            if kind == "double":
                return kind, self.set(f"call double @llvm.fabs.f64(double {value})")
            less = self.set(f"icmp slt i64 {value}, 0")
            return kind, self.set(f"select i1 {less}, i64 {self.set(f'sub i64 0, {value}')}, i64 {value}")
        return super().called(name, args)

    def call(self, function: Any, name: str, args: Sequence[ast.expr]) -> Value:
        """A call of what a name of the module means."""
        if name in ("int64", "uint64"):
            kind, value = self.plain(self.expression(args[0]))
            if kind not in ("i64", "u64"):
                raise NotNative(f"{name} of {kind} in {self.tree.name}")
            return ("u64" if name == "uint64" else "i64"), value
        if name == "copy_numbers":
            (_, target), (_, source) = self.expression(args[0]), self.expression(args[1])
            size = self.set(f"mul i64 {self.whole(args[2])}, 4")
            self.lines.append(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")
            return "void", ""
        if not hasattr(function, "symbol"):
            return self.called(name, args)
        signature = Signature(function.plain)
        given = ", ".join(self.given(kind, arg) for kind, arg in zip(signature.kinds, args, strict=True))
        result = written(signature.result)
        self._foreign[function.symbol] = f"declare {result} @{function.symbol}({signature.declared()}) nounwind"
        if result == "void":
            self.lines.append(f"call void @{function.symbol}({given})")
            return "void", ""
        return signature.result, self.set(f"call {result} @{function.symbol}({given})")

    def given(self, kind: str, node: ast.expr) -> str:
        """An argument of a call; an array with its length."""
        if not kind.endswith("*"):
            value = self.plain(self.expression(node))
            if kind == "double":
                return f"double {self.real(value)}"
            if value[0] != kind:
                raise NotNative(f"{ast.unparse(node)} in {self.tree.name} is {value[0]}, not {kind}")
            return f"{kind} {value[1]}"
        if not isinstance(node, ast.Name) or self.variables.get(node.id) != kind:
            raise NotNative(f"{ast.unparse(node)} in {self.tree.name} is no array of that kind")
        size = self.set(f"load i64, ptr %v.{node.id}.size")
        return f"ptr {self.expression(node)[1]}, i64 {size}"
