"""The report as text."""

from __future__ import annotations

from dataclasses import replace

from support.tournaments import results

from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.report.data import make_report
from ggtp.ui.report.text import crosstable, report_text, standings


def test_everything_is_in_it() -> None:
    played = results(
        ("TicTacToe", "Nim", "ConnectFour"), {"Strong": 0.9, "Middle": 0.5, "Weak": 0.1}, blocks=3, faulty="Weak"
    )
    text = report_text(make_report(played))
    heads = [line for line in text.splitlines() if line.isupper() and not line[0].isdigit()]
    assert heads == [
        "STANDINGS",
        "STANDINGS, WITHOUT FAULTY GAMES",
        "RULES",
        "OVER ALL RULES",
        "ENDS",
        "FAULTS",
        "TIME",
    ]
    assert "CROSSTABLE (" in text
    assert "PAIRS (" in text
    assert "Warning: Fewer than 10 complete blocks compare" in text
    assert "critical distance" in text
    assert "\n1  " in text
    assert "Cross +" in text or "Cross -" in text
    assert "nan" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_all_tables_number_the_players_alike() -> None:
    played = results(("TicTacToe",), {"Middle": 0.5, "Weak": 0.1, "Equal": 0.5, "Same": 0.5}, blocks=2)
    variant = make_report(played).main
    turned = replace(variant.summary, players=tuple(reversed(variant.summary.players)))
    for summary in (variant.summary, turned):
        tables = [list(table(replace(variant, summary=summary)))[1:] for table in (standings, crosstable)]
        names = [[line.split()[:2] for line in lines] for lines in tables]
        assert names[0] == names[1]
        assert [name for _, name in names[0]] == list(variant.ratings.players)


def test_what_engines_say_cannot_disturb_a_terminal() -> None:
    played = results(blocks=4, faulty="Weak")
    games = tuple(
        replace(
            game,
            faults=tuple(
                replace(fault, what="\x1b[31mred\nalert", last_words="a\n\x1bKeyError") for fault in game.faults
            ),
        )
        for game in played.games
    )
    text = report_text(make_report(replace(played, games=games)))
    assert "\x1b" not in text
    assert "Weak, exit, said last:\n    a\n    \\x1bKeyError\n" in text
    assert "\\x1b[31mred\\x0aalert" in text


def test_nothing_played_yet() -> None:
    played = results(blocks=1, ended=False)
    text = report_text(make_report(replace(played, games=(), blocks=())))
    assert "No game has ended yet." in text
    assert "not over" in text


def test_the_sequential_test() -> None:
    played = results(blocks=20)
    text = report_text(make_report(replace(played, plan=replace(played.plan, sprt=Sprt(0, 100)))))
    assert "LLR " in text
    assert "H1 is 100 nElo" in text
