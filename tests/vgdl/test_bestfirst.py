from __future__ import annotations

import pytest
from support.vgdl import game

pytest.importorskip("numba", reason="the compiler is not installed")

from ggtp.vgdl.bestfirst import BestFirst, signature
from ggtp.vgdl.level import parse_level
from ggtp.vgdl.model import Model, State
from ggtp.vgdl.vocabulary import Action

pytestmark = pytest.mark.bound(600)  # on a busy machine the first compilation takes minutes

SPRITES = "box > Passive\nhole > Door\ncoin > Immovable\nf > Immovable\n"
RULES = """
avatar wall EOS > stepBack
box avatar > bounceForward
box wall box EOS > undoAll
box hole > killSprite scoreChange=1
coin avatar > killSprite scoreChange=2
"""
LETTERS = "b > box\no > hole\nc > coin\n. > f\n"


def start(level: str, ends: str = "SpriteCounter stype=box win=True") -> State:
    made = game(SPRITES, RULES, ends, LETTERS)
    return Model(made, parse_level("\n".join(level.split()), made)).start(1)


def never() -> bool:
    return False


def test_a_plan_is_found_and_is_the_shortest_without_a_weight() -> None:
    root = start("....... .A.b.o. .......")
    search = BestFirst(root)
    search.run(never)
    assert search.plan == (Action.RIGHT,) * 3
    assert root.tick == -1


def test_the_plan_wins() -> None:
    root = start("......w .b...o. ..A.... .......")
    search = BestFirst(root, score_weight=2)
    search.run(never)
    assert search.plan is not None
    for action in search.plan:
        root.advance(action)
    assert (root.ended, root.winner) == (True, 1)


def test_equal_states_are_looked_at_once() -> None:
    pruned, plain = (
        BestFirst(start("A..c ....", "Timeout limit=4")),
        BestFirst(start("A..c ....", "Timeout limit=4"), prune=False),
    )
    pruned.run(never)
    plain.run(never)
    assert pruned.exhausted
    assert plain.exhausted
    assert pruned.advances < plain.advances / 4


def test_points_first_with_a_weight() -> None:
    level = "c......... A......... .........."
    greedy, broad = (BestFirst(start(level, "Timeout limit=90"), weight) for weight in (50, 0))
    for search in (greedy, broad):
        search.run(lambda search=search: search.expanded >= 12)  # type: ignore[misc]
    assert greedy.best[0] == broad.best[0] == 2
    assert greedy.best[1] == (Action.UP,)


def test_it_stops_when_it_is_told_and_goes_on_later() -> None:
    search = BestFirst(start("....... .A.b.o. ......."))
    search.run(lambda: True)
    assert (search.plan, search.expanded) == (None, 0)
    search.run(never)
    assert search.plan is not None


def test_there_is_a_ceiling() -> None:
    search = BestFirst(start("........ .A...... ........", "Timeout limit=900"), most_states=10)
    search.run(never)
    assert search.exhausted
    assert search.plan is None


def test_signatures_do_not_know_the_time() -> None:
    one = start("A..b")
    other = one.twin()
    other.advance(Action.NIL)
    assert signature(one) == signature(other)
    other.advance(Action.RIGHT)
    assert signature(one) != signature(other)
