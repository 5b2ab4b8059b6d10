"""Breakthrough: two armies of pawns meet; the first to reach the far side wins."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache

from ggtp.errors import IllegalMove, MalformedMove
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
from ggtp.game.building.boards import SquareBoard, bits
from ggtp.game.building.symmetry import MIRROR, Symmetry, board_symmetries

WHITE, BLACK = "White", "Black"
PLAYERS = (WHITE, BLACK)
TURNS = tuple(single(player) for player in PLAYERS)
CELLS = {"W": Cell("○", "first", ascii="W"), "B": Cell("●", "second", ascii="B"), ".": EMPTY}
TYPED = re.compile(r"([a-z]\d{1,2})\s*[-x:]?\s*([a-z]\d{1,2})")


class Field:
    """A board of that size with a bit for each square, a1 the lowest; White goes up, Black down."""

    __slots__ = ("board", "homes", "left", "right", "size", "squares", "starts")

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
        # The row that wins, and the two rows where the pawns begin, for White and for Black.
        self.homes = (top, row)
        self.starts = (row | row << columns, top | top >> columns)

    def moves(self, own: int, other: int, player: int) -> list[int]:
        """Every move of a player, as its square of departure times `size` plus its square of arrival."""
        width, size = self.board.columns, self.size
        empty = self.squares ^ own ^ other
        found = []
        # A pawn goes one square forward, straight to an empty one or askew to one that is not its own.
        if player == 0:
            ways = (
                (width, (own << width) & empty),
                (width - 1, ((own & self.left) << width - 1) & ~own & self.squares),
                (width + 1, ((own & self.right) << width + 1) & ~own & self.squares),
            )
        else:
            ways = (
                (-width, (own >> width) & empty),
                (-width - 1, ((own & self.left) >> width + 1) & ~own),
                (1 - width, ((own & self.right) >> width - 1) & ~own),
            )
        for step, arrivals in ways:
            while arrivals:
                low = arrivals & -arrivals
                arrivals ^= low
                arrival = low.bit_length() - 1
                found.append((arrival - step) * size + arrival)
        found.sort()
        return found

    def won(self, own: int, other: int, player: int) -> bool:
        """Whether the player, who has just moved, has broken through or taken every pawn."""
        return not other or own & self.homes[player] != 0

    def text(self, move: int, other: int) -> Move:
        """The move's name, where `other` are the opponent's pawns: `a2-a3`, or `a2xb3` where it takes."""
        departure, arrival = divmod(move, self.size)
        names = self.board.names
        return f"{names[departure]}{'x' if other >> arrival & 1 else '-'}{names[arrival]}"

    def number(self, text: Move) -> int:
        """The integer of a name, or -1 where it names no two squares."""
        departure, _, arrival = text.partition("x" if "x" in text else "-")
        numbers = self.board.numbers
        if departure in numbers and arrival in numbers:
            return numbers[departure] * self.size + numbers[arrival]
        return -1


@cache
def field_of(columns: int, rows: int) -> Field:
    """The field of that size, made once."""
    return Field(columns, rows)


class BreakthroughPosition(Position, HasSearcher):
    """The pawns of both players, and whose turn it is."""

    __slots__ = ("_field", "_moves", "_pawns", "_to_move", "_won")

    def __init__(self, field: Field, pawns: tuple[int, int], to_move: int) -> None:
        self._field = field
        self._pawns = pawns
        self._to_move = to_move
        self._won = field.won(pawns[1 - to_move], pawns[to_move], 1 - to_move)
        self._moves: dict[Move, int] | None = None

    def _listed(self) -> dict[Move, int]:
        """The moves of the player to move: what is asked for often is found once."""
        if self._moves is None:
            own, other = self._pawns[self._to_move], self._pawns[1 - self._to_move]
            numbers = () if self._won else self._field.moves(own, other, self._to_move)
            self._moves = {self._field.text(number, other): number for number in numbers}
        return self._moves

    def turn(self) -> Turn:
        return OVER if self._won else TURNS[self._to_move]

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._listed()) if player == PLAYERS[self._to_move] else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        number = self._listed().get(move) if player == PLAYERS[self._to_move] else None
        if number is None:
            raise IllegalMove(f"No move named {move} for player {player}.")
        departure, arrival = divmod(number, self._field.size)
        own = self._pawns[self._to_move] ^ (1 << departure | 1 << arrival)
        other = self._pawns[1 - self._to_move] & ~(1 << arrival)
        pawns = (own, other) if self._to_move == 0 else (other, own)
        return Verdict(BreakthroughPosition(self._field, pawns, 1 - self._to_move), ((player, move),))

    def parse(self, player: Player, text: str) -> Move:
        """`a2-b3`, `a2b3`, `A2 B3` and `a2xb3` all mean the pawn on a2 that goes to b3."""
        moves = self.moves(player)
        if text in moves:
            return text
        if not moves:
            raise IllegalMove(f"It is not {player}'s turn.")
        typed = TYPED.fullmatch(text.strip().casefold())
        if not typed:
            raise MalformedMove(f"{text} is no move: write the two squares, as in {moves[0]}.")
        for move in ("{}-{}".format(*typed.groups()), "{}x{}".format(*typed.groups())):
            if move in moves:
                return move
        raise IllegalMove(f"No move named {text} for player {player}.")

    def result(self) -> Result | None:
        if not self._won:
            return None
        reason = "the far side is reached" if self._pawns[self._to_move] else "every pawn is taken"
        return result_by_winner(PLAYERS, PLAYERS[1 - self._to_move], reason)

    def _marks(self) -> list[str]:
        marks = ["."] * self._field.size
        for mark, pawns in zip("WB", self._pawns, strict=True):
            for square in bits(pawns):
                marks[square] = mark
        return marks

    def view(self, player: Player | None) -> str:
        return f"{self._field.board.text(self._marks())} {'-' if self._won else PLAYERS[self._to_move]}"

    def key(self) -> Hashable:
        return (self._field.board.columns, self._field.board.rows, self._pawns, self._to_move)

    def picture(self, player: Player | None) -> Picture:
        return Picture((self._field.board.grid([CELLS[mark] for mark in self._marks()], chequered=True),))

    def searcher(self) -> Searcher:
        return BreakthroughSearcher(self._field, self._pawns, self._to_move)


class BreakthroughSearcher:
    """The pawns of both players as bits; a move is as in `Field.moves`."""

    __slots__ = ("_field", "_history", "_pawns", "_to_move", "_won")

    def __init__(self, field: Field, pawns: tuple[int, int], to_move: int) -> None:
        self._field = field
        self._pawns = list(pawns)
        self._to_move = to_move
        self._won = field.won(pawns[1 - to_move], pawns[to_move], 1 - to_move)
        self._history: list[tuple[int, int]] = []

    def to_move(self) -> int:
        return -1 if self._won else self._to_move

    def legal(self) -> Sequence[int]:
        if self._won:
            return ()
        return self._field.moves(self._pawns[self._to_move], self._pawns[1 - self._to_move], self._to_move)

    def play(self, move: int) -> None:
        mover, pawns = self._to_move, self._pawns
        self._history.append((pawns[0], pawns[1]))
        departure, arrival = divmod(move, self._field.size)
        pawns[mover] ^= 1 << departure | 1 << arrival
        pawns[1 - mover] &= ~(1 << arrival)
        self._won = self._field.won(pawns[mover], pawns[1 - mover], mover)
        self._to_move = 1 - mover

    def undo(self) -> None:
        self._pawns[:] = self._history.pop()
        self._to_move = 1 - self._to_move
        self._won = False

    def scores(self) -> Sequence[float]:
        return (0.0, 100.0) if self._to_move == 0 else (100.0, 0.0)

    def key(self) -> Hashable:
        return (self._pawns[0], self._pawns[1], self._to_move)

    def text(self, move: int) -> Move:
        return self._field.text(move, self._pawns[1 - self._to_move])

    def number(self, move: Move) -> int:
        return self._field.number(move)


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
        field = field_of(int(options["columns"]), int(options["rows"]))
        return BreakthroughPosition(field, field.starts, 0)

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        board = field_of(int(options["columns"]), int(options["rows"])).board
        return board_symmetries(board.names, board.columns, (MIRROR,))


RULES = Breakthrough()
