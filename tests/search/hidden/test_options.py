"""The options of searches with secrets as numbers."""

from ggtp.search.hidden.options import OPTIONS, TREES, Settings, tables
from ggtp.search.playouts.greedy import Greedy

ALL = (*OPTIONS, TREES, tables(16))
DEFAULTS = {**{option.name: option.default for option in ALL}, "memory": "256"}


def test_the_defaults_are_those_of_the_settings() -> None:
    assert Settings.read(DEFAULTS) == Settings()


def test_every_option_is_read() -> None:
    values = {
        **{"Time": "0", "Playouts": "7", "Exploration": "150", "Rave": "3", "Depth": "9", "Policy": "greedy"},
        **{"Outcomes": "2", "Aim": "win", "Final": "mixed", "Tables": "5", "Trees": "single", "memory": "8"},
        "Early": "off",
    }
    assert Settings.read(values) == Settings(
        seconds=None,
        playouts=7,
        exploration=1.5,
        rave=3,
        depth=9,
        policy=Greedy(),
        outcomes=2,
        aim="win",
        final="mixed",
        early=False,
        tables=5,
        single=True,
        megabytes=8,
    )


def test_without_the_option_everybody_has_a_tree() -> None:
    assert not Settings.read({name: value for name, value in DEFAULTS.items() if name != "Trees"}).single
