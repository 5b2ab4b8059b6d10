"""Every rule file keeps the contract."""

from __future__ import annotations

import ast
import importlib
import random

import pytest
from support.marks import slow_where
from support.paths import RULES

from ggtp.game import Rules, TurnKind
from ggtp.game.checks.contract import check_rules
from ggtp.game.checks.examine import choose

FOLDER = RULES
STEMS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
LONG_GAMES = {
    "chess": 2,
    "chinesecheckers": 2,
    "go": 2,
    "kriegspiel": 2,
    "junglespeed": 3,
    "mahjong": 2,
    "phantomgo": 2,
    "phantomhex": 3,
    "phantomothello": 3,
    "skirmish": 3,
    "uno": 2,
}
"""Rules of which a game at random takes many hundred turns: so many are enough here, more with `ggtp check`."""

SLOW = {
    *("backgammon", "breakthrough", "cantstop", "checkers", "chess", "chinesecheckers", "go", "gomoku", "hex"),
    *("junglespeed", "othello", "phantomgo", "phantomgomoku", "phantomothello", "rockpaperscissors", "rushhour"),
    *("sudoku", "tournament", "treasurehunt"),
}


def load(stem: str) -> Rules:
    rules = importlib.import_module("ggtp.rules." + stem).RULES
    assert isinstance(rules, Rules)
    return rules


def test_there_are_rules() -> None:
    assert "tictactoe" in STEMS


@pytest.mark.parametrize("stem", slow_where(SLOW.__contains__, STEMS))
def test_the_contract(stem: str) -> None:
    assert check_rules(load(stem), rng=random.Random(stem), games=LONG_GAMES.get(stem, 6)) == []


@pytest.mark.parametrize("stem", STEMS)
def test_a_file_is_named_as_its_rule(stem: str) -> None:
    assert load(stem).name.casefold() == stem


@pytest.mark.parametrize("stem", STEMS)
def test_rules_have_a_title_and_say_what_their_options_are_for(stem: str) -> None:
    rules = load(stem)
    assert rules.title
    assert all(option.summary for option in rules.options())


@pytest.mark.parametrize("stem", STEMS)
def test_rules_draw_themselves(stem: str) -> None:
    position = load(stem).start()
    assert position.picture(None).plain() != [position.view(None)]
    assert all(line.isascii() for line in position.picture(None).plain(ascii_only=True))


@pytest.mark.parametrize("stem", STEMS)
def test_rules_import_only_what_they_may(stem: str) -> None:
    names: list[str] = []
    for node in ast.walk(ast.parse((FOLDER / f"{stem}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.append(node.module or "")
    own = [name for name in names if name.split(".")[0] in ("ggtp", "rules")]
    assert own
    allowed = (["ggtp", "errors"], ["ggtp", "game"], ["ggtp", "tournament"])
    assert all(name.split(".")[:2] in allowed for name in own)


@pytest.mark.parametrize("stem", STEMS)
def test_declared_traits_are_met(stem: str) -> None:
    """What is declared but never happens would keep engines away for nothing."""
    rules, rng = load(stem), random.Random(1)
    kinds, refused = set(), False
    for _ in range(5):
        position = rules.start()
        while (turn := position.turn()).kind is not TurnKind.OVER:
            kinds.add(turn.kind)
            verdict = position.play(choose(position, rng))
            refused = refused or bool(verdict.refused)
            position = verdict.position
    traits = rules.traits
    assert (traits.chance, traits.joint, traits.race) == tuple(
        kind in kinds for kind in (TurnKind.CHANCE, TurnKind.JOINT, TurnKind.RACE)
    )
    if not traits.hidden:
        assert not refused
