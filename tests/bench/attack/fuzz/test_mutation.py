"""Mutants differ from what they were made of, are bounded, and follow from the generator."""

from __future__ import annotations

import random

from ggtp.bench.attack.fuzz.mutation import CHANGES, MOST_CHARACTERS, bracketed, mutated

TEXT = "(role a)\n(<= (legal a ?m)\n    (true (f ?m 12)))\n"


def test_brackets_are_matched() -> None:

    text = "(a (b)) c)"
    assert [text[begin:end] for begin, end in bracketed(text)] == ["(b)", "(a (b))"]


def test_a_seed_makes_the_same_mutants() -> None:
    first, second = ([mutated(TEXT, random.Random(number), [TEXT]) for number in range(50)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 40


def test_every_change_works_on_every_text() -> None:
    rng = random.Random(1)
    for change in CHANGES:
        for text in ("", "\n", "x", TEXT, "((((", '{"a": [1, 2]}'):
            for _ in range(20):
                assert isinstance(change(text, rng, ["other (text)"]), str)


def test_mutants_are_bounded() -> None:
    rng = random.Random(2)
    text = TEXT
    for _ in range(300):
        text = mutated(text, rng, [TEXT]) or TEXT
        assert len(text) <= MOST_CHARACTERS
