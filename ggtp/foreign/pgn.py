"""Portable Game Notation: games of chess written and read, and the positions of EPD and FEN lists.

Games are written in SAN with numbers and a comment behind each move that has one. A line is broken between moves alone,
as fastchess does it, so that whoever looks for comments finds them whole. The main line is read; comments,
variations, assessments and numbers are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.game.building.chessboard import NUMBERS, START, ChessBoard, normalise

WIDTH = 80
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_TAG = re.compile(r'\s*\[\s*(\w+)\s*"((?:\\.|[^"\\])*)"\s*\]')
_WORD = re.compile(
    r"(?P<skip>\s+|\{[^}]*\}|;[^\n]*|(?<![^\n])%[^\n]*|\$[0-9]+|[0-9]+\.*(?=[\s.a-zA-Z])\.*|\.+|[!?]+)"
    r"|(?P<open>\()|(?P<close>\))|(?P<result>1-0|0-1|1/2-1/2|\*)|(?P<move>[A-Za-z][A-Za-z0-9+#=:/@-]*[!?]*|0-0(?:-0)?[+#]?)"
)


class PgnError(Exception):
    """No game, or no position, that can be followed; the text says where and why."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game: its tags, and its main line."""

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    """As they are in the record, `Nf3`; `coordinates` makes `g1f3` of them."""
    line: int = 1
    """Where it begins in its file."""

    @property
    def start(self) -> str:
        """The position that it begins from, in Forsyth-Edwards notation."""
        return self.tags.get("FEN", START)

    def coordinates(self, most: int = 0) -> tuple[str, ...]:
        """The moves as `e2e4`, at most so many of them; 0 for all.

        Raises:
            PgnError: a move is not legal, or the position is none.
        """
        try:
            board = ChessBoard.read(self.start)
        except ValueError as error:
            raise PgnError(f"the game in line {self.line} has no position that can be read: {error}") from None
        found = []
        for text in self.moves[: most or None]:
            typed = normalise(text)
            square = re.search(r"[a-h][1-8](?=[NBRQ]?$)", typed)
            wanted = -1 if square is None else NUMBERS[square[0]]
            near = [move for move in board.pseudo() if wanted in (-1, move >> 6 & 63)]
            # Few moves are spelled so: only they are worth a look at what they leave in check.
            meant = [move for move in near if typed in board.spellings(move) and board.safe(move)]
            if len(meant) != 1:
                raise PgnError(f"the game in line {self.line} has no legal move {text} in {board.fen()}")
            found.append(board.coordinates(meant[0]))
            board = board.after(meant[0])
        return tuple(found)


def write_pgn(tags: Mapping[str, str], moves: Sequence[str], comments: Sequence[str], result: str) -> str:
    """A game, with an empty line behind it.

    Args:
        tags: what stands before the game; `FEN` is where it begins.
        moves: as `e2e4`.
        comments: one for each move, empty where there is none.
        result: one of `RESULTS`.

    Raises:
        ValueError: a move is not legal, or the position is none.
    """
    board = ChessBoard.read(tags.get("FEN", START))
    words: list[str] = []
    numbered = False
    for text, comment in zip(moves, comments, strict=True):
        named = {board.coordinates(move): move for move in board.legal()}
        if text not in named:
            raise ValueError(f"{text} is not legal in {board.fen()}")
        word = board.san(named[text])
        if board.white or not numbered:
            word = f"{board.number}{'.' if board.white else '...'} {word}"
        if comment:
            word += f" {{{' '.join(comment.split()).replace('}', ')')}}}"
        numbered = True
        words.append(word)
        board = board.after(named[text])
    heads = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*heads, "", *_lines([*words, result]), "", ""])


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _lines(words: Sequence[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


def read_pgn(text: str) -> Iterator[PgnGame]:
    """The games of a file, in order. Their moves are not looked at yet.

    Raises:
        PgnError: something is no part of a game.
    """
    place = known = 0
    line = 1
    text = text.removeprefix("\ufeff")
    while (place := _blank(text, place)) < len(text):
        line, known = line + text.count("\n", known, place), place
        tags = {}
        while (tag := _TAG.match(text, place)) is not None:
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
            place = tag.end()
        moves, place = _movetext(text, place)
        if tags or moves:
            yield PgnGame(tags, moves, line)


def _blank(text: str, place: int) -> int:
    """Where what is not blank begins."""
    found = re.compile(r"(?:\s+|(?<![^\n])%[^\n]*)*").match(text, place)
    return place if found is None else found.end()


def _movetext(text: str, place: int) -> tuple[tuple[str, ...], int]:
    """The main line from there on, and where it ends: behind a result, or before the tags of the next game."""
    moves: list[str] = []
    depth = 0
    while place < len(text):
        if text[place] == "[" and not depth:
            break
        found = _WORD.match(text, place)
        if found is None:
            line = text.count("\n", 0, place) + 1
            raise PgnError(f"line {line} has {text[place : place + 12].split()[0]!r}, which is no part of a game")
        place = found.end()
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "result" if not depth:
                break
            case "move" if not depth:
                moves.append(found["move"])
            case _:
                pass
    return tuple(moves), place


def read_positions(text: str) -> Iterator[tuple[str, str]]:
    """The positions of a list of FEN or EPD, a line each: a name, which may be empty, and FEN.

    Raises:
        PgnError: a line has none.
    """
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        plain = line.strip()
        if not plain or plain.startswith("#"):
            continue
        fields = plain.split(None, 4)
        head, rest = fields[:4], fields[4] if len(fields) > 4 else ""
        counts = re.match(r"([0-9]+)\s+([0-9]+)\s*(?:;|$|(?=[a-zA-Z]))", rest)
        operations = dict(re.findall(r'(\w+)\s+("[^"]*"|[^;]*);', rest[counts.end() :] if counts else rest))
        halfmoves, moves = counts.groups() if counts else (operations.get("hmvc", "0"), operations.get("fmvn", "1"))
        try:
            fen = ChessBoard.read(" ".join((*head, halfmoves.strip(), moves.strip()))).fen()
        except ValueError as error:
            raise PgnError(f"line {number} has no position that can be read: {error}") from None
        yield operations.get("id", "").strip('"'), fen
