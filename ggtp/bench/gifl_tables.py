"""The tables of `ggtp bench gifl`: the paper's figures, what was measured beside them, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Row(NamedTuple):
    """A game: our rule for it, and the paper's figures, in the order of its tables."""

    game: str
    rule: str
    features: tuple[int, int, int]
    simulations: int
    games: int
    score: float
    length: float
    playouts: float
    overhead: float
    timed: float


TABLE = (
    Row("pawn whopping", "gdl/pawnwhopping", (328, 185, 143), 1000, 20, 0.95, 0.82, 0.65, 1.5, 0.95),
    Row("knightthrough", "gdl/knightthrough", (134, 79, 55), 1000, 20, 0.92, 0.45, 0.93, 1.1, 0.75),
    Row("breakthrough", "gdl/breakthrough", (120, 63, 57), 1000, 20, 0.825, 0.61, 0.79, 1.3, 0.85),
    Row("checkers", "gdl/checkers", (895, 458, 437), 150, 20, 0.78, 0.73, 0.36, 2.8, 0.55),
    Row("connect4", "gdl/connectfour", (2187, 1108, 1079), 1000, 100, 0.575, 0.95, 0.20, 5.0, 0.45),
    Row("pentago", "gdl/pentago", (679, 405, 274), 1000, 100, 0.50, 0.68, 1.56, 0.6, 0.50),
    Row("quarto", "gdl/quarto", (8527, 5254, 3273), 1000, 100, 0.49, 1.0, 0.34, 2.9, 0.50),
    Row("checkersbarrelnokings", "gdl/checkers_barrel", (5262, 2830, 2432), 1000, 100, 0.305, 1.78, 0.38, 2.6, 0.15),
)


@dataclass(slots=True)
class Score:
    """A match, with its interval of 95 %; scores run from 0 to 1."""

    games: int
    score: float
    low: float
    high: float


@dataclass(slots=True)
class Most:
    """What as many features cost as the option FeatureCount allows, the most frequent ones, whatever they are worth."""

    features: int
    kept: int
    """Of those, how many are left where even looking for them seldom would cost too much."""
    period: int
    """In one turn of so many they are looked for."""
    alone: float
    """How many times fewer random games there are then, without a search around them."""
    always: float
    """And how many times fewer with all of them, looked for in every turn."""


@dataclass(slots=True)
class Result:
    """What was measured of a game; the fields are those of the JSON."""

    game: str
    features: tuple[int, int, int] | None = None
    """All, offensive ones, defensive ones; the others are moves to avoid."""
    walks: int = 0
    followed: int | None = None
    """Features that are left when those are gone that do not earn their cost; None where nobody looked."""
    simulations: int = 0
    fixed_simulations: Score | None = None
    """Of plain UCT, as the paper has it."""
    fixed_simulations_mcts: Score | None = None
    """Of our MCTS, which has more than random games to go by."""
    length: float | None = None
    """Of random games, with features beside without."""
    playouts: float | None = None
    """Random games that a search comes to in the same time, likewise."""
    overhead: float | None = None
    """How many times fewer those are."""
    alone: float | None = None
    """And how many times fewer there are without a search around them."""
    seconds: float = 0.0
    trial: float | None = None
    """The score in the trial before."""
    switched_off: bool = False
    fixed_time: Score | None = None
    paper: dict[str, object] = field(default_factory=dict)
    period: int = 1
    """In one turn of so many features are looked for, but for Table 2 by UCT."""
    always: float | None = None
    """How many times fewer random games there are without a search as UCT plays Table 2: with features in every turn,
    if nobody says otherwise."""
    most: Most | None = None
    finished: bool = False
    """Whether all that was wanted was measured."""


COLUMNS = """\
columns:
  Table 1  features that the paper and we learned; off. lead to a win, def. prevent
           a loss; used: those of ours that are left after Tables 2 to 4 have seen
           which earn their cost
  Table 2  and 4: the share of all points, the paper's and ours with its interval
  Table 3  with features beside without; the paper's figure, then ours
    length   of a random game
    number   of random games that a search comes to in the same time
    slower   how many times fewer those are
    alone    how many times fewer there are without a search around them
    turns    in which features are looked for
    always   like alone, as UCT plays Table 2: features in every turn, or --period
  and with as many features as FeatureCount allows, whatever they are worth:
    features how many that are
    kept     how many are left if even looking for them seldom costs too much
    turns    in which they are looked for, so that it does not
    alone    how many times fewer random games there are, without a search
    always   the same with all of them in every turn"""


