"""`ggtp bench cluster`: how many random games MCTS plays on the workers of a Dask cluster, by their number.

Without an address it starts a scheduler and workers on this machine, one thread each. Each worker searches a tree of
its own, and the decision levels are merged, as in section 3.2.2 of the paper on Centurio, whose random games were
7.42 times as many on 8 nodes.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass

from ggtp.bench import scaling
from ggtp.bench.scaling import counts, tell
from ggtp.catalogue import Catalogue
from ggtp.kit.helpers.cluster import CONNECT_SECONDS, Cluster, local_cluster
from ggtp.kit.helpers.helper import Request
from ggtp.kit.helpers.team import TeamError
from ggtp.tournament.columns import columns
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

ENGINE = "MCTS"
WARMING = 60.0
"""Seconds in which workers must have read and compiled the rule."""
LATE = 5.0
"""Seconds after which an answer is not waited for."""
NOTE = """\
Trees are apart, so workers do not slow each other down, and games grow with their number as long as each has a core
of its own. What limits it further out: a move waits for the slowest worker, or does without it; each worker's decision
level goes through the scheduler, which takes the time in the last column and grows with the number of workers; and
workers find out the same things, so that twice the games are worth less than twice the time."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured with some workers; the fields are those of the JSON."""

    workers: int
    answers: int
    playouts: int
    speedup: float
    """Against one worker."""
    merging_ms: float
    """From the end of the search to the last answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    scaling.add_arguments(parser, "the game", "workers")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a cluster that is there, with the workers that it has")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: there is no such rule, no cluster, or no library for one.
    """
    progress = Progress(env.stderr)
    results: list[Result] = []
    try:
        if args.scheduler is not None:
            results.append(_measured(env, args, args.scheduler, None))
        else:
            for count in counts(args.workers or os.cpu_count() or 1):
                progress.say(f"{count} workers: {args.seconds:g} s")
                with local_cluster(count) as address:
                    first = results[0] if results else None
                    results.append(_measured(env, args, address, first))
    finally:
        progress.clear()
    return tell(env, args, results, [*report(results), NOTE])


def _measured(env: Environment, args: argparse.Namespace, address: str, first: Result | None) -> Result:
    catalogue = Catalogue.from_environment(env.variables)
    rules = catalogue.find_rules(args.rule)
    argv = list(catalogue.find_engine(ENGINE).command("-"))
    team = Cluster(argv[argv.index("-m") + 1], address)
    try:
        if not team.wait(CONNECT_SECONDS + LATE):
            raise TeamError(team.trouble)
        text = {"rule_text": " ".join(rules.text.split())} if rules.text is not None else {}
        options = {"rule": args.rule, **text, "Time": "0", "Solver": "off", "Reuse": "off", "Minimax": "0"}
        options["Foresight"] = "off"  # its code may come late to some of the workers
        request: Request = {"options": options, "history": [], "seconds": 0.1}
        # Once for all that is done once; a rule that is still being compiled is searched position by position.
        until = time.monotonic() + WARMING
        while True:
            team.ask({**request, "seconds": 1.0})
            found = team.answers(until)
            rates = [told["playouts"] for told in found if "playouts" in told]
            if time.monotonic() >= until or rules.text is None or (rates and min(rates) > 1_000):
                break
        began = time.monotonic()
        team.ask({**request, "seconds": args.seconds})
        found = team.answers(began + args.seconds + LATE)
        over = time.monotonic() - began - args.seconds
        workers = len(team.workers)
    finally:
        team.close()
    playouts = sum(int(told.get("playouts", 0)) for told in found)
    alone = playouts if first is None else first.playouts
    return Result(workers, len(found), playouts, round(playouts / max(1, alone), 3), round(1000 * over, 1))


def report(results: list[Result]) -> list[str]:
    """The results for people."""
    heads = ("workers", "answers", "playouts", "speed-up", "merging")
    rows = [
        (f"{row.workers}", f"{row.answers}", f"{row.playouts:,}", f"{row.speedup:.2f}", f"{row.merging_ms:.0f} ms")
        for row in results
    ]
    return columns([heads, *rows])
