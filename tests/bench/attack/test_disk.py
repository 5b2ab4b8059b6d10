"""Full disks and removed folders lose nothing, and what would be lost is found."""

from __future__ import annotations

import random

import pytest

from ggtp.bench.attack.disk import DiskAttack, begin
from ggtp.bench.attack.parts import Site, Skipped
from ggtp.bench.attack.program import Program, Said


@pytest.mark.process
@pytest.mark.slow
def test_nothing_is_lost_on_a_full_disk(site: Site) -> None:
    try:
        with begin(site) as attempt:
            attempt(0, random.Random(0))
    except Skipped as why:
        pytest.skip(str(why))
    assert site.tally.findings == []
    assert "not_full" not in site.tally.figures


@pytest.mark.process
@pytest.mark.slow
def test_nothing_is_lost_with_a_folder(site: Site) -> None:
    attack = DiskAttack(site, 2, random.Random(1))
    attack.try_(attack.removed_folder)
    assert site.tally.findings == []


@pytest.mark.process
@pytest.mark.slow
def test_what_is_lost_is_found(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    say = Program.say

    def lying(program: Program, line: str, seconds: float = 60.0) -> Said:
        return Said("= Done", ()) if line == "redo" or line.startswith("play Circle") else say(program, line, seconds)

    monkeypatch.setattr(Program, "say", lying)
    attack = DiskAttack(site, 2, random.Random(1))
    attack.try_(attack.removed_folder)
    assert site.tally.counts["lost"]
