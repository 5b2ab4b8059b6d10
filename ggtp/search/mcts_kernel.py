"""The best playout kernel of a game, made in the background; until it is there, one that is there at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.gdl.compiled import CompiledGame
    from ggtp.gdl.kernel import PlayoutKernel


class BestKernel:
    """Makes the kernel in a thread of its own, beginning now."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self._best: PlayoutKernel | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._make, daemon=True, name="compiler")
        self._thread.start()

    def _make(self) -> None:
        # Where it can't be made, what is there at once serves on.
        from ggtp.gdl.kernel import Cancelled

        try:
            self._best = self.game.best(lambda: self._stopped)
        except (Cancelled, MemoryError):
            return

    def stop(self) -> None:
        """Nobody wants it any more."""
        self._stopped = True

    def wait(self, seconds: float | None) -> bool:
        """Wait for it; whether it is there."""
        self._thread.join(seconds)
        return self._best is not None

    def ready(self) -> PlayoutKernel:
        """The best one that there is now."""
        return self._best or self.game.at_once

    def better_than(self, kernel: PlayoutKernel) -> bool:
        """Whether there is a better one now than this one was."""
        return self._best is not None and kernel is not self._best
