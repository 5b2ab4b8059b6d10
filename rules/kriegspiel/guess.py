"""Where the other's men may stand in Kriegspiel: a board that agrees with what a player knows.

The men that are left wander from where they stood at the start, as often as the other has moved,
and are then put right one by one until everything fits that the umpire has said since the last
move: checks, pawn tries, what was taken where, which tries were refused.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggtp.game.building.chessboard import (
    BLACK,
    EMPTY,
    KING,
    KNIGHT,
    PAWN,
    RAYS,
    ROOKS,
    SLIDES,
    WHITE,
    ChessBoard,
    attacked,
)

from .knowledge import Knowledge, checks_on

STEPS, ROUNDS, PLAIN = 300, 10, 3
"""How many changes are tried before the men are put up anew, how often they are, and how often none is promoted."""
WANDER = 40
"""At most so many steps are wandered: after that all places are as likely."""
WORST = 10


def guess(known: Knowledge, quiet_plies: int, rng: random.Random) -> ChessBoard:
    """A board that agrees with what the player knows; where none was found, the one with the fewest faults."""
    search = _Search(known, rng)
    best, fewest = search.setup(), 1000
    for index in range(ROUNDS):
        search.promoting = index >= PLAIN
        squares, faults = search.repair(search.setup())
        if faults < fewest:
            best, fewest = squares, faults
        if not fewest:
            break
    return search.board(best, quiet_plies)


class _Search:
    """One search for a board."""

    def __init__(self, known: Knowledge, rng: random.Random) -> None:
        self.known = known
        self.rng = rng
        self.theirs = BLACK if known.white else WHITE
        self.mine = known.to_move == known.white
        self.king = known.own.index("K" if known.white else "k")
        words = known.words
        self.checks = words.checks if words is not None else ()
        self.wanted = words.tries if words is not None else -1
        self.there = -1
        """Where a man of theirs must stand, since it has just taken something there."""
        if words is not None and words.taken >= 0 and self.mine:
            self.there = words.taken + ((8 if words.white else -8) if words.passing else 0)
        self.promoting = False
        """Whether men may become others: pawns that were promoted, and pieces that are left instead of others."""
        self.interesting = self._interesting()

    def _interesting(self) -> list[int]:
        """Squares where a man of theirs makes a difference to what was said."""
        known, found = self.known, {self.there}
        if self.mine:
            found.update(target for ray in RAYS[self.king] for target in ray)
            found.update(KNIGHT[self.king])
            for move in known.tried:
                origin, target = move & 63, move >> 6 & 63
                found.add(target)
                found.update(_between(origin, target))
            men = "P" if known.white else "p"
            for origin, piece in enumerate(known.own):
                if piece == men:
                    found.update(PAWN[known.white][origin])
        return [square for square in found if square >= 0 and known.own[square] == EMPTY]

    def setup(self) -> list[str]:
        """The men that are left, some way from where they stood."""
        known, rng = self.known, self.rng
        men = [(square, piece) for square, piece in enumerate(known.home) if piece != EMPTY]
        rng.shuffle(men)
        for kind in known.taken:
            fits = [man for man in men if man[1] not in "Kk" and (not kind or (man[1] in "Pp") == (kind == "pawn"))]
            # What was taken may have been a pawn that had become a piece.
            fits = fits or [man for man in men if man[1] not in "Kk"]
            if fits:
                # Men that stood where a man of the player's is now are the likeliest to be gone.
                men.remove(next((man for man in fits if known.own[man[0]] != EMPTY), fits[0]))
        squares = list(known.own)
        later = []
        for square, piece in men:
            if squares[square] == EMPTY:
                squares[square] = piece
            else:
                later.append(piece)
        for piece in later:
            self._drop(squares, piece)
        places = [square for square, piece in enumerate(squares) if piece in self.theirs]
        for _ in range(min(WANDER, (known.ply + 1) // 2)):
            index = rng.randrange(len(places))
            ways = self._ways(squares, places[index])
            if ways:
                target = rng.choice(ways)
                squares[target], squares[places[index]] = squares[places[index]], EMPTY
                places[index] = target
        return squares

    def _ways(self, squares: Sequence[str], origin: int) -> list[int]:
        """Where a man could go without taking anything."""
        kind = squares[origin].upper()
        if kind == "P":
            ahead = origin + (-8 if self.known.white else 8)
            return [ahead] if 8 <= ahead < 56 and squares[ahead] == EMPTY else []
        if kind in "NK":
            return [target for target in (KNIGHT if kind == "N" else KING)[origin] if squares[target] == EMPTY]
        found = []
        for way in SLIDES[kind]:
            for target in RAYS[origin][way]:
                if squares[target] != EMPTY:
                    break
                found.append(target)
        return found

    def _drop(self, squares: list[str], piece: str) -> None:
        """Put a man on any square where it may stand."""
        low, high = (8, 56) if piece in "Pp" else (0, 64)
        squares[self.rng.choice([at for at in range(low, high) if squares[at] == EMPTY])] = piece

    def repair(self, squares: list[str]) -> tuple[list[str], int]:
        """Changes one man after the other as long as that makes nothing worse; the squares, and how much is wrong."""
        rng, faults = self.rng, self.faults(squares)
        for _ in range(STEPS):
            if not faults:
                break
            trial = self._changed(squares)
            now = self.faults(trial)
            if now <= faults or rng.random() < 0.02:
                squares, faults = trial, now
        return squares, faults

    def _changed(self, squares: list[str]) -> list[str]:
        rng, trial = self.rng, list(squares)
        places = [square for square, piece in enumerate(squares) if piece in self.theirs]
        origin = rng.choice(places)
        piece, dice = trial[origin], rng.random()
        if dice < 0.1:
            other = rng.choice(places)
            low = 8 <= origin < 56 and 8 <= other < 56
            if low or not {piece, trial[other]} & {"P", "p"}:
                trial[origin], trial[other] = trial[other], piece
            return trial
        if self.promoting and dice < 0.13 and piece not in "Kk":
            kind = rng.choice("QRBN" if piece in "Pp" else "QRBNP")
            if kind != "P" or 8 <= origin < 56:
                trial[origin] = kind.lower() if self.known.white else kind
            return trial
        trial[origin] = EMPTY
        if self.there >= 0 and trial[self.there] == EMPTY and rng.random() < 0.5:
            target = self.there
        elif self.interesting and rng.random() < 0.6:
            target = rng.choice(self.interesting)
        else:
            target = rng.randrange(64)
        if trial[target] != EMPTY or (piece in "Pp" and not 8 <= target < 56):
            return squares
        trial[target] = piece
        return trial

    def faults(self, squares: Sequence[str]) -> int:
        """How much does not fit."""
        known = self.known
        theirs = squares.index("k" if known.white else "K")
        found = 3 if theirs in KING[self.king] else 0
        if self.there >= 0 and squares[self.there] not in self.theirs:
            found += 3
        if self.mine:
            found += 3 * attacked(squares, theirs, known.white)
            found += len(set(self.checks) ^ set(checks_on(squares, self.king, not known.white)))
        else:
            found += 3 * attacked(squares, self.king, not known.white)
            found += len(set(self.checks) ^ set(checks_on(squares, theirs, known.white)))
        return found or self._quiet_faults(squares)

    def _quiet_faults(self, squares: Sequence[str]) -> int:
        """What does not fit where kings and checks do: pawn tries, refused tries, a player that can't move."""
        known, board = self.known, self.board(squares, 0)
        found = WORST if board.bare() else 0
        if self.wanted >= 0:
            found += abs(self.wanted - self._tries(board))
        if not self.mine:
            return found + (0 if any(board.safe(move) for move in board.pseudo()) else WORST)
        legal = {move & 4095 for move in board.legal()} if known.tried else set()
        found += len(legal & set(known.tried))
        if known.tried:
            return found if legal - set(known.tried) else found + WORST
        return found if any(board.safe(move) for move in board.pseudo()) else found + WORST

    def _tries(self, board: ChessBoard) -> int:
        squares, white = board.squares, board.white
        men, prey = ("P", BLACK) if white else ("p", WHITE)
        return sum(
            1
            for origin, piece in enumerate(squares)
            if piece == men
            for target in PAWN[white][origin]
            if (squares[target] in prey or target == board.passing) and board.safe(origin | target << 6)
        )

    def board(self, squares: Sequence[str], quiet_plies: int) -> ChessBoard:
        """The squares as a board; of castling, the other may do what its king and rooks allow."""
        known = self.known
        corners = {"K": (4, 7), "Q": (4, 0)} if not known.white else {"k": (60, 63), "q": (60, 56)}
        king, rook = ("K", "R") if not known.white else ("k", "r")
        rights = set(known.rights)
        if known.ply < 2 * WANDER:
            rights |= {
                right for right, (at, corner) in corners.items() if squares[at] == king and squares[corner] == rook
            }
        text = "".join(right for right in "KQkq" if right in rights)
        number = known.ply // 2 + 1
        # A draw by count was not announced: where nothing else is known, a pawn of theirs has moved.
        clock = min(known.quiet, max(0, quiet_plies - 2)) if quiet_plies else 0
        board = ChessBoard("".join(squares), known.to_move, text, -1, clock, number)
        if not self.mine and known.last >= 0 and known.words is not None:
            origin, target = known.last & 63, known.last >> 6 & 63
            if known.own[target] in "Pp" and abs(origin - target) == 16:
                board = ChessBoard.passed(board, (origin + target) // 2)
        return board


def _between(origin: int, target: int) -> tuple[int, ...]:
    """The squares between two that share a line; none for a knight's jump, and the rook's way for castling."""
    if (origin, target) in ROOKS and abs(origin - target) == 2:
        return (origin - 1, origin - 2, origin - 3) if target < origin else (origin + 1, origin + 2)
    for ray in RAYS[origin]:
        if target in ray:
            return ray[: ray.index(target)]
    return ()
