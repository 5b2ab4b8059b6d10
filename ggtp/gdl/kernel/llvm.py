"""Straight-line code in LLVM's language: one function, or several that meet in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggtp.gdl.kernel.registers import Action, Compute, Item, Load, Save, Store, plan
from ggtp.gdl.kernel.ternary import ALL, FIRST, SECOND, Function, cover
from ggtp.gdl.program.code import AND, AND_NOT, ONES, OR, RANDOM, XOR, ZERO, Chunk, Cut
from ggtp.gdl.program.step import GENERATOR


def vector_type(words: int) -> str:
    """The type of a slot: one bit a lane."""
    return "i64" if words == 1 else f"<{words} x i64>"


def splat(words: int, value: int) -> str:
    """A constant in every word of a slot."""
    if words == 1:
        return str(value)
    return "<" + ", ".join([f"i64 {value}"] * words) + ">"


TERNARY = (4, 8)
"""Words a slot for which processors with AVX-512 have operations of three operands."""

_BINARY = {
    FIRST & SECOND: AND,
    FIRST | SECOND: OR,
    FIRST ^ SECOND: XOR,
    FIRST & ~SECOND: AND_NOT,
}


def registers(words: int, ternary: bool) -> int:
    """How many vector registers are planned with; some are left for what is needed in between."""
    if words == 1:
        return 1 << 30  # that is, the compiler plans
    return 28 if ternary else 14


def function_text(cut: Cut, chunk: Chunk, name: str, words: int, ternary: bool = False) -> str:
    """One chunk as a function of the address of the slots; the second argument is not used.

    Args:
        ternary: use operations of three operands.
    """
    return _Function(cut, chunk, words, cover(cut.code, chunk) if ternary else None).text(name)


def attributes(words: int) -> str:
    """What is said of every function; wide vectors must be allowed on processors where they cost clock speed."""
    wide = f'"prefer-vector-width"="{64 * words}" "min-legal-vector-width"="{64 * words}" ' if words == 8 else ""
    return f"{wide}nounwind"


class _Function:
    def __init__(self, cut: Cut, chunk: Chunk, words: int, functions: Mapping[int, Function] | None) -> None:
        self.cut, self.chunk = cut, chunk
        self.functions = functions
        self.registers = registers(words, functions is not None)
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
        items = self._items()
        actions, places = plan(items, self._slots(items), self.registers)
        for action in actions:
            self._act(action)
        if random:
            self._store(GENERATOR, self.state[0])
            self._store(GENERATOR + 1, self.state[1])
        if places:
            self.lines.insert(0, f"%own = alloca {self.type}, i64 {places}, align {8 * self.words}")
        body = "\n".join(self.lines)
        return f"define void @{name}(ptr noalias %m, ptr %unused) {attributes(self.words)} {{\n{body}\nret void\n}}\n"

    def _items(self) -> list[Item]:
        code, chunk, functions = self.cut.code, self.chunk, self.functions
        stores: dict[int, list[tuple[int, int]]] = {}
        for position, slot, value in chunk.stores:
            stores.setdefault(position, []).append((slot, value))
        items = []
        for position in range(chunk.first, chunk.last):
            value = code.slots + position
            operands: tuple[int, ...] = (code.left[position], code.right[position])
            if code.opcodes[position] == RANDOM:
                operands = ()
            elif functions is not None:
                function = functions.get(position)
                value, operands = (-1, ()) if function is None else (value, function.operands)
            own = tuple(stores.get(position, ()))
            if value >= 0 or own:
                items.append(Item(value, operands, own))
        return items

    def _slots(self, items: Sequence[Item]) -> dict[int, int]:
        """Where the values are that come from outside."""
        first, home = self.cut.code.slots + self.chunk.first, self.cut.home
        values = {value for item in items for value in item.operands}
        values |= {value for item in items for _, value in item.stores}
        return {value: home.get(value, value) for value in sorted(values) if ONES < value < first}

    def _act(self, action: Action) -> None:
        match action:
            case Load(value, place, own):
                pointer = self._own(place) if own else self._pointer(place)
                self.names[value] = self._set(f"load {self.type}, ptr {pointer}, align {8 * self.words}")
            case Save(value, place):
                self._write(self._own(place), self.names[value])
            case Store(slot, value):
                self._store(slot, self.names[value])
            case Compute(value):
                position = value - self.cut.code.slots
                function = None if self.functions is None else self.functions.get(position)
                self.names[value] = self._operation(position) if function is None else self._function(function)

    def _set(self, expression: str) -> str:
        self.fresh += 1
        name = f"%t{self.fresh}"
        self.lines.append(f"{name} = {expression}")
        return name

    def _pointer(self, slot: int) -> str:
        return self._set(f"getelementptr i64, ptr %m, i64 {slot * self.words}")

    def _load(self, slot: int) -> str:
        return self._set(f"load {self.type}, ptr {self._pointer(slot)}, align {8 * self.words}")

    def _own(self, place: int) -> str:
        return self._set(f"getelementptr {self.type}, ptr %own, i64 {place}")

    def _store(self, slot: int, value: str) -> None:
        self._write(self._pointer(slot), value)

    def _write(self, pointer: str, value: str) -> None:
        self.lines.append(f"store {self.type} {value}, ptr {pointer}, align {8 * self.words}")

    def _operation(self, position: int) -> str:
        code = self.cut.code
        opcode = code.opcodes[position]
        if opcode == RANDOM:
            return self._random()
        return self._binary(opcode, self.names[code.left[position]], self.names[code.right[position]])

    def _function(self, function: Function) -> str:
        operands, table = [self.names[operand] for operand in function.operands], function.table
        if table in (0, ALL):
            return self.ones if table else self.zero
        if len(operands) == 1:
            return operands[0] if table == FIRST else self._set(f"xor {self.type} {operands[0]}, {self.ones}")
        if len(operands) == 2 and table in _BINARY:
            return self._binary(_BINARY[table], *operands)
        if len(operands) == 2 and table == SECOND & ~FIRST:
            return self._binary(AND_NOT, *reversed(operands))
        # Where there are two, nothing depends on the third.
        words = ", ".join(f"{self.type} {operand}" for operand in [*operands, operands[-1]][:3])
        return self._set(f"call {self.type} @{_ternary_name(self.words)}({words}, i32 {table})")

    def _binary(self, opcode: int, left: str, right: str) -> str:
        if opcode == AND_NOT:
            right = self._set(f"xor {self.type} {right}, {self.ones}")
        word = {AND: "and", OR: "or", XOR: "xor", AND_NOT: "and"}[opcode]
        return self._set(f"{word} {self.type} {left}, {right}")

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


def module_text(cut: Cut, chunks: Sequence[int], words: int, ternary: bool = False) -> str:
    """A module of some chunks; the functions are called f0, f1 and so on, by the number of the chunk."""
    texts = [function_text(cut, cut.chunks[i], f"f{i}", words, ternary) for i in chunks]
    if ternary:
        kind = vector_type(words)
        texts.insert(0, f"declare {kind} @{_ternary_name(words)}({kind}, {kind}, {kind}, i32 immarg)\n")
    return "\n".join(texts)


def _ternary_name(words: int) -> str:
    return f"llvm.x86.avx512.pternlog.q.{64 * words}"
