"""A report as one page for the browser: tables, drawings, and every game to step through."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from ggtp.faults import fault_words
from ggtp.game.model import Rules
from ggtp.play.writing import HEADER, game_lines
from ggtp.stats.elo import Estimate, signed
from ggtp.stats.scale import ANCHOR
from ggtp.tournament.plan.plan import SCORINGS
from ggtp.tournament.report.data import Report, Variant, settled
from ggtp.tournament.results import ENDS, Game, Results
from ggtp.tournament.standings.table import sprt_words
from ggtp.ui.report.album import Album, picture_moves
from ggtp.ui.report.page import page
from ggtp.ui.report.svg import distance_diagram, rating_plot

GAMES_A_CHUNK = 64


class FindRules(Protocol):
    """Finds rules by the name or path that a plan has; None where there are none any more."""

    def __call__(self, reference: str) -> Rules | None: ...


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, and whether it holds numbers."""

    head: str
    number: bool = True


def report_html(report: Report, find: FindRules, within: Callable[[], bool], version: str) -> str:
    """The page. Pictures are made as long as `within` says so; games after that have moves alone."""
    album = Album()
    data = replays(report, album, find, within)
    layouts = album.templates()
    data["slots"] = album.data()
    return page(report.results.plan.name, _body(report), layouts, data, version=version, dialog=True)


# Games.


def replays(report: Report, album: Album, find: FindRules, within: Callable[[], bool]) -> dict[str, Any]:
    """The blocks of data: an index of all games, and their moves and pictures in chunks."""
    results = report.results
    players = {name: number for number, name in enumerate(results.plan.names)}
    rules = [find(rule.rule) for rule in results.plan.rules]
    games: list[dict[str, Any]] = []
    heads: dict[str, int] = {}
    chunks: list[list[dict[str, Any]]] = []
    for number, game in enumerate((*results.games, *results.void)):
        if number % GAMES_A_CHUNK == 0:
            chunks.append([])
        replay = _replay(album, results, game, rules[game.plan.rule] if within() else None)
        if rules[game.plan.rule] is not None and not within() and not replay["f"]:
            replay["x"] = "Making pictures took too long: this game has none."
        games.append(
            {
                "id": game.id if game.counts else f"{game.id}-void{game.attempt}-{number}",
                "number": number,
                "chunk": f"games{len(chunks) - 1}",
                "place": len(chunks[-1]),
                "rule": game.plan.rule,
                "head": heads.setdefault(_head(results, game), len(heads)),
                "seats": [
                    [seat, players.get(player, -1), game.scores.get(seat), game.standings.get(seat, "")]
                    for seat, player in game.plan.seats.items()
                ],
                "end": game.end,
                "reason": game.reason or ENDS.get(game.end, ""),
                "length": len(game.moves),
                "faults": len(game.faults),
            }
        )
        chunks[-1].append(replay)
    index = {
        "players": list(results.plan.names),
        "rules": list(report.labels),
        "heads": list(heads),
        "games": games,
    }
    return {"index": index, **{f"games{number}": chunk for number, chunk in enumerate(chunks)}}


def _replay(album: Album, results: Results, game: Game, rules: Rules | None) -> dict[str, Any]:
    found = picture_moves(album, rules, game.plan.options(results.plan), game.moves)
    for fault in game.faults:
        text = f"{fault.player or 'nobody'}: {fault.what} ({fault.fault}, {fault.price})"
        place = min(fault.ply, len(found.steps))
        found.notes[place] = "; ".join(filter(None, (found.notes.get(place, ""), text)))
    data = found.data()
    if found.steps != list(game.moves):
        data["m"] = list(game.moves)
    return data


def _head(results: Results, game: Game) -> str:
    """How the play file of a game begins."""
    rule = results.plan.rules[game.plan.rule]
    return "\n".join((HEADER, *game_lines(rule.rule, game.plan.options(results.plan)), ""))


# The page's text.


