"""Chess boards: how the pieces move, check, FEN and the moves' names. The draws by count are the rules' affair.

A board never changes. Squares are numbered from a1 to h8 row by row; a move is one integer,
its square of departure, its square of arrival and the piece that a pawn becomes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

EMPTY = "."
WHITE, BLACK = "PNBRQK", "pnbrqk"
SIDES = (tuple(BLACK), tuple(WHITE))
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
NUMBERS = {name: index for index, name in enumerate(SQUARES)}
BECOMES = ("", "n", "b", "r", "q")
"""What a pawn becomes, by the number in the move."""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


def _ray(square: int, east: int, north: int, most: int = 7) -> tuple[int, ...]:
    rank, file = divmod(square, 8)
    found = []
    for _ in range(most):
        rank, file = rank + north, file + east
        if not (0 <= rank < 8 and 0 <= file < 8):
            break
        found.append(rank * 8 + file)
    return tuple(found)


def _steps(square: int, ways: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(target for way in ways for target in _ray(square, *way, most=1))


RAYS = tuple(tuple(_ray(square, *way) for way in (*LINES, *DIAGONALS)) for square in range(64))
"""For each square, the squares along the four lines and then the four diagonals."""
KNIGHT = tuple(_steps(square, JUMPS) for square in range(64))
KING = tuple(_steps(square, (*LINES, *DIAGONALS)) for square in range(64))
PAWN = tuple(tuple(_steps(square, ((-1, north), (1, north))) for square in range(64)) for north in (-1, 1))
"""Where a pawn takes: Black's, then White's."""
ALIGNED = tuple(frozenset(target for ray in rays for target in ray) for rays in RAYS)
"""For each square, those that share a line or a diagonal with it: only from there can a piece be pinned."""
SLIDES = {"B": range(4, 8), "R": range(4), "Q": range(8)}
RIGHTS = {0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k"}
"""The rights to castle that end when something leaves or reaches a square."""
CASTLES = (
    ("K", 4, (5, 6), (5, 6)),
    ("Q", 4, (1, 2, 3), (2, 3)),
    ("k", 60, (61, 62), (61, 62)),
    ("q", 60, (57, 58, 59), (58, 59)),
)
"""For each right: the king's square, those that must be empty, and those that must not be attacked."""
ROOKS = {(4, 6): (7, 5), (4, 2): (0, 3), (60, 62): (63, 61), (60, 58): (56, 59)}
"""Where the rook goes when the king castles."""


def attacked(squares: Sequence[str], square: int, by_white: bool) -> bool:
    """Whether a side attacks a square."""
    pawn, knight, bishop, rook, queen, king = SIDES[by_white]
    for origin in KNIGHT[square]:
        if squares[origin] == knight:
            return True
    for origin in PAWN[not by_white][square]:
        if squares[origin] == pawn:
            return True
    for origin in KING[square]:
        if squares[origin] == king:
            return True
    slider = rook
    for index, ray in enumerate(RAYS[square]):
        if index == 4:
            slider = bishop
        for origin in ray:
            piece = squares[origin]
            if piece != EMPTY:
                if piece in (slider, queen):
                    return True
                break
    return False


