"""Which values of straight-line code are in registers when, planned before the compiler sees it.

A compiler's own allocation is made for code with branches, and gives up on a thousand operations in a row.
Here the order is given and everything that will be used is known: when a register is needed, the value
goes whose next use is farthest, which is the best there is. It is written to memory only if it is nowhere yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ggtp.gdl.program.code import ONES


@dataclass(frozen=True, slots=True)
class Item:
    """One operation, and what is stored after it."""

    value: int
    """What it makes; nobody asks for the result of an operation that is left out, and only stores come then."""
    operands: tuple[int, ...]
    stores: tuple[tuple[int, int], ...] = ()
    """Pairs of a slot and the value that it gets."""


@dataclass(frozen=True, slots=True)
class Load:
    """A value comes to a register from a slot, or from a place of our own."""

    value: int
    place: int
    own: bool


@dataclass(frozen=True, slots=True)
class Save:
    """A value goes to a place of our own."""

    value: int
    place: int


@dataclass(frozen=True, slots=True)
class Compute:
    """The next operation is done."""

    value: int


@dataclass(frozen=True, slots=True)
class Store:
    """A slot gets a value."""

    slot: int
    value: int


Action: TypeAlias = Load | Save | Compute | Store


def plan(items: Sequence[Item], slots: Mapping[int, int], registers: int) -> tuple[list[Action], int]:
    """What to do in which order, and how many places of our own it takes.

    Args:
        items: the operations, in order.
        slots: where values from outside are at the beginning.
        registers: how many there are.
    """
    planning = _Planning(items, slots, registers)
    return list(planning.actions()), planning.places


class _Planning:
    def __init__(self, items: Sequence[Item], slots: Mapping[int, int], registers: int) -> None:
        self.items = items
        self.registers = registers
        self.slots = dict(slots)
        """Which slot has a value, as far as one has."""
        self.own: dict[int, int] = {}
        """Which place of our own has a value."""
        self.free: list[int] = []
        self.places = 0
        self.held: set[int] = set()
        """The values in registers."""
        self.uses: dict[int, list[int]] = {}
        """For each value the times of its uses that are still to come, the next one last."""
        for number, item in enumerate(items):
            for value in item.operands:
                self.uses.setdefault(value, []).append(2 * number)
            for _, value in item.stores:
                self.uses.setdefault(value, []).append(2 * number + 1)
        for times in self.uses.values():
            times.reverse()
        self.outside = {slot: value for value, slot in slots.items()}

    def actions(self) -> Iterator[Action]:
        for item in self.items:
            operands = [value for value in item.operands if value > ONES]
            for value in operands:
                yield from self._fetch(value, operands)
            if item.value >= 0:
                self._used(operands)
                if self.uses.get(item.value):
                    yield from self._room(())
                    self.held.add(item.value)
                yield Compute(item.value)
            for slot, value in item.stores:
                yield from self._store(slot, value)

    def _store(self, slot: int, value: int) -> Iterator[Action]:
        old = self.outside.pop(slot, None)
        if old is not None and old != value and self.uses.get(old):
            # Somebody will ask for what was there.
            yield from self._fetch(old, (old, value))
            yield from self._save(old)
            del self.slots[old]
        if value > ONES:
            yield from self._fetch(value, (value,))
        yield Store(slot, value)
        if value > ONES:
            self.slots.setdefault(value, slot)
            self._used([value])

    def _used(self, values: Sequence[int]) -> None:
        """Takes note of a use, and forgets what has no other."""
        for value in values:
            times = self.uses[value]
            times.pop()
            if not times:
                self.held.discard(value)
                if value in self.own:
                    self.free.append(self.own.pop(value))

    def _fetch(self, value: int, keep: Sequence[int]) -> Iterator[Action]:
        if value in self.held:
            return
        yield from self._room(keep)
        self.held.add(value)
        own = self.own.get(value)
        yield Load(value, self.slots[value] if own is None else own, own is not None)

    def _room(self, keep: Sequence[int]) -> Iterator[Action]:
        """Sees that a register is free."""
        while len(self.held) >= self.registers:
            farthest = max((value for value in self.held if value not in keep), key=self._next)
            if farthest not in self.own and farthest not in self.slots:
                yield from self._save(farthest)
            self.held.discard(farthest)

    def _next(self, value: int) -> tuple[int, int]:
        return self.uses[value][-1], value

    def _save(self, value: int) -> Iterator[Action]:
        if not self.free:
            self.free.append(self.places)
            self.places += 1
        self.own[value] = self.free.pop()
        yield Save(value, self.own[value])
