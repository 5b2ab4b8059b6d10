"""Features are split by the facts on which their worth depends, and by no others."""

from __future__ import annotations

import numpy as np
from support.compiled_trees import compiled

from ggtp.search.features.experiments import Laboratory
from ggtp.search.features.features import Feature, Kind
from ggtp.search.features.split import Cases, simplest

GAME = compiled("tictactoe")
LAB = Laboratory(GAME.state_kernel())
FEATURE = Feature(0, 3, Kind.OFFENSIVE, 1, frozenset())
COUNT = 2000


def cases(noise: float, *deciding: int, each: float = 0.1) -> Cases:
    """Random sets of facts, in which a move gains so much for each deciding one that holds."""
    chance = np.random.default_rng(1)
    positions = chance.integers(1 << len(GAME.network.facts), size=(COUNT, LAB.states.row_words), dtype=np.uint64)
    gains = chance.normal(0.0, noise, COUNT)
    for fact in deciding:
        gains += each * LAB.bits(positions)[:, fact]
    found = Cases(LAB)
    for half in np.split(np.arange(COUNT), 2):
        found.add(positions, half, np.full(COUNT // 2, 3), np.zeros(COUNT // 2, np.int64), gains[half])
    return found


def test_a_fact_on_which_it_depends_makes_two_features_of_one() -> None:
    (holds, better), (lacks, worse) = cases(0.1, 5).split(FEATURE)
    assert (holds.needs, lacks.needs) == ({10}, {11})
    assert (holds.role, holds.move, holds.kind, holds.level) == (0, 3, Kind.OFFENSIVE, 1)
    assert abs(better.mean - 0.1) < 0.02
    assert abs(worse.mean) < 0.02
    assert 0.0 < better.error < 0.01


def test_several_facts_are_found_one_after_the_other() -> None:
    parts = cases(0.1, 5, 7, each=0.06).split(FEATURE)
    assert {part.needs for part, _ in parts} == {frozenset({a, b}) for a in (10, 11) for b in (14, 15)}


def test_chance_splits_nothing() -> None:
    assert [part for part, _ in cases(0.3).split(FEATURE)] == [FEATURE]


def test_parts_that_are_followed_alike_stay_one() -> None:
    found = cases(0.1, 5)
    for parts in found._parts.values():
        parts[:] = [(rows, gains + 0.3) for rows, gains in parts]
    ((feature, worth),) = found.split(FEATURE)
    assert feature == FEATURE
    assert abs(worth.mean - 0.35) < 0.02


def test_only_cases_in_which_a_feature_applies_count() -> None:
    found = cases(0.1, 5)
    worth = found.worth(Feature(0, 3, Kind.OFFENSIVE, 1, frozenset({11})))
    assert worth is not None
    assert abs(worth.mean) < 0.02
    assert found.split(Feature(1, 3, Kind.OFFENSIVE, 1, frozenset())) == []
    assert found.worth(Feature(0, 4, Kind.OFFENSIVE, 1, frozenset())) is None


def test_moves_of_both_players_are_kept_apart() -> None:
    found = Cases(LAB)
    positions = np.zeros((2, LAB.states.row_words), np.uint64)
    found.add(positions, np.array([0, 1, 1]), np.array([3, 3, 2]), np.array([0, 1, 1]), np.array([0.5, 0.25, 0.0]))
    for role, move, mean in ((0, 3, 0.5), (1, 3, 0.25), (1, 2, 0.0)):
        worth = found.worth(Feature(role, move, Kind.DEFENSIVE, 2, frozenset()))
        assert worth is not None
        assert worth.mean == mean


def test_the_simplest_features_of_a_move() -> None:
    def feature(move: int, level: int, *needs: int) -> Feature:
        return Feature(0, move, Kind.DEFENSIVE, level, frozenset(needs))

    plain, other, special = feature(1, 2, 4), feature(1, 1, 6), feature(1, 1, 4, 8)
    assert set(simplest([special, other, plain, feature(2, 3, 4, 8)])) == {plain, other, feature(2, 3, 4, 8)}
