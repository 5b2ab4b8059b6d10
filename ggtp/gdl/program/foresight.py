"""Random games whose players look ahead: nobody overlooks a move that wins, or makes one that lets the other win.

A random game from a position says little about what was threatened in it: threats are overlooked by both. In Connect
Four, say, nobody who sees them fills a square below one, so that in the end somebody has to; only players who look two
moves ahead get that far. Such games are slower, by what it takes to see two moves ahead, which depends on the rules.
"""

from __future__ import annotations

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.guide import Guide
from ggtp.gdl.program.outlook import NoOutlook
from ggtp.gdl.program.step import StepProgram

MOST_MOVES = 40
"""Of a player, up to which it is tried. In matches of searches with such games against searches with others, at 100 ms
a move, they got 73 % of 100 games of Connect Four and 62 % of 100 of Quarto, whose players have 8 and 33 moves in all;
but 43 % of 120 of Pentago (45), 51 % of 120 of small Breakthrough (53), 42 % of 100 of Breakthrough (155), and 47 % of
100 of Knightthrough (169)."""
COSTLIEST = 5
"""How many times as many operations a step may have."""
GROWTH = 25
"""How many nodes a graph may grow by, for each operation of a plain step: more than are left in the end."""
MOST_WORK = 200_000
"""Gates times moves up to which it is tried, which takes a second then."""


def foresight_for(plain: StepProgram) -> int:
    """What `Guide.foresight` may be in a game with this step; 0 where it is not to be tried."""
    network = plain.network
    moves = max((len(moves) for moves in network.moves), default=0)
    return GROWTH * plain.operations if moves <= MOST_MOVES and moves * len(network.gates) <= MOST_WORK else 0


def build_foreseeing(network: Network, plain: StepProgram) -> StepProgram | None:
    """The step program of such games; None where there is nothing to foresee, or it would take too much.

    Args:
        plain: the step of games in which nobody looks ahead.
    """
    most = foresight_for(plain)
    if not most:
        return None
    try:
        program = build_step(network, guide=Guide((), foresight=most))
    except NoOutlook:
        return None
    return program if program.operations <= COSTLIEST * plain.operations else None
