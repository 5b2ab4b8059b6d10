"""From a result of the rules to scores from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ggtp.game import Result, Standing

MOST_POINTS = 100
"""What a rule's points go up to."""
_ORDER = {Standing.LOSS: 0, Standing.DRAW: 1, Standing.WIN: 2}


def seat_scores(result: Result, scoring: str) -> dict[str, float]:
    """Each seat's score, by one of `plan.SCORINGS`; a game for one always counts its points."""
    seats = list(result.standings)
    if len(seats) == 1 or scoring == "points":
        return {seat: _points(result, seat) for seat in seats}
    if scoring == "win":
        drawn = sum(standing is Standing.DRAW for standing in result.standings.values())
        shares = {Standing.WIN: 1.0, Standing.LOSS: 0.0, Standing.DRAW: 1.0 / max(1, drawn)}
        return {seat: shares[standing] for seat, standing in result.standings.items()}
    worth: Mapping[str, tuple[int, Fraction]] = {
        seat: (_ORDER[standing], Fraction(result.scores.get(seat, 0))) for seat, standing in result.standings.items()
    }
    return {seat: _rank(seat, worth) for seat in seats}


def _rank(seat: str, worth: Mapping[str, tuple[int, Fraction]]) -> float:
    """The share of the others that are beaten. Standings come before points."""
    beaten = 0.0
    for other, value in worth.items():
        if other != seat:
            beaten += 1.0 if worth[seat] > value else 0.5 if worth[seat] == value else 0.0
    return beaten / (len(worth) - 1)


def _points(result: Result, seat: str) -> float:
    points = result.scores.get(seat)
    if points is None:
        return _ORDER[result.standings[seat]] / 2
    return min(1.0, max(0.0, float(points) / MOST_POINTS))


def outcome(scores: Mapping[str, float], player: str) -> str:
    """`win`, `draw` or `loss` of a player among the scores of all: the best one alone wins."""
    if len(scores) == 1:
        return "win" if scores[player] > 0.5 else "draw" if scores[player] == 0.5 else "loss"
    best = max(scores.values())
    if scores[player] < best:
        return "loss"
    return "win" if sum(score == best for score in scores.values()) == 1 else "draw"
