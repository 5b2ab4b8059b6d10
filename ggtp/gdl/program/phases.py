"""Kinds of steps that not all games can make: those of one player, or even of one stage of their turn.

Given whose turn it is, and perhaps what for, many moves are impossible, and so are their hints: such a step is a good
deal shorter than one for all games. The games in which it is somebody else's turn wait meanwhile; as all of a kind go
on together, soon nearly all games are of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggtp.gdl.network.network import RANDOM, Network
from ggtp.gdl.program.turns import Invariants, Turn, Turns, possible

_MOST = 0.9
"""Of a player's moves, how many may be possible in a stage of their turn for it to be worth a step of its own."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A player, and when they move."""

    player: int
    """The place among those who take turns."""
    when: tuple[int, ...]
    """Literals of facts in the network: the player moves where all hold."""


def movers(network: Network, known: Invariants, turns: Turns) -> list[Mover]:
    """The kinds of steps, of which exactly one can be made in every state; none where two players do not take turns.

    Chance is no player: it wants nothing, and must not be made to.
    """
    both = turns.turns
    alternate = turns.complete and len(both) == len(network.roles) == 2 and all(len(turn.guard) == 1 for turn in both)
    if not alternate or RANDOM in network.roles:
        return []
    can = possible(network, known)
    found = []
    for player, turn in enumerate(both):
        stage = _stage(network, known, turn, [legal for legal, _ in can[turn.role]])
        ways: Sequence[tuple[int, ...]] = ((),) if stage is None else ((stage,), (stage ^ 1,))
        found += [Mover(player, (turn.guard[0], *way)) for way in ways]
    return found


def _stage(network: Network, known: Invariants, turn: Turn, can: Sequence[int]) -> int | None:
    """The literal of the fact that divides a player's moves best: some are possible only with it, all others without.

    Args:
        can: for each move, the cases in which it can be legal, as `possible` has them.
    """
    moves = [cases for move, cases in enumerate(can) if cases and move != turn.idle]
    best, least = None, _MOST * len(moves)
    for fact, alias in enumerate(known.alias):
        literal = network.fact_literal(fact)
        if alias != literal or literal >> 1 == turn.guard[0] >> 1:
            continue
        without, having = (sum(cases >> 2 * fact + value & 1 for cases in moves) for value in (0, 1))
        if without and having and without + having <= len(moves) and max(without, having) < least:
            best, least = literal, max(without, having)
    return best
