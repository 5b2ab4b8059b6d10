"""`ggtp bench centurio`: the paper's table with our figures beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ggtp.bench.centurio import TABLE, Result, report

ONE = ("--game", "Tic Tac Toe", "--json")


@pytest.mark.process
def test_figures_of_a_game(run: Any) -> None:
    # A busy machine may need all of a short clock to compile, or more; the next time it has that behind it.
    for seconds in ("2", "20", "60"):
        ran = run("bench", "centurio", "--seconds", seconds, *ONE)
        if ran.status == 0 and json.loads(ran.out)[0]["ours"]:
            break
    assert ran.status == 0, ran.err
    assert ran.out.count("\n") == 1
    (found,) = json.loads(ran.out)
    assert list(found) == ["game", "paper", "ours", "factor"]
    assert (found["game"], found["paper"]) == ("Tic Tac Toe", 10_611)
    assert found["ours"] > 0
    assert abs(found["factor"] - found["ours"] / found["paper"]) <= 0.001 * found["factor"] + 0.001


def test_for_people() -> None:
    lines = report([Result("Checkers", 2659, 265_900, 100.0)])
    assert lines[0].split() == ["paper", "ours", "factor"]
    assert lines[1].split() == ["Checkers", "2,659", "265,900", "100"]


def test_it_has_all_games_of_the_table() -> None:
    assert [row.game for row in TABLE] == ["Tic Tac Toe", "Connect 4", "Checkers", "Skirmish", "Blobwars"]


def test_a_game_that_is_not_in_it(run: Any) -> None:
    ran = run("bench", "centurio", "--game", "Chess")
    assert ran.status == 2
    assert "Skirmish" in ran.err
