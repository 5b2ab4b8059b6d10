"""How far a damaged journal holds."""

from __future__ import annotations

import json

import pytest
from support.tournaments import journal

from ggtp.tournament.journal.journal import JournalError, LineWriter, read_journal
from ggtp.tournament.journal.repairing import TORN, examine

DATA = journal(blocks=2)
LINES = DATA.splitlines(keepends=True)


def test_a_whole_journal_holds() -> None:
    found = examine(DATA)
    assert (found.good, found.lines, found.games, found.why, found.cut_lines) == (len(DATA), len(LINES), 4, "", 0)


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_torn_last_line_is_cut(cut: int) -> None:
    whole = b"".join(LINES[:5])
    found = examine(whole + LINES[5][:-cut])
    assert (found.good, found.lines, found.why, found.torn) == (len(whole), 5, TORN, True)


def test_a_change_cuts_off_what_comes_after_it() -> None:
    for number in range(1, len(LINES)):
        data = b"".join([*LINES[:number], LINES[number].replace(b'"kind":"', b'"kind":"x', 1), *LINES[number + 1 :]])
        found = examine(data)
        assert data[: found.good] == b"".join(LINES[:number])
        assert found.lines == number
        assert "checksum" in found.why
        assert found.cut_lines == len(LINES) - number
        assert found.cut_results == sum(b'"kind":"result"' in line for line in LINES[number + 1 :])
        assert len(read_journal(data[: found.good]).games) == found.games


def test_what_makes_no_sense_is_cut_too() -> None:
    writer = LineWriter()
    header = writer.line("header", {k: v for k, v in json.loads(LINES[0]).items() if k not in ("seq", "kind", "crc")})
    found = examine(header + writer.line("result", {"game": {}}) + writer.line("note", {"at": "", "text": ""}))
    assert (found.good, found.lines, found.cut_lines, found.cut_results) == (len(header), 1, 2, 1)
    assert found.why


@pytest.mark.parametrize("data", [b"", b"hello\n", b'{"seq":1}\n', LINES[1]])
def test_what_has_no_header_can_not_be_kept(data: bytes) -> None:
    with pytest.raises(JournalError, match=r"no journal|Nothing can be kept"):
        examine(data)
