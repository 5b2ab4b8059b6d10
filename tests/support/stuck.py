"""A rule in Python whose result never comes once the middle of the board is taken; engines play it none the less."""

from __future__ import annotations

from pathlib import Path

STUCK = """
import sys

from ggtp.game.building.turns import TurnPosition
from ggtp.rules.tictactoe import TicTacToe, TicTacToeGame

ENGINE = "engines" in sys.argv[0]


class StuckPosition(TurnPosition):
    def result(self):
        while not ENGINE and (self.state[0] | self.state[1]) & 16:
            pass
        return super().result()


class Stuck(TicTacToe):
    name = "Stuck"
    first_player_open = False

    def begin(self, options):
        return StuckPosition(TicTacToeGame(), (0, 0, 0))


RULES = Stuck()
"""


def stuck_rule(folder: Path) -> Path:
    """Write the rule to a file there; gives its path."""
    path = folder / "stuck.py"
    path.write_text(STUCK, "utf-8")
    return path
