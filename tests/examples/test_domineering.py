"""The example of a rule of several modules: it keeps its promises, and a user can play it by its path."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.paths import ROOT

from ggtp.catalogue import Catalogue
from ggtp.game import Rules, Standing
from ggtp.game.checks.contract import check_rules, perft

FOLDER = ROOT / "examples" / "domineering"


@pytest.fixture(name="rules")
def find_rules() -> Rules:
    return Catalogue.from_environment(os.environ).find_rules(str(FOLDER))


def test_the_contract(rules: Rules) -> None:
    assert check_rules(rules, rng=random.Random(1), games=6) == []


def test_a_game_to_its_end(rules: Rules) -> None:
    position = rules.start({"size": "3"})
    assert list(position.moves("Vertical")) == ["A1", "B1", "C1", "A2", "B2", "C2"]
    for player, move in [("Vertical", "B1"), ("Horizontal", "A3"), ("Vertical", "A1")]:
        position = position.play({player: move}).position
    result = position.result()
    assert result is not None
    assert result.standings == {"Vertical": Standing.WIN, "Horizontal": Standing.LOSS}
    assert result.reason == "Horizontal cannot move"
    assert position.view(None) == "VV./VV./HH. -"


def test_the_first_player_wins_on_two_squares(rules: Rules) -> None:
    assert [perft(rules.start({"size": "2"}), depth) for depth in (1, 2)] == [2, 0]


def test_a_copy_elsewhere_is_the_same_rule(tmp_path: Path) -> None:
    copy = tmp_path / "mine"
    copy.mkdir()
    for file in FOLDER.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    found = Catalogue.from_environment(os.environ).find_rules(str(copy))
    assert found.name == "Domineering"
    assert found.start({}).view(None).endswith("Vertical")
