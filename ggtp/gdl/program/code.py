"""Straight-line code: what a graph computes, as a list of operations over slots of memory.

A slot holds one bit for each lane. Slots below `Code.slots` keep their values from one run of the
code to the next; a *value* is the number of such a slot, meaning what it held at the beginning, or
that number of slots plus the number of an operation, meaning its result.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggtp.gdl.program import graph as program_graph
from ggtp.gdl.program.graph import Graph

AND, OR, XOR, AND_NOT, RANDOM = range(5)

ZERO, ONES = 0, 1
"""The slots that hold no lane and all lanes."""


@dataclass(frozen=True, slots=True)
class Code:
    """Operations in an order in which they can be done one after the other.

    `RANDOM` has no operands; those operations draw from the generator in the order of the list.
    """

    slots: int
    opcodes: array[int]
    left: array[int]
    right: array[int]
    stores: tuple[tuple[int, int], ...]
    """Pairs of a slot and the value that it gets, when everything has been computed; values of operations only."""

    def __len__(self) -> int:
        return len(self.opcodes)


def lower(
    graph: Graph,
    inputs: Mapping[int, int],
    randoms: Sequence[int],
    outputs: Sequence[tuple[int, int]],
    slots: int,
    early: Sequence[int] = (),
) -> Code:
    """Turns the part of a graph that matters into code.

    Args:
        inputs: for nodes of the graph, the slots that hold them.
        randoms: nodes of the graph that are random bits.
        outputs: pairs of a slot and the literal that it gets; earlier ones are computed first.
        slots: how many slots there are.
        early: literals that are computed before everything else, in this order, if somebody needs them.
    """
    return _Lowering(graph, inputs, randoms, slots).code(outputs, early)


class _Lowering:
    """One run of `lower`. Each node is computed plainly or inverted, whichever takes one operation."""

    def __init__(self, graph: Graph, inputs: Mapping[int, int], randoms: Sequence[int], slots: int) -> None:
        self.graph = graph
        self.slots = slots
        self.opcodes = array("B")
        self.left = array("i")
        self.right = array("i")
        # Twice a value, plus one where the value is the node's inverse.
        self.place: dict[int, int] = {0: 2 * ZERO}
        self.place.update((node, 2 * slot) for node, slot in inputs.items())
        self.randoms = {node: i for i, node in enumerate(randoms)}
        self.pending = list(randoms)
        self.inverses: dict[int, int] = {}
        self.depth = [0] * len(graph)

    def code(self, outputs: Sequence[tuple[int, int]], early: Sequence[int]) -> Code:
        nodes = self.graph.cone(literal for _, literal in outputs)
        used = set(nodes)
        self.pending = [node for node in self.pending if node in used]
        kinds, left, right, depth = self.graph.kinds, self.graph.left, self.graph.right, self.depth
        for node in nodes:
            if kinds[node] != program_graph.INPUT:
                depth[node] = 1 + max(depth[left[node] >> 1], depth[right[node] >> 1])
        for literal in early:
            if literal >> 1 in used:
                self._compute(literal >> 1)
        for _, literal in outputs:
            self._compute(literal >> 1)
        stores = tuple((slot, self._plain(literal)) for slot, literal in outputs if self._plain(literal) != slot)
        # Values of slots and constants go through an operation, so that no store can spoil another's value.
        moved = {value: self._emit(OR, value, value) for value in sorted({v for _, v in stores if v < self.slots})}
        stores = tuple((slot, moved.get(value, value)) for slot, value in stores)
        return Code(self.slots, self.opcodes, self.left, self.right, stores)

    def _emit(self, opcode: int, left: int, right: int) -> int:
        self.opcodes.append(opcode)
        self.left.append(left)
        self.right.append(right)
        return self.slots + len(self.opcodes) - 1

    def _plain(self, literal: int) -> int:
        """A value that is the literal, not its inverse."""
        place = self.place[literal >> 1] ^ (literal & 1)
        if not place & 1:
            return place >> 1
        if place == 2 * ZERO + 1:
            return ONES
        if place not in self.inverses:
            self.inverses[place] = self._emit(XOR, place >> 1, ONES)
        return self.inverses[place]

    def _compute(self, wanted: int) -> None:
        """Depth first, the longer way first: few values wait for their use then."""
        graph, place, depth = self.graph, self.place, self.depth
        kinds, lefts, rights = graph.kinds, graph.left, graph.right
        stack = [wanted]
        while stack:
            node = stack[-1]
            if node in place:
                stack.pop()
                continue
            if kinds[node] == program_graph.INPUT:
                self._random(node)
                stack.pop()
                continue
            a, b = lefts[node], rights[node]
            one, two = place.get(a >> 1), place.get(b >> 1)
            if one is not None and two is not None:
                stack.pop()
                place[node] = self._gate(kinds[node], one ^ (a & 1), two ^ (b & 1))
            elif one is not None:
                stack.append(b >> 1)
            elif two is not None:
                stack.append(a >> 1)
            elif depth[b >> 1] < depth[a >> 1]:
                stack += (b >> 1, a >> 1)
            else:
                stack += (a >> 1, b >> 1)

    def _random(self, wanted: int) -> None:
        """Random bits are drawn in their order, whatever is computed first."""
        number = self.randoms[wanted]
        while self.pending and self.randoms[self.pending[0]] <= number:
            self.place[self.pending.pop(0)] = 2 * self._emit(RANDOM, ZERO, ZERO)

    def _gate(self, kind: int, a: int, b: int) -> int:
        if kind == program_graph.XOR:
            return 2 * self._emit(XOR, a >> 1, b >> 1) ^ ((a ^ b) & 1)
        if a & b & 1:
            return 2 * self._emit(OR, a >> 1, b >> 1) ^ 1
        if b & 1:
            return 2 * self._emit(AND_NOT, a >> 1, b >> 1)
        if a & 1:
            return 2 * self._emit(AND_NOT, b >> 1, a >> 1)
        return 2 * self._emit(AND, a >> 1, b >> 1)


def last_uses(code: Code) -> list[int]:
    """For each value, the last operation that reads it; -1 where none does."""
    last = [-1] * (code.slots + len(code))
    for position, (opcode, a, b) in enumerate(zip(code.opcodes, code.left, code.right, strict=True)):
        if opcode != RANDOM:
            last[a] = position
            last[b] = position
    return last


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of the code that can be one function."""

    first: int
    last: int
    """One past its last operation."""
    stores: tuple[tuple[int, int, int], ...]
    """Triples: after which operation, into which slot, which value."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Code in parts that hand values to each other through further slots."""

    code: Code
    chunks: tuple[Chunk, ...]
    home: Mapping[int, int]
    """For values that a later chunk reads, the slots where it finds them."""
    slots: int
    """How many slots there are now."""


