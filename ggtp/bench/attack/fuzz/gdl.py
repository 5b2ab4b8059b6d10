"""Rules in GDL: whatever the text, it is refused, or it can be played by the interpreter."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from ggtp.bench.attack.fuzz.bundled import texts
from ggtp.bench.attack.fuzz.playing import play_at_random
from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.catalogue.gdl_rules import load_told
from ggtp.game.guard import guarded

MOST_CHARACTERS = 8000
"""Longer rules of the project are no seeds: a few mutants of theirs would take the time of hundreds of others."""
TURNS = 6


ROUNDS = 10
begin = fuzzing("gdl")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """The shorter rules of the project."""
    return texts("gdl", ".gdl", MOST_CHARACTERS)


def reader(_environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Reads rules and plays some turns."""
    return read


def read(text: str, budget: Budget) -> str:
    """Read rules; returns how the game went."""
    rules = guarded(load_told(text, "fuzz"))
    with budget.computing():
        return play_at_random(rules, {}, random.Random(len(text)), TURNS)
