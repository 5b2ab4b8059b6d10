"""Gomoku: five in a row on a large board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggtp.game import Option, Player, Position, Rules, number
from ggtp.game.building.gomokugame import PLAYERS, GomokuState, gomoku_of
from ggtp.game.building.symmetry import ALL, Symmetry, board_symmetries
from ggtp.game.building.turns import TurnPosition


class Gomoku(Rules):
    """Players Black and White; a move is a point, `H8`."""

    name = "Gomoku"
    title = "five in a row on a large board"
    own_options = (
        number("size", 15, 5, 19, "how many lines the board has each way"),
        Option("rows", "five_or_more", "which rows win", choices=("five_or_more", "exactly_five")),
    )
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        game = gomoku_of(int(options["size"]), options["rows"] == "exactly_five")
        return TurnPosition(game, GomokuState((0, 0), PLAYERS.index(options["starting_player"])))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        board = gomoku_of(int(options["size"]), options["rows"] == "exactly_five").board
        return board_symmetries(board.names, board.columns, ALL)


RULES = Gomoku()
