"""Features for whoever wants to know them: which of many are told, and all of them as values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ggtp.gdl.network.network import Network
from ggtp.search.features.features import Feature, FeatureSet, Kind


@dataclass(frozen=True, slots=True)
class Group:
    """The features of a kind and level, each with how often it was seen; the most frequent first."""

    kind: Kind
    level: int
    features: tuple[tuple[Feature, int], ...]
    told: int
    """How many of them are told."""


def groups(features: FeatureSet, most: int) -> list[Group]:
    """The features by kind and level, of which at most `most` are told, some of each group."""
    found: dict[tuple[Kind, int], list[tuple[Feature, int]]] = {}
    for feature, count in features:
        found.setdefault((feature.kind, feature.level), []).append((feature, count))
    told = shares([len(group) for group in found.values()], most)
    return [
        Group(kind, level, tuple(group), few) for ((kind, level), group), few in zip(found.items(), told, strict=True)
    ]


def shares(sizes: Sequence[int], most: int) -> list[int]:
    """How many of each group are told: as many of each as there are places for, those of small groups for others."""
    told = [0] * len(sizes)
    while most and told != list(sizes):
        for index, size in enumerate(sizes):
            if most and told[index] < size:
                told[index] += 1
                most -= 1
    return told


def facts(literals: Iterable[int], network: Network, *, holding: bool) -> list[str]:
    """The facts that must hold, or must not."""
    return [network.facts[literal >> 1] for literal in sorted(literals) if bool(literal & 1) != holding]


def features_data(name: str, features: FeatureSet, network: Network) -> dict[str, object]:
    """All features of a game, for programs."""
    rows = [
        {
            "role": network.roles[feature.role],
            "move": network.moves[feature.role][feature.move],
            "kind": feature.kind.value,
            "level": feature.level,
            "value": round(feature.value, 3),
            "if": facts(feature.needs, network, holding=True),
            "unless": facts(feature.needs, network, holding=False),
            "legal_if": facts(feature.legal, network, holding=True),
            "legal_unless": facts(feature.legal, network, holding=False),
            "count": count,
        }
        for feature, count in features
    ]
    return {"rule": name, "walks": features.walks, "seconds": round(features.seconds, 3), "features": rows}
