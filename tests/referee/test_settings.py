"""The referee's own options."""

from __future__ import annotations

import pytest

from ggtp.errors import OptionError
from ggtp.faults import AT_PROMPTS, RANDOM
from ggtp.game.chance import MOST_KEY
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


@pytest.mark.parametrize("seed", ["0", "1", str(2**31), str(2**64), str(MOST_KEY)])
def test_a_seed_is_any_key(seed: str) -> None:
    assert Settings.defaults({}).set("seed", seed) == ("seed", seed)


@pytest.mark.parametrize("seed", [str(MOST_KEY + 1), "-1", "1.5", "1e3", "0x10", "1_0", "٣", "", "9" * 5000])
def test_what_is_no_key_is_no_seed(seed: str) -> None:
    with pytest.raises(OptionError, match=f"it takes a whole number, 0..{MOST_KEY}"):
        Settings.defaults({}).set("seed", seed)


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


@pytest.mark.parametrize(("text", "value"), [("5s", "5000"), ("2m", "120000"), ("300ms", "300"), ("1.5s", "1500")])
def test_a_time_may_have_a_unit_and_is_answered_in_milliseconds(text: str, value: str) -> None:
    assert Settings.defaults({}).set("time_move", text) == ("time_move", value)


def test_a_time_control_sets_three_options_and_is_answered_as_clocks_are_written() -> None:
    settings = Settings.defaults({"time_move": "9"})
    assert settings.set("Time_Control", "5s+100ms") == ("time_control", "5+0.1")
    assert [settings.get(f"time_{name}") for name in ("move", "bank", "increment")] == ["0", "5000", "100"]
    settings.set("time_move", "300ms")
    assert settings.get("time_control") == "5+0.1 300ms"
    with pytest.raises(OptionError):
        settings.set("time_control", "5s+")
    assert settings.get("time_control") == "5+0.1 300ms"


def test_a_player_may_have_other_clocks() -> None:
    settings = Settings.defaults({"time_move": "1s"})
    assert settings.set("time_odds", "Cross = 5s+0.1, Circle=0") == ("time_odds", "Cross=5+0.1, Circle=0")
    assert settings.time_control("Cross") == TimeControl(0.0, 5.0, 0.1)
    assert settings.time_control("Circle") == TimeControl()
    assert settings.time_control("Red") == settings.time_control() == TimeControl(1.0)
    assert settings.banks(["Cross", "Circle", "Red"]) == {"Cross": 5.0}
    settings.set("time_odds", "None")
    assert settings.time_control("Cross") == TimeControl(1.0)


@pytest.mark.parametrize("text", ["5+0.1", "Cross", "Cross=", "Cross=fast", "=5s"])
def test_odds_name_players_and_their_times(text: str) -> None:
    settings = Settings.defaults({})
    with pytest.raises(OptionError):
        settings.set("time_odds", text)
    assert settings.get("time_odds") == "none"


def test_an_illegal_move_may_be_asked_for_again() -> None:
    settings = Settings.defaults({})
    assert settings.tries("illegal") == settings.tries("late") == 0
    assert settings.set("fault_illegal", "Again:2:random") == ("fault_illegal", "again:2:random")
    assert (settings.tries("illegal"), settings.policy("illegal")) == (2, RANDOM)
    assert settings.set("fault_illegal", "again") == ("fault_illegal", "again:3:ask")
    for name, value in (("fault_illegal", "again:0"), ("fault_illegal", "again:2:loss"), ("fault_late", "again")):
        with pytest.raises(OptionError, match=f"No value {value} for option {name}"):
            settings.set(name, value)
