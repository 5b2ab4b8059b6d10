"""ConnectFour: discs fall into the columns of an upright board; four in a row win."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache

from ggtp.errors import IllegalMove
from ggtp.game import (
    EMPTY,
    OVER,
    Cell,
    Move,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Searcher,
    Turn,
    Verdict,
    number,
    result_by_winner,
    single,
)
from ggtp.game.advice import HasSearcher
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.symmetry import MIRROR, Symmetry, board_symmetries

YELLOW, RED = "Yellow", "Red"
PLAYERS = (YELLOW, RED)
TURNS = tuple(single(player) for player in PLAYERS)
CELLS = {"Y": Cell("Y", "first"), "R": Cell("R", "second"), ".": EMPTY}
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven")


class Frame:
    """The upright board, with a bit for each place.

    Each column has one bit more than it has places: it is never set, so that a line cannot
    run over the top of one column into the next.
    """

    __slots__ = ("board", "bottoms", "connect", "fills", "full", "labels", "numbers", "shifts", "tops")

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        tall = rows + 1
        self.connect = connect
        self.board = SquareBoard(columns, rows)
        self.labels = self.board.labels
        self.numbers = {label: column for column, label in enumerate(self.labels)}
        # For each column: its lowest place, its highest, and all of them.
        self.bottoms = tuple(1 << column * tall for column in range(columns))
        self.tops = tuple(bottom << rows - 1 for bottom in self.bottoms)
        self.fills = tuple(bottom * ((1 << rows) - 1) for bottom in self.bottoms)
        self.full = sum(self.fills)
        doublings: list[int] = []
        while (have := 1 + sum(doublings)) < connect:
            doublings.append(min(have, connect - have))
        # For each direction: the shifts that, one after the other, leave a bit only where a line begins.
        self.shifts = tuple(tuple(step * way for step in doublings) for way in (1, tall, tall - 1, tall + 1))

    @property
    def shape(self) -> tuple[int, int, int]:
        """What makes this frame differ from others."""
        return (self.board.columns, self.board.rows, self.connect)

    def open_columns(self, discs: int) -> list[int]:
        """The columns that are not full, where `discs` are all the discs."""
        return [column for column, top in enumerate(self.tops) if not discs & top]

    def drop(self, discs: int, column: int) -> int:
        """The bit of the place where a disc comes to lie."""
        return (discs + self.bottoms[column]) & self.fills[column]

    def connected(self, discs: int) -> bool:
        """Whether there is a line of one player's discs."""
        for shifts in self.shifts:
            starts = discs
            for shift in shifts:
                starts &= starts >> shift
            if starts:
                return True
        return False

    def marks(self, discs: Sequence[int]) -> str:
        """`Y`, `R` or `.` for each place, row by row from the lowest."""
        columns, rows = self.board.columns, self.board.rows
        places = [1 << column * (rows + 1) + row for row in range(rows) for column in range(columns)]
        return "".join("Y" if discs[0] & place else "R" if discs[1] & place else "." for place in places)


@cache
def frame_of(columns: int, rows: int, connect: int) -> Frame:
    """The frame of that size, made once."""
    return Frame(columns, rows, connect)


class ConnectFourPosition(Position, HasSearcher):
    """The discs of both players, and whose turn it is."""

    __slots__ = ("_discs", "_frame", "_over", "_to_move", "_won")

    def __init__(self, frame: Frame, discs: tuple[int, int], to_move: int, won: bool = False) -> None:
        self._frame = frame
        self._discs = discs
        self._to_move = to_move
        self._won = won
        self._over = won or discs[0] | discs[1] == frame.full

    def turn(self) -> Turn:
        return OVER if self._over else TURNS[self._to_move]

    def moves(self, player: Player) -> Sequence[Move]:
        if self._over or player != PLAYERS[self._to_move]:
            return ()
        return [self._frame.labels[column] for column in self._frame.open_columns(self._discs[0] | self._discs[1])]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        frame, discs = self._frame, self._discs
        column = frame.numbers.get(move, -1)
        taken = discs[0] | discs[1]
        if self._over or player != PLAYERS[self._to_move] or column < 0 or taken & frame.tops[column]:
            raise IllegalMove(f"No move named {move} for player {player}.")
        own = discs[self._to_move] | frame.drop(taken, column)
        after = (own, discs[1]) if self._to_move == 0 else (discs[0], own)
        return Verdict(ConnectFourPosition(frame, after, 1 - self._to_move, frame.connected(own)), ((player, move),))

    def result(self) -> Result | None:
        if not self._over:
            return None
        # The player who has just moved is the one who has connected.
        winner = PLAYERS[1 - self._to_move] if self._won else None
        reason = f"{COUNTS[self._frame.connect]} in a row" if self._won else "the board is full"
        return result_by_winner(PLAYERS, winner, reason)

    def view(self, player: Player | None) -> str:
        turn = "-" if self._over else PLAYERS[self._to_move]
        return f"{self._frame.board.text(self._frame.marks(self._discs))} {turn}"

    def key(self) -> Hashable:
        return (self._frame.shape, self._discs, self._to_move)

    def picture(self, player: Player | None) -> Picture:
        return Picture((self._frame.board.grid([CELLS[mark] for mark in self._frame.marks(self._discs)]),))

    def searcher(self) -> Searcher:
        return ConnectFourSearcher(self._frame, self._discs, self._to_move, self._won)


class ConnectFourSearcher:
    """The discs of both players as bits; a move is the number of its column."""

    __slots__ = ("_discs", "_frame", "_history", "_taken", "_to_move", "_won")

    def __init__(self, frame: Frame, discs: tuple[int, int], to_move: int, won: bool) -> None:
        self._frame = frame
        self._discs = list(discs)
        self._taken = discs[0] | discs[1]
        self._to_move = to_move
        self._won = won
        self._history: list[int] = []

    def to_move(self) -> int:
        return -1 if self._won or self._taken == self._frame.full else self._to_move

    def legal(self) -> Sequence[int]:
        return () if self._won else self._frame.open_columns(self._taken)

    def play(self, move: int) -> None:
        place = self._frame.drop(self._taken, move)
        self._taken |= place
        self._discs[self._to_move] |= place
        self._won = self._frame.connected(self._discs[self._to_move])
        self._history.append(place)
        self._to_move = 1 - self._to_move

    def undo(self) -> None:
        place = self._history.pop()
        self._to_move = 1 - self._to_move
        self._discs[self._to_move] ^= place
        self._taken ^= place
        self._won = False

    def scores(self) -> Sequence[float]:
        if not self._won:
            return (50.0, 50.0)
        return (0.0, 100.0) if self._to_move == 0 else (100.0, 0.0)

    def key(self) -> Hashable:
        return (self._discs[0], self._discs[1], self._to_move)

    def text(self, move: int) -> Move:
        return self._frame.labels[move]

    def number(self, move: Move) -> int:
        return self._frame.numbers[move]


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
        frame = frame_of(int(options["columns"]), int(options["rows"]), int(options["connect"]))
        return ConnectFourPosition(frame, (0, 0), PLAYERS.index(options["starting_player"]))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        labels = SquareBoard(int(options["columns"]), 1).labels
        return board_symmetries(labels, len(labels), (MIRROR,))


RULES = ConnectFour()
