"""What mobility is worth: nothing where it does not go with winning, and several times as much where it does."""

from __future__ import annotations

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.search.evaluation.learning import Lessons
from ggtp.search.evaluation.mobility import MOST, learn_mobility_weight, slope
from ggtp.search.evaluation.samples import Played, RandomGames


def positions(worth: float, games: int, each: int = 8) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Made-up positions in which a point of mobility is worth so much, and chance the rest."""
    rng = np.random.default_rng(3)
    choices = rng.integers(5, 50, (games * each, 2))
    lead = 100.0 * choices[:, 0] / choices.sum(axis=1) - 50.0
    results = 50.0 + worth * lead + rng.normal(0, 10, len(lead))
    return choices, results, np.repeat(np.arange(games), each), np.tile(np.arange(each), games)


@pytest.mark.parametrize("worth", [0.5, 1.0, 2.0])
def test_the_slope_is_found(worth: float) -> None:
    assert slope(*positions(worth, games=100)) == pytest.approx(worth, rel=0.1)


def test_where_there_is_none_or_it_goes_down_nothing_is_made_of_it() -> None:
    assert slope(*positions(0.0, games=100)) == 0.0
    assert slope(*positions(-1.0, games=100)) == 0.0


def test_what_is_not_known_does_not_count() -> None:
    choices, results, games, moments = positions(1.0, games=100)
    choices[::2, 1] = 0
    results[::2] = 1000.0
    assert slope(choices, results, games, moments) == pytest.approx(1.0, rel=0.1)
    alike = np.zeros(4, np.int64)
    assert slope(np.zeros((4, 2), np.int64), np.zeros(4), np.arange(4), alike) == 0.0
    assert slope(np.full((4, 2), 7), np.arange(4.0), np.arange(4), alike) == 0.0


def test_what_all_have_at_the_same_moment_is_nobodys_lead() -> None:
    choices, results, games, moments = positions(0.0, games=100)
    late = moments >= 4
    choices[late, 0] *= 3
    results[late] += 20
    assert slope(choices, results, games, moments) == 0.0
    assert slope(choices, results, games, np.zeros_like(moments)) > 0.2, "it would be, if moments were not told apart"


def test_a_few_games_are_no_evidence_however_many_positions_they_have() -> None:
    rng = np.random.default_rng(2)
    choices = np.repeat(rng.integers(5, 50, (20, 2)), 500, axis=0)
    results = np.repeat(rng.normal(50, 10, 20), 500)
    games = np.repeat(np.arange(20), 500)
    moments = np.zeros_like(games)
    assert slope(choices, results, games, moments) == 0.0
    assert slope(choices, results, np.arange(len(games)), moments) != 0.0, (
        "each position would be, if it stood for itself"
    )


def played(name: str) -> list[Played]:
    games, found = RandomGames(compiled(name).state_kernel(), 1), list[Played]()
    while len(found) < 128:
        found += games.step()
    return found


def mobility_weight(name: str) -> float:
    kernel = compiled(name).best()
    kernel.seed(1)
    work = learn_mobility_weight(played(name), kernel)
    while True:
        try:
            assert next(work) is False
        except StopIteration as end:
            return float(end.value)


def test_in_a_game_of_pieces_who_can_be_taken_a_lead_counts_several_times() -> None:
    assert 2.0 < mobility_weight("breakthrough_small") <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect3", "hex_small", "quarto"])
def test_where_moves_are_only_places_left_over_nothing_changes(name: str) -> None:
    assert mobility_weight(name) == 1.0


@pytest.mark.slow
def test_lessons_have_it_where_there_is_somebody_to_play() -> None:
    game = compiled("checkers")
    alone = Lessons(game.state_kernel(), 1).learn(lambda: False)
    taught = Lessons(game.state_kernel(), 1, game.best()).learn(lambda: False)
    assert alone is not None
    assert taught is not None
    assert alone.mobility_weight == 1.0
    assert taught.mobility_weight > 2.0
