"""TicTacToe: three in a row on nine squares. The rule to copy when writing another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

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
    result_by_winner,
    single,
)
from ggtp.game.advice import HasSearcher
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.symmetry import ALL, Symmetry, board_symmetries

CROSS, CIRCLE = "Cross", "Circle"
PLAYERS = (CROSS, CIRCLE)
OTHER = {CROSS: CIRCLE, CIRCLE: CROSS}
TURNS = {player: single(player) for player in PLAYERS}
MARKS = {CROSS: "X", CIRCLE: "O"}
CELLS = {"X": Cell("X", "first"), "O": Cell("O", "second"), ".": EMPTY}
BOARD = SquareBoard(3, 3)
SQUARES, NUMBERS = BOARD.names, BOARD.numbers
PARTNERS = tuple(tuple((a, b) for a, b in lines) for lines in BOARD.lines_through(3))
"""For each square, the two others of each line through it."""


class TicTacToePosition(Position, HasSearcher):
    """The nine squares, row by row from A1, whose turn it is, and who has three in a row."""

    __slots__ = ("_over", "_to_move", "_winner", "board")

    def __init__(self, board: str, to_move: Player, winner: Player | None = None) -> None:
        self.board = board
        self._to_move = to_move
        self._winner = winner
        self._over = winner is not None or "." not in board

    def turn(self) -> Turn:
        return OVER if self._over else TURNS[self._to_move]

    def moves(self, player: Player) -> Sequence[Move]:
        if self._over or player != self._to_move:
            return ()
        return [square for square, mark in zip(SQUARES, self.board, strict=True) if mark == "."]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        index = NUMBERS.get(move, -1)
        if self._over or player != self._to_move or index < 0 or self.board[index] != ".":
            raise IllegalMove(f"No move named {move} for player {player}.")
        mark = MARKS[player]
        board = self.board[:index] + mark + self.board[index + 1 :]
        # Only the player who has just moved can have made three in a row, and only through that square.
        won = any(board[a] == mark == board[b] for a, b in PARTNERS[index])
        return Verdict(TicTacToePosition(board, OTHER[player], player if won else None), ((player, move),))

    def result(self) -> Result | None:
        if not self._over:
            return None
        reason = "the board is full" if self._winner is None else "three in a row"
        return result_by_winner(PLAYERS, self._winner, reason)

    def view(self, player: Player | None) -> str:
        return f"{BOARD.text(self.board)} {'-' if self._over else self._to_move}"

    def key(self) -> Hashable:
        return (self.board, self._to_move)

    def picture(self, player: Player | None) -> Picture:
        return Picture((BOARD.grid([CELLS[mark] for mark in self.board]),))

    def searcher(self) -> Searcher:
        return TicTacToeSearcher(self.board, PLAYERS.index(self._to_move))


FULL = 2**BOARD.size - 1
WON = tuple(any(stones & line == line for line in BOARD.line_masks(3)) for stones in range(FULL + 1))
"""Whether a player with these stones has three in a row."""
FREE = tuple(tuple(square for square in range(BOARD.size) if not taken >> square & 1) for taken in range(FULL + 1))
"""The empty squares, where these are taken."""


class TicTacToeSearcher:
    """The stones of both players as bits, A1 the lowest; a move is the number of its square."""

    __slots__ = ("_history", "_over", "_stones", "_to_move")

    def __init__(self, board: str, to_move: int) -> None:
        self._stones = [sum(1 << index for index, mark in enumerate(board) if mark == own) for own in "XO"]
        self._to_move = to_move
        self._history: list[int] = []
        self._over = self._is_over()

    def _is_over(self) -> bool:
        cross, circle = self._stones
        return WON[cross] or WON[circle] or cross | circle == FULL

    def to_move(self) -> int:
        return -1 if self._over else self._to_move

    def legal(self) -> Sequence[int]:
        return () if self._over else FREE[self._stones[0] | self._stones[1]]

    def play(self, move: int) -> None:
        self._stones[self._to_move] |= 1 << move
        self._history.append(move)
        self._to_move = 1 - self._to_move
        self._over = self._is_over()

    def undo(self) -> None:
        self._to_move = 1 - self._to_move
        self._stones[self._to_move] ^= 1 << self._history.pop()
        self._over = False

    def scores(self) -> Sequence[float]:
        cross, circle = (WON[stones] for stones in self._stones)
        return (50.0, 50.0) if cross == circle else (100.0, 0.0) if cross else (0.0, 100.0)

    def key(self) -> Hashable:
        return (self._stones[0], self._stones[1], self._to_move)

    def text(self, move: int) -> Move:
        return SQUARES[move]

    def number(self, move: Move) -> int:
        return NUMBERS[move]


class TicTacToe(Rules):
    """Players Cross and Circle, moves A1 to C3."""

    name = "TicTacToe"
    title = "three in a row on nine squares"
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return TicTacToePosition("." * BOARD.size, options["starting_player"])

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        return board_symmetries(SQUARES, BOARD.columns, ALL)


RULES = TicTacToe()
