"""The threads that search a tree of a compiled game in machine code, and how somebody waits for them.

The interpreter's lock is free while they search, so that they really run at the same time.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from ggtp.search.mcts.compiled.tree import FlatTree
from ggtp.search.mcts.compiled.worker import Worker
from ggtp.search.mcts.options import Settings

CALL = 0.004
"""Seconds that a call into machine code is to take."""
LOOK = 0.02
"""Seconds between two looks at whether to stop, where it is not known when that will be."""
QUICK = 0.002
"""Seconds of a batch up to which that is done."""
MOST_ROUNDS = 64


class Crew(ABC):
    """Threads, each with a worker of its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workers: list[Worker] = []
        """One for each thread that was ever wanted."""
        self._threads: list[threading.Thread] = []
        self._failed: BaseException | None = None
        self._round = 1.0
        """Seconds that a batch takes, where nothing interrupts it."""
        self.between: Callable[[], object] | None = None
        """Called between two calls into machine code, in one of the threads that search."""

    @abstractmethod
    def _worker(self, tree: FlatTree, number: int) -> Worker:
        """What the thread of that number needs."""

    @property
    def _quick(self) -> bool:
        """Whether a batch takes so little time that nobody need be afraid to wait for its end."""
        return self.settings.threads == 1 and self._round < QUICK

    def _start_threads(self, tree: FlatTree) -> None:
        tree.set("STOP", 0)
        self._failed = None
        while len(self.workers) < self.settings.threads:
            self.workers.append(self._worker(tree, len(self.workers)))
        self._threads = [
            threading.Thread(target=self._search, args=(tree, worker), daemon=True, name=f"search {number}")
            for number, worker in enumerate(self.workers[: self.settings.threads])
        ]
        for thread in self._threads:
            thread.start()

    def _search(self, tree: FlatTree, worker: Worker, deadline: float | None = None) -> None:
        """What a thread does: calls of some milliseconds, until there is a reason to stop."""
        try:
            rounds = 1
            took = 0.0
            while not tree.get("STOP") and (deadline is None or time.monotonic() + took < deadline):
                began = time.monotonic()
                done = worker.search(rounds)
                took = time.monotonic() - began
                self._round = min(1.1 * self._round, took / rounds)
                if worker is self.workers[0] and self.between is not None:
                    self.between()
                if done < rounds or tree.get("FULL") or worker.get("FOUND_ITEM") >= 0:
                    break
                rounds = max(1, min(MOST_ROUNDS, 2 * rounds, int(rounds * CALL / max(took, 1e-5))))
        except BaseException as error:  # noqa: BLE001  told to whoever waits
            self._failed = error

    def _wait(self, tree: FlatTree, should_stop: Callable[[], bool], deadline: float | None) -> bool:
        """Wait until a thread has a reason to stop, which ends the others too, or it is told to; says which."""
        while True:
            if should_stop():
                return True
            left = LOOK if deadline is None else min(LOOK, deadline - time.monotonic())
            if left <= 0:
                return True
            alive = [thread for thread in self._threads if thread.is_alive()]
            if len(alive) < len(self._threads):
                tree.set("STOP", 1)
            if not alive:
                return False
            alive[0].join(left)

    def _quiet(self, deadline: float | None) -> bool:
        """Wait for the threads to end; whether they have."""
        for thread in self._threads:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            thread.join(left)
            if thread.is_alive():
                return False
        self._threads = []
        return True
