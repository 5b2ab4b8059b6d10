"""What features are worth: what comes of their moves in random games, beside what comes of any move.

A feature above level 0 says that a move led towards a win in some random game. Whether it does so in general is
measured: in positions in which the feature applies, its move is made, and random games are played from there and from
the position itself. In these games both players follow the features of level 0, without which whoever runs ahead seems
to win; and positions in which one of those applies are left out, as nothing else is followed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np

from ggtp.gdl.compiled import CompiledGame
from ggtp.gdl.kernel import PlayoutKernel
from ggtp.search.gifl_features import Feature, FeatureSet, Kind, Worth
from ggtp.search.gifl_guide import Use, guided_kernel
from ggtp.search.gifl_lab import Laboratory, Rows
from ggtp.search.gifl_learn import Learner

ROUNDS = 6
"""Random games for each move that is tried; a position itself has four times as many."""
MOST_TRIED = 200_000
"""Moves that are tried at most: of more there would be no time for the game to come."""
DOUBT = 0.25
"""The variance of one more case that nobody saw: few cases that agree by chance are not certain."""
FULL_GOAL = 100.0


def worthwhile(
    game: CompiledGame, learner: Learner, most: int, should_stop: Callable[[], bool] = lambda: False
) -> FeatureSet:  # fmt: skip
    """Of what was learned, those features that are worth following, the best first and at most so many."""
    found, met = learner.features, learner.met(learner.features)
    if not met:
        return found.pruned(most)
    applying = [feature for feature, _ in found if met[feature] > 0.0]
    decisive = FeatureSet((feature, found.count(feature)) for feature in applying if feature.level == 0)
    kernel = guided_kernel(game, decisive, 0, Use(own=1.0, opponent=1.0))
    worth = measured(learner.lab, applying, learner.pool, kernel, should_stop)
    return found.pruned(most, met, game.step.operations, worth)


def measured(
    lab: Laboratory,
    features: Iterable[Feature],
    positions: Rows,
    kernel: PlayoutKernel,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[Feature, Worth]:
    """What the features above level 0 are worth that apply in some of the positions.

    Args:
        positions: of random games, in which the game goes on.
        kernel: random games in which features of level 0 are followed.
        should_stop: asked after each round; when it says so, there are fewer.
    """
    named = list(features)
    positions = _calm(lab, named, positions)
    named = [feature for feature in named if feature.level and feature.kind is not Kind.AVOIDING]
    if not named or not len(positions):
        return {}
    looks = lab.states.look_many(positions)
    legal = [lab.legal_bits(looks, role).astype(np.bool_) for role in (0, 1)]
    cases = [np.flatnonzero(legal[f.role][:, f.move] & lab.holds(positions, f.needs)) for f in named]
    width = max(len(moves) for moves in lab.network.moves)
    # In a position only one player has a choice, so position and move say everything.
    keys = np.concatenate([where * width + f.move for f, where in zip(named, cases, strict=True)])
    roles = np.concatenate([np.full(len(where), f.role) for f, where in zip(named, cases, strict=True)])
    tried, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if len(tried) > MOST_TRIED:
        return measured(lab, [*named], positions[: len(positions) * MOST_TRIED // len(tried)], kernel, should_stop)
    gains = _gains(lab, positions, tried // width, tried % width, roles[first], kernel, should_stop)
    found, start = {}, 0
    for feature, where in zip(named, cases, strict=True):
        count = len(where)
        if count:
            own = gains[place[start : start + count]]
            found[feature] = Worth(float(own.mean()), sqrt((float(own.var()) * count + DOUBT) / count / count))
        start += count
    return found


def _calm(lab: Laboratory, features: Iterable[Feature], positions: Rows) -> Rows:
    """The positions in which nobody has anything to win or to prevent at once."""
    looks = lab.states.look_many(positions)
    legal = [lab.legal_bits(looks, role).astype(np.bool_) for role in (0, 1)]
    hot = looks.terminal.copy()
    for feature in features:
        if feature.level == 0 and feature.kind is not Kind.AVOIDING:
            hot |= legal[feature.role][:, feature.move] & lab.holds(positions, feature.needs)
    return positions[~hot]


def _gains(
    lab: Laboratory,
    positions: Rows,
    where: np.ndarray[tuple[int], np.dtype[np.int64]],
    moves: np.ndarray[tuple[int], np.dtype[np.int64]],
    roles: np.ndarray[tuple[int], np.dtype[np.int64]],
    kernel: PlayoutKernel,
    should_stop: Callable[[], bool],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """By how much each move in a position is better for who makes it than any move there."""
    after = np.empty((len(where), positions.shape[1]), np.uint64)
    for role in (0, 1):
        own = roles == role
        after[own] = lab.after(positions[where[own]], role, moves[own])
    before, then = np.zeros((len(positions), 2)), np.zeros((len(where), 2))
    rounds = 0
    while rounds < ROUNDS and not (rounds and should_stop()):
        then += kernel.run_from(after).goals / FULL_GOAL
        for _ in range(4):
            before += kernel.run_from(positions).goals / FULL_GOAL
        rounds += 1
    each = np.arange(len(where))
    return np.asarray(then[each, roles] / rounds - before[where, roles] / (4 * rounds))
