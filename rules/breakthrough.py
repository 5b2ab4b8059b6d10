"""Breakthrough: two armies of pawns meet; the first to reach the far side wins."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from ggtp.game import EMPTY, Cell, Move, Picture, Player, Position, Rules, number
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.symmetry import MIRROR, Symmetry, board_symmetries
from ggtp.game.building.turns import ENDED, TurnPosition, WinnerGame

PLAYERS = ("White", "Black")
CELLS = {"W": Cell("○", "first", ascii="W"), "B": Cell("●", "second", ascii="B"), ".": EMPTY}
TYPED = re.compile(r"([a-z]\d{1,2})\s*[-x:]?\s*([a-z]\d{1,2})")

State: TypeAlias = tuple[int, int, int]
"""The pawns of White and of Black with a bit for each square, a1 the lowest, and who is to move."""


class BreakthroughGame(WinnerGame[State]):
    """White goes up, Black down. A move is its square of departure times `size` plus its square of arrival."""

    players = PLAYERS

    def __init__(self, columns: int, rows: int) -> None:
        self.board = SquareBoard(columns, rows, lower=True)
        self.size = columns * rows
        self.squares = 2**self.size - 1
        row = 2**columns - 1
        first = sum(1 << index * columns for index in range(rows))
        # Pawns on the outermost columns cannot go further out.
        self.left = self.squares ^ first
        self.right = self.squares ^ first << columns - 1
        top = row << self.size - columns
        # The row that wins, for White and for Black.
        self.homes = (top, row)
        self.start: State = (row | row << columns, top | top >> columns, 0)

    def to_move(self, state: State) -> int:
        return state[2]

    def legal(self, state: State) -> Sequence[int]:
        white, black, to_move = state
        if to_move < 0:
            return ()
        width, size = self.board.columns, self.size
        empty = self.squares ^ white ^ black
        found = []
        # A pawn goes one square forward, straight to an empty one or diagonally to one that is not its own.
        if to_move == 0:
            ways = (
                (width, (white << width) & empty),
                (width - 1, ((white & self.left) << width - 1) & ~white & self.squares),
                (width + 1, ((white & self.right) << width + 1) & ~white & self.squares),
            )
        else:
            ways = (
                (-width, (black >> width) & empty),
                (-width - 1, ((black & self.left) >> width + 1) & ~black),
                (1 - width, ((black & self.right) >> width - 1) & ~black),
            )
        for step, arrivals in ways:
            while arrivals:
                low = arrivals & -arrivals
                arrivals ^= low
                arrival = low.bit_length() - 1
                found.append((arrival - step) * size + arrival)
        found.sort()
        return found

    def after(self, state: State, move: int) -> State:
        white, black, to_move = state
        departure, arrival = divmod(move, self.size)
        there = 1 << arrival
        if to_move == 0:
            black &= ~there
            over = not black or there & self.homes[0]
            return (white ^ (1 << departure | there), black, ENDED if over else 1)
        white &= ~there
        over = not white or there & self.homes[1]
        return (white, black ^ (1 << departure | there), ENDED if over else 0)

    def winner(self, state: State) -> int:
        return 0 if not state[1] or state[0] & self.homes[0] else 1

    def reason(self, state: State) -> str:
        return "the far side is reached" if state[0] and state[1] else "every pawn is taken"

    def name(self, state: State, move: int) -> Move:
        """`a2-a3`, or `a2xb3` for a capture."""
        departure, arrival = divmod(move, self.size)
        names, other = self.board.names, state[1 - state[2]]
        return f"{names[departure]}{'x' if other >> arrival & 1 else '-'}{names[arrival]}"

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """`a2-b3`, `a2b3`, `A2 B3` and `a2xb3` all mean the pawn on a2 that goes to b3."""
        typed = TYPED.fullmatch(text.casefold())
        return [name for name in (f"{typed[1]}-{typed[2]}", f"{typed[1]}x{typed[2]}") if name in moves] if typed else ()

    def why_not(self, state: State, text: str) -> str:
        typed = TYPED.fullmatch(text.casefold())
        return f"no pawn of {self.mover(state)} can go from {typed[1]} to {typed[2]}" if typed else ""

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        return f"write the two squares, as in {next(iter(moves))}"

    def key(self, state: State) -> Hashable:
        return (self.board.columns, self.board.rows, state)

    def search_key(self, state: State) -> Hashable:
        return state

    def view(self, state: State) -> str:
        return f"{self.board.text(self.board.marks(state[:2], 'WB'))} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        return Picture((self.board.grid([CELLS[mark] for mark in self.board.marks(state[:2], "WB")], chequered=True),))


@cache
def game_of(columns: int, rows: int) -> BreakthroughGame:
    """The game on a board of that size, made once."""
    return BreakthroughGame(columns, rows)


class Breakthrough(Rules):
    """Players White, who begins, and Black; moves as `a2-a3`, captures as `a2xb3`."""

    name = "Breakthrough"
    title = "pawns race to the far side and take askew"
    own_options = (
        number("columns", 8, 3, 12, "how wide the board is"),
        number("rows", 8, 4, 12, "how long the way is"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        game = game_of(int(options["columns"]), int(options["rows"]))
        return TurnPosition(game, game.start)

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        board = game_of(int(options["columns"]), int(options["rows"])).board
        return board_symmetries(board.names, board.columns, (MIRROR,))


RULES = Breakthrough()
