"""A report for programs: one JSON object, or a table as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from ggtp.stats.elo import rounded
from ggtp.stats.ratings import Ratings
from ggtp.stats.scale import ANCHOR
from ggtp.tournament.report.data import Report, Variant
from ggtp.tournament.results import Game
from ggtp.tournament.standings.table import sprt_data

TABLES = {
    "games": "a row for each seat of each game",
    "standings": "a row for each player",
    "pairs": "a row for each pair of players that met",
    "rules": "a row for each player in each rule",
    "faults": "a row for each fault",
}
"""The tables that there are as CSV."""


def report_json(report: Report) -> str:
    """The report as one object; what can't be known is null."""
    return json.dumps(report_data(report), ensure_ascii=False, allow_nan=False) + "\n"


def report_data(report: Report) -> dict[str, Any]:
    """The same as values."""
    plan = report.results.plan
    first, *others = report.variants
    return {
        "name": plan.name,
        "format": plan.format,
        "seed": report.seed,
        "created": report.results.created,
        "version": report.results.version,
        "ended": report.results.ended,
        "score": plan.score,
        "players": list(plan.names),
        "rules": list(report.labels),
        **_variant(first),
        "void": len(report.results.void),
        "running": len(report.results.running),
        "variants": {variant.name: _variant(variant) for variant in others},
        "by_rule": {
            rule: {player: rounded(score, 6) for player, score in row.items()}
            for rule, row in first.summary.rule_scores().items()
        },
        "comparison": _comparison(report),
        "sprt": _sprt(report),
        "ends": dict(report.ends),
        "faults": [
            {"player": row.player or None, "fault": row.fault, "price": row.price, "count": row.count,
             "example": row.example, "last_lines": list(row.last_lines)}
            for row in report.faults
        ],
        "time": {
            row.player: {"moves": row.moves, "seconds": rounded(row.thinking, 3), "per_move": rounded(row.per_move, 5)}
            for row in report.times
        },
        "protection": report.protection,
        "warnings": [{"kind": warning.kind, "text": warning.text} for warning in report.warnings],
        "remarks": list(report.remarks),
    }  # fmt: skip


def _variant(variant: Variant) -> dict[str, Any]:
    ratings = variant.ratings
    return {
        "games": variant.games,
        "blocks": variant.blocks,
        "standings": [_player(row, ratings) for row in variant.summary.players],
        "pairs": [
            {
                "player": pair.player,
                "other": pair.other,
                "games": pair.tally.games,
                "blocks": round(pair.sample.units),
                "wins": pair.tally.wins,
                "draws": pair.tally.draws,
                "losses": pair.tally.losses,
                "score": rounded(pair.tally.score, 6),
                "elo": pair.elo.data(),
                "nelo": pair.nelo.data(),
                "los": rounded(pair.los, 6),
                "games_to_settle": rounded(pair.games_to_settle, 0),
                "joint": ratings.difference(pair.player, pair.other).data(),
                "joint_los": rounded(ratings.superiority(pair.player, pair.other), 6),
            }
            for pair in variant.summary.pairs.values()
        ],
        "ratings": {
            "model": "Plackett-Luce with Davidson's ties, an effect of each seat in each rule",
            "anchor": ANCHOR,
            "errors_from": ratings.errors_from,
            "players": list(ratings.players),
            "elo": [rounded(value, 2) for value in ratings.values],
            "covariance": [[rounded(value, 3) for value in row] for row in ratings.covariance],
            "seats": {
                rule: [
                    {"elo": rounded(value, 2), "error": rounded(1.96 * error, 2)}
                    for value, error in zip(worth, ratings.seat_errors[rule], strict=True)
                ]
                for rule, worth in ratings.seats.items()
            },
        },
    }


def _player(row: Any, ratings: Ratings) -> dict[str, Any]:
    interval = row.interval()
    return {
        "player": row.player,
        "rating": ratings.estimate(row.player).data() if row.player in ratings.players else None,
        "games": row.tally.games,
        "wins": row.tally.wins,
        "draws": row.tally.draws,
        "losses": row.tally.losses,
        "score": rounded(row.tally.score, 6),
        "score_low": rounded(interval.low, 6),
        "score_high": rounded(interval.high, 6),
        "blocks": round(row.sample.units),
        "faulty": row.faulty,
    }


