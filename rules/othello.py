"""Othello: discs between two of the other colour change sides; who has more in the end wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggtp.game import Option, Player, Position, Rules
from ggtp.game.building.othellogame import PLAYERS, othello_of
from ggtp.game.building.symmetry import DIAGONALS, HALF_TURN, Symmetry, board_symmetries
from ggtp.game.building.turns import TurnPosition


class Othello(Rules):
    """Players Black, who begins, and White; a move is a square, `d3`, or `pass` where none is open."""

    name = "Othello"
    title = "discs between two of the other colour change sides"
    own_options = (Option("size", "8", "how many squares the board has each way", choices=("4", "6", "8", "10", "12")),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        game = othello_of(int(options["size"]))
        return TurnPosition(game, game.start())

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        board = othello_of(int(options["size"])).board
        return board_symmetries(board.names, board.columns, (HALF_TURN, DIAGONALS))


RULES = Othello()
