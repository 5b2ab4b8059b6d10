"""Features for people: some of each kind and level, in words, with a small board where there is one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ggtp.game.picture import Cell, Grid, Picture
from ggtp.gdl.parse import parse_term
from ggtp.gdl.picture import Board, draw, find_boards
from ggtp.gdl.syntax import Compound, Term

if TYPE_CHECKING:
    from ggtp.gdl.network import Network
    from ggtp.search.gifl_features import Feature, FeatureSet

ANYTHING = "-"
NOT = "!"
TARGET = "*"
LEGEND = (
    f"On boards: {ANYTHING} whatever there is, . nothing, x this, {NOT}x anything but this, "
    f"{TARGET} where the move goes."
)


def report(name: str, features: FeatureSet, network: Network, most: int) -> list[str]:
    """How many there are, and the most frequent ones of each kind and level, at most so many in all."""
    from ggtp.search.gifl_features import Kind

    numbers = ", ".join(f"{features.number(kind)} {kind}" for kind in Kind)
    start = [parse_term(network.facts[fact]) for fact in network.initial]
    boards = find_boards(map(parse_term, network.facts), start)
    single = tuple(board for board in boards if _holds_one(board, start))
    groups: dict[tuple[Kind, int], list[tuple[Feature, int]]] = {}
    for feature, count in features:
        groups.setdefault((feature.kind, feature.level), []).append((feature, count))
    told = shares([len(group) for group in groups.values()], most)
    lines, drawn = [], False
    for group, few in zip(groups.values(), told, strict=True):
        lines += ["", _heading(group[0][0], len(group), few)]
        for feature, count in group[:few]:
            board = small_board(feature, network, boards, single)
            lines += ["", *words(feature, count, network, single), *board]
            drawn = drawn or bool(board)
    if len(features) > sum(told):
        lines += ["", f"{len(features) - sum(told)} more are not shown; --most N shows more, --json all."]
    head = f"{name}: {len(features)} features ({numbers}) of {features.walks} random games"
    return [head, *([LEGEND] if drawn else []), *lines]


def shares(sizes: Sequence[int], most: int) -> list[int]:
    """How many of each group are told: as many of each as there are places for, those of small groups for others."""
    told = [0] * len(sizes)
    while most and told != list(sizes):
        for index, size in enumerate(sizes):
            if most and told[index] < size:
                told[index] += 1
                most -= 1
    return told


def _heading(feature: Feature, number: int, told: int) -> str:
    what = purpose(feature)
    worth = f"({feature.kind}, level {feature.level}, value {feature.value:g})"
    few = f"here the {told} most frequent" if told > 1 else "here the most frequent" if told else "none of them here"
    here = "" if told == number else f", {few}"
    return f"{what[0].upper()}{what[1:]} {worth}: {number} feature{'s' * (number > 1)}{here}"


def purpose(feature: Feature) -> str:
    """What its move does."""
    from ggtp.search.gifl_features import Kind

    return {
        (Kind.OFFENSIVE, False): "wins at once",
        (Kind.OFFENSIVE, True): "prepares a win",
        (Kind.DEFENSIVE, False): "prevents a loss at once",
        (Kind.DEFENSIVE, True): "prevents what prepares a loss",
        (Kind.AVOIDING, False): "loses at once, or lets the other one win",
        (Kind.AVOIDING, True): "prepares a loss, or lets the other one prepare a win",
    }[feature.kind, bool(feature.level)]


def words(feature: Feature, count: int, network: Network, single: tuple[Board, ...] = ()) -> list[str]:
    """A feature in words; on boards on which no place holds two things, it goes without saying that nothing else
    stands where something does."""
    far = f", level {feature.level}" if feature.level else ""
    seen = "once" if count == 1 else f"{count} times"
    move = network.moves[feature.role][feature.move]
    lines = [f"{network.roles[feature.role]} {move} {purpose(feature)}{far} (value {feature.value:g}, seen {seen})"]
    held = facts(feature.all, network, holding=True)
    absent = _telling(held, facts(feature.all, network, holding=False), single)
    if held:
        lines.append(f"  if {' and '.join(held)}")
    if absent:
        lines.append(f"  unless {' or '.join(absent)}")
    return lines


def facts(literals: Iterable[int], network: Network, *, holding: bool) -> list[str]:
    """The facts that must hold, or must not."""
    return [network.facts[literal >> 1] for literal in sorted(literals) if bool(literal & 1) != holding]


def _holds_one(board: Board, start: Iterable[Term]) -> bool:
    """Whether no place of a board holds two things, as far as the start of the game tells."""
    places = [square[1] for term in start if (square := _square(term, (board,))) is not None]
    return len(places) == len(set(places))


def _telling(held: Iterable[str], absent: Iterable[str], single: tuple[Board, ...]) -> list[str]:
    """Of what must not hold, all but what can't where something else stands."""
    taken = {_square(parse_term(text), single) for text in held} - {None}
    return [text for text in absent if _square(parse_term(text), single) not in taken]


