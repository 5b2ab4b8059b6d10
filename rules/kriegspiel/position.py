"""Positions of Kriegspiel: the whole board, what each player knows of it, and what the umpire says."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    EMPTY,
    OVER,
    Announcement,
    Cell,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Refusal,
    Result,
    Turn,
    Verdict,
    result_by_winner,
    single,
)
from ggtp.game.advice import Determinizes, Estimates
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.chessboard import SQUARES, ChessBoard, normalise

from .guess import guess
from .knowledge import NO_TRIES, Knowledge, Words, checks_on, hidden_text, pawn_tries

WHITE, BLACK = "White", "Black"
PLAYERS = (WHITE, BLACK)
TURNS = (single(WHITE, sealed=True), single(BLACK, sealed=True))
BOARD = SquareBoard(8, 8, lower=True)
CELLS = {
    **{letter: Cell(sign, "first", ascii=letter) for letter, sign in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)},
    **{letter: Cell(sign, "second", ascii=letter) for letter, sign in zip("kqrbnp", "♚♛♜♝♞♟", strict=True)},
    ".": EMPTY,
}
LOST = Cell("x", "bad")
"""Where the other has just taken a man of the player's."""
ILLEGAL = "not legal"
VALUES = {
    **{"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0},
    **{"p": 1.0, "n": 3.0, "b": 3.0, "r": 5.0, "q": 9.0},
}
"""What a man is worth when a position is estimated."""
EVEN_ENOUGH = 8.0
"""By how many pawns to be ahead is halfway between even and won."""


@dataclass(frozen=True, slots=True)
class Umpire:
    """How a game is umpired."""

    tries: bool
    """Whether pawn tries are announced."""
    kinds: bool
    """Whether it is said if a pawn was taken or a piece."""
    quiet: int
    repetitions: int
    most: int
    """Moves of each side after which the game is drawn."""

    def words(self, before: ChessBoard, move: int, after: ChessBoard) -> Words:
        """What there is to say of a move."""
        taken = before.takes(move)
        kind = "" if taken < 0 or not self.kinds else "pawn" if before.squares[taken] in "Pp" else "piece"
        passing = taken >= 0 and taken != move >> 6 & 63
        checks = checks_on(after.squares, after.king(after.white), before.white)
        return Words(before.white, taken, kind, passing, checks, pawn_tries(after) if self.tries else NO_TRIES)

    def drawn(self, board: ChessBoard, times: int) -> str:
        """Why the game is drawn though the player to move could move; empty if it is not."""
        if times >= self.repetitions:
            return f"the position is there for the {'third' if self.repetitions == 3 else 'fifth'} time"
        if board.clock >= 2 * self.quiet:
            return f"{self.quiet} moves without a capture or a pawn's move"
        if board.number > self.most:
            return f"{self.most} moves were made"
        return "nobody has enough pieces left to mate" if board.bare() else ""


class KriegspielPosition(Position, Determinizes, Estimates):
    """The whole board, which positions there were, and what each player knows."""

    __slots__ = ("_drawn", "_over", "_tries", "board", "history", "known", "umpire")

    def __init__(
        self, umpire: Umpire, board: ChessBoard, history: tuple[str, ...], known: tuple[Knowledge, Knowledge]
    ) -> None:
        self.umpire = umpire
        self.board = board
        self.history = history
        self.known = known
        """White's knowledge and Black's."""
        self._drawn = umpire.drawn(board, history.count(history[-1]))
        self._over = bool(self._drawn) or not board.legal()
        self._tries: dict[Move, int] | None = None

    def turn(self) -> Turn:
        return OVER if self._over else TURNS[not self.board.white]

    def _listed(self, player: Player) -> dict[Move, int]:
        if self._over or player != PLAYERS[not self.board.white]:
            return {}
        if self._tries is None:
            known = self.known[not self.board.white]
            moves = known.tries() or replace(known, tried=()).tries()
            self._tries = {known.name(move): move for move in moves}
        return self._tries

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._listed(player))

    def parse(self, player: Player, text: str) -> Move:
        listed = self._listed(player)
        if text in listed:
            return text
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        known, typed = self.known[not self.board.white], normalise(text)
        spelled = [(name, spelling) for name, move in listed.items() for spelling in known.spellings(move)]
        found = (
            [name for name in listed if name == typed.casefold()]
            or [name for name, spelling in spelled if spelling == typed]
            or [name for name, spelling in spelled if spelling.casefold() == typed.casefold()]
            or [name for name in listed if name[:4] == typed.casefold()]
        )
        found = list(dict.fromkeys(found))
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text[:40]} may be {' or '.join(found[:4])}.")
        raise MalformedMove(
            f"No move named {text[:40]} for player {player}: moves are written as {next(iter(listed))} or Nf3 or dxe5."
        )

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        number = self._listed(player).get(move)
        if number is None:
            raise IllegalMove(f"No move named {move} for player {player}.")
        board, mover = self.board, 0 if self.board.white else 1
        if number not in board.legal():
            mine = self.known[mover].refused(number)
            known = (mine, self.known[1]) if mover == 0 else (self.known[0], mine)
            after = KriegspielPosition(self.umpire, board, self.history, known)
            return Verdict(after, refused=(Refusal(player, move, ILLEGAL),))
        following = board.after(number)
        words = self.umpire.words(board, number, following)
        lost = following.clock == 0 or following.rights != board.rights
        history = (*(() if lost else self.history), following.repeats())
        known = (
            self.known[0].told(words, number if mover == 0 else None),
            self.known[1].told(words, number if mover == 1 else None),
        )
        after = KriegspielPosition(self.umpire, following, history, known)
        return Verdict(after, ((player, move),), announcements=tuple(_announced(words, after)))

    def result(self) -> Result | None:
        if not self._over:
            return None
        if not self.board.legal():
            if self.board.in_check():
                return result_by_winner(PLAYERS, PLAYERS[self.board.white], "checkmate")
            return result_by_winner(PLAYERS, None, "stalemate")
        return result_by_winner(PLAYERS, None, self._drawn)

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        number = self._listed(actor).get(move)
        if number is None or number not in self.board.legal():
            return move if actor == observer else "?"
        words = self.umpire.words(self.board, number, self.board.after(number))
        return words.text(move) if actor == observer else hidden_text(words)

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """The move alone: the umpire says the rest."""
        return move if actor == observer else "?"

    def view(self, player: Player | None) -> str:
        if self._over or player not in PLAYERS:
            text = self.board.fen()
            if self._over:
                return f"{text} over"
            tried = (
                f"{name} has tried {' '.join(self._names(known)) or '-'}"
                for name, known in zip(PLAYERS, self.known, strict=True)
            )
            times = self.history.count(self.history[-1])
            last = self.known[not self.board.white].words
            return "; ".join((text, f"seen {times} times", *tried, _sentence(last) if last else "-"))
        known = self.known[PLAYERS.index(player)]
        rows = "/".join(known.own[start : start + 8] for start in range(56, -1, -8))
        return f"{rows} {known.rights or '-'}; {'; '.join(self._notes(known))}"

    def _names(self, known: Knowledge) -> list[str]:
        return [known.name(move) for move in known.tried]

    def _notes(self, known: Knowledge) -> list[str]:
        """What there is to say beside the board of a player."""
        men = sum(piece != "." for piece in known.home) - len(known.taken)
        notes = [f"move {self.board.number}: {PLAYERS[not self.board.white]} to move; the other has {men} men"]
        if known.last >= 0:
            notes.append(f"your last move was {known.name(known.last)}")
        if known.words is not None:
            notes.append(_sentence(known.words))
        if known.tried:
            notes.append(f"refused: {' '.join(self._names(known))}")
        return notes

    def key(self) -> Hashable:
        counts = tuple(sorted(self.history))
        return (self.board.fen(), counts, self.umpire, self.known[0].key(), self.known[1].key())

    def picture(self, player: Player | None) -> Picture:
        if self._over or player not in PLAYERS:
            grid = BOARD.grid([CELLS[piece] for piece in self.board.squares], chequered=True)
            result = self.result()
            notes = [result.reason] if result else self.view(None).split("; ")[1:]
            return Picture((grid, *(Note(text, "mark" if result else "muted") for text in notes)))
        known = self.known[PLAYERS.index(player)]
        cells = [CELLS[piece] for piece in known.own]
        words = known.words
        if words is not None and words.taken >= 0 and words.white != known.white:
            cells[words.taken] = LOST
        said = (Note(text, "bad" if "check" in text else "muted") for text in self._notes(known))
        return Picture((BOARD.grid(cells, chequered=True), *said))

    def estimate(self, player: Player) -> float | None:
        """By the men on the board; pawns that have come far count more."""
        balance = 0.0
        for index, piece in enumerate(self.board.squares):
            if piece in VALUES:
                worth = VALUES[piece]
                if piece in "Pp":
                    worth *= 1 + (index // 8 if piece == "P" else 7 - index // 8) / 10
                balance += worth if piece.isupper() else -worth
        ahead = balance if player == WHITE else -balance
        return 50 + 49 * ahead / (abs(ahead) + EVEN_ENOUGH)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if self._over or player not in PLAYERS:
            return self
        return imagined(self.umpire, self.known[PLAYERS.index(player)], rng)


def imagined(umpire: Umpire, known: Knowledge, rng: random.Random) -> KriegspielPosition:
    """A full position that is the same to the player, and what the other knows there."""
    board = guess(known, 2 * umpire.quiet, rng)
    men = "pnbrqk" if known.white else "PNBRQK"
    theirs = "".join(piece if piece in men else "." for piece in board.squares)
    rights = "".join(right for right in board.rights if right.isupper() != known.white)
    belief = Knowledge(
        not known.white, theirs, known.own, rights, known.to_move, (), known.ply, known.quiet, (), -1, known.words
    )
    pair = (known, belief) if known.white else (belief, known)
    return KriegspielPosition(umpire, board, (board.repeats(),), pair)


def _sentence(words: Words) -> str:
    """What was said, for people."""
    mover, other = (WHITE, BLACK) if words.white else (BLACK, WHITE)
    parts = [f"{mover} has moved"]
    if words.taken >= 0:
        what = f"a {words.kind}" if words.kind else "a man"
        parts[0] = f"{mover} has taken {what} on {SQUARES[words.taken]}{' en passant' if words.passing else ''}"
    if words.checks:
        parts.append(f"check {' and '.join('by a knight' if c == 'knight' else f'on the {c}' for c in words.checks)}")
    if words.tries > 0:
        parts.append(f"{other} has {words.tries} pawn {'try' if words.tries == 1 else 'tries'}")
    return ", ".join(parts)


def _announced(words: Words, after: KriegspielPosition) -> list[Announcement]:
    """What the umpire says aloud: nothing of a move of which there is nothing to say."""
    said = words.taken >= 0 or words.checks or words.tries > 0
    found = [Announcement(_sentence(words))] if said else []
    result = after.result()
    if result is not None:
        found.append(Announcement(f"{result.reason}; the board was {after.board.fen()}"))
    return found
