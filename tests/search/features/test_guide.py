"""Features as hints: weights, ranks, who follows them; and that they help whoever does."""

from __future__ import annotations

from itertools import pairwise
from math import exp, isfinite

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.program.guide import ATTACK, AVOID, DEFEND
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.guide import Use, guide_for, guided_kernel, guided_kernels, weights
from ggtp.search.features.learn import Learner

OFTEN = 5


def feature(kind: Kind = Kind.OFFENSIVE, level: int = 0, move: int = 0) -> Feature:
    return Feature(0, move, kind, level, frozenset({2, 5}))


def test_weights_are_boltzmanns_on_a_scale_from_0_to_1() -> None:
    assert weights(0.5, 1.0) == pytest.approx([exp(2.0), exp(1.8), exp(1.62), exp(1.458)])


def test_on_the_scale_of_the_paper_the_best_ones_weigh_all() -> None:
    assert weights(0.5, 10.0) == pytest.approx([exp(20.0), exp(18.0), exp(16.2), exp(14.58)])
    literal = weights(0.5, 100.0)
    assert literal[0] / literal[1] > 1e6


@pytest.mark.parametrize("tau", [0.01, 0.05, 0.5, 1.0, 100.0])
@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0])
def test_every_level_weighs_more_than_the_next_one_and_than_none(tau: float, scale: float) -> None:
    found = [*weights(tau, scale), 1.0]
    assert all(above > below for above, below in pairwise(found))
    assert isfinite(found[0])


def test_at_a_low_temperature_features_of_all_levels_are_followed() -> None:
    game = compiled("tictactoe")
    move = game.network.moves[0].index("(mark 2 2)")
    for level in (1, 2, 3):
        features = FeatureSet([(Feature(0, move, Kind.OFFENSIVE, level, frozenset()), OFTEN)])
        kernel = guided_kernel(game, features, 0, Use(tau=0.01, own=1.0))
        kernel.run_from(np.repeat(rows([pack(game.network, game.network.initial)]), kernel.lanes, axis=0), max_steps=1)
        fact = game.network.facts.index("(cell 2 2 x)")
        assert (kernel.lane_states()[:, fact // 64] >> np.uint64(fact % 64) & np.uint64(1)).all()


def test_features_become_hints() -> None:
    features = FeatureSet(
        [
            (feature(), 1),
            (feature(Kind.DEFENSIVE), OFTEN),
            (feature(level=2), OFTEN),
            (feature(level=3, move=1), 1),
            (feature(Kind.AVOIDING, move=2), 1),
        ]
    )
    guide = guide_for(features, 1, Use(own=1.0, opponent=0.25, period=3))
    assert guide.period == 3
    assert guide.uses == (4, 16), "the one who searches follows all of them"
    assert {(hint.move, hint.purpose, hint.rank) for hint in guide.hints} == {
        (0, ATTACK, 0),
        (0, DEFEND, 0),
        (0, ATTACK, 2),
        (1, ATTACK, 4),  # learned only once, it counts as if it were farther from the end
        (2, AVOID, 0),
    }
    assert all(hint.needs == (2, 5) for hint in guide.hints)


def test_where_it_was_measured_features_count_by_what_they_are_worth() -> None:
    bounds = (0.2, 0.1, 0.08, 0.05, 0.01)
    features = FeatureSet((feature(level=3, move=move), 1) for move in range(len(bounds)))
    features.add(feature(move=5))
    features.worth = {feature(level=3, move=move): worth for move, worth in enumerate(bounds)}
    hints = guide_for(features, 0, Use()).hints
    assert sorted((hint.move, hint.rank) for hint in hints) == [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 0)]


@pytest.mark.slow
def test_whoever_follows_features_wins_more_random_games() -> None:
    game = compiled("tictactoe")
    features = Learner(game.state_kernel(), 1).walks(60)
    plain = game.best()
    plain.seed(1)
    before = plain.playouts(2000)
    for role in (0, 1):
        kernel = guided_kernel(game, features, role, Use(own=1.0, opponent=0.0))
        kernel.seed(1)
        assert kernel.playouts(2000).mean(role) > before.mean(role) + 10


USES = [Use(), Use(own=1.0, opponent=0.5), Use(own=0.6, opponent=0.0), Use(own=0.0, opponent=0.5), Use(own=0.5)]


@pytest.mark.slow
@pytest.mark.parametrize("use", USES)
def test_kernels_for_both_players_are_those_for_each(use: Use) -> None:
    game = compiled("tictactoe")
    features = Learner(game.state_kernel(), 1).walks(60)
    for role, kernel in guided_kernels(game, features, use).items():
        alone = guided_kernel(game, features, role, use)
        for each in (kernel, alone):
            each.seed(4)
        assert kernel.playouts(2000) == alone.playouts(2000)