def _comparison(report: Report) -> dict[str, Any] | None:
    found = report.comparison
    if found is None:
        return None
    return {
        "rules": found.rules,
        "ranks": {player: rounded(rank, 4) for player, rank in zip(found.players, found.ranks, strict=True)},
        "chi_square": rounded(found.chi_square, 4),
        "p_value": found.p_value,
        "p_method": found.p_method,
        "critical_distance": rounded(found.critical_distance, 4),
        "alpha": found.alpha,
        "not_told_apart": [list(found.players[first : last + 1]) for first, last in found.cliques()],
        "pairs": [
            {"better": pair.better, "worse": pair.worse, "p_value": pair.p_value, "corrected": pair.corrected}
            for pair in found.pairs
        ],
    }


def _sprt(report: Report) -> dict[str, Any] | None:
    state = report.sprt
    if state is None:
        return None
    return {"player": state.player, "other": state.other, **sprt_data(state.test, state.sprt)}


def report_csv(report: Report, table: str) -> str:
    """One of `TABLES`, with a head."""
    lines = io.StringIO()
    rows = ([_cell(cell) for cell in row] for row in _rows(report, table))
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def _cell(cell: object) -> object:
    """As it is, but what begins like a formula would be one to spreadsheets, and engines say what they like."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _rows(report: Report, table: str) -> Iterator[Sequence[object]]:
    if table == "games":
        yield from _games(report)
    elif table == "faults":
        yield (
            *GAME_HEADS,
            "player",
            "seat",
            "fault",
            "price",
            "ply",
            "late_ms",
            "referee_ms",
            "machine_ms",
            "cpu_ms",
            "memory_mib",
            "what",
        )
        for game in (*report.results.games, *report.results.void):
            for fault in game.faults:
                yield (
                    *_game_cells(game), fault.player, fault.seat, fault.fault, fault.price, fault.ply, fault.late_ms,
                    fault.referee_ms, fault.machine_ms, fault.cpu_ms, fault.memory_mib, fault.what,
                )  # fmt: skip
    elif table == "rules":
        yield ("rule", "player", "games", "wins", "draws", "losses", "score")
        for rule, row in report.main.summary.by_rule.items():
            for player, tally in row.items():
                yield rule, player, tally.games, tally.wins, tally.draws, tally.losses, rounded(tally.score, 6)
    else:
        yield from _flat(_variant(report.main)[table])


GAME_HEADS = ("game", "block", "index")


def _game_cells(game: Game) -> tuple[object, ...]:
    """Which game a row is of. As `1.10` alone, tools that guess types would read the number 1.1."""
    return f"g{game.id}", game.plan.block, game.plan.index


def _games(report: Report) -> Iterator[Sequence[object]]:
    yield (
        *GAME_HEADS, "round", "rule", "start", "seed", "end", "reason", "moves", "seconds", "faults",
        "seat", "player", "score", "standing", "points", "thinking",
    )  # fmt: skip
    for game in (*report.results.games, *report.results.void):
        plan = game.plan
        seed = "" if report.seed is None else plan.seed
        common = (
            *_game_cells(game), plan.round, report.labels[plan.rule], plan.start, seed, game.end, game.reason,
            len(game.moves), round(game.seconds, 4), len(game.faults),
        )  # fmt: skip
        for seat, player in plan.seats.items():
            own = (game.scores.get(seat, ""), game.standings.get(seat, ""), game.points.get(seat, ""))
            yield (*common, seat, player, *own, game.thinking.get(seat, ""))


def _flat(rows: Sequence[dict[str, Any]]) -> Iterator[Sequence[object]]:
    """Objects as rows; what is in an object within is a column of its own."""
    flat = []
    for row in rows:
        cells: dict[str, object] = {}
        for name, value in row.items():
            if isinstance(value, dict):
                cells |= {name if part == "value" else f"{name}_{part}": inner for part, inner in value.items()}
            else:
                cells[name] = value
        flat.append(cells)
    heads = list(dict.fromkeys(name for cells in flat for name in cells))
    yield heads
    for cells in flat:
        yield ["" if cells.get(name) is None else cells[name] for name in heads]
