"""`ggtp bench search`: how many positions minimax makes in a second, by each way to search a rule, on one core.

Rates are per second of our own processor time, so that other programs on a busy machine take
nothing from them.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, Limits
from ggtp.errors import CommandError, NotCompiled
from ggtp.game import Player, Rules, advice
from ggtp.gdl.play.rules import GdlRules
from ggtp.search.minimax.plan import Finding, Plan, View
from ggtp.search.minimax.root import PositionMinimax
from ggtp.search.minimax.walk import partial_goals
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

DEFAULT_RULES = ("gdl/breakthrough", "gdl/connectfour", "gdl/checkers", "ConnectFour")
COMPILED, INTERPRETED, FAST, POSITIONS = "compiled", "interpreted", "fast path", "positions"

Way = Callable[[Callable[[], bool], Callable[[], float]], list[Finding]]
"""Searches from the first position, again and again, until it is told to stop."""


@dataclass(slots=True)
class Speed:
    """What one way to search a rule does."""

    nodes_per_s: float
    nodes: int
    depth: int
    """The deepest level that was finished."""
    solved: bool


@dataclass(slots=True)
class Result:
    """What was measured of a rule; the fields are those of the JSON."""

    rule: str
    seconds: float
    ways: dict[str, Speed] = field(default_factory=dict)
    ratio: float | None = None
    """How many times faster the compiled rule is searched than the interpreted one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument(
        "rules", nargs="*", metavar="RULE|FILE", help=f"what to search (default {', '.join(DEFAULT_RULES)})"
    )
    parser.add_argument("--seconds", type=seconds, default=3.0, help="how long each way searches (default 3)")
    parser.add_argument(
        "--memory", type=whole_number(1, 1 << 20), default=256, metavar="MIB", help="for the cache (default 256)"
    )
    parser.add_argument(
        "--time", type=seconds, default=120.0, metavar="SECONDS", help="what compiling may take (default 120)"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: there are no such rules, or minimax can't play them.
    """
    catalogue = Catalogue.from_environment(env.variables)
    found = [catalogue.find_rules(name) for name in args.rules or DEFAULT_RULES]
    for rules in found:
        if rules.traits.hidden or rules.traits.race:
            raise CommandError(f"{rules.name} has secrets or races, and minimax can't search it.")
    compiler = Compiler.from_environment(env.variables)
    progress = Progress(env.stderr)
    results = []
    try:
        for rules in found:
            results.append(_measure(rules, args, compiler, progress.say))
    finally:
        progress.clear()
    if args.json:
        print(json.dumps([asdict(result) for result in results]), file=env.stdout)
    else:
        print("\n".join(line for result in results for line in report(result)), file=env.stdout)
    return ExitStatus.DONE


def _measure(rules: Rules, args: argparse.Namespace, compiler: Compiler, say: Callable[[str], None]) -> Result:
    result = Result(rules.name, args.seconds)
    bytes_kept = args.memory << 20
    ways: dict[str, Callable[[], Way]] = {}
    if isinstance(rules, GdlRules):
        say(f"compiling {rules.name}")
        ways[COMPILED] = lambda: _compiled(rules, compiler, args.time, bytes_kept, say)
        ways[INTERPRETED] = lambda: _over_positions(rules, bytes_kept, fast=False)
    else:
        if advice.searcher(rules.start()) is not None:
            ways[FAST] = lambda: _over_positions(rules, bytes_kept, fast=True)
        ways[POSITIONS] = lambda: _over_positions(rules, bytes_kept, fast=False)
    for name, make in ways.items():
        try:
            way = make()
        except NotCompiled as error:
            say(str(error))
            continue
        say(f"searching {rules.name}, {name}")
        result.ways[name] = measure(way, args.seconds)
    if COMPILED in result.ways and INTERPRETED in result.ways:
        result.ratio = _rounded(result.ways[COMPILED].nodes_per_s / result.ways[INTERPRETED].nodes_per_s)
    return result


def measure(way: Way, how_long: float) -> Speed:
    """Search for so long, and say how fast it was."""
    until = time.perf_counter() + how_long
    began = time.thread_time()
    found = way(lambda: time.perf_counter() >= until, lambda: until - time.perf_counter())
    elapsed = max(time.thread_time() - began, 1e-9)
    nodes = sum(finding.nodes for finding in found)
    return Speed(
        _rounded(nodes / elapsed),
        nodes,
        max(finding.depth for finding in found),
        any(finding.solved for finding in found),
    )


def plan_for(rules: Rules) -> tuple[Plan, tuple[Player, ...]]:
    """How the engine would search, and for whom."""
    players = rules.players(rules.complete({}))
    if len(players) == 1:
        return Plan(view=View.ALONE), players
    opposed = len(players) == 2 and rules.traits.zero_sum
    return Plan(view=View.OPPOSED if opposed else View.SELFISH), players


def _over_positions(rules: Rules, bytes_kept: int, *, fast: bool) -> Way:
    plan, players = plan_for(rules)
    goals = partial_goals if isinstance(rules, GdlRules) else None

    def way(should_stop: Callable[[], bool], left: Callable[[], float]) -> list[Finding]:
        found: list[Finding] = []
        while not found or not should_stop():
            first = rules.start()
            minimax = PositionMinimax(first, players, players[0], plan, bytes_kept, goals, fast=fast)
            found.append(minimax.search(first, [], should_stop, lambda finding: None))
        return found

    return way


def _compiled(
    rules: GdlRules, compiler: Compiler, limit: float, bytes_kept: int, say: Callable[[str], None]
) -> Way:  # fmt: skip
    game = compiler.compile(rules.text or "", Limits(limit), progress=say).game
    # Only now, since it needs the libraries of the compiler.
    from ggtp.search.minimax.compiled import CompiledMinimax, SearchCode

    code = SearchCode(game)
    plan, _ = plan_for(rules)

    def way(should_stop: Callable[[], bool], left: Callable[[], float]) -> list[Finding]:
        found: list[Finding] = []
        while not found or not should_stop():
            minimax = CompiledMinimax(code, 0, plan, bytes_kept)
            timer = threading.Timer(max(0.0, left()), minimax.stop)
            timer.daemon = True
            timer.start()
            found.append(minimax.search(minimax.first, [], should_stop, lambda finding: None))
            timer.cancel()
        return found

    return way


def report(result: Result) -> list[str]:
    """The result for people."""
    rows = [(result.rule, "nodes/s", "nodes", "depth", "")]
    for name, speed in result.ways.items():
        solved = "solved" if speed.solved else ""
        rows.append((f"  {name}", f"{speed.nodes_per_s:,.0f}", f"{speed.nodes:,}", f"{speed.depth}", solved))
    lines = columns(rows)
    if result.ratio is not None:
        lines.append(f"  {result.ratio:,.0f} times as fast compiled as interpreted")
    return lines


def _rounded(value: float) -> float:
    """Five digits: more are noise."""
    return float(f"{value:.5g}")
