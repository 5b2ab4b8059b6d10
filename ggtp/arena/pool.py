"""Worker processes that play games: as many as the machine has cores for, and a new one for each that is lost."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ggtp.arena.messages import (
    LINE_BYTES,
    Alive,
    Answer,
    Ask,
    Begin,
    Judge,
    News,
    Order,
    Play,
    Played,
    Resize,
    Withdraw,
    Withdrawn,
    decode_news,
    encode,
)
from ggtp.driver.tasks import spawn
from ggtp.errors import CommandError, ConnectionLost, EngineFailedToStart, TransportError, with_last_words
from ggtp.processes.engine import EngineProcess, Limits
from ggtp.processes.spawn import module_command
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Job
from ggtp.transport.stdio import StdioWire, open_wire

WORKER = module_command("ggtp.arena.worker")
"""The command of a process that plays."""
TABLES = 8
"""How many of its last tables are remembered of a worker."""
AHEAD, MOST_AHEAD = 1, 16
"""How many games a worker has waiting besides those it plays: it does not idle while a result is written."""
AHEAD_SECONDS = 0.1
"""Where games are so short that more of them fit into this, more are waiting."""
SILENT_SECONDS = 60.0
"""A worker that says nothing for so long is stuck, in a rule that never ends, and is replaced."""
ANSWER_SECONDS = 8.0
"""How long the referee of a game may take to answer."""
MOST_LOST = 5
"""How many workers in a row may be lost before a game was played."""

OnNews = Callable[[News], None]
OnLost = Callable[[list[Job], str], None]
"""The jobs that are lost with a worker, and why."""


class Players(Protocol):
    """Whoever plays games for a tournament: processes of this machine, or a cluster."""

    async def start(self) -> None:
        """Get ready."""

    @property
    def room(self) -> int:
        """How many more jobs can be given now."""

    @property
    def alive(self) -> bool:
        """Whether there is anybody left to play."""

    def give(self, job: Job) -> None:
        """Play it; what comes of it is news."""

    def withdraw(self) -> None:
        """Give back what was given and not begun; `Withdrawn` says what."""

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End a game that was given, with these scores of its seats.

        Raises:
            CommandError: that can't be done here.
        """

    async def attend(self, game: str, line: str, who: str) -> str:
        """Say a line to the referee of a game that was given; its answer.

        Raises:
            CommandError: that can't be done here.
        """

    async def resize(self, concurrency: int) -> None:
        """Play so many games at once from now on; running ones end.

        Raises:
            CommandError: that can't be done here.
        """

    async def close(self) -> None:
        """Stop at once. Nothing is left."""


@dataclass(slots=True, eq=False)
class _Hand:
    """One worker process."""

    slots: int
    wire: StdioWire | None = None
    process: EngineProcess | None = None
    jobs: dict[str, Job] = field(default_factory=dict)
    gone: bool = False
    heard: float = 0.0
    """When it last said anything."""
    tables: deque[tuple[object, ...]] = field(default_factory=lambda: deque(maxlen=TABLES))
    """What it has played last: its engines may still be there."""