def _body(report: Report) -> str:
    plan = report.results.plan
    seed = "" if report.seed is None else f" seed {report.seed},"
    state = "over" if report.results.ended else "not over yet"
    parts = [
        ("warnings", "Warnings", _warnings(report)),
        ("standings", "Standings", _standings(report)),
        ("crosstable", "Crosstable", _crosstable(report.main) if report.main.summary.pairs else ""),
        ("pairs", "Pairs", _pairs(report.main, report.game_seconds) if report.main.summary.pairs else ""),
        ("rules", "Rules", _rules(report)),
        ("faults", "Ends and faults", _ends(report)),
        ("time", "Time", _times(report)),
        ("games", "Games", GAMES),
    ]
    shown = [part for part in parts if part[2]]
    links = "".join(f'<a href="#{name}">{title}</a>' for name, title, _ in shown)
    sections = "\n".join(
        f'<section id="{name}" class="{name}" aria-labelledby="h-{name}"><h2 id="h-{name}">{title}</h2>{text}</section>'
        for name, title, text in shown
    )
    return f"""<header><h1>{escape(plan.name)}</h1>
<button type="button" class="plain" id="theme" hidden>Theme</button>
<p class="about">{escape(plan.format)},{seed} begun {escape(report.results.created)}, {state}:
{len(report.results.games)} games in {report.blocks} blocks, {report.main.blocks} of them complete.
Score: {escape(SCORINGS[plan.score])}.</p></header>
<nav aria-label="Sections">{links}</nav>
<main>{sections}</main>"""


GAMES = """<noscript><p>The list of games needs JavaScript.</p></noscript>
<form class="filters" id="filters" hidden aria-label="Which games are listed">
<label>Player <select id="by-player"><option value="">anybody</option></select></label>
<label>with <select id="by-other"><option value="">anybody</option></select></label>
<label>Result <select id="by-result"><option value="">any</option><option value="win">win</option>
<option value="draw">draw</option><option value="loss">loss</option></select></label>
<label>Rule <select id="by-rule"><option value="">any</option></select></label>
<label>End <select id="by-end"><option value="">any</option></select></label>
<label>Text <input type="search" id="by-text" autocomplete="off"></label>
<label class="check"><input type="checkbox" id="by-fault"> with faults only</label>
<button type="reset" class="plain">Clear</button></form>
<p class="soft" id="count" role="status"></p>
<div class="wide"><table id="list"><thead><tr><th>Game</th><th>Rule</th><th>Players</th><th class="n">Result</th>
<th>End</th><th class="n">Moves</th><th class="n">Faults</th></tr></thead><tbody></tbody></table></div>
<p><button type="button" class="plain" id="more" hidden>Show more</button></p>"""


def _warnings(report: Report) -> str:
    texts = [*(warning.text for warning in report.warnings), *report.remarks]
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>" if texts else ""


def _standings(report: Report) -> str:
    source = "how much blocks differ" if report.main.ratings.errors_from == "blocks" else "the model"
    pieces = [
        rating_plot(report.main.ratings),
        _standings_table(report.main),
        '<p class="soft">Elo: joint ratings of all players (Plackett-Luce, with ties as Davidson has them and an '
        f"effect of each seat in each rule); {ANCHOR}. 95 % errors are from {source}. Score: over all games; "
        "the interval beside it is that of complete blocks.</p>",
    ]
    if report.sprt is not None:
        state = report.sprt
        pieces.append(
            f"<p>Sequential test of {escape(state.player)} against {escape(state.other)}: {escape(state.hypotheses)}. "
            f"{escape(sprt_words(state.test))}: {escape(state.decision)}.</p>"
        )
    for variant in report.variants[1:]:
        name = escape(variant.name.capitalize())
        pieces.append(f"<h3>{name} ({variant.games} games)</h3>{_standings_table(variant)}")
    return "".join(f'<div class="wide">{piece}</div>' for piece in pieces if piece)


