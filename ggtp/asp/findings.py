"""What a search for a plan has to say, as values and as lines of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves that end the play with at least this goal."""

    goal: int
    moves: tuple[str, ...]
    """In the canonical form of the rules: `(press 1 2)`."""
    shortest: bool
    """Whether every shorter play with this goal has been ruled out."""
    seconds: float = 0.0
    """Of the processor, that it took to find it, where somebody has measured it."""
    preparing: float = 0.0
    """... and of these, until the search began: to read and translate the rules, or to make a network of them."""


@dataclass(frozen=True, slots=True)
class Trying:
    """Plays of at most so many moves are being looked at."""

    goal: int
    steps: int
    count: int
    what: str = "atoms"
    """What was counted: atoms that the rules about these plays have, or states that were looked at."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """No play of at most so many moves reaches the goal."""

    goal: int
    steps: int


@dataclass(frozen=True, slots=True)
class Impossible:
    """No play reaches the goal, however long."""

    goal: int


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The search ends without an answer."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rested:
    """The search has nothing more to do, and waits to be told of another state."""

    final: bool
    """Whether it has found a plan that nothing betters."""


Finding: TypeAlias = Plan | Trying | Refuted | Impossible | GaveUp | Rested

KINDS: Mapping[str, type[Finding]] = {
    "plan": Plan,
    "trying": Trying,
    "refuted": Refuted,
    "impossible": Impossible,
    "gave_up": GaveUp,
    "rested": Rested,
}


def to_json(finding: Finding) -> dict[str, Any]:
    """A finding as an object for JSON."""
    kind = next(name for name, known in KINDS.items() if type(finding) is known)
    return {"kind": kind, **asdict(finding)}


def from_json(line: Mapping[str, Any]) -> Finding:
    """The finding again.

    Raises:
        ValueError: it is none.
    """
    values = dict(line)
    known = KINDS.get(values.pop("kind", ""))
    if known is None:
        raise ValueError(f"no finding: {line!r}")
    if isinstance(values.get("moves"), Sequence):
        values["moves"] = tuple(map(str, values["moves"]))
    try:
        return known(**values)
    except TypeError as error:
        raise ValueError(f"no finding: {line!r}") from error