class Pool:
    """Plays games in processes of this machine."""

    def __init__(
        self,
        plan: Plan,
        concurrency: int,
        on_news: OnNews,
        on_lost: OnLost,
        *,
        env: Mapping[str, str] | None = None,
        cores: int | None = None,
    ) -> None:
        self._plan = plan
        self._env = dict(os.environ if env is None else env)
        self._cores = cores or os.cpu_count() or 1
        self._hands = [_Hand(number) for number in self._slots(concurrency)]
        self._on_news = on_news
        self._on_lost = on_lost
        self._closing = False
        self._lost_in_a_row = 0
        self._watcher: asyncio.TimerHandle | None = None
        self._game_seconds = AHEAD_SECONDS
        self._asked = 0
        self._asking: dict[int, asyncio.Future[str]] = {}

    def _slots(self, concurrency: int) -> list[int]:
        """How many games each worker plays at once."""
        count = min(concurrency, self._cores)
        return [concurrency // count + (index < concurrency % count) for index in range(count)]

    async def start(self) -> None:
        """Start every worker.

        Raises:
            EngineFailedToStart: Python itself can't be started.
        """
        await asyncio.gather(*(self._start(hand) for hand in self._hands))
        self._watch()

    async def _start(self, hand: _Hand) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        wire = await open_wire(
            lambda line, _at: self._heard(hand, line),
            lambda error: self._lost(hand, error),
            lambda: ready.set_result(None),
            limit=LINE_BYTES,
        )
        hand.wire = wire
        hand.process = EngineProcess.start(
            WORKER,
            env=self._env,
            limits=Limits(),
            on_exit=lambda status: self._failed(hand, f"a worker ended with status {status}"),
            on_limit=lambda _what: None,
            stdio_wire=wire,
        )
        await ready
        hand.heard = time.monotonic()
        self._send(hand, Begin(self._plan, hand.slots))

    def _send(self, hand: _Hand, order: Order) -> None:
        assert hand.wire is not None
        try:
            hand.wire.send([encode(order)])
        except TransportError as error:
            asyncio.get_running_loop().call_soon(self._failed, hand, str(error))

    @property
    def room(self) -> int:
        """How many more jobs can be given now."""
        return sum(max(0, hand.slots + self._ahead - len(hand.jobs)) for hand in self._hands if hand.slots)

    @property
    def _ahead(self) -> int:
        return max(AHEAD, min(MOST_AHEAD, int(AHEAD_SECONDS / max(1e-6, self._game_seconds))))

    def give(self, job: Job) -> None:
        """Give it to one with room, if possible one that has played with the same seats, or has least to do."""
        table = job.game.table
        hand = min(
            (hand for hand in self._hands if hand.slots),
            key=lambda hand: (
                len(hand.jobs) >= hand.slots + self._ahead,
                table not in hand.tables,
                len(hand.jobs) - hand.slots,
            ),
        )
        if table not in hand.tables:
            hand.tables.append(table)
        hand.jobs[job.id] = job
        self._send(hand, Play(job))

    def withdraw(self) -> None:
        """Give back what was given and not begun; `Withdrawn` says what."""
        for hand in self._hands:
            self._send(hand, Withdraw())

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End a game that was given, with these scores of its seats."""
        for hand in self._hands:
            if game in hand.jobs:
                self._send(hand, Judge(game, scores, reason))

    async def attend(self, game: str, line: str, who: str) -> str:
        """Say a line to the referee of a game that was given; its answer."""
        hand = next((hand for hand in self._hands if game in hand.jobs), None)
        if hand is None:
            raise CommandError(f"Game {game} is not running.")
        self._asked += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._asking[self._asked] = answer
        self._send(hand, Ask(self._asked, game, line, who))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await answer
        except TimeoutError:
            raise CommandError(f"Game {game} does not answer.") from None

    async def resize(self, concurrency: int) -> None:
        """Play so many games at once from now on; who has none to play any more stays idle."""
        slots = self._slots(concurrency)
        for _ in range(len(slots) - len(self._hands)):
            fresh = _Hand(1)
            await self._start(fresh)
            self._hands.append(fresh)
        for index, hand in enumerate(self._hands):
            hand.slots = slots[index] if index < len(slots) else 0
            self._send(hand, Resize(hand.slots))
            if not hand.slots:
                self._send(hand, Withdraw())

    def _watch(self) -> None:
        """Give up workers that are stuck."""
        for hand in list(self._hands):
            if time.monotonic() - hand.heard > SILENT_SECONDS:
                self._failed(hand, f"a worker was stuck for {SILENT_SECONDS:g} s, and so was its rule, or the machine")
        self._watcher = asyncio.get_running_loop().call_later(SILENT_SECONDS / 4, self._watch)

    def _heard(self, hand: _Hand, line: bytes) -> None:
        if self._closing or hand.gone:
            return
        hand.heard = time.monotonic()
        news = decode_news(line)
        match news:
            case Alive():
                return
            case Answer(number, text):
                waiting = self._asking.pop(number, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(text)
                return
            case Withdrawn(jobs):
                for job in jobs:
                    hand.jobs.pop(job.id, None)
            case Played(game):
                hand.jobs.pop(game.id, None)
                self._lost_in_a_row = 0
                self._game_seconds += (game.seconds - self._game_seconds) / 16
        self._on_news(news)

    def _lost(self, hand: _Hand, error: TransportError) -> None:
        what = "a worker has hung up" if isinstance(error, ConnectionLost) else f"a worker: {error}"
        self._failed(hand, what)

    def _failed(self, hand: _Hand, what: str) -> None:
        """A worker is gone: its games are lost, and another one takes its place."""
        if self._closing or hand.gone:
            return
        hand.gone = True
        self._hands.remove(hand)
        words = hand.process.last_words() if hand.process is not None else ""
        spawn(self._replace(hand, with_last_words(f"{what}.", words)))

    async def _replace(self, hand: _Hand, what: str) -> None:
        await self._end(hand)
        self._lost_in_a_row += 1
        if not self._closing and self._lost_in_a_row <= MOST_LOST:
            fresh = _Hand(hand.slots)
            try:
                await self._start(fresh)
                self._hands.append(fresh)
            except EngineFailedToStart as error:
                what = f"{what} {error}"
        self._on_lost(list(hand.jobs.values()), what)

    @property
    def alive(self) -> bool:
        """Whether there is anybody left to play."""
        return bool(self._hands)

    async def _end(self, hand: _Hand) -> None:
        if hand.wire is not None:
            hand.wire.close()
        if hand.process is not None:
            await hand.process.stop(kindly=True)

    async def close(self) -> None:
        """Stop every worker, and with them their engines."""
        self._closing = True
        if self._watcher is not None:
            self._watcher.cancel()
        await asyncio.gather(*(self._end(hand) for hand in self._hands))
        self._hands.clear()


def default_concurrency() -> int:
    """How many games are played at once where nobody says: one for each core that we may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
