from __future__ import annotations

import random

import pytest
from support.vgdl import game

pytest.importorskip("numba", reason="the compiler is not installed")

from ggtp.vgdl.level import parse_level
from ggtp.vgdl.model import Model, State
from ggtp.vgdl.openloop import WIN, OpenLoop
from ggtp.vgdl.vocabulary import Action

pytestmark = pytest.mark.bound(600)  # on a busy machine the first compilation takes minutes

SPRITES = "goal > Door\nfire > Immovable\nghost > RandomNPC\nf > Immovable\n"
RULES = "avatar wall EOS > stepBack\nghost wall EOS > stepBack\navatar fire ghost > killSprite scoreChange=-1\n"
RULES += "goal avatar > killSprite scoreChange=2\n"
ENDS = "SpriteCounter stype=goal win=True\nSpriteCounter stype=avatar"
LETTERS = "g > goal\nx > fire\nh > ghost\n. > f\n"


def start(level: str) -> State:
    made = game(SPRITES, RULES, ENDS, LETTERS)
    return Model(made, parse_level("\n".join(level.split()), made)).start(1)


def searched(level: str, iterations: int = 300) -> OpenLoop:
    search = OpenLoop(start(level), random.Random(3), 8)
    search.run(lambda: search.iterations >= iterations)
    return search


def test_it_goes_to_the_goal_and_not_into_the_fire() -> None:
    assert searched("xAg").choice() is Action.RIGHT
    assert searched("gAx").choice() is Action.LEFT


def test_it_does_so_with_ghosts_about() -> None:
    assert searched("xA.g ...h").choice() is not Action.LEFT


def test_most_visits_decide() -> None:
    search = searched("xAg")
    assert search.choice() is max(search.visits(), key=lambda action: search.visits()[action])
    assert sum(search.visits().values()) == search.iterations


def test_nothing_is_chosen_before_anything_is_known() -> None:
    assert OpenLoop(start("A.g"), random.Random(1)).choice() is Action.NIL


def test_values() -> None:
    search = searched("A.g", 1)
    root = start("A.g")
    assert search.value(root, 3) == 0
    root.advance(Action.RIGHT)
    root.advance(Action.RIGHT)
    early, late = search.value(root, 2), search.value(root, 5)
    assert early > late > WIN / 2


def test_the_root_stays_as_it_is() -> None:
    root = start("A..g ...h")
    before = root.numbers.copy()
    search = OpenLoop(root, random.Random(3))
    search.run(lambda: search.iterations >= 20)
    assert (root.numbers == before).all()
