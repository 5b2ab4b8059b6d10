"""What functions that become machine code may use besides Python's own: pointers, and what the processor can do.

The functions that need no address also work in the interpreter, so that tests compare both; `ggtp.native` describes
the language.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn, Protocol

WORD_MASK = (1 << 64) - 1


class Words(Protocol):
    """A pointer to integers of 64 bits."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, value: int) -> None: ...


class Halves(Protocol):
    """A pointer to integers of 32 bits."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, value: int) -> None: ...


class Reals(Protocol):
    """A pointer to floating-point numbers."""

    def __getitem__(self, index: int) -> float: ...
    def __setitem__(self, index: int, value: float) -> None: ...


def _only_native(name: str) -> NoReturn:
    raise NotImplementedError(f"only machine code can do {name}()")


def words(place: Any) -> Words:
    """An address or a pointer as a pointer to words."""
    _only_native("words")


def halves(place: Any) -> Halves:
    """An address or a pointer as a pointer to halves."""
    _only_native("halves")


def reals(place: Any) -> Reals:
    """An address or a pointer as a pointer to floating-point numbers."""
    _only_native("reals")


def address(pointer: Any, index: int) -> int:
    """The address of an element."""
    _only_native("address")


def call(function: int, *arguments: Any) -> None:
    """Call the function at an address with these numbers or pointers."""
    _only_native("call")


sqrt = math.sqrt
log = math.log


def ones(value: int) -> int:
    """How many of the 64 bits are set."""
    return (value & WORD_MASK).bit_count()


def lowest(value: int) -> int:
    """The number of the lowest bit that is set, or 64."""
    bits = value & WORD_MASK
    return (bits & -bits).bit_length() - 1 if bits else 64


def logical_shift(value: int, count: int) -> int:
    """The 64 bits moved to the right; zeros come in from the left, while `>>` repeats the sign."""
    moved = (value & WORD_MASK) >> count
    return moved - (1 << 64) if moved >> 63 else moved


def copy_numbers(target: Any, source: Any, count: int) -> None:
    """Copy the first numbers of an array to another one of the same kind; machine code copies memory."""
    target[:count] = source[:count]


def get(pointer: Any, index: int) -> int:
    """An element that other threads change: what they wrote before it is seen, too."""
    value: int = pointer[index]
    return value


def put(pointer: Any, index: int, value: int) -> None:
    """Change such an element: whoever sees the change sees what was written before it."""
    pointer[index] = value


def add(pointer: Any, index: int, value: int) -> int:
    """Add to an element in one step, though other threads do the same; return what it was."""
    old: int = pointer[index]
    pointer[index] = old + value
    return old


def swap(pointer: Any, index: int, expected: int, value: int) -> int:
    """Change an element in one step to a value if it is what was expected; return what it was."""
    old: int = pointer[index]
    if old == expected:
        pointer[index] = value
    return old
