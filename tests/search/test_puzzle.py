"""Best-first search over positions of one player."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Result, Standing
from ggtp.search.puzzle import PuzzleSearch, worth


@pytest.fixture(name="sokoban")
def start_sokoban():
    return Catalogue.from_environment({}).find_rules("Sokoban").start({})


def test_it_solves_a_puzzle(sokoban):
    search = PuzzleSearch(sokoban, "Solo")
    search.run(lambda: False)
    assert search.over
    value, moves = search.best
    assert value >= 1
    position = sokoban
    for move in moves:
        position = position.play({"Solo": move}).position
    assert position.result().standings["Solo"] is Standing.WIN


def test_it_can_be_interrupted_and_goes_on(sokoban):
    search = PuzzleSearch(sokoban, "Solo")
    looks = iter([False] * 3)
    search.run(lambda: next(looks, True))
    assert search.expanded == 3
    assert not search.over
    search.run(lambda: False)
    assert search.best is not None


def test_there_is_a_bound(sokoban):
    search = PuzzleSearch(sokoban, "Solo", most=5)
    search.run(lambda: False)
    assert search.over
    assert search.best is None or search.best[0] == 0


@pytest.mark.parametrize(
    ("standing", "points", "value"),
    [(Standing.WIN, None, 100.0), (Standing.LOSS, None, 0.0), (Standing.WIN, 60, 60.0), (Standing.WIN, 2000, 100.0)],
)
def test_what_a_result_is_worth(standing, points, value):
    scores = {} if points is None else {"Solo": points}
    assert worth(Result({"Solo": standing}, scores, ""), "Solo") == value
