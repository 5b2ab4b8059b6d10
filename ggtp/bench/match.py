"""What benchmarks of tournaments have in common: an engine that plays itself without end, until it is enough."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ggtp.arena.pool import OnLost, OnNews, Players, Pool
from ggtp.arena.preparation import complete, prepare, settle_deals
from ggtp.arena.runner import RunnerListeners, open_runner
from ggtp.arena.supervision import MOST_CONCURRENCY
from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.tournament.plan.plan import MOST_GAMES, Plan, plan_from
from ggtp.tournament.results import Game
from ggtp.ui.console.arguments import whole_number
from ggtp.ui.console.environment import Environment

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Figures = TypeVar("Figures", bound="DataclassInstance")
"""What a benchmark has measured."""


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and how many games at once."""
    parser.add_argument(
        "--concurrency",
        type=whole_number(1, MOST_CONCURRENCY),
        default=2,
        metavar="N",
        help="games at once (default 2)",
    )
    parser.add_argument("--rule", default="TicTacToe", help="the game to play (default TicTacToe)")
    parser.add_argument("--engine", default="Random", help="who plays both sides (default Random)")


def match_plan(env: Environment, args: argparse.Namespace) -> Plan:
    """A match that does not end by itself.

    Raises:
        GgtpError: it can't be played.
    """
    catalogue = Catalogue.from_environment(env.variables)
    data = {
        "name": "bench",
        "blocks": MOST_GAMES,
        "format": "match",
        "seed": 0,
        "repeats": 0,
        "player": [{"name": name, "engine": args.engine} for name in "AB"],
        "rule": [{"rule": args.rule}],
    }
    return settle_deals(complete(plan_from(prepare(data, catalogue, Path.cwd())), catalogue), catalogue, env.variables)


def play_until(env: Environment, plan: Plan, concurrency: int, enough: Callable[[Game], bool]) -> None:
    """Play with all that belongs to a tournament, workers, engines and a journal, until a result is enough.

    Raises:
        GgtpError: it can't be played.
    """
    with tempfile.TemporaryDirectory(prefix="ggtp-bench-") as folder:

        def result(game: Game) -> None:
            if not runner.finishing and enough(game):
                runner.finish("enough")

        def players(on_news: OnNews, on_lost: OnLost) -> Players:
            return Pool(plan, concurrency, on_news, on_lost, env=env.variables)

        listeners = RunnerListeners(result=result)
        runner, journal = open_runner(plan, Path(folder) / "journal", listeners=listeners)
        try:
            asyncio.run(runner.run(players))
        finally:
            journal.close()


def measured(
    env: Environment,
    args: argparse.Namespace,
    measure: Callable[[Environment, argparse.Namespace], Figures],
    lines: Callable[[Figures], Sequence[str]],
) -> Figures | None:
    """Measure, and print lines or one line of JSON; None where that was refused."""
    try:
        figures = measure(env, args)
    except GgtpError as error:
        print(f"ggtp: {error}", file=env.stderr)
        return None
    for line in [json.dumps(asdict(figures))] if args.json else lines(figures):
        print(line, file=env.stdout)
    return figures
