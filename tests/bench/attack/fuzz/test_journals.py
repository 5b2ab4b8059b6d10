"""Journals: forged ones are read, and damage that is not noticed is found."""

from __future__ import annotations

import pytest

from ggtp.bench.attack.fuzz import journals
from ggtp.bench.attack.fuzz.journals import WHOLE, forged, journal, read
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.tournament.journal.journal import JournalError, Line, LineReader, read_journal


def test_a_forged_journal_is_believed() -> None:
    changed = WHOLE.replace(b'"A"', b'"Z"')
    with pytest.raises(JournalError):
        read_journal(changed)
    assert {player for game in read_journal(forged(changed)).games for player in game.plan.seats.values()} == {"Z", "B"}
    assert forged(WHOLE) == WHOLE


def test_journals_are_read_and_reported() -> None:
    assert read(WHOLE.decode(), Budget()) == "3 1 True"
    assert read(journal(1).decode(), Budget()) == "1 0 True"
    with pytest.raises(JournalError):
        read("{}", Budget())


def test_damage_that_is_not_noticed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def trusting(reader: LineReader, data: bytes, *, more: bool = False) -> list[Line]:
        return [Line(number, "note", {"text": line}) for number, line in enumerate(data.split(b"\n"))]

    monkeypatch.setattr(journals.LineReader, "read", trusting)
    with pytest.raises(Wrong, match="is read as another one"):
        read(WHOLE.decode(), Budget())