def cut(code: Code, size: int) -> Cut:
    """Cuts code into chunks of that many operations; a slot is overwritten when nobody reads its old value any more."""
    length, base = len(code), code.slots
    last = last_uses(code)
    stores: dict[int, list[tuple[int, int]]] = {}
    needed = list(last)
    for slot, value in code.stores:
        at = max(value - base, last[slot])
        stores.setdefault(at, []).append((slot, value))
        needed[value] = max(needed[value], at)
    free: list[int] = []
    slots = base
    home: dict[int, int] = {}
    expiring: dict[int, list[int]] = {}
    chunks = []
    for first in range(0, max(length, 1), size):
        end = min(first + size, length)
        # Homes that no later chunk reads; those read by this chunk become free only after it.
        free += [home[value] for value in expiring.pop(first // size - 1, ())]
        own: list[tuple[int, int, int]] = []
        for position in range(first, end):
            value = base + position
            own += [(position, slot, stored) for slot, stored in stores.get(position, ())]
            if needed[value] >= end:
                if free:
                    home[value] = free.pop()
                else:
                    home[value] = slots
                    slots += 1
                own.append((position, home[value], value))
                expiring.setdefault(needed[value] // size, []).append(value)
        chunks.append(Chunk(first, end, tuple(own)))
    return Cut(code, tuple(chunks), home, slots)
