"""The boolean network of a game: an and-inverter graph from facts and moves to everything else.

A *literal* is twice a node's number, plus one where it is inverted. Node 0 is the constant
false, so literal 0 is false and literal 1 is true. Then come the facts, then the moves of each
role, then the gates, each after its inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

FALSE, TRUE = 0, 1

RANDOM = "random"
"""The role that stands for chance."""

VERSION = 5
"""Changes with the form in which networks are kept, and whenever the compiler makes others from the same text."""


class LazyGates(Sequence[tuple[int, int]]):
    """Gates that are read when somebody first looks at one: who plays code that is kept never does."""

    __slots__ = ("_count", "_found", "_read")

    def __init__(self, count: int, read: Callable[[], tuple[tuple[int, int], ...]]) -> None:
        """So many gates, and how to read them."""
        self._count = count
        self._read = read
        self._found: tuple[tuple[int, int], ...] | None = None

    def _all(self) -> tuple[tuple[int, int], ...]:
        if self._found is None:
            self._found = self._read()
        return self._found

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, int]]: ...

    def __getitem__(self, index: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        return self._all()[index]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyGates | tuple) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())


@dataclass(frozen=True, slots=True)
class Network:
    """A game as two-input AND gates with inverters."""

    roles: tuple[str, ...]
    facts: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    initial: tuple[int, ...]
    """The indexes of the facts that hold at the start."""
    gates: Sequence[tuple[int, int]]
    """The two input literals of each gate."""
    next: tuple[int, ...]
    """For each fact, the literal of its value in the next state."""
    legal: tuple[tuple[int, ...], ...]
    """For each role and move, the literal that makes it legal; it depends on facts only."""
    terminal: int
    """The literal that ends the game; it depends on facts only."""
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each role, pairs of a value and its literal; they depend on facts only."""
    sees: tuple[tuple[tuple[str, int], ...], ...] = ()
    """GDL-II: for each role, pairs of a percept and its literal."""

    @property
    def inputs(self) -> int:
        """How many nodes come before the first gate."""
        return 1 + len(self.facts) + sum(len(moves) for moves in self.moves)

    def fact_literal(self, fact: int) -> int:
        """The literal of a fact."""
        return 2 * (1 + fact)

    def move_literal(self, role: int, move: int) -> int:
        """The literal that says that a role makes a move."""
        return 2 * (1 + len(self.facts) + sum(len(moves) for moves in self.moves[:role]) + move)

    def values(self, facts: Iterable[int], moves: Sequence[int] = ()) -> list[int]:
        """Return the value of every node, 0 or 1, gate by gate: slow and plain.

        Args:
            facts: the indexes of the facts that hold.
            moves: for each role the index of its move; none if nobody moves.
        """
        values = [0] * self.inputs
        for fact in facts:
            values[self.fact_literal(fact) >> 1] = 1
        for role, move in enumerate(moves):
            values[self.move_literal(role, move) >> 1] = 1
        for one, two in self.gates:
            values.append((values[one >> 1] ^ one & 1) & (values[two >> 1] ^ two & 1))
        return values


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass left."""

    name: str
    nodes: int
    """ANDs of any number of inputs."""
    gates: int
    """ANDs of two inputs, if nothing more were shared."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a person may want to know about a network and how it was made."""

    facts: int
    moves: tuple[int, ...]
    atoms: int
    rules: int
    passes: tuple[Pass, ...]
    gates: int
    depth: int
    """The gates on the longest path."""
    never: int
    """Facts that never hold and moves that are never legal, though the grounder thought so; they are left out."""
    constant: int
    """Facts that always hold."""
    copies: int
    """Facts that are copies or inverses of others."""
    latches: int
    """Facts that stay once they hold."""
    forced: int
    """Moves that are made whenever they are legal."""
    recursive: int
    """Atoms that depend on themselves."""
    components: int
    """Components that these atoms form."""
    rounds: int
    """How often a component's rules had to be repeated, at most; 0 where all could be solved."""

    def __str__(self) -> str:
        lines = [
            f"{self.facts} facts, {' + '.join(map(str, self.moves))} moves; {self.atoms} atoms, {self.rules} rules",
            *(f"{item.name}: {item.nodes} nodes, {item.gates} gates" for item in self.passes),
            f"{self.gates} gates, {self.depth} deep",
            f"{self.never} never hold, {self.constant} always, {self.copies} copies, {self.latches} latches, "
            f"{self.forced} forced moves",
        ]
        if self.recursive:
            how = f"repeated up to {self.rounds} times" if self.rounds else "solved"
            lines.append(f"recursion: {self.recursive} atoms in {self.components} components, {how}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Built:
    """A network, and how it came to be."""

    network: Network
    statistics: Statistics
