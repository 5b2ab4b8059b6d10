"""Whose pieces there are in a game, and how far they have come: found without knowing any name."""

from __future__ import annotations

import re
from typing import cast

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.search.evaluation.learning import Lesson, Lessons
from ggtp.search.evaluation.pieces import ADVANCE, PIECE, TRUST, Pieces, Watched, find_pieces, kinds_of, learn_pieces

FACTS = [f"(at {x} {piece})" for piece in ("mine", "yours") for x in "abcd"] + ["(turn one)"]
"""Four squares for the pieces of two players, and whose turn it is."""


def watched(name: str) -> Pieces | None:
    work = learn_pieces(compiled(name).state_kernel(), 1)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cast("Pieces | None", end.value)


def lesson_of(name: str) -> Lesson | None:
    game = compiled(name)
    kernel = game.best().twin()
    kernel.seed(1)
    return Lessons(game.state_kernel(), 1, kernel).learn(lambda: False)


def seen(changing: float, made_by_other: int = 0, moving: bool = True) -> Watched:
    """Games in which the first player's moves make the first four facts, and so many others; and pieces are lost.

    In the last moves they go from one square to another, or only come.
    """
    found = Watched(len(FACTS))
    found.made[0, :4] = 100
    found.made[1, 4:8] = 100
    found.made[1, :4] = made_by_other
    found.first[:] = [0, 1, 2, 4, 4, 2, 1, 0, 0]
    moves = 1000
    before = np.zeros((moves, len(FACTS)), np.uint8)
    before[:, [0, 1, 6, 7]] = 1
    after = before.copy()
    after[: round(changing * moves), [1, 6]] = 0
    after[-50:, [2, 5]] = 1
    if moving:
        after[-50:, [0, 7]] = 0
    found.before, found.after = [before], [after]
    return found


def test_facts_are_of_a_kind_by_each_of_their_arguments() -> None:
    kinds = kinds_of(FACTS)
    assert kinds.keys() == {("at", 2, 0), ("at", 2, 1)}, "one argument alone has no kin"
    assert kinds["at", 2, 1] == {"mine": [0, 1, 2, 3], "yours": [4, 5, 6, 7]}


def test_pieces_are_whose_moves_make_them() -> None:
    pieces = find_pieces(FACTS, seen(0.1))
    assert pieces is not None
    assert pieces.owners.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, -1]
    assert pieces.way[:8].tolist() == [0.0, 0.25, 0.5, 1.0, 1.0, 0.5, 0.25, 0.0]


def test_a_piece_that_has_come_far_is_worth_more_and_a_foreign_one_less_than_nothing() -> None:
    pieces = find_pieces(FACTS, seen(0.1))
    assert pieces is not None
    own = [PIECE, PIECE + ADVANCE / 4, PIECE + ADVANCE / 2, PIECE + ADVANCE]
    assert pieces.worth[0].tolist() == [*own, *(-worth for worth in reversed(own)), 0.0]
    assert np.array_equal(pieces.worth[1], -pieces.worth[0])


@pytest.mark.parametrize(
    ("changing", "made_by_other", "why"),
    [
        (0.0, 0, "who can't be lost need not be counted"),
        (0.9, 0, "stones are put on a board with every move"),
        (0.1, 50, "what both make is nobody's"),
    ],
)
def test_other_facts_are_no_pieces(changing: float, made_by_other: int, why: str) -> None:
    assert find_pieces(FACTS, seen(changing, made_by_other)) is None, why


def test_what_comes_and_never_goes_elsewhere_is_no_man() -> None:
    assert find_pieces(FACTS, seen(0.1, moving=False)) is None


@pytest.mark.parametrize("name", ["breakthrough_small", "pawnwhopping"])
def test_in_races_pieces_are_found(name: str) -> None:
    pieces = watched(name)
    assert pieces is not None
    ways: dict[str, dict[int, list[float]]] = {"white": {}, "black": {}}
    for fact, owner, way in zip(compiled(name).network.facts, pieces.owners, pieces.way, strict=True):
        cell = re.fullmatch(r"\(cell \w (\d) (white|black)\)", fact)
        assert owner == (-1 if cell is None else ["white", "black"].index(cell[2])), fact
        if cell is not None:
            ways[cell[2]].setdefault(int(cell[1]), []).append(float(way))
    white, black = ({row: np.mean(found) for row, found in side.items()} for side in ways.values())
    last = max(white)
    middle = (1 + last) // 2
    assert white[2] < white[middle] < white[last]
    assert black[last - 1] < black[middle] < black[1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kinds"), [("chess", 5), ("skirmish", 5)])
def test_both_have_as_many_kinds_of_pieces(name: str, kinds: int) -> None:
    # Only the king of chess is never lost. Whoever looked at one player's moves alone would count the other's pieces.
    pieces = watched(name)
    assert pieces is not None
    squares = len({fact.split()[1] + fact.split()[2] for fact in compiled(name).network.facts if "(cell " in fact})
    assert [int((pieces.owners == role).sum()) for role in (0, 1)] == [kinds * squares] * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connectfour", "reversi_small", "hex_small", "hex", "quarto", "eightpuzzle"])
def test_where_stones_are_put_there_are_no_pieces(name: str) -> None:
    assert watched(name) is None


def test_pieces_count_where_results_teach_nothing() -> None:
    lesson = lesson_of("breakthrough_small")
    assert lesson is not None
    assert lesson.pieces
    assert lesson.trust == TRUST
    assert lesson.base.tolist() == [50.0, 50.0]


@pytest.mark.slow
def test_where_results_teach_something_that_counts() -> None:
    lesson = lesson_of("checkers")
    assert lesson is not None
    assert not lesson.pieces
    assert lesson.trust > TRUST
