"""Faults as values."""

from __future__ import annotations

from ggtp.referee.faults import Fault


def test_a_fault_is_a_sentence() -> None:
    assert Fault("Cross", "Bad", "exit", "it ended.").sentence() == "Fault of Cross (Bad), exit: it ended."
