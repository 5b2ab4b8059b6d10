"""Rules in VGDL, with a level behind them: whatever the text, it is refused, or it can be played."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from ggtp.bench.attack.fuzz.bundled import folder
from ggtp.bench.attack.fuzz.playing import play_at_random
from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.game.guard import guarded
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.world.rules import VideoRules

LEVEL = "\n=level=\n"
"""What stands between the rules and the level in one text."""
TURNS = 24


ROUNDS = 20
begin = fuzzing("vgdl")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """The video games of the project, each with its first level."""
    return [
        f"{path.read_text('utf-8')}{LEVEL}{level.read_text('utf-8')}"
        for path in sorted(folder("vgdl").glob("*.vgdl"))
        if (level := path.with_name(f"{path.stem}_lvl0.txt")).exists()
    ]


def reader(_environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Reads rules and a level, and plays some ticks."""
    return read


def read(text: str, budget: Budget) -> str:
    """Read rules and a level; returns how the game went."""
    game, _, level = text.partition(LEVEL)
    rules = guarded(VideoRules("fuzz", parse(game), "fuzz", lambda name: (level, name), 1))
    with budget.computing():
        return play_at_random(rules, {"delay": "0"}, random.Random(len(text)), TURNS)
