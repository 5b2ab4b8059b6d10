"""Gomoku as a game of turns: rows of five."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ggtp.game.building.boards import DIRECTIONS, SquareBoard
from ggtp.game.building.turns import TurnGame
from ggtp.game.model import Move, Result, result_by_winner
from ggtp.game.picture import Cell, Note, Picture

BLACK, WHITE = "Black", "White"
PLAYERS = (BLACK, WHITE)
IN_A_ROW = 5
EMPTY_POINT = Cell("·", "empty", ascii=".")
STONES = (Cell("●", "first", ascii="X"), Cell("○", "second", ascii="O"))
LATEST = (Cell("●", "mark", ascii="X"), Cell("○", "mark", ascii="O"))


@dataclass(frozen=True, slots=True)
class GomokuState:
    """The stones of both players as bits, who is to move, whether the other has just won, the last move."""

    stones: tuple[int, int]
    to_move: int
    won: bool = False
    last: int = -1


class GomokuGame(TurnGame[GomokuState]):
    """A move is the number of its point, row by row from A1 at the lower left."""

    players = PLAYERS

    def __init__(self, size: int, exactly: bool) -> None:
        self.board = SquareBoard(size, size)
        self.exactly = exactly
        self.full = (1 << size * size) - 1
        self._rays = tuple(
            tuple((self._ray(point, east, north), self._ray(point, -east, -north)) for east, north in DIRECTIONS)
            for point in range(size * size)
        )

    def _ray(self, point: int, east: int, north: int) -> tuple[int, ...]:
        steps = (self.board.step(point, east * far, north * far) for far in range(1, IN_A_ROW + 1))
        return tuple(1 << step for step in steps if step is not None)

    def wins(self, stones: int, point: int) -> bool:
        """Whether the stone on that point makes a row that wins."""
        for rays in self._rays[point]:
            length = 1
            for ray in rays:
                for bit in ray:
                    if not bit & stones:
                        break
                    length += 1
            if length == IN_A_ROW or (length > IN_A_ROW and not self.exactly):
                return True
        return False

    def to_move(self, state: GomokuState) -> int:
        return -1 if state.won or state.stones[0] | state.stones[1] == self.full else state.to_move

    def legal(self, state: GomokuState) -> Sequence[int]:
        taken = state.stones[0] | state.stones[1]
        return () if state.won else [point for point in range(self.board.size) if not taken >> point & 1]

    def after(self, state: GomokuState, move: int) -> GomokuState:
        mover = state.to_move
        own = state.stones[mover] | 1 << move
        stones = (own, state.stones[1]) if mover == 0 else (state.stones[0], own)
        return GomokuState(stones, 1 - mover, self.wins(own, move), move)

    def name(self, state: GomokuState, move: int) -> Move:
        return self.board.names[move]

    def hint(self, state: GomokuState, moves: Mapping[Move, int]) -> str:
        return "a move is an empty point, as H8"

    def why_not(self, state: GomokuState, text: str) -> str:
        return f"there is a stone on {text.upper()}" if text.upper() in self.board.names else ""

    def result(self, state: GomokuState) -> Result | None:
        if self.to_move(state) >= 0:
            return None
        winner = PLAYERS[1 - state.to_move] if state.won else None
        return result_by_winner(PLAYERS, winner, "five in a row" if state.won else "the board is full")

    def key(self, state: GomokuState) -> Hashable:
        return (self.board.columns, self.exactly, state.stones, state.to_move)

    def search_key(self, state: GomokuState) -> Hashable:
        return (state.stones, state.to_move)

    def view(self, state: GomokuState) -> str:
        black, white = state.stones
        marks = ["X" if black >> at & 1 else "O" if white >> at & 1 else "." for at in range(self.board.size)]
        mover = "-" if self.to_move(state) < 0 else PLAYERS[state.to_move]
        return f"{self.board.text(marks)} {mover} {'-' if state.last < 0 else self.board.names[state.last]}"

    def picture(self, state: GomokuState) -> Picture:
        black, white = state.stones
        cells = []
        for point in range(self.board.size):
            stones = LATEST if point == state.last else STONES
            cells.append(stones[0] if black >> point & 1 else stones[1] if white >> point & 1 else EMPTY_POINT)
        result = self.result(state)
        note = Note(result.reason, "mark") if result else Note(f"{PLAYERS[state.to_move]} to move", "muted")
        return Picture((self.board.grid(cells), note))


@cache
def gomoku_of(size: int, exactly: bool) -> GomokuGame:
    """The game on a board of that size, made once."""
    return GomokuGame(size, exactly)
