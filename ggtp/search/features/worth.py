"""What features are worth: what comes of their moves in random games, beside what comes of any move.

A feature above level 0 says that a move led towards a win in some random game. Whether it does so in general is
measured: in positions in which the feature applies, its move is made, and random games are played from there and from
the position itself. In these games both players follow the features of level 0, without which whoever runs ahead seems
to win; and positions in which one of those applies are left out, as nothing else is followed there.

What features are worth lies within a few points of a hundred, so tens of thousands of positions are looked at: with
fewer, the same move on the left and on the right of a board seems to be of different worth. Then features are split by
facts on which that depends, as a man that goes ahead does well only where nobody can take him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ggtp.gdl.kernel.playouts import Outcomes, PlayoutKernel
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.features.experiments import Laboratory, Rows
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.guide import Use, guided_kernel
from ggtp.search.features.learn import Learner
from ggtp.search.features.split import Cases, simplest

ROUNDS = 6
"""Random games for each move that is tried; a position itself has four times as many."""
POSITIONS = 1 << 16
"""Positions that are looked at, if there is time."""
MOST_TRIED = 200_000
"""Moves that are tried at most in some thousands of them: there must be room for all."""
FULL_GOAL = 100.0


def worthwhile(
    game: CompiledGame, learner: Learner, most: int, should_stop: Callable[[], bool] = lambda: False
) -> FeatureSet:  # fmt: skip
    """Of what was learned, those features that are worth following, the best first and at most so many."""
    found, lab = learner.features, learner.lab
    met = learner.met(found)
    if not met:
        return found.pruned(most)
    applying = [feature for feature, _ in found if met[feature] > 0.0]
    decisive = FeatureSet((feature, found.count(feature)) for feature in applying if feature.level == 0)
    kernel = guided_kernel(game, decisive, 0, Use(own=1.0, opponent=1.0))
    simple = simplest(feature for feature in applying if _followed(feature))
    known = [*simple, *(feature for feature, _ in decisive)]
    cases = tried(lab, known, learner.positions(POSITIONS, should_stop), kernel, should_stop)
    worth, split = {}, FeatureSet(decisive, found.walks, found.seconds)
    for feature in simple:
        for part, own in cases.split(feature):
            worth[part] = own
            split.add(part, found.count(feature))
    return split.pruned(most, learner.met(split), game.step.operations, worth)


def tried(
    lab: Laboratory,
    features: Iterable[Feature],
    positions: Iterable[Rows],
    kernel: PlayoutKernel,
    should_stop: Callable[[], bool] = lambda: False,
) -> Cases:
    """What came of the moves of the features above level 0 where they apply.

    Args:
        positions: of random games, in which the game goes on, some at a time.
        kernel: random games in which features of level 0 are followed.
        should_stop: asked after each round, and each part of the positions; when it says so, there are fewer.
    """
    everything = list(features)
    named = [feature for feature in everything if _followed(feature)]
    cases = Cases(lab)
    for part in positions if named else ():
        _try(lab, named, _calm(lab, everything, part), kernel, should_stop, cases)
        if should_stop():
            break
    return cases


def _followed(feature: Feature) -> bool:
    """Whether it is followed for what it is worth, not at once."""
    return feature.level > 0 and feature.kind is not Kind.AVOIDING


def _try(
    lab: Laboratory,
    named: Sequence[Feature],
    positions: Rows,
    kernel: PlayoutKernel,
    should_stop: Callable[[], bool],
    cases: Cases,
) -> None:
    """Try the features in some positions."""
    looks = lab.states.look_many(positions)
    legal = [lab.legal_bits(looks, role).astype(np.bool_) for role in (0, 1)]
    wanted = [np.zeros_like(each) for each in legal]
    for feature in named:
        wanted[feature.role][:, feature.move] |= lab.holds(positions, feature.needs)
    places = [np.nonzero(own & here) for own, here in zip(wanted, legal, strict=True)]
    where, moves = (np.concatenate(each) for each in zip(*places, strict=True))
    roles = np.repeat([0, 1], [len(own) for own, _ in places])
    if len(where) > MOST_TRIED:
        fewer = positions[: len(positions) * MOST_TRIED // len(where)]
        _try(lab, named, fewer, kernel, should_stop, cases)
    elif len(where):
        gains = _gains(lab, positions, where, moves, roles, kernel, should_stop)
        cases.add(positions, where, moves, roles, gains)


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
        then += _points(kernel.run_from(after))
        for _ in range(4):
            before += _points(kernel.run_from(positions))
        rounds += 1
    each = np.arange(len(where))
    return np.asarray(then[each, roles] / rounds - before[where, roles] / (4 * rounds))


def _points(played: Outcomes) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """What games were worth to each role, from 0 to 1; those that were given up are worth half, as in a search."""
    return np.where(played.lengths[:, None] < 0, 0.5, played.goals / FULL_GOAL)
