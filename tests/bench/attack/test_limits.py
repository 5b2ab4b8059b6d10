"""A program with little of everything answers, and what it shows is looked at."""

from __future__ import annotations

import random

import pytest

from ggtp.bench.attack.limits import LimitAttack, begin
from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.program import Program


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 2], ids=["descriptors", "files"])
def test_every_command_is_answered(site: Site, number: int) -> None:
    with begin(site) as attempt:
        attempt(number, random.Random(number))
    assert site.tally.findings == []
    assert site.tally.tried == 1


@pytest.mark.process
@pytest.mark.slow
def test_an_error_of_python_is_found(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "errors", "Traceback (most recent call last):")
    monkeypatch.setattr(LimitAttack, "_session", lambda attack, program: program.say("quit"))
    LimitAttack(site, 2, random.Random(1)).attempt(2)
    assert site.tally.counts["tracebacks"] == 1
