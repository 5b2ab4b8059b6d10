"""`ggtp bench threads`: how many random games MCTS plays in a second, by the number of threads that share its tree.

Threads search one tree without locks, and the interpreter's lock is free meanwhile. On a busy machine the clock on the
wall says little about that: so the speed-up is that of a second in which every thread has a core for itself, counted in
processor time, and beside it stands how many cores the threads really had.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggtp.bench import scaling
from ggtp.bench.centurio import Clock
from ggtp.bench.scaling import counts, tell
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.errors import CommandError
from ggtp.gdl.play.rules import GdlRules
from ggtp.tournament.columns import columns
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame

WARMING = 0.2
"""Seconds before the clock starts: memory that was never touched is slow."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured with some threads; the fields are those of the JSON."""

    threads: int
    playouts: int
    playouts_per_s: float
    """In a second in which every thread has a core for itself."""
    speedup: float
    """Against one thread."""
    cores: float
    """How many there really were, on average."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    scaling.add_arguments(parser, "the game, in GDL", "threads")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: there is no such rule, or it can't be compiled.
    """
    rules = Catalogue.from_environment(env.variables).find_rules(args.rule)
    if not isinstance(rules, GdlRules) or rules.text is None:
        raise CommandError(f"{rules.name} is not in the Game Description Language.")
    game = Compiler.from_environment(env.variables).compile(rules.text).game
    progress = Progress(env.stderr)
    results: list[Result] = []
    try:
        for count in counts(args.threads or os.cpu_count() or 1):
            progress.say(f"{count} threads: {args.seconds:g} s")
            results.append(_measured(game, count, args.seconds, results[0] if results else None))
    finally:
        progress.clear()
    return tell(env, args, results, report(results))


def _measured(game: CompiledGame, threads: int, how_long: float, first: Result | None) -> Result:
    # They load libraries that only the compiler needs.
    from ggtp.gdl.kernel.single import pack
    from ggtp.search.mcts.compiled.search import CompiledSearch
    from ggtp.search.mcts.options import Settings

    settings = Settings(seconds=None, solver=False, minimax=0.0, threads=threads)
    search = CompiledSearch(game, settings, random.Random(1))
    start = pack(game.network, game.network.initial)
    for lasts in (WARMING, how_long):
        search.begin(start)
        clock, began = Clock(threads), time.monotonic()
        search.run(lambda clock=clock, lasts=lasts: clock.time() >= lasts)  # type: ignore[misc]  # called at once
        used, passed = max(clock.time(), 1e-9), max(time.monotonic() - began, 1e-9)
    rate = search.playouts / used
    alone = rate if first is None else first.playouts_per_s
    return Result(
        threads, search.playouts, round(rate), round(rate / max(1.0, alone), 3), round(threads * used / passed, 2)
    )


def report(results: list[Result]) -> list[str]:
    """The results for people."""
    heads = ("threads", "playouts", "playouts/s", "speed-up", "cores")
    rows = [
        (f"{row.threads}", f"{row.playouts:,}", f"{row.playouts_per_s:,.0f}", f"{row.speedup:.2f}", f"{row.cores:.2f}")
        for row in results
    ]
    return columns([heads, *rows])
