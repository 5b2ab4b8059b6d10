"""A network's gates as conjunctions of many inputs, in the two layers in which a step needs them.

A gate that is used once, uninverted and by another gate is no more than a part of that gate's
conjunction. Solvers have an easier life with few long conjunctions than with many short ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ggtp.gdl.network.network import Network


@dataclass(frozen=True, slots=True)
class Conjunction:
    """A node of the network, and the literals that it is the conjunction of."""

    node: int
    literals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """All conjunctions that anything depends on, each after those that it uses."""

    of_state: tuple[Conjunction, ...]
    """What the facts alone decide."""
    of_moves: tuple[Conjunction, ...]
    """What the moves have a part in."""


def conjunctions(network: Network) -> Layers:
    """The network's conjunctions."""
    first = network.inputs
    merged = _merged(network)
    inputs: list[tuple[int, ...]] = []
    moved = bytearray(first + len(network.gates))
    for node in range(1 + len(network.facts), first):
        moved[node] = 1
    of_state: list[Conjunction] = []
    of_moves: list[Conjunction] = []
    wanted = _wanted(network)
    for number, gate in enumerate(network.gates):
        literals: list[int] = []
        for literal in gate:
            inner = (literal >> 1) - first
            literals += inputs[inner] if inner >= 0 and merged[inner] else (literal,)
            moved[first + number] |= moved[literal >> 1]
        inputs.append(tuple(dict.fromkeys(literals)))
        if wanted[number] and not merged[number]:
            layer = of_moves if moved[first + number] else of_state
            layer.append(Conjunction(first + number, inputs[number]))
    return Layers(tuple(of_state), tuple(of_moves))


def outputs(network: Network) -> Iterator[int]:
    """Every literal that the game is asked for; percepts are not."""
    yield network.terminal
    yield from network.next
    for row in network.legal:
        yield from row
    for pairs in network.goals:
        yield from (literal for _, literal in pairs)


def _merged(network: Network) -> bytearray:
    """Which gates are parts of another's conjunction."""
    first = network.inputs
    uses = [0] * len(network.gates)
    plain = bytearray(b"\1" * len(network.gates))
    for literal in (literal for gate in network.gates for literal in gate):
        number = (literal >> 1) - first
        if number >= 0:
            uses[number] += 1
            plain[number] &= ~literal & 1
    for literal in outputs(network):
        number = (literal >> 1) - first
        if number >= 0:
            plain[number] = 0
    return bytearray(1 if count == 1 and alone else 0 for count, alone in zip(uses, plain, strict=True))


def _wanted(network: Network) -> bytearray:
    """Which gates any output depends on."""
    first = network.inputs
    wanted = bytearray(len(network.gates))
    for literal in outputs(network):
        if (literal >> 1) >= first:
            wanted[(literal >> 1) - first] = 1
    for number in reversed(range(len(network.gates))):
        if wanted[number]:
            for literal in network.gates[number]:
                if (literal >> 1) >= first:
                    wanted[(literal >> 1) - first] = 1
    return wanted
