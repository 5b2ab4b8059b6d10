"""ConnectFour: discs fall into the columns of an upright board; four in a row win."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from ggtp.game import EMPTY, Cell, Move, Picture, Player, Position, Rules, number
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.symmetry import MIRROR, Symmetry, board_symmetries
from ggtp.game.building.turns import ENDED, TurnPosition, WinnerGame

PLAYERS = ("Yellow", "Red")
CELLS = {"Y": Cell("Y", "first"), "R": Cell("R", "second"), ".": EMPTY}
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven")

State: TypeAlias = tuple[int, int, int]
"""The discs of Yellow and of Red as bits, and who is to move."""


class ConnectFourGame(WinnerGame[State]):
    """An upright board with a bit for each place. A move is the number of its column.

    Each column has one bit more than it has places: it is never set, so that a line cannot
    run over the top of one column into the next.
    """

    players = PLAYERS

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        tall = rows + 1
        self.connect = connect
        self.board = SquareBoard(columns, rows)
        # For each column: its lowest place, its highest, and all of them.
        self.bottoms = tuple(1 << column * tall for column in range(columns))
        self.tops = tuple(bottom << rows - 1 for bottom in self.bottoms)
        self.fills = tuple(bottom * ((1 << rows) - 1) for bottom in self.bottoms)
        self.top = sum(self.tops)
        self.open_columns: dict[int, tuple[int, ...]] = {}
        """The columns that are not full, by the discs in the highest places."""
        doublings: list[int] = []
        while (have := 1 + sum(doublings)) < connect:
            doublings.append(min(have, connect - have))
        # For each direction: the shifts that, one after the other, leave a bit only where a line begins.
        self.shifts = tuple(tuple(step * way for step in doublings) for way in (1, tall, tall - 1, tall + 1))

    def to_move(self, state: State) -> int:
        return state[2]

    def legal(self, state: State) -> Sequence[int]:
        if state[2] < 0:
            return ()
        highest = (state[0] | state[1]) & self.top
        found = self.open_columns.get(highest)
        if found is None:
            found = tuple(column for column, top in enumerate(self.tops) if not highest & top)
            self.open_columns[highest] = found
        return found

    def after(self, state: State, move: int) -> State:
        yellow, red, to_move = state
        taken = yellow | red
        place = (taken + self.bottoms[move]) & self.fills[move]
        if to_move == 0:
            yellow |= place
            over = self.connected(yellow)
        else:
            red |= place
            over = self.connected(red)
        return (yellow, red, ENDED if over or not self.top & ~(taken | place) else 1 - to_move)

    def connected(self, discs: int) -> bool:
        """Whether there is a line of one player's discs."""
        for shifts in self.shifts:
            starts = discs
            for shift in shifts:
                starts &= starts >> shift
            if starts:
                return True
        return False

    def winner(self, state: State) -> int:
        return 0 if self.connected(state[0]) else 1 if self.connected(state[1]) else -1

    def reason(self, state: State) -> str:
        return "the board is full" if self.winner(state) < 0 else f"{COUNTS[self.connect]} in a row"

    def name(self, state: State, move: int) -> Move:
        return self.board.labels[move]

    def key(self, state: State) -> Hashable:
        return (self.board.columns, self.board.rows, self.connect, state)

    def search_key(self, state: State) -> Hashable:
        return state

    def marks(self, state: State) -> str:
        """`Y`, `R` or `.` for each place, row by row from the lowest."""
        columns, rows = self.board.columns, self.board.rows
        places = [1 << column * (rows + 1) + row for row in range(rows) for column in range(columns)]
        return "".join("Y" if state[0] & place else "R" if state[1] & place else "." for place in places)

    def view(self, state: State) -> str:
        return f"{self.board.text(self.marks(state))} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        return Picture((self.board.grid([CELLS[mark] for mark in self.marks(state)]),))


@cache
def game_of(columns: int, rows: int, connect: int) -> ConnectFourGame:
    """The game on a board of that size, made once."""
    return ConnectFourGame(columns, rows, connect)


class ConnectFour(Rules):
    """Players Yellow and Red; a move is the letter of the column that the disc falls into."""

    name = "ConnectFour"
    title = "four in a row in a board that stands upright"
    own_options = (
        number("columns", 7, 4, 12, "how wide the board is"),
        number("rows", 6, 4, 12, "how high the board is"),
        number("connect", 4, 3, 7, "how many in a row win"),
    )
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        game = game_of(int(options["columns"]), int(options["rows"]), int(options["connect"]))
        return TurnPosition(game, (0, 0, PLAYERS.index(options["starting_player"])))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        labels = SquareBoard(int(options["columns"]), 1).labels
        return board_symmetries(labels, len(labels), (MIRROR,))


RULES = ConnectFour()
