"""Worker processes that play games: as many as the machine has cores for, and a new one for each that is lost."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
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
from ggtp.processes.family import is_stopped
from ggtp.processes.spawn import module_command
from ggtp.tournament.journal.rulings import adjudicated
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Job
from ggtp.transport.stdio import StdioWire, open_wire

WORKER = module_command("ggtp.arena.worker")
"""The command of a process that plays."""
TABLES = 16
"""How many of its last tables are remembered of a worker: no more can have engines there (`worker.IDLE_ENGINES`)."""
AHEAD, MOST_AHEAD = 1, 16
"""How many games a worker has waiting besides those it plays: it does not idle while a result is written."""
AHEAD_SECONDS = 0.1
"""Where games are so short that more of them fit into this, more are waiting."""
SILENT_SECONDS = 60.0
"""A worker that says nothing for so long is stuck, in a rule that never ends, and is replaced."""
ANSWER_SECONDS = 8.0
"""How long the referee of a game may take to answer."""
LOOK_SECONDS = 2.0
"""How often it is looked whether a worker was stopped by a signal. One that is stopped in two looks is lost."""
DRAIN_SECONDS = 0.2
"""How long what a worker has said before it ended may take to arrive: a game that is over is not void."""
MOST_LOST = 5
"""How many workers in a row may be lost before they have said anything."""

OnNews = Callable[[News], None]
OnLost = Callable[[list[Job], str, frozenset[str]], None]
"""The jobs that a lost worker was playing, why it is lost, and the players whose engines it may have had."""


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
    """In the order in which it begins them."""
    ending: str = ""
    """Why it is as good as lost; what it has said before may still arrive."""
    gone: bool = False
    heard: float = 0.0
    """When it last said anything."""
    sound: bool = False
    """Whether it has ever said anything."""
    stopped: bool = False
    """Whether it was stopped by a signal when that was looked at last."""
    tables: deque[tuple[object, ...]] = field(default_factory=lambda: deque(maxlen=TABLES))
    """What it has played last: its engines may still be there."""

    @property
    def open(self) -> bool:
        """Whether it may be given jobs."""
        return bool(self.slots) and not self.ending and not any(job.apart for job in self.jobs.values())

    def begun(self) -> list[Job]:
        """The jobs that it plays now; the others wait there."""
        return list(self.jobs.values())[: max(1, self.slots)]

    def players(self) -> frozenset[str]:
        """The players whose engines it may have: those of its games, and of its last tables."""
        begun = self.begun()
        playing = {name for job in begun for name in job.game.seats.values()}
        if any(job.apart for job in begun):
            return frozenset(playing)
        return frozenset(playing.union(*(players_of(table) for table in self.tables)))


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
        self._apart: deque[Job] = deque()
        """Jobs that wait for a worker that plays nothing else."""
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
            on_exit=lambda status: self._ends(hand, f"a worker ended with status {status}"),
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
            self._ends(hand, f"a worker: {error}")

    @property
    def room(self) -> int:
        """How many more jobs can be given now."""
        if self._apart:
            return 0  # a worker has to become free
        return sum(max(0, hand.slots + self._ahead - len(hand.jobs)) for hand in self._hands if hand.open)

    @property
    def _ahead(self) -> int:
        return max(AHEAD, min(MOST_AHEAD, int(AHEAD_SECONDS / max(1e-6, self._game_seconds))))

    def give(self, job: Job) -> None:
        """Give it to one with room, if possible one that has played with the same seats, or has least to do."""
        if job.apart:
            self._apart.append(job)
            self._give_apart()
            return
        table = job.game.table
        hand = min(
            (hand for hand in self._hands if hand.open),
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

    def _give_apart(self) -> None:
        """Give the jobs that are played apart to workers without any other, as far as there are such."""
        while self._apart:
            hand = next((hand for hand in self._hands if hand.open and not hand.jobs), None)
            if hand is None:
                return
            job = self._apart.popleft()
            hand.tables.clear()
            hand.jobs[job.id] = job
            self._send(hand, Play(job))

    def withdraw(self) -> None:
        """Give back what was given and not begun; `Withdrawn` says what."""
        if self._apart:
            waiting, self._apart = tuple(self._apart), deque()
            asyncio.get_running_loop().call_soon(self._on_news, Withdrawn(waiting))
        for hand in self._hands:
            self._send(hand, Withdraw())

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End a game that was given, with these scores of its seats."""
        for job in [job for job in self._apart if job.id == game]:
            self._apart.remove(job)
            ended = adjudicated(Game(job.game, attempt=job.attempt, moves=job.moves), scores, reason)
            asyncio.get_running_loop().call_soon(self._on_news, Played(ended, ""))
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
        """Give up workers that are stuck, or were stopped."""
        for hand in list(self._hands):
            if time.monotonic() - hand.heard > SILENT_SECONDS:
                self._ends(hand, f"a worker was stuck for {SILENT_SECONDS:g} s, and so was its rule, or the machine")
            stopped = hand.process is not None and is_stopped(hand.process.pid)
            if stopped and hand.stopped:
                self._ends(hand, "a worker was stopped by a signal")
            hand.stopped = stopped
        self._watcher = asyncio.get_running_loop().call_later(min(LOOK_SECONDS, SILENT_SECONDS / 4), self._watch)

    def _heard(self, hand: _Hand, line: bytes) -> None:
        if self._closing or hand.gone:
            return
        hand.heard = time.monotonic()
        hand.sound = True
        self._lost_in_a_row = 0
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
                self._game_seconds += (game.seconds - self._game_seconds) / 16
        if self._apart:
            self._give_apart()
        self._on_news(news)

    def _lost(self, hand: _Hand, error: TransportError) -> None:
        self._ends(hand, "a worker has hung up" if isinstance(error, ConnectionLost) else f"a worker: {error}")

    def _ends(self, hand: _Hand, what: str) -> None:
        """A worker ends; what it has said before is still taken in."""
        if not hand.ending:
            asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._failed, hand)
        if not hand.ending or "ended" in what:  # the news of an exit says more
            hand.ending = what

    def _failed(self, hand: _Hand) -> None:
        """A worker is gone: its games are lost, and another one takes its place."""
        if self._closing or hand.gone:
            return
        hand.gone = True
        self._hands.remove(hand)
        words = hand.process.last_words() if hand.process is not None else ""
        spawn(self._replace(hand, with_last_words(f"{hand.ending}.", words)))

    async def _replace(self, hand: _Hand, what: str) -> None:
        await self._end(hand)
        self._lost_in_a_row += not hand.sound
        if not self._closing and self._lost_in_a_row <= MOST_LOST:
            fresh = _Hand(hand.slots)
            try:
                await self._start(fresh)
                self._hands.append(fresh)
            except EngineFailedToStart as error:
                what = f"{what} {error}"
        begun = hand.begun()
        waiting = tuple(job for job in hand.jobs.values() if job not in begun)
        if waiting:
            self._on_news(Withdrawn(waiting))
        self._give_apart()
        self._on_lost(begun, what, hand.players())

    @property
    def alive(self) -> bool:
        """Whether there is anybody left to play."""
        return bool(self._hands)

    async def _end(self, hand: _Hand) -> None:
        if hand.wire is not None:
            hand.wire.close()
        if hand.process is not None:
            await hand.process.stop(kindly=not hand.stopped)

    async def close(self) -> None:
        """Stop every worker, and with them their engines."""
        self._closing = True
        if self._watcher is not None:
            self._watcher.cancel()
        await asyncio.gather(*(self._end(hand) for hand in self._hands))
        self._hands.clear()


def players_of(table: Iterable[object]) -> list[str]:
    """The players at a table, as `GamePlan.table` names it."""
    return [seat[1] for seat in table if isinstance(seat, tuple)]


def default_concurrency() -> int:
    """How many games are played at once where nobody says: one for each core that we may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
