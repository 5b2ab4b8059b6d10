"""The settings, and the formulas that they go into."""

from math import log, sqrt

import pytest

from ggtp.game.options import complete
from ggtp.search.mcts.options import OPTIONS, Settings, considered, lower_bound, rave_weight, softened, uct

HOUSE = {"threads": "3", "memory": "64"}


def test_defaults_of_options_are_those_of_settings() -> None:
    assert Settings.read({**complete(OPTIONS, {}), "threads": "1", "memory": "256"}) == Settings()


def test_options_are_read() -> None:
    told = {"Time": "0", "Playouts": "9", "Exploration": "140", "FirstPlay": "-1", "Rave": "50", "Final": "value"}
    read = Settings.read({**complete(OPTIONS, {**told, "Foresight": "off"}), **HOUSE})
    assert not read.foresight
    assert (read.seconds, read.playouts, read.exploration, read.first_play) == (None, 9, 1.4, None)
    assert (read.rave, read.final, read.threads, read.megabytes) == (50, "value", 3, 64)


def test_uct_is_the_equation_of_the_paper() -> None:
    assert uct(0.4, 10, 100, 0.7) == pytest.approx(0.4 + 0.7 * sqrt(log(100) / 10))
    assert uct(0.4, 10, 100, 0) == 0.4


def test_the_weight_shifts_from_later_moves_to_visits() -> None:
    weights = [rave_weight(visits, 300) for visits in (0, 10, 300, 10_000)]
    assert weights[0] == 1
    assert weights[2] == pytest.approx(0.5)
    assert weights == sorted(weights, reverse=True)
    assert rave_weight(5, 0) == 0


def test_more_moves_are_looked_at_as_visits_grow() -> None:
    assert [considered(visits, 100, 4) for visits in (0, 3, 99, 10_000)] == [4, 8, 40, 100]
    assert considered(0, 100, 0) == 100


def test_the_soft_virtual_loss_divides_by_a_root() -> None:
    assert softened(0.9, 0) == 0.9
    assert softened(0.9, 8) == pytest.approx(0.3)


def test_a_bound_is_a_standard_error_below_the_value() -> None:
    assert lower_bound(0.6, 100) == pytest.approx(0.55)
    assert lower_bound(0.6, 0) < 0
