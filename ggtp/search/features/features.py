"""Features of a game: what must hold for a move to be good, as "A GGP Feature Learning Algorithm" learns them.

A *literal* here is twice the number of a fact, plus one where the fact must not hold. A feature applies where its move
is legal and all its literals hold. Offensive ones lead towards a win, defensive ones prevent one of the other player;
avoiding ones name a move that is not to be made, as it loses or lets the other one win. The level says how far the end
is: 0 where it comes at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ggtp.gdl.network.network import Network

VERSION = 3
"""Changes with the form in which features are kept, and whenever others are learned from the same rules."""
BEST_VALUE = 100.0
DISCOUNT = 0.9
"""The paper's V: what a level less is worth."""
LEVELS = 4
"""Levels 0 to 3, as in the paper."""
SOONER = 10.0
"""How much more often than others features of level 0 count."""
RARE = 200
"""A feature above level 0 that was not learned in one of so many random games is an accident, and only disturbs; where
it was not measured what it is worth."""
LEAST_WORTH = 0.02
"""What it must be better than any move, less the standard error, where that was measured: by so many points of 1."""
MOST_NEEDS = 24
"""A feature that needs more than that is hardly ever met again."""


class Kind(StrEnum):
    """What a feature is for."""

    OFFENSIVE = "offensive"
    DEFENSIVE = "defensive"
    AVOIDING = "avoiding"


@dataclass(frozen=True, slots=True)
class Feature:
    """A move and when it is good."""

    role: int
    move: int
    kind: Kind
    level: int
    needs: frozenset[int]
    """Literals without which the move would not do what it is for."""
    legal: frozenset[int] = frozenset()
    """Literals that make the move legal: shown to people, but where it is legal, nobody needs to ask for them."""

    @property
    def all(self) -> frozenset[int]:
        """Everything that held where it was learned and mattered."""
        return self.needs | self.legal

    @property
    def value(self) -> float:
        """Its value on the paper's scale; nothing is worth more than a move that ends the game."""
        return value_of(self.level)

    @property
    def key(self) -> tuple[int, int, Kind, int, frozenset[int]]:
        """What makes it another feature: what is legal anyway does not."""
        return self.role, self.move, self.kind, self.level, self.needs


def value_of(level: int) -> float:
    """The value of a level: 100 · V^(level - 1), and 100 at most."""
    return min(BEST_VALUE, BEST_VALUE * DISCOUNT ** (level - 1))


@dataclass(frozen=True, slots=True)
class Worth:
    """By how much a feature's move is better than any, in points from 0 to 1."""

    mean: float
    error: float
    """The standard error."""


