"""`ggtp bench tournament`: how many games a second a tournament plays, with everything that belongs to one.

Games are given out, played by real engines in worker processes, journaled and on the disk before
they count. The engines are kept from game to game; what is measured begins when all have started.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ggtp.catalogue import Catalogue
from ggtp.driver.calibration import measure_jitter
from ggtp.driver.pool import OnLost, OnMessage, Players, Pool
from ggtp.driver.preparation import complete, prepare
from ggtp.driver.runner import open_runner
from ggtp.errors import GgtpError
from ggtp.tournament.plan import MOST_GAMES, Plan, plan_from
from ggtp.tournament.results import Game
from ggtp.ui.arguments import seconds, whole_number
from ggtp.ui.environment import Environment, ExitStatus
from ggtp.ui.processes import alive, cpu_seconds, descendants, resident_kib

WARM_UP_GAMES = 40
JITTER_SECONDS = 1.0
MOST_CONCURRENCY = 1024


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured."""

    games_per_s: float
    games: int
    seconds: float
    concurrency: int
    cpu_ms_per_game: float
    """Of the program, its workers and their engines together: what a machine with nothing else to do would need."""
    faults: int
    lag_ms: float
    """The referee's greatest lateness in any game."""
    memory_growth_kib: int
    """How much the program and its workers grew together, from a tenth of the games on."""
    processes_left: int
    jitter_p50_ms: float
    """How late waits ended before the games began: half of them at most by this."""
    jitter_p90_ms: float
    jitter_p99_ms: float
    jitter_worst_ms: float
    smallest_clock_ms: int
    """The smallest sound limit for a move on this machine."""


class _Measurement:
    """Looks at every result, and says when it is enough."""

    def __init__(self, limit_seconds: float, limit_games: int) -> None:
        self.games = self.faults = 0
        self.began = self.ended = 0.0
        self.lag = self.cpu_began = self.cpu_ended = 0.0
        self.first = self.last = 0
        self.seen: set[int] = set()
        self._others = descendants(os.getpid())
        """Who was below us before, and is none of the benchmark's."""
        self._limit_seconds = limit_seconds
        self._limit_games = limit_games

    def result(self, game: Game) -> bool:
        """One more; whether it is enough."""
        self.games += 1
        self.faults += len(game.faults)
        if self.games <= WARM_UP_GAMES:
            if self.games == WARM_UP_GAMES:
                self.cpu_began = cpu_seconds({os.getpid(), *descendants(os.getpid())} - self._others)
            self.began = time.monotonic()
            return False
        self.lag = max(self.lag, game.lag_ms)
        self.ended = time.monotonic()
        measured = self.games - WARM_UP_GAMES
        if self._limit_games:
            if measured == max(1, self._limit_games // 10):
                self.look()
            return measured >= self._limit_games
        if not self.first and self.ended - self.began > self._limit_seconds / 10:
            self.look()
        return self.ended - self.began >= self._limit_seconds

    def look(self) -> None:
        """Add up the memory of ourselves and of everybody below us who is a Python process of the house."""
        family = descendants(os.getpid()) - self._others
        self.seen |= family
        total = sum(resident_kib(pid) for pid in {os.getpid(), *family})
        self.cpu_ended = cpu_seconds({os.getpid(), *family})
        self.first, self.last = self.first or total, total


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--seconds", type=seconds, default=5.0, help="how long to play (default 5)")
    parser.add_argument("--games", type=whole_number(1, MOST_GAMES), default=0, help="play this many games instead")
    parser.add_argument(
        "--concurrency",
        type=whole_number(1, MOST_CONCURRENCY),
        default=2,
        metavar="N",
        help="games at once (default 2)",
    )
    parser.add_argument("--rule", default="TicTacToe", help="the game to play (default TicTacToe)")
    parser.add_argument("--engine", default="Random", help="who plays both sides (default Random)")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print lines or one line of JSON."""
    try:
        figures = measure(env, args)
    except GgtpError as error:
        print(f"ggtp: {error}", file=env.stderr)
        return ExitStatus.REFUSED
    if args.json:
        print(json.dumps(asdict(figures)), file=env.stdout)
        return ExitStatus.DONE
    print(
        f"{figures.games_per_s:.1f} games a second, {figures.concurrency} at once, "
        f"{figures.cpu_ms_per_game:.2f} ms of a processor for each",
        file=env.stdout,
    )
    print(
        f"{figures.games} games in {figures.seconds:.1f} s, {figures.faults} faults, the referee late by "
        f"{figures.lag_ms:.1f} ms at most, {figures.memory_growth_kib} KiB more memory, "
        f"{figures.processes_left} processes left",
        file=env.stdout,
    )
    print(
        f"waits end late by {figures.jitter_p50_ms:.2f} ms (half of them), {figures.jitter_p90_ms:.2f} ms (90 %), "
        f"{figures.jitter_p99_ms:.2f} ms (99 %) and {figures.jitter_worst_ms:.2f} ms at most: "
        f"{figures.smallest_clock_ms} ms is the smallest sound limit for a move",
        file=env.stdout,
    )
    return ExitStatus.DONE


def measure(env: Environment, args: argparse.Namespace) -> Figures:
    """Play a match and look at the clock.

    Raises:
        GgtpError: it can't be played.
    """
    catalogue = Catalogue.from_environment(env.variables)
    data = {
        "name": "bench",
        "blocks": MOST_GAMES,
        "format": "match",
        "player": [{"name": "A", "engine": args.engine}, {"name": "B", "engine": args.engine}],
        "rule": [{"rule": args.rule}],
    }
    plan = complete(plan_from(prepare(data, catalogue, Path.cwd())), catalogue)
    measurement = _Measurement(args.seconds, args.games)
    jitter = measure_jitter(JITTER_SECONDS)
    with tempfile.TemporaryDirectory(prefix="ggtp-bench-") as folder:
        _play(env, plan, args.concurrency, Path(folder) / "journal", measurement)
    measured = max(0, measurement.games - WARM_UP_GAMES)
    duration = max(1e-9, measurement.ended - measurement.began)
    left = [pid for pid in measurement.seen if alive(pid)]
    return Figures(
        games_per_s=round(measured / duration, 1),
        games=measured,
        seconds=round(duration, 2),
        concurrency=args.concurrency,
        cpu_ms_per_game=round(1000 * max(0.0, measurement.cpu_ended - measurement.cpu_began) / max(1, measured), 3),
        faults=measurement.faults,
        lag_ms=round(measurement.lag, 2),
        memory_growth_kib=measurement.last - measurement.first,
        processes_left=len(left),
        jitter_p50_ms=jitter.p50_ms,
        jitter_p90_ms=jitter.p90_ms,
        jitter_p99_ms=jitter.p99_ms,
        jitter_worst_ms=jitter.worst_ms,
        smallest_clock_ms=jitter.smallest_clock_ms,
    )


def _play(env: Environment, plan: Plan, concurrency: int, path: Path, measurement: _Measurement) -> None:
    runner, journal = open_runner(plan, path)

    def result(game: Game) -> None:
        if not runner.finishing and measurement.result(game):
            measurement.look()
            runner.finish("enough")

    def players(on_message: OnMessage, on_lost: OnLost) -> Players:
        return Pool(plan, concurrency, on_message, on_lost, env=env.variables)

    runner.on_result = result
    try:
        asyncio.run(runner.run(players))
    finally:
        journal.close()
