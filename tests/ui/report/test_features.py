"""Features for people: which are told, their words, and the signs on their boards."""

from __future__ import annotations

from itertools import product

import pytest

from ggtp.gdl.network.network import Network
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.ui.report.features import LEGEND, report

FACTS = tuple(f"(cell {x} {y} {what})" for x, y, what in product((1, 2, 3), (1, 2, 3), ("white", "black", "blank")))
MOVES = ("noop", "(move 1 1 2 2)", "(mark 3 3)", "(drop 2)")


def network(*start: str, facts: tuple[str, ...] = FACTS) -> Network:
    """A board of nine places; nothing but its names is looked at."""
    initial = tuple(facts.index(fact) for fact in start)
    return Network(("white", "black"), facts, (MOVES, MOVES), initial, (), (), ((), ()), 0, ((), ()))


START = network(*(f"(cell {x} {y} blank)" for x, y in product((1, 2, 3), (1, 2, 3))))


def feature(
    move: str, held: tuple[str, ...], absent: tuple[str, ...] = (), kind: Kind = Kind.OFFENSIVE, level: int = 0
) -> Feature:  # fmt: skip
    needs = {2 * FACTS.index(fact) for fact in held} | {2 * FACTS.index(fact) + 1 for fact in absent}
    return Feature(0, MOVES.index(move), kind, level, frozenset(needs))


def told(one: Feature, count: int = 1, of: Network = START) -> list[str]:
    """What is said of one feature alone, without the headings."""
    return report("game", FeatureSet([(one, count)], 10), of, 1)[5:]


def test_what_must_be_empty_is_told_from_what_may_be_anything() -> None:
    lines = told(feature("(drop 2)", ("(cell 1 3 white)", "(cell 2 2 blank)")))
    assert lines[2:] == ["      1 2 3", "    3 W - -", "    2 - . -", "    1 - - -"]


def test_where_the_move_goes_is_marked_whatever_stands_there() -> None:
    lines = told(feature("(move 1 1 2 2)", ("(cell 1 1 white)", "(cell 2 2 black)")))
    assert lines[2:] == ["      1  2  3", "    3 -  -  -", "    2 -  B* -", "    1 W  -  -"]
    assert told(feature("(mark 3 3)", ("(cell 1 1 white)",)))[3] == "    3 -  -  -*"
    assert told(feature("(mark 3 3)", ("(cell 3 3 blank)",)))[3] == "    3 -  -  .*"


def test_what_must_not_stand_there_is_drawn() -> None:
    lines = told(feature("noop", (), ("(cell 1 1 white)", "(cell 2 1 blank)", "(cell 3 1 black)", "(cell 3 1 blank)")))
    assert lines[1] == "  unless (cell 1 1 white) or (cell 2 1 blank) or (cell 3 1 black) or (cell 3 1 blank)"
    assert lines[-1].split() == ["1", "!W", "!.", "!B."]


def test_where_no_man_may_stand_it_is_empty() -> None:
    lines = told(feature("(mark 3 3)", (), ("(cell 1 1 white)", "(cell 1 1 black)", "(cell 3 3 black)")))
    assert lines[2:] == ["       1   2   3", "    3  -   -  !B*", "    2  -   -   -", "    1  .   -   -"]


def test_what_would_not_fit_is_left_to_the_words() -> None:
    kinds = ("king", "man", "queen", "rook", "blank")
    many = tuple(f"(cell {x} {y} {what})" for x, y, what in product((1, 2), (1, 2), kinds))
    of = network(*(fact for fact in many if "blank" in fact), facts=many)
    needs = frozenset(2 * many.index(f"(cell 1 1 {what})") + 1 for what in kinds[:3])
    lines = told(Feature(0, 0, Kind.OFFENSIVE, 0, needs), of=of)
    assert lines[1] == "  unless (cell 1 1 king) or (cell 1 1 man) or (cell 1 1 queen)"
    assert lines[2:] == ["      1 2", "    2 - -", "    1 ! -"]


def test_it_goes_without_saying_that_nothing_else_stands_there() -> None:
    lines = told(feature("noop", ("(cell 1 1 white)",), ("(cell 1 1 black)", "(cell 2 1 black)")))
    assert lines[1:3] == ["  if (cell 1 1 white)", "  unless (cell 2 1 black)"]
    assert lines[-1].split() == ["1", "W", "!B", "-"]


def test_where_places_hold_several_things_it_does_not() -> None:
    crowded = network(*FACTS)
    lines = told(feature("noop", ("(cell 1 1 white)",), ("(cell 1 1 black)",)), of=crowded)
    assert lines[2] == "  unless (cell 1 1 black)"
    assert lines[-1].split() == ["1", "W!B", "-", "-"]


@pytest.mark.parametrize(("level", "value"), [(0, 100), (1, 100), (2, 90), (3, 81)])
def test_the_value_is_told(level: int, value: int) -> None:
    line = told(feature("noop", ("(cell 1 1 white)",), level=level), 7)[0]
    assert line.endswith(f" (value {value}, seen 7 times)")


def test_some_of_each_kind_and_level() -> None:
    place = {text: index for index, text in enumerate(("(cell 1 1 white)", "(cell 1 2 white)", "(cell 1 3 white)"))}
    many = [(feature("noop", (text,)), 9 - index) for text, index in place.items()]
    others = [
        (feature("noop", ("(cell 2 2 black)",), kind=Kind.DEFENSIVE), 3),
        (feature("noop", ("(cell 2 2 black)",), level=2), 2),
        (feature("noop", ("(cell 2 3 black)",), level=2), 1),
        (feature("noop", ("(cell 3 3 black)",), kind=Kind.AVOIDING), 1),
    ]
    lines = report("game", FeatureSet([*many, *others], 10), START, 5)
    assert lines[:2] == ["game: 7 features (5 offensive, 1 defensive, 1 avoiding) of 10 random games", LEGEND]
    assert [line for line in lines if "level" in line and ":" in line] == [
        "Wins at once (offensive, level 0, value 100): 3 features, here the 2 most frequent",
        "Prevents a loss at once (defensive, level 0, value 100): 1 feature",
        "Loses at once, or lets the other one win (avoiding, level 0, value 100): 1 feature",
        "Prepares a win (offensive, level 2, value 90): 2 features, here the most frequent",
    ]
    assert "white noop wins at once (value 100, seen 9 times)" in lines
    assert "white noop wins at once (value 100, seen 8 times)" in lines
    assert "white noop prepares a win, level 2 (value 90, seen 2 times)" in lines
    assert lines[-1] == "2 more are not shown; --most N shows more, --json all."


def test_none_but_the_numbers() -> None:
    assert report("game", FeatureSet([(feature("noop", ()), 1)], 10), START, 0) == [
        "game: 1 features (1 offensive, 0 defensive, 0 avoiding) of 10 random games",
        "",
        "Wins at once (offensive, level 0, value 100): 1 feature, none of them here",
        "",
        "1 more are not shown; --most N shows more, --json all.",
    ]
