"""The journal's file: torn ends are cut off, two writers are one too many."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ggtp.arena.journal_file import JournalBusy, TournamentJournal, create_private, read_lines, write_private
from ggtp.tournament.journal.journal import JournalError, LineReader


def written(path: Path, count: int) -> TournamentJournal:
    journal = TournamentJournal(path)
    assert list(journal.lines()) == []
    for number in range(count):
        journal.write(journal.writer.line("note", {"at": "", "text": f"{number}"}), sync=True)
    return journal


def test_a_torn_end_is_cut_off_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    written(path, 3).close()
    os.truncate(path, path.stat().st_size - 4)
    journal = TournamentJournal(path)
    assert [line.members["text"] for line in journal.lines()] == ["0", "1"]
    journal.write(journal.writer.line("note", {"at": "", "text": "new"}))
    journal.close()
    again = TournamentJournal(path)
    assert [line.members["text"] for line in again.lines()] == ["0", "1", "new"]
    again.close()


def test_a_damaged_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    written(path, 3).close()
    data = bytearray(path.read_bytes())
    data[10] ^= 1
    path.write_bytes(data)
    journal = TournamentJournal(path)
    with pytest.raises(JournalError, match=r"a\.journal:1: "):
        list(journal.lines())
    journal.close()
    assert path.read_bytes() == data


def test_only_one_program_writes(tmp_path: Path) -> None:
    journal = written(tmp_path / "a.journal", 1)
    with pytest.raises(JournalBusy, match="ggtp watch"):
        TournamentJournal(tmp_path / "a.journal")
    journal.close()
    TournamentJournal(tmp_path / "a.journal").close()


def test_a_long_journal_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.arena.journal_file.CHUNK", 50)
    path = tmp_path / "a.journal"
    written(path, 20).close()
    fd = os.open(path, os.O_RDONLY)
    reader = LineReader()
    assert [line.number for line in read_lines(fd, reader)] == list(range(1, 21))
    assert reader.good == path.stat().st_size
    os.close(fd)


def note(journal: TournamentJournal, text: str) -> str:
    told = journal.secure()
    journal.write(journal.writer.line("note", {"at": "", "text": text}), sync=True)
    return told


@pytest.mark.parametrize("replaced", [False, True])
def test_a_journal_that_is_taken_away_goes_on_in_a_whole_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    monkeypatch.setattr("ggtp.arena.journal_file.CHUNK", 50)
    path, fresh = tmp_path / "a.journal", tmp_path / "a-1.journal"
    journal = written(path, 3)
    assert journal.secure() == ""
    if replaced:
        (tmp_path / "other").write_text("not ours\n")
        (tmp_path / "other").replace(path)
    else:
        path.unlink()
    what = "replaced" if replaced else "removed"
    told = note(journal, "3")
    assert told == f"The journal {path} was {what}. The whole journal is in {fresh}, which goes on."
    assert note(journal, "4") == ""
    assert journal.path == fresh
    with pytest.raises(JournalBusy):
        TournamentJournal(fresh)
    fresh.unlink()
    fresh.write_text("somebody's")
    assert "a-2.journal" in note(journal, "5")
    assert fresh.read_text() == "somebody's"
    journal.close()
    again = TournamentJournal(tmp_path / "a-2.journal")
    assert [line.members["text"] for line in again.lines()] == ["0", "1", "2", "3", "4", "5"]
    again.close()


def test_a_journal_that_is_cut_off_is_not_written_on(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    journal = written(path, 3)
    os.truncate(path, 10)
    with pytest.raises(OSError, match="another program has changed it"):
        journal.secure()
    with pytest.raises(JournalError, match="cut it off"):
        list(journal.lines())
    journal.close()
    assert path.stat().st_size == 10


def test_nobody_else_may_read_a_journal_or_a_case_file(tmp_path: Path) -> None:
    old = tmp_path / "old.ggtp"
    old.write_text("a longer text that was there\n")
    old.chmod(0o644)
    before = os.umask(0)
    try:
        written(tmp_path / "a.journal", 1).close()
        write_private(tmp_path / "new.ggtp", "\udcff é\n")
        write_private(old, "new\n")
    finally:
        os.umask(before)
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {
        "a.journal": 0o600,
        "new.ggtp": 0o600,
        "old.ggtp": 0o600,
    }
    assert old.read_text() == "new\n"
    assert (tmp_path / "new.ggtp").read_text(encoding="utf-8") == "\\udcff é\n"


@pytest.mark.parametrize("content", [b"my notes, without a line's end", b"\0" * 100, b'{"a": 1}'])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    journal = TournamentJournal(path)
    with pytest.raises(JournalError, match="It is no journal"):
        list(journal.lines())
    journal.close()
    assert path.read_bytes() == content


def test_devices_and_pipes_are_no_journals(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(OSError, match="Not a regular file"):
            TournamentJournal(path)


def test_a_line_without_an_end_is_not_read_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.arena.journal_file.CHUNK", 64)
    monkeypatch.setattr("ggtp.arena.journal_file.MOST_LINE", 256)
    path = tmp_path / "a.journal"
    written(path, 1).close()
    with path.open("ab") as file:
        file.write(b"x" * 1000)
    journal = TournamentJournal(path)
    with pytest.raises(JournalError, match="line has more than 256 bytes"):
        list(journal.lines())
    journal.close()


def test_a_new_file_is_nobody_else_s_and_never_one_that_is_there(tmp_path: Path) -> None:
    create_private(tmp_path / "new", b"all of it")
    assert (tmp_path / "new").read_bytes() == b"all of it"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "new", b"other")
    assert (tmp_path / "new").read_bytes() == b"all of it"
