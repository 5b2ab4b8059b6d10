"""`ggtp merge`."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.tournaments import journal

from ggtp.tournament.journal.journal import LineReader, LineWriter, read_journal


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """The same tournament, whole and up to its second game."""
    data = journal(blocks=2, faulty="Weak")
    lines = data.splitlines(keepends=True)
    (tmp_path / "a").write_bytes(b"".join(lines[:5]))
    (tmp_path / "b").write_bytes(data)
    return tmp_path / "a", tmp_path / "b"


def test_two_journals_make_one(run: Any, two: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "c"
    ran = run("merge", str(two[0]), str(two[1]), "-o", str(target))
    assert ran.status == 0
    assert ran.out == f"{two[0]}: 2 games\n{two[1]}: 2 games\n2 games are in an earlier journal, too, and count once\n"
    assert ran.err == f"ggtp: to go on, say: ggtp tournament {target}\n"
    assert len(read_journal(target.read_bytes()).games) == 4
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_nothing_is_written_over_and_nothing_written_if_it_fails(
    run: Any, two: tuple[Path, Path], tmp_path: Path
) -> None:
    one, other = map(str, two)
    assert "is there already" in run("merge", one, other, "-o", other).err
    assert "Two different journals are needed" in run("merge", one, one, "-o", str(tmp_path / "c")).err
    (tmp_path / "d").write_bytes(journal(blocks=2, seed=9))
    ran = run("merge", one, str(tmp_path / "d"), "-o", str(tmp_path / "c"))
    assert (ran.status, "seed is 9 here and 1 in" in ran.err) == (1, True)
    assert not (tmp_path / "c").exists()
    assert run("merge", one, other).status == 2


def test_case_files_go_with_their_games(run: Any, two: tuple[Path, Path], tmp_path: Path) -> None:
    reader = LineReader()
    begin = two[0].read_bytes()
    reader.read(begin)
    third, fourth = read_journal(two[1].read_bytes()).games[2:]
    writer = LineWriter(reader.seq, reader.crc)
    lines = [writer.result(replace(game, case=f"{game.id}-1.ggtp")) for game in (third, fourth)]
    two[1].write_bytes(begin + b"".join(lines))
    (tmp_path / "b.cases").mkdir()
    (tmp_path / "b.cases" / f"{third.id}-1.ggtp").write_text("what went wrong")
    ran = run("merge", str(two[0]), str(two[1]), "-o", str(tmp_path / "c"))
    assert ran.status == 0
    assert f"the case file {fourth.id}-1.ggtp of {two[1]} can't be copied: No such file" in ran.err
    assert (tmp_path / "c.cases" / f"{third.id}-1.ggtp").read_text() == "what went wrong"


def test_links_in_a_circle_are_no_journal(run: Any, two: tuple[Path, Path], tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    ran = run("merge", str(two[0]), str(loop), "-o", str(tmp_path / "c"))
    assert (ran.status, ran.err) == (1, f"ggtp: {loop}: Too many levels of symbolic links\n")
