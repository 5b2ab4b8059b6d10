"""`ggtp bench tournament`: how many games a second a tournament plays, with everything that belongs to one.

Games are given out, played by real engines in worker processes, journaled and on the disk before
they count. The engines are kept from game to game; what is measured begins when all have started.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass

from ggtp.arena.calibration import measure_jitter
from ggtp.bench.match import add_match_arguments, match_plan, measured, play_until
from ggtp.bench.processes import alive, cpu_seconds, descendants, resident_kib
from ggtp.tournament.plan.plan import MOST_GAMES
from ggtp.tournament.results import Game
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

WARM_UP_GAMES = 40
JITTER_SECONDS = 1.0


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
        enough = self._count(game)
        if enough:
            self.look()
        return enough

    def _count(self, game: Game) -> bool:
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
    add_match_arguments(parser)


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print lines or one line of JSON."""
    return ExitStatus.REFUSED if measured(env, args, measure, lines) is None else ExitStatus.DONE


def lines(figures: Figures) -> list[str]:
    """The figures for people."""
    return [
        f"{figures.games_per_s:.1f} games a second, {figures.concurrency} at once, "
        f"{figures.cpu_ms_per_game:.2f} ms of a processor for each",
        f"{figures.games} games in {figures.seconds:.1f} s, {figures.faults} faults, the referee late by "
        f"{figures.lag_ms:.1f} ms at most, {figures.memory_growth_kib} KiB more memory, "
        f"{figures.processes_left} processes left",
        f"waits end late by {figures.jitter_p50_ms:.2f} ms (half of them), {figures.jitter_p90_ms:.2f} ms (90 %), "
        f"{figures.jitter_p99_ms:.2f} ms (99 %) and {figures.jitter_worst_ms:.2f} ms at most: "
        f"{figures.smallest_clock_ms} ms is the smallest sound limit for a move",
    ]


def measure(env: Environment, args: argparse.Namespace) -> Figures:
    """Play a match and look at the clock.

    Raises:
        GgtpError: it can't be played.
    """
    plan = match_plan(env, args)
    measurement = _Measurement(args.seconds, args.games)
    jitter = measure_jitter(JITTER_SECONDS)
    play_until(env, plan, args.concurrency, measurement.result)
    games = max(0, measurement.games - WARM_UP_GAMES)
    duration = max(1e-9, measurement.ended - measurement.began)
    left = [pid for pid in measurement.seen if alive(pid)]
    return Figures(
        games_per_s=round(games / duration, 1),
        games=games,
        seconds=round(duration, 2),
        concurrency=args.concurrency,
        cpu_ms_per_game=round(1000 * max(0.0, measurement.cpu_ended - measurement.cpu_began) / max(1, games), 3),
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
