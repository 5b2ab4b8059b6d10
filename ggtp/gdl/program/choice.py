"""A uniformly random choice among the leaves that hold, lane by lane, without a branch.

Up a tree go the numbers of leaves that hold; a number below the count at the root is drawn; down
the tree it finds its leaf: left when it is below the left count, otherwise right, less that count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from ggtp.gdl.network.network import FALSE, TRUE
from ggtp.gdl.program.graph import Graph

EXTRA_BITS = 10
"""Random bits beyond those of the count: no choice is likelier than another by more than one part in 2**10."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What came of a choice."""

    selected: list[int]
    """For each leaf, the literal that says that it was chosen; where no leaf holds, these mean nothing."""
    nothing: int
    """The literal that says that no leaf holds."""


@dataclass(frozen=True, slots=True)
class _Tree:
    leaves: Sequence[int]
    count: list[int]
    left: _Tree | None = None
    right: _Tree | None = None


def choose(graph: Graph, leaves: Sequence[int], random: Callable[[], int], active: int = TRUE) -> Choice:
    """Builds the choice of one leaf among those that hold.

    Args:
        random: gives a new input whose lanes are random bits.
        active: the literal that says where there is a choice; elsewhere no leaf is chosen.
    """
    if not leaves:
        return Choice([], TRUE)
    if len(leaves) == 1:
        return Choice([active], leaves[0] ^ 1)
    tree = _grow(graph, leaves)
    nothing = graph.any(tree.count) ^ 1
    if len(leaves) == 2:
        number = [graph.and_(random(), tree.count[1])]
    else:
        number = _draw(graph, tree.count, len(leaves).bit_length() + EXTRA_BITS, random)
    selected: list[int] = []
    _descend(graph, tree, number, active, selected)
    return Choice(selected, nothing)


def _draw(graph: Graph, count: Sequence[int], bits: int, random: Callable[[], int]) -> list[int]:
    """The whole part of count times a random fraction: shift and add, from the fraction's lowest bit."""
    number = [FALSE] * len(count)
    for _ in range(bits):
        bit = random()
        number = graph.add(number, [graph.and_(bit, digit) for digit in count])[1:]
    return number


def _grow(graph: Graph, leaves: Sequence[int]) -> _Tree:
    size = len(leaves)
    if size == 1:
        return _Tree(leaves, [leaves[0]])
    if size == 3:
        return _Tree(leaves, graph.add([leaves[0]], [leaves[1]], leaves[2]))
    cut = _best_cut(size)
    left, right = _grow(graph, leaves[:cut]), _grow(graph, leaves[cut:])
    return _Tree(leaves, graph.add(left.count, right.count)[: size.bit_length()], left, right)


def _descend(graph: Graph, tree: _Tree, number: Sequence[int], active: int, selected: list[int]) -> None:
    size = len(tree.leaves)
    number = number[: (size - 1).bit_length()]
    if size == 1:
        selected.append(active)
    elif size == 3:
        low, high = number
        one, two, _ = tree.leaves
        first = graph.and_(graph.and_(active, one), graph.or_(low, high) ^ 1)
        second = graph.and_(graph.and_(active, two), graph.or_(graph.xor(low, one), high) ^ 1)
        selected += [first, second, graph.and_(active, graph.or_(first, second) ^ 1)]
    else:
        assert tree.left is not None
        assert tree.right is not None
        beyond, below = graph.subtract(number, tree.left.count)
        _descend(graph, tree.left, number, graph.and_(active, below), selected)
        _descend(graph, tree.right, beyond, graph.and_(active, below ^ 1), selected)


@cache
def _cost(size: int) -> int:
    """Operations for a tree of this many leaves, up and down, about."""
    if size <= 3:
        return (0, 0, 5, 14)[size]
    return min(_split_cost(size, cut) for cut in _cuts(size))


def _split_cost(size: int, cut: int) -> int:
    digits = size.bit_length()
    right_digits = (size - cut - 1).bit_length()
    return _cost(cut) + _cost(size - cut) + 5 * digits - 8 + 5 * digits - 3 + right_digits


def _cuts(size: int) -> set[int]:
    """Places worth trying: the middle, and full subtrees of 2**i and of 3 * 2**i and one less than 2**i leaves."""
    cuts = {size // 2}
    part = 1
    while part < size:
        cuts |= {part, 3 * part, 2 * part - 1}
        part *= 2
    # Trees stay balanced: depth is time in which nothing else can be computed.
    return {cut for cut in cuts if size <= 4 * cut <= 3 * size}


@cache
def _best_cut(size: int) -> int:
    return min(sorted(_cuts(size)), key=lambda cut: _split_cost(size, cut))
