"""`ggtp features`: what was learned, in words, with boards, and for programs."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest
from support.paths import ROOT

from ggtp.ui.commands.features import learning_time

RULES = ROOT / "rules" / "gdl"


@pytest.fixture(name="walked")
def few_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn from a number of games, however long that takes."""
    from ggtp.search.features.learn import Learner

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


def test_what_was_learned_before_an_interruption_is_kept(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ggtp.search.features.learn import Learner

    study = Learner.study
    before = json.loads(run("features", "gdl/tictactoe", "--time", "0", "--json").out)

    def interrupted(self: Learner, walk: Any) -> None:
        study(self, walk)
        if self.features.walks == before["walks"] + 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(Learner, "study", interrupted)
    ran = run("features", "gdl/tictactoe", "--time", "600")
    assert ran.status == 3
    assert "interrupted" in ran.err
    kept = json.loads(run("features", "gdl/tictactoe", "--time", "0", "--json").out)
    assert kept["walks"] == before["walks"] + 20
    assert kept["features"]
    assert kept["seconds"] > before["seconds"]


@pytest.mark.parametrize("zero", ["0", "0.0", "-0", "0e5"])
def test_no_time_at_all_is_a_time(zero: str) -> None:
    assert learning_time(zero) == 0.0


@pytest.mark.parametrize("wrong", ["-1", "86401", "nan", "soon", ""])
def test_other_times_are_refused(wrong: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no time in seconds from 0 to 86400"):
        learning_time(wrong)


@pytest.mark.process
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
