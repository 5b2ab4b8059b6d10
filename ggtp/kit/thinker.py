"""A thread that thinks while the engine goes on answering.

A move that is withdrawn is never sent once `withdraw` has returned: finding out whether it is
still wanted and sending it are one step under a lock.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from ggtp.game import Move
from ggtp.kit.engine import Budget, Engine, Game


class Thinker:
    """Calls `Engine.choose` in a thread of its own, one request after the other."""

    def __init__(self, engine: Engine, send: Callable[[Budget, Move], None], failed: Callable[[], None]) -> None:
        """A thinker whose thread begins with the first request.

        Args:
            engine: who chooses.
            send: called in the thread with each request's budget and the move, if that is still wanted.
            failed: called in the thread, with the exception still being handled, when choosing or sending failed.
        """
        self._engine = engine
        self._send = send
        self._failed = failed
        self._requests: queue.SimpleQueue[tuple[Game, Budget]] = queue.SimpleQueue()
        self._wanted: list[Budget] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.resting = threading.Lock()
        """Held while the engine chooses: who takes it has the engine for itself."""

    def ask(self, game: Game, budget: Budget) -> None:
        """Ask for a move; every request that is not withdrawn gets one."""
        with self._lock:
            self._wanted.append(budget)
        self._requests.put((game, budget))
        if self._thread is None:
            # A daemon: the process does not wait for a search that nobody wants.
            self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
            self._thread.start()

    def withdraw(self) -> None:
        """Want no move any more. The search ends soon after; its move is not sent."""
        if not self._wanted:
            return
        with self._lock:
            for budget in self._wanted:
                budget.withdrawn = True
            self._wanted.clear()

    def _run(self) -> None:
        try:
            while True:
                self._think(*self._requests.get())
        except BaseException:  # noqa: BLE001  whatever it was, silence would let the referee wait
            self._failed()

    def _think(self, game: Game, budget: Budget) -> None:
        if budget.withdrawn:
            return
        with self.resting:
            move = self._engine.choose(game, budget)
        with self._lock:
            if not budget.withdrawn:
                self._wanted.remove(budget)
                self._send(budget, move)
