"""Engines that reach out of their process leave no process, and harm no play."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = ("daemon", "kills-group", "forks")


@pytest.mark.process
def test_the_verdict_is_right_and_nothing_is_left(site: Site) -> None:
    assert {WAYS[name].group for name in NAMES} == {"reaching"}
    assert wrongs_at_prompt(site, *NAMES) == []
