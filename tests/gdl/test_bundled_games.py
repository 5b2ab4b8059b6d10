"""Every bundled game, by the interpreter and by compiled code: the same sets in every state, the same results.

The largest take too long to compile for every run; `ggtp check` compares them in the same way.
"""

from __future__ import annotations

import random
from functools import cache
from math import sqrt

import pytest
from support.lanes import KEPT
from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.kernel.playouts import table
from ggtp.gdl.kernel.single import pack
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.language.syntax import Rulesheet
from ggtp.gdl.network.build import build
from ggtp.gdl.play.agree import compare
from ggtp.gdl.play.compiled import CompiledGame

RULES = ROOT / "rules" / "gdl"
LARGE = {
    "amazons",
    "blobwars",
    "checkers",
    "checkers_barrel",
    "chess",
    "chinesecheckers",
    "chinesecheckers2",
    "gomoku",
    "hex",
    "othello",
    "pentago",
    "quarto",
    "skirmish",
}
GAMES = sorted({path.stem for path in RULES.glob("*.gdl")} - LARGE)
STEPS = 3_000
"""How many moves are made one by one for an average."""


@cache
def sheet(name: str) -> Rulesheet:
    return parse_strictly((RULES / f"{name}.gdl").read_text("utf-8"))


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(build(ground(sheet(name))), KEPT)


def test_there_are_as_many_as_are_promised() -> None:
    assert len(GAMES) + len(LARGE) >= 45
    assert all((RULES / f"{name}.gdl").exists() for name in LARGE)


@pytest.mark.parametrize("name", GAMES)
def test_every_state_is_the_same(name: str) -> None:
    found = compare(Interpreter(sheet(name)), game(name).machine(compiled=False), random.Random(name), max_steps=40)
    assert found.difference is None
    assert found.states >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_results_are_the_same_on_average(name: str) -> None:
    played = game(name)
    lengths, goals = one_by_one(played, random.Random(name))
    kernel = table(played.step, kept=KEPT, words=4)
    kernel.seed(1)
    stats = kernel.playouts(4_000)
    found = [stats.steps / stats.games, *(stats.mean(role) for role in range(len(played.roles)))]
    expected = [lengths, *([values[role] for values in goals] for role in range(len(played.roles)))]
    for mean, values in zip(found, expected, strict=True):
        count = len(values)
        average = sum(values) / count
        spread = sum((value - average) ** 2 for value in values) / max(1, count - 1)
        # Six standard errors, and what is so rare that a few games may not show it.
        bound = 6 * sqrt(spread * (1 / count + 1 / stats.games)) + 5 * max(max(values), 1) / count
        assert abs(mean - average) <= bound


def one_by_one(played: CompiledGame, rng: random.Random) -> tuple[list[int], list[list[int]]]:
    """The lengths and goals of random games that are played state by state."""
    kernel, network = played.state_kernel(compiled=False), played.network
    lengths: list[int] = []
    goals = []
    while sum(lengths) < STEPS and len(lengths) < 400:
        state, length = pack(network, network.initial), 0
        while not (look := kernel.look(state)).terminal:
            state, length = kernel.next(state, [rng.choice(moves) for moves in look.legal]), length + 1
        lengths.append(length)
        goals.append(look.goals)
    return lengths, goals
