"""The registry of evaluators, and what engines make of it."""

import pytest
from ggtp.engines.minimax import Minimax

from ggtp.game.options import complete, find_option
from ggtp.search.evaluation.evaluator import HEURISTICS, PLAYOUTS
from ggtp.search.evaluation.evaluators import EVALUATORS, evaluation_options, evaluator_of, evaluators
from ggtp.search.mcts.options import OPTIONS as MCTS


def test_every_row_is_an_evaluator_with_a_name_of_its_own() -> None:
    assert len(evaluators()) == len(EVALUATORS)
    assert all(evaluator.name == name for name, evaluator in evaluators().items())


@pytest.mark.parametrize(("options", "own"), [(MCTS, PLAYOUTS), (Minimax.options, HEURISTICS)])
def test_an_engine_offers_its_own_first_and_all_that_are_nobodys_own(options, own) -> None:
    others = tuple(name for name, evaluator in evaluators().items() if not evaluator.fused)
    assert find_option(options, "Evaluation").choices == (own.name, *others)
    assert set(evaluation_options(own)) <= set(options)


def test_an_evaluator_is_chosen_by_its_name() -> None:
    for own in (PLAYOUTS, HEURISTICS):
        assert evaluator_of(complete(evaluation_options(own), {})) == own
