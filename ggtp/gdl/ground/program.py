"""What grounding leaves of a game: numbered atoms and rules about them, without variables.

Atoms are numbered from 1. First come the inputs, `true` of each fact and `does` of each move of
each role, then the derived atoms. In a rule's body a literal is an atom's number, negative
where the atom must not hold. Rules may be recursive through positive literals only; the
meaning is the least fixpoint, stratum by stratum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroundRule:
    """`head` holds when every literal of `body` does."""

    head: int
    body: tuple[int, ...]


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

    def true_atom(self, fact: int) -> int:
        """The atom that says that a fact holds."""
        return 1 + fact

    def does_atom(self, role: int, move: int) -> int:
        """The atom that says that a role makes a move."""
        return 1 + len(self.facts) + sum(len(moves) for moves in self.moves[:role]) + move
