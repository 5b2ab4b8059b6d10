"""A function in LLVM's language while it is being written: its lines, labels and variables, and its checks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ggtp.native.kinds import INT, REAL, TRUTH, VOID, Kind, NotNative, Value


class Place(NamedTuple):
    """Where a function is written, and where in it a node stands."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: in {self.function}"


class Sites(Protocol):
    """Numbers the places that are checked while the machine code runs."""

    def add(self, place: Place, what: str) -> int: ...


class Writer:
    """Writes one function. A variable has one kind, and a place in memory from the beginning."""

    def __init__(
        self, file: str, first_line: int, tree: ast.FunctionDef, result: Kind, shared: bool, sites: Sites | None
    ) -> None:
        """Begin.

        Args:
            file: where the function is written.
            first_line: the line of the file at which its source begins.
            tree: the function.
            result: what it returns.
            shared: whether several threads work on the same memory.
            sites: where the checks are noted; None for code without checks.
        """
        self._file, self._above = file, first_line - 1
        self.function, self.result = tree.name, result
        self.shared, self.sites = shared, sites
        self.variables: dict[str, Kind] = {}
        self._head: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self.ended = False
        """Whether nothing can come after the last line."""

    @property
    def checked(self) -> bool:
        """Whether the machine code is to check what it does."""
        return self.sites is not None

    def body(self) -> str:
        """All lines of the function."""
        return "\n".join(["entry:", *self._head, "br label %body", "body:", *self._lines])

    def place(self, node: ast.AST) -> Place:
        """Where a node stands."""
        return Place(self._file, self._above + getattr(node, "lineno", 1), self.function)

    def refuse(self, node: ast.AST, what: str) -> NotNative:
        """Return the error about a node."""
        text = "" if isinstance(node, ast.FunctionDef) else f": {ast.unparse(node).partition(chr(10))[0]}"
        return NotNative(f"{self.place(node)}: {what}{text}")

    # Lines.

    def line(self, text: str) -> None:
        """Write a line."""
        self._lines.append(text)

    def end(self, text: str) -> None:
        """Write a line after which nothing comes."""
        self._lines.append(text)
        self.ended = True

    def set(self, expression: str) -> str:
        """Write what a new register is, and return the register."""
        name = f"%{self.fresh()}"
        self._lines.append(f"{name} = {expression}")
        return name

    def fresh(self) -> str:
        """Return a new name, which no variable has."""
        self._count += 1
        return f".{self._count}"

    def label(self, name: str) -> None:
        """What follows can be reached by a name, and from the line before."""
        if not self.ended:
            self._lines.append(f"br label %{name}")
        self._lines.append(f"{name}:")
        self.ended = False

    def go(self, name: str) -> None:
        """Go on at a label, unless nothing comes here."""
        if not self.ended:
            self.end(f"br label %{name}")

    def branch(self, truth: str, yes: str, no: str) -> None:
        """Go on at one of two labels."""
        self.end(f"br i1 {truth}, label %{yes}, label %{no}")

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Forget what is written within."""
        kept = (dict(self.variables), list(self._head), list(self._lines), self._count, self.ended, self.sites)
        self.sites = None
        yield
        self.variables, self._head, self._lines, self._count, self.ended, self.sites = kept

    # Variables.

    def declare(self, name: str, kind: Kind) -> None:
        """Give a variable its place, unless it has one."""
        if name not in self.variables:
            self.variables[name] = kind
            self._head.append(f"%v.{name} = alloca {kind.llvm}")
            if kind.sized:
                self._head.append(f"%v.{name}.size = alloca i64")

    def store(self, name: str, value: Value) -> None:
        """Write a value of its kind into a variable."""
        self.line(f"store {value.kind.llvm} {value.name}, ptr %v.{name}")
        if value.kind.sized:
            self.line(f"store i64 {value.size}, ptr %v.{name}.size")

    def load(self, name: str) -> Value:
        """The value of a variable; see `size` for that of an array."""
        kind = self.variables[name]
        return Value(kind, self.set(f"load {kind.llvm}, ptr %v.{name}"))

    def size(self, name: str) -> str:
        """How many elements the array of a variable has."""
        return self.set(f"load i64, ptr %v.{name}.size")

    # Kinds.

    def plain(self, value: Value) -> Value:
        """What can be kept in a variable: a truth is 0 or 1."""
        return Value(INT, self.set(f"zext i1 {value.name} to i64")) if value.kind is TRUTH else value

    def truth(self, value: Value, node: ast.AST) -> str:
        """Whether a number is not 0."""
        if value.kind is TRUTH:
            return value.name
        if value.kind.llvm == "i64":
            return self.set(f"icmp ne i64 {value.name}, 0")
        if value.kind is REAL:
            return self.set(f"fcmp une double {value.name}, 0.0")
        raise self.refuse(node, f"{value.kind.text} is neither true nor false")

    def as_kind(self, value: Value, kind: Kind, node: ast.AST) -> Value:
        """A value as one of a kind: an integer may become a floating-point number, and nothing else changes."""
        if kind is TRUTH and value.kind is TRUTH:
            return value
        value = self.plain(value)
        if value.kind is INT and kind is REAL:
            return Value(REAL, self.set(f"sitofp i64 {value.name} to double"))
        if value.kind != kind:
            raise self.refuse(node, f"this is {value.kind.text}, not {kind.text}")
        return value

    # Checks.

    def check(self, node: ast.AST, what: str, holds: str, *numbers: str) -> None:
        """Where it does not hold, note the place with up to three integers, and return from the function.

        Args:
            node: what is checked.
            what: what is wrong where it does not hold; the numbers fill its braces.
            holds: the register that is true where all is well.
            numbers: registers or constants.
        """
        if self.sites is None:
            return
        site = self.sites.add(self.place(node), f"{what}: {ast.unparse(node)}")
        bad, good = self.fresh(), self.fresh()
        self.branch(holds, good, bad)
        self.label(bad)
        given = ", ".join(f"i64 {number}" for number in (*numbers, "0", "0", "0")[:3])
        self.line(f"call void @native.fail(ptr @native.record, i64 {site}, {given})")
        self._leave()
        self.label(good)

    def check_failure(self) -> None:
        """Return at once if a function that was called has failed a check."""
        if self.sites is None:
            return
        failed = self.set(f"icmp ne i64 {self.set('load i64, ptr @native.record')}, 0")
        bad, good = self.fresh(), self.fresh()
        self.branch(failed, bad, good)
        self.label(bad)
        self._leave()
        self.label(good)

    def _leave(self) -> None:
        self.end("ret void" if self.result is VOID else f"ret {self.result.llvm} {self.result.zero}")
