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
    ran = run("features", "gdl/tictactoe", "--time", "1", "--most", "12")
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert " features (" in lines[0]
    assert "of 60 random games" in lines[0]
    assert lines[3].startswith("Wins at once (offensive, level 0, value 100): ")
    assert " wins at once (value 100, seen " in lines[5]
    assert lines[6].startswith("  if (cell ")
    board = lines[7:11]
    assert [line.split()[0] for line in board] == ["1", "3", "2", "1"]
    signs = "".join(board[1:])
    assert signs.count("x") + signs.count("o") == 2
    assert (signs.count(".*"), signs.count("-")) == (1, 6)
    heads = [line for line in lines if ", level " in line and ": " in line]
    assert {"offensive", "defensive"} <= {head.split("(")[1].split(",")[0] for head in heads}
    assert any("prevents a loss at once" in line for line in lines)
    assert any("prepares a win, level 1" in line for line in lines)
    assert lines[-1].endswith("--json all.")


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
