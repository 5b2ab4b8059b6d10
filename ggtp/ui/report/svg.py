"""The report's drawings, as SVG without `style` attributes: colours are classes of the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape

from ggtp.game.picture import text_width
from ggtp.stats.elo import signed
from ggtp.stats.ranks import Comparison
from ggtp.stats.ratings import Ratings

ROW = 30
LETTER = 8.2
LONGEST = 28
"""Longer names are cut in drawings; the tables have them whole."""


def rating_plot(ratings: Ratings) -> str:
    """Every player's rating as a dot with its 95 % error bar, best first."""
    if not ratings.players:
        return ""
    estimates = [ratings.estimate(player) for player in ratings.players]
    lows = [estimate.low or 0.0 for estimate in estimates]
    highs = [estimate.high or 0.0 for estimate in estimates]
    step = _step(max(highs) - min(lows))
    first, last = math.floor(min(lows) / step), math.ceil(max(highs) / step)
    first, last = (first, last) if last > first else (first - 1, last + 1)
    left = 24 + LETTER * max(text_width(_cut(player)) for player in ratings.players)
    width, height = left + 560.0, ROW * len(estimates) + 44

    def at(elo: float) -> float:
        return left + (elo / step - first) / (last - first) * 520

    said = "; ".join(f"{p} {e.text(0)}" for p, e in zip(ratings.players, estimates, strict=True))
    pieces = [_open("ratings", width, height, f"Elo ratings with 95 % errors: {said}")]
    for tick in range(first, last + 1):
        x = at(tick * step)
        zero = " zero" if tick == 0 else ""
        pieces.append(f'<line class="grid{zero}" x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{height - 30}"/>')
        pieces.append(f'<text class="tick" x="{x:.1f}" y="{height - 12}">{escape(signed(tick * step, 0))}</text>')
    for row, (player, estimate) in enumerate(zip(ratings.players, estimates, strict=True)):
        y = ROW * row + ROW / 2 + 6
        low, high, value = at(estimate.low or 0.0), at(estimate.high or 0.0), at(estimate.value or 0.0)
        pieces.append(f"<g><title>{escape(player)}: {escape(estimate.text(0))}</title>")
        pieces.append(f'<text class="name" x="{left - 16:.1f}" y="{y + 5:.1f}">{escape(_cut(player))}</text>')
        pieces.append(f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>')
        for end in (low, high):
            pieces.append(f'<line class="bar" x1="{end:.1f}" x2="{end:.1f}" y1="{y - 5}" y2="{y + 5}"/>')
        pieces.append(f'<circle class="dot" cx="{value:.1f}" cy="{y}" r="5"/></g>')
    return "".join((*pieces, "</svg>"))


def distance_diagram(found: Comparison) -> str:
    """Mean ranks on a line, best at the left; bars join players that Nemenyi's test does not tell apart."""
    count = len(found.players)
    side = 30 + LETTER * max(text_width(_cut(player)) for player in found.players)
    inner = max(260.0, 70.0 * (count - 1))
    width = 2 * side + inner
    cliques = found.cliques()
    axis, below = 62.0, 62.0 + 16 + 11 * len(cliques)
    half = (count + 1) // 2
    height = below + 24 * half + 14

    def at(rank: float) -> float:
        return side + (rank - 1) / max(1, count - 1) * inner

    said = "; ".join(f"{p} {r:.2f}" for p, r in zip(found.players, found.ranks, strict=True))
    pieces = [_open("distance", width, height, f"Mean ranks over {found.rules} rules, 1 is best: {said}")]
    end = min(at(1) + found.critical_distance / max(1, count - 1) * inner, width - 8)
    pieces.append(f'<line class="cd" x1="{at(1):.1f}" x2="{end:.1f}" y1="24" y2="24"/>')
    for x in (at(1), end):
        pieces.append(f'<line class="cd" x1="{x:.1f}" x2="{x:.1f}" y1="19" y2="29"/>')
    middle = (at(1) + end) / 2
    pieces.append(f'<text class="tick" x="{middle:.1f}" y="14">CD = {found.critical_distance:.2f}</text>')
    pieces.append(f'<line class="axis" x1="{at(1):.1f}" x2="{at(count):.1f}" y1="{axis}" y2="{axis}"/>')
    for rank in range(1, count + 1):
        pieces.append(f'<line class="axis" x1="{at(rank):.1f}" x2="{at(rank):.1f}" y1="{axis - 6}" y2="{axis}"/>')
        pieces.append(f'<text class="tick" x="{at(rank):.1f}" y="{axis - 11}">{rank}</text>')
    for number, (first, last) in enumerate(cliques):
        y = axis + 11 + 11 * number
        low, high = at(found.ranks[first]) - 4, at(found.ranks[last]) + 4
        pieces.append(f'<line class="clique" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>')
    pieces += _ranked(found, axis, below, at)
    return "".join((*pieces, "</svg>"))


def _ranked(found: Comparison, axis: float, below: float, at: Callable[[float], float]) -> Iterator[str]:
    """Each player's name at the side, and a line from it up to its rank."""
    count = len(found.players)
    half, left, right = (count + 1) // 2, at(1), at(count)
    for number, (player, rank) in enumerate(zip(found.players, found.ranks, strict=True)):
        first = number < half
        row = number if first else count - 1 - number
        y = below + 24 * row + 12
        x, end = at(rank), left - 8 if first else right + 8
        yield f"<g><title>{escape(player)}: mean rank {rank:.2f}</title>"
        yield f'<polyline class="lead" points="{x:.1f},{axis} {x:.1f},{y} {end:.1f},{y}"/>'
        side = "name" if first else "name start"
        yield f'<text class="{side}" x="{end - 5 if first else end + 5:.1f}" y="{y + 5}">{escape(_cut(player))}</text>'
        yield "</g>"


def _open(kind: str, width: float, height: float, label: str) -> str:
    return (
        f'<svg class="plot {kind}" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="{escape(label)}">'
    )


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _step(span: float) -> float:
    """A round distance of ticks, so that there are about six of them."""
    rough = max(span, 1.0) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
