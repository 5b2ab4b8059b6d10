"""Pictures of a state: boards are found among the facts and drawn; the rest is listed tidily.

A board is a relation such as `(cell 1 2 x)`, or `(piece x 1 2)`: two of its arguments are coordinates, the
third says what stands there, and no place holds two things. Which relations are boards is decided
once, from all facts that were ever seen or can hold, so that a picture keeps its size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ggtp.game.picture import EMPTY, Cell, Grid, Note, Part, Picture, Tone
from ggtp.gdl.language.syntax import Compound, Term

BLANKS = frozenset({"b", "blank", "empty", "e", "nil", "none", "dirt", "clear"})
PLAINLY_BLANK = frozenset({"blank", "empty", "nil", "none"})
TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth", "fifth", "sixth")
LETTERS = 2
"""How much of a content's name is shown."""
FILLED = 4
FILLED_MARKS = 3
"""Of a board at least one part in so many is used some time; where facts only mark places, more of it."""
SHOWN = 12
"""How many steps of a player's log are drawn, and how many moves are named below them."""
HOLE = Cell(" ", "empty")
MOST_PLACES = 1024
"""Larger boards are listed: no terminal shows them."""


@dataclass(frozen=True, slots=True)
class Board:
    """A relation that is a board: its name and the coordinates that occur, in order."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    contents: bool
    """Whether a third argument says what stands there; without it, a fact marks its place."""
    blank: str = ""
    """What stands on an empty place, if anything does: the most frequent content, if it is called like nothing."""
    holes: frozenset[tuple[str, str]] = frozenset()
    """Places of the rectangle that are none: nothing ever stands there, though something does everywhere else."""
    first: int = 0
    """Which argument is the column; the row follows it."""

    def place(self, fact: Compound) -> tuple[str, str]:
        """Where a fact of the relation says that something stands."""
        return str(fact.args[self.first]), str(fact.args[self.first + 1])

    def content(self, fact: Compound) -> str:
        """What it says that stands there."""
        return str(fact.args[2 if self.first == 0 else 0])


def find_boards(facts: Iterable[Term], initial: Iterable[Term]) -> tuple[Board, ...]:
    """The boards among all facts that may hold, the largest first; what is blank is seen in the initial state."""
    start, relations = _relations(initial), _relations(facts)
    boards = []
    for (name, arity), group in relations.items():
        board = _board(name, arity, 0, group, start[name, 3])
        if board is None and arity == 3:
            board = _board(name, arity, 1, group, start[name, 3])
        if board is not None:
            boards.append(board)
    return tuple(sorted(boards, key=lambda board: -len(board.columns) * len(board.rows)))


def _relations(facts: Iterable[Term]) -> dict[tuple[str, int], list[Compound]]:
    by_relation: dict[tuple[str, int], list[Compound]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Compound) and len(fact.args) in (2, 3):
            by_relation[fact.name, len(fact.args)].append(fact)
    return by_relation


def _board(name: str, arity: int, first: int, facts: list[Compound], start: list[Compound]) -> Board | None:
    columns = _axis({str(fact.args[first]) for fact in facts})
    rows = _axis({str(fact.args[first + 1]) for fact in facts})
    if columns is None or rows is None or len(columns) * len(rows) > MOST_PLACES:
        return None
    found = Board(name, columns, rows, arity == 3, first=first)
    places = set(map(found.place, facts))
    filled = set(map(found.place, start))
    # Where the content comes first, this is what tells a board from any other three arguments.
    if first and not 0 < len(filled) == len(start):
        return None
    # A relation that happens to have two ordered arguments fills little of the rectangle.
    if (FILLED if arity == 3 else FILLED_MARKS) * len(places) < len(columns) * len(rows):
        return None
    # Who lists pieces leaves empty places out.
    whole = arity == 3 and first == 0 and filled == places
    holes = frozenset(product(columns, rows)) - places if whole else frozenset()
    return replace(found, blank=_blank(Counter(map(found.content, start))), holes=holes)


def _blank(contents: Counter[str]) -> str:
    """What is called like nothing: the most frequent content, or one whose name says it plainly."""
    ranked = [content for content, _ in contents.most_common()]
    if ranked and ranked[0] in BLANKS:
        return ranked[0]
    return next((content for content in ranked if content in PLAINLY_BLANK), "")


def _axis(values: Collection[str]) -> tuple[str, ...] | None:
    """Coordinates in order, without gaps: whole numbers, or single letters; None for anything else."""
    if len(values) < 2:
        return None
    if all(value.isascii() and value.isdigit() and len(value) < 5 for value in values):
        numbers = sorted(int(value) for value in values)
        return tuple(str(number) for number in range(numbers[0], numbers[-1] + 1))
    if all(len(value) == 1 and "a" <= value <= "z" for value in values):
        return tuple(chr(code) for code in range(ord(min(values)), ord(max(values)) + 1))
    return None


def draw(facts: Collection[Term], boards: tuple[Board, ...], roles: tuple[str, ...]) -> Picture:
    """The boards, then every other fact, a line for each relation."""
    parts: list[Part] = []
    drawn: set[Term] = set()
    for board in boards:
        parts.append(_grid(facts, board, roles, drawn))
    parts += _notes([fact for fact in facts if fact not in drawn])
    return Picture(tuple(parts) or (Note("nothing holds", "muted"),))


def _grid(facts: Collection[Term], board: Board, roles: tuple[str, ...], drawn: set[Term]) -> Grid:
    stands: dict[tuple[str, str], Cell] = {}
    arity = 3 if board.contents else 2
    for fact in sorted(facts, key=str):  # where two stand on a place, always the same one is seen
        if isinstance(fact, Compound) and fact.name == board.name and len(fact.args) == arity:
            drawn.add(fact)
            content = _cell(board.content(fact), board.blank, roles) if board.contents else Cell("#", "plain")
            stands[board.place(fact)] = content
    stands.update((place, HOLE) for place in board.holes)
    rows = tuple(tuple(stands.get((column, row), EMPTY) for column in board.columns) for row in reversed(board.rows))
    return Grid(rows, columns=board.columns, row_labels=tuple(reversed(board.rows)))


def _cell(content: str, blank: str, roles: tuple[str, ...]) -> Cell:
    if content == blank:
        return EMPTY
    tone: Tone = "plain"
    for index, role in enumerate(roles[: len(TONES)]):
        # Pieces are commonly called like their owner, in full or by its first letter: white, wp, w.
        if content == role or content.startswith(role) or content[0] == role[0]:
            tone = TONES[index]
            break
    return Cell(content[0].upper() if content in roles else content[:LETTERS], tone)


def _notes(facts: Iterable[Term]) -> list[Note]:
    by_relation: Mapping[str, list[str]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Compound):
            by_relation[fact.name].append(" ".join(str(arg) for arg in fact.args))
        else:
            by_relation[str(fact)].append("")
    return [
        Note(f"{name}: {', '.join(sorted(values))}" if any(values) else name, "muted")
        for name, values in sorted(by_relation.items())
    ]


def draw_log(log: Sequence[str], idle: Collection[str], moves: Sequence[str], player: str) -> Picture:
    """What a player who sees only a part of the game has done and perceived, the latest last, and what it may do now.

    Args:
        log: for every step the player's move, and its percepts in square brackets behind it.
        idle: moves that are none.
        moves: what the player may do; nothing where it is not its turn.
        player: whose log it is.
    """
    lines = []
    for number, entry in enumerate(log, start=1):
        move, _, percepts = entry.removesuffix("]").partition(" [")
        words = [move] if move not in idle else []
        words += [f"sees {', '.join(terms_in(percepts))}"] if percepts else []
        if words:
            lines.append(f"{number:3} {'; '.join(words)}")
    notes = [Note(line) for line in lines[-SHOWN:]] or [Note("nothing has been seen yet", "muted")]
    if len(lines) > SHOWN:
        notes.insert(0, Note(f"{len(lines) - SHOWN} earlier steps", "muted"))
    some = ", ".join(moves[:SHOWN]) + (" and so on" if len(moves) > SHOWN else "")
    return Picture((*notes, Note(f"{player} may {some}" if moves else f"{player} waits", "mark")))


def terms_in(text: str) -> list[str]:
    """The terms of a text one after the other, without their outer parentheses."""
    found: list[str] = []
    depth = begin = 0
    for index, char in enumerate(f"{text} "):
        depth += (char == "(") - (char == ")")
        if char == " " and not depth:
            term = text[begin:index]
            found += [term[1:-1] if term.startswith("(") else term] if term else []
            begin = index + 1
    return found
