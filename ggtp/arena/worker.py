"""A process that plays games of a tournament: orders come in on lines, news goes out (see `messages`).

    python -m ggtp.arena.worker

The first order is `Begin`. When the input ends, so does everything.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from ggtp.arena.lateness import Punctual, punctual_loop
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
    decode_order,
    encode,
)
from ggtp.arena.table.table import GameTable
from ggtp.catalogue import Catalogue
from ggtp.driver.rule_watch import RuleWatch
from ggtp.driver.tasks import spawn
from ggtp.tournament.journal.rulings import adjudicated
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Job

STARTING = 4
"""At how many tables engines are started at once, in each worker. Where very many games begin together, the others
wait for their turn, with nothing charged to anybody: else all would start so slowly that none would be in time."""
IDLE_ENGINES = 16
"""How many engines may wait for another game, in each worker."""
NEWS_SECONDS = 0.25
"""How often the moves of running games are told."""
ALIVE_SECONDS = 2.0
"""How often a worker says that it lives. It can't while a rule computes; but see `pool.SILENT_SECONDS`."""
RULE_SECONDS = 20.0
"""What a call of a rule may take. Then the game is void; and well before the worker itself would be taken for stuck."""


class Worker:
    """Plays jobs, at most `slots` at a time, and keeps tables for the next ones."""

    def __init__(
        self, plan: Plan, slots: int, catalogue: Catalogue, say: Callable[[News], None], punctual: Punctual
    ) -> None:
        self._plan = plan
        self._slots = slots
        self._catalogue = catalogue
        self._say = say
        self._punctual = punctual
        self._queue: deque[Job] = deque()
        self._idle: OrderedDict[int, tuple[tuple[object, ...], GameTable]] = OrderedDict()
        self._tables = 0
        self._running: dict[asyncio.Task[None], GameTable] = {}
        self._starting = asyncio.Semaphore(STARTING)

    def obey(self, order: Order) -> None:
        """Do what an order asks."""
        match order:
            case Play(job):
                self._queue.append(job)
                self._fill()
            case Withdraw():
                waiting = tuple(self._queue)
                self._queue.clear()
                self._say(Withdrawn(waiting))
            case Resize(slots):
                self._slots = slots
                self._fill()
            case Judge():
                self._judge(order)
            case Ask():
                spawn(self._attend(order))
            case Begin():
                raise ValueError("a worker begins once")

    async def _attend(self, ask: Ask) -> None:
        """Say a line to the referee of a running game, and report its answer."""
        answer = "? The game has not begun, or has ended."
        for table in list(self._running.values()):
            if table.plays(ask.game):
                answer = await table.attend(ask.line, ask.who)
        self._say(Answer(ask.number, answer))

    def _judge(self, order: Judge) -> None:
        """End a game, begun or not; one that is over stays as it is."""
        for table in self._running.values():
            table.judge(order.game, order.scores, order.reason)
        for job in [job for job in self._queue if job.id == order.game]:
            self._queue.remove(job)
            ended = Game(job.game, attempt=job.attempt, moves=job.moves)
            self._say(Played(adjudicated(ended, order.scores, order.reason), ""))

    def _fill(self) -> None:
        while self._queue and len(self._running) < self._slots:
            job = self._queue.popleft()
            table = self._table(job)
            task = asyncio.get_running_loop().create_task(self._play(table, job))
            self._running[task] = table
            task.add_done_callback(self._done)

    def _table(self, job: Job) -> GameTable:
        game = job.game
        for number, (kept, table) in self._idle.items():
            if kept == game.table:
                del self._idle[number]
                return table
        return GameTable(self._plan, game.rule, game.seats, self._catalogue, self._punctual, self._starting)

    async def _play(self, table: GameTable, job: Job) -> None:
        if job.apart:
            await self._clear()
        played = await table.play(job)
        if job.apart:
            await table.close()
        self._say(played)
        if table.engines:
            self._tables += 1
            self._idle[self._tables] = (job.game.table, table)
        while sum(kept.engines for _, kept in self._idle.values()) > IDLE_ENGINES and len(self._idle) > 1:
            _, (_, oldest) = self._idle.popitem(last=False)
            await oldest.close()

    async def _clear(self) -> None:
        """Send the engines away that wait for another game."""
        idle = [table for _, table in self._idle.values()]
        self._idle.clear()
        await asyncio.gather(*(table.close() for table in idle))

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            raise SystemExit(f"the worker failed: {task.exception()!r}")
        self._fill()

    def tell_moves(self) -> None:
        """Tell the moves that running games have made since the last time."""
        for table in self._running.values():
            fresh = table.fresh_moves()
            if fresh is not None:
                self._say(fresh)

    async def close(self) -> None:
        """Stop everything, kindly to the engines."""
        self._queue.clear()
        tasks = list(self._running)
        for task in tasks:
            task.remove_done_callback(self._done)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._clear()


async def serve(fd_in: int, fd_out: int, punctual: Punctual) -> None:
    """Work until the input ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES)
    pipe = os.fdopen(fd_in, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)

    def say(news: News) -> None:
        data = memoryview(encode(news) + b"\n")
        with suppress(BrokenPipeError):  # nobody listens any more: the input ends too
            while data:
                data = data[os.write(fd_out, data) :]

    first = await reader.readline()
    if not first:
        return
    begin = decode_order(first)
    if not isinstance(begin, Begin):
        raise ValueError(f"the first order is {type(begin).__name__} instead of Begin")
    worker = Worker(begin.plan, begin.slots, Catalogue.from_environment(os.environ), say, punctual)
    news: asyncio.TimerHandle | None = None

    def tell() -> None:
        nonlocal news
        worker.tell_moves()
        news = loop.call_later(NEWS_SECONDS, tell)

    alive: asyncio.TimerHandle | None = None

    def live() -> None:
        nonlocal alive
        say(Alive())
        alive = loop.call_later(ALIVE_SECONDS, live)

    tell()
    live()
    try:
        while line := await reader.readline():
            worker.obey(decode_order(line))
    finally:
        for timer in (news, alive):
            if timer is not None:
                timer.cancel()
        await worker.close()


def main() -> None:
    """Serve on standard input and output; what guests print goes to standard error."""
    fd_in, fd_out = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    loop, punctual = punctual_loop()
    try:
        with RuleWatch(partial(print, file=sys.stderr, flush=True), limit=RULE_SECONDS):
            loop.run_until_complete(serve(fd_in, fd_out, punctual))
    except KeyboardInterrupt:
        pass
    finally:
        loop.close()


if __name__ == "__main__":
    main()
