"""What an engine leaves in folders is run by nobody who comes later."""

from __future__ import annotations

import pytest
from support.evil import wrongs_at_prompt

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS


@pytest.mark.process
def test_planted_code_is_not_run(site: Site) -> None:
    names = ("plants-modules", "plants-cache")
    assert {WAYS[name].group for name in names} == {"planting"}
    assert wrongs_at_prompt(site, *names) == []
    assert site.tally.figures["looked_for_planted"] == len(names)
