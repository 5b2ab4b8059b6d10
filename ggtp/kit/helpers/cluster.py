"""Helpers of an engine on the workers of a Dask cluster.

A thread of its own talks with the cluster, from connecting on, so that whoever chooses a move never waits for a
scheduler that is slow, stopped or gone.
"""

from __future__ import annotations

import asyncio
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ggtp.kit.helpers.helper import Request, think_here
from ggtp.kit.helpers.team import LOOK, Findings, TeamError
from ggtp.kit.settings import SEED

LIBRARY = "distributed"
CONNECT_SECONDS = 10.0
LOOK_SECONDS = 0.5
"""How often the scheduler is asked which workers there are."""
SILENCE = 5.0
"""Seconds after which a scheduler that does not answer is not waited for."""
CLOSING_SECONDS = 2.0
"""How long the cluster has to hear that we leave."""


class Cluster:
    """Helpers on the workers of a Dask cluster, one each; workers may come and go between moves."""

    def __init__(self, module: str, address: str) -> None:
        """Begin to connect to a scheduler; `wait` says whether it has answered.

        Raises:
            TeamError: the library is missing.
        """
        _look_for_library()
        self._module, self._address = module, address
        self._token = secrets.token_hex(8)
        self._round = 0
        self._owing: set[str] = set()
        """Which workers have not answered the last question yet."""
        self._heard: queue.SimpleQueue[tuple[int, str, Findings]] = queue.SimpleQueue()
        """Which question, by whom, and what was found."""
        # The rest is written by the thread that talks, and read by others.
        self._workers: frozenset[str] = frozenset()
        self._seen = 0.0
        """When the scheduler has answered last."""
        self._failed = ""
        self._client: Any = None  # the library has no types
        self._loop: asyncio.AbstractEventLoop | None = None
        self._talk: asyncio.Task[None] | None = None
        self._thinking: set[asyncio.Task[None]] = set()
        self._closing = False
        self._joined = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="cluster")
        self._thread.start()

    @property
    def workers(self) -> frozenset[str]:
        """Where they are, as far as the scheduler has said so."""
        return frozenset() if self.lost else self._workers

    @property
    def trouble(self) -> str:
        if self._failed:
            return self._failed
        if not self._joined.is_set():
            return f"The scheduler of a cluster at {self._address} has not answered yet."
        if self.lost:
            return f"The scheduler of the cluster at {self._address} is gone."
        if time.monotonic() - self._seen > SILENCE:
            return f"The scheduler of the cluster at {self._address} does not answer."
        return "" if self._workers else f"The cluster at {self._address} has no workers."

    @property
    def lost(self) -> bool:
        return self._joined.is_set() and (self._client is None or self._client.status != "running")

    @property
    def waiting(self) -> int:
        return len(self._owing)

    def wait(self, seconds: float) -> bool:
        return self._joined.wait(seconds) and not self.lost

    def ask(self, request: Request) -> None:
        self._round += 1
        workers = self.workers
        self._owing = set(workers)
        self._do(self._begin, self._round, request, workers)

    def answers(self, deadline: float | None, should_stop: Callable[[], bool] = lambda: False) -> list[Findings]:
        found: list[Findings] = []
        while self._owing and not should_stop():
            left = LOOK if deadline is None else min(LOOK, deadline - time.monotonic())
            try:
                number, worker, findings = self._heard.get(timeout=max(0.0, left))
            except queue.Empty:
                silent = deadline is None and time.monotonic() - self._seen > SILENCE
                if left <= 0 or silent:
                    break
                self._owing &= self.workers
                continue
            if number == self._round and worker in self._owing:
                self._owing.discard(worker)
                found.append(findings)
        return found

    def withdraw(self) -> None:
        if self._owing:
            self._owing = set()
            self._do(self._forget)

    def close(self) -> None:
        self._closing = True
        self._do(self._leave)
        self._thread.join(2 * CLOSING_SECONDS)

    def _do(self, what: Callable[..., None], *args: Any) -> None:
        """Have something done by the thread that talks, if it still does."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(what, *args)

    # In the thread that talks.

    def _run(self) -> None:
        try:
            library = import_module(LIBRARY)  # which takes a second or two
            asyncio.run(self._stay(library))
        except Exception as error:  # noqa: BLE001  whatever a cluster raises, we do without it
            self._failed = f"No scheduler of a cluster answers at {self._address}: {error}."
        finally:
            self._workers = frozenset()
            self._joined.set()

    async def _stay(self, library: Any) -> None:
        self._talk = asyncio.current_task()
        self._loop = asyncio.get_running_loop()
        if self._closing:
            return
        with suppress(asyncio.CancelledError):
            connecting = library.Client(self._address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False)
            try:
                self._client = await connecting
                while self._client.status != "closed":
                    await self._see()
                    self._joined.set()
                    await asyncio.sleep(LOOK_SECONDS)
            finally:
                self._forget()
                with suppress(Exception):
                    async with asyncio.timeout(CLOSING_SECONDS):
                        await connecting.close()

    async def _see(self) -> None:
        """Ask who is there."""
        try:
            async with asyncio.timeout(SILENCE):
                told = await self._client.scheduler.identity()
        except (OSError, AttributeError):  # a timeout is one; without a connection there is no scheduler to ask
            if self._client.status != "running":
                self._workers = frozenset()
            return
        about = told.get("workers", {})
        self._workers = frozenset(name for name in about if about[name].get("status", "running") == "running")
        self._seen = time.monotonic()

    def _begin(self, number: int, request: Request, workers: frozenset[str]) -> None:
        self._forget()
        self._thinking = {asyncio.ensure_future(self._think(number, request, worker)) for worker in workers}

    async def _think(self, number: int, request: Request, worker: str) -> None:
        """Let a worker think, and note what it finds."""
        options = {**request["options"], SEED: secrets.token_hex(4)}
        future: Any = None
        findings: Findings = {"failed": "It was given up."}
        try:
            future = self._client.submit(
                think_here,
                self._token,
                self._module,
                {**request, "options": options},
                workers=[worker],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
            findings = await future
        except Exception as error:  # noqa: BLE001  whatever a cluster raises, we do without it
            findings = {"failed": str(error) or type(error).__name__}
        finally:
            if future is not None:
                future.release()  # whoever still thinks about it sees that
            self._heard.put((number, worker, findings))

    def _forget(self) -> None:
        """Nobody waits for what was asked before."""
        for task in self._thinking:
            task.cancel()
        self._thinking = set()

    def _leave(self) -> None:
        if self._talk is not None:
            self._talk.cancel()


def _look_for_library() -> None:
    if find_spec(LIBRARY) is None:
        raise TeamError(f"{LIBRARY} is not installed, which a cluster needs: pip install 'ggtp[cluster]'.")


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """A scheduler and worker processes on this machine; yields the scheduler's address.

    Raises:
        TeamError: the library is missing.
    """
    _look_for_library()
    make: Any = import_module(LIBRARY).LocalCluster
    with make(n_workers=workers, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs=50) as made:
        yield str(made.scheduler_address)
