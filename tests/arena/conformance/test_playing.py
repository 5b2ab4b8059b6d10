"""Late moves, searches that go on, and questions that wait for a move."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.conformance import looked_at
from support.runs import engine

pytestmark = pytest.mark.process


def test_late_moves_fail(tmp_path: Path) -> None:
    verdict = looked_at(engine(tmp_path, "slow", "--fault", "late", "--delay-ms", "500"))
    found = {check.name: check for check in verdict.checks}
    assert (found["moves"].grade, found["lateness"].grade) == ("failed", "failed")
    assert any("of 300 ms: late moves are faults" in detail for detail in found["moves"].details)
