"""Evaluators as searches ask them: in batches, with values that are followed, and with faults that are named."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.compiled_trees import COIN, THREE, compiled, never
from support.evaluators import (
    SEARCHES,
    SQUARES,
    OnlyPositions,
    OnlyRows,
    Told,
    compiled_search,
    cross_on,
    even,
    fact_holds,
    mcts_over_positions,
    mcts_over_rows,
    minimax_over_positions,
    minimax_over_rows,
    tic_tac_toe,
)
from support.minimaxes import rules_of

from ggtp.errors import RuleFailed
from ggtp.search.evaluation.evaluator import (
    HEURISTICS,
    PLAYOUTS,
    CheckedLeaves,
    EvaluatorFailed,
    Leaves,
    PositionGame,
    RowGame,
    position_leaves,
    row_leaves,
    until_compiled,
)
from ggtp.search.minimax.plan import Plan, View


@pytest.mark.parametrize("square", SQUARES)
def test_searches_over_positions_choose_the_move_that_the_evaluator_favours(square) -> None:
    assert mcts_over_positions(Told(cross_on(square))) == square
    assert minimax_over_positions(Told(cross_on(square))) == square


@pytest.mark.parametrize("place", ["1 1", "2 2", "3 1", "1 3"])
def test_searches_over_rows_choose_the_move_that_the_evaluator_favours(place) -> None:
    favours = fact_holds("tictactoe", f"(cell {place} x)")
    assert mcts_over_rows(Told(favours)) == f"mark {place}"
    assert minimax_over_rows(Told(favours)) == f"mark {place}"


@pytest.mark.parametrize("extension", [0, 2])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("view", [View.OPPOSED, View.PARANOID, View.SELFISH])
def test_minimax_follows_it_at_every_depth_whatever_others_want(view, depth, extension) -> None:
    def plan(evaluator: Told) -> Plan:
        return Plan(view=view, depth=depth, extension=extension, evaluation=evaluator)

    over_positions, over_rows = Told(cross_on("B1")), Told(fact_holds("tictactoe", "(cell 2 1 x)"))
    assert minimax_over_positions(over_positions, plan=plan(over_positions)) == "B1"
    assert minimax_over_rows(over_rows, plan=plan(over_rows)) == "mark 2 1"


def test_compiled_mcts_hands_over_whole_batches() -> None:
    evaluator = Told(even)
    search = compiled_search(evaluator, 5_000, name="connect3")
    search.run(never)
    assert max(evaluator.batches) > search.settings.batch / 2
    assert sum(evaluator.batches) == search.playouts


def test_mcts_over_positions_hands_over_one_leaf_after_the_other() -> None:
    evaluator = Told(even)
    mcts_over_positions(evaluator, playouts=50)
    assert evaluator.batches == [1] * 50


@pytest.mark.parametrize("extension", [0, 2])
@pytest.mark.parametrize("search", [minimax_over_positions, minimax_over_rows])
def test_minimax_hands_over_all_children_of_a_node(search, extension) -> None:
    evaluator = Told(even)
    search(evaluator, plan=Plan(depth=2, pruning=False, extension=extension, evaluation=evaluator))
    assert evaluator.batches[0] == 9  # the root's
    # Each of its nine moves has eight answers; what two ways lead to need not be asked twice.
    assert set(evaluator.batches[1:]) <= set(range(4, 9))
    assert evaluator.batches.count(8) >= 1


def test_the_values_of_a_node_are_the_means_of_those_that_were_given() -> None:
    search = compiled_search(Told(lambda rows: np.full((len(rows), 2), [0.75, 0.125])), 30, name="connect3")
    search.run(never)
    assert list(search.decision("red").values.values()) == pytest.approx([0.75, 0.125])


def test_everybodys_values_are_kept_apart() -> None:
    """Where three play and want their own points, the first does what gives it most, whatever others get."""
    number = compiled(THREE).network.facts.index("(first x)")

    def chosen(x, y):
        evaluator = Told(lambda rows: np.where((rows[:, :1] >> np.uint64(number)) & np.uint64(1), [x], [y]))
        plan = Plan(view=View.SELFISH, depth=1, extension=0, evaluation=evaluator)
        return minimax_over_rows(evaluator, name=THREE, plan=plan)

    assert chosen((0.3, 0.1, 0.1), (0.2, 0.9, 0.9)) == "x"
    assert chosen((0.1, 0.9, 0.9), (0.2, 0.1, 0.1)) == "y"


WRONG = {
    "too few columns": (lambda leaves: np.full((len(leaves), 1), 0.5), r"shape \(\d+, 1\), not \(\d+, 2\)"),
    "too many rows": (lambda leaves: np.full((len(leaves) + 1, 2), 0.5), r"shape \(\d+, 2\), not"),
    "no rows": (lambda leaves: np.full(2 * len(leaves), 0.5), r"shape \(\d+,\), not"),
    "nothing": (lambda leaves: None, r"shape \(\), not"),
    "no number": (lambda leaves: np.full((len(leaves), 2), math.nan), r"from 0 to 1, not nan \(leaf 1 of \d+, "),
    "too much": (lambda leaves: np.full((len(leaves), 2), 1.5), "from 0 to 1, not 1.5"),
    "too little": (lambda leaves: np.full((len(leaves), 2), -0.25), "from 0 to 1, not -0.25"),
    "endless": (lambda leaves: np.full((len(leaves), 2), math.inf), "from 0 to 1, not inf"),
    "texts": (lambda leaves: [["half", "half"]] * len(leaves), "ValueError: could not convert"),
    "an exception": (lambda leaves: [1 / len([])], r"ZeroDivisionError: division by zero \(test_evaluator.py:\d+\)"),
    "no array": (lambda leaves: [[0.5], [0.5, 0.5]], "ValueError"),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("fault", WRONG)
def test_whatever_is_wrong_with_an_evaluator_is_said(search, fault) -> None:
    judge, text = WRONG[fault]
    with pytest.raises(EvaluatorFailed, match=f"evaluator told: .*{text}"):
        SEARCHES[search](Told(judge))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_goes_on_with_another_evaluator_after_one_has_failed(threads) -> None:
    search = compiled_search(Told(WRONG["an exception"][0]), 1_000, threads, name="connect3")
    for _ in range(2):
        with pytest.raises(EvaluatorFailed, match="ZeroDivisionError"):
            search.run(never)
        assert search.nodes == 0
        assert search.begin(search._state)
    assert search.begin(search._state, replace(search.settings, evaluation=PLAYOUTS))
    search.run(never)
    assert search.playouts >= 1_000


def test_one_that_fails_late_is_found_out_by_several_threads() -> None:
    evaluator = Told(lambda leaves: even(leaves) if len(evaluator.batches) < 20 else even(leaves) / 0.4)
    search = compiled_search(evaluator, 1 << 20, threads=2, name="connect3")
    with pytest.raises(EvaluatorFailed, match=r"from 0 to 1, not 1\.25"):
        search.run(never)


def test_leaves_can_be_kept_from_being_changed() -> None:
    def spoil(leaves):
        leaves[:] = 0
        return even(leaves)

    with pytest.raises(EvaluatorFailed, match="read-only"):
        mcts_over_rows(Told(spoil))


def test_a_rule_that_fails_is_not_the_evaluators_fault() -> None:
    def fail(leaves):
        raise RuleFailed("Chess", "moves", "chess.py:1", "KeyError")

    with pytest.raises(RuleFailed):
        mcts_over_positions(Told(fail))


class Learning(Leaves[list[int]]):
    """Learns as long as it may."""

    def __init__(self) -> None:
        self.steps = 0

    def values(self, leaves):
        return even(leaves)

    def study(self, should_stop):
        while not should_stop() and self.steps < 1000:
            self.steps += 1
        return self.steps > 0


def test_one_that_learns_is_told_when_to_stop() -> None:
    learning = Learning()
    leaves = CheckedLeaves(Told(even), ["one", "two"], learning)
    assert not leaves.study(lambda: True)
    assert not leaves.study(never, 0.0)
    assert learning.steps == 0
    assert leaves.study(never)
    assert learning.steps == 1000


def test_what_is_part_of_a_search_makes_no_leaves() -> None:
    rules = tic_tac_toe()
    for evaluator in (PLAYOUTS, HEURISTICS):
        assert evaluator.in_code
        assert position_leaves(evaluator, PositionGame(rules, rules.complete({}))) is None
        assert row_leaves(evaluator, RowGame(compiled("tictactoe"))) is None


def test_who_serves_one_kind_of_leaves_refuses_the_other() -> None:
    rules = tic_tac_toe()
    with pytest.raises(EvaluatorFailed, match="rows only: it serves only compiled games, and TicTacToe is none"):
        position_leaves(OnlyRows(even), PositionGame(rules, rules.complete({})))
    with pytest.raises(EvaluatorFailed, match="positions only: it serves only positions"):
        row_leaves(OnlyPositions(even), RowGame(compiled("tictactoe")))
    assert OnlyRows(even).in_code
    assert not OnlyPositions(even).in_code


def test_until_a_game_is_compiled_searches_do_without_an_evaluator_of_rows() -> None:
    gdl = rules_of("tictactoe")
    assert until_compiled(OnlyRows(even), gdl, PLAYOUTS) is PLAYOUTS
    for evaluator in (Told(even), OnlyPositions(even)):
        assert until_compiled(evaluator, gdl, PLAYOUTS) is evaluator
    rows = OnlyRows(even)
    assert until_compiled(rows, tic_tac_toe(), PLAYOUTS) is rows


def test_chance_is_no_player() -> None:
    game = RowGame(compiled(COIN))
    assert [*game.players] == ["hero"]
    assert mcts_over_rows(Told(lambda rows: np.full((len(rows), 1), 0.5)), name=COIN)
