"""`ggtp watch`: from another terminal, while it runs and afterwards."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from support.runs import run as play
from support.runs import tictactoe

from ggtp.arena.journal_file import TournamentJournal
from ggtp.tournament.journal.journal import JournalError
from ggtp.tournament.results import Happened
from ggtp.ui.commands.watch import Follower, _follow_plainly
from ggtp.ui.console.environment import Environment


@pytest.mark.process
def test_how_it_stands(run: Any, tmp_path: Path) -> None:
    play(tictactoe(tmp_path, blocks=2), tmp_path / "a.journal")
    ran = run("watch", str(tmp_path / "a.journal"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "tournament: ended, 4 of 4 games"
    assert "4 games count, 2 blocks are complete." in ran.out


def test_what_is_no_journal(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("hello\nworld\n")
    ran = run("watch", str(tmp_path / "a"))
    assert ran.status == 1
    assert "does not hold" in ran.err
    assert run("watch", str(tmp_path / "none")).status == 1
    (tmp_path / "b").write_text("")
    with pytest.raises(JournalError, match="no header"):
        Follower(tmp_path / "b")


@pytest.mark.process
def test_a_journal_is_followed_as_it_grows(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=3)
    play(plan, tmp_path / "whole.journal", 1)
    lines = (tmp_path / "whole.journal").read_bytes().splitlines(keepends=True)
    path = tmp_path / "a.journal"
    started = next(number for number, line in enumerate(lines) if b'"kind":"started"' in line)
    path.write_bytes(b"".join(lines[: started + 1]))
    follower = Follower(path)
    assert [live.job.id for live in follower.scene().running] == ["1.0"]
    counts = []
    for number in range(started + 1, len(lines)):
        with path.open("ab") as file:
            file.write(lines[number][:20])
            file.flush()
            assert not follower.read()  # half a line is none
            file.write(lines[number][20:])
        assert follower.read()
        counts.append(follower.ledger.standings.games)
    assert counts == sorted(counts)
    assert counts[-1] == 6
    assert follower.state == "ended"
    assert follower.scene().running == []
    follower.close()


def test_plain_tables_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    journal = TournamentJournal(path)
    list(journal.lines())
    journal.write(journal.writer.header(tictactoe(tmp_path), version="", created=""))
    out = io.StringIO()
    follower = Follower(path)

    def sleep(_seconds: float) -> None:
        journal.write(journal.writer.happened(Happened("end", "now")))

    _follow_plainly(Environment(stdout=out), follower, 10.0, sleep)
    follower.close()
    journal.close()
    heads = [line for line in out.getvalue().splitlines() if line.startswith("tournament: ")]
    assert heads == ["tournament: running, 0 of 2 games", "tournament: ended, 0 of 2 games"]


@pytest.mark.process
def test_what_was_decided_changes_what_is_shown(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    play(tictactoe(tmp_path, blocks=1), path)
    follower = Follower(path)
    before = [row.points for row in follower.ledger.standings.rows.values()]
    assert before == [1, 1]
    ran = run("watch", str(path), "--say", "adjudicate_game 1.0 Cross=0 Circle=1", "--why", "it was agreed")
    assert (ran.status, ran.out, ran.err) == (0, "Done\n", "")
    assert follower.read()
    after = [row.points for row in follower.ledger.standings.rows.values()]
    assert sorted(after) == [0, 2]
    assert follower.log[-1].endswith("after the games: it was agreed")
    follower.close()
    assert "Ruling " in run("report", str(path)).out
    shown = run("watch", str(path), "--say", "list_rulings").out.splitlines()
    assert shown[-1] == "1 rulings are in force"
    assert run("watch", str(path), "--say", "undo_ruling").out == "Done\n"
    again = Follower(path)
    assert [row.points for row in again.ledger.standings.rows.values()] == before
    again.close()


@pytest.mark.process
def test_what_needs_a_tournament_that_runs(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    play(tictactoe(tmp_path, blocks=1), path)
    for line in ("set_concurrency 3", "pause_tournament", "dance"):
        ran = run("watch", str(path), "--say", line)
        assert ran.status == 1
        assert "No tournament that runs here writes" in ran.err
    ran = run("watch", str(path), "--say", "adjudicate_game 7.7 draw")
    assert (ran.status, ran.err) == (1, "ggtp: There is no game 7.7 that was played or is running.\n")


@pytest.mark.process
def test_a_follower_sees_a_plan_grow(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    play(tictactoe(tmp_path, blocks=1), path)
    follower = Follower(path)
    try:
        assert follower.ledger.total == 2
        play(tictactoe(tmp_path, blocks=2), path)
        assert follower.read()
        assert (follower.ledger.total, follower.ledger.standings.games) == (4, 4)
        assert any("blocks 1 to 2" in line for line in follower.log)
    finally:
        follower.close()
