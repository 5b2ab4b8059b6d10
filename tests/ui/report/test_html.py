"""The report as a page; `tests/process/test_report_browser.py` clicks through it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from support.tournaments import find_rules, results

from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.report.data import Report, make_report
from ggtp.ui.report.html import report_html

EVIL = "<script>alert(1)</script>\"'&"


def always() -> bool:
    return True


def unpacked(text: str, name: str) -> Any:
    found = re.search(rf'id="data-{name}">([^<]*)<', text)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


@pytest.fixture(scope="module")
def report() -> Report:
    return make_report(results(("TicTacToe", "Nim"), {"Strong": 0.9, EVIL: 0.5, "Weak": 0.1}, blocks=3, faulty="Weak"))


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return report_html(report, find_rules, always, "9.9")


def test_every_section_is_there(text: str) -> None:
    found = re.findall(r'<section id="(\w+)"', text)
    assert found == ["warnings", "standings", "crosstable", "pairs", "rules", "faults", "time", "games"]
    assert text.count('<svg class="plot') == 2
    assert "Made by ggtp 9.9" in text


def test_names_of_engines_are_text_and_nothing_else(text: str) -> None:
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;") > 5


def test_every_game_is_there_with_its_moves(report: Report, text: str) -> None:
    index = unpacked(text, "index")
    assert len(index["games"]) == len(report.results.games) == 36
    for entry, game in zip(index["games"], report.results.games, strict=True):
        replay = unpacked(text, entry["chunk"])[entry["place"]]
        assert replay.get("m", replay["s"]) == list(game.moves)
        assert len(replay["f"]) == len(replay["s"]) + 1
        assert entry["id"] == game.id
    faulty = next(entry for entry in index["games"] if entry["faults"])
    notes = unpacked(text, faulty["chunk"])[faulty["place"]]["n"]
    assert any("ended with status 3" in note for note in notes.values())


def test_without_time_or_rules_there_are_moves_without_pictures(report: Report) -> None:
    for page in (report_html(report, find_rules, lambda: False, "0"), report_html(report, lambda _: None, always, "0")):
        replay = unpacked(page, "games0")[0]
        assert replay["s"]
        assert not replay["f"]
        assert replay["x"]


def test_void_games_are_listed_beside_the_others(report: Report) -> None:
    game = replace(report.results.games[0], end="void", scores={}, standings={})
    index = unpacked(
        report_html(replace(report, results=replace(report.results, void=(game,))), find_rules, always, "0"), "index"
    )
    ids = [entry["id"] for entry in index["games"]]
    assert len(set(ids)) == len(ids) == 37


def test_nothing_played_yet_and_a_sequential_test() -> None:
    played = results(blocks=1)
    empty = replace(played, games=(), blocks=(), ended=False, plan=replace(played.plan, sprt=Sprt()))
    page = report_html(make_report(empty), find_rules, always, "0")
    assert "No game has ended yet." in page
    assert "Sequential test of Strong against Weak" in page
    assert "nan" not in re.sub(r"<(script|style|template).*?</\1>", "", page, flags=re.DOTALL)
