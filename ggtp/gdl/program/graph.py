"""A graph of AND and XOR gates over literals, in which equal expressions are one node.

Literals are those of `network`: twice a node's number, plus one where it is inverted; node 0 is
the constant false. Gates are added after their inputs, so a node's number is also an order in
which everything can be computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ggtp.gdl.network.network import FALSE, TRUE, Network

INPUT, AND, XOR = 0, 1, 2


class Graph:
    """Boolean functions of numbered inputs; `kinds`, `left` and `right` describe each node."""

    def __init__(self) -> None:
        self.kinds = [INPUT]
        self.left = [0]
        self.right = [0]
        self._ands: dict[int, int] = {}
        """By both literals as one number, which is found faster than a pair."""
        self._xors: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self.kinds)

    def input(self) -> int:
        """The literal of a new input."""
        return self._node(INPUT, 0, 0)

    def _node(self, kind: int, a: int, b: int) -> int:
        self.kinds.append(kind)
        self.left.append(a)
        self.right.append(b)
        return 2 * (len(self.kinds) - 1)

    def and_(self, a: int, b: int) -> int:
        """The literal of a AND b."""
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a == TRUE else FALSE
        if a >> 1 == b >> 1:
            return a if a == b else FALSE
        key = a << 40 | b
        known = self._ands.get(key)
        if known is None:
            known = self._ands[key] = self._simplified_and(a, b)
        return known

    def _simplified_and(self, a: int, b: int) -> int:
        """Rules that look one gate deeper; a and b are of different nodes."""
        kinds, left, right = self.kinds, self.left, self.right
        for x, y in ((a, b), (b, a)):
            node = y >> 1
            if kinds[node] != AND:
                continue
            p, q = left[node], right[node]
            if not y & 1:  # x & (p & q)
                if x in (p, q):
                    return y
                if x ^ 1 in (p, q):
                    return FALSE
            else:  # x & ~(p & q)
                if x == p:
                    return self.and_(x, q ^ 1)
                if x == q:
                    return self.and_(x, p ^ 1)
                if x ^ 1 in (p, q):
                    return x
        if a & b & 1 and kinds[a >> 1] == AND and kinds[b >> 1] == AND:
            p, q = left[a >> 1], right[a >> 1]
            r, s = left[b >> 1], right[b >> 1]
            if {p ^ 1, q ^ 1} == {r, s}:  # ~(p & q) & ~(~p & ~q)
                return self.xor(p, q)
            for x, y, z, w in ((p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)):
                if x == z and y == w ^ 1:  # ~(x & y) & ~(x & ~y)
                    return x ^ 1
        if not (a | b) & 1 and kinds[a >> 1] == AND and kinds[b >> 1] == AND:
            p, q = left[a >> 1], right[a >> 1]
            r, s = left[b >> 1], right[b >> 1]
            if p ^ 1 in (r, s) or q ^ 1 in (r, s):
                return FALSE
        return self._node(AND, a, b)

    def or_(self, a: int, b: int) -> int:
        """The literal of a OR b."""
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        """The literal of a XOR b."""
        inverted = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a > b:
            a, b = b, a
        if a == b:
            return inverted
        if a == FALSE:
            return b ^ inverted
        known = self._xors.get((a, b))
        if known is None:
            known = self._xors[a, b] = self._node(XOR, a, b)
        return known ^ inverted

    def any(self, literals: Iterable[int]) -> int:
        """The literal that says that one of them holds at least."""
        level = list(literals)
        while len(level) > 1:
            pairs = [self.or_(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
            level = pairs + level[2 * len(pairs) :]
        return level[0] if level else FALSE

    def all(self, literals: Iterable[int]) -> int:
        """The literal that says that all of them hold."""
        return self.any(literal ^ 1 for literal in literals) ^ 1

    def add(self, a: Sequence[int], b: Sequence[int], carry: int = FALSE) -> list[int]:
        """The sum of two numbers, lowest bit first, with one bit more than the longer has."""
        total = []
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else FALSE
            y = b[i] if i < len(b) else FALSE
            half = self.xor(x, y)
            total.append(self.xor(half, carry))
            carry = self.or_(self.and_(x, y), self.and_(half, carry))
        return [*total, carry]

    def subtract(self, a: Sequence[int], b: Sequence[int]) -> tuple[list[int], int]:
        """The difference of two numbers, as long as a, and whether a is less than b."""
        difference, borrow = [], FALSE
        for i, x in enumerate(a):
            y = b[i] if i < len(b) else FALSE
            half = self.xor(x, y)
            difference.append(self.xor(half, borrow))
            borrow = self.or_(self.and_(x ^ 1, y), self.and_(half ^ 1, borrow))
        for y in b[len(a) :]:
            borrow = self.or_(borrow, y)
        return difference, borrow

    def is_true(self, literal: int, width: int = 10) -> bool:
        """Whether a literal is seen to hold always, from so many nodes below it; False may mean that it is unknown."""
        if literal < 2:
            return literal == TRUE
        border, inside = {literal >> 1}, set[int]()
        while len(border) <= width:
            inputs = sorted(border)
            lanes = 1 << len(inputs)
            everything = (1 << lanes) - 1
            values = {0: 0}
            for i, node in enumerate(inputs):
                values[node] = everything // ((1 << (1 << i)) + 1) << (1 << i)
            for node in sorted(inside):
                a, b = (values[x >> 1] ^ (everything if x & 1 else 0) for x in (self.left[node], self.right[node]))
                values[node] = a & b if self.kinds[node] == AND else a ^ b
            if values[literal >> 1] == (0 if literal & 1 else everything):
                return True
            node = max((node for node in border if self.kinds[node] != INPUT), default=0)
            if not node:
                return False
            border.discard(node)
            inside.add(node)
            border |= {self.left[node] >> 1, self.right[node] >> 1} - inside - {0}
        return False

    def cone(self, literals: Iterable[int]) -> list[int]:
        """The nodes that these literals depend on, themselves included, in order; without the constant."""
        wanted = bytearray(len(self.kinds))
        highest = 0
        for literal in literals:
            wanted[literal >> 1] = 1
            highest = max(highest, literal >> 1)
        kinds, left, right = self.kinds, self.left, self.right
        for node in range(highest, 0, -1):
            if wanted[node] and kinds[node] != INPUT:
                wanted[left[node] >> 1] = 1
                wanted[right[node] >> 1] = 1
        return [node for node in range(1, highest + 1) if wanted[node]]


def gate_cone(network: Network, outputs: Iterable[int]) -> list[int]:
    """The indexes of the network's gates that these literals depend on, in order."""
    base, gates = network.inputs, tuple(network.gates)
    wanted = bytearray(len(gates))
    for literal in outputs:
        if literal >> 1 >= base:
            wanted[(literal >> 1) - base] = 1
    gate = wanted.rfind(1)
    while gate >= 0:
        a, b = gates[gate]
        if a >> 1 >= base:
            wanted[(a >> 1) - base] = 1
        if b >> 1 >= base:
            wanted[(b >> 1) - base] = 1
        gate = wanted.rfind(1, 0, gate)
    return [gate for gate, flag in enumerate(wanted) if flag]


def instantiate(graph: Graph, network: Network, inputs: Mapping[int, int], outputs: Sequence[int]) -> list[int]:
    """Copies the gates behind these outputs of a network into a graph.

    Args:
        inputs: for the nodes of facts and moves, the graph's literals that stand for them.
        outputs: literals of the network.

    Returns:
        The graph's literals of the outputs.
    """
    base = network.inputs
    image = [FALSE] * (base + len(network.gates))
    for node, literal in inputs.items():
        image[node] = literal
    and_ = graph.and_
    gates = tuple(network.gates)
    for gate in gate_cone(network, outputs):
        a, b = gates[gate]
        image[base + gate] = and_(image[a >> 1] ^ (a & 1), image[b >> 1] ^ (b & 1))
    return [image[literal >> 1] ^ (literal & 1) for literal in outputs]
