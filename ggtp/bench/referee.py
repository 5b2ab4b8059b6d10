"""`ggtp bench referee`: how fast real engines play through the referee, over each transport.

Two figures, since two things can be wanted. At *one table* the referee waits for an engine and
the engine for the referee, so what is measured is mostly how long a sleeping process takes to
wake up. At *several tables* in one process, as in a tournament, there is always something to
do, and what is measured is the work.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ggtp.bench import plain
from ggtp.bench.processes import resident_kib
from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.catalogue.engine_file import Transport
from ggtp.driver.driver import Driver
from ggtp.driver.loop import run_loop
from ggtp.errors import GgtpError
from ggtp.game import Picture
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.new_driver import new_driver

TRANSPORTS: tuple[Transport, ...] = ("zmq", "tcp", "stdio")
ROUND_TRIPS = 2000
TABLES = 4
MOST_TABLES = 64
MOST_MOVES = 10**9
WARM_UP_SECONDS = 0.3
PLAIN = "plain"
"""The engine that does nothing about delays of TCP, and its row in the JSON."""
PLAIN_RULE = "TicTacToe"


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured over one transport."""

    moves_per_s: float
    """At one table."""
    games_per_s: float
    tables_moves_per_s: float
    """At all tables together."""
    round_trip_us: float
    """A question to an engine and its answer, through the whole referee."""
    moves: int
    tables: int
    memory_growth_kib: int
    """How much the referee's resident memory grew from the first games to the last."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Moves a second of an engine that sends each line by itself and does nothing about delays of TCP."""

    tcp: float
    stdio: float

    @property
    def ratio(self) -> float:
        """TCP's part of what is possible over standard input and output."""
        return round(self.tcp / self.stdio, 3)


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
        if name_or_path == PLAIN:
            argv = ("{python}", "-S", str(Path(plain.__file__).resolve()), "{endpoint}")
            return EngineSpec(name=PLAIN, argv=argv, transport=self.transport)
        return replace(super().find_engine(name_or_path), transport=self.transport)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--seconds", type=seconds, default=3.0, help="how long to play over each transport (default 3)")
    parser.add_argument("--moves", type=whole_number(1, MOST_MOVES), default=0, help="play this many moves instead")
    parser.add_argument(
        "--tables", type=whole_number(1, MOST_TABLES), default=TABLES, help=f"plays at the same time (default {TABLES})"
    )
    parser.add_argument("--rule", default="TicTacToe", help="the game to play (default TicTacToe)")
    parser.add_argument("--engine", default="Random", help="who plays all players (default Random)")
    parser.add_argument(
        "--transport", choices=TRANSPORTS, action="append", help="only this transport; may be given again"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON."""
    results: dict[str, Figures] = {}
    bare: Plain | None = None
    for transport in args.transport or TRANSPORTS:
        try:
            results[transport] = run_loop(_measure(env, transport, args))
        except GgtpError as error:
            print(f"ggtp: {transport}: {error}", file=env.stderr)
            return ExitStatus.REFUSED
        if not args.json:
            _print_row(env, transport, results[transport], first=len(results) == 1)
    if "tcp" in results and "stdio" in results:
        try:
            bare = Plain(*(run_loop(_measure_plain(env, transport, args)) for transport in ("tcp", "stdio")))
        except GgtpError as error:
            print(f"ggtp: {PLAIN}: {error}", file=env.stderr)
            return ExitStatus.REFUSED
    if args.json:
        told = {name: asdict(figures) for name, figures in results.items()}
        told |= {} if bare is None else {PLAIN: {**asdict(bare), "ratio": bare.ratio}}
        print(json.dumps(told), file=env.stdout)
    elif bare is not None:
        print(
            f"An engine without TCP_NODELAY makes {bare.tcp:,.0f} moves/s over tcp and {bare.stdio:,.0f} over stdio: "
            f"a ratio of {bare.ratio:.2f}.",
            file=env.stdout,
        )
    return ExitStatus.DONE


def _print_row(env: Environment, transport: str, figures: Figures, *, first: bool) -> None:
    if first:
        heads = ("moves/s", "games/s", "all tables", "round trip", "moves", "memory")
        widths = (10, 10, 12, 14, 12, 12)
        print(" " * 8 + "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True)), file=env.stdout)
    print(
        f"{transport:8}{figures.moves_per_s:>10,.0f}{figures.games_per_s:>10,.0f}"
        f"{figures.tables_moves_per_s:>12,.0f}{figures.round_trip_us:>11,.0f} µs"
        f"{figures.moves:>12,}{figures.memory_growth_kib:>+8,} KiB",
        file=env.stdout,
        flush=True,
    )


async def _measure(env: Environment, transport: Transport, args: argparse.Namespace) -> Figures:
    tables = [_Table(env, transport, seed) for seed in range(args.tables)]
    try:
        for table in tables:
            await table.lay(args.rule, args.engine)
        alone = await _play(tables[:1], args.seconds / 3, args.moves // 4)
        memory = resident_kib(os.getpid())
        together = await _play(tables, args.seconds, args.moves)
        growth = resident_kib(os.getpid()) - memory
        trip = await tables[0].round_trip(min(ROUND_TRIPS, max(1, together.moves)))
        return Figures(
            moves_per_s=round(alone.moves / alone.seconds, 1),
            games_per_s=round(alone.games / alone.seconds, 1),
            tables_moves_per_s=round(together.moves / together.seconds, 1),
            round_trip_us=round(trip * 1e6, 1),
            moves=together.moves,
            tables=args.tables,
            memory_growth_kib=growth,
        )
    finally:
        await asyncio.gather(*(table.driver.close() for table in tables))


async def _measure_plain(env: Environment, transport: Transport, args: argparse.Namespace) -> float:
    table = _Table(env, transport, 0)
    try:
        await table.lay(PLAIN_RULE, PLAIN)
        played = await _play([table], args.seconds / 3, args.moves // 4)
        return round(played.moves / played.seconds, 1)
    finally:
        await table.driver.close()


@dataclass(slots=True)
class _Played:
    """What came of some tables playing for a while."""

    moves: int = 0
    games: int = 0
    seconds: float = 0.0


async def _play(tables: list[_Table], seconds: float, moves: int) -> _Played:
    """Play at all these tables at once: for some time, or for some moves."""
    warm = time.monotonic() + WARM_UP_SECONDS
    await asyncio.gather(*(table.games(until=warm) for table in tables))
    began = time.perf_counter()
    share = -(-moves // len(tables))
    until = time.monotonic() + seconds
    played = await asyncio.gather(*(table.games(until=until, moves=share) for table in tables))
    took = time.perf_counter() - began
    return _Played(sum(moves for moves, _ in played), sum(games for _, games in played), took)


class _Table:
    """A referee with its engines."""

    def __init__(self, env: Environment, transport: Transport, seed: int) -> None:
        catalogue = _OverTransport.from_environment(env.variables)
        catalogue.transport = transport
        self._screen = _Quiet()
        self.driver: Driver = new_driver(env, self._screen, seed=seed, catalogue=catalogue)

    async def lay(self, rule: str, engine: str) -> None:
        """Choose the game and seat the engines."""
        await self._say("set_option show_when_play off")
        await self._say("set_option show_results off")
        await self._say("set_option keep_plays off")
        await self._say(f"set_rule {rule}")
        for player in self.driver.view.play.players:
            await self._say(f"set_engine {player} {engine}")

    async def games(self, *, until: float = 0.0, moves: int = 0) -> tuple[int, int]:
        """Play whole games, so many moves or so long; answers how many moves and games it were."""
        played = games = 0
        while played < moves if moves else time.monotonic() < until:
            await self._say("start")
            await self.driver.settled()
            played += len(self.driver.view.play.need_record().line())
            games += 1
            if self._screen.refused:
                raise GgtpError(self._screen.refused[0])
        return played, games

    async def round_trip(self, count: int) -> float:
        """Seconds from a question to an engine to its answer, on average."""
        player = self.driver.view.play.players[0]
        began = time.perf_counter()
        for _ in range(count):
            await self._say(f"list_engine_options {player}")
        return (time.perf_counter() - began) / count

    async def _say(self, line: str) -> None:
        await self.driver.command(line)
        if self._screen.refused:
            raise GgtpError(f"{line}: {self._screen.refused[0]}")
