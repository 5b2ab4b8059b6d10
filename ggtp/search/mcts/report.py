"""What a search has found: the decision level, and the move that it speaks for.

Decision levels of several searches of the same position can be merged, weighted by visits: that is all
that searches on other processors or machines have to tell each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ggtp.search.mcts.options import BOUND, VALUE, lower_bound

MOST_FORESEEN = 12
"""How much of the line is shown."""
MOST_LETTERS = 1 << 20
"""How much is told of moves: a referee lets a line be 16 times as long, unless it is told otherwise."""


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
    heuristic: bool = False
    """Whether visits followed heuristic values, which values do not tell of."""

    def with_winning(self, move: str | None) -> Decision:
        """The same, where this move wins at once."""
        if move is None:
            return self
        choices = [replace(c, value=1.0, proven=True, length=1) if c.move == move else c for c in self.choices]
        return replace(self, choices=choices, solved=True, line=(move,), planned=move)

    def chosen(self, final: str) -> Choice:
        """The move to make: a proven win, or the best one by what was set, and never a proven loss for nothing.

        The last visits of a move tell more than the first ones, and a move that came late to be the best has few
        visits yet: so its value counts, less its error. But where visits followed heuristic values, too, visits count.

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
        found = max(tried, key=self._merit(final))
        # What is certain needs no visits; but what is not known to be lost is better than what is.
        certain = best_sure is not None and best_sure.value > 0 and best_sure.value >= found.value
        return best_sure if certain and best_sure is not None else found

    def _merit(self, final: str) -> Callable[[Choice], tuple[float, float]]:
        """By what moves are compared about which nothing is certain."""
        if self.by_value or final == VALUE:
            return lambda choice: (choice.value, choice.visits)
        if final == BOUND and not self.heuristic:
            each = max(1.0, self.playouts / max(1.0, sum(choice.visits for choice in self.choices)))
            return lambda choice: (lower_bound(choice.value, each * choice.visits), choice.visits)
        return lambda choice: (choice.visits, choice.value)

    def report(self, final: str) -> dict[str, object]:
        """What `last_search` shows, with names that people understand and without commas."""
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
        facts["line"] = " / ".join(self.line[:MOST_FORESEEN])
        facts["moves"] = self._moves()
        facts["solved"] = "yes" if self.solved else "no"
        if self.workers > 1:
            facts["workers"] = self.workers
        return facts

    def _moves(self) -> str:
        """Every move with its visits and its value, the most visited first."""
        ranked = sorted(self.choices, key=lambda choice: (choice.visits, choice.value), reverse=True)
        shown, letters = list[str](), 0
        for choice in ranked:
            text = f"{choice.move} {choice.visits:.0f}x {percent(choice.value)}{'!' if choice.proven else ''}"
            letters += len(text)
            if letters > MOST_LETTERS:
                shown.append(f"{len(ranked) - len(shown)} more")
                break
            shown.append(text)
        return "; ".join(shown)


def as_map(decision: Decision) -> dict[str, Any]:
    """A decision in values that can be written as JSON."""
    return asdict(decision)


def from_map(told: Mapping[str, Any]) -> Decision:
    """A decision that another process has told.

    Raises:
        ValueError: it is none, or one of another version.
    """
    try:
        choices = [Choice(**choice) for choice in told["choices"]]
        decision = Decision(**{**told, "choices": choices})
        numbers = [decision.playouts, decision.nodes, decision.depth, decision.seconds, decision.sounded]
        numbers += [decision.workers, *decision.values.values(), *([] if decision.best is None else [decision.best])]
        numbers += [number for choice in choices for number in (choice.visits, choice.value, choice.length)]
        texts = [*decision.line, *(choice.move for choice in choices), decision.planned or ""]
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no decision: {error}") from error
    if not (all(isinstance(n, int | float) for n in numbers) and all(isinstance(text, str) for text in texts)):
        raise ValueError("no decision: texts and numbers are not where they belong")
    return decision


def percent(value: float) -> str:
    """A value on the scale from 0, lost, to 100, won."""
    return f"{100 * value:.4g}"


def merge(decisions: Iterable[Decision], final: str = BOUND) -> Decision:
    """What several searches of one position have found together, weighted by visits.

    One of them tells the move where there is one to be made whatever visits say: one that has solved the
    position, else that with the best plan of one player, else the one in which minimax has looked furthest ahead. The
    line is one that begins with the most visited move, if somebody has such a line.

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
    leading = solved or max(found, key=lambda d: (-1.0 if d.best is None else d.best, d.sounded))
    values = {
        player: sum(decision.values.get(player, 0.0) * weight for decision, weight in zip(found, visits, strict=True))
        / sum(visits)
        for player in found[0].values
    }
    both = replace(
        leading,
        choices=tuple(merged.values()),
        planned=leading.chosen(final).move if solved and leading.choices else _still_planned(leading, merged),
        values=leading.values if solved else values,
        playouts=sum(decision.playouts for decision in found),
        nodes=sum(decision.nodes for decision in found),
        depth=max(decision.depth for decision in found),
        sounded=max(decision.sounded for decision in found),
        seconds=max(decision.seconds for decision in found),
        workers=sum(decision.workers for decision in found),
    )
    move = both.chosen(final).move if merged else None
    return replace(both, line=next((d.line for d in (leading, *found) if d.line and d.line[0] == move), leading.line))


def _still_planned(decision: Decision, known: Mapping[str, Choice]) -> str | None:
    """The move that is to be made whatever visits say, unless others have proven it wrong."""
    planned = decision.planned
    if planned is None or decision.best is not None:
        return planned
    won = any(choice.proven and choice.value >= 1 for choice in known.values())
    there = known.get(planned)
    return None if won or (there is not None and there.proven and there.value <= 0) else planned


def _both(one: Choice | None, other: Choice) -> Choice:
    if one is None:
        return other
    if one.proven or other.proven:
        return replace(one if one.proven else other, visits=one.visits + other.visits)
    visits = one.visits + other.visits
    value = (one.value * one.visits + other.value * other.visits) / visits if visits else one.value
    return replace(one, visits=visits, value=value)
