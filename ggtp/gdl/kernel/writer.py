"""Writes functions in LLVM's language: names for values, variables, loops and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ggtp.gdl.kernel.llvm import attributes, vector_type


class Writer:
    """Writes one function; registers are named t1, t2 and so on, variables live in memory until LLVM lifts them."""

    def __init__(self, name: str, arguments: str, words: int, result: str = "void") -> None:
        self.words, self.result = words, result
        self.vector = vector_type(words)
        self.head = f"define {result} @{name}({arguments}) {attributes(words)} {{"
        self.variables: list[str] = []
        self.lines: list[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def set(self, expression: str) -> str:
        """Names the value of an expression."""
        name = "%" + self.fresh()
        self.lines.append(f"{name} = {expression}")
        return name

    def do(self, *lines: str) -> None:
        self.lines += lines

    def variable(self, kind: str, value: str, count: int = 1) -> str:
        """Memory of the function, set to a value here."""
        name = "%" + self.fresh()
        self.variables.append(f"{name} = alloca {kind}, i64 {count}, align 64")
        if count == 1:
            self.do(f"store {kind} {value}, ptr {name}")
        return name

    def get(self, kind: str, variable: str) -> str:
        return self.set(f"load {kind}, ptr {variable}")

    def at(self, base: str, index: str | int, kind: str = "i64") -> str:
        """The address of an element."""
        return self.set(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def word(self, base: str, index: str | int) -> str:
        """An element of an array of 64-bit words."""
        return self.set(f"load i64, ptr {self.at(base, index)}, align 8")

    def slot(self, memory: str, index: str | int) -> str:
        """The address of a slot."""
        return self.at(memory, index, f"[{self.words} x i64]")

    def load(self, pointer: str) -> str:
        return self.set(f"load {self.vector}, ptr {pointer}, align 8")

    def store(self, value: str, pointer: str) -> None:
        self.do(f"store {self.vector} {value}, ptr {pointer}, align 8")

    def vec(self, operation: str, a: str, b: str) -> str:
        return self.set(f"{operation} {self.vector} {a}, {b}")

    def num(self, operation: str, a: str | int, b: str | int) -> str:
        return self.set(f"{operation} i64 {a}, {b}")

    def sum(self, vector: str) -> str:
        """The sum of a vector's words."""
        if self.words == 1:
            return vector
        return self.set(f"call i64 @llvm.vector.reduce.add.v{self.words}i64({self.vector} {vector})")

    def population(self, vector: str) -> str:
        """How many lanes hold."""
        suffix = "i64" if self.words == 1 else f"v{self.words}i64"
        return self.sum(self.set(f"call {self.vector} @llvm.ctpop.{suffix}({self.vector} {vector})"))

    def some(self, vector: str) -> str:
        """Whether any lane holds, as i1."""
        if self.words > 1:
            vector = self.set(f"call i64 @llvm.vector.reduce.or.v{self.words}i64({self.vector} {vector})")
        return self.set(f"icmp ne i64 {vector}, 0")

    def label(self, name: str) -> None:
        self.do(f"br label %{name}", f"{name}:")

    @contextmanager
    def loop(self, first: str | int, end: str | int, step: str | int = 1) -> Iterator[str]:
        """Counts from the first number up to, but without, the end."""
        index = self.variable("i64", str(first))
        with self.loop_while() as stop_unless:
            now = self.get("i64", index)
            stop_unless(self.set(f"icmp slt i64 {now}, {end}"))
            yield now
            self.do(f"store i64 {self.num('add', now, step)}, ptr {index}")

    @contextmanager
    def loop_while(self) -> Iterator[Callable[[str], None]]:
        """Repeats until a condition that is tested inside does not hold."""
        again, done = self.fresh(), self.fresh()
        self.label(again)

        def stop_unless(condition: str) -> None:
            on = self.fresh()
            self.do(f"br i1 {condition}, label %{on}, label %{done}", f"{on}:")

        yield stop_unless
        self.do(f"br label %{again}", f"{done}:")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        on, done = self.fresh(), self.fresh()
        self.do(f"br i1 {condition}, label %{on}, label %{done}", f"{on}:")
        yield
        self.label(done)

    def text(self, result: str = "") -> str:
        end = f"ret {self.result} {result}".rstrip()
        return "\n".join([self.head, *self.variables, "br label %body", "body:", *self.lines, end, "}"]) + "\n"
