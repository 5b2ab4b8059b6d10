"""A search of a compiled game, made in the background: libraries, machine code and kernels take their time.

First a search is made with a kernel that is there at once; then one of games whose players look ahead, where it can be
had; and else, where the game is large, the fastest kernel for it. Minimax comes last, unless the kernel takes long.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ggtp.search.mcts.options import Settings
from ggtp.search.watch import wait_for

if TYPE_CHECKING:
    from ggtp.gdl.kernel.playouts import PlayoutKernel
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.mcts.compiled.search import CompiledSearch

AHEAD_FIRST = 15_000
"""Operations of games whose players look ahead, up to which minimax waits for them: a second or so to compile. At
Connect Four on a board of 5 by 300 it would wait for ten."""


class SearchMaker:
    """Makes a search in a thread of its own, beginning now."""

    def __init__(
        self, find: Callable[[Callable[[], bool]], CompiledGame | None], settings: Settings, rng: random.Random
    ) -> None:
        """Begin.

        Args:
            find: waits for the compiled game, unless what it is handed says stop; None where there will be none.
            settings: how to search.
            rng: the one source of chance.
        """
        self._find, self._settings, self._rng = find, settings, rng
        self._search: CompiledSearch | None = None
        self._best: PlayoutKernel | None = None
        self._preferred: PlayoutKernel | None = None
        self._stopped = False
        self._ready = threading.Event()
        self._decided = threading.Event()
        """Whether there will be no other kernel."""
        self._thread = threading.Thread(target=self._make, daemon=True, name="compiler")
        self._thread.start()

    def _make(self) -> None:
        try:
            game = self._find(lambda: self._stopped)
            if game is None or self._stopped or not self._settings.evaluation.in_code:
                return
            # Loading them takes a third of a second, which need not be anybody's.
            from ggtp.gdl.kernel.playouts import SOON, Cancelled
            from ggtp.search.mcts.compiled.search import CompiledSearch

            small = game.step.operations <= SOON
            self._best = game.best() if small else game.at_once
            self._search = CompiledSearch(game, self._settings, self._rng, self._best)
            self._ready.set()
            try:
                foresight = self._settings.foresight and self._settings.evaluation.fused
                step = game.foreseeing_step if foresight else None
                if step is not None and step.operations > AHEAD_FIRST:
                    self._load_scouts(self._search)
                ahead = game.foreseeing(lambda: self._stopped) if step is not None else None
                self._best = ahead or self._best
                self._load_scouts(self._search)
                if ahead is None and not small:
                    self._best = game.best(lambda: self._stopped)
            except Cancelled:
                return
            self._decided.set()
            # What there is to learn is learned before it is needed, where there is a processor for it.
            self._search.study(lambda: self._stopped)
        except MemoryError:
            return  # what is there at once serves on, or positions are searched
        finally:
            self._ready.set()
            self._decided.set()

    def _load_scouts(self, search: CompiledSearch) -> None:
        if self._settings.minimax and not self._stopped:
            search.load_scouts()

    def stop(self) -> None:
        """Nobody wants it any more."""
        self._stopped = True

    def prefer(self, kernel: PlayoutKernel | None) -> None:
        """Search with this kernel from the next search on, whatever else is made; None for the best of what is made."""
        self._preferred = kernel

    def search(
        self, seconds: float | None = 0, should_stop: Callable[[], bool] = lambda: False
    ) -> CompiledSearch | None:
        """The search, with the best kernel that there is now; None where it is not there within so many seconds.

        Args:
            seconds: how long to wait for it; None for as long as it takes.
            should_stop: is asked meanwhile.
        """
        wait_for(self._ready, seconds, should_stop)
        search, best = self._search, self._preferred or self._best
        if search is not None and best is not None:
            search.use(best)
        return search

    def wait_for_kernel(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Wait until there will be no other kernel: what so many playouts find must not depend on when they begin."""
        wait_for(self._decided, None, should_stop)

    def wait_for_best(self, seconds: float | None) -> bool:
        """Wait until there will be nothing better; whether it is so far."""
        self._thread.join(seconds)
        return not self._thread.is_alive()
