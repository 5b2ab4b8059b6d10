"""Engines that say too much lose where that is a fault, and slow nobody down where it is none."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = ("floods-acknowledge", "floods-tell", "floods-moves", "stdout-flood", "stderr-line")


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"flooding"}
    assert wrongs_at_prompt(site, *NAMES) == []
