"""Which lines have to wait for engines."""

from __future__ import annotations

import pytest

from ggtp.driver.screen import needs_settled


@pytest.mark.parametrize(
    ("line", "needs"),
    [("get_result", True), ("undo", True), ("list_rules", False), ("# talk", False), ("xyzzy", False)],
)
def test_what_depends_on_moves_that_are_being_thought_about(line: str, needs: bool) -> None:
    assert needs_settled(line) is needs
