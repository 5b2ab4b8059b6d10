"""The report for programs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from support.tournaments import results

from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.report.data import Report, make_report
from ggtp.tournament.report.forms import TABLES, report_csv, report_json


@pytest.fixture(scope="module")
def report() -> Report:
    return make_report(results(("TicTacToe", "Nim"), {"A": 0.9, "B": 0.5, "@C": 0.1}, blocks=3, faulty="B"))


def test_json_is_one_line_with_everything(report: Report) -> None:
    text = report_json(report)
    assert text.count("\n") == 1
    data: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    assert data["games"] == 36
    assert data["blocks"] == 18
    assert next(row["player"] for row in data["standings"]) == "A"
    assert set(data["standings"][0]["rating"]) == {"value", "low", "high", "error"}
    assert len(data["pairs"]) == 3
    assert all(pair["games_to_settle"] is None or pair["games_to_settle"] >= 0 for pair in data["pairs"])
    assert len(data["ratings"]["covariance"]) == 3
    assert next(iter(data["variants"])) == "without faulty games"
    assert data["comparison"]["rules"] == 2
    assert data["sprt"] is None
    assert data["faults"][0]["player"] == "B"
    assert set(data["time"]) == {"A", "B", "@C"}
    assert data["warnings"]


@pytest.mark.parametrize("games", [0, 1, 2])
def test_what_cannot_be_known_is_null(games: int) -> None:
    played = results(blocks=1)
    some = replace(played, games=played.games[:games], blocks=played.blocks if games == 2 else ())
    data = json.loads(report_json(make_report(replace(some, plan=replace(some.plan, sprt=Sprt())))))
    assert data["standings"][0]["rating"] is None or data["standings"][0]["rating"]["error"] > 0
    assert data["sprt"]["decision"] == "go on"


@pytest.mark.parametrize("table", TABLES)
def test_every_table_as_csv(report: Report, table: str) -> None:
    head, *rows = csv.reader(io.StringIO(report_csv(report, table)))
    assert rows
    assert all(len(row) == len(head) for row in rows)
    assert all("'@C" in cell for row in rows for cell in row if "@C" in cell), "no formula for a spreadsheet"


@pytest.mark.parametrize("table", ["games", "faults"])
def test_the_name_of_a_game_is_no_number(report: Report, table: str) -> None:
    """`1.1` and `1.10` would be the same game for programs that guess types."""
    rows = list(csv.DictReader(io.StringIO(report_csv(report, table))))
    assert rows
    for row in rows:
        assert row["game"] == f"g{row['block']}.{row['index']}"
        with pytest.raises(ValueError, match="could not convert"):
            float(row["game"])


def test_games_have_a_row_for_each_seat(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(report_csv(report, "games"))))
    assert len(rows) == 72
    assert {row["standing"] for row in rows} <= {"win", "draw", "loss"}
    assert rows[0]["seat"] == "Cross"
