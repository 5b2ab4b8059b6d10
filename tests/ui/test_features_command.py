"""`ggtp features`: what was learned, in words, with boards, and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

RULES = Path(__file__).resolve().parents[2] / "rules" / "gdl"


@pytest.fixture(name="walked")
def few_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn from a number of games, however long that takes."""
    from ggtp.search.gifl_learn import Learner

    def learn(self: Learner, should_stop: object, seconds: float | None = None) -> Any:
        return whole(self, lambda: self.features.walks >= 60) if seconds else self.features

    whole = Learner.learn
    monkeypatch.setattr(Learner, "learn", learn)


def test_features_in_words_and_on_a_board(run: Any, walked: None) -> None:
    ran = run("features", "gdl/tictactoe", "--time", "1", "--most", "2")
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert " features (" in lines[0]
    assert "of 60 random games" in lines[0]
    assert "wins at once (seen " in lines[2]
    assert lines[3].startswith("  if (cell ")
    board = [line for line in lines[4:9] if line.startswith("    ")]
    assert len(board) >= 3, "three rows at least"
    assert sum(line.count("x") + line.count("o") for line in board) >= 2
    assert lines[-1].startswith("and ")


def test_features_for_programs_are_kept_for_the_next_time(run: Any, walked: None) -> None:
    first = json.loads(run("features", "gdl/tictactoe", "--time", "1", "--json").out)
    again = json.loads(run("features", "gdl/tictactoe", "--time", "0", "--json").out)
    assert again["features"] == first["features"]
    assert again["walks"] >= 60
    assert {row["kind"] for row in first["features"]} == {"offensive", "defensive"}
    won = next(row for row in first["features"] if row["level"] == 0 and row["kind"] == "offensive")
    assert won["value"] == 100
    assert len(won["if"]) == 2
    assert won["unless"] == []
    assert won["count"] >= 1


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("gdl/lightsout", "two players who take turns"),
        ("Chess", "not in the Game Description Language"),
        ("gdl/nothing", "nothing"),
    ],
)
def test_other_rules(run: Any, rule: str, said: str) -> None:
    ran = run("features", rule)
    assert ran.status != 0
    assert said in ran.err
