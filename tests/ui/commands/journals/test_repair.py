"""`ggtp repair`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.tournaments import journal

from ggtp.arena.journal_file import TournamentJournal
from ggtp.tournament.journal.journal import read_journal


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """The journal of four games, of which the third was changed."""
    lines = journal(blocks=2).splitlines(keepends=True)
    lines[6] = lines[6].replace(b"Cross", b"Kross", 1)
    found = tmp_path / "evening.journal"
    found.write_bytes(b"".join(lines))
    return found


def test_what_holds_is_kept_and_the_journal_as_it_was_too(run: Any, damaged: Path) -> None:
    before = damaged.read_bytes()
    ran = run("repair", str(damaged))
    backup = damaged.with_name("evening-1.journal")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        f"{damaged}: 6 lines hold, with 2 games that count",
        "line 7 does not hold: its checksum is wrong",
        "4 lines are cut off, 2 with results: these games are played again",
        f"the journal as it was is in {backup}",
    ]
    assert backup.read_bytes() == before
    assert before.startswith(damaged.read_bytes())
    assert len(read_journal(damaged.read_bytes()).games) == 2
    assert "nothing has to be repaired" in run("repair", str(damaged)).out


def test_another_file_leaves_the_journal_as_it_is(run: Any, damaged: Path, tmp_path: Path) -> None:
    before = damaged.read_bytes()
    target = tmp_path / "whole.journal"
    assert run("repair", str(damaged), "-o", str(target)).status == 0
    assert damaged.read_bytes() == before
    assert len(read_journal(target.read_bytes()).games) == 2
    assert "is there already" in run("repair", str(damaged), "-o", str(target)).err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening.journal", "whole.journal"]


def test_what_can_not_be_repaired(run: Any, damaged: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear all,\n")
    assert "It is no journal" in run("repair", str(tmp_path / "letter")).err
    assert "No such file" in run("repair", str(tmp_path / "none")).err
    assert not (tmp_path / "none").exists()
    open_one = TournamentJournal(damaged)
    try:
        assert "is being written by another program" in run("repair", str(damaged)).err
    finally:
        open_one.close()
