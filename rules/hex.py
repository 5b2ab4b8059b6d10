"""Hex: connect your two edges before the other connects the other two; there is no draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggtp.game import Player, Position, Rules, number, switch
from ggtp.game.building.hexgame import PLAYERS, HexState, hex_of
from ggtp.game.building.symmetry import HALF_TURN, Symmetry, board_symmetries
from ggtp.game.building.turns import TurnPosition


class Hex(Rules):
    """Players Red, from top to bottom, and Blue, from left to right; a move is a cell, `f6`, or `swap`."""

    name = "Hex"
    title = "connect your two edges of a board of hexagons"
    own_options = (
        number("size", 11, 2, 19, "how many cells the board has each way"),
        switch("swap", True, "whether Blue may take Red's first stone over"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return TurnPosition(hex_of(int(options["size"])), HexState((0, 0), 0, options["swap"] == "on"))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        return board_symmetries(hex_of(int(options["size"])).names, int(options["size"]), (HALF_TURN,))


RULES = Hex()
