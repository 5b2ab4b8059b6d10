"""The table of a tournament as text and as JSON: who stands where, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ggtp.stats.elo import elo, los, nelo, rounded
from ggtp.stats.sample import Sample
from ggtp.stats.scale import ANCHOR
from ggtp.tournament.columns import columns
from ggtp.tournament.plan.plan import Plan, Sprt
from ggtp.tournament.results import ENDS
from ggtp.tournament.standings.ledger import Ledger
from ggtp.tournament.standings.lost_workers import unexplained_text
from ggtp.tournament.standings.sequential import SequentialTest
from ggtp.tournament.standings.standings import Row, Standings

HEADS = ("player", "games", "score", "won", "drawn", "lost", "faults", "Elo, mean 0 (95 %)")


def cells(standings: Standings, row: Row, *, ascii_only: bool = False) -> tuple[str, ...]:
    """A row of the table, as text."""
    score = f"{100 * row.score:.1f} %" if row.games else "-"
    numbers = (str(number) for number in (row.wins, row.draws, row.losses, row.faults))
    elo = standings.elo(row.name).text()
    return (row.name, str(row.games), score, *numbers, elo.replace("±", "+/-") if ascii_only else elo)


def table_lines(standings: Standings, *, ascii_only: bool = False) -> list[str]:
    """The whole table, in columns."""
    rows = [HEADS, *(cells(standings, row, ascii_only=ascii_only) for row in standings.table())]
    return columns(rows, right=range(1, len(HEADS) - 1))


def remark_lines(ledger: Ledger, *, ascii_only: bool = False) -> list[str]:
    """What there is to say besides: blocks, points, faults, games that do not count, a test."""
    standings = ledger.standings
    games, blocks = standings.games, standings.complete_blocks()
    lines = [
        f"{_count(games, 'game')} {'counts' if games == 1 else 'count'}, "
        f"{_count(blocks, 'block')} {'is' if blocks == 1 else 'are'} complete."
    ]
    difference = difference_of_two(standings)
    if difference is not None:
        one, other, sample = difference
        better = elo(sample).text()
        lines.append(
            f"{one} against {other}: {better.replace('±', '+/-') if ascii_only else better} Elo, "
            f"likelihood of superiority {100 * los(sample):.1f} %."
        )
    if standings.distinct_blocks() < standings.complete_blocks():
        lines.append(
            f"{_count(standings.repeats, 'game')} {'repeats' if standings.repeats == 1 else 'repeat'} an earlier one "
            f"move by move: errors and tests count {standings.distinct_blocks()} of {_count(blocks, 'block')}, those "
            "that differ."
        )
    if ledger.only_repeats:
        lines.append("It ended early, since only repeats were played: more start positions would be more evidence.")
    if standings.points_tell and standings.purses:
        named = [row.name for row in standings.table() if row.name in standings.purses]
        means = ", ".join(f"{name} {standings.purses[name].text()}" for name in named)
        lines.append(f"Points in a game, over blocks (95 %): {means.replace('±', '+/-') if ascii_only else means}.")
    if standings.void:
        lines.append(f"{_count(standings.void, 'game')} {'was' if standings.void == 1 else 'were'} void.")
    if standings.skipped:
        lines.append(f"{_count(standings.skipped, 'game')} {'was' if standings.skipped == 1 else 'were'} left out.")
    unusual = {end: count for end, count in standings.ends.items() if end != "rules"}
    lines += [f"{_count(count, 'game')}: {ENDS[end]}." for end, count in sorted(unusual.items())]
    for (player, fault), count in sorted(standings.faults.items()):
        lines.append(f"{player or 'nobody'}: {_count(count, 'time')} {fault}.")
    clocks = ledger.plan.clocks
    if ledger.plan.limit_ms and standings.lag_ms > clocks.margin:
        lines.append(
            f"The referee was late by {standings.lag_ms:.0f} ms, which was charged to nobody; "
            "fewer games at once, or longer clocks, would be more exact."
        )
    lines += [f"Warning: {idle.warning(name)}" for name, idle in standings.restless().items()]
    lines += ledger.lost_workers.lines()
    lines += standings.guards.deal_lines()
    lines += [f"{name} is in quarantine." for name in sorted(ledger.quarantined)]
    lines += [f"{name} loses its other games, by a ruling." for name in sorted(ledger.losing)]
    if players := ledger.lost_workers.unexplained(ledger.out):
        lines.append(f"Warning: {unexplained_text(players)}")
    if ledger.test is not None:
        verdict = f"decided, {ledger.test.verdict}" if ledger.test.verdict else "not decided"
        lines.append(f"The sequential test is {verdict}: {sprt_words(ledger.test, ascii_only=ascii_only)}.")
    return lines


def sprt_words(test: SequentialTest, *, ascii_only: bool = False) -> str:
    """How a sequential test stands, in a few words."""
    low, high = test.bounds
    better = test.elo.text()
    words = [
        f"LLR {round(test.ratio, 2) + 0.0:.2f} ({low:.2f} to {high:.2f})",
        f"Elo {better.replace('±', '+/-') if ascii_only else better}",
        f"LOS {100 * test.los:.1f} %",
    ]
    return ", ".join([*words, f"blocks {'-'.join(map(str, test.counts))}"] if test.counts else words)


def sprt_data(test: SequentialTest, sprt: Sprt) -> dict[str, Any]:
    """The same for JSON, with what is tested."""
    low, high = test.bounds
    return {
        "model": sprt.model,
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "llr": rounded(test.ratio, 4),
        "lower": rounded(low, 4),
        "upper": rounded(high, 4),
        "decision": test.verdict or "go on",
        "elo": test.elo.data(),
        "nelo": test.nelo.data(),
        "los": rounded(test.los, 6),
        "counts": list(test.counts),
        "games_left": rounded(test.games_left(), 0),
    }


def difference_of_two(standings: Standings) -> tuple[str, str, Sample] | None:
    """The players of a match of two, and what the first made of the other; None before a block is complete."""
    pairs = standings.pairs() if len(standings.rows) == 2 else {}
    return next(((one, other, met.sample) for (one, other), met in pairs.items() if met.sample.units), None)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def standings_data(plan: Plan, standings: Standings, test: SequentialTest | None = None) -> dict[str, Any]:
    """All of it, for JSON, and a sequential test where there is one."""
    rules = [rule.rule for rule in plan.rules]
    data: dict[str, Any] = {
        "rule": rules[0] if len(rules) == 1 else rules,
        "games": standings.games,
        "players": players_data(standings),
        "elo": elo_data(standings),
        "elo_anchor": ANCHOR,
    }
    difference = difference_of_two(standings)
    if difference is not None:
        one, other, sample = difference
        data["difference"] = {
            "player": one,
            "other": other,
            "elo": elo(sample).data(),
            "nelo": nelo(sample).data(),
            "los": rounded(los(sample), 6),
        }
    if standings.guards.words:
        data["protection"] = {name: dict(words) for name, words in standings.guards.words.items()}
    if deals := standings.guards.deal_lines():
        data["deals"] = deals
    if points := points_data(standings):
        data["points"] = points
    if test is not None and plan.sprt is not None:
        data["sprt"] = sprt_data(test, plan.sprt)
    return data


def players_data(standings: Standings) -> dict[str, dict[str, Any]]:
    """Each player's sums, for JSON."""
    return {
        row.name: {
            "score": round(row.score, 6),
            "wins": row.wins,
            "losses": row.losses,
            "draws": row.draws,
            "faults": row.faults,
        }
        for row in standings.rows.values()
    }


def points_data(standings: Standings) -> Mapping[str, Mapping[str, float | int | None]]:
    """Each player's points in a game over complete blocks, for JSON; nothing where they say only who has won."""
    if not standings.points_tell:
        return {}
    return {
        name: {"mean": rounded(purse.mean, 4), "error": rounded(purse.error, 4), "blocks": purse.blocks}
        for name, purse in standings.purses.items()
    }


def elo_data(standings: Standings) -> Mapping[str, Mapping[str, float | None]]:
    """Each player's Elo over complete blocks, for JSON; the mean of the players is 0.

    What a perfect score can't tell is None; `bounded` is a number all the same.
    """
    bounded = standings.bounded()
    return {name: {**standings.elo(name).data(), "bounded": rounded(bounded[name], 2)} for name in standings.rows}
