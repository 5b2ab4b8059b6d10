"""Refusals that name a way out: the engines that can play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggtp.game.model import Rules

MOST_NAMED = 3
"""The number of engines that are suggested."""


def either(names: Sequence[str]) -> str:
    """`A`, `A or B`, `A, B or C`."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def cannot_play(engine: str, rules: Rules, able: Iterable[str]) -> str:
    """The sentence for an engine whose description says that it can't play a game, with engines that can."""
    named = sorted(set(able))[:MOST_NAMED]
    why = ", which has secrets" if rules.traits.hidden else ""
    remedy = f": try {either(named)}" if named else ""
    return f"Engine {engine} can't play {rules.name}{why}{remedy}."
