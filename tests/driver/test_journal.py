"""The play file on disk: whole or not at all, and every answered line is there whatever happens next."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ggtp.driver import journal
from ggtp.driver.journal import JournalFile, PlayFile, free_name, read_text


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """No file may grow beyond so many bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


# Reading.


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"start\n", "start\n"),
        (b"start\r\nundo\r\n", "start\nundo\n"),
        (b"\xef\xbb\xbfstart\n", "start\n"),
        ("comment_node é♞\n".encode(), "comment_node é♞\n"),
    ],
)
def test_a_file_is_read_as_utf_8(tmp_path: Path, data: bytes, text: str) -> None:
    (tmp_path / "game").write_bytes(data)
    assert read_text(str(tmp_path / "game")) == text


def test_a_file_that_is_no_text_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(b"start\nundo\n\xff\n")
    with pytest.raises(ValueError, match="line 3 is not UTF-8"):
        read_text(str(tmp_path / "game"))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MOST_BYTES", 10)
    (tmp_path / "game").write_bytes(b"x" * 10)
    assert len(read_text(str(tmp_path / "game"))) == 10
    (tmp_path / "game").write_bytes(b"x" * 11)
    with pytest.raises(ValueError, match="more than 10 bytes"):
        read_text(str(tmp_path / "game"))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game")
    with pytest.raises(OSError, match="Not a regular file"):
        read_text(str(tmp_path / "game"))


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_what_can_t_be_read_is_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"No such file|directory"):
        read_text(str(tmp_path / name))


# Writing.


def test_lines_are_written_and_appended(tmp_path: Path) -> None:
    path = tmp_path / "game"
    file = JournalFile(str(path), ["# GGTP play file", "set_rule Nim"])
    assert path.read_text() == "# GGTP play file\nset_rule Nim\n"
    file.append(["start"])
    file.append([])
    file.append(["force_play Left take 1 from A", "comment_node é"])
    assert path.read_text().splitlines()[2:] == ["start", "force_play Left take 1 from A", "comment_node é"]
    file.close()
    file.close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["game"]


def test_a_file_that_was_there_is_replaced_at_once_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("old\n")
    path.chmod(0o640)
    reader = path.open()
    JournalFile(str(path), ["new"]).close()
    assert reader.read() == "old\n", "whoever had the old file open still has it"
    reader.close()
    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_nobody_else_may_read_a_new_file(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        JournalFile(str(tmp_path / "game"), []).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "game").stat().st_mode) == 0o600


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "game")
    JournalFile(str(tmp_path / "link"), ["start"]).close()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "game").read_text() == "start\n"


@pytest.mark.parametrize("path", ["nowhere/game", ".", "/dev/null", "a\0b", "x" * 300])
def test_what_can_t_be_written_leaves_nothing_behind(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((OSError, ValueError)) as caught:
        JournalFile(path, ["start"])
    assert ".x" not in str(caught.value), "the scratch file is nobody's business"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("old\n")
    with small_files(4096), pytest.raises(OSError, match="File too large") as caught:
        JournalFile(str(path), ["x" * 100 for _ in range(100)])
    assert caught.value.filename == str(path)
    assert path.read_text() == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game"]


def test_a_disk_that_fills_up_later_leaves_no_half_line(tmp_path: Path) -> None:
    path = tmp_path / "game"
    file = JournalFile(str(path), ["start"])
    line = "comment_node " + "x" * 1000
    with small_files(4096):
        for _ in range(4):
            file.append([line])
        with pytest.raises(OSError, match="File too large"):
            file.append([line])
    file.close()
    assert path.read_text().splitlines() == ["start", *[line] * 4]


WRITER = """
import sys
from ggtp.driver.journal import PlayFile, JournalFile
file = JournalFile(sys.argv[1], ["start"])
print("start", flush=True)
for number in range(10**9):
    file.append([f"force_play Cross {number}"])
    print(f"force_play Cross {number}", flush=True)
"""


@pytest.mark.process
def test_what_was_answered_is_in_the_file_of_a_process_that_was_killed(tmp_path: Path) -> None:
    """At any point: the file holds every line that was answered, in order, and no line twice or in part."""
    chance = random.Random(4)
    path = tmp_path / "game"
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            answered = [writer.stdout.readline() for _ in range(chance.randrange(1, 60))]
            writer.send_signal(signal.SIGKILL)
            answered += [line for line in writer.stdout if line.endswith("\n")]
        lines = path.read_text().splitlines(keepends=True)
        assert lines[: len(answered)] == answered
        assert len(lines) <= len(answered) + 1
        assert lines == ["start\n", *(f"force_play Cross {number}\n" for number in range(len(lines) - 1))]


def test_a_tilde_that_is_nobody_s_home_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("~ or so", "~nobody-of-that-name"):
        JournalFile(name, ["start"]).close()
        assert (tmp_path / name).read_text(encoding="utf-8") == "start\n"
        assert read_text(name) == "start\n"


def test_a_play_file_is_exchanged_when_the_new_one_is_there(tmp_path: Path) -> None:
    async def main() -> None:
        file = PlayFile()
        file.append(("nobody writes this",))
        await file.open(str(tmp_path / "one"), ("first",))
        with pytest.raises(OSError, match="nowhere"):
            await file.open(str(tmp_path / "nowhere" / "two"), ("second",))
        file.append(("more",))
        await file.open(str(tmp_path / "two"), ("second",))
        file.append(("last",))
        file.close()
        file.append(("nobody writes this either",))

    asyncio.run(main())
    assert (tmp_path / "one").read_text() == "first\nmore\n"
    assert (tmp_path / "two").read_text() == "second\nlast\n"


def test_what_others_do_to_an_open_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    file = JournalFile(str(path), ["start"])
    file.append(["force_play Left take 1 from A"])
    assert file.harm() == ""
    with path.open("a") as other:
        other.write("undo\n")
    assert file.harm() == "was changed by another program"
    path.write_text("")
    assert file.harm() == "was changed by another program"
    path.unlink()
    assert file.harm() == "was removed"
    path.write_text("start\nforce_play Left take 1 from A\n")
    assert file.harm() == "was replaced"
    file.close()


def test_a_free_name_is_beside_the_file_and_taken_by_nobody(tmp_path: Path) -> None:
    assert free_name(str(tmp_path / "a.b.ggtp")) == str(tmp_path / "a.b-1.ggtp")
    assert free_name("nowhere/game") == "nowhere/game-1"
    (tmp_path / "game-1").symlink_to("nothing")
    assert free_name(str(tmp_path / "game")) == str(tmp_path / "game-2")


def test_links_in_a_circle_are_an_error_of_the_system(tmp_path: Path) -> None:
    path = tmp_path / "loop.ggtp"
    path.symlink_to(path)
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        JournalFile(str(path), ["# GGTP play file"])