class FeatureSet:
    """Features, and how often each was learned."""

    def __init__(self, entries: Iterable[tuple[Feature, int]] = (), walks: int = 0, seconds: float = 0.0) -> None:
        self._entries: dict[tuple[int, int, Kind, int, frozenset[int]], tuple[Feature, int]] = {}
        for feature, count in entries:
            self.add(feature, count)
        self.walks = walks
        """Random games from which they were learned."""
        self.seconds = seconds
        """And how long that took."""
        self.worth: dict[Feature, float] = {}
        """Where it was measured: by how many points of 1 the moves of features above level 0 are better than any."""

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[Feature, int]]:
        """Features and how often they were learned; the nearest to the end first, then the most frequent ones."""
        return iter(sorted(self._entries.values(), key=_rank))

    def __contains__(self, feature: Feature) -> bool:
        return feature.key in self._entries

    def add(self, feature: Feature, count: int = 1) -> bool:
        """One more; whether it was new."""
        known = self._entries.get(feature.key)
        self._entries[feature.key] = (feature, count) if known is None else (known[0], known[1] + count)
        return known is None

    def count(self, feature: Feature) -> int:
        """How often it was learned."""
        return self._entries.get(feature.key, (feature, 0))[1]

    def number(self, kind: Kind) -> int:
        """How many of a kind there are."""
        return sum(feature.kind is kind for feature, _ in self._entries.values())

    def pruned(
        self,
        most: int,
        met: Mapping[Feature, float] | None = None,
        operations: int = 0,
        worth: Mapping[Feature, Worth] | None = None,
    ) -> FeatureSet:
        """Those that earn their cost.

        A feature does not if another one says the same with fewer literals, at the same level or nearer to the end; or
        if it is not at level 0 and its move is hardly better than any, or, where that is not known, was learned too
        seldom.
        Where it is known how often features are met, and how many operations a step takes without them, it does not
        either if the share of positions in which it is met is smaller than the share of a step that its own operations
        would be; those of level 0, which decide games, may be met more seldom. Of the rest the best are kept, at most
        so many: those of level 0 first, then by how often they are met, or were learned.
        """
        chosen: list[tuple[Feature, int]] = []
        simpler: dict[tuple[int, int], list[Feature]] = {}
        for feature, count in sorted(self._entries.values(), key=lambda entry: (entry[0].level, len(entry[0].needs))):
            if len(feature.needs) > MOST_NEEDS or not _earns(feature, met, operations):
                continue
            if feature.level and (count * RARE < self.walks if worth is None else not helps(worth.get(feature))):
                continue
            others = simpler.setdefault((feature.role, feature.move), [])
            if not any(_same_use(other, feature) and other.needs <= feature.needs for other in others):
                others.append(feature)
                chosen.append((feature, count))

        def place(entry: tuple[Feature, int]) -> tuple[float, ...]:
            feature, count = entry
            often = met.get(feature, 0.0) if met is not None else 0.0
            return (min(1, feature.level), -often * feature.value, -count, len(feature.needs), *_tie(feature))

        found = FeatureSet(sorted(chosen, key=place)[:most], self.walks, self.seconds)
        found.worth = {feature: worth[feature].mean for feature, _ in chosen if feature.level} if worth else {}
        return found

    def first(self, most: int) -> FeatureSet:
        """At most so many, in the order in which they came: of those that were pruned, the best."""
        found = FeatureSet(list(self._entries.values())[:most], self.walks, self.seconds)
        found.worth = self.worth
        return found

    def encoded(self) -> bytes:
        """As bytes, for the disk."""
        rows = [
            [f.role, f.move, f.kind.value, f.level, sorted(f.needs), sorted(f.legal), count] for f, count in self
        ]  # fmt: skip
        head = {"version": VERSION, "walks": self.walks, "seconds": round(self.seconds, 3), "features": rows}
        return json.dumps(head, separators=(",", ":")).encode()


def decoded(data: bytes, network: Network) -> FeatureSet:
    """Features from the disk.

    Raises:
        ValueError, KeyError, TypeError: these bytes are none, or not of this game.
    """
    head: dict[str, Any] = json.loads(data)
    if not isinstance(head, dict) or head["version"] != VERSION:
        raise ValueError("These are no features of this version.")
    found = FeatureSet(walks=int(head["walks"]), seconds=float(head["seconds"]))
    for role, move, kind, level, needs, legal, count in head["features"]:
        literals = [*needs, *legal]
        fits = 0 <= role < len(network.roles) and 0 <= move < len(network.moves[role]) and 0 <= level < LEVELS
        if not fits or any(not 0 <= literal < 2 * len(network.facts) for literal in literals):
            raise ValueError("These are features of another game.")
        found.add(Feature(role, move, Kind(kind), level, frozenset(needs), frozenset(legal)), int(count))
    return found


def helps(worth: Worth | None) -> bool:
    """Whether a feature above level 0 is worth following."""
    return worth is not None and worth.mean - worth.error > LEAST_WORTH


def _earns(feature: Feature, met: Mapping[Feature, float] | None, operations: int) -> bool:
    if met is None:
        return True
    often = met.get(feature, 0.0) * (1.0 if feature.level else SOONER)
    return often > 0.0 and often * operations >= 1 + len(feature.needs)


def _same_use(simpler: Feature, feature: Feature) -> bool:
    """Whether one is followed in the place of another where both apply: above level 0 it is the same what for."""
    if Kind.AVOIDING in (simpler.kind, feature.kind):
        return simpler.kind is feature.kind
    return simpler.kind is feature.kind or feature.level > 0


def _tie(feature: Feature) -> Sequence[int]:
    return feature.role, feature.move, *sorted(feature.needs)


def _rank(entry: tuple[Feature, int]) -> tuple[Any, ...]:
    feature, count = entry
    return feature.level, list(Kind).index(feature.kind), -count, _tie(feature)
