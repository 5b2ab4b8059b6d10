"""A report as plain text, for terminals, mails and logs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from ggtp.faults import fault_words
from ggtp.game.picture import text_width
from ggtp.protocol.text import one_line
from ggtp.stats.elo import signed
from ggtp.stats.scale import ANCHOR
from ggtp.tournament.columns import columns
from ggtp.tournament.plan.plan import SCORINGS
from ggtp.tournament.report.data import Report, Variant, settled
from ggtp.tournament.results import ENDS
from ggtp.tournament.standings.sequential import BAYESIAN
from ggtp.tournament.standings.table import sprt_words

WIDTH = 100
SCALE = 41
"""Characters of the critical-distance diagram."""


def report_text(report: Report) -> str:
    """The whole report, with a line's end."""
    return "\n".join(line.rstrip() for line in _lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from _head(report)
    for warning in report.warnings:
        yield from _wrapped(f"Warning: {warning.text}")
    for remark in report.remarks:
        yield from _wrapped(f"Note: {remark}")
    yield from ("", "STANDINGS", *standings(report.main))
    yield from _footnotes(report)
    if len(report.main.summary.players) > 1 and report.main.summary.pairs:
        yield from ("", "CROSSTABLE (how often the row was ahead of the column, in per cent)", *crosstable(report.main))
        title = (
            "PAIRS (by complete blocks; Elo: how much better the player is than the other; more games: what would "
            "settle it, one after the other)"
        )
        yield from ("", title, *pairs(report.main, report.game_seconds))
    for variant in report.variants[1:]:
        yield from ("", f"STANDINGS, {variant.name.upper()}", *standings(variant))
    if report.sprt is not None:
        yield from ("", "SEQUENTIAL TEST", *_sprt(report))
    yield from ("", "RULES", *rules(report))
    if report.comparison is not None:
        yield from ("", "OVER ALL RULES", *_comparison(report))
    if report.ends:
        yield from (
            "",
            "ENDS",
            *_table(("", "games", ""), [[end, str(n), ENDS.get(end, "")] for end, n in report.ends]),
        )
    if report.faults:
        yield from ("", "FAULTS", *_faults(report))
    yield from ("", "TIME", *_times(report))


def _head(report: Report) -> Iterator[str]:
    plan = report.results.plan
    yield one_line(plan.name)
    seed = "" if report.seed is None else f" seed {report.seed},"
    state = "over" if report.results.ended else "not over"
    yield (
        f"{plan.format},{seed} begun {one_line(report.results.created)}, {state}: "
        f"{len(report.results.games)} games in {report.blocks} block{'s' * (report.blocks != 1)}, "
        f"{report.main.blocks} of them complete"
    )
    yield f"score: {plan.score}, {SCORINGS[plan.score]}"


def standings(variant: Variant) -> list[str]:
    """A row for each player, by rating."""
    rated = frozenset(variant.ratings.players)
    rows = []
    for place, row in enumerate(variant.ranked(), 1):
        tally, rating = row.tally, "-"
        if row.player in rated:
            estimate = variant.ratings.estimate(row.player)
            rating = estimate.text(0)
        interval = row.interval()
        score = f"{100 * tally.score:.1f} %" if tally.games else "-"
        spread = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if row.sample.units else "-"
        counts = [str(count) for count in (tally.games, tally.wins, tally.draws, tally.losses, row.faulty)]
        rows.append([str(place), row.player, rating, score, spread, *counts])
    head = ("", "player", "Elo", "score", "95 %", "games", "won", "drawn", "lost", "faulty")
    return _table(head, rows, right=(0, 2, 3, 4, 5, 6, 7, 8, 9))


def _footnotes(report: Report) -> Iterator[str]:
    source = "how much blocks differ" if report.main.ratings.errors_from == "blocks" else "the model"
    yield from _wrapped(
        "Elo: joint ratings of all players (Plackett-Luce, ties as Davidson has them, an effect of each seat in "
        f"each rule); {ANCHOR}. 95 % errors are from {source}. Faulty: games in which it was at fault."
    )


def crosstable(variant: Variant) -> list[str]:
    """Everybody against everybody."""
    players = [row.player for row in variant.ranked()]
    rows = []
    for number, player in enumerate(players, 1):
        cells = [str(number), player]
        for other in players:
            pair = variant.summary.pair(player, other)
            cells.append("-" if pair is None else f"{100 * pair.tally.score:.1f}")
        rows.append(cells)
    heads = ("", "player", *(str(number) for number in range(1, len(players) + 1)))
    return _table(heads, rows, right=(0, *range(2, len(heads))))


def pairs(variant: Variant, seconds: float = 0.0) -> list[str]:
    """Every pair by itself; a game takes so many seconds."""
    rows = [
        [
            pair.player,
            pair.other,
            str(pair.tally.games),
            f"{pair.sample.units:g}",
            f"{pair.tally.wins}-{pair.tally.draws}-{pair.tally.losses}",
            pair.elo.text(0),
            pair.nelo.text(0),
            f"{100 * pair.los:.1f} %",
            f"{100 * variant.ratings.superiority(pair.player, pair.other):.1f} %",
            settled(pair.games_to_settle, seconds, pair.fresh),
        ]
        for pair in variant.summary.pairs.values()
    ]
    head = ("player", "other", "games", "blocks", "+=-", "Elo", "nElo", "LOS", "joint LOS", "more games")
    return _table(head, rows, right=(2, 3, 4, 5, 6, 7, 8, 9))


def _sprt(report: Report) -> Iterator[str]:
    state = report.sprt
    assert state is not None
    test = state.test
    units = "games" if state.sprt.model == BAYESIAN else "blocks"
    yield from _wrapped(f"{state.player} against {state.other}, by {units}: {state.hypotheses}.")
    games = test.games_left()
    left = "" if not games else f" About {games:.0f} more games would decide, if all goes on so."
    if state.decision == "go on" and not test.fresh:
        left = " Only repeats are played, which decide nothing."
    yield from _wrapped(f"{sprt_words(test)}: {state.decision}.{left}")


def rules(report: Report) -> Iterator[str]:
    """Each player's score in each rule, and what seats are worth."""
    players = [row.player for row in report.main.summary.players]
    rows = []
    for rule, tallies in report.main.summary.by_rule.items():
        scores = [f"{100 * tallies[player].score:.1f}" if player in tallies else "-" for player in players]
        rows.append([rule, str(report.games_of(rule)), *scores])
    yield from _table(("rule", "games", *map(one_line, players)), rows, right=range(1, len(players) + 2))
    for rule, seats in report.seat_worths():
        texts = [f"{seat} {signed(worth, 0)} ± {error:.0f}" for seat, worth, error in seats]
        yield from _wrapped(f"{rule}, worth of seats in Elo: {', '.join(texts)}")


def _comparison(report: Report) -> Iterator[str]:
    found = report.comparison
    assert found is not None
    yield (
        f"Friedman's test over {found.rules} rules: chi-square {found.chi_square:.2f}, p {found.p_value:.2g} "
        f"({found.p_method}); critical distance {found.critical_distance:.2f} (Nemenyi, {100 * found.alpha:g} %)."
    )
    rows = [[player, f"{rank:.2f}"] for player, rank in zip(found.players, found.ranks, strict=True)]
    widest = max(text_width(one_line(player)) for player in found.players)
    last = len(found.players)
    for player, rank in rows:
        at = round((float(rank) - 1) / max(1, last - 1) * (SCALE - 1))
        name = one_line(player)
        yield f"  {name}{' ' * (widest - text_width(name))}  {rank:>6}  |{' ' * at}*"
    for first, end in found.cliques():
        yield from _wrapped(f"Not told apart: {', '.join(found.players[first : end + 1])}.")
    for pair in found.pairs:
        if pair.corrected < found.alpha:
            yield from _wrapped(f"{pair.better} is ahead of {pair.worse}: p {pair.corrected:.2g} (Wilcoxon, Holm).")


def _faults(report: Report) -> Iterator[str]:
    rows = [[row.player or "nobody", row.fault, str(row.count), row.price, row.example] for row in report.faults]
    yield from _table(("player", "fault", "times", "price", "the first of them"), rows, right=(2,))
    for row in report.faults:
        if row.last_lines:
            yield f"{one_line(row.player or 'nobody')}, {row.fault}, said last:"
            yield from (f"    {one_line(line)}".rstrip() for line in row.last_lines)
    kinds = {row.fault: fault_words(row.fault) for row in report.faults}
    for fault, meaning in kinds.items():
        yield from _wrapped(f"{fault}: {meaning}")


def _times(report: Report) -> Iterator[str]:
    rows = [
        [row.player, str(row.moves), f"{row.thinking:.1f}", f"{1000 * row.per_move:.1f}", f"{row.per_game:.2f}"]
        for row in report.times
    ]
    yield from _table(("player", "moves", "seconds", "ms a move", "s a game"), rows, right=(1, 2, 3, 4))
    games = report.results.games
    if games:
        lag = max(game.lag_ms for game in games)
        length = sum(len(game.moves) for game in games) / len(games)
        yield f"A game has {length:.1f} moves on average; the referee was at most {lag:.1f} ms late."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    return columns([head, *([one_line(cell) for cell in row] for row in rows)], right=right)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(one_line(text), WIDTH, subsequent_indent="  ")
