"""TicTacToe: three in a row on nine squares. The rule to copy when writing another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import IllegalMove
from ggtp.game import (
    EMPTY,
    OVER,
    Cell,
    Grid,
    Move,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Turn,
    Verdict,
    result_by_winner,
    single,
)

CROSS, CIRCLE = "Cross", "Circle"
PLAYERS = (CROSS, CIRCLE)
SQUARES = tuple(f"{column}{row}" for row in "123" for column in "ABC")
NUMBER = {square: index for index, square in enumerate(SQUARES)}
TURNS = {player: single(player) for player in PLAYERS}
MARKS = {CROSS: "X", CIRCLE: "O"}
CELLS = {"X": Cell("X", "first"), "O": Cell("O", "second"), ".": EMPTY}
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


class TicTacToePosition(Position):
    """The nine squares, row by row from A1, and whose turn it is."""

    __slots__ = ("_over", "_to_move", "_winner", "board")

    def __init__(self, board: str, to_move: Player) -> None:
        self.board = board
        self._to_move = to_move
        self._winner = _winner(board)
        self._over = self._winner is not None or "." not in board

    def turn(self) -> Turn:
        return OVER if self._over else TURNS[self._to_move]

    def moves(self, player: Player) -> Sequence[Move]:
        if self._over or player != self._to_move:
            return ()
        return [square for square, mark in zip(SQUARES, self.board, strict=True) if mark == "."]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        index = NUMBER.get(move, -1)
        if self._over or player != self._to_move or index < 0 or self.board[index] != ".":
            raise IllegalMove(f"No move named {move} for player {player}.")
        board = self.board[:index] + MARKS[player] + self.board[index + 1 :]
        after = TicTacToePosition(board, CIRCLE if player == CROSS else CROSS)
        return Verdict(after, ((player, move),))

    def result(self) -> Result | None:
        if not self._over:
            return None
        reason = "the board is full" if self._winner is None else "three in a row"
        return result_by_winner(PLAYERS, self._winner, reason)

    def view(self, player: Player | None) -> str:
        rows = "/".join(self.board[start : start + 3] for start in (0, 3, 6))
        return f"{rows} {'-' if self._over else self._to_move}"

    def key(self) -> Hashable:
        return (self.board, self._to_move)

    def picture(self, player: Player | None) -> Picture:
        rows = tuple(tuple(CELLS[mark] for mark in self.board[start : start + 3]) for start in (6, 3, 0))
        return Picture((Grid(rows, columns=("A", "B", "C"), row_labels=("3", "2", "1")),))


def _winner(board: str) -> Player | None:
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return CROSS if board[a] == "X" else CIRCLE
    return None


class TicTacToe(Rules):
    """Players Cross and Circle, moves A1 to C3."""

    name = "TicTacToe"
    title = "three in a row on nine squares"
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return TicTacToePosition("." * 9, options["starting_player"])


RULES = TicTacToe()
