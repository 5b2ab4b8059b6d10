"""Pictures of a state: boards are found among the facts and drawn; the rest is listed tidily.

A board is a relation such as `(cell 1 2 x)`: two of its arguments are coordinates, the third
says what stands there, and no place holds two things. Which relations are boards is decided
once, from all facts that were ever seen or can hold, so that a picture keeps its size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from ggtp.game.picture import EMPTY, Cell, Grid, Note, Part, Picture, Tone
from ggtp.gdl.syntax import Compound, Term

BLANKS = frozenset({"b", "blank", "empty", "e", "nil", "none", "dirt", "clear"})
PLAINLY_BLANK = frozenset({"blank", "empty", "nil", "none"})
TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth", "fifth", "sixth")
LETTERS = 2
"""How much of a content's name is shown."""
FILLED = 4
FILLED_MARKS = 3
"""Of a board at least one part in so many is used some time; where facts only mark places, more of it."""
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


def find_boards(facts: Iterable[Term], initial: Iterable[Term]) -> tuple[Board, ...]:
    """The boards among all facts that may hold, the largest first; what is blank is seen in the initial state."""
    contents: dict[str, Counter[str]] = defaultdict(Counter)
    filled: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for fact in initial:
        if isinstance(fact, Compound) and len(fact.args) == 3:
            contents[fact.name][str(fact.args[2])] += 1
            filled[fact.name].add((str(fact.args[0]), str(fact.args[1])))
    by_relation: dict[tuple[str, int], list[Compound]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Compound) and len(fact.args) in (2, 3):
            by_relation[fact.name, len(fact.args)].append(fact)
    boards = [
        board
        for (name, arity), group in by_relation.items()
        if (board := _board(name, arity, group, contents[name], filled[name])) is not None
    ]
    return tuple(sorted(boards, key=lambda board: -len(board.columns) * len(board.rows)))


def _board(
    name: str, arity: int, facts: list[Compound], contents: Counter[str], filled: set[tuple[str, str]]
) -> Board | None:
    columns = _axis({str(fact.args[0]) for fact in facts})
    rows = _axis({str(fact.args[1]) for fact in facts})
    if columns is None or rows is None or len(columns) * len(rows) > MOST_PLACES:
        return None
    places = {(str(fact.args[0]), str(fact.args[1])) for fact in facts}
    # A relation that happens to have two ordered arguments fills little of the rectangle.
    if (FILLED if arity == 3 else FILLED_MARKS) * len(places) < len(columns) * len(rows):
        return None
    holes = frozenset(product(columns, rows)) - places if arity == 3 and filled == places else frozenset()
    return Board(name, columns, rows, arity == 3, _blank(contents), holes)


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
            place = (str(fact.args[0]), str(fact.args[1]))
            stands[place] = _cell(str(fact.args[2]), board.blank, roles) if board.contents else Cell("#", "plain")
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
