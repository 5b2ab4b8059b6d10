"""The referee's own options."""

from __future__ import annotations

import pytest

from ggtp.errors import OptionError
from ggtp.faults import AT_PROMPTS
from ggtp.game.clock import TimeControl
from ggtp.referee.settings import OPTIONS, Settings


def test_the_paper_s_six_come_first_and_are_switches() -> None:
    assert [option.name for option in OPTIONS[:6]] == [
        "show_command",
        "show_when_play",
        "show_possible_moves",
        "show_results",
        "show_table",
        "genmove",
    ]
    assert all(option.choices == ("on", "off") for option in OPTIONS[:6])


def test_every_option_has_a_name_of_its_own_a_summary_and_a_default_that_it_takes() -> None:
    names = [option.name for option in OPTIONS]
    assert len(set(names)) == len(names)
    for option in OPTIONS:
        assert option.summary
        assert option.canonical(option.default) == option.default


def test_every_class_of_fault_has_a_policy() -> None:
    settings = Settings.defaults({})
    assert {name: settings.policy(name) for name in AT_PROMPTS} == AT_PROMPTS


def test_values_are_canonical() -> None:
    settings = Settings.defaults({})
    assert settings.set("GenMove", "Off") == ("genmove", "off")
    assert settings.set("time_move", "007") == ("time_move", "7")
    assert not settings.on("genmove")
    assert (settings.number("time_move"), settings.seconds("time_move")) == (7, 0.007)
    assert settings.get("TIME_MOVE") == "7"


@pytest.mark.parametrize(("name", "value"), [("nothing", "1"), ("genmove", "yes"), ("patience", "99"), ("seed", "x")])
def test_a_wrong_value_changes_nothing(name: str, value: str) -> None:
    settings = Settings.defaults({"genmove": "off"})
    before = dict(settings.values)
    with pytest.raises(OptionError):
        settings.set(name, value)
    assert settings.values == before


def test_what_is_worked_out_follows_the_values() -> None:
    settings = Settings.defaults({"time_move": "1500"})
    assert settings.time_control() == TimeControl(1.5)
    assert settings.seconds("time_margin") == 0.1
    settings.set("time_bank", "60000")
    settings.set("time_increment", "250")
    settings.set("time_margin", "0")
    assert settings.time_control() == TimeControl(1.5, 60.0, 0.25)
    assert settings.seconds("time_margin") == 0.0


def test_a_copy_is_apart() -> None:
    settings = Settings.defaults({})
    copy = settings.copy()
    copy.set("time_move", "5")
    assert settings.get("time_move") == "0"
    assert settings.time_control() != copy.time_control()


def test_bounds() -> None:
    bounds = Settings.defaults({"line_limit": "2048", "engine_memory": "100", "connect_time": "1500"}).bounds()
    assert (bounds.line_bytes, bounds.memory_bytes, bounds.connect_seconds) == (2048, 100 * 2**20, 1.5)
    assert bounds.processes == 64
