"""Best-first search: order, duplicates, foresight, plans."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import never, start

from ggtp.vgdl.player import plan as p
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.planner import Planner
from ggtp.vgdl.world.world import WON

ROOM = "wwwww w...w w.A.w w...w wwwww"
COINS = "wwwwwwww wA.....w w......w wc....xw wwwwwwww"
BOXES = "wwwwwww w.....w w.b.b.w wA.h.hw w..h.xw wwwwwww"


def planner(level, **settings):
    state = start(level)
    return state, Planner(state, Knowledge(state.model), megabytes=8, **settings)


def column(found, word):
    """A word of all nodes, in the order in which they were made."""
    return found.memory.nodes.reshape(-1, p.NODE)[: int(found.meta[p.P_NODES]), word].tolist()


def test_without_a_weight_it_is_breadth_first() -> None:
    _, found = planner(COINS, predict=False)
    found.run(never, 200)
    depths = column(found, p.N_DEPTH)
    assert depths == sorted(depths)
    assert max(depths) > 3


def test_a_score_state_is_looked_at_before_its_equals() -> None:
    _, found = planner(COINS, score_weight=100.0, predict=False)
    while len(set(column(found, p.N_SCORE))) == 1:
        found.run(never, 1)
    first = column(found, p.N_SCORE).index(1)
    found.run(never, 20)
    # Whatever is made next comes from the state with the point, which is deeper than many that wait.
    assert set(column(found, p.N_SCORE)[first + 5 :]) == {1}


def test_equal_states_are_one_node() -> None:
    _, found = planner(ROOM, predict=False)
    found.run(never)
    assert found.exhausted
    assert int(found.meta[p.P_NODES]) == 9


def test_without_that_there_are_many() -> None:
    _, found = planner(ROOM, equal=False, predict=False)
    found.run(never, 400)
    assert not found.exhausted
    assert int(found.meta[p.P_NODES]) > 300


def test_foresight_saves_ticks_and_finds_the_same() -> None:
    _, plain = planner(BOXES, predict=False)
    _, clever = planner(BOXES)
    plain.run(never)
    clever.run(never)
    assert plain.plan is not None
    assert clever.plan is not None
    assert len(plain.plan) == len(clever.plan)
    assert clever.advances < 0.9 * plain.advances
    assert int(clever.meta[p.P_PREPRUNED]) > 0


@pytest.mark.parametrize("level", [COINS, BOXES, "wwwwwwww wAk.k.gw wwwwww.w wx.....w wwwwwwww"])
def test_a_plan_wins(level):
    state, found = planner(level, score_weight=4.0)
    found.run(never)
    assert found.plan is not None
    for action in found.plan:
        state.advance(action)
    assert state.winner == WON
    assert state.score == found.plan_score


def test_without_room_it_is_over() -> None:
    state = start("wwwwwwwwww wA.c.c.c.w w.c.c.c..w wc.c.c.c.w w........w wwwwwwwwww")
    found = Planner(state, Knowledge(state.model), megabytes=0)
    found.run(never)
    assert found.exhausted
    assert found.plan is None
    assert found.best  # there are points on the way
