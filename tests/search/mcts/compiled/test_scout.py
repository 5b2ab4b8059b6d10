"""What minimax finds before a search: it is settled where it is certain, and counts where it is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.compiled_trees import MATRIX, compiled, never, searching, state_after

from ggtp.search.mcts.compiled.iterative_deepening import BLIND, DeepeningResult, MinimaxWeight
from ggtp.search.mcts.compiled.scout import NEAR, PLAN, Scout, Scouts, on_one_scale
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import VISITS
from ggtp.search.minimax.compiled import SearchCode
from ggtp.search.minimax.plan import ENDLESS, WIN

FORK = ("(mark 1 1)", "(mark 1 2)")
"""Cross stands in a corner, circle beside it: cross wins by force, but not at once."""
CORNER = ("(mark 1 1)",)
"""Circle has to take the middle."""


def sounded(name: str, player: str, *moves: str, **settings: Any) -> CompiledSearch:
    """A search before which minimax has looked at all there is."""
    search = searching(name, *moves, **settings)
    search.load_scouts()
    search.deepen(player, None)
    return search


def scout_of(name: str, seat: int = 0) -> Scout:
    return Scout(SearchCode(compiled(name)), seat, PLAN, 1 << 24)


def visits_of(search: CompiledSearch, player: str) -> dict[str, float]:
    return {choice.move: choice.visits for choice in search.decision(player).choices}


def test_where_it_does_not_serve_nothing_is_deepened() -> None:
    search = sounded(MATRIX, "row")
    assert search.decision("row").sounded == 0


def test_a_forced_win_is_taken_without_a_single_playout() -> None:
    search = sounded("tictactoe", "cross", *FORK)
    search.run(never)
    decision = search.decision("cross")
    assert decision.playouts == 0
    assert decision.solved
    assert decision.values == {"cross": 1.0, "circle": 0.0}
    chosen = decision.chosen(VISITS)
    assert (chosen.proven, chosen.value, chosen.length) == (True, 1.0, 5)
    assert decision.line[0] == chosen.move
    assert len(decision.line) == 5


def test_moves_that_lose_are_not_looked_at_again() -> None:
    search = sounded("tictactoe", "circle", *CORNER, playouts=200, solver=True)
    search.run(never)
    decision = search.decision("circle")
    lost = {choice.move for choice in decision.choices if choice.proven and choice.value == 0}
    assert len(lost) == 7
    assert decision.chosen(VISITS).move == "mark 2 2"
    assert all(visits == 0 for move, visits in visits_of(search, "circle").items() if move in lost)


def test_without_the_solver_nothing_is_settled() -> None:
    search = sounded("tictactoe", "cross", *FORK, playouts=500, solver=False)
    search.run(never)
    decision = search.decision("cross")
    assert decision.playouts >= 500
    assert not decision.solved
    assert not any(choice.proven for choice in decision.choices)


def test_a_loss_is_told_and_delayed() -> None:
    search = sounded("tictactoe", "circle", *FORK, "(mark 2 1)")
    decision = search.decision("circle")
    assert decision.solved
    assert decision.values["circle"] == 0.0
    assert decision.chosen(VISITS).length == max(choice.length for choice in decision.choices)


def test_among_moves_that_are_equally_good_for_certain_the_tree_chooses() -> None:
    search = sounded("tictactoe", "cross", playouts=2000)
    assert search._deepening is not None
    assert search._deepening.solved
    search.run(never)
    decision = search.decision("cross")
    assert decision.playouts > 0
    assert decision.planned is None


def test_values_are_bounds_that_tell_what_is_near_the_best() -> None:
    code = SearchCode(compiled("breakthrough_small"))
    even = replace(PLAN, extension=0)  # all moves are searched equally deep
    scout, full = Scout(code, 0, even, 1 << 24), Scout(code, 0, even, 1 << 24)
    state = state_after(code.game, "(move b 2 c 3)", "(move d 4 c 3)")
    level = next(level for level in scout._levels(state) if level.depth == 4)
    walk = full.walk(state)
    search = full.searching(walk, replace(even, proximity=False), never)  # goals say nothing before the end
    exact = {}
    for move in walk.moves():
        walk.play(move)
        exact[move] = search.worth(search.child(3, 0, -ENDLESS, ENDLESS, 1), 0)
        walk.undo()
    best = max(exact.values())
    assert max(level.values.values()) == best
    for move, value in level.values.items():
        assert value <= exact[move] if value > best - NEAR else value >= exact[move]
        assert (value > best - NEAR) == (exact[move] > best - NEAR)
    assert min(exact.values()) <= best - NEAR < best


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({1: 500}, {1: 900, 2: 800, 3: 100}),
        ({1: 500, 2: 700}, {1: 900, 2: 1100, 3: 100}),
        ({1: 5 - WIN}, {1: 5 - WIN, 2: 800, 3: 100}),
        ({1: 500, 2: WIN - 7}, {1: 900, 2: WIN - 7, 3: 100}),
    ],
)
def test_a_level_that_is_not_finished_is_put_on_the_scale_of_the_one_before(
    now: dict[int, int], expected: dict[int, int]
) -> None:
    assert on_one_scale({1: 900, 2: 800, 3: 100}, now, 1) == expected


def test_it_can_be_stopped_and_has_found_something() -> None:
    scout = scout_of("connectfour")
    told: list[DeepeningResult] = []

    def stop(found: DeepeningResult) -> None:
        told.append(found)
        if len(told) == 4:
            scout.stop()

    found = scout.deepen(state_after(scout._game), None, stop)
    assert found is not None
    assert found.depth == 4
    assert len(told) == 4


def test_what_was_found_so_far_can_be_read_meanwhile() -> None:
    search = searching("connectfour")
    search.load_scouts()
    seen = []

    def look(move: str) -> None:
        decision = search.decision("yellow")
        seen.append(decision.sounded)
        assert decision.chosen(VISITS).move == move
        assert sum(decision.values.values()) == pytest.approx(1.0)

    search.deepen("yellow", None, look, most_nodes=2_000)
    assert seen[:3] == [1, 2, 3]


def test_who_only_looks_for_what_is_certain_has_less_time() -> None:
    assert MinimaxWeight(0.0, 1.0).share == BLIND
    assert MinimaxWeight(1.0, 1.0).share == 1.0
    seconds = []
    for name in ("connectfour", "breakthrough_small"):
        search = searching(name, heuristic=0.8, ahead=True)
        search.load_scouts()
        assert search._scouts is not None
        scout = search._scouts.scout(0, search.settings.megabytes)
        scout.deepen = lambda state, given, told, reducing, near: seconds.append(given)  # type: ignore[assignment]
        search.deepen(search.players[0], 1.0)
    assert seconds == [BLIND, 1.0]
    search.deepen(search.players[0], 0.001)
    assert len(seconds) == 2, "that is too little for thirteen moves"


def test_what_does_not_look_good_is_searched_less_deep_where_that_was_learned() -> None:
    state = state_after(compiled("breakthrough_small"))
    depths = {}
    for reducing in (False, True):
        scout = scout_of("breakthrough_small")
        scout.most_nodes = 100_000
        found = scout.deepen(state, None, reducing=reducing)
        assert found is not None
        depths[reducing] = found.depth
    assert depths[True] > depths[False]


@pytest.mark.parametrize("near", [0, NEAR])
def test_what_is_not_known_to_be_better_is_never_said_to_be_as_good(near: int) -> None:
    code = SearchCode(compiled("breakthrough_small"))
    even = replace(PLAN, extension=0)
    for opening in ((), ("(move b 2 c 3)", "(move d 4 c 3)"), ("(move a 2 b 3)", "(move e 4 d 3)")):
        state = state_after(code.game, *opening)
        scout, full = Scout(code, 0, even, 1 << 24), Scout(code, 0, even, 1 << 24)
        for level in scout._levels(state, near=near):
            best = level.values[level.best]
            assert sum(value == best for value in level.values.values()) == 1
            walk = full.walk(state)
            search = full.searching(walk, replace(even, proximity=False), never)
            walk.play(level.best)
            exact = search.worth(search.child(level.depth - 1, 0, -ENDLESS, ENDLESS, 1), 0)
            assert best == exact
            if level.depth == 5:
                break


def test_whoever_chooses_alone_compares_nothing_but_with_the_best() -> None:
    state = state_after(compiled("breakthrough_small"))
    found = {}
    for near in (0, NEAR):
        scout = scout_of("breakthrough_small")
        level = next(level for level in scout._levels(state, near=near) if level.depth == 6)
        found[near] = level
    assert max(found[0].values.values()) == max(found[NEAR].values.values())
    assert found[0].nodes < found[NEAR].nodes


def test_what_was_proven_from_outside_is_searched_again_where_it_is_the_root() -> None:
    search = sounded("tictactoe", "circle", *CORNER)
    after = state_after(search.game, *CORNER, "(mark 1 2)")
    tree = search.tree
    assert search.begin(after)
    assert search.tree is tree
    assert not search.settled
    search.run(never)
    decision = search.decision("cross")
    assert decision.solved
    assert decision.chosen(VISITS).value == 1.0


def test_tree_and_scout_share_the_memory() -> None:
    search = searching("breakthrough_small", megabytes=32)
    search.load_scouts()
    search.deepen("white", None, most_nodes=1000)
    assert search._scouts is not None
    assert search.tree is not None
    taken = search._scouts.scout(0, 32).arena.taken
    assert search.tree.size + taken <= 32 << 20


def test_the_scout_of_a_seat_is_kept() -> None:
    scouts = Scouts(compiled("tictactoe"))
    one = scouts.scout(0, 16)
    assert scouts.scout(0, 16) is one
    assert scouts.scout(1, 16) is not one


@pytest.mark.slow
def test_where_there_is_no_time_nothing_is_found() -> None:
    for name in ("othello", "connectfour"):  # whose goals are looked at before the end, and are not
        scout = scout_of(name)
        assert scout.deepen(state_after(scout._game), 0.0) is None
