"""`ggtp bench referee`: how fast real engines play through the referee, over each transport."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.catalogue.engine_file import Transport
from ggtp.driver.driver import Driver
from ggtp.errors import GgtpError
from ggtp.game import Picture
from ggtp.ui.environment import Environment, ExitStatus
from ggtp.ui.table import new_driver

TRANSPORTS: tuple[Transport, ...] = ("zmq", "tcp", "stdio")
ROUND_TRIPS = 2000


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured over one transport."""

    moves_per_s: float
    games_per_s: float
    round_trip_us: float
    """A question to an engine and its answer, through the whole referee."""
    moves: int
    memory_growth_kib: int
    """How much the referee's resident memory grew from the first games to the last."""


class _Quiet:
    """A screen that remembers only what was refused."""

    def __init__(self) -> None:
        self.refused: list[str] = []

    def respond(self, text: str) -> None:
        if text.startswith("?"):
            self.refused.append(text)

    def inform(self, text: str) -> None:
        if text.startswith("Fault"):
            self.refused.append(text)

    def draw(self, picture: Picture) -> None:
        pass


class _OverTransport(Catalogue):
    """The usual catalogue, but every engine talks over one transport."""

    transport: Transport = "zmq"

    def find_engine(self, name_or_path: str) -> EngineSpec:
        return replace(super().find_engine(name_or_path), transport=self.transport)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to play over each transport (default 3)")
    parser.add_argument("--moves", type=int, default=0, help="play this many moves instead")
    parser.add_argument("--rule", default="TicTacToe", help="the game to play (default TicTacToe)")
    parser.add_argument("--engine", default="Random", help="who plays all players (default Random)")
    parser.add_argument(
        "--transport", choices=TRANSPORTS, action="append", help="only this transport; may be given again"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON."""
    results: dict[str, Figures] = {}
    for transport in args.transport or TRANSPORTS:
        try:
            results[transport] = asyncio.run(_measure(env, transport, args))
        except GgtpError as error:
            print(f"ggtp: {transport}: {error}", file=env.stderr)
            return ExitStatus.REFUSED
        if not args.json:
            _print_row(env, transport, results[transport], first=len(results) == 1)
    if args.json:
        print(json.dumps({name: asdict(figures) for name, figures in results.items()}), file=env.stdout)
    return ExitStatus.DONE


def _print_row(env: Environment, transport: str, figures: Figures, *, first: bool) -> None:
    if first:
        print(f"{'':8}{'moves/s':>10}{'games/s':>10}{'round trip':>14}{'moves':>10}{'memory':>12}", file=env.stdout)
    print(
        f"{transport:8}{figures.moves_per_s:>10,.0f}{figures.games_per_s:>10,.0f}"
        f"{figures.round_trip_us:>11,.0f} µs{figures.moves:>10,}{figures.memory_growth_kib:>+8,} KiB",
        file=env.stdout,
        flush=True,
    )


async def _measure(env: Environment, transport: Transport, args: argparse.Namespace) -> Figures:
    screen = _Quiet()
    catalogue = _OverTransport.from_environment(env.variables)
    catalogue.transport = transport
    driver = new_driver(env, screen, seed=1, catalogue=catalogue)
    try:
        await _say(
            driver,
            screen,
            "set_option show_when_play off",
            "set_option show_results off",
            "set_option keep_plays off",
            f"set_rule {args.rule}",
        )
        for player in driver.referee.desk.play.players:
            await _say(driver, screen, f"set_engine {player} {args.engine}")
        await _games(driver, screen, until=time.monotonic() + 0.3)
        memory = _resident_kib()
        began = time.perf_counter()
        if args.moves:
            moves, games = await _games(driver, screen, moves=args.moves)
        else:
            moves, games = await _games(driver, screen, until=time.monotonic() + args.seconds)
        seconds = time.perf_counter() - began
        growth = _resident_kib() - memory
        trip = await _round_trip(driver, screen, min(ROUND_TRIPS, moves))
        return Figures(round(moves / seconds, 1), round(games / seconds, 1), round(trip * 1e6, 1), moves, growth)
    finally:
        await driver.close()


async def _say(driver: Driver, screen: _Quiet, *lines: str) -> None:
    for line in lines:
        await driver.command(line)
        if screen.refused:
            raise GgtpError(f"{line}: {screen.refused[0]}")


async def _games(driver: Driver, screen: _Quiet, *, until: float = 0.0, moves: int = 0) -> tuple[int, int]:
    played = games = 0
    while played < moves if moves else time.monotonic() < until:
        await _say(driver, screen, "start")
        await driver.settled()
        played += len(driver.referee.desk.play.need_record().line())
        games += 1
        if screen.refused:
            raise GgtpError(screen.refused[0])
    return played, games


async def _round_trip(driver: Driver, screen: _Quiet, count: int) -> float:
    player = driver.referee.desk.play.players[0]
    began = time.perf_counter()
    for _ in range(count):
        await _say(driver, screen, f"list_engine_options {player}")
    return (time.perf_counter() - began) / count


def _resident_kib() -> int:
    """Our resident memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * 4