def _square(term: Term, boards: tuple[Board, ...]) -> tuple[Board, tuple[str, str]] | None:
    """On which board, and where on it, a fact says that something stands."""
    for board in boards:
        if isinstance(term, Compound) and term.name == board.name and len(term.args) == 2 + board.contents:
            return board, board.place(term)
    return None


def small_board(
    feature: Feature, network: Network, boards: tuple[Board, ...], single: tuple[Board, ...]
) -> list[str]:  # fmt: skip
    """What must hold and what must not, and where the move goes, as far as it can be drawn."""
    held = facts(feature.all, network, holding=True)
    absent = _telling(held, facts(feature.all, network, holding=False), single)
    signs: dict[Board, dict[tuple[str, str], str]] = {}
    for texts, holding in ((held, True), (absent, False)):
        for term in map(parse_term, texts):
            if (square := _square(term, boards)) is not None:
                board, place = square
                sign = _sign(term, board, place, network.roles)
                before = signs.setdefault(board, {}).get(place, "")
                signs[board][place] = before + ("" if holding or NOT in before else NOT) + sign
    move = parse_term(network.moves[feature.role][feature.move])
    goes = next((found for board in signs if (found := _target(move, board)) is not None), None)
    grids = []
    for board in (board for board in boards if board in signs):
        if goes is not None and goes[0] == board:
            signs[board][goes[1]] = signs[board].get(goes[1], ANYTHING) + TARGET
        grids.append(_grid(board, signs[board]))
    return [f"    {line}".rstrip() for line in Picture(tuple(grids)).plain(ascii_only=True)]


def _sign(term: Term, board: Board, place: tuple[str, str], roles: tuple[str, ...]) -> str:
    """What pictures of the game write where a fact holds."""
    (grid,) = draw([term], (board,), roles).parts
    assert isinstance(grid, Grid)
    cell = grid.rows[len(board.rows) - 1 - board.rows.index(place[1])][board.columns.index(place[0])]
    return cell.ascii or cell.text


def _target(move: Term, board: Board) -> tuple[Board, tuple[str, str]] | None:
    """The last place of a board among a move's arguments: those that name two go from the first to the last."""
    names = [str(arg) for arg in move.args] if isinstance(move, Compound) else []
    for place in reversed(list(pairwise(names))):
        if place[0] in board.columns and place[1] in board.rows and place not in board.holes:
            return board, place
    return None


def _grid(board: Board, signs: dict[tuple[str, str], str]) -> Grid:
    def cell(column: str, row: str) -> Cell:
        hole = (column, row) in board.holes
        return Cell(" " if hole else signs.get((column, row), ANYTHING))

    rows = tuple(tuple(cell(column, row) for column in board.columns) for row in reversed(board.rows))
    return Grid(rows, columns=board.columns, row_labels=tuple(reversed(board.rows)))
