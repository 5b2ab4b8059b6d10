"""What features are worth is measured by random games, and those that are worth nothing are left out."""

from __future__ import annotations

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel_single import pack, rows
from ggtp.search import gifl_worth
from ggtp.search.gifl_features import Feature, FeatureSet, Kind
from ggtp.search.gifl_lab import Laboratory
from ggtp.search.gifl_learn import Learner
from ggtp.search.gifl_worth import measured, worthwhile

GAME = compiled("tictactoe")
NETWORK = GAME.network
START = rows([pack(NETWORK, NETWORK.initial)])


def first_move(name: str, kind: Kind = Kind.OFFENSIVE, level: int = 2) -> Feature:
    return Feature(0, NETWORK.moves[0].index(f"(mark {name})"), kind, level, frozenset())


def test_the_middle_is_worth_more_than_an_edge() -> None:
    middle, edge = first_move("2 2"), first_move("1 2")
    found = measured(Laboratory(GAME.state_kernel()), [middle, edge], np.repeat(START, 200, axis=0), GAME.best())
    assert found[middle].mean - found[middle].error > 0.02
    assert found[edge].mean + found[edge].error < 0.0


def test_few_cases_are_not_certain() -> None:
    middle = first_move("2 2")
    lab = Laboratory(GAME.state_kernel())
    errors = [
        measured(lab, [middle], np.repeat(START, count, axis=0), GAME.best())[middle].error for count in (1, 4, 400)
    ]
    assert errors[0] >= 0.5, "one case says nothing"
    assert errors[0] > errors[1] > 4 * errors[2]


def test_nothing_is_measured_where_something_is_to_be_done_at_once() -> None:
    lab, urgent, middle = Laboratory(GAME.state_kernel()), first_move("1 1", level=0), first_move("2 2")
    assert measured(lab, [urgent, middle], START, GAME.best()) == {}
    avoided = first_move("1 1", Kind.AVOIDING, level=0)
    assert set(measured(lab, [avoided, middle], START, GAME.best())) == {middle}


def test_of_too_many_moves_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gifl_worth, "MOST_TRIED", 10)
    middle, edge = first_move("2 2"), first_move("1 2")
    found = measured(Laboratory(GAME.state_kernel()), [middle, edge], np.repeat(START, 50, axis=0), GAME.best())
    assert set(found) == {middle, edge}
    assert found[middle].error > 0.1, "in five positions"


def test_a_round_is_played_whoever_says_stop() -> None:
    middle = first_move("2 2")
    lab = Laboratory(GAME.state_kernel())
    assert set(measured(lab, [middle], START, GAME.best(), lambda: True)) == {middle}


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
