"""Engines that use too much lose, and leave nothing."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = ("memory-mapped", "memory-of-child", "many-descriptors", "many-threads", "fork-bomb", "zombies", "leaps")


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"resources"}
    assert wrongs_at_prompt(site, *NAMES) == []
