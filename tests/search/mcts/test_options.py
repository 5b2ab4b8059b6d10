"""The settings, and the formulas that they go into."""

import pytest

from ggtp.game.options import complete
from ggtp.search.mcts.options import OPTIONS, Settings, considered, lower_bound, softened
from ggtp.search.tree.rave import Rave

HOUSE = {"threads": "3", "memory": "64"}


def test_defaults_of_options_are_those_of_settings() -> None:
    assert Settings.read({**complete(OPTIONS, {}), "threads": "1", "memory": "256"}) == Settings()


def test_options_are_read() -> None:
    told = {"Time": "0", "Playouts": "9", "Exploration": "140", "FirstPlay": "-1", "Rave": "50", "Final": "value"}
    read = Settings.read({**complete(OPTIONS, {**told, "Foresight": "off"}), **HOUSE})
    assert not read.foresight
    assert (read.seconds, read.playouts, read.exploration, read.first_play) == (None, 9, 1.4, None)
    assert (read.selection, read.rave) == (Rave(50), 50)
    assert (read.final, read.threads, read.megabytes) == ("value", 3, 64)


def test_more_moves_are_looked_at_as_visits_grow() -> None:
    assert [considered(visits, 100, 4) for visits in (0, 3, 99, 10_000)] == [4, 8, 40, 100]
    assert considered(0, 100, 0) == 100


def test_the_soft_virtual_loss_divides_by_a_root() -> None:
    assert softened(0.9, 0) == 0.9
    assert softened(0.9, 8) == pytest.approx(0.3)


def test_a_bound_is_a_standard_error_below_the_value() -> None:
    assert lower_bound(0.6, 100) == pytest.approx(0.55)
    assert lower_bound(0.6, 0) < 0
