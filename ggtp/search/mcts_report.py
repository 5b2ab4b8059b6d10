"""What a search has found: the decision level, and the move that it speaks for.

Decision levels of several searches of the same position can be merged, weighted by visits: that is all
that searches on other processors or machines have to tell each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ggtp.search.mcts_options import VALUE

MOST_SHOWN = 12
"""How many moves, and how much of the line, are shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move at the root."""

    move: str
    visits: float
    value: float
    """For the player to move, from 0 to 1."""
    proven: bool = False
    """Whether the value is certain."""
    length: int = 0
    """Where it is, how many moves lead to the end."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision level of a search, and how the search went."""

    choices: Sequence[Choice]
    values: Mapping[str, float] = field(default_factory=dict)
    """Each player's, from 0 to 1."""
    playouts: int = 0
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    line: Sequence[str] = ()
    solved: bool = False
    """Whether the best move is known for certain."""
    by_value: bool = False
    """Whether the best value counts whatever the setting says: visits are those of joint moves."""
    planned: str | None = None
    """The next move of the best playout, where there is one player."""
    best: float | None = None
    """What that playout is worth."""
    sounded: int = 0
    """How many moves ahead minimax has looked before, at all of them."""
    workers: int = 1

    def with_winning(self, move: str | None) -> Decision:
        """The same, where this move wins at once."""
        if move is None:
            return self
        choices = [replace(c, value=1.0, proven=True, length=1) if c.move == move else c for c in self.choices]
        return replace(self, choices=choices, solved=True, line=(move,), planned=move)

    def chosen(self, final: str) -> Choice:
        """The move to make: a proven win, the most visited one or the best one, and never a proven loss for nothing.

        Raises:
            ValueError: there are no moves.
        """
        planned = [choice for choice in self.choices if choice.move == self.planned]
        if planned:
            return planned[0]
        won = [choice for choice in self.choices if choice.proven and choice.value >= 1]
        if won:
            return min(won, key=lambda choice: choice.length)
        open_ones = [choice for choice in self.choices if not choice.proven]
        sure = [choice for choice in self.choices if choice.proven]
        # Of losses the latest: others may still go wrong.
        best_sure = max(sure, key=lambda c: (c.value, c.visits if c.value else c.length), default=None)
        if not open_ones:
            if best_sure is None:
                raise ValueError("no moves")
            return best_sure
        tried = [choice for choice in open_ones if choice.visits] or open_ones
        by_value = self.by_value or final == VALUE
        found = max(tried, key=lambda c: (c.value, c.visits) if by_value else (c.visits, c.value))
        # What is certain needs no visits; but what is not known to be lost is better than what is.
        certain = best_sure is not None and best_sure.value > 0 and best_sure.value >= found.value
        return best_sure if certain and best_sure is not None else found

    def report(self, final: str) -> dict[str, object]:
        """What `last_search` shows, with names that people understand and without commas."""
        ranked = sorted(self.choices, key=lambda choice: (choice.visits, choice.value), reverse=True)
        shown = [
            f"{choice.move} {choice.visits:.0f}x {percent(choice.value)}{'!' if choice.proven else ''}"
            for choice in ranked[:MOST_SHOWN]
        ]
        facts: dict[str, object] = {}
        if self.choices:
            facts["move"] = self.chosen(final).move
        facts["value"] = " ".join(f"{player} {percent(value)}" for player, value in self.values.items())
        if self.best is not None:
            facts["best"] = percent(self.best)
        facts["depth"] = self.depth
        if self.sounded:
            facts["sounded"] = self.sounded
        facts["playouts"] = self.playouts
        facts["playouts/s"] = round(self.playouts / self.seconds) if self.seconds > 0 else 0
        facts["nodes"] = self.nodes
        facts["line"] = " / ".join(self.line[:MOST_SHOWN])
        facts["moves"] = "; ".join(shown)
        facts["solved"] = "yes" if self.solved else "no"
        if self.workers > 1:
            facts["workers"] = self.workers
        return facts


def as_map(decision: Decision) -> dict[str, Any]:
    """A decision in values that can be written as JSON."""
    return asdict(decision)


def from_map(told: Mapping[str, Any]) -> Decision:
    """A decision that another process has told.

    Raises:
        ValueError: it is none.
    """
    try:
        return Decision(**{**told, "choices": [Choice(**choice) for choice in told["choices"]]})
    except (TypeError, KeyError) as error:
        raise ValueError(f"no decision: {error}") from error


def percent(value: float) -> str:
    """A value on the scale from 0, lost, to 100, won."""
    return f"{100 * value:.4g}"


def merge(decisions: Iterable[Decision]) -> Decision:
    """What several searches of one position have found together, weighted by visits; the first one tells the line.

    Raises:
        ValueError: there is none.
    """
    found = list(decisions)
    if not found:
        raise ValueError("nothing to merge")
    merged: dict[str, Choice] = {}
    for decision in found:
        for choice in decision.choices:
            merged[choice.move] = _both(merged.get(choice.move), choice)
    visits = [max(1.0, sum(choice.visits for choice in decision.choices)) for decision in found]
    solved = next((decision for decision in found if decision.solved), None)
    leading = solved or max(found, key=lambda decision: -1.0 if decision.best is None else decision.best)
    values = {
        player: sum(decision.values.get(player, 0.0) * weight for decision, weight in zip(found, visits, strict=True))
        / sum(visits)
        for player in found[0].values
    }
    return replace(
        leading,
        choices=tuple(merged.values()),
        values=leading.values if solved else values,
        playouts=sum(decision.playouts for decision in found),
        nodes=sum(decision.nodes for decision in found),
        depth=max(decision.depth for decision in found),
        sounded=max(decision.sounded for decision in found),
        seconds=max(decision.seconds for decision in found),
        workers=sum(decision.workers for decision in found),
    )


def _both(one: Choice | None, other: Choice) -> Choice:
    if one is None:
        return other
    if one.proven or other.proven:
        return replace(one if one.proven else other, visits=one.visits + other.visits)
    visits = one.visits + other.visits
    value = (one.value * one.visits + other.value * other.visits) / visits if visits else one.value
    return replace(one, visits=visits, value=value)