class ChessBoard:
    """Where everything stands, who is to move, and what castling and taking in passing are still open."""

    __slots__ = ("_checked", "_legal", "clock", "number", "passing", "rights", "squares", "white")

    def __init__(self, squares: str, white: bool, rights: str, passing: int, clock: int, number: int) -> None:
        self.squares = squares
        """A letter for each square, White's pieces in capitals."""
        self.white = white
        self.rights = rights
        """Of `KQkq` those that are left."""
        self.passing = passing
        """The square on which a pawn can be taken in passing, if a legal move does so; else -1."""
        self.clock = clock
        """Moves of either side since something was taken or a pawn moved."""
        self.number = number
        self._legal: list[int] | None = None
        self._checked: bool | None = None

    @classmethod
    def read(cls, fen: str) -> ChessBoard:
        """A board from FEN.

        Raises:
            ValueError: what is wrong with it, in words.
        """
        fields = fen.split()
        if not 2 <= len(fields) <= 6:
            raise ValueError("it has a board, a side, castling rights, a square and two counts, with blanks between")
        fields += ["-", "-", "0", "1"][len(fields) - 2 :]
        squares = _read_squares(fields[0])
        if fields[1] not in ("w", "b"):
            raise ValueError("the side to move is w or b")
        if not re.fullmatch(r"-|K?Q?k?q?", fields[2]) or not re.fullmatch(r"-|[a-h][36]", fields[3]):
            raise ValueError("castling rights are some of KQkq, and the square of passing is as e3; - stands for none")
        if not all(re.fullmatch(r"[0-9]{1,4}", count) for count in fields[4:]):
            raise ValueError("the counts are whole numbers")
        white = fields[1] == "w"
        stands = {"K": ("K", 4, "R", 7), "Q": ("K", 4, "R", 0), "k": ("k", 60, "r", 63), "q": ("k", 60, "r", 56)}
        for right in fields[2].strip("-"):
            king, at, rook, corner = stands[right]
            if squares[at] != king or squares[corner] != rook:
                raise ValueError(f"{right} among the castling rights needs king and rook on their first squares")
        if attacked(squares, squares.index("k" if white else "K"), white):
            raise ValueError("the side that is not to move is in check")
        board = cls(squares, white, fields[2].strip("-"), -1, int(fields[4]), max(1, int(fields[5])))
        if fields[3] != "-":
            board.passing = board._passing(NUMBERS[fields[3]])
        return board

    def fen(self) -> str:
        """The board in FEN; the square of passing is given where a legal move takes there."""
        passing = SQUARES[self.passing] if self.passing >= 0 else "-"
        return f"{self.place()} {'w' if self.white else 'b'} {self.rights or '-'} {passing} {self.clock} {self.number}"

    def place(self) -> str:
        """The pieces, as the first field of FEN has them."""
        rows = (self.squares[start : start + 8] for start in range(56, -1, -8))
        return re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(rows))

    def repeats(self) -> str:
        """Equal for boards that count as the same position repeated."""
        return f"{self.squares}{'w' if self.white else 'b'}{self.rights}{self.passing}"

    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        if self._checked is None:
            self._checked = attacked(self.squares, self.king(self.white), not self.white)
        return self._checked

    def king(self, white: bool) -> int:
        """The square of a king."""
        return self.squares.index("K" if white else "k")

    def pseudo(self) -> Iterator[int]:
        """The moves of the side to move, whether or not they leave its king in check; castling is checked in full."""
        squares, white = self.squares, self.white
        own = WHITE if white else BLACK
        for origin, piece in enumerate(squares):
            if piece not in own:
                continue
            kind = piece.upper()
            if kind == "P":
                yield from self._pawn(origin, own)
            elif kind == "N" or kind == "K":
                for target in (KNIGHT if kind == "N" else KING)[origin]:
                    if squares[target] not in own:
                        yield origin | target << 6
            else:
                rays = RAYS[origin]
                for way in SLIDES[kind]:
                    for target in rays[way]:
                        found = squares[target]
                        if found == EMPTY:
                            yield origin | target << 6
                            continue
                        if found not in own:
                            yield origin | target << 6
                        break
        yield from self._castling()

    def _pawn(self, origin: int, own: str) -> Iterator[int]:
        squares, white = self.squares, self.white
        ahead = 8 if white else -8
        targets = []
        if squares[origin + ahead] == EMPTY:
            targets.append(origin + ahead)
            if origin // 8 == (1 if white else 6) and squares[origin + 2 * ahead] == EMPTY:
                targets.append(origin + 2 * ahead)
        for target in PAWN[white][origin]:
            found = squares[target]
            if target == self.passing or (found != EMPTY and found not in own):
                targets.append(target)
        for target in targets:
            if target < 8 or target > 55:
                for kind in (4, 3, 2, 1):
                    yield origin | target << 6 | kind << 12
            else:
                yield origin | target << 6

    def _castling(self) -> Iterator[int]:
        for right, king, empty, safe in CASTLES:
            if right in self.rights and right.isupper() == self.white:
                free = all(self.squares[square] == EMPTY for square in empty)
                if free and not any(attacked(self.squares, square, not self.white) for square in (king, *safe)):
                    yield king | (king + (2 if right in "Kk" else -2)) << 6

    def legal(self) -> list[int]:
        """The legal moves of the side to move."""
        if self._legal is None:
            king, checked = self.king(self.white), self.in_check()
            near = ALIGNED[king]
            self._legal = []
            for move in self.pseudo():
                origin = move & 63
                # A piece that is on no line with its king can't expose it.
                risky = checked or origin == king or origin in near or move >> 6 & 63 == self.passing
                if not risky or self.safe(move):
                    self._legal.append(move)
        return self._legal

    def safe(self, move: int) -> bool:
        """Whether a pseudo-legal move leaves the own king out of check."""
        squares = self._moved(move)
        return not attacked(squares, squares.index("K" if self.white else "k"), not self.white)

    def takes(self, move: int) -> int:
        """The square of what a move takes, or -1."""
        origin, target = move & 63, move >> 6 & 63
        if self.squares[target] != EMPTY:
            return target
        if target == self.passing and self.squares[origin] in "Pp":
            return target + (-8 if self.white else 8)
        return -1

    def _moved(self, move: int) -> list[str]:
        origin, target, kind = move & 63, move >> 6 & 63, move >> 12
        squares = list(self.squares)
        piece = squares[origin]
        squares[origin] = EMPTY
        if target == self.passing and piece in "Pp":
            squares[target + (-8 if self.white else 8)] = EMPTY
        elif piece in "Kk" and (origin, target) in ROOKS:
            # Two squares at once: no king goes so far but in castling.
            corner, beside = ROOKS[origin, target]
            squares[corner], squares[beside] = EMPTY, squares[corner]
        squares[target] = piece if not kind else BECOMES[kind].upper() if self.white else BECOMES[kind]
        return squares

    def after(self, move: int) -> ChessBoard:
        """The board after a move."""
        origin, target = move & 63, move >> 6 & 63
        pawn = self.squares[origin] in "Pp"
        rights = self.rights
        if rights:
            gone = RIGHTS.get(origin, "") + RIGHTS.get(target, "")
            if gone:
                rights = "".join(right for right in rights if right not in gone)
        clock = 0 if pawn or self.squares[target] != EMPTY else self.clock + 1
        board = ChessBoard(
            "".join(self._moved(move)), not self.white, rights, -1, clock, self.number + (not self.white)
        )
        if pawn and abs(target - origin) == 16:
            board.passing = board._passing((origin + target) // 2)
        return board

    def _passing(self, square: int) -> int:
        """The square, if the side to move has a legal move that takes a pawn which has just passed it; else -1."""
        pawn = "P" if self.white else "p"
        behind = square + (-8 if self.white else 8)
        right_row = square // 8 == (5 if self.white else 2)
        if not right_row or self.squares[square] != EMPTY or self.squares[behind] != ("p" if self.white else "P"):
            return -1
        trial = ChessBoard(self.squares, self.white, self.rights, square, self.clock, self.number)
        origins = [origin for origin in PAWN[not self.white][square] if self.squares[origin] == pawn]
        return square if any(trial.safe(origin | square << 6) for origin in origins) else -1

    @classmethod
    def passed(cls, board: ChessBoard, square: int) -> ChessBoard:
        """The board, where the pawn that has just moved has passed this square."""
        made = cls(board.squares, board.white, board.rights, -1, board.clock, board.number)
        made.passing = made._passing(square)
        return made

    def bare(self) -> bool:
        """Whether nobody could mate, even helped: kings alone, with one knight, or with bishops of one colour."""
        rest = self.squares.replace("K", "").replace("k", "").replace(EMPTY, "")
        if len(rest) <= 1:
            return rest in ("", "N", "n", "B", "b")
        if rest.strip("Bb"):
            return False
        colours = {(square + square // 8) % 2 for square, piece in enumerate(self.squares) if piece in "Bb"}
        return len(colours) == 1

    def coordinates(self, move: int) -> str:
        """`e2e4`, `e1g1`, `e7e8q`: as programs write it."""
        return SQUARES[move & 63] + SQUARES[move >> 6 & 63] + BECOMES[move >> 12]

    def san(self, move: int) -> str:
        """`e4`, `Nbd7`, `exd8=Q+`, `O-O`: as people write it."""
        origin, target = move & 63, move >> 6 & 63
        kind = self.squares[origin].upper()
        if kind == "K" and (origin, target) in ROOKS:
            text = "O-O" if target > origin else "O-O-O"
        else:
            taking = "x" if self.takes(move) >= 0 else ""
            becomes = f"={BECOMES[move >> 12].upper()}" if move >> 12 else ""
            head = (SQUARES[origin][0] if taking else "") if kind == "P" else kind + self._apart(move)
            text = f"{head}{taking}{SQUARES[target]}{becomes}"
        board = self.after(move)
        return text + ("" if not board.in_check() else "+" if board.legal() else "#")

    def _apart(self, move: int) -> str:
        """What tells a piece from others of its kind that could go there: its file, its rank, or both."""
        origin, target = move & 63, move >> 6 & 63
        rivals = [
            other & 63
            for other in self.legal()
            if other >> 6 & 63 == target and other & 63 != origin and self.squares[other & 63] == self.squares[origin]
        ]
        if not rivals:
            return ""
        if all(rival % 8 != origin % 8 for rival in rivals):
            return SQUARES[origin][0]
        return SQUARES[origin][1] if all(rival // 8 != origin // 8 for rival in rivals) else SQUARES[origin]

    def spellings(self, move: int) -> Iterator[str]:
        """Every way to write a legal move without signs: with and without what tells pieces apart."""
        origin, target = move & 63, move >> 6 & 63
        kind, name = self.squares[origin].upper(), SQUARES[origin]
        if kind == "K" and (origin, target) in ROOKS:
            yield "OO" if target > origin else "OOO"
        tail = SQUARES[target] + BECOMES[move >> 12].upper()
        if kind == "P":
            yield f"{name[0]}{tail}" if self.takes(move) >= 0 else tail
            yield f"{name}{tail}"
            yield f"P{name}{tail}"
        else:
            yield from (f"{kind}{apart}{tail}" for apart in ("", name[0], name[1], name))
            yield f"{name}{tail}"


def _read_squares(place: str) -> str:
    rows = place.split("/")
    if len(rows) != 8:
        raise ValueError("the board has eight rows with / between them")
    if not re.fullmatch(r"[1-8PNBRQKpnbrqk/]+", place):
        raise ValueError("the rows are made of PNBRQK, pnbrqk and counts of empty squares")
    full = [re.sub(r"[1-8]", lambda count: EMPTY * int(count[0]), row) for row in rows]
    if any(len(row) != 8 for row in full):
        raise ValueError("every row has eight squares")
    squares = "".join(reversed(full))
    if squares.count("K") != 1 or squares.count("k") != 1:
        raise ValueError("each side has one king")
    if re.search(r"[Pp]", squares[:8] + squares[56:]):
        raise ValueError("no pawn stands on the first or the last row")
    return squares


def normalise(text: str) -> str:
    """A typed move without the signs that add nothing: takes, checks, opinions, dashes."""
    plain = re.sub(r"(?i)e\.?p\.?$", "", text.strip())
    plain = re.sub(r"[\sx:=+#!?().-]", "", plain.replace("0", "O"))
    return re.sub(r"(?i)^o{2,3}$", lambda castle: castle[0].upper(), plain)
