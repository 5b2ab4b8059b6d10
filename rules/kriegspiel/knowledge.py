"""What the umpire of Kriegspiel says, and what a player knows of a board of which it sees its own men only.

After every move both players hear what was taken and where, from where the king of the player
to move is in check, and in how many ways that player's pawns could take. A try that is not
legal is refused, for its player alone to hear.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from ggtp.game.building.chessboard import (
    BECOMES,
    BLACK,
    CASTLES,
    EMPTY,
    KING,
    KNIGHT,
    NUMBERS,
    PAWN,
    RAYS,
    RIGHTS,
    ROOKS,
    SIDES,
    SLIDES,
    SQUARES,
    WHITE,
    ChessBoard,
)
from ggtp.game.model import HIDDEN

FILE, RANK, LONG, SHORT, BY_KNIGHT = "file", "rank", "long diagonal", "short diagonal", "knight"
CHECKS = (FILE, RANK, LONG, SHORT, BY_KNIGHT)
"""From where a check can come, in the order in which it is announced."""
NO_TRIES = -1
"""Where the umpire does not speak of pawn tries."""


def line_of(king: int, origin: int) -> str:
    """From where a man on `origin` gives check to a king that it attacks."""
    rank, file = divmod(king, 8)
    other_rank, other_file = divmod(origin, 8)
    if rank == other_rank:
        return RANK
    if file == other_file:
        return FILE
    if abs(rank - other_rank) != abs(file - other_file):
        return BY_KNIGHT
    rising = (rank - other_rank) * (file - other_file) > 0
    # The two diagonals of a square are never of the same length.
    longer_rising = abs(rank - file) < abs(rank + file - 7)
    return LONG if rising == longer_rising else SHORT


def checkers(squares: Sequence[str], king: int, by_white: bool) -> list[int]:
    """The squares from which a side attacks a king."""
    pawn, knight, bishop, rook, queen, _ = SIDES[by_white]
    found = [origin for origin in KNIGHT[king] if squares[origin] == knight]
    found += [origin for origin in PAWN[not by_white][king] if squares[origin] == pawn]
    for index, ray in enumerate(RAYS[king]):
        slider = rook if index < 4 else bishop
        for origin in ray:
            piece = squares[origin]
            if piece != EMPTY:
                if piece in (slider, queen):
                    found.append(origin)
                break
    return found


def checks_on(squares: Sequence[str], king: int, by_white: bool) -> tuple[str, ...]:
    """From where the king is in check, as the umpire says it."""
    found = {line_of(king, origin) for origin in checkers(squares, king, by_white)}
    return tuple(check for check in CHECKS if check in found)


def pawn_tries(board: ChessBoard) -> int:
    """In how many ways the pawns of the side to move can take, whatever they become."""
    pawn = "P" if board.white else "p"
    takes = {move & 4095 for move in board.legal() if board.squares[move & 63] == pawn and board.takes(move) >= 0}
    return len(takes)


@dataclass(frozen=True, slots=True)
class Words:
    """What the umpire says after a move."""

    white: bool
    """Whether White has moved."""
    taken: int = -1
    """The square of what was taken, or -1."""
    kind: str = ""
    """`pawn` or `piece`, where the umpire tells it."""
    passing: bool = False
    """Whether a pawn was taken en passant."""
    checks: tuple[str, ...] = ()
    tries: int = NO_TRIES

    def text(self, move: str) -> str:
        """The move, or what stands for it, and what is said: `? takes pawn e5; check on the file; 2 pawn tries`."""
        parts = []
        if self.taken >= 0:
            kind = f"{self.kind} " if self.kind else ""
            parts.append(f"takes {kind}{SQUARES[self.taken]}{' en passant' if self.passing else ''}")
        parts += [f"check {'by a' if check == BY_KNIGHT else 'on the'} {check}" for check in self.checks]
        if self.tries > 0:
            parts.append(f"{self.tries} pawn {'try' if self.tries == 1 else 'tries'}")
        return f"{move} {'; '.join(parts)}" if parts else move

    @classmethod
    def read(cls, white: bool, said: str, told: bool) -> Words:
        """The words from what was said behind the move; `told` says whether the umpire speaks of pawn tries.

        Raises:
            LookupError, ValueError: nobody says so.
        """
        taken, kind, passing, tries = -1, "", False, 0 if told else NO_TRIES
        checks = []
        for part in said.split("; ") if said else ():
            words = part.split()
            if words[0] == "takes":
                passing = words[-1] == "passant"
                named = words[1:-2] if passing else words[1:]
                kind, taken = named[0] if len(named) > 1 else "", NUMBERS[named[-1]]
            elif words[0] == "check":
                checks.append(" ".join(words[3:]))
            else:
                tries = int(words[0])
        return cls(white, taken, kind, passing, tuple(check for check in CHECKS if check in checks), tries)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that one player knows."""

    white: bool
    own: str
    """A letter for each square, the player's own men only."""
    home: str
    """The other's men where they stood at the start, which everybody saw."""
    rights: str
    """The player's own rights to castle."""
    to_move: bool
    """Whether it is White's turn."""
    tried: tuple[int, ...] = ()
    """This turn's tries that were refused."""
    ply: int = 0
    quiet: int = 0
    """Moves since something was taken or a pawn of the player's moved."""
    taken: tuple[str, ...] = ()
    """What the player has taken: `pawn`, `piece`, or nothing where it was not told."""
    last: int = -1
    """The player's own last move."""
    words: Words | None = None

    def key(self) -> Hashable:
        """Equal for equal knowledge of what may be tried."""
        return (self.own, self.rights, self.tried)

    def told(self, words: Words, move: int | None) -> Knowledge:
        """What the player knows when it has heard of a move: of its own, or of the other's, which it does not see."""
        own, rights, quiet, taken, last = self.own, self.rights, self.quiet + 1, self.taken, self.last
        if words.white == self.white and move is not None:
            if own[move & 63] in "Pp":
                quiet = 0
            own, rights, last = moved(own, move), rights_after(rights, move), move
            if words.taken >= 0:
                taken = (*taken, words.kind)
        elif words.taken >= 0:
            own = own[: words.taken] + EMPTY + own[words.taken + 1 :]
            rights = "".join(right for right in rights if right not in RIGHTS.get(words.taken, ""))
        return Knowledge(
            self.white, own, self.home, rights, not words.white, (), self.ply + 1,
            0 if words.taken >= 0 else quiet, taken, last, words,
        )  # fmt: skip

    def refused(self, move: int) -> Knowledge:
        """What the player knows when a try was refused: whatever a pawn would become, it can't go there."""
        return replace(self, tried=(*self.tried, move & 4095))

    def tries(self) -> list[int]:
        """The moves that the player may try: those that some board would allow, as far as it has heard."""
        return [move for move in self._ways() if move & 4095 not in self.tried]

    def _ways(self) -> Iterator[int]:
        own, men = self.own, WHITE if self.white else BLACK
        heard = self.words if self.words is not None and self.words.white != self.white else None
        taking = heard is None or heard.tries != 0
        for origin, piece in enumerate(own):
            if piece == EMPTY:
                continue
            kind = piece.upper()
            if kind == "P":
                yield from self._pawn(origin, taking)
            elif kind in "NK":
                for target in (KNIGHT if kind == "N" else KING)[origin]:
                    if own[target] not in men:
                        yield origin | target << 6
            else:
                for way in SLIDES[kind]:
                    for target in RAYS[origin][way]:
                        if own[target] != EMPTY:
                            break
                        yield origin | target << 6
        if heard is None or not heard.checks:
            for right, king, empty, _ in CASTLES:
                if right in self.rights and all(own[square] == EMPTY for square in empty):
                    yield king | (king + (2 if right in "Kk" else -2)) << 6

    def _pawn(self, origin: int, taking: bool) -> Iterator[int]:
        own, ahead = self.own, 8 if self.white else -8
        targets = []
        if own[origin + ahead] == EMPTY:
            targets.append(origin + ahead)
            if origin // 8 == (1 if self.white else 6) and own[origin + 2 * ahead] == EMPTY:
                targets.append(origin + 2 * ahead)
        if taking:
            targets += [target for target in PAWN[self.white][origin] if own[target] == EMPTY]
        for target in targets:
            if target < 8 or target > 55:
                yield from (origin | target << 6 | kind << 12 for kind in (4, 3, 2, 1))
            else:
                yield origin | target << 6

    def name(self, move: int) -> str:
        """`e2e4`, `e1g1`, `e7e8q`."""
        return SQUARES[move & 63] + SQUARES[move >> 6 & 63] + BECOMES[move >> 12]

    def spellings(self, move: int) -> Iterator[str]:
        """Every way to write a try without signs: `Nf3`, `Ngf3`, `e4`, `de5`, `OO`."""
        origin, target = move & 63, move >> 6 & 63
        kind, name = self.own[origin].upper(), SQUARES[origin]
        if kind == "K" and (origin, target) in ROOKS:
            yield "OO" if target > origin else "OOO"
        tail = SQUARES[target] + BECOMES[move >> 12].upper()
        if kind == "P":
            yield tail if origin % 8 == target % 8 else f"{name[0]}{tail}"
            yield f"P{name}{tail}"
        else:
            yield from (f"{kind}{apart}{tail}" for apart in ("", name[0], name[1], name))
        yield f"{name}{tail}"


def read_move(text: str) -> int:
    """The number of a move that is written as `e2e4` or `e7e8q`.

    Raises:
        LookupError, ValueError: it is none.
    """
    return NUMBERS[text[:2]] | NUMBERS[text[2:4]] << 6 | BECOMES.index(text[4:]) << 12


def moved(own: str, move: int) -> str:
    """A player's own men after a move of one of them."""
    origin, target, kind = move & 63, move >> 6 & 63, move >> 12
    squares = list(own)
    piece = squares[origin]
    squares[origin] = EMPTY
    if piece in "Kk" and (origin, target) in ROOKS:
        corner, beside = ROOKS[origin, target]
        squares[corner], squares[beside] = EMPTY, squares[corner]
    squares[target] = piece if not kind else BECOMES[kind].upper() if piece == "P" else BECOMES[kind]
    return "".join(squares)


def rights_after(rights: str, move: int) -> str:
    """A player's own rights to castle after a move of its own."""
    gone = RIGHTS.get(move & 63, "")
    return "".join(right for right in rights if right not in gone)


def hidden_text(words: Words) -> str:
    """What the other player is told of a move."""
    return words.text(HIDDEN)
