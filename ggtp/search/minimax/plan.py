"""What a minimax search may use, and what it has found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from ggtp.game import Move
from ggtp.search.evaluation.evaluator import HEURISTICS, Evaluator

POINT = 1000
"""The inner value of a point of score. One unit is one move sooner or later."""
WIN = 100 * POINT
"""The inner value of all points. A loss is as far below nothing, and an even score is nothing."""
PROVEN = WIN - POINT
"""Beyond this is no heuristic value: somebody has won."""
ENDLESS = 10 * WIN
BOTTOM = 200
"""How deep it looks where nothing limits it; Python's stack ends not far below."""
LINE_SHOWN = 12

EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class View(Enum):
    """What the others are taken to want."""

    OPPOSED = "opposed"
    """Two players, and what one gains the other loses."""
    ALONE = "alone"
    """There is nobody else."""
    PARANOID = "paranoid"
    """All others want nothing but our loss."""
    SELFISH = "selfish"
    """Everybody wants points, as we do (max^n)."""


class NotOpposed(Exception):
    """Somebody's points were not what the other one lacks: the game is not what it was taken for."""


class OutOfTime(Exception):
    """The search must end now."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the search does; everything can be done without."""

    view: View = View.OPPOSED
    depth: int = 0
    """How many moves ahead to look; 0 for as many as time allows."""
    deepening: bool = True
    pruning: bool = True
    ordering: bool = True
    extension: int = 2
    """How many levels deeper the most promising move is searched; 0 for none."""
    reducing: bool = False
    """Whether moves that do not look good are searched less deep first, in compiled games of two."""
    caching: bool = True
    mobility: bool = True
    novelty: bool = True
    proximity: bool = True
    learning: bool = True
    evaluation: Evaluator = HEURISTICS
    """What leaves are worth; mobility, novelty, proximity and learning only count for heuristics."""
    risk: int | None = 30
    """By how many points a heuristic value must be better than a known value to be preferred; None for never."""

    def against(self, view: View) -> Plan:
        """The same for another view."""
        return replace(self, view=view)

    def levels(self) -> range:
        """The depths to search, one after the other."""
        deepest = self.depth or BOTTOM
        return range(1 if self.deepening else deepest, deepest + 1)

    def extra(self, rank: int, allowed: int) -> int:
        """How much deeper the move of that rank is searched, where its place may be searched so much deeper."""
        return max(0, min(allowed, self.extension - rank))


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about a position."""

    move: Move
    points: float
    """What it is worth to the player, from 0 to 100."""
    depth: int
    """The deepest level that was finished."""
    nodes: int
    """How many positions were made."""
    solved: bool
    """Whether looking deeper can't change who gets what."""
    line: tuple[Move, ...] = ()
    """The moves that are expected to follow, this one included."""
    entries: int = 0
    """How many positions the cache holds."""
    used: int = 0
    """How many bytes the cache takes."""
    hits: int = 0
    """How often the cache knew something, in all."""
    purges: int = 0
    """How often the oldest quarter of the cache had to go."""
    trust: float = 0.0
    """From 0 to 1: how much its heuristic values are made of what was learned."""

    @property
    def value(self) -> str:
        """The points for people."""
        return f"{self.points:.4g}"


def points_of_value(value: int, sure: bool) -> float:
    """An inner value on the scale from 0 to 100; what is sure is known without the moves that it takes."""
    if sure or abs(value) > PROVEN:
        return 50 + round(value / POINT) / 2
    return 50 + value / POINT / 2


def value_of_points(points: float) -> int:
    """Points from 0 to 100 as an inner value."""
    return round((2 * points - 100) * POINT)


def to_node(value: int, ply: int) -> int:
    """A value that counts moves from the root, counted from a position so many moves below it."""
    return value + ply if value > 0 else value - ply if value < 0 else value


def from_node(value: int, ply: int) -> int:
    """The other way round."""
    return value - ply if value > 0 else value + ply if value < 0 else value


def takes_risk(known: int, heuristic: int, risk: int | None) -> bool:
    """Whether a move of which only a heuristic value is known is preferred to one of known value.

    Nothing is worse than the worst, and nothing better than the best.
    """
    if known <= -PROVEN:
        return True
    return risk is not None and known < PROVEN and heuristic >= known + 2 * risk * POINT
