"""Plans of tournaments: refused, or their schedules can be made."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ggtp.arena.preparation import read_plan
from ggtp.bench.attack.fuzz.corpus import encoded
from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.catalogue import Catalogue
from ggtp.tournament.plan.plan import FORMATS, plan_from
from ggtp.tournament.schedule.schedule import Schedule, count_games

PLAN = """\
name = "evening"
format = "{format}"
blocks = 10
seed = 7
rounds = 3
[[player]]
name = "A"
engine = "Random"
[[player]]
name = "B"
engine = "Random"
restart = true
[player.options]
Threads = 1
[[player]]
name = "C"
engine = "Random"
[[player]]
name = "D"
engine = "Random"
[[rule]]
rule = "Nim"
[rule.options]
heaps = "3 4 5"
[[rule]]
rule = "TicTacToe"
start = [{{ name = "corner", moves = ["Cross A1", "Circle B2"] }}, {{ moves = ["Cross B2"] }}]
[time]
move = 1000
bank = 60000
increment = 100
margin = 50
[faults]
late = "loss"
exit = "void"
[adjudicate]
length = 200
resign_score = 5.0
"""


SHORT = """\
seed = 1
[[player]]
engine = "Random"
[[player]]
name = "R"
engine = "Random"
[[rule]]
rule = "Nim"
"""
SPRT = "[sprt]\nelo0 = 0\nelo1 = 10\nalpha = 0.05\n"


ROUNDS = 20
begin = fuzzing("plans")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """A plan of each format, and short ones."""
    formats = (PLAN.format(format=name) for name in FORMATS)
    return [*formats, SHORT, f"format = 'swiss'\nrounds = 2\n{SHORT}", f"{SHORT}{SPRT}"]


def reader(environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Reads plans as the command line does."""
    catalogue = Catalogue.from_environment(environ)
    catalogue.find_rules("Nim")
    folder = Path(tempfile.gettempdir())

    def read(text: str, _budget: Budget) -> str:
        path = folder / f"ggtp-fuzz-{os.getpid()}.toml"
        path.write_bytes(encoded(text))
        try:
            plan = read_plan(path, catalogue)
        finally:
            path.unlink()
        if plan_from(plan.data()) != plan:
            raise Wrong("lost", "the header of a journal would hold another plan")
        schedule = Schedule(plan if plan.seed is not None else replace(plan, seed=1))
        games = count_games(plan)
        begun = sum(1 for _ in islice(iter(schedule.next, None), 50))
        return f"{plan.format} {len(plan.players).bit_length()} {begun > 0} {games is None}"

    return read
