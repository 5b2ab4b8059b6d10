"""A game's code before it is loaded: object code and tables, as bytes for the cache, and back.

What is kept there is found by the names of the game and of the way in which its code was made, never by the
code's own text, so that nothing of it has to be written again; and it is complete, with what the code needs
around it. It is read only from where machine code may be read, on the machine that wrote it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ggtp.gdl.program.code import Code, cut
from ggtp.gdl.program.wire import VERSION as PROGRAM_VERSION
from ggtp.native.machine import CodeCache, Effort, Library, host, object_code
from ggtp.native.memory import Longs

VERSION = 5
"""Changes whenever other code is made of the same program, or it is written otherwise."""

_CHUNKS_A_MODULE = 16
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of code: functions to be called one after the other, or a table, or nothing at all."""

    objects: tuple[bytes, ...] = ()
    """Object code with the functions f0, f1 and so on."""
    functions: int = 0
    table: array[int] | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """Code in memory: pairs of a function's address and its second argument, as `kernel.runtime` has them."""

    pairs: Longs

    def __len__(self) -> int:
        return len(self.pairs) // 2

    @property
    def address(self) -> int:
        """Where the pairs are, as long as this object lives."""
        return self.pairs.address


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a kernel needs but memory."""

    runtime: bytes
    """The object code of what is around the game's own."""
    slots: int
    """How many slots the code uses."""
    words: int
    """64-bit words a slot."""
    parts: tuple[Part, ...]


class PartsMaker:
    """Makes parts, and counts the slots that they use."""

    def __init__(
        self,
        words: int | None,
        effort: Effort,
        kept: CodeCache | None,
        should_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """A maker of code for slots of so many words, or of as many as are best for the first table.

        Args:
            kept: where object code is kept under its text.
            should_stop: raises something when nobody wants the code any more.
        """
        self._effort, self._kept, self._should_stop = effort, kept, should_stop
        self._words = words
        self.slots = 0

    @property
    def words(self) -> int:
        """64-bit words a slot, known from the beginning or since the first table."""
        assert self._words is not None
        return self._words

    def table(self, code: Code) -> Part:
        """The code as a table."""
        # Not above: who plays code that is kept makes none.
        from ggtp.gdl.kernel.table import tabulate

        made = tabulate(code, self._words)
        self._words = made.width
        self.slots = max(self.slots, made.slots)
        return Part(table=made.words)

    def functions(self, code: Code, size: int) -> Part:
        """The code as functions of so many operations each."""
        from ggtp.gdl.kernel.llvm import TERNARY, module_text

        ternary = host().ternary and self.words in TERNARY
        chunks = cut(code, max(1, size))
        self.slots = max(self.slots, chunks.slots)
        count = len(chunks.chunks)
        objects = []
        for first in range(0, count, _CHUNKS_A_MODULE):
            self._should_stop()
            numbers = range(count)[first : first + _CHUNKS_A_MODULE]
            objects.append(object_code(module_text(chunks, numbers, self.words, ternary), self._effort, self._kept))
        return Part(tuple(objects), count)


def parts_of(kept: CodeCache | None, name: str, how: str, make: Callable[[CodeCache | None], Parts]) -> Parts:
    """The parts of a game's code from the cache, or made now.

    Args:
        kept: the cache.
        name: what the game is called there; without a name, object code is looked for by its text.
        how: differs wherever the same program gives other code.
        make: makes them, and keeps object code under its text where it is given a cache.
    """
    if kept is None or not name:
        return make(kept)
    key = f"code {VERSION} {PROGRAM_VERSION} {how} {host().fingerprint} {name}"
    data = kept.get(key)
    if data is not None:
        with suppress(ValueError, KeyError, TypeError):
            return decode_parts(data)
    # All of it is kept as a whole, so its pieces are not.
    parts = make(None)
    kept.put(key, encode_parts(parts))
    return parts


def loaded(part: Part, runtime: Library) -> tuple[Entries, Any]:
    """A part in memory: its entries, and what must live as long as they are used."""
    if part.table is not None:
        return Entries(Longs([runtime.address("table"), part.table.buffer_info()[0]])), part.table
    if not part.functions:
        return Entries(Longs([])), None
    library = Library(*part.objects)
    pairs = [number for i in range(part.functions) for number in (library.address(f"f{i}"), 0)]
    return Entries(Longs(pairs)), library


def encode_parts(parts: Parts) -> bytes:
    """Parts as bytes."""
    shapes = [
        {
            "objects": [len(code) for code in part.objects],
            "functions": part.functions,
            "table": None if part.table is None else len(part.table),
        }
        for part in parts.parts
    ]
    head = {
        "version": VERSION,
        "runtime": len(parts.runtime),
        "slots": parts.slots,
        "words": parts.words,
        "parts": shapes,
    }
    text = json.dumps(head).encode()
    pieces = [len(text).to_bytes(_LENGTH, "little"), text, parts.runtime]
    for part in parts.parts:
        pieces += part.objects
        if part.table is not None:
            pieces.append(part.table.tobytes())
    return b"".join(pieces)


def decode_parts(data: bytes) -> Parts:
    """Parts again.

    Raises:
        ValueError, KeyError, TypeError: these bytes are none.
    """
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    head = json.loads(data[_LENGTH:end])
    if not isinstance(head, dict) or head.get("version") != VERSION:
        raise ValueError("These bytes are no code of this version.")
    at = end

    def taken(size: int) -> bytes:
        nonlocal at
        if not 0 <= size <= len(data) - at:
            raise ValueError("The bytes of the code are cut off.")
        at += size
        return data[at - size : at]

    runtime = taken(head["runtime"])
    parts = []
    for shape in head["parts"]:
        objects = tuple(taken(size) for size in shape["objects"])
        words = shape["table"]
        table = None if words is None else array("i", taken(4 * words))
        parts.append(Part(objects, int(shape["functions"]), table))
    return Parts(runtime, int(head["slots"]), int(head["words"]), tuple(parts))


def entries_of(parts: Sequence[Part], runtime: Library) -> tuple[list[Entries], tuple[Any, ...]]:
    """All parts in memory, each with its entries, and what must live as long as they are used."""
    found = [loaded(part, runtime) for part in parts]
    return [entries for entries, _ in found], tuple(keep for _, keep in found)
