"""A person of this machine at a referee on another one: lines there and back, and a new connection after a loss."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ggtp.driver.remote.admission import JOIN
from ggtp.driver.remote.outpost import Referee, keep_calling
from ggtp.errors import TransportError
from ggtp.transport.secure.curve import CalledWire

LIMIT = 1 << 20
"""Bytes of a line from the referee."""
GOODBYE = "= Goodbye"


class Visit:
    """Order of operations: `run` in a task; `say` as often as wanted; it is over when `run` returns."""

    def __init__(self, referee: Referee, wanted: str, hear: Callable[[str], None], note: Callable[[str], None]) -> None:
        """A visit that has not begun.

        Args:
            referee: where to.
            wanted: the player to be; empty for any.
            hear: called with each line of the referee.
            note: called with what there is to say about the connection.
        """
        self._referee = referee
        self._wanted = wanted
        self._hear = hear
        self._note = note
        self._wire: CalledWire | None = None
        self._lost: asyncio.Future[str] | None = None
        self._over = False
        self._owed = 0
        self._answered = asyncio.Event()
        self._answered.set()

    async def run(self) -> None:
        """Stay until `leave`, or until the referee says goodbye; after a loss, come again.

        Raises:
            NotAdmitted: the referee does not know our key, or is another one.
        """
        while not self._over:
            wire = await keep_calling(lambda: self._referee.call(LIMIT), self._note, sleep=asyncio.sleep)
            self._lost = asyncio.get_running_loop().create_future()
            wire.attend(self._line, self._gone)
            try:
                wire.send([b" ".join((JOIN, self._wanted.encode())).rstrip()])
                self._wire = wire
                why = await self._lost
            finally:
                self._wire = None
                self._owed = 0
                self._answered.set()
                wire.close_kindly()
            if not self._over:
                self._note(f"{why}; trying again")

    def say(self, line: str) -> bool:
        """Say a line; False where nobody is there to hear it."""
        if self._wire is None:
            return False
        try:
            self._wire.send([line.encode("utf-8", "replace")])
        except TransportError:
            return False
        self._owed += 1
        self._answered.clear()
        return True

    async def answered(self) -> None:
        """Wait until everything that was said is answered, or can't be any more."""
        await self._answered.wait()

    async def connected(self) -> None:
        """Wait until there is a referee to talk to."""
        while self._wire is None and not self._over:  # noqa: ASYNC110 - rarely, and never for long
            await asyncio.sleep(0.02)

    def leave(self) -> None:
        """Go."""
        self._over = True
        self._end("left")

    def _line(self, line: bytes, _at: float) -> None:
        text = line.decode("utf-8", "replace")
        self._hear(text)
        if text.startswith(("= ", "? ")):
            self._owed = max(0, self._owed - 1)
            if not self._owed:
                self._answered.set()
        if text == GOODBYE:
            self.leave()

    def _gone(self, error: TransportError) -> None:
        self._end(str(error))

    def _end(self, why: str) -> None:
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(why)