def report(results: list[Result]) -> list[str]:
    """The results for people: a table after the other, the paper's figures beside ours."""
    rows = {row.game: row for row in TABLE}
    lines = _counts(results)
    if any(each.fixed_simulations for each in results):
        lines += ["", "Table 2: score of UCT at a fixed number of random games a move", _score_head("random games")]
        for each in results:
            if each.fixed_simulations is not None:
                lines.append(_score_line(each.game, rows[each.game].score, each.fixed_simulations, each.simulations))
    if any(each.fixed_simulations_mcts for each in results):
        lines += ["", "Table 2, by our MCTS as it is", _score_head("random games")]
        for each in results:
            if each.fixed_simulations_mcts is not None:
                score = each.fixed_simulations_mcts
                lines.append(_score_line(each.game, rows[each.game].score, score, each.simulations))
    if any(each.length is not None for each in results):
        lines += ["", "Table 3: random games with features beside those without"]
        heads = ("length", "ours", "number", "ours", "slower", "ours", "alone", "turns", "always")
        lines.append(f"{'':23}{''.join(f'{head:>8}' for head in heads)}")
        for each in results:
            if each.length is not None and each.playouts is not None and each.overhead is not None:
                row = rows[each.game]
                alone, always = ("" if ratio is None else f"{ratio:.2f}" for ratio in (each.alone, each.always))
                lines.append(
                    f"{each.game:23}{row.length:>8.0%}{each.length:>8.0%}{row.playouts:>8.0%}{each.playouts:>8.0%}"
                    f"{row.overhead:>8.1f}{each.overhead:>8.2f}{alone:>8}{f'1 of {each.period}':>8}{always:>8}".rstrip()
                )
    if any(each.most is not None for each in results):
        lines += ["", "Table 3, with as many features as FeatureCount allows, and without a search"]
        lines.append(f"{'':23}{'features':>9}{'kept':>8}{'turns':>8}{'alone':>8}{'always':>8}")
        for each in results:
            if (most := each.most) is not None:
                lines.append(
                    f"{each.game:23}{most.features:>9,}{most.kept:>8,}{f'1 of {most.period}':>8}"
                    f"{most.alone:>8.2f}{most.always:>8.2f}"
                )
    if any(each.fixed_time is not None or each.switched_off for each in results):
        lines += ["", "Table 4: score at a fixed time a move", _score_head("seconds")]
        for each in results:
            if each.fixed_time is not None:
                lines.append(_score_line(each.game, rows[each.game].timed, each.fixed_time, each.seconds))
            elif each.switched_off:
                lines.append(
                    f"{each.game:23}{rows[each.game].timed:>8.1%}  switched off: {each.trial:.1%} in the trial"
                )
    missing = [each.game for each in results if not each.finished]
    lines += (
        ["", *(f"{game} is not finished: what is missing was not measured." for game in missing)] if missing else []
    )
    return lines


def _counts(results: list[Result]) -> list[str]:
    """Table 1."""
    rows = {row.game: row for row in TABLE}
    used = any(each.followed is not None for each in results)
    heads = f"{'':23}{'paper':>8}{'off.':>7}{'def.':>7}{'ours':>9}{'off.':>7}{'def.':>7}"
    lines = ["Table 1: features", heads + (f"{'used':>7}" if used else "")]
    for each in results:
        paper, ours = rows[each.game].features, each.features or (0, 0, 0)
        figures = "".join(
            f"{number:>{width},}" for number, width in zip((*paper, *ours), (8, 7, 7, 9, 7, 7), strict=True)
        )
        lines.append(f"{each.game:23}{figures}" + ("" if each.followed is None else f"{each.followed:>7,}"))
    return lines


def _score_head(unit: str) -> str:
    return f"{'':23}{'paper':>8}{'ours':>8}{'95 %':>18}{'games':>7}{unit:>14}"


def _score_line(game: str, paper: float, score: Score, amount: float) -> str:
    interval = f"{score.low:.1%} to {score.high:.1%}"
    return f"{game:23}{paper:>8.1%}{score.score:>8.1%}{interval:>18}{score.games:>7}{amount:>14,g}"
