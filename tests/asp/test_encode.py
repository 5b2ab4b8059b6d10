"""The paper's mapping: what the state decides gets a time, all else does not, and no name of the rules is left."""

from __future__ import annotations

import clingo
import pytest
from support.puzzles import SHORT_OF_TIME, SWITCHES, sheet

from ggtp.asp.encode import encode
from ggtp.gdl.language.parse import parse_term


def test_static_relations_have_no_time() -> None:
    text = encode(sheet(SWITCHES)).text
    base, observe, act = (part.split("#program")[0] for part in text.split("#program ")[1:4])
    assert ",t)" not in base
    assert observe.startswith("observe(t).")
    assert act.startswith("act(t).")
    assert "t+1" in act
    assert "t+1" not in observe


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "eightpuzzle", "lightsout", "hanoi"])
def test_nothing_of_the_spelling_is_left(name: str) -> None:
    encoding = encode(sheet(name))
    words = {"lamp", "switch", "press", "tile", "cell", "disk", "noop"}
    assert not any(word in encoding.text for word in words)
    assert encoding.goals[0] == 100


def answers(name: str, horizon: int, goal: int) -> int:
    """In how many ways the goal is reached within so many moves, counted by clingo."""
    control = clingo.Control(["0", "--warn=none", "--project=show"])
    encoding = encode(sheet(name))
    control.add(encoding.text)
    control.add("wanted", [], f"wanted :- got(G,_), G>={goal}. :- not wanted.")
    times = [clingo.Number(at) for at in range(horizon + 1)]
    parts = [part for at in times for part in (("observe", [at]), ("act", [at]))][:-1]
    control.ground([("base", []), *parts, ("wanted", [])])
    count = 0
    with control.solve(yield_=True) as handle:
        for _ in handle:
            count += 1
    return count


def test_plays_are_counted_right() -> None:
    # Three lamps in any order; with one move more, one lamp may be switched twice before the last.
    assert answers(SWITCHES, 3, 100) == 6
    assert answers(SWITCHES, 2, 100) == 0
    assert answers(SWITCHES, 4, 100) == 6 + 3 * (2**3 - 2)
    assert answers(SHORT_OF_TIME, 2, 40) == 2


def test_goals_are_those_that_the_rules_can_give() -> None:
    # The goals of buttons stand in a table of facts, next to numbers that are something else.
    assert encode(sheet("buttons")).goals == (100, 30, 20, 10, 0)
    assert encode(sheet(SWITCHES)).goals == (100, 40, 0)


def test_a_play_can_begin_anywhere() -> None:
    text = encode(sheet(SWITCHES), [parse_term("(on a)"), parse_term("(done 3)")]).text
    assert "p2(F,0) :- p1(F)." not in text
    assert len([line for line in text.splitlines() if line.startswith("p2(f") and line.endswith(",0).")]) == 2
