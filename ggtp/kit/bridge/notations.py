"""How programs of other protocols call games and moves of ours: chess and its relatives.

A tongue writes our moves in a program's words. What a program says is compared with what our moves are called in its
words, so that nothing is ever read by guessing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ggtp.errors import EngineError
from ggtp.game import Move, Rules
from ggtp.game.building.chessboard import START, ChessBoard, normalise

CHESS, SHOGI, XIANGQI, BREAKTHROUGH = "chess", "shogi", "xiangqi", "breakthrough"
_XIANGQI = re.compile(r"\w?\((\d) (\d)\)-\((\d) (\d)\)")


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words for one game."""

    variant: str
    """What programs call it."""
    first: str
    """Who moves first."""
    start: str = ""
    """Where a play begins, in Forsyth-Edwards notation; empty for the usual start."""
    write: Callable[[Move], str] = str
    """One of our moves in its words."""
    algebraic: bool = False
    """Whether our moves are called as in `Nf3` and `O-O`, which only a board can translate."""

    def line(self, history: Sequence[Move]) -> list[str]:
        """The moves of a play, from its start on, in its words.

        Raises:
            EngineError: a move in algebraic notation is not legal.
        """
        return self._along(history)[0] if self.algebraic else [self.write(move) for move in history]

    def read(self, text: str, moves: Iterable[Move], history: Sequence[Move] = ()) -> Move:
        """The move that a program means, among those that are possible; what is none of them stays as it is."""
        meant = text.casefold()
        if self.algebraic:
            board = self._along(history)[1]
            spelled = _spelled(board)
            named = {move: board.coordinates(_number(board, spelled, normalise(move))) for move in moves}
            return next((move for move, name in named.items() if name == meant), text)
        return next((move for move in moves if self.write(move).casefold() == meant), text)

    def _along(self, history: Sequence[Move]) -> tuple[list[str], ChessBoard]:
        board, words = ChessBoard.read(self.start or START), []
        for move in history:
            number = _number(board, _spelled(board), normalise(move))
            words.append(board.coordinates(number))
            board = board.after(number)
        return words, board


def tongue_of(rules: Rules, values: Mapping[str, str]) -> Tongue | None:
    """The words for a game with these options; None where there are none."""
    match rules.name:
        case "Chess":
            start = values.get("fen", START)
            first = "Black" if start.split()[1:2] == ["b"] else "White"
            return Tongue(CHESS, first, "" if start == START else start)
        case "openspiel/chess":
            return Tongue(CHESS, "White", algebraic=True)
        case "Breakthrough" if (values.get("rows"), values.get("columns")) == ("8", "8"):
            return Tongue(BREAKTHROUGH, "White", write=_write_plainly)
        case "openspiel/shogi":
            # Moves are called as in the Universal Shogi Interface: 7g7f, 8h2b+, P*5e.
            return Tongue(SHOGI, "Black")
        case "openspiel/xiangqi":
            return Tongue(XIANGQI, "Red", write=_write_xiangqi)
        case _:
            return None


def fen_after(start: str, moves: Iterable[str]) -> str:
    """Where a play of chess stands after moves such as `e2e4`; the start is empty for the usual one.

    Raises:
        EngineError: a move is not legal.
    """
    board = ChessBoard.read(start or START)
    for text in moves:
        board = board.after(_number(board, {board.coordinates(move): move for move in board.legal()}, text))
    return board.fen()


def _number(board: ChessBoard, known: Mapping[str, int], text: str) -> int:
    if text not in known:
        raise EngineError(f"{text} is no move of chess in {board.fen()}.")
    return known[text]


def _spelled(board: ChessBoard) -> dict[str, int]:
    """Every legal move by every spelling of it."""
    return {spelling: move for move in board.legal() for spelling in board.spellings(move)}


def _write_plainly(move: Move) -> str:
    """`a2-b3` and `a2xb3` are `a2b3`."""
    return move.replace("-", "").replace("x", "")


def _write_xiangqi(move: Move) -> str:
    """`C(7 7)-(7 4)` is `h3e3`: rows are counted from Black's side, and ranks from Red's."""
    found = _XIANGQI.fullmatch(move)
    if found is None:
        return move
    row, column, to_row, to_column = map(int, found.groups())
    return f"{_file(column)}{10 - row}{_file(to_column)}{10 - to_row}"


def _file(column: int) -> str:
    return chr(ord("a") + column)
