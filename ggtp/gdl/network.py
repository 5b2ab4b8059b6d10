"""The boolean network of a game: an and-inverter graph from facts and moves to everything else.

A *literal* is twice a node's number, plus one where it is inverted. Node 0 is the constant
false, so literal 0 is false and literal 1 is true. Then come the facts, then the moves of each
role, then the gates, each after its inputs.
"""

from __future__ import annotations

from dataclasses import dataclass

FALSE, TRUE = 0, 1


@dataclass(frozen=True, slots=True)
class Network:
    """A game as two-input AND gates with inverters."""

    roles: tuple[str, ...]
    facts: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    initial: tuple[int, ...]
    """The indexes of the facts that hold at the start."""
    gates: tuple[tuple[int, int], ...]
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
