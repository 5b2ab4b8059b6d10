"""Othello as a game of turns: what a disc turns over, and who has to pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from ggtp.game.building.boards import SquareBoard, bits
from ggtp.game.building.turns import TurnGame
from ggtp.game.model import Move, Result, result_by_winner
from ggtp.game.picture import Cell, Note, Picture

BLACK, WHITE = "Black", "White"
PLAYERS = (BLACK, WHITE)
PASS = "pass"
DISCS = (Cell("●", "first", ascii="X"), Cell("○", "second", ascii="O"))
EMPTY_SQUARE, OPEN_SQUARE = Cell("·", "empty", ascii="."), Cell("*", "good")

State: TypeAlias = tuple[int, int, int]
"""The discs of Black and of White as bits, and the number of the player to move, or -1."""


class OthelloGame(TurnGame[State]):
    """A move is the number of its square, row by row from a1, which is at the upper left; the next is a pass."""

    players = PLAYERS

    def __init__(self, size: int) -> None:
        self.board = SquareBoard(size, size, lower=True)
        self.size = size
        self.squares = (1 << size * size) - 1
        column = sum(1 << row * size for row in range(size))
        inner_left, inner_right = self.squares ^ column, self.squares ^ column << size - 1
        self.ways: list[Callable[[int], int]] = []
        """The eight ways, each as what moves discs by one step."""
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down or right:
                    # A disc that comes in at the edge that it left by would have run around the board.
                    mask = {-1: inner_right, 0: self.squares, 1: inner_left}[right]
                    self.ways.append(_shift(down * size + right, mask))

    def start(self) -> State:
        """White on d4 and e5, Black on e4 and d5, of a board of eight."""
        middle = self.size // 2
        at = self.board.numbers
        low, high = self.board.labels[middle - 1], self.board.labels[middle]
        black = 1 << at[f"{high}{middle}"] | 1 << at[f"{low}{middle + 1}"]
        white = 1 << at[f"{low}{middle}"] | 1 << at[f"{high}{middle + 1}"]
        return (black, white, 0)

    def open_squares(self, own: int, other: int) -> int:
        """Where a disc would turn another over."""
        empty, found = self.squares & ~(own | other), 0
        for way in self.ways:
            line = way(own) & other
            for _ in range(self.size - 3):
                line |= way(line) & other
            found |= way(line) & empty
        return found

    def turned(self, own: int, other: int, disc: int) -> int:
        """What a disc turns over."""
        found = 0
        for way in self.ways:
            line, here = 0, way(disc)
            while here & other:
                line |= here
                here = way(here)
            if here & own:
                found |= line
        return found

    def to_move(self, state: State) -> int:
        return state[2]

    def legal(self, state: State) -> Sequence[int]:
        mover = state[2]
        if mover < 0:
            return ()
        return list(bits(self.open_squares(state[mover], state[1 - mover]))) or [self.size * self.size]

    def after(self, state: State, move: int) -> State:
        mover = state[2]
        own, other = state[mover], state[1 - mover]
        if move < self.size * self.size:
            disc = 1 << move
            turned = self.turned(own, other, disc)
            own, other = own | disc | turned, other ^ turned
            # Who can't move passes; if nobody can, the game is over.
            if not self.open_squares(other, own) and not self.open_squares(own, other):
                return (own, other, -1) if mover == 0 else (other, own, -1)
        return (own, other, 1) if mover == 0 else (other, own, 0)

    def name(self, state: State, move: int) -> Move:
        return PASS if move == self.size * self.size else self.board.names[move]

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        return "only pass is possible" if PASS in moves else f"possible are {' '.join(moves)}"

    def result(self, state: State) -> Result | None:
        if state[2] >= 0:
            return None
        black, white = state[0].bit_count(), state[1].bit_count()
        winner = None if black == white else BLACK if black > white else WHITE
        return result_by_winner(PLAYERS, winner, f"Black {black} discs, White {white}")

    def key(self, state: State) -> Hashable:
        return (self.size, state)

    def search_key(self, state: State) -> Hashable:
        return state

    def view(self, state: State) -> str:
        return f"{self.board.text(self.board.marks(state[:2], 'XO'))} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        cells = [{"X": DISCS[0], "O": DISCS[1], ".": EMPTY_SQUARE}[mark] for mark in self.board.marks(state[:2], "XO")]
        for move in self.legal(state):
            if move < len(cells):
                cells[move] = OPEN_SQUARE
        black, white = state[0].bit_count(), state[1].bit_count()
        mover = "the game is over" if state[2] < 0 else f"{PLAYERS[state[2]]} to move, * is where"
        note = Note(f"Black {black} discs, White {white}; {mover}", "muted")
        return Picture((self.board.grid(cells, downwards=True), note))


def _shift(by: int, mask: int) -> Callable[[int], int]:
    if by > 0:
        return lambda discs: discs << by & mask
    return lambda discs: discs >> -by & mask


@cache
def othello_of(size: int) -> OthelloGame:
    """The game on a board of that size, made once."""
    return OthelloGame(size)
