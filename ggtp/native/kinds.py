"""The kinds of values that machine code knows, and the signatures of functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


class NotNative(Exception):
    """A function uses what the language does not have; the text names file, line and function."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value is."""

    text: str
    """As annotations and messages name it."""
    llvm: str
    element: Kind | None = None
    """What a pointer or an array has in it."""
    sized: bool = False
    """Whether it is an array, which knows how many elements it has."""
    fields: tuple[tuple[str, Kind], ...] = ()
    """The arrays and records that a record has in it."""

    @property
    def bytes(self) -> int:
        """How many bytes an element takes."""
        return 4 if self.llvm == "i32" else 8

    @property
    def pointer(self) -> bool:
        """Whether it is the address of elements."""
        return self.element is not None

    @property
    def zero(self) -> str:
        """The constant that a function which has failed a check returns."""
        return {"i64": "0", "double": "0.0", "ptr": "null"}.get(self.llvm, "zeroinitializer")


INT = Kind("int", "i64")
UNSIGNED = Kind("uint64", "i64")
REAL = Kind("float", "double")
TRUTH = Kind("bool", "i1")
VOID = Kind("None", "void")
PAIR = Kind("tuple[int, int]", "{ i64, i64 }")
HALF = Kind("int32", "i32")

WORDS = Kind("Words", "ptr", INT)
HALVES = Kind("Halves", "ptr", HALF)
REALS = Kind("Reals", "ptr", REAL)
INTS = Kind("Ints", "ptr", HALF, True)
LONGS = Kind("Longs", "ptr", INT, True)
FLOATS = Kind("Floats", "ptr", REAL, True)

ARRAYS = {kind.text: kind for kind in (INTS, LONGS, FLOATS)}
NAMED = {kind.text: kind for kind in (INT, REAL, VOID, PAIR, WORDS, HALVES, REALS)} | ARRAYS | {"bool": INT}
"""The kind of each annotation. A variable that is a truth is an integer, as in Python."""


class Value(NamedTuple):
    """A value on its way: a register or a constant."""

    kind: Kind
    name: str
    size: str = ""
    """How many elements an array has, where that was asked for."""


class Signature:
    """What a function takes and returns."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Read the annotations.

        Raises:
            NotNative: one of them is missing or unknown.
        """
        names = inspect.signature(function).parameters
        self.function = function
        self.names = list(names)
        self.kinds = [self._kind(name) for name in names]
        self.result = self._kind("return")
        self.truth = self._text("return") == "bool"

    def _text(self, name: str) -> str:
        annotation = self.function.__annotations__.get(name, "")
        if name == "return" and annotation is None:
            return "None"
        return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))

    def _kind(self, name: str) -> Kind:
        text = self._text(name)
        kind = NAMED.get(text) or record(self.function.__globals__.get(text))
        if kind is None or (name == "return" and (kind.sized or kind.fields)):
            code = self.function.__code__
            what = "the result" if name == "return" else name
            raise NotNative(
                f"{code.co_filename}:{code.co_firstlineno}: in {self.function.__name__}: "
                + (f"the type of {what}, {text}, is not known" if text else f"the type of {what} is missing")
            )
        return kind

    def declared(self) -> str:
        """The types of all arguments in LLVM's language; the size of an array follows it."""
        return ", ".join("ptr, i64" if kind.sized else kind.llvm for kind in self.kinds)


def record(found: object) -> Kind | None:
    """A class of named arrays as a kind; None if it is something else."""
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        return None
    fields = []
    for name, text in found.__annotations__.items():
        text = text if isinstance(text, str) else getattr(text, "__forward_arg__", getattr(text, "__name__", ""))
        kind = ARRAYS.get(text) or record(getattr(inspect.getmodule(found), text, None))
        if kind is None:
            return None
        fields.append((name, kind))
    return Kind(found.__name__, "ptr", fields=tuple(fields))
