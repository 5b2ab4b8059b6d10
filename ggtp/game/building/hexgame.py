"""Hex as a game of turns: who connects, and the swap."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ggtp.game.building.turns import TurnGame
from ggtp.game.model import Move, Result, result_by_winner
from ggtp.game.picture import Cell, Grid, Note, Picture, letters

RED, BLUE = "Red", "Blue"
PLAYERS = (RED, BLUE)
SWAP = "swap"
EDGES = ("top to bottom", "left to right")
EMPTY_CELL = Cell("·", "empty", ascii=".")
STONES = (Cell("●", "first", ascii="R"), Cell("○", "second", ascii="B"))
LATEST = (Cell("●", "mark", ascii="R"), Cell("○", "mark", ascii="B"))


@dataclass(frozen=True, slots=True)
class HexState:
    """The stones of both players as bits, who is to move or -1, whether swapping is still possible, the last move."""

    stones: tuple[int, int]
    to_move: int
    swap: bool
    last: int = -1


class HexGame(TurnGame[HexState]):
    """A move is the number of its cell, row by row from a1 at the upper left; the next number is a swap.

    As bits, each row has one more that is never set, so that a shift can't run over the edge.
    """

    players = PLAYERS

    def __init__(self, size: int) -> None:
        self.size = size
        self.labels = tuple(label.lower() for label in letters(size))
        self.names = tuple(f"{label}{row}" for row in range(1, size + 1) for label in self.labels)
        width = self.width = size + 1
        self.bits = tuple(1 << row * width + column for row in range(size) for column in range(size))
        row, column = (1 << size) - 1, sum(1 << index * width for index in range(size))
        self.edges = ((row, row << (size - 1) * width), (column, column << size - 1))
        """The two edges that each player connects."""

    def connects(self, player: int, stones: int) -> bool:
        """Whether the player's stones join both edges."""
        width = self.width
        one, two = self.edges[player]
        reached = stones & one
        while reached and not reached & two:
            aside = reached << 1 | reached >> 1 | reached << width - 1 | reached >> width - 1
            grown = (reached | aside | reached << width | reached >> width) & stones
            if grown == reached:
                return False
            reached = grown
        return bool(reached)

    def to_move(self, state: HexState) -> int:
        return state.to_move

    def legal(self, state: HexState) -> Sequence[int]:
        if state.to_move < 0:
            return ()
        taken = state.stones[0] | state.stones[1]
        found = [cell for cell, bit in enumerate(self.bits) if not bit & taken]
        if self._may_swap(state):
            found.append(len(self.bits))
        return found

    def _may_swap(self, state: HexState) -> bool:
        return state.swap and state.to_move == 1

    def after(self, state: HexState, move: int) -> HexState:
        mover = state.to_move
        if move == len(self.bits):
            # The first stone becomes Blue's, mirrored so that it means to Blue what it meant to Red.
            row, column = divmod(state.last, self.size)
            cell = column * self.size + row
            return HexState((0, self.bits[cell]), 0, False, cell)
        own = state.stones[mover] | self.bits[move]
        stones = (own, state.stones[1]) if mover == 0 else (state.stones[0], own)
        won = self.connects(mover, own)
        return HexState(stones, -1 if won else 1 - mover, state.swap and mover == 0, move)

    def name(self, state: HexState, move: int) -> Move:
        return SWAP if move == len(self.bits) else self.names[move]

    def read(self, state: HexState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        return [SWAP] if SWAP in moves and text.casefold() in ("swap-pieces", "swap pieces", "swap-sides") else ()

    def hint(self, state: HexState, moves: Mapping[Move, int]) -> str:
        return "a move is an empty cell, as a1" + (", or swap" if SWAP in moves else "")

    def why_not(self, state: HexState, text: str) -> str:
        return f"there is a stone on {text.lower()}" if text.lower() in self.names else ""

    def result(self, state: HexState) -> Result | None:
        if state.to_move >= 0:
            return None
        winner = next(player for player in (0, 1) if self.connects(player, state.stones[player]))
        return result_by_winner(PLAYERS, PLAYERS[winner], f"{PLAYERS[winner]} is connected from {EDGES[winner]}")

    def key(self, state: HexState) -> Hashable:
        return (self.size, state.stones, state.to_move, self._may_swap(state), state.swap and not any(state.stones))

    def search_key(self, state: HexState) -> Hashable:
        return (state.stones, state.to_move, state.swap)

    def view(self, state: HexState) -> str:
        red, blue = state.stones
        marks = ["R" if bit & red else "B" if bit & blue else "." for bit in self.bits]
        rows = "/".join("".join(marks[start : start + self.size]) for start in range(0, len(marks), self.size))
        mover = "-" if state.to_move < 0 else PLAYERS[state.to_move]
        last = "-" if state.last < 0 else self.names[state.last]
        return f"{rows} {mover} {last}{' swap' if self._may_swap(state) else ''}"

    def picture(self, state: HexState) -> Picture:
        red, blue = state.stones
        cells = []
        for cell, bit in enumerate(self.bits):
            stones = LATEST if cell == state.last else STONES
            cells.append(stones[0] if bit & red else stones[1] if bit & blue else EMPTY_CELL)
        rows = tuple(tuple(cells[start : start + self.size]) for start in range(0, len(cells), self.size))
        labels = tuple(str(row) for row in range(1, self.size + 1))
        grid = Grid(rows, columns=self.labels, row_labels=labels, shape="hex")
        result = self.result(state)
        if result:
            return Picture((grid, Note(result.reason, "mark")))
        swap = ", or swap" if self._may_swap(state) else ""
        return Picture((grid, Note(f"{PLAYERS[state.to_move]} to move, {EDGES[state.to_move]}{swap}", "muted")))


@cache
def hex_of(size: int) -> HexGame:
    """The game on a board of that size, made once."""
    return HexGame(size)