def _standings_table(variant: Variant) -> str:
    rated = frozenset(variant.ratings.players)
    rows = []
    for place, row in enumerate(variant.ranked(), 1):
        tally = row.tally
        estimate = variant.ratings.estimate(row.player) if row.player in rated else Estimate(None, None, None)
        interval = row.interval()
        spread = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if row.sample.units else ""
        rows.append(
            [_number(place), _name(row.player), _estimate(estimate, rated=row.player in rated),
             _number(100 * tally.score, f"{100 * tally.score:.1f} %" if tally.games else "-"),
             _number(interval.value, spread), *map(_number, (tally.games, tally.wins, tally.draws, tally.losses)),
             _number(row.faulty)]
        )  # fmt: skip
    heads = ("#", "Player", "Elo", "Score", "95 %", "Games", "Won", "Drawn", "Lost", "Faulty")
    return _table([Column(head, head != "Player") for head in heads], rows)


def _crosstable(variant: Variant) -> str:
    players = [row.player for row in variant.ranked()]
    numbers = {player: number for number, player in enumerate(variant.order)}
    heads = "".join(f'<th class="n" scope="col" title="{escape(name)}">{i}</th>' for i, name in enumerate(players, 1))
    lines = []
    for number, player in enumerate(players, 1):
        cells = []
        for other in players:
            pair = variant.summary.pair(player, other)
            if player == other:
                cells.append('<td class="self"></td>')
            elif pair is None:
                cells.append("<td>-</td>")
            else:
                tally = pair.tally
                cells.append(
                    f'<td data-pair="{numbers[player]} {numbers[other]}">{100 * tally.score:.1f}'
                    f'<span class="small">{tally.wins}-{tally.draws}-{tally.losses}</span></td>'
                )
        lines.append(f'<tr><td class="n">{number}</td><th scope="row">{escape(player)}</th>{"".join(cells)}</tr>')
    return (
        '<p class="soft">How often the player of the row was ahead of the player of the column, in per cent, with '
        "games won, drawn and lost. Choose a cell to list its games.</p>"
        f'<div class="wide"><table class="cross"><thead><tr><th></th><th>Player</th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _pairs(variant: Variant, seconds: float) -> str:
    rows = []
    for pair in variant.summary.pairs.values():
        joint = variant.ratings.superiority(pair.player, pair.other)
        rows.append(
            [_name(pair.player), _name(pair.other), _number(pair.tally.games), _number(pair.sample.units),
             _number(100 * pair.tally.score, f"{100 * pair.tally.score:.1f} %"), _estimate(pair.elo),
             _estimate(pair.nelo), _number(100 * pair.los, f"{100 * pair.los:.1f} %"),
             _number(100 * joint, f"{100 * joint:.1f} %"),
             _number(math.inf if pair.games_to_settle is None else pair.games_to_settle,
                     settled(pair.games_to_settle, seconds, pair.fresh))]
        )  # fmt: skip
    heads = ("Player", "Other", "Games", "Blocks", "Score", "Elo", "nElo", "LOS", "Joint LOS", "More games")
    columns = [Column(head, head not in ("Player", "Other")) for head in heads]
    return (
        '<p class="soft">From the complete blocks of these two alone, with 95 % errors; Elo: how much '
        "better the first is; joint LOS is how probable it "
        "is that the first is better by the ratings of all; more games: about what would settle who is better, "
        "one after the other.</p>"
        f'<div class="wide">{_table(columns, rows)}</div>'
    )


def _rules(report: Report) -> str:
    players = [row.player for row in report.main.summary.players]
    rows = []
    for rule, tallies in report.main.summary.by_rule.items():
        cells = [_name(rule), _number(report.games_of(rule))]
        for player in players:
            tally = tallies.get(player)
            cells.append(_number(100 * tally.score, f"{100 * tally.score:.1f}") if tally else _number(-1, "-"))
        rows.append(cells)
    pieces = [
        '<p class="soft">Mean scores in per cent.</p>'
        + _table([Column("Rule", number=False), Column("Games"), *map(Column, players)], rows)
    ]
    seats = [
        [_name(rule), _name(seat), _estimate(Estimate(worth, worth - error, worth + error))]
        for rule, worths in report.seat_worths()
        for seat, worth, error in worths
    ]
    if seats:
        columns = [Column("Rule", number=False), Column("Seat", number=False), Column("Worth in Elo")]
        pieces.append(f"<h3>What seats are worth</h3>{_table(columns, seats)}")
    found = report.comparison
    if found is not None:
        pieces.append(
            f"<h3>Over all rules</h3>{distance_diagram(found)}"
            f"<p>Mean ranks over {found.rules} rules. Friedman's test: chi-square {found.chi_square:.2f}, "
            f"p = {found.p_value:.2g} ({found.p_method}). Mean ranks that differ by less than "
            f"{found.critical_distance:.2f}, Nemenyi's critical distance at {100 * found.alpha:g} %, are not told "
            "apart: a bar joins them.</p>"
        )
    return "".join(f'<div class="wide">{piece}</div>' for piece in pieces) if rows else ""


def _ends(report: Report) -> str:
    ends = [[_name(end), _number(count), _text(ENDS.get(end, ""))] for end, count in report.ends]
    if not ends:
        return ""
    columns = [Column("End", number=False), Column("Games"), Column("Meaning", number=False)]
    pieces = [_table(columns, ends)]
    if report.faults:
        rows = [
            [_name(row.player or "nobody"), _text(row.fault, fault_words(row.fault)), _number(row.count),
             _text(row.price), _text(row.example)]
            for row in report.faults
        ]  # fmt: skip
        heads = ("Player", "Fault", "Times", "Price", "The first of them")
        pieces.append("<h3>Faults</h3>" + _table([Column(head, head == "Times") for head in heads], rows))
        pieces += [
            f"<p>{escape(row.player or 'nobody')}, {escape(row.fault)}, said last:</p>"
            f"<pre>{escape(chr(10).join(row.last_lines))}</pre>"
            for row in report.faults
            if row.last_lines
        ]
    return "".join(f'<div class="wide">{piece}</div>' for piece in pieces)


def _times(report: Report) -> str:
    rows = [
        [_name(row.player), _number(row.moves), _number(row.thinking, f"{row.thinking:.1f}"),
         _number(row.per_move, f"{1000 * row.per_move:.1f}"), _number(row.per_game, f"{row.per_game:.2f}")]
        for row in report.times
    ]  # fmt: skip
    heads = ("Player", "Moves", "Seconds", "ms a move", "s a game")
    games = report.results.games
    lag = max((game.lag_ms for game in games), default=0.0)
    return (
        f'<div class="wide">{_table([Column(head, head != "Player") for head in heads], rows)}</div>'
        f'<p class="soft">The referee was at most {lag:.1f} ms late; that is charged to nobody.</p>'
    )


# Tables.


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(
        f'<th scope="col"{" class=n" if column.number else ""}>{escape(column.head)}</th>' for column in columns
    )
    lines = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<table class="sortable"><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>'


def _name(text: str) -> str:
    return f'<th scope="row">{escape(text)}</th>'


def _text(text: str, title: str = "") -> str:
    return f"<td{f' title={chr(34)}{escape(title)}{chr(34)}' if title else ''}>{escape(text)}</td>"


def _number(value: float, text: str = "") -> str:
    return f'<td class="n" data-value="{value:.6g}">{escape(text or f"{value:g}")}</td>'


def _estimate(estimate: Estimate, *, rated: bool = True) -> str:
    if not rated:
        return '<td class="n" data-value="">-</td>'
    if estimate.value is not None and estimate.error is not None:
        shown = f"{signed(estimate.value, 0)} ± {estimate.error:.0f}"
        return f'<td class="n" data-value="{estimate.value:.6g}">{escape(shown)}</td>'
    bound = estimate.low if estimate.low is not None else estimate.high
    return f'<td class="n" data-value="{"" if bound is None else f"{bound:.6g}"}">{escape(estimate.text(0))}</td>'
