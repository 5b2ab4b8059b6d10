"""`ggtp bench centurio`: Table 1 of the paper on Centurio, on our own versions of its games.

The paper counts the random games that its player has done when a start clock of 30 s is over, reading and compiling
the rules included. So does this: the clock begins with the text, and the search is that of the engine MCTS, without
proofs, which would end it in small games, without minimax before it, as random games are what is counted, and without
foresight in them, which the paper's have not. A game that ends within the tree counts as one, as it does there. Seconds
are those of our own processor time, so that other programs on a busy machine take nothing from them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from dataclasses import asdict, dataclass
from typing import NamedTuple

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, Limits
from ggtp.errors import CommandError
from ggtp.gdl.play.rules import GdlRules
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

SLICE = 0.5
"""Seconds between two looks at whether a better kernel is there."""


class Row(NamedTuple):
    """A row of the paper: the game, our rule for it, and what the faster of its two players reached."""

    game: str
    rule: str
    paper: int


TABLE = (
    Row("Tic Tac Toe", "gdl/tictactoe", 10_611),
    Row("Connect 4", "gdl/connectfour", 12_057),
    Row("Checkers", "gdl/checkers", 2_659),
    Row("Skirmish", "gdl/skirmish", 312),
    Row("Blobwars", "gdl/blobwars", 85),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured; the fields are those of the JSON."""

    game: str
    paper: int
    ours: int
    factor: float


class Clock:
    """Processor time since now, our children's included; of several threads, the part of one."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._began = 0.0
        self._began = self.time()

    def time(self) -> float:
        """Seconds."""
        used = os.times()
        return sum(used[:4]) / self._threads - self._began


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--seconds", type=seconds, default=30.0, help="the start clock (default 30)")
    parser.add_argument("--threads", type=whole_number(1, 1024), default=1, help="threads that search (default 1)")
    parser.add_argument(
        "--game", choices=[row.game for row in TABLE], action="append", help="only this game; may be given again"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: a game is missing, or can't be compiled.
    """
    progress = Progress(env.stderr)
    results = []
    try:
        for row in TABLE:
            if args.game is None or row.game in args.game:
                progress.say(f"{row.game}: {args.seconds:g} s")
                results.append(_measured(env, row, args.seconds, args.threads))
    finally:
        progress.clear()
    if args.json:
        env.stdout.write(json.dumps([asdict(result) for result in results]) + "\n")
    else:
        env.stdout.write("\n".join(report(results)) + "\n")
    return ExitStatus.DONE


def _measured(env: Environment, row: Row, how_long: float, threads: int) -> Result:
    rules = Catalogue.from_environment(env.variables).find_rules(row.rule)
    if not isinstance(rules, GdlRules) or rules.text is None:
        raise CommandError(f"{rules.name} is not in the Game Description Language.")
    text = rules.text
    clock = Clock(threads)
    compiled = Compiler.from_environment(env.variables).compile(text, Limits(seconds=max(1.0, how_long)))
    # They load libraries that only the compiler needs.
    from ggtp.gdl.kernel.single import pack
    from ggtp.search.mcts.compiled.maker import SearchMaker
    from ggtp.search.mcts.options import Settings

    game = compiled.game
    settings = Settings(seconds=None, solver=False, minimax=0.0, foresight=False, threads=threads)
    maker = SearchMaker(lambda should_stop: game, settings, random.Random(1))
    games = 0
    maker.search(None)
    while (now := clock.time()) < how_long:
        search = maker.search()
        if search is None:
            break
        search.begin(pack(game.network, game.network.initial))
        until = min(now + SLICE, how_long)
        search.run(lambda until=until: clock.time() >= until)  # type: ignore[misc]  # it is called at once
        games += search.games
    maker.stop()
    return Result(row.game, row.paper, games, float(f"{games / row.paper:.4g}"))


def report(results: list[Result]) -> list[str]:
    """The results for people."""
    rows = [(row.game, f"{row.paper:,}", f"{row.ours:,}", f"{row.factor:,.0f}") for row in results]
    return columns([("", "paper", "ours", "factor"), *rows])
