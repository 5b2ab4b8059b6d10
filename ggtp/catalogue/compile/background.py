"""Rules compiled in the background, while the interpreter plays already.

A thread waits for the child that does the heavy part, so that it can be stopped within a moment,
and neither outlives the program.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ggtp.catalogue.compile.compiler import COMPILING, Compiler, Limits
from ggtp.errors import GgtpError
from ggtp.game import Rules
from ggtp.game.guard import bare_rules

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.gdl.play.rules import GdlRules

SECONDS = 300.0
"""How long it may take while somebody plays already; that is processor time, and somewhat more on the clock."""
MEGABYTES = 4096


class Compilation:
    """Rules that are being compiled; it ends in a compiled game, or without one, and says so.

    Order of operations: it begins when it is made; `wait` and `stop` as often as wanted, from any thread.
    """

    def __init__(
        self,
        compiler: Compiler,
        rules: GdlRules,
        megabytes: int = MEGABYTES,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin to compile the rules, which go over to the compiled machine as soon as it is there.

        Args:
            compiler: keeps the result, if it has a cache.
            rules: the rules.
            megabytes: how much memory the work may take.
            ended: is called in another thread when nothing more will happen.
        """
        self.rules = rules
        self.game: CompiledGame | None = None
        """The compiled game, once it is there."""
        self.why = ""
        """Why there will be none."""
        self.megabytes = megabytes
        self._compiler = compiler
        self._tell = ended
        self._child = False
        self._stopped = threading.Event()
        self._ended = threading.Event()
        # A daemon: who leaves does not wait for it.
        try:
            threading.Thread(target=self._run, name=f"compiling {rules.name}", daemon=True).start()
        except RuntimeError:
            self.why = "the system starts no more threads"
            self._ended.set()

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self._ended.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, at most so long; whether it is."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Give it up, unless it is done. The child ends within a moment, and `wait` tells when."""
        self._stopped.set()

    def close(self, seconds: float) -> None:
        """Give it up, and see the child to its end, if there is one, in at most so many seconds."""
        self._stopped.set()
        if self._child:
            self._ended.wait(seconds)

    def _run(self) -> None:
        limits = Limits(SECONDS, min(self.megabytes, MEGABYTES))
        try:
            self.game = self._compiler.equip(
                self.rules, limits, progress=self._heed, should_stop=self._stopped.is_set
            ).game
        except GgtpError as error:
            self.why = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a library has, the interpreter plays on
            self.why = f"{type(error).__name__}: {error}"
        finally:
            self._ended.set()
            self._tell()

    def _heed(self, text: str) -> None:
        # What is done here and not in a child ends with the program, and takes no part in how fast it leaves.
        self._child = text != COMPILING


def begin_compiling(
    compiler: Compiler, rules: Rules, megabytes: int = MEGABYTES, ended: Callable[[], None] = lambda: None
) -> Compilation | None:
    """Compile rules in the background; None for rules that are no text in the Game Description Language."""
    if rules.text is None:
        return None
    from ggtp.gdl.play.rules import GdlRules  # loaded by now, if these are such rules

    bare = bare_rules(rules)
    return Compilation(compiler, bare, megabytes, ended) if isinstance(bare, GdlRules) else None
