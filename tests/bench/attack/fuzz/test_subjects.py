"""Every subject has texts to begin with, and reads them."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz.subjects import SECONDS, SUBJECTS
from ggtp.bench.attack.fuzz.trial import attempt
from ggtp.bench.attack.parts import PARTS


@pytest.mark.parametrize("name", SUBJECTS)
def test_its_texts_are_read(name: str) -> None:
    subject = SUBJECTS[name]
    read = subject.reader(os.environ)
    outcomes = [attempt(read, text, SECONDS) for text in sorted(subject.seeds(os.environ), key=len)[:4]]
    assert [outcome for outcome in outcomes if outcome.kind is not None] == []
    assert any(outcome.shown.startswith("done") for outcome in outcomes)


@pytest.mark.parametrize("name", SUBJECTS)
def test_it_is_a_part_of_the_attack(name: str) -> None:
    assert PARTS[f"fuzz-{name}"].rounds() > 0
