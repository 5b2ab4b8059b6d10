"""A round has a child read mutants; what goes wrong in it, and its end, are findings."""

from __future__ import annotations

import os
import random
import sys
from types import ModuleType

import pytest

from ggtp.bench.attack.fuzz import rounds
from ggtp.bench.attack.fuzz.subjects import SUBJECTS, Subject
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.bench.attack.parts import Site


def read(text: str, _budget: Budget) -> str:
    """Reads what ends in as many ways as a text can."""
    if "wrong" in text:
        raise Wrong("lost", "it is gone")
    if "exit" in text:
        os._exit(7)
    return text


@pytest.fixture(autouse=True)
def subject(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("ggtp.bench.attack.fuzz.fake")
    module.seeds = lambda _environ: ["one", "wrong", "exit", "four", "wrong too"]  # type: ignore[attr-defined]
    module.reader = lambda _environ: read  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(SUBJECTS, "fake", Subject("fake", "", "fake"))
    monkeypatch.setattr(rounds, "alone", lambda: True)  # a copy knows the fake


@pytest.mark.process
def test_findings_are_told_once_and_the_rest_is_read_when_a_child_ends(site: Site) -> None:
    with rounds.fuzzing("fake")(site) as attempt:
        attempt(0, random.Random(0))
    assert site.tally.counts == {"lost": 1, "tracebacks": 1}
    assert site.tally.findings[0].what.startswith("it is gone: /")
    assert "with status 7 at " in site.tally.findings[1].what
    assert site.tally.tried == 5
    assert site.tally.figures["known_findings"] == 1
    assert site.tally.figures["corpus"] == 5 + 3


@pytest.mark.process
def test_mutants_follow_from_the_generator(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "TEXTS", 5)
    monkeypatch.setattr(rounds, "mutated", lambda text, rng, others: f"{len(others)} {rng.random()}")
    with rounds.fuzzing("fake")(site) as attempt:
        attempt(1, random.Random(1))
    assert site.tally.tried == 5
    assert site.tally.figures["fresh"] == 5
