"""Engines that connect in strange ways, or not at all, have lost their seat or the game."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = ("connects-twice", "exits-first", "wrong-greeting", "half-greeting", "other-socket", "closes", "closes-writing")


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"connecting"}
    assert wrongs_at_prompt(site, *NAMES) == []
