"""A slate: what is noted is read by another process, whole or not at all."""

from __future__ import annotations

import os

import pytest

from ggtp.kit.front.shared_move import NOTHING, SIDE, Slate


def test_what_is_noted_for_a_request_is_read_for_it() -> None:
    slate = Slate()
    assert slate.read(0) is None
    assert slate.read(1) is None
    slate.note(1, "A1")
    assert slate.read(1) == "A1"
    assert slate.read(2) is None
    slate.note(1, "märchen 3")
    assert slate.read(1) == "märchen 3"
    slate.note(2, "B2")
    assert slate.read(1) is None
    assert slate.read(2) == "B2"


def test_what_belongs_to_an_old_request_comes_too_late() -> None:
    slate = Slate()
    slate.note(5, "new")
    slate.note(4, "old")
    assert slate.read(4) is None
    assert slate.read(5) == "new"


def test_what_is_noted_last_counts() -> None:
    slate = Slate()
    slate.note(1, NOTHING)
    slate.note(1, "anything")
    slate.note(1, "better")
    assert slate.read(1) == "better"


def test_nothing_and_what_is_too_long() -> None:
    slate = Slate()
    slate.note(1, "A1")
    slate.note(1, NOTHING)
    assert slate.read(1) is None
    slate.note(1, "A1")
    slate.note(1, "x" * SIDE)
    assert slate.read(1) is None


def test_half_a_note_is_none() -> None:
    slate = Slate()
    slate.note(1, "A1")
    slate.note(1, "B2")
    whole = bytes(slate._memory)
    at = whole.index(b"B2")
    slate._memory[at : at + 1] = b"C"
    assert slate.read(1) is None
    slate._memory[at : at + 1] = b"B"
    assert slate.read(1) == "B2"


@pytest.mark.process
def test_another_process_reads_it() -> None:
    slate = Slate()
    child = os.fork()
    if child == 0:
        slate.note(7, "from elsewhere")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert slate.read(7) == "from elsewhere"
