"""Features for people: some of each kind and level, in words, with a small board where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from ggtp.game.picture import EMPTY, Cell, Grid, Picture
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Compound, Term
from ggtp.gdl.network.network import Network
from ggtp.gdl.play.picture import Board, draw, find_boards
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.telling import Group, facts, groups

ANYTHING = "-"
NOT = "!"
TARGET = "*"
LEGEND = (
    f"On boards: {ANYTHING} anything, {EMPTY.text} nothing, x this, {NOT}x not this, {NOT} not what the words name, "
    f"{TARGET} where the move goes."
)
MOST_SIGNS = 2
"""Where more things than that must not stand, only the words name them."""

Square: TypeAlias = tuple[Board, tuple[str, str]]
"""A board, and a place on it."""


class Scene(NamedTuple):
    """The boards of a game."""

    boards: tuple[Board, ...]
    single: tuple[Board, ...]
    """Those on which no place holds two things, as far as the start of the game tells."""
    men: dict[Square, set[str]]
    """All that may stand on a place, but for what means that it is empty."""


def scene(network: Network) -> Scene:
    """What there is to draw on."""
    terms = [parse_term(text) for text in network.facts]
    start = [terms[fact] for fact in network.initial]
    boards = find_boards(terms, start)
    men: dict[Square, set[str]] = {}
    for text, term in zip(network.facts, terms, strict=True):
        square = _square(term, boards)
        if square is not None and isinstance(term, Compound):
            board = square[0]
            blank = board.contents and board.blank and board.content(term) == board.blank
            men.setdefault(square, set()).update(() if blank else (text,))
    return Scene(boards, tuple(board for board in boards if _holds_one(board, start)), men)


def report(name: str, features: FeatureSet, network: Network, most: int) -> list[str]:
    """How many there are, and the most frequent ones of each kind and level, at most so many in all."""
    numbers = ", ".join(f"{features.number(kind)} {kind}" for kind in Kind)
    drawing = scene(network)
    told, drawn = 0, False
    lines = []
    for group in groups(features, most):
        told += group.told
        lines += ["", _heading(group)]
        for feature, count in group.features[: group.told]:
            board = small_board(feature, network, drawing)
            lines += ["", *words(feature, count, network, drawing), *board]
            drawn = drawn or bool(board)
    if len(features) > told:
        lines += ["", f"{len(features) - told} more are not shown; --most N shows more, --json all."]
    head = f"{name}: {len(features)} features ({numbers}) of {features.walks} random games"
    return [head, *([LEGEND] if drawn else []), *lines]


def _heading(group: Group) -> str:
    feature, number, told = group.features[0][0], len(group.features), group.told
    what = purpose(feature)
    worth = f"({feature.kind}, level {feature.level}, value {feature.value:g})"
    few = f"here the {told} most frequent" if told > 1 else "here the most frequent" if told else "none of them here"
    here = "" if told == number else f", {few}"
    return f"{what[0].upper()}{what[1:]} {worth}: {number} feature{'s' * (number > 1)}{here}"


def purpose(feature: Feature) -> str:
    """What its move does."""
    return {
        (Kind.OFFENSIVE, False): "wins at once",
        (Kind.OFFENSIVE, True): "prepares a win",
        (Kind.DEFENSIVE, False): "prevents a loss at once",
        (Kind.DEFENSIVE, True): "prevents what prepares a loss",
        (Kind.AVOIDING, False): "loses at once, or lets the other one win",
        (Kind.AVOIDING, True): "prepares a loss, or lets the other one prepare a win",
    }[feature.kind, bool(feature.level)]


def words(feature: Feature, count: int, network: Network, drawing: Scene) -> list[str]:
    """A feature in words; on boards on which no place holds two things, it goes without saying that nothing else
    stands where something does."""
    far = f", level {feature.level}" if feature.level else ""
    seen = "once" if count == 1 else f"{count} times"
    move = network.moves[feature.role][feature.move]
    lines = [f"{network.roles[feature.role]} {move} {purpose(feature)}{far} (value {feature.value:g}, seen {seen})"]
    held = facts(feature.all, network, holding=True)
    absent = _telling(held, facts(feature.all, network, holding=False), drawing.single)
    if held:
        lines.append(f"  if {' and '.join(held)}")
    if absent:
        lines.append(f"  unless {' or '.join(absent)}")
    return lines


def _holds_one(board: Board, start: Iterable[Term]) -> bool:
    """Whether no place of a board holds two things, as far as the start of the game tells."""
    places = [square[1] for term in start if (square := _square(term, (board,))) is not None]
    return len(places) == len(set(places))


def _telling(held: Iterable[str], absent: Iterable[str], single: tuple[Board, ...]) -> list[str]:
    """Of what must not hold, all but what can't where something else stands."""
    taken = {_square(parse_term(text), single) for text in held} - {None}
    return [text for text in absent if _square(parse_term(text), single) not in taken]


