"""`ggtp bench lateness`: whether engines answer in time, on a machine as busy as is wanted.

An engine plays against itself, in a new process for each game. The rules are compiled anew for the first game at each
rule, while the clock runs already; later games find them kept. Beside it, loops run that do nothing but keep the
processor busy. The time of a move is from the request to the answer, less what we have waited for a processor
ourselves: no engine can do anything about that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field, replace

from ggtp.arena.lateness import processor_waits, waited_seconds
from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.driver.link import EngineLink
from ggtp.errors import CommandError, GgtpError
from ggtp.game import CHANCE, Move, Player, Rules, TurnKind
from ggtp.game.model import Position
from ggtp.processes.spawn import NOTHING, Apart, spawn
from ggtp.referee.effects import Bounds
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

ENGINES = ("Minimax", "MCTS")
RULES = ("gdl/breakthrough", "gdl/checkers", "gdl/connectfour", "ConnectFour")
BOUNDS = Bounds(line_bytes=1 << 20, memory_bytes=8 << 30, processes=64, connect_seconds=60.0)
PATIENCE = 60.0
"""Seconds after which an engine is not waited for."""
GREATEST_LOAD = 256
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000):\n        pass\n"
"""A program that keeps a processor busy as long as we are there."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One move, in milliseconds."""

    game: int
    move: int
    took: float
    """Without what we have waited for a processor."""
    waited: float
    """How long that thread of the engine has waited for one which waited longest."""


