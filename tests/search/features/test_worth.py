"""What features are worth is measured by random games, and those that are worth nothing are left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.playouts import Outcomes, PlayoutKernel
from ggtp.gdl.kernel.single import pack, rows
from ggtp.search.features import worth as gifl_worth
from ggtp.search.features.experiments import Laboratory, Rows
from ggtp.search.features.features import Feature, FeatureSet, Kind, Worth
from ggtp.search.features.learn import Learner
from ggtp.search.features.worth import tried, worthwhile

GAME = compiled("tictactoe")
NETWORK = GAME.network
START = rows([pack(NETWORK, NETWORK.initial)])


def first_move(name: str, kind: Kind = Kind.OFFENSIVE, level: int = 2) -> Feature:
    return Feature(0, NETWORK.moves[0].index(f"(mark {name})"), kind, level, frozenset())


def measured(
    features: list[Feature], positions: list[Rows], should_stop: Callable[[], bool] = lambda: False
) -> list[Worth]:  # fmt: skip
    """Of those that were measured."""
    cases = tried(Laboratory(GAME.state_kernel()), features, positions, GAME.best(), should_stop)
    return [worth for feature in features if (worth := cases.worth(feature))]


def starts(count: int) -> Rows:
    return np.repeat(START, count, axis=0)


def test_the_middle_is_worth_more_than_an_edge() -> None:
    middle, edge = measured([first_move("2 2"), first_move("1 2")], [starts(200)])
    assert middle.mean - middle.error > 0.02
    assert edge.mean + edge.error < 0.0


def test_a_game_without_an_end_is_worth_half() -> None:
    class Endless:
        """Games from the start have no end, and whoever begins wins all others."""

        def run_from(self, states: Rows) -> Outcomes:
            ends = (states != START).any(axis=1)
            goals = np.stack([100 * ends, 0 * ends], axis=1).astype(np.int32)
            return Outcomes(goals, np.where(ends, 1, -1).astype(np.int32))

    cases = tried(Laboratory(GAME.state_kernel()), [first_move("2 2")], [starts(9)], cast(PlayoutKernel, Endless()))
    worth = cases.worth(first_move("2 2"))
    assert worth is not None
    assert worth.mean == pytest.approx(0.5)


def test_few_cases_are_not_certain() -> None:
    errors = [worth.error for count in (1, 4, 400) for worth in measured([first_move("2 2")], [starts(count)])]
    assert errors[0] >= 0.5, "one case says nothing"
    assert errors[0] > errors[1] > 4 * errors[2]


def test_all_parts_of_the_positions_count_until_somebody_says_stop() -> None:
    middle = first_move("2 2")
    (one,), (four,) = measured([middle], [starts(50)]), measured([middle], [starts(50)] * 4)
    (stopped,) = measured([middle], [starts(50)] * 4, lambda: True)
    assert four.error < 0.6 * one.error
    assert stopped.error > 1.5 * four.error


def test_nothing_is_measured_where_something_is_to_be_done_at_once() -> None:
    urgent, middle = first_move("1 1", level=0), first_move("2 2")
    assert measured([urgent, middle], [START]) == []
    avoided = first_move("1 1", Kind.AVOIDING, level=0)
    assert len(measured([avoided, middle], [START])) == 1


def test_of_too_many_moves_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gifl_worth, "MOST_TRIED", 10)
    worths = measured([first_move("2 2"), first_move("1 2")], [starts(50)])
    assert [worth.error > 0.1 for worth in worths] == [True, True], "in five positions"


@pytest.mark.slow
def test_what_is_worth_following() -> None:
    learner = Learner(GAME.state_kernel(), 1)
    learner.walks(400)
    edge = first_move("1 2")
    learner.features.add(edge, 1000)
    found = worthwhile(GAME, learner, 1000)
    assert edge not in found, "it is learned often, but no better than other moves"
    levels = {feature.level for feature, _ in found}
    assert {0, 1} <= levels
    assert len(worthwhile(GAME, learner, 10)) == 10


def test_where_nothing_was_learned_nothing_is_worth_following() -> None:
    assert len(worthwhile(GAME, Learner(GAME.state_kernel(), 1, FeatureSet()), 10)) == 0


@pytest.mark.slow
def test_a_man_that_goes_ahead_must_not_be_taken() -> None:
    game = compiled("breakthrough_small")
    learner = Learner(game.state_kernel(), 1)
    learner.walks(500)
    found, network = worthwhile(game, learner, 1000), game.network
    facts = [network.facts[literal >> 1] for feature, _ in found for literal in feature.needs if literal & 1]
    assert facts, "it is asked who is not there"
    assert len(found.worth) > 20
    assert any(part not in learner.features for part in found.worth), "there are parts of what was learned"
