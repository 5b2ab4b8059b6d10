"""Every part of the table is there and can be begun."""

from __future__ import annotations

from importlib import import_module

import pytest

from ggtp.bench.attack.parts import PARTS


@pytest.mark.parametrize("name", PARTS)
def test_every_part_has_what_the_campaign_needs(name: str) -> None:
    part = PARTS[name]
    assert part.name == name
    assert part.rounds() > 0
    assert callable(import_module(part.module).begin)
