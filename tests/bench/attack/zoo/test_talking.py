"""Engines that say what they should not say lose, and nothing of it disturbs a terminal."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = (
    "nul",
    "carriage-returns",
    "empty-lines",
    "answers-twice",
    "wrong-order",
    "illegal-for-ever",
    "names-nobody",
    "moves-for-other",
    "moves-early",
    "moves-none",
    "huge-move",
    "tells",
    "refuses-everything",
    "wrong-table",
    "controls-in-move",
    "controls-in-words",
    "controls-in-answer",
    "long-words",
)


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"talking"}
    assert wrongs_at_prompt(site, *NAMES) == []
