"""Scripts of lines: promises that are broken are found."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz.lines import SEEDS, reader
from ggtp.bench.attack.fuzz.table import Table
from ggtp.bench.attack.fuzz.trial import Budget, Wrong

READ = reader(os.environ)


@pytest.mark.parametrize("script", SEEDS)
def test_the_scripts_get_somewhere(script: str) -> None:
    assert "start=" in READ(script, Budget())


def test_a_line_that_is_answered_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Table.said

    def twice(table: Table, line: str) -> None:
        said(table, line)
        said(table, line)

    monkeypatch.setattr(Table, "said", twice)
    with pytest.raises(Wrong, match="has the closing lines"):
        READ("get_rule", Budget())


def test_a_refused_line_that_changes_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def changing(table: Table, line: str) -> None:
        table.files["new"] = line
        table.answers.append("? No.")

    monkeypatch.setattr(Table, "said", changing)
    with pytest.raises(Wrong, match="was refused and has changed something"):
        READ("save_file new", Budget())


def test_a_line_that_is_not_printable_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "heard", lambda table, _link, _line: table.news.append("\x1b[2J"))
    with pytest.raises(Wrong, match="not printable"):
        READ("1> acknowledge", Budget())