@dataclass(slots=True)
class Figures:
    """What was measured of an engine at a rule; the fields are those of the JSON."""

    engine: str
    rule: str
    games: int = 0
    moves: int = 0
    late: int = 0
    """Moves that took longer than their time."""
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    worst_ms: float = 0.0
    first_ms: float = 0.0
    """The slowest move of the game for which the rules were compiled."""
    late_moves: list[Moment] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("rules", nargs="*", metavar="RULE|FILE", help=f"what to play (default {', '.join(RULES)})")
    parser.add_argument(
        "--engine", action="append", metavar="NAME", help=f"who plays; may be repeated (default {', '.join(ENGINES)})"
    )
    parser.add_argument(
        "--moves", type=whole_number(1, 10**7), default=2000, help="of each engine, at all rules (default 2000)"
    )
    parser.add_argument("--time", type=whole_number(1, 10**6), default=50, metavar="MS", help="for a move (default 50)")
    parser.add_argument(
        "--load", type=whole_number(0, GREATEST_LOAD), default=4, metavar="K", help="busy loops beside (default 4)"
    )
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), default=0, metavar="N", help="where chance begins")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: there is no such rule or engine, or an engine can't play.
    """
    catalogue = Catalogue.from_environment(env.variables)
    specs = [catalogue.find_engine(name) for name in args.engine or ENGINES]
    names = args.rules or list(RULES)
    found = [catalogue.find_rules(name) for name in names]
    for rules in found:
        if rules.traits.hidden or rules.traits.race or rules.traits.joint:
            raise CommandError(f"{rules.name} is not played openly, one move after the other, as it is needed here.")
    progress = Progress(env.stderr)
    try:
        results = asyncio.run(_measure_all(specs, list(zip(names, found, strict=True)), args, progress.say))
    finally:
        progress.clear()
    if args.json:
        told = {"time_ms": args.time, "load": args.load, "results": [asdict(row) for row in results]}
        print(json.dumps(told), file=env.stdout)
    else:
        print("\n".join(report(results, args.time)), file=env.stdout)
    return ExitStatus.DONE


async def _measure_all(
    specs: Sequence[EngineSpec],
    rules: Sequence[tuple[str, Rules]],
    args: argparse.Namespace,
    say: Callable[[str], None],
) -> list[Figures]:
    results = []
    share = -(-args.moves // len(rules))
    with busy(args.load):
        for spec in specs:
            for name, rule in rules:
                results.append(await _measure(spec, name, rule, share, args, say))
    return results


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep processors busy with `count` programs beside us, each in a session of its own, as other people's are."""
    command = [sys.executable, "-I", "-S", "-c", BUSY]
    loops = [spawn(command, stdin=NOTHING, stdout=NOTHING, apart=Apart.SESSION) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


async def _measure(
    spec: EngineSpec, name: str, rules: Rules, moves: int, args: argparse.Namespace, say: Callable[[str], None]
) -> Figures:
    """Games of an engine against itself, with an empty cache of compiled rules at first."""
    rng = random.Random(args.seed)
    seen: list[Moment] = []
    games = 0
    with tempfile.TemporaryDirectory(prefix="ggtp-lateness-") as cache:
        own = replace(spec, env={**spec.env, "XDG_CACHE_HOME": cache}, writes=(*spec.writes, cache))
        while len(seen) < moves:
            games += 1
            async with _Conversation(own).held() as talk:
                await talk.begin(name, rules, rng.getrandbits(31))
                async for took, waited in talk.play(rules, args.time, rng):
                    seen.append(Moment(games, len(seen), round(took * 1000, 2), round(waited * 1000, 2)))
                    say(f"{spec.name} at {rules.name}: {len(seen)} of {moves} moves")
                    if len(seen) >= moves:
                        break
    return summed_up(spec.name, rules.name, seen, args.time)


def summed_up(engine: str, rule: str, seen: Sequence[Moment], limit_ms: float) -> Figures:
    """The figures of all moves."""
    ordered = sorted(moment.took for moment in seen)

    def at(part: float) -> float:
        return ordered[math.ceil(part * len(ordered)) - 1]

    late = [moment for moment in seen if moment.took > limit_ms]
    first = max(moment.took for moment in seen if moment.game == 1)
    return Figures(engine, rule, seen[-1].game, len(seen), len(late), at(0.5), at(0.99), at(1.0), first, late)


class _Conversation:
    """An engine in a process, from the referee's side, without a referee."""

    def __init__(self, spec: EngineSpec) -> None:
        self._spec = spec
        self._link = EngineLink(spec, BOUNDS, self._heard, self._failed)
        self._lines: asyncio.Queue[tuple[str, float, int] | GgtpError] = asyncio.Queue()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[_Conversation]:
        """The engine started, and its end at the end."""
        await self._link.start()
        try:
            yield self
        finally:
            await self._link.stop(kindly=False)

    async def begin(self, name: str, rules: Rules, seed: int) -> None:
        """Let it know its game."""
        await self._ask("connect_engine")
        if rules.text is not None:
            await self._ask(f"set_option rule_text {' '.join(rules.text.split())}")
        await self._ask(f"set_option rule {name}")
        await self._ask(f"set_option seed {seed}")
        if clock := rules.start_clock(rules.complete({})):
            await self._ask(f"set_option start_clock {round(1000 * clock)}")
        await self._ask("start")

    async def play(self, rules: Rules, limit_ms: int, rng: random.Random) -> AsyncIterator[tuple[float, float]]:
        """A game to its end; yields the seconds of each move, and how long the engine has waited for a processor."""
        position = rules.begin(rules.complete({}))
        while (turn := position.turn()).kind is not TurnKind.OVER:
            player, move = CHANCE, ""
            if turn.kind is TurnKind.CHANCE:
                move = position.draw(rng)
            else:
                player = turn.players[0]
                move, took, waited = await self._move(limit_ms)
                yield took, waited
            position = await self._made(position, player, move)

    async def _move(self, limit_ms: int) -> tuple[Move, float, float]:
        pid = self._link.pid
        before = {} if pid is None else processor_waits(pid)
        own = own_wait()
        asked = time.monotonic()
        self._link.send([f"have_to_play {limit_ms}".encode()])
        line, at, after = await self._hear()
        waited = waited_seconds(before, {} if pid is None else processor_waits(pid))
        word, _, move = line.partition(" ")
        if word != "select_move":
            raise GgtpError(f"{self._spec.name} was asked for a move and said: {line}")
        return move, max(0.0, at - asked - (after - own) / 1e9), waited

    async def _made(self, position: Position, player: Player, move: Move) -> Position:
        verdict = position.play({player: move})
        if verdict.refused:
            raise GgtpError(f"{self._spec.name} chose {move}, which is refused.")
        await self._ask(f"made_move {player} {move}")
        return verdict.position

    async def _ask(self, line: str) -> str:
        self._link.send([line.encode()])
        answer, _, _ = await self._hear()
        if answer.startswith("invalid"):
            raise GgtpError(f"{self._spec.name} was told {line[:60]} and said: {answer}")
        return answer

    async def _hear(self) -> tuple[str, float, int]:
        try:
            async with asyncio.timeout(PATIENCE):
                heard = await self._lines.get()
        except TimeoutError:
            raise GgtpError(f"{self._spec.name} has said nothing for {PATIENCE:g} s.") from None
        if isinstance(heard, GgtpError):
            raise heard
        return heard

    def _heard(self, line: bytes, at: float) -> None:
        self._lines.put_nowait((line.decode(errors="replace"), at, own_wait()))

    def _failed(self, fault: str, what: str, last_words: str) -> None:
        self._lines.put_nowait(GgtpError(f"{self._spec.name}: {what} {last_words.strip()}".strip()))


def own_wait() -> int:
    """The nanoseconds that this thread has waited for a processor; 0 where nobody counts."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def report(results: Sequence[Figures], limit_ms: float) -> list[str]:
    """The results for people."""
    heads = ("games", "moves", "late", "half", "99 %", "worst", "first")
    table: list[tuple[str, ...]] = [(f"of {limit_ms:g} ms", *heads)]
    for row in results:
        counts = (f"{row.games}", f"{row.moves:,}", f"{row.late}")
        figures = (f"{ms:.1f}" for ms in (row.p50_ms, row.p99_ms, row.worst_ms, row.first_ms))
        table.append((f"{row.engine} {row.rule}", *counts, *figures))
    lines = columns(table)
    for engine in dict.fromkeys(row.engine for row in results):
        rows = [row for row in results if row.engine == engine]
        lines.append(f"{engine}: {sum(row.late for row in rows)} of {sum(row.moves for row in rows):,} moves late")
    lines += [
        f"  {row.engine} {row.rule}, game {late.game}, move {late.move}: {late.took:.1f} ms, "
        f"of which {late.waited:.1f} ms without a processor"
        for row in results
        for late in row.late_moves[:10]
    ]
    return lines
