from __future__ import annotations

import pytest
from support.vgdl import game

from ggtp.errors import RulesError
from ggtp.vgdl.language.level import MOST_SIDE, MOST_UNKNOWN, parse_level, survey_level
from ggtp.vgdl.language.parse import parse

GAME = game("a > Passive\nb > Passive", mapping="x > a b\n")


def test_sprites_are_made_row_by_row_in_the_order_of_the_mapping() -> None:
    level = parse_level("xA\n x\n", GAME)
    assert level.placed == ((2, 0, 0), (3, 0, 0), (1, 1, 0), (2, 1, 1), (3, 1, 1))
    assert (level.width, level.height, level.block) == (2, 2, 10)


def test_the_square_is_as_big_as_the_screen_lets_it() -> None:
    plain = parse("BasicGame\n  LevelMapping\n    . >\n")
    assert parse_level("A.......\n", plain).block == 100
    assert survey_level("A" + "." * 499, plain)[0] is not None


def test_an_empty_row_at_the_end_counts() -> None:
    assert parse_level("A.\n\n".replace(".", " "), GAME).height == 2


def test_only_the_first_avatar_stays() -> None:
    level, faults = survey_level("AA", GAME)
    assert level is not None
    assert len(level.placed) == 1
    assert [str(fault) for fault in faults] == ["1:2: warning: there is an avatar already: this one is left out"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "l.txt:1:1: the level is empty"),
        ("A?\n ?", "l.txt:1:2: the letter ? is not in the LevelMapping; 2:2: the letter ? is not in the LevelMapping"),
        ("ww", "l.txt:1:1: there is no avatar in the level"),
        ("w" * (MOST_SIDE + 1), f"l.txt:1:1: a level has 1 to {MOST_SIDE} columns and rows, not {MOST_SIDE + 1} x 1"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_level(text, GAME, "l.txt")
    assert str(caught.value) == message


def test_a_row_that_is_too_long_is_told() -> None:
    _, faults = survey_level("A\nwww", GAME)
    assert [str(fault) for fault in faults] == ["2:2: warning: the row has 3 letters, the first one 1"]


def test_too_many_letters_without_a_meaning_end_the_game() -> None:
    level, _ = survey_level("A" + "?" * MOST_UNKNOWN, GAME)
    assert level is not None
    assert level.playable
    level, _ = survey_level("A" + "?" * (MOST_UNKNOWN + 1), GAME)
    assert level is not None
    assert not level.playable
