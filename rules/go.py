"""Go: surround more of the board than the other; sizes, komi, handicap, kinds of ko and of counting."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ggtp.errors import OptionError
from ggtp.game import Option, Player, Position, Rules, number, switch
from ggtp.game.building.goboard import go_board
from ggtp.game.building.gogame import FULL_HANDICAP, PLAYERS, SUPERKO, GoGame, GoState
from ggtp.game.building.symmetry import ALL, Symmetry, board_symmetries
from ggtp.game.building.turns import TurnPosition
from ggtp.game.notation import format_score


class Go(Rules):
    """Players Black, who begins unless there is a handicap, and White; a move is a point, `D4`, or `pass`."""

    name = "Go"
    title = "surround more of the board than the other"
    own_options = (
        number("size", 19, 2, 19, "how many lines the board has each way"),
        Option("komi", "7.5", "the points that White has for moving second, in halves"),
        Option("ko", "positional", "which boards may not come back: the last, any, any with the same mover", SUPERKO),
        Option(
            "scoring", "area", "what counts: stones and territory, or territory and prisoners", ("area", "territory")
        ),
        switch("suicide", False, "whether several stones may take their own last liberty"),
        number(
            "max_moves", 0, 0, 2000, "after how many moves the game is counted; 0 for two for each point and 20 more"
        ),
        Option("handicap", "0", "how many stones Black has on the board at the start", ("0",)),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def options(self, values: Mapping[str, str] | None = None) -> tuple[Option, ...]:
        """How many handicap stones there can be depends on the size."""
        *others, handicap = self.own_options
        size = others[0].canonical((values or {}).get("size", others[0].default))
        most = min(FULL_HANDICAP, len(go_board(int(size)).stars()))
        return (*others, replace(handicap, choices=("0", *map(str, range(2, most + 1)))))

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option; the komi is written as we would write it."""
        options = super().complete(values)
        if not re.fullmatch(r"[+-]?[0-9]{1,3}(\.[05])?", options["komi"]):
            raise OptionError(f"No value {options['komi']} for option komi: it takes a number in halves, as 6.5.")
        options["komi"] = format_score(Fraction(options["komi"]))
        return options

    def begin(self, options: Mapping[str, str]) -> Position:
        board, handicap = go_board(int(options["size"])), int(options["handicap"])
        game = GoGame(
            board,
            Fraction(options["komi"]),
            options["ko"],
            options["scoring"] == "territory",
            options["suicide"] == "on",
            int(options["max_moves"]) or 2 * board.size**2 + 20,
        )
        stones, to_move = (board.handicap(handicap), 0), 1 if handicap else 0
        situation = stones if game.ko != "situational" else (*stones, to_move)
        return TurnPosition(game, GoState(stones, to_move, frozenset((situation,)), peak=handicap))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        board = go_board(int(options["size"]))
        return board_symmetries(board.names, board.size, ALL) if options["handicap"] == "0" else ()


RULES = Go()
