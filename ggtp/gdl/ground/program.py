"""What grounding leaves of a game: numbered atoms and rules about them, without variables.

Atoms are numbered from 1. First come the inputs, `true` of each fact and `does` of each move of
each role, then the derived atoms. In a rule's body a literal is an atom's number, negative
where the atom must not hold. Rules may be recursive through positive literals only; the
meaning is the least fixpoint, stratum by stratum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class GroundRule:
    """`head` holds when every literal of `body` does."""

    head: int
    body: tuple[int, ...]


class RuleTable(Sequence[GroundRule]):
    """Ground rules as arrays, a tenth of the memory of as many objects; each is made when it is asked for."""

    __slots__ = ("ends", "heads", "literals")

    def __init__(self, heads: Numbers, ends: Numbers, literals: Numbers) -> None:
        """Rules with these heads; each body begins among the literals where the one before ends."""
        self.heads = heads
        self.ends = ends
        self.literals = literals

    @classmethod
    def of(cls, rules: Iterable[GroundRule]) -> RuleTable:
        """The same rules as a table."""
        if isinstance(rules, RuleTable):
            return rules
        rules = list(rules)
        heads = np.array([rule.head for rule in rules], dtype=np.int32)
        ends = np.cumsum([len(rule.body) for rule in rules], dtype=np.int32)
        return cls(heads, ends, np.array(list(chain.from_iterable(rule.body for rule in rules)), dtype=np.int32))

    def __len__(self) -> int:
        return len(self.heads)

    @overload
    def __getitem__(self, index: int) -> GroundRule: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[GroundRule]: ...
    def __getitem__(self, index: int | slice) -> GroundRule | Sequence[GroundRule]:
        if isinstance(index, slice):
            return [self[item] for item in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        start = int(self.ends[index - 1]) if index else 0
        return GroundRule(int(self.heads[index]), tuple(self.literals[start : self.ends[index]].tolist()))

    def __iter__(self) -> Iterator[GroundRule]:
        ends, literals, start = self.ends.tolist(), self.literals.tolist(), 0
        for head, end in zip(self.heads.tolist(), ends, strict=True):
            yield GroundRule(head, tuple(literals[start:end]))
            start = end

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RuleTable):
            mine, others = (self.heads, self.ends, self.literals), (other.heads, other.ends, other.literals)
            return all(np.array_equal(one, two) for one, two in zip(mine, others, strict=True))
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self.heads), len(self.literals)))


@dataclass(frozen=True, slots=True)
class GroundProgram:
    """A game without variables."""

    roles: tuple[str, ...]
    facts: tuple[str, ...]
    """Every fact that may ever hold, in canonical form; the order numbers them."""
    moves: tuple[tuple[str, ...], ...]
    """For each role, every move that may ever be legal, in canonical form."""
    initial: tuple[int, ...]
    """The indexes of the facts that hold at the start, ascending."""
    atoms: int
    """How many atoms there are, inputs included."""
    rules: Sequence[GroundRule]
    """A `RuleTable` where there may be many."""
    next: tuple[int, ...]
    """For each fact the atom that makes it hold in the next state; 0: it never does."""
    legal: tuple[tuple[int, ...], ...]
    """For each role and move, the atom that makes it legal; 0: never."""
    terminal: int
    """The atom that ends the game; 0: never."""
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each role, pairs of a value and the atom that gives it."""
    always: frozenset[int] = frozenset()
    """Derived atoms that hold in every state."""
    sees: tuple[tuple[tuple[str, int], ...], ...] = ()
    """GDL-II: for each role, pairs of a percept in canonical form and the atom that gives it."""