def _square(term: Term, boards: tuple[Board, ...]) -> Square | None:
    """On which board, and where on it, a fact says that something stands."""
    for board in boards:
        if isinstance(term, Compound) and term.name == board.name and len(term.args) == 2 + board.contents:
            return board, board.place(term)
    return None


def small_board(feature: Feature, network: Network, drawing: Scene) -> list[str]:
    """What must hold and what must not, and where the move goes, as far as it can be drawn."""
    held = facts(feature.all, network, holding=True)
    absent = _telling(held, facts(feature.all, network, holding=False), drawing.single)
    stands, missing = (_by_square(texts, drawing.boards) for texts in (held, absent))
    signs: dict[Board, dict[tuple[str, str], str]] = {}
    for square in {**stands, **missing}:
        board, place = square
        wanted = "".join(_sign(text, square, network.roles) for text in stands.get(square, ()))
        if (not_there := missing.get(square)) is not None:
            few = "".join(_sign(text, square, network.roles) for text in not_there[:MOST_SIGNS])
            few = few if len(not_there) <= MOST_SIGNS else ""
            wanted += EMPTY.text if not wanted and drawing.men[square] <= {*not_there} else f"{NOT}{few}"
        signs.setdefault(board, {})[place] = wanted
    used = [board for board in drawing.boards if board in signs]
    move = parse_term(network.moves[feature.role][feature.move])
    for board in used:
        if (place_to := _target(move, board)) is not None:
            signs[board][place_to] = signs[board].get(place_to, ANYTHING) + TARGET
            break
    grids = Picture(tuple(_grid(board, signs[board]) for board in used))
    return [f"    {line}".rstrip() for line in grids.plain(ascii_only=True)]


def _by_square(texts: Iterable[str], boards: tuple[Board, ...]) -> dict[Square, list[str]]:
    found: dict[Square, list[str]] = {}
    for text in texts:
        if (square := _square(parse_term(text), boards)) is not None:
            found.setdefault(square, []).append(text)
    return found


def _sign(text: str, square: Square, roles: tuple[str, ...]) -> str:
    """What pictures of the game write where a fact holds."""
    board, place = square
    (grid,) = draw([parse_term(text)], (board,), roles).parts
    assert isinstance(grid, Grid)
    cell = grid.rows[len(board.rows) - 1 - board.rows.index(place[1])][board.columns.index(place[0])]
    return cell.ascii or cell.text


def _target(move: Term, board: Board) -> tuple[str, str] | None:
    """The last place of a board among a move's arguments: those that name two go from the first to the last."""
    names = [str(arg) for arg in move.args] if isinstance(move, Compound) else []
    for place in reversed(list(pairwise(names))):
        if place[0] in board.columns and place[1] in board.rows and place not in board.holes:
            return place
    return None


def _grid(board: Board, signs: dict[tuple[str, str], str]) -> Grid:
    def cell(column: str, row: str) -> Cell:
        hole = (column, row) in board.holes
        return Cell(" " if hole else signs.get((column, row), ANYTHING))

    rows = tuple(tuple(cell(column, row) for column in board.columns) for row in reversed(board.rows))
    return Grid(rows, columns=board.columns, row_labels=tuple(reversed(board.rows)))
