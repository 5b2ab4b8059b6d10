"""Domineering, a rule of two modules, as you may write one: `set_rule examples/domineering`.

Vertical and Horizontal put dominoes on a square board, each in one direction only. A player who can't move has lost.
The modules of a rule import each other by relative names, so that the folder works wherever it lies.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from ggtp.game import Move, Picture, Player, Position, Rules, number
from ggtp.game.building.turns import ENDED, TurnPosition, WinnerGame

from .board import Board, board_of

PLAYERS = ("Vertical", "Horizontal")

State: TypeAlias = tuple[tuple[int, int], int, int]
"""The squares that each player's dominoes cover, as bits; the player to move or `ENDED`; and who has moved last."""


class DomineeringGame(WinnerGame[State]):
    """The rules as functions of a state. A move is the number of the square that names the domino."""

    players = PLAYERS

    def __init__(self, board: Board) -> None:
        self.board = board

    def to_move(self, state: State) -> int:
        return state[1]

    def legal(self, state: State) -> Sequence[int]:
        covered, mover, _ = state
        return () if mover == ENDED else self.board.fitting(mover, covered[0] | covered[1])

    def after(self, state: State, move: int) -> State:
        (upright, flat), mover, _ = state
        domino = self.board.mask(mover, move)
        covered = (upright | domino, flat) if mover == 0 else (upright, flat | domino)
        goes_on = self.board.fitting(1 - mover, covered[0] | covered[1])
        return (covered, 1 - mover if goes_on else ENDED, mover)

    def winner(self, state: State) -> int:
        return state[2]

    def reason(self, state: State) -> str:
        return f"{PLAYERS[1 - self.winner(state)]} cannot move"

    def name(self, state: State, move: int) -> Move:
        return self.board.squares.names[move]

    def key(self, state: State) -> Hashable:
        return (self.board.squares.columns, state)

    def view(self, state: State) -> str:
        return f"{self.board.squares.text(self.board.marks(state[0]))} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        return Picture((self.board.grid(state[0]),))


class Domineering(Rules):
    """Players Vertical and Horizontal; a move is the lower or the left square of a domino."""

    name = "Domineering"
    title = "dominoes upright against dominoes across"
    own_options = (number("size", 6, 2, 12, "how many squares the board has on each side"),)
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        first = PLAYERS.index(options["starting_player"])
        return TurnPosition(DomineeringGame(board_of(int(options["size"]))), ((0, 0), first, 1 - first))


RULES = Domineering()
