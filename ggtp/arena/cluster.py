"""Games on a Dask cluster: each worker of the cluster keeps processes that play, as our own machine does.

A game is a task with a name of its own, so that the scheduler gives it to another worker when one
is lost, and its result is told once; its moves are told on the way, as events of the scheduler, so that a
run that is interrupted can be gone on with. What each worker of the cluster has to have is ggtp, and the
rules and engines of the plan under the same names.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from ggtp.arena.messages import Begin, Moved, Play, Played, decode_news, encode
from ggtp.arena.pool import AHEAD, WORKER, OnLost, OnNews
from ggtp.driver.tasks import spawn
from ggtp.errors import CommandError, GgtpError
from ggtp.processes.dialogue import Dialogue
from ggtp.processes.spawn import NOTHING, Apart
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Job

CONNECT_SECONDS = 10.0
WORKER_SECONDS = 60.0
"""How long the first worker of the cluster may take to arrive."""
LOOK_SECONDS = 2.0
"""How often we ask how many workers there are."""
END_SECONDS = 10.0
"""How long a process that plays may take to end, with its engines."""
RETRIES = 5
"""How many workers may be lost under a game before it counts as void."""


class NoCluster(GgtpError):
    """There is no cluster at that address, or no library to talk to one."""


class Cluster:
    """Plays games on the workers of a Dask cluster, as many at once as they have threads."""

    def __init__(self, plan: Plan, address: str, on_news: OnNews, on_lost: OnLost) -> None:
        self._begin = encode(Begin(plan, 1))
        self._address = address
        self._on_news = on_news
        self._on_lost = on_lost
        self._client: Any = None  # the library has no types
        self._threads = 0
        self._running: dict[str, Job] = {}
        self._token = os.urandom(6).hex()
        self._topic = f"ggtp-{self._token}"
        self._closing = False
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect, and wait for a worker.

        Raises:
            NoCluster: nobody is there.
        """
        try:
            client: Any = import_module("distributed").Client
        except ImportError:
            raise NoCluster("A cluster needs dask.distributed: install ggtp[cluster].") from None
        try:
            self._client = await client(self._address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False)
            await self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            await self.close()
            raise NoCluster(f"No cluster with a worker at {self._address}: {error}") from None
        self._client.subscribe_topic(self._topic, self._moved)
        await self._look()
        self._watch = spawn(self._keep_looking())

    async def _look(self) -> None:
        workers = await self._client.scheduler.identity()
        self._threads = sum(worker["nthreads"] for worker in workers["workers"].values())

    async def _keep_looking(self) -> None:
        while not self._closing:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(OSError):
                await self._look()

    @property
    def room(self) -> int:
        """How many more jobs can be given now."""
        return max(0, self._threads + AHEAD - len(self._running)) if self._threads else 0

    @property
    def alive(self) -> bool:
        """Whether the cluster is still there."""
        return self._client is not None and self._client.status == "running"

    def give(self, job: Job) -> None:
        """Have it played somewhere."""
        key = f"ggtp-{self._token}-{job.id}-{job.attempt}"
        self._running[key] = job
        spawn(self._play(key, job))

    def withdraw(self) -> None:
        """What the cluster was given it plays: there is little that waits."""

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """Nobody can reach a game on its worker."""
        raise CommandError("A game that a cluster plays can't be decided before it ends.")

    async def attend(self, game: str, line: str, who: str) -> str:
        """Nobody can reach a game on its worker."""
        raise CommandError("A game that a cluster plays can't be attended.")

    async def resize(self, concurrency: int) -> None:
        """The cluster's own size decides."""
        raise CommandError("A cluster plays as many games at once as its workers have threads: add or remove workers.")

    async def _play(self, key: str, job: Job) -> None:
        try:
            future = self._client.submit(
                play_job, self._begin, encode(Play(job)), self._topic, key=key, pure=False, retries=RETRIES
            )
            news = decode_news(await future)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a cluster raises, the game was not played
            if not self._closing:
                del self._running[key]
                players = frozenset(job.game.seats.values())
                self._on_lost([job], f"the cluster: {type(error).__name__}: {error}", players)
            return
        if not self._closing:
            del self._running[key]
            self._on_news(news)

    def _moved(self, event: tuple[float, str]) -> None:
        """A worker tells moves of a game. Those of a game that is over come too late, and nobody waits for them."""
        if not self._closing:
            self._on_news(decode_news(event[1]))

    async def close(self) -> None:
        """Let the cluster's workers end what they have begun for us, and leave."""
        self._closing = True
        if self._watch is not None:
            self._watch.cancel()
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # the cluster may be gone
                async with asyncio.timeout(CONNECT_SECONDS):
                    await client.run(release)
            with suppress(Exception):
                await client.close()


# On the cluster's workers.


class Hand:
    """A process that plays, for one task at a time."""

    def __init__(self, begin: bytes) -> None:
        self.begin = begin
        """Its first order, with the plan."""
        self._process = Dialogue(WORKER, stderr=NOTHING, apart=Apart.SESSION)
        self._process.tell(begin)

    def play(self, order: bytes, tell: Callable[[str], None]) -> bytes:
        """The line with the result; `tell` is given the lines with moves that come before it.

        Raises:
            OSError: it has ended.
        """
        self._process.tell(order)
        while line := self._process.hear():
            match decode_news(line):
                case Played():
                    return line
                case Moved():
                    tell(line.decode())
        raise ConnectionError("the process that plays has ended")

    def end(self) -> None:
        """See it to its end, and its engines."""
        self._process.end(END_SECONDS)


_idle: list[Hand] = []
_lock = threading.Lock()


def play_job(begin: bytes, order: bytes, topic: str = "") -> bytes:
    """A task of the cluster: play a game and return the line that holds its result.

    Its moves become events of the topic, where there is one.
    """
    with _lock:
        mine = next((hand for hand in _idle if hand.begin == begin), None)
        if mine is not None:
            _idle.remove(mine)
        others = [hand for hand in _idle if hand.begin != begin]
        for hand in others:
            _idle.remove(hand)
    for hand in others:
        hand.end()
    hand = mine or Hand(begin)
    try:
        line = hand.play(order, _teller(topic))
    except BaseException:
        hand.end()
        raise
    with _lock:
        _idle.append(hand)
    return line


def _teller(topic: str) -> Callable[[str], None]:
    """Tells lines to whoever has subscribed to a topic."""
    if not topic:
        return lambda _line: None
    worker: Any = import_module("distributed").get_worker()
    return lambda line: worker.log_event(topic, line)


def release() -> None:
    """On each worker: send away whoever waits for another game."""
    with _lock:
        hands, _idle[:] = list(_idle), []
    for hand in hands:
        hand.end()
