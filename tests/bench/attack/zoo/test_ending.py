"""Engines that end, wherever that is, lose the game they are in."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = (
    "aborts",
    "kills-itself",
    "answers-and-exits",
    "stops-itself",
    "exit0-at-connect_engine",
    "crash-at-list_options",
    "exit1-at-start",
    "exit0-at-made_move",
    "crash-at-disconnect_engine",
)


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"ending"}
    assert wrongs_at_prompt(site, *NAMES) == []
