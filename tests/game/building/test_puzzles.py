"""Facts about puzzles: results, levels by number or text."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ggtp.errors import OptionError
from ggtp.game import Option, Position, Standing
from ggtp.game.building.puzzles import SOLO, LevelRules, numbered, solo_result

LEVELS = ("ab", "cd", "ef")


class Letters(LevelRules):
    """A level is a text of letters, canonical in small ones."""

    name = "Letters"
    levels = LEVELS
    own_options = (Option("level", "1", "a number, or letters"), Option("colour", "red", "any colour"))

    def read_level(self, text: str) -> str:
        if not text.isalpha():
            raise ValueError("a level is made of letters")
        return text.lower()

    def begin(self, options: Mapping[str, str]) -> Position:
        raise NotImplementedError

    def twin(self, options: Mapping[str, str]) -> str | None:
        return None


RULES = Letters()


def test_all_points_win_and_fewer_lose() -> None:
    won, lost = solo_result(100, "solved"), solo_result(99, "stuck")
    assert (won.standings, won.scores, won.reason) == ({SOLO: Standing.WIN}, {SOLO: 100}, "solved")
    assert (lost.standings, lost.scores, lost.reason) == ({SOLO: Standing.LOSS}, {SOLO: 99}, "stuck")


@pytest.mark.parametrize(("text", "level"), [("1", "ab"), ("3", "ef"), ("003", "ef"), ("x", None), ("00003", None)])
def test_levels_by_number(text: str, level: str | None) -> None:
    assert numbered(text, LEVELS, "level") == level


@pytest.mark.parametrize("text", ["0", "4", "9999"])
def test_a_number_without_a_level(text: str) -> None:
    with pytest.raises(OptionError, match=rf"^No puzzle {text}: there are 1 to 3\.$"):
        numbered(text, LEVELS, f"puzzle {text}")


@pytest.mark.parametrize(("text", "kept", "level"), [("2", "2", "cd"), ("02", "02", "cd"), ("XyZ", "xyz", "xyz")])
def test_completing_keeps_numbers_and_makes_texts_canonical(text: str, kept: str, level: str) -> None:
    options = RULES.complete({"level": text})
    assert options == {"level": kept, "colour": "red"}
    assert RULES.level(options) == level


@pytest.mark.parametrize(("text", "why"), [("4", "No level 4: there are 1 to 3."), ("a-b", "a level is made of")])
def test_a_level_that_there_is_not(text: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        RULES.complete({"level": text})


def test_a_puzzle_is_for_one_player() -> None:
    assert RULES.players({}) == (SOLO,)
    assert (RULES.traits.min_players, RULES.traits.max_players, RULES.traits.zero_sum) == (1, 1, False)
