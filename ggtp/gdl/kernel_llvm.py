"""Straight-line code in LLVM's language: one function, or several that meet in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.gdl.program_code import AND, AND_NOT, ONES, OR, RANDOM, XOR, ZERO, Chunk, Cut
from ggtp.gdl.program_step import GENERATOR


def vector_type(words: int) -> str:
    """The type of a slot: one bit a lane."""
    return "i64" if words == 1 else f"<{words} x i64>"


def splat(words: int, value: int) -> str:
    """A constant in every word of a slot."""
    if words == 1:
        return str(value)
    return "<" + ", ".join([f"i64 {value}"] * words) + ">"


def function_text(cut: Cut, chunk: Chunk, name: str, words: int) -> str:
    """One chunk as a function of the address of the slots; the second argument is not used."""
    return _Function(cut, chunk, words).text(name)


def attributes(words: int) -> str:
    """What is said of every function; wide vectors must be allowed on processors where they cost clock speed."""
    wide = f'"prefer-vector-width"="{64 * words}" "min-legal-vector-width"="{64 * words}" ' if words == 8 else ""
    return f"{wide}nounwind"


class _Function:
    def __init__(self, cut: Cut, chunk: Chunk, words: int) -> None:
        self.cut, self.chunk = cut, chunk
        self.words = words
        self.type = vector_type(words)
        self.ones = splat(words, -1)
        self.zero = "0" if words == 1 else "zeroinitializer"
        self.lines: list[str] = []
        self.names: dict[int, str] = {ZERO: self.zero, ONES: self.ones}
        self.fresh = 0

    def text(self, name: str) -> str:
        code, chunk = self.cut.code, self.chunk
        random = any(code.opcodes[i] == RANDOM for i in range(chunk.first, chunk.last))
        if random:
            self.state = [self._load(GENERATOR), self._load(GENERATOR + 1)]
        stores: dict[int, list[tuple[int, int]]] = {}
        for position, slot, value in chunk.stores:
            stores.setdefault(position, []).append((slot, value))
        for position in range(chunk.first, chunk.last):
            self._operation(position)
            for slot, value in stores.get(position, ()):
                self._store(slot, self._value(value))
        if random:
            self._store(GENERATOR, self.state[0])
            self._store(GENERATOR + 1, self.state[1])
        body = "\n".join(self.lines)
        return f"define void @{name}(ptr noalias %m, ptr %unused) {attributes(self.words)} {{\n{body}\nret void\n}}\n"

    def _set(self, expression: str) -> str:
        self.fresh += 1
        name = f"%t{self.fresh}"
        self.lines.append(f"{name} = {expression}")
        return name

    def _pointer(self, slot: int) -> str:
        return self._set(f"getelementptr i64, ptr %m, i64 {slot * self.words}")

    def _load(self, slot: int) -> str:
        return self._set(f"load {self.type}, ptr {self._pointer(slot)}, align {8 * self.words}")

    def _store(self, slot: int, value: str) -> None:
        self.lines.append(f"store {self.type} {value}, ptr {self._pointer(slot)}, align {8 * self.words}")

    def _value(self, value: int) -> str:
        name = self.names.get(value)
        if name is None:
            name = self.names[value] = self._load(self.cut.home.get(value, value))
        return name

    def _operation(self, position: int) -> None:
        code = self.cut.code
        opcode = code.opcodes[position]
        if opcode == RANDOM:
            self.names[code.slots + position] = self._random()
            return
        left, right = self._value(code.left[position]), self._value(code.right[position])
        if opcode == AND_NOT:
            right = self._set(f"xor {self.type} {right}, {self.ones}")
        word = {AND: "and", OR: "or", XOR: "xor", AND_NOT: "and"}[opcode]
        self.names[code.slots + position] = self._set(f"{word} {self.type} {left}, {right}")

    def _random(self) -> str:
        """The generator xorshift128+ of Vigna, one for each word."""
        kind, words = self.type, self.words
        x, y = self.state
        moved = self._set(f"shl {kind} {x}, {splat(words, 23)}")
        x = self._set(f"xor {kind} {x}, {moved}")
        right = self._set(f"lshr {kind} {x}, {splat(words, 18)}")
        down = self._set(f"lshr {kind} {y}, {splat(words, 5)}")
        mixed = self._set(f"xor {kind} {x}, {y}")
        both = self._set(f"xor {kind} {right}, {down}")
        new = self._set(f"xor {kind} {mixed}, {both}")
        self.state = [y, new]
        return self._set(f"add {kind} {new}, {y}")


def module_text(cut: Cut, chunks: Sequence[int], words: int) -> str:
    """A module of some chunks; the functions are called f0, f1 and so on, by the number of the chunk."""
    return "\n".join(function_text(cut, cut.chunks[i], f"f{i}", words) for i in chunks)
