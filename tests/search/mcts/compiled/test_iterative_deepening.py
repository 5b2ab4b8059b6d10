"""What was found out before a search: when it counts, how much, and what the tree makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from support.compiled_trees import MATRIX, compiled, never, searched, searching

from ggtp.search.evaluation.learning import Lesson
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.iterative_deepening import STRETCH, DeepeningResult, MinimaxWeight, follow, serves
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import VISITS
from ggtp.search.minimax.plan import POINT, WIN


def visits_of(search: CompiledSearch, player: str) -> dict[str, float]:
    return {choice.move: choice.visits for choice in search.decision(player).choices}


def test_it_serves_where_two_take_turns_against_each_other() -> None:
    assert serves(compiled("connectfour"))
    for name in ("tron", "buttons", "threepoint", MATRIX):
        assert not serves(compiled(name)), name


def test_what_looks_better_to_minimax_is_looked_at_more() -> None:
    plain = searched("breakthrough_small", heuristic=0.8, ahead=True, playouts=30_000)
    wanted = min(visits_of(plain, "white").items(), key=lambda item: item[1])[0]
    search = searching("breakthrough_small", heuristic=0.8, ahead=True, playouts=30_000)
    tree = search.tree
    assert tree is not None
    texts = [choice.move for choice in search.decision("white").choices]
    numbers = [edge.move for edge in tree.edges(search.root)]
    values = {number: 2 * POINT if text == wanted else 0 for number, text in zip(numbers, texts, strict=True)}
    follow(DeepeningResult(values, 3), tree, search.workers[0], search._state, 0, MinimaxWeight(1.0, 6.0), solver=True)
    search.run(never)
    visits = visits_of(search, "white")
    assert max(visits, key=lambda move: visits[move]) == wanted
    first = tree.node(search.root, layout.FIRST)
    heuristics = {
        tree.edge(first + i).move: tree._edge_halves[8 * (first + i) + layout.EDGE_HEURISTIC] for i in range(13)
    }
    assert heuristics == DeepeningResult(values, 3).heuristics(6.0), "they are not estimated anew"


def test_few_visits_of_many_moves_say_little() -> None:
    deepening = DeepeningResult({move: -move for move in range(50)}, 2)
    assert deepening.decides(100, solver=True, alone=False)
    assert not deepening.decides(1000, solver=True, alone=False)
    assert deepening.decides(1000, solver=True, alone=True)


class Telling:
    """A tree in which heuristic values tell moves apart."""

    worth_of_heuristics = 1.0


def test_that_heuristics_tell_moves_apart_is_not_enough_to_choose_by_them_alone() -> None:
    facts, base = np.zeros((2, 1)), np.array([50.0, 50.0])
    for lesson in (None, Lesson(facts, base, 0.0, 9), Lesson(facts, base, 0.4, 9, mobility_weight=5.0)):
        assert not MinimaxWeight.of(Telling(), lesson).alone  # type: ignore[arg-type]


@pytest.mark.slow
def test_where_minimax_chooses_alone_visits_do_not_count() -> None:
    search = searching("pawnwhopping", heuristic=0.8, ahead=True, playouts=3_000)
    search.load_scouts()
    search.deepen("white", None, most_nodes=20_000)
    assert search._deepening is not None
    search._alone = True
    search.run(never)
    advised = search.game.network.moves[0][search._deepening.best]
    assert f"({search.decision('white').chosen(VISITS).move})" == advised


def test_what_was_learned_of_mobility_is_believed() -> None:
    search = searching("connectfour", heuristic=0.8, ahead=True)
    tree = search.tree
    assert tree is not None
    facts = np.zeros((2, len(search.network.facts)))
    base = np.array([50.0, 50.0])
    assert (
        MinimaxWeight.of(tree, None)
        == MinimaxWeight.of(tree, Lesson(facts, base, 0.0, 9))
        == MinimaxWeight(0.0, STRETCH)
    )
    assert MinimaxWeight.of(tree, Lesson(facts, base, 0.0, 9, mobility_weight=5.0)) == MinimaxWeight(1.0, 5.0, True)


def test_where_facts_are_known_to_be_worth_something_minimax_chooses_alone() -> None:
    search = searching("connectfour", heuristic=0.8, ahead=True)
    tree = search.tree
    assert tree is not None
    facts, base = np.zeros((2, len(search.network.facts))), np.array([50.0, 50.0])
    assert MinimaxWeight.of(tree, Lesson(facts, base, 0.5, 9)) == MinimaxWeight(1.0, STRETCH, alone=True)
    assert MinimaxWeight.of(tree, Lesson(facts, base, 0.5, 9, mobility_weight=3.0)) == MinimaxWeight(
        1.0, 3.0, alone=True
    )
    assert MinimaxWeight.of(tree, Lesson(facts, base, 0.5, 9)).alone
    assert not MinimaxWeight.of(tree, Lesson(facts, base, 0.4, 9)).alone


def test_where_pieces_count_minimax_chooses_alone() -> None:
    search = searching("connectfour", heuristic=0.8, ahead=True)
    tree = search.tree
    assert tree is not None
    facts, base = np.zeros((2, len(search.network.facts))), np.array([50.0, 50.0])
    lesson = Lesson(facts, base, 0.3, 9, pieces=True)
    assert MinimaxWeight.of(tree, lesson) == MinimaxWeight(1.0, STRETCH, alone=True)
    assert MinimaxWeight.of(tree, lesson).alone


def test_values_that_differ_tell_and_others_do_not() -> None:
    assert DeepeningResult({1: 0, 2: POINT}).telling()
    assert not DeepeningResult({1: 0, 2: 3}).telling()
    assert not DeepeningResult({1: 0, 2: WIN - 3, 3: 5 - WIN}).telling(), "what is certain is no heuristic value"
