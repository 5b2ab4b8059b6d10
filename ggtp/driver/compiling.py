"""Compiles the rules on the table in the background, while the interpreter plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ggtp.driver.tasks import in_thread
from ggtp.game import Rules
from ggtp.referee.views import View

if TYPE_CHECKING:
    from ggtp.catalogue.compile.background import Compilation
    from ggtp.catalogue.compile.compiler import Compiler

COMPILE_AFTER = 1.0
"""How long a rule must be on the table before it is compiled: what is over by then is not worth a process."""
COMPILE_MEBIBYTES = 2048
"""What that may take: the referee plays on without it, and others want memory too."""
CLOSING_SECONDS = 2.0
"""How long to wait at the end for a process that compiles."""


class Workshop:
    """Sees to it that the rules of one referee are compiled, and to nothing where there is no compiler."""

    def __init__(self, view: View, compiler: Compiler | None, on_change: Callable[[], None]) -> None:
        self.compiler = compiler
        self.timer: asyncio.TimerHandle | None = None
        """Until rules have been on the table long enough."""
        self.compilation: Compilation | None = None
        self._view = view
        self._on_change = on_change
        self._rules: Rules | None = None
        """The rules on the table that are compiled, or are to be soon."""

    @property
    def machine(self) -> str:
        """Who plays the rules on the table, in a word, where that is a question: for front ends to show."""
        compilation = self.compilation
        if compilation is None:
            return ""
        if not compilation.over:
            return "compiling"
        return "interpreted" if compilation.game is None else "compiled"

    def look(self) -> None:
        """Something has happened: other rules may be on the table."""
        if self.compiler is not None and self._wanted() is not self._rules:
            self._rules_changed()

    def _wanted(self) -> Rules | None:
        """The rules on the table, if they are text and are to be compiled."""
        rules = self._view.play.rules
        if rules is None or rules.text is None or not self._view.on("compile"):
            return None
        return rules

    def _rules_changed(self) -> None:
        """Other rules are on the table: what is being compiled is not wanted any more, and they may be, soon."""
        self._rules = rules = self._wanted()
        self.cancel()
        if self.compilation is not None:
            self.compilation.stop()
            self.compilation = None
        if rules is not None:
            self.timer = asyncio.get_running_loop().call_later(COMPILE_AFTER, self._compile, rules)

    def _compile(self, rules: Rules) -> None:
        from ggtp.catalogue.compile.background import begin_compiling  # only those who play such a game pay for it

        assert self.compiler is not None
        loop = asyncio.get_running_loop()

        def ended() -> None:
            with suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(self._on_change)

        self.timer = None
        self.compilation = begin_compiling(self.compiler, rules, COMPILE_MEBIBYTES, ended)
        self._on_change()

    def cancel(self) -> None:
        """Begin nothing."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    async def close(self) -> None:
        """End what is being compiled."""
        self.cancel()
        if self.compilation is not None:
            await in_thread(self.compilation.close, CLOSING_SECONDS)
