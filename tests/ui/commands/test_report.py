"""`ggtp report`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.tournaments import journal

from ggtp.ui.commands import report


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "evening.journal"
    found.write_bytes(journal(blocks=2))
    return found


def test_text_is_the_default(run: Any, path: Path) -> None:
    ran = run("report", str(path))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("evening\n")


def test_the_file_s_name_decides_the_form(run: Any, path: Path, tmp_path: Path) -> None:
    for name, begin in (("r.json", "{"), ("r.csv", "game,"), ("r.txt", "evening"), ("r", "evening")):
        ran = run("report", str(path), "-o", str(tmp_path / name))
        assert (ran.status, ran.out) == (0, "")
        assert (tmp_path / name).read_text().startswith(begin)
    ran = run("report", str(path), "--format", "json", "--output", str(tmp_path / "odd.txt"))
    assert json.loads((tmp_path / "odd.txt").read_text())["games"] == 4


def test_tables(run: Any, path: Path) -> None:
    assert run("report", str(path), "--format", "csv", "--table", "pairs").out.startswith("player,other")
    assert run("report", str(path), "--format", "csv", "--table", "no").status == 2


def test_a_journal_that_is_torn_is_read_and_one_that_was_changed_is_not(run: Any, path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    assert run("report", str(path)).status == 0
    path.write_bytes(data.replace(b"three in a row", b"four in a row!", 1))
    ran = run("report", str(path))
    assert ran.status == 1
    assert "checksum" in ran.err


def test_what_is_no_journal_or_not_there(run: Any, tmp_path: Path) -> None:
    assert run("report", str(tmp_path / "none")).status == 1
    (tmp_path / "empty").write_text("")
    ran = run("report", str(tmp_path / "empty"))
    assert ran.status == 1
    assert "no play is started" in ran.err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert "neither a journal of a tournament nor a play file" in run("report", str(tmp_path / "bytes")).err
    assert "html only" in run("report", str(tmp_path / "empty"), "--format", "json").err
    assert run("report").status == 2


def test_a_report_that_cannot_be_written_changes_nothing(run: Any, path: Path, tmp_path: Path) -> None:
    ran = run("report", str(path), "-o", str(tmp_path / "no" / "where.json"))
    assert ran.status == 1
    assert "where.json" in ran.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["evening.journal"]


def test_pages(run: Any, path: Path, tmp_path: Path) -> None:
    assert run("report", str(path), "-o", str(tmp_path / "r.html")).status == 0
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    play = tmp_path / "x.ggtp"
    play.write_text("set_rule TicTacToe\nstart\nforce_play Cross A1\n")
    assert run("report", str(play)).out.startswith("<!DOCTYPE html>")


def test_rules_that_are_gone_cost_the_pictures(run: Any, path: Path, tmp_path: Path) -> None:
    path.write_bytes(journal(blocks=1, rename={"TicTacToe": "GoneGame"}))
    ran = run("report", str(path), "-o", str(tmp_path / "r.html"))
    assert ran.status == 0
    assert "no pictures of GoneGame" in ran.err


def test_links_in_a_circle_are_no_place_for_a_report(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.symlink_to(path)
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        report.write_whole(path, "text")
