"""Engines that take too long lose, and those that take their time do not."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = ("slow-acknowledge", "uses-its-bank", "sleeps-for-ever")


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"timing"}
    assert wrongs_at_prompt(site, *NAMES) == []
