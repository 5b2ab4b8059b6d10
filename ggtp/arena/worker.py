"""A process that plays games of a tournament: jobs come in as lines of JSON, what comes of them goes out.

    python -m ggtp.arena.worker

The first line is `{"plan": ..., "slots": 2}`. The others are a game, `{"game": ..., "attempt": 1,
"moves": [...]}`; `{"withdraw": true}`, which gives back what was not begun; `{"slots": 3}`;
`{"judge": "12.1", "scores": ..., "reason": ...}`, which ends a game; or `{"ask": 1, "game": "12.1",
"line": ..., "who": ...}`, which says something to its referee. Out come `{"kind": "moves", ...}` of games
that take a while, `{"kind": "alive"}` now and then, `{"kind": "answer", "ask": 1, "answer": ...}`,
`{"kind": "withdrawn", "games": [...]}`, and for each game that was played one `{"kind": "result",
"result": ..., "case": "..."}`. When the input ends, so does everything.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ggtp.arena.lateness import Punctual, punctual_loop
from ggtp.arena.table.moment import Job
from ggtp.arena.table.table import GameTable
from ggtp.catalogue import Catalogue
from ggtp.driver.tasks import spawn
from ggtp.tournament.journal import game_data, game_from, result_data
from ggtp.tournament.plan import Plan, plan_from
from ggtp.tournament.results import Game
from ggtp.tournament.rulings import adjudicated

STARTING = 4
"""At how many tables engines are started at once, in each worker. Where very many games begin together, the others
wait for their turn, with nothing charged to anybody: else all would start so slowly that none would be in time."""
IDLE_ENGINES = 16
"""How many engines may wait for another game, in each worker."""
NEWS_SECONDS = 0.25
"""How often the moves of running games are told."""
ALIVE_SECONDS = 2.0
"""How often a worker says that it lives: a rule that never ends would keep it from that."""
LINE_BYTES = 64 * 2**20


class Worker:
    """Plays jobs, at most `slots` at a time, and keeps tables for the next ones."""

    def __init__(
        self, plan: Plan, slots: int, catalogue: Catalogue, say: Callable[[dict[str, Any]], None], punctual: Punctual
    ) -> None:
        self._plan = plan
        self._slots = slots
        self._catalogue = catalogue
        self._say = say
        self._punctual = punctual
        self._queue: deque[Job] = deque()
        self._idle: OrderedDict[int, tuple[tuple[Any, ...], GameTable]] = OrderedDict()
        self._tables = 0
        self._running: dict[asyncio.Task[None], GameTable] = {}
        self._starting = asyncio.Semaphore(STARTING)

    def take(self, job: Job) -> None:
        """Play it, now or as soon as there is a slot."""
        self._queue.append(job)
        self._fill()

    def withdraw(self) -> None:
        """Give back the jobs that were not begun."""
        waiting = [{"game": game_data(job.game), "attempt": job.attempt} for job in self._queue]
        self._queue.clear()
        self._say({"kind": "withdrawn", "games": waiting})

    def resize(self, slots: int) -> None:
        """Play so many jobs at a time from now on."""
        self._slots = slots
        self._fill()

    async def attend(self, number: int, game: str, line: str, who: str) -> None:
        """Say a line to the referee of a running game, and tell what it answers."""
        answer = "? The game has not begun, or has ended."
        for table in list(self._running.values()):
            if table.plays(game):
                answer = await table.attend(line, who)
        self._say({"kind": "answer", "ask": number, "answer": answer})

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End a game, begun or not, with these scores; one that is over stays as it is."""
        for table in self._running.values():
            table.judge(game, scores, reason)
        for job in [job for job in self._queue if job.game.id == game]:
            self._queue.remove(job)
            ruled = adjudicated(Game(job.game, attempt=job.attempt, moves=job.moves), scores, reason)
            self._say({"kind": "result", "result": result_data(ruled), "case": ""})

    def _fill(self) -> None:
        while self._queue and len(self._running) < self._slots:
            job = self._queue.popleft()
            key = (job.game.rule, *job.game.seats.items())
            table = self._table(key, job)
            task = asyncio.get_running_loop().create_task(self._play(key, table, job))
            self._running[task] = table
            task.add_done_callback(self._done)

    def _table(self, key: tuple[Any, ...], job: Job) -> GameTable:
        for number, (kept, table) in self._idle.items():
            if kept == key:
                del self._idle[number]
                return table
        game = job.game
        return GameTable(self._plan, game.rule, game.seats, self._catalogue, self._punctual, self._starting)

    async def _play(self, key: tuple[Any, ...], table: GameTable, job: Job) -> None:
        game, case = await table.play(job)
        self._say({"kind": "result", "result": result_data(game), "case": case})
        if table.engines:
            self._tables += 1
            self._idle[self._tables] = (key, table)
        while sum(kept.engines for _, kept in self._idle.values()) > IDLE_ENGINES and len(self._idle) > 1:
            _, (_, oldest) = self._idle.popitem(last=False)
            await oldest.close()

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
                job, begin, moves, banks = fresh
                self._say(
                    {
                        "kind": "moves",
                        "game": game_data(job.game),
                        "attempt": job.attempt,
                        "from": begin,
                        "moves": moves,
                        "banks": banks,
                    }
                )

    async def close(self) -> None:
        """Stop everything, kindly to the engines."""
        self._queue.clear()
        tasks = list(self._running)
        for task in tasks:
            task.remove_done_callback(self._done)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(table.close() for _, table in self._idle.values()))


def job_from(data: Mapping[str, Any]) -> Job:
    """The job that a line says."""
    return Job(game_from(data["game"]), int(data["attempt"]), tuple(data["moves"]), data.get("banks", {}))


def job_data(job: Job) -> dict[str, Any]:
    """A job, for JSON."""
    data = {"game": game_data(job.game), "attempt": job.attempt, "moves": list(job.moves)}
    return data | {"banks": dict(job.banks)} if job.banks else data


async def serve(fd_in: int, fd_out: int, punctual: Punctual) -> None:
    """Work until the input ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES)
    pipe = os.fdopen(fd_in, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)

    def say(message: dict[str, Any]) -> None:
        data = memoryview(json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
        with suppress(BrokenPipeError):  # nobody listens any more: the input ends too
            while data:
                data = data[os.write(fd_out, data) :]

    first = json.loads(await reader.readline() or b"null")
    if first is None:
        return
    catalogue = Catalogue.from_environment(os.environ)
    worker = Worker(plan_from(first["plan"]), int(first["slots"]), catalogue, say, punctual)
    news: asyncio.TimerHandle | None = None

    def tell() -> None:
        nonlocal news
        worker.tell_moves()
        news = loop.call_later(NEWS_SECONDS, tell)

    alive: asyncio.TimerHandle | None = None

    def live() -> None:
        nonlocal alive
        say({"kind": "alive"})
        alive = loop.call_later(ALIVE_SECONDS, live)

    tell()
    live()
    try:
        while line := await reader.readline():
            said = json.loads(line)
            if "withdraw" in said:
                worker.withdraw()
            elif "slots" in said:
                worker.resize(int(said["slots"]))
            elif "ask" in said:
                spawn(worker.attend(said["ask"], said["game"], said["line"], said["who"]))
            elif "judge" in said:
                worker.judge(said["judge"], said["scores"], said["reason"])
            else:
                worker.take(job_from(said))
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
        loop.run_until_complete(serve(fd_in, fd_out, punctual))
    except KeyboardInterrupt:
        pass
    finally:
        loop.close()


if __name__ == "__main__":
    main()
