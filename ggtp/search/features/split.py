"""Features that are split by facts on which it depends whether their moves are good.

What is learned from one game is what a move needs to do what it is for, not what it needs to be good: the man that goes
ahead to the last row but one can be taken there, and whoever takes can be taken in turn. Where random games show that
such a fact matters, a feature becomes two, one with the fact and one without, each with a worth of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from ggtp.search.features.experiments import Laboratory, Rows
from ggtp.search.features.features import Feature, Worth, helps
from ggtp.search.features.guide import rank_of_worth

DOUBT = 0.25
"""The variance of one more case that nobody saw: few cases that agree by chance are not certain."""
DEEPEST = 3
"""Facts by which a feature is split, one after the other."""
FEWEST = 60
"""Cases in which a fact must hold, and in which it must not."""
ENOUGH = 1 << 14
"""Cases by which it is found out which fact matters: that takes most of the time."""
BETTER = 0.03
"""By how many points of 1 the one part must be better than the other."""
CERTAIN = 4.0
"""And by how many standard errors: there are many facts, some of which seem to matter by chance."""
Gains = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


def simplest(features: Iterable[Feature]) -> list[Feature]:
    """Without those that another one implies, with the same move: what else matters is found out by splitting."""
    found: dict[tuple[int, int], list[Feature]] = {}
    for feature in sorted(features, key=lambda each: (len(each.needs), each.level)):
        others = found.setdefault((feature.role, feature.move), [])
        if not any(other.needs <= feature.needs for other in others):
            others.append(feature)
    return [feature for own in found.values() for feature in own]


class Cases:
    """Moves that were tried in positions, and by how much each was better than any there."""

    def __init__(self, lab: Laboratory) -> None:
        """No cases yet."""
        self._lab = lab
        self._parts: dict[tuple[int, int], list[tuple[Rows, Gains]]] = {}

    def add(self, positions: Rows, where: Whole, moves: Whole, roles: Whole, gains: Gains) -> None:
        """More of them: for each the place of its position, the move, whose it was, and what it gained."""
        width = int(moves.max()) + 1
        keys = roles * width + moves
        order = np.argsort(keys, kind="stable")
        ends = np.flatnonzero(np.diff(keys[order], append=-1)) + 1
        for own in np.split(order, ends[:-1]):
            key = int(roles[own[0]]), int(moves[own[0]])
            self._parts.setdefault(key, []).append((positions[where[own]], gains[own]))

    def worth(self, feature: Feature) -> Worth | None:
        """What a feature is worth; None where it never applied."""
        _, gains = self._of(feature)
        return _worth(gains) if len(gains) else None

    def split(self, feature: Feature) -> list[tuple[Feature, Worth]]:
        """A feature and what it is worth, or parts of it which are worth more and less; none where it never applied."""
        rows, gains = self._of(feature)
        return self._split(feature, self._lab.bits(rows), gains, DEEPEST) if len(gains) else []

    def _of(self, feature: Feature) -> tuple[Rows, Gains]:
        parts = self._parts.get((feature.role, feature.move), [])
        if not parts:
            return np.zeros((0, self._lab.states.row_words), np.uint64), np.zeros(0)
        if len(parts) > 1:  # many features share a move: put together once
            parts[:] = [(np.concatenate([rows for rows, _ in parts]), np.concatenate([gains for _, gains in parts]))]
        ((rows, gains),) = parts
        holds = self._lab.holds(rows, feature.needs)
        return rows[holds], gains[holds]

    def _split(
        self, feature: Feature, bits: npt.NDArray[np.uint8], gains: Gains, depth: int
    ) -> list[tuple[Feature, Worth]]:  # fmt: skip
        whole = _worth(gains)
        fact = _deciding(bits, gains) if depth else None
        if fact is None:
            return [(feature, whole)]
        found = []
        for absent in (0, 1):
            own = bits[:, fact] != absent
            part = replace(feature, needs=feature.needs | {2 * fact + absent})
            found += self._split(part, bits[own], gains[own], depth - 1)
        ranks = {rank_of_worth(worth.mean) if helps(worth) else None for _, worth in found}
        return found if len(ranks) > 1 else [(feature, whole)]  # parts that are followed alike only cost time


def _worth(gains: Gains) -> Worth:
    count = len(gains)
    return Worth(float(gains.mean()), sqrt(float(gains.var()) * count + DOUBT) / count)


def _deciding(bits: npt.NDArray[np.uint8], gains: Gains) -> int | None:
    """The fact on which it depends most what a move gains, if there is one."""
    bits, gains = bits[:ENOUGH], gains[:ENOUGH]
    total = len(gains)
    if total < 2 * FEWEST:
        return None
    held = bits.sum(axis=0, dtype=np.int64)
    both = np.flatnonzero((held >= FEWEST) & (total - held >= FEWEST))
    if not len(both):
        return None
    held, missed = held[both], total - held[both]
    gained = gains @ bits[:, both].astype(np.float64)
    apart = np.abs(gained / held - (gains.sum() - gained) / missed)
    errors = np.sqrt(gains.var() * (1 / held + 1 / missed))
    certain = np.where(apart > BETTER, apart / np.maximum(errors, 1e-9), 0.0)
    best = int(certain.argmax())
    return int(both[best]) if certain[best] > CERTAIN else None
