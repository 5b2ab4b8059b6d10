"""The lines of a plan's words."""

from __future__ import annotations

import pytest

from ggtp.tournament.plan.places import line_of, word_lines

PLAN = '''\
name = """of
player = 3
lines"""
time.move = 5  # dotted
[faults]
late = "loss"

[[player]]
engine = "Minimax"
options = { Depth = 3, "odd name" = 1 }
[[player]]
name = "B"
[player.options]
Time = 3
[[rule]]
rule = "Nim"
[[rule.start]]
moves = []
[[rule.start]]
file = "a"
[[rule]]
[[rule.start]]
file = "b"
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("name", 1),
        ("time.move", 4),
        ("faults.late", 6),
        ("player 1", 8),
        ("player 1.engine", 9),
        ("player 1.options.Depth", 10),
        ("player 1.options.odd name", 10),
        ("player 2.options.Time", 14),
        ("player 2.options.Other", 13),
        ("player 2.engine", 11),
        ("rule 1.start 2.file", 20),
        ("rule 2.rule", 21),
        ("seeds", 0),
        ("", 0),
    ],
)
def test_a_word_is_where_it_was_written(place: str, line: int) -> None:
    assert line_of(place, word_lines(PLAN)) == line
