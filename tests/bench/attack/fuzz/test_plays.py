"""Play files: what is saved of them must replay to the same."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz import plays
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.errors import PlayFileError


def test_a_file_is_saved_and_replayed() -> None:
    read = plays.reader(os.environ)
    assert read(plays.TICTACTOE, Budget()).startswith("TicTacToe ")
    with pytest.raises(PlayFileError):
        read("play Cross A1\n", Budget())


def test_a_file_that_replays_to_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "saved_lines", lambda lines, _options: [*lines, "undo"] if lines else [])
    with pytest.raises(Wrong):
        plays.reader(os.environ)("set_rule TicTacToe\nstart\nplay Cross A1\nplay Circle A2\n", Budget())
