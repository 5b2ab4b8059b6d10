"""The bundled video games: each level can be won, and the rules keep the contract of the house."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from support.paths import RULES
from support.vgdl import play

from ggtp.catalogue import Catalogue
from ggtp.game.checks.contract import check_rules
from ggtp.vgdl.language.faults import errors
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse, survey
from ggtp.vgdl.world.world import WON, World

FOLDER = RULES / "vgdl"
GAMES = sorted(path.stem for path in FOLDER.glob("*.vgdl"))
LEVELS = 5
WINS: dict[str, list[dict[str, str | int]]] = json.loads((Path(__file__).parent / "wins.json").read_text())
"""For each level a seed of chance, and actions that win with it: u, d, l, r, s to use, and . for nothing."""


def test_there_are_games_of_both_kinds() -> None:
    catalogue = Catalogue.from_environment({})
    chance = [catalogue.find_rules(f"vgdl/{name}").traits.chance for name in GAMES]
    assert len(GAMES) >= 12
    assert chance.count(True) >= 4
    assert chance.count(False) >= 4


@pytest.mark.parametrize("name", GAMES)
def test_texts_have_no_faults_and_a_title(name: str) -> None:
    text = (FOLDER / f"{name}.vgdl").read_text()
    game, faults = survey(text)
    assert game is not None
    assert faults == []
    assert Catalogue.from_environment({}).find_rules(f"vgdl/{name}").title
    levels = [(FOLDER / f"{name}_lvl{number}.txt").read_text() for number in range(LEVELS)]
    assert len(set(levels)) == LEVELS
    for level in levels:
        parse_level(level, game)
    assert not errors(faults)


@pytest.mark.parametrize("name", GAMES)
def test_every_level_can_be_won(name: str) -> None:
    game = parse((FOLDER / f"{name}.vgdl").read_text())
    assert len(WINS[name]) == LEVELS
    for number, win in enumerate(WINS[name]):
        level = parse_level((FOLDER / f"{name}_lvl{number}.txt").read_text(), game)
        world = play(World(game, level, int(win["seed"])), str(win["actions"]))
        assert (world.winner, world.tick) == (WON, len(str(win["actions"])) - 1), f"level {number}"


@pytest.mark.parametrize("name", GAMES)
def test_doing_nothing_does_not_win_at_once(name: str) -> None:
    game = parse((FOLDER / f"{name}.vgdl").read_text())
    for number in range(LEVELS):
        level = parse_level((FOLDER / f"{name}_lvl{number}.txt").read_text(), game)
        assert play(World(game, level, 3), "...").winner != WON


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stevedore", "nightwatch"])
def test_the_contract(name: str) -> None:
    rules = Catalogue.from_environment({}).find_rules(f"vgdl/{name}")
    found = check_rules(rules, rng=random.Random(2), games=2, max_turns=4100)
    assert found == []
