"""Kriegspiel: chess in which each player sees its own men only, with an umpire."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.errors import OptionError
from ggtp.game import Observation, Option, Player, Position, Rules, Seen, Traits, number, switch
from ggtp.game.advice import Imagines
from ggtp.game.building.chessboard import START, ChessBoard

from .knowledge import Knowledge, Words, read_move
from .position import PLAYERS, WHITE, KriegspielPosition, Umpire, imagined


class Kriegspiel(Rules, Imagines):
    """Players White and Black; tries as `e2e4`, `e1g1`, `e7e8q`; `e4`, `Nf3`, `dxe5` and `O-O` are understood."""

    name = "Kriegspiel"
    title = "chess without seeing the opponent's men"
    traits = Traits(hidden=True)
    own_options = (
        Option("fen", START, "the position to begin from, which both know, in Forsyth-Edwards notation"),
        switch("pawn_tries", True, "whether the umpire says in how many ways pawns can take"),
        switch("kinds", True, "whether the umpire says if a pawn was taken or a piece"),
        Option("quiet_moves", "50", "how many moves of each side without progress draw", choices=("50", "75")),
        Option("repetitions", "3", "how often a position may be there before the game is drawn", choices=("3", "5")),
        number("max_moves", 200, 1, 2000, "after how many moves of each side the game is drawn"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option; a position is written as we would write it."""
        options = super().complete(values)
        try:
            options["fen"] = ChessBoard.read(options["fen"]).fen()
        except ValueError as error:
            raise OptionError(f"No position for option fen: {error}.") from None
        return options

    def _start(self, options: Mapping[str, str]) -> tuple[Umpire, ChessBoard, tuple[Knowledge, Knowledge]]:
        board = ChessBoard.read(options["fen"])
        umpire = Umpire(
            options["pawn_tries"] == "on",
            options["kinds"] == "on",
            int(options["quiet_moves"]),
            int(options["repetitions"]),
            int(options["max_moves"]) + board.number - 1,
        )
        white = "".join(piece if piece.isupper() else "." for piece in board.squares)
        black = "".join(piece if piece.islower() else "." for piece in board.squares)
        ply = 2 * board.number - (2 if board.white else 1)
        known = (
            Knowledge(True, white, black, "".join(filter(str.isupper, board.rights)), board.white, ply=ply),
            Knowledge(False, black, white, "".join(filter(str.islower, board.rights)), board.white, ply=ply),
        )
        return umpire, board, known

    def begin(self, options: Mapping[str, str]) -> Position:
        umpire, board, known = self._start(options)
        return KriegspielPosition(umpire, board, (board.repeats(),), known)

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """A full position, made from what the player knows after all that."""
        umpire, _, start = self._start(self.complete(values))
        known = start[PLAYERS.index(player)]
        for observation in seen:
            if isinstance(observation, Seen):
                move, _, said = observation.text.partition(" ")
                words = Words.read(observation.actor == WHITE, said, umpire.tries)
                known = known.told(words, None if move == "?" else read_move(move))
            else:
                known = known.refused(read_move(observation.move))
        return imagined(umpire, known, rng)


RULES = Kriegspiel()
