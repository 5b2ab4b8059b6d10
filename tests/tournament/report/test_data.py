"""A report's values."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest
from support.tournaments import find_rules, results

from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.report.data import ALL, WITHOUT_FAULTS, WITHOUT_REPEATS, make_report, settled
from ggtp.tournament.report.forms import report_data
from ggtp.tournament.results import Idle, Results, Ruling, blocks_of
from ggtp.ui.report.html import report_html
from ggtp.ui.report.text import report_text

FOUR = {"Strong": 0.9, "Middle": 0.5, "Weak": 0.1}


@pytest.fixture(scope="module")
def played() -> Results:
    return results(("TicTacToe", "Nim"), FOUR, blocks=4, faulty="Weak")


def test_all_games_and_those_without_faults(played: Results) -> None:
    report = make_report(played)
    assert [variant.name for variant in report.variants][:2] == [ALL, WITHOUT_FAULTS]
    everything, clean = report.variants[:2]
    faulty = sum(row.count for row in report.faults)
    assert faulty > 0
    assert everything.games == clean.games + faulty == 48
    assert clean.blocks < everything.blocks == report.blocks == 24
    assert [row.player for row in report.faults] == ["Weak"]
    assert dict(report.ends) == {"rules": 48 - faulty, "forfeit": faulty}


def test_repeated_games_are_left_out_once_more(played: Results) -> None:
    twice = replace(played, games=(*played.games, *played.games), blocks=(*played.blocks, *played.blocks))
    report = make_report(twice)
    assert report.variants[-1].name == WITHOUT_REPEATS
    assert report.variants[-1].games <= 48


def test_who_plays_everything_twice_has_the_same_errors(played: Results) -> None:
    games = tuple(replace(game, plan=replace(game.plan, block=game.plan.block + 1000)) for game in played.games)
    twice = replace(played, games=(*played.games, *games), blocks=blocks_of(played.plan, (*played.games, *games)))
    once, again = make_report(played).main, make_report(twice).main
    assert again.games == 2 * once.games
    for player in played.plan.names:
        assert again.ratings.estimate(player).error == pytest.approx(once.ratings.estimate(player).error)
    for pair, row in once.summary.pairs.items():
        assert again.summary.pairs[pair].elo.error == pytest.approx(row.elo.error)


def test_time_is_added_up_by_player(played: Results) -> None:
    report = make_report(played)
    assert [row.player for row in report.times] == list(FOUR)
    assert sum(row.moves for row in report.times) == sum(len(game.moves) for game in played.games)
    assert sum(row.thinking for row in report.times) == pytest.approx(
        sum(sum(game.thinking.values()) for game in played.games)
    )
    assert all(row.per_move > 0 and row.per_game > 0 for row in report.times)


def test_seats_are_called_by_their_names(played: Results) -> None:
    worths = dict(make_report(played).seat_worths())
    assert [name for name, _, _ in worths["TicTacToe"]] == ["Cross", "Circle"]
    assert sum(worth for _, worth, _ in worths["TicTacToe"]) == pytest.approx(0.0)
    assert make_report(played).games_of("Nim") == 24


@pytest.mark.parametrize(
    ("games", "text"),
    [(None, "?"), (0.0, "settled"), (7.0, "~7"), (5.6, "~6"), (1234.0, "~1200"), (5e9, "~5000000000")],
)
def test_what_would_settle_it_is_said_roughly(games: float | None, text: str) -> None:
    assert settled(games) == text


def test_rules_are_compared_where_there_are_several(played: Results) -> None:
    report = make_report(played)
    assert report.comparison is not None
    assert report.comparison.rules == 2
    assert make_report(results(blocks=1)).comparison is None


def test_what_would_settle_it_in_games_and_time() -> None:
    assert [settled(None), settled(0), settled(12.3), settled(1234)] == ["?", "settled", "~13", "~1200"]
    assert settled(None, fresh=0.0) == "only repeats"
    assert settled(100, 0.2) == "~100 in 20 s"
    assert settled(100, 9) == "~100 in 15 min"
    assert settled(1000, 9) == "~1000 in 2 h 30 min"
    assert settled(10**6, 1) == "~1000000 in 11 d 13 h"
    assert settled(None, 5) == "?"


def test_what_a_supervisor_decided_is_remarked(played: Results) -> None:
    rulings = (Ruling(9, "quarantine", "A", "then", "by X: why"), Ruling(11, "undo", "9", "later", "by X"))
    remarks = make_report(replace(played, rulings=rulings)).remarks
    assert remarks[-2:] == (
        "Ruling 9: quarantine A, then, by X: why (undone).",
        "Ruling 11: undo 9, later, by X.",
    )


def test_what_is_not_over_or_was_late_is_remarked() -> None:
    open_one = results(blocks=1, ended=False)
    hasty = replace(open_one, plan=replace(open_one.plan, clocks=Clocks(move=1, margin=0)))
    remarks = make_report(replace(hasty, void=hasty.games[:1])).remarks
    assert [remark.split(":")[0].split(" was")[0] for remark in remarks] == [
        "The tournament is not over",
        "1 game did not count.",
        "The referee",
    ]


def test_a_sequential_test_is_told() -> None:
    match = results(blocks=30)
    state = make_report(replace(match, plan=replace(match.plan, sprt=Sprt(0, 60)))).sprt
    assert state is not None
    assert (state.player, state.other) == ("Strong", "Weak")
    assert state.decision in ("H0", "H1", "go on")
    assert state.test.ratio != 0
    nothing = replace(match, plan=replace(match.plan, sprt=Sprt()), games=(), blocks=())
    state = make_report(nothing).sprt
    assert state is not None
    assert (state.test.ratio, state.decision, state.test.games_left()) == (0.0, "go on", None)


def test_engines_that_burn_a_processor_are_warned_of(played: Results) -> None:
    seat = next(seat for seat, player in played.games[0].plan.seats.items() if player == "Strong")
    burning = replace(played.games[0], idle={seat: Idle(5.0, 4.9, 0.0)})
    report = make_report(replace(played, games=(burning, *played.games[1:])))
    (warning,) = [warning for warning in report.warnings if warning.kind == "idle"]
    assert warning.text.startswith("Strong used 98 % of a processor while it was not its turn, over 5.0 s")
    assert not [warning for warning in make_report(played).warnings if warning.kind == "idle"]
    assert warning.text in " ".join(report_text(report).split())
    assert {"kind": "idle", "text": warning.text} in report_data(report)["warnings"]
    assert warning.text in html.unescape(report_html(report, find_rules, lambda: False, "test"))
