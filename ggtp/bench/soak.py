"""`ggtp bench soak`: many tiny games in one run, and whether anything grows, slows down or is left over.

A match is played as `ggtp tournament` plays it, with workers, engines that stay and a journal. On the
way the memory and the open files of everybody who takes part are looked at; the slope of each is that
of a straight line through what was seen after the first tenth of the games.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ggtp.bench.match import add_match_arguments, match_plan, measured, play_until
from ggtp.bench.processes import alive, born, descendants, ended, open_files, resident_kib
from ggtp.tournament.plan.plan import MOST_GAMES
from ggtp.tournament.results import Game
from ggtp.ui.console.arguments import whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

LOOKS = 100
"""How often everybody is looked at."""
SOME_GAMES = 1000
"""With fewer games than this engines are still being started when the first look is taken."""
MANY_GAMES = 10_000
"""With fewer games than this a slope of memory says little: caches are still being filled."""
MOST_KIB = 32.0
"""How many KiB of memory a thousand games may leave behind, where there are many."""

WATCHDOG_FILES = 1
"""The line to whoever sees to our engines when we are killed: it stays open until we end."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was there after so many games."""

    games: int
    memory_kib: int
    files: int
    zombies: int
    """Processes that have ended and were not seen to."""
    at: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it."""

    games: int
    seconds: float
    games_per_s: float
    games_per_s_first: float
    """In the first tenth of the games that were looked at."""
    games_per_s_last: float
    concurrency: int
    faults: int
    memory_first_kib: int
    memory_last_kib: int
    memory_kib_per_1000_games: float
    files_first: int
    files_last: int
    files_left: int
    """Files that this program has open afterwards and had not before."""
    processes_seen: int
    processes_left: int
    zombies: int
    """The most at one look: one may just have ended, more are a leak."""
    complaints: tuple[str, ...]
    """What should not be so; empty where all is well."""


class Watch:
    """Looks now and then, and knows who was there."""

    def __init__(self, games: int) -> None:
        self.looks: list[Look] = []
        self.games = self.faults = 0
        self.seen: dict[int, float] = {}
        """Everybody who took part, and when each was born."""
        self._every = max(1, games // LOOKS)
        self._wanted = games
        self._others = descendants(os.getpid())
        self._files = open_files(os.getpid())

    def result(self, game: Game) -> bool:
        """One more game; whether it is enough."""
        self.games += 1
        self.faults += len(game.faults)
        if self.games % self._every == 0:
            self.look()
        return self.games >= self._wanted

    def look(self) -> None:
        """Add up what everybody uses now."""
        family = {os.getpid(), *descendants(os.getpid())} - self._others
        self.seen |= {pid: born(pid) for pid in family if pid not in self.seen}
        self.looks.append(
            Look(
                self.games,
                sum(map(resident_kib, family)),
                sum(map(open_files, family)),
                sum(map(ended, family)),
                time.monotonic(),
            )
        )

    def figures(self, concurrency: int, began: float) -> Figures:
        """What it comes to, when all is over."""
        left = [pid for pid, birth in self.seen.items() if pid != os.getpid() and born(pid) == birth and alive(pid)]
        looks = self.looks
        steady = [look for look in looks if look.games * 10 >= self.games] or looks
        seconds = max(1e-9, (looks[-1].at if looks else time.monotonic()) - began)
        slope = 1000 * steepness([(look.games, look.memory_kib) for look in steady])
        part = max(2, len(looks) // 10 + 1)
        files_left = max(0, open_files(os.getpid()) - self._files - WATCHDOG_FILES)
        zombies = max((look.zombies for look in looks), default=0)
        return Figures(
            games=self.games,
            seconds=round(seconds, 2),
            games_per_s=round(self.games / seconds, 1),
            games_per_s_first=_rate(looks[:part]),
            games_per_s_last=_rate(looks[-part:]),
            concurrency=concurrency,
            faults=self.faults,
            memory_first_kib=steady[0].memory_kib if steady else 0,
            memory_last_kib=steady[-1].memory_kib if steady else 0,
            memory_kib_per_1000_games=round(slope, 3),
            files_first=steady[0].files if steady else 0,
            files_last=steady[-1].files if steady else 0,
            files_left=files_left,
            processes_seen=len(self.seen),
            processes_left=len(left),
            zombies=zombies,
            complaints=complaints(steady, slope, self.faults, files_left, len(left), zombies, concurrency),
        )


def complaints(
    looks: Sequence[Look], slope: float, faults: int, files_left: int, left: int, zombies: int, concurrency: int
) -> tuple[str, ...]:
    """What should not be so, a sentence each."""
    found = []
    if faults:
        found.append(f"{faults} faults.")
    if looks and looks[-1].games >= MANY_GAMES and slope > MOST_KIB:
        found.append(f"Memory grows by {slope:.1f} KiB in 1000 games.")
    # A worker may have a file open at one look and not at another, but not the more games, the more files.
    if looks and looks[-1].games >= SOME_GAMES and looks[-1].files > looks[0].files + 4 * concurrency:
        found.append(f"{looks[-1].files - looks[0].files} more files are open than at the beginning.")
    if files_left:
        found.append(f"{files_left} files are still open.")
    if left:
        found.append(f"{left} processes are left.")
    if zombies > 2 * concurrency:
        found.append(f"{zombies} processes had ended and were not seen to.")
    return tuple(found)


def steepness(points: Sequence[tuple[float, float]]) -> float:
    """How much the second grows with the first, by least squares; 0 for fewer than two points."""
    if len(points) < 2:
        return 0.0
    middle = sum(x for x, _ in points) / len(points)
    level = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * (y - level) for x, y in points) / spread if spread else 0.0


def _rate(looks: Sequence[Look]) -> float:
    if len(looks) < 2:
        return 0.0
    return round((looks[-1].games - looks[0].games) / max(1e-9, looks[-1].at - looks[0].at), 1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument(
        "--games", type=whole_number(1, MOST_GAMES), default=10_000, help="how many games to play (default 10000)"
    )
    add_match_arguments(parser)


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play, and print lines or one line of JSON; refused where there is anything to complain of."""
    figures = measured(env, args, measure, lines)
    return ExitStatus.REFUSED if figures is None or figures.complaints else ExitStatus.DONE


def lines(figures: Figures) -> list[str]:
    """The figures for people."""
    return [
        f"{figures.games} games in {figures.seconds:.1f} s, {figures.concurrency} at once: {figures.games_per_s:.1f} a "
        f"second, {figures.games_per_s_first:.1f} at first and {figures.games_per_s_last:.1f} at last",
        f"memory {figures.memory_first_kib} KiB after a tenth of them and {figures.memory_last_kib} KiB at the end: "
        f"{figures.memory_kib_per_1000_games:.2f} KiB for 1000 games, by all looks",
        f"{figures.files_first} files open then and {figures.files_last} at the end, {figures.files_left} left; "
        f"{figures.processes_seen} processes took part, {figures.processes_left} are left",
        *figures.complaints,
    ]


def measure(env: Environment, args: argparse.Namespace) -> Figures:
    """Play, and look on.

    Raises:
        GgtpError: it can't be played.
    """
    plan = match_plan(env, args)
    watch = Watch(args.games)
    began = time.monotonic()
    play_until(env, plan, args.concurrency, watch.result)
    return watch.figures(args.concurrency, began)
