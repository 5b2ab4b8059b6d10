"""Operations of two operands covered by operations of three, for processors that compute any function of three words.

A *cut* of a value is a set of at most three other values from which it can be computed, with the table of
that function. From the cuts of its operands follow those of a value; of all ways to compute what a chunk must
have, one with few operations is taken. What is in between is not computed at all then.

A table has a bit for each case: the values in order stand for the digits 4, 2 and 1 of its number. That is
how processors have it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ggtp.gdl.program.code import AND, ONES, OR, RANDOM, XOR, Chunk, Code

FIRST, SECOND, THIRD = 0xF0, 0xCC, 0xAA
"""The tables of the values themselves."""
ALL = 0xFF
MOST = 4
"""Cuts that are looked at further for each value, besides its own two operands."""
ROUNDS = 3
"""How often the cover is chosen anew with what is known about who uses what."""

_SIGNS = 61


class Function(NamedTuple):
    """How a value is computed."""

    operands: tuple[int, ...]
    """Three values at most, in order."""
    table: int


class _Way(NamedTuple):
    """A cut: the values, their table, and bits that two cuts have in common where they share a value."""

    operands: tuple[int, ...]
    table: int
    signature: int


_ZERO, _ONES = [_Way((), 0, 0)], [_Way((), ALL, 0)]


def cover(code: Code, chunk: Chunk) -> dict[int, Function]:
    """For those operations of a chunk whose results are needed, by number, how to compute them; random bits are not
    among them, and are needed always."""
    return _Cover(code, chunk).functions()


class _Cover:
    """One run of `cover`."""

    def __init__(self, code: Code, chunk: Chunk) -> None:
        self.code = code
        self.first, self.last = chunk.first, chunk.last
        self.base = code.slots + chunk.first
        """The value of the first operation; smaller ones come from outside."""
        self.outputs = [value - self.base for _, _, value in chunk.stores if value >= self.base]
        self.users = self._users()
        self.flow: list[float] = []
        """For each operation what its result costs, shared among its users."""
        self.ways: list[list[_Way]] = []
        """For each operation its cuts; none for random bits."""

    def _users(self) -> list[int]:
        users = [0] * (self.last - self.first)
        for output in self.outputs:
            users[output] += 1
        for position in range(self.first, self.last):
            if self.code.opcodes[position] != RANDOM:
                for value in (self.code.left[position], self.code.right[position]):
                    if value >= self.base:
                        users[value - self.base] += 1
        return users

    def functions(self) -> dict[int, Function]:
        for position in range(self.first, self.last):
            self._add(position)
        chosen = self._choose()
        for _ in range(ROUNDS - 1):
            self._count(chosen)
            chosen = self._choose()
        return {self.first + number: Function(way.operands, way.table) for number, way in sorted(chosen.items())}

    def _add(self, position: int) -> None:
        code = self.code
        opcode = code.opcodes[position]
        if opcode == RANDOM:
            self.ways.append([])
            self.flow.append(0.0)
            return
        found: dict[tuple[int, ...], _Way] = {}
        others = self._known(code.right[position])
        for one in self._known(code.left[position]):
            for other in others:
                if (one.signature | other.signature).bit_count() <= 3:
                    way = _joined(opcode, one, other)
                    if way is not None and way.operands not in found:
                        found[way.operands] = way
        # The first of all is made of the operands themselves, and others are found through it.
        own, *rest = found.values()
        if len(rest) > MOST:
            rest = sorted(rest, key=self._cost)[:MOST]
        ways = [own, *rest]
        self.ways.append(ways)
        self.flow.append(min(map(self._cost, ways)) / max(1, self.users[position - self.first]))

    def _known(self, value: int) -> Sequence[_Way]:
        """The cuts of an operand: itself, then what it is made of here."""
        if value <= ONES:
            return _ONES if value == ONES else _ZERO
        itself = _Way((value,), FIRST, 1 << value % _SIGNS)
        return [itself] if value < self.base else [itself, *self.ways[value - self.base]]

    def _cost(self, way: _Way) -> float:
        base, flow = self.base, self.flow
        return 1.0 + sum(flow[value - base] for value in way.operands if value >= base)

    def _choose(self) -> dict[int, _Way]:
        """The best cut of everything that is needed."""
        needed = bytearray(self.last - self.first)
        for output in self.outputs:
            needed[output] = 1
        chosen = {}
        for number in range(self.last - self.first - 1, -1, -1):
            if needed[number] and self.ways[number]:
                way = chosen[number] = min(self.ways[number], key=self._cost)
                for value in way.operands:
                    if value >= self.base:
                        needed[value - self.base] = 1
        return chosen

    def _count(self, chosen: dict[int, _Way]) -> None:
        """Costs again, now that it is known who uses what."""
        users = [0] * (self.last - self.first)
        for output in self.outputs:
            users[output] += 1
        for way in chosen.values():
            for value in way.operands:
                if value >= self.base:
                    users[value - self.base] += 1
        for number, ways in enumerate(self.ways):
            if ways:
                self.flow[number] = min(map(self._cost, ways)) / max(1, users[number])


def _joined(opcode: int, one: _Way, other: _Way) -> _Way | None:
    """The cut of an operation by cuts of its operands, if that has three values at most."""
    if one.operands == other.operands:
        operands, x, y = one.operands, one.table, other.table
    else:
        operands = tuple(sorted({*one.operands, *other.operands}))
        if len(operands) > 3:
            return None
        x, y = _stretched(one, operands), _stretched(other, operands)
    if opcode == AND:
        table = x & y
    elif opcode == OR:
        table = x | y
    elif opcode == XOR:
        table = x ^ y
    else:
        table = x & ~y
    return _Way(operands, table, one.signature | other.signature)


def _stretched(way: _Way, operands: tuple[int, ...]) -> int:
    """The table of a cut, with more values to look at."""
    places = 0
    for number, value in enumerate(operands):
        if value in way.operands:
            places |= 1 << number
    return _table(places, way.table)


@cache
def _table(places: int, table: int) -> int:
    """The table of three values, from one of those that stand in some of the places."""
    inside = [place for place in range(3) if places >> place & 1]
    new = 0
    for case in range(8):
        old = 0
        for digit, place in enumerate(inside):
            old |= (case >> (2 - place) & 1) << (2 - digit)
        new |= (table >> old & 1) << case
    return new
