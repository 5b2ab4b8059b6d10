"""TicTacToe: three in a row on nine squares. The rule to copy when writing another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ggtp.game import EMPTY, Cell, Move, Picture, Player, Position, Rules
from ggtp.game.building.boards import SquareBoard, bits
from ggtp.game.building.symmetry import ALL, Symmetry, board_symmetries
from ggtp.game.building.turns import ENDED, TurnPosition, WinnerGame

PLAYERS = ("Cross", "Circle")
CELLS = {"X": Cell("X", "first"), "O": Cell("O", "second"), ".": EMPTY}
BOARD = SquareBoard(3, 3)
FULL = 2**BOARD.size - 1
WON = [any(stones & line == line for line in BOARD.line_masks(3)) for stones in range(FULL + 1)]
"""Whether there are three in a row among these stones."""
FREE = [tuple(bits(FULL ^ stones)) for stones in range(FULL + 1)]
"""The squares that are left by these stones."""

State: TypeAlias = tuple[int, int, int]
"""The stones of Cross and of Circle, with a bit for each square and A1 the lowest, and who is to move."""


class TicTacToeGame(WinnerGame[State]):
    """The rules as functions of a state. A move is the number of its square."""

    players = PLAYERS

    def to_move(self, state: State) -> int:
        return state[2]

    def legal(self, state: State) -> Sequence[int]:
        return FREE[state[0] | state[1]] if state[2] >= 0 else ()

    def after(self, state: State, move: int) -> State:
        cross, circle, to_move = state
        if to_move == 0:
            cross |= 1 << move
        else:
            circle |= 1 << move
        over = WON[cross] or WON[circle] or cross | circle == FULL
        return (cross, circle, ENDED if over else 1 - to_move)

    def winner(self, state: State) -> int:
        return 0 if WON[state[0]] else 1 if WON[state[1]] else -1

    def reason(self, state: State) -> str:
        return "the board is full" if self.winner(state) < 0 else "three in a row"

    def name(self, state: State, move: int) -> Move:
        return BOARD.names[move]

    def view(self, state: State) -> str:
        return f"{BOARD.text(BOARD.marks(state[:2], 'XO'))} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        return Picture((BOARD.grid([CELLS[mark] for mark in BOARD.marks(state[:2], "XO")]),))


class TicTacToe(Rules):
    """Players Cross and Circle, moves A1 to C3."""

    name = "TicTacToe"
    title = "three in a row on nine squares"
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return TurnPosition(TicTacToeGame(), (0, 0, PLAYERS.index(options["starting_player"])))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        return board_symmetries(BOARD.names, BOARD.columns, ALL)


RULES = TicTacToe()
