"""What a command waits for is said, and only then."""

from __future__ import annotations

import io
import threading

import pytest

from ggtp.ui.console import waiting as module
from ggtp.ui.console.waiting import waiting


def test_what_is_waited_for_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = threading.Event()
    told: list[str] = []

    def complain(_out: object, text: str) -> None:
        told.append(text)
        said.set()

    monkeypatch.setattr(module, "complain", complain)
    with waiting(io.StringIO(), "the pipe a", seconds=0.001):
        assert said.wait(60)
    assert told == ["waiting for the pipe a"]


def test_nothing_is_said_of_what_is_there_at_once() -> None:
    out = io.StringIO()
    with waiting(out, "nothing", seconds=1000):
        pass
    assert out.getvalue() == ""
