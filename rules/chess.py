"""Chess: the whole game, with castling, taking in passing, promotion and the draws."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import OptionError
from ggtp.game import (
    EMPTY,
    Cell,
    Move,
    Note,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    result_by_winner,
)
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.chessboard import START, ChessBoard, normalise
from ggtp.game.building.turns import TurnGame, TurnPosition

WHITE, BLACK = "White", "Black"
PLAYERS = (WHITE, BLACK)
BOARD = SquareBoard(8, 8, lower=True)
CELLS = {
    **{letter: Cell(sign, "first", ascii=letter) for letter, sign in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)},
    **{letter: Cell(sign, "second", ascii=letter) for letter, sign in zip("kqrbnp", "♚♛♜♝♞♟", strict=True)},
    ".": EMPTY,
}
TIMES = {3: "third", 5: "fifth"}
LATE = 20
"""So many moves before a draw by count, searches begin to tell positions by their clocks too."""


class ChessState:
    """A board, and the positions since the last move that can't be taken back."""

    __slots__ = ("board", "history")

    def __init__(self, board: ChessBoard, history: tuple[str, ...]) -> None:
        self.board = board
        self.history = history
        """What `ChessBoard.repeats` has said, this board's included."""

    def seen(self) -> int:
        """How often the position on the board has been there."""
        return self.history.count(self.history[-1])


class ChessGame(TurnGame[ChessState]):
    """Moves are as in `ggtp.game.building.chessboard`; the draws are counted here."""

    players = PLAYERS

    def __init__(self, quiet: int, repetitions: int) -> None:
        self.quiet = quiet
        """Moves of each side without a capture or a pawn's move that draw."""
        self.repetitions = repetitions

    def _drawn(self, state: ChessState) -> str:
        """Why the game is drawn though the player to move could move; empty if it is not."""
        board = state.board
        if state.seen() >= self.repetitions:
            return f"the position is there for the {TIMES[self.repetitions]} time"
        if board.clock >= 2 * self.quiet:
            return f"{self.quiet} moves without a capture or a pawn's move"
        return "nobody has enough pieces left to mate" if board.bare() else ""

    def legal(self, state: ChessState) -> Sequence[int]:
        return () if self._drawn(state) else state.board.legal()

    def to_move(self, state: ChessState) -> int:
        return (0 if state.board.white else 1) if self.legal(state) else -1

    def after(self, state: ChessState, move: int) -> ChessState:
        board = state.board.after(move)
        lost = board.clock == 0 or board.rights != state.board.rights
        return ChessState(board, ((() if lost else state.history) + (board.repeats(),)))

    def name(self, state: ChessState, move: int) -> Move:
        return state.board.coordinates(move)

    def read(self, state: ChessState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        typed = normalise(text)
        spelled = [(name, spelling) for name, move in moves.items() for spelling in state.board.spellings(move)]
        exact = [name for name, spelling in spelled if spelling == typed]
        return (
            exact
            or [name for name, spelling in spelled if spelling.casefold() == typed.casefold()]
            or [name for name in moves if name[:4] == typed.casefold()]
        )

    def hint(self, state: ChessState, moves: Mapping[Move, int]) -> str:
        first = next(iter(moves))
        check = "; the king is in check" if state.board.in_check() else ""
        return f"moves are written as {first} or {state.board.san(moves[first])}{check}"

    def result(self, state: ChessState) -> Result | None:
        board = state.board
        # Mate on the move that would draw by count is mate.
        if not board.legal():
            if board.in_check():
                return result_by_winner(PLAYERS, PLAYERS[board.white], "checkmate")
            return result_by_winner(PLAYERS, None, "stalemate")
        reason = self._drawn(state)
        return result_by_winner(PLAYERS, None, reason) if reason else None

    def key(self, state: ChessState) -> Hashable:
        return (state.history[-1], state.board.clock, self.quiet, self.repetitions, tuple(sorted(state.history)))

    def search_key(self, state: ChessState) -> Hashable:
        late = max(0, state.board.clock - 2 * self.quiet + LATE)
        return (state.history[-1], state.seen(), late)

    def view(self, state: ChessState) -> str:
        times = state.seen()
        return (
            state.board.fen() + (f" seen {times} times" if times > 1 else "") + ("" if self.legal(state) else " over")
        )

    def picture(self, state: ChessState) -> Picture:
        board = state.board
        grid = BOARD.grid([CELLS[piece] for piece in board.squares], chequered=True)
        result = self.result(state)
        mover = PLAYERS[not board.white]
        if result:
            note = Note(result.reason, "mark")
        elif board.in_check():
            note = Note(f"move {board.number}: {mover} is in check", "bad")
        else:
            note = Note(f"move {board.number}: {mover} to move", "muted")
        return Picture((grid, note))


class Chess(Rules):
    """Players White and Black; moves as `e2e4`, `e1g1`, `e7e8q`; `e4`, `O-O` and `e8=Q` are understood."""

    name = "Chess"
    title = "the whole game, with castling, promotion and the draws"
    own_options = (
        Option("fen", START, "the position to begin from, in Forsyth-Edwards notation"),
        Option("quiet_moves", "50", "how many moves of each side without progress draw", choices=("50", "75")),
        Option("repetitions", "3", "how often a position may be there before the game is drawn", choices=("3", "5")),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option; a position is written as we would write it."""
        options = super().complete(values)
        try:
            options["fen"] = ChessBoard.read(options["fen"]).fen()
        except ValueError as error:
            raise OptionError(f"No position for option fen: {error}.") from None
        return options

    def begin(self, options: Mapping[str, str]) -> Position:
        board = ChessBoard.read(options["fen"])
        game = ChessGame(int(options["quiet_moves"]), int(options["repetitions"]))
        return TurnPosition(game, ChessState(board, (board.repeats(),)))


RULES = Chess()
