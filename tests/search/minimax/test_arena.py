"""The memory of a search: how much it is, and that anybody may stop what is done in it."""

import random
import threading
from dataclasses import replace

import pytest
from support.compiled_trees import compiled
from support.minimaxes import ignore, in_code, never

from ggtp.gdl.kernel.single import unpack
from ggtp.search.minimax import layout
from ggtp.search.minimax.arena import Arena, load_code
from ggtp.search.minimax.plan import ENDLESS, POINT, Plan, View


@pytest.mark.parametrize("ceiling", [60_000, 1 << 20, 1 << 26])
@pytest.mark.parametrize("name", ["tictactoe", "connectfour"])
def test_it_takes_no_more_than_it_may(name, ceiling):
    game = compiled(name)
    for view in (View.OPPOSED, View.SELFISH):
        arena = Arena(game.state_kernel(), load_code(game.kept), view, True, ceiling)
        assert arena.taken <= ceiling
        assert arena.taken > ceiling // 2
        assert arena.capacity > 0


def test_with_next_to_nothing_it_is_as_small_as_it_can_be() -> None:
    game = compiled("tictactoe")
    arena = Arena(game.state_kernel(), load_code(game.kept), View.OPPOSED, True, 0)
    assert (arena.capacity, arena.count(layout.ROOM)) == (0, 2)
    found = in_code("tictactoe", 0, Plan(), ceiling=0).search(arena._first, ["mark 1 1"], never, ignore)
    assert found.move == "mark 1 1", "there is no room to look, but a move all the same"


def test_without_caching_nothing_is_remembered() -> None:
    game = compiled("tictactoe")
    assert Arena(game.state_kernel(), load_code(game.kept), View.OPPOSED, False, 1 << 24).capacity == 0


def test_it_is_stopped_from_another_thread() -> None:
    minimax = in_code("connectfour")
    arena = minimax.arena
    minimax.searching(minimax.walk(minimax.first), minimax.plan, never)
    arena.enter(minimax.first, (-1, -1), 0)
    timer = threading.Timer(0.1, arena.stop)
    timer.start()
    assert arena.descend(60, 0, -ENDLESS, ENDLESS, 0) == layout.STOPPED
    assert arena.descend(1, 0, -ENDLESS, ENDLESS, 0) == layout.STOPPED, "until it may go on"
    arena.go_on()
    assert arena.descend(1, 0, -ENDLESS, ENDLESS, 0) == layout.UNCERTAIN
    timer.join()


def test_it_looks_at_the_clock_itself() -> None:
    minimax = in_code("connectfour")
    minimax.seconds = 0.2
    assert minimax.search(minimax.first, ["drop 1", "drop 4"], never, ignore).depth > 0
    minimax.seconds = 0.0
    assert minimax.search(minimax.first, ["drop 1", "drop 4"], never, ignore).depth == 0


def test_it_is_stopped_after_so_many_positions() -> None:
    minimax = in_code("connectfour")
    minimax.most_nodes = 500
    found = minimax.search(minimax.first, ["drop 1", "drop 4"], never, ignore)
    assert 500 <= found.nodes < 600


def test_a_heuristic_is_made_of_what_was_learned() -> None:
    """As much as that is trusted; the machine code adds up what `Lesson` adds up."""
    plan = Plan(mobility=False, novelty=False, proximity=False)
    minimax = in_code("checkers", 1, plan)
    lesson = minimax._code.lessons.learn(never)
    kernel, rng, state = minimax._code.states, random.Random(2), minimax.first
    for _ in range(30):
        look = kernel.look(state)
        for trust in (0.0, 0.5, 1.0):
            minimax.arena.teach(replace(lesson, trust=trust), 1)
            minimax.searching(minimax.walk(state), plan, never)
            minimax.arena.enter(state, (-1, -1), 0)
            minimax.arena.descend(0, 0, -ENDLESS, ENDLESS, 0)
            (found,) = minimax.arena.values(0)
            expected = min(99.0, max(1.0, lesson.expected(1, unpack(state))))
            assert 50 + found / POINT / 2 == pytest.approx(50 + trust * (expected - 50), abs=0.1)
        state = kernel.next(state, [rng.choice(legal) for legal in look.legal])


def test_the_best_move_is_remembered() -> None:
    minimax = in_code("connect3")
    minimax.search(minimax.first, [], never, ignore)
    minimax.arena.enter(minimax.first, (-1, -1), 0)
    assert minimax.arena.best_known(0) is not None
    minimax.forget()
    minimax.arena.enter(minimax.first, (-1, -1), 0)
    assert minimax.arena.best_known(0) is None
