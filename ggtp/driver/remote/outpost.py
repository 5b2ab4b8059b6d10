"""An engine of this machine at a referee on another one: its lines go through a connection with keys.

The engine is any that the catalogue finds, in its own process, within its own bounds. It is started when the referee
says the first word and ended when the connection ends, so that every seat, and every seat that is given back after a
cut cable, begins with a new engine, to which the referee tells the play.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ggtp.catalogue import EngineSpec
from ggtp.driver.link import EngineLink
from ggtp.driver.remote.admission import Keyring, own_key
from ggtp.driver.tasks import spawn
from ggtp.errors import EngineFailedToStart, GgtpError, NotAdmitted, TransportError, with_last_words
from ggtp.referee.effects import Bounds
from ggtp.transport.secure.curve import FIRST_SECONDS, CalledWire, call
from ggtp.transport.secure.keys import KeyPair, parse_key, read_key

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds between two tries to connect: the first, and the longest that they grow to."""
GOODBYE = b"disconnect_engine"
GOODBYE_SECONDS = 2.0
"""How long an engine may take to acknowledge that it is dismissed."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Referee:
    """Where a referee is, how to know it, and who we are there."""

    address: str
    key: bytes
    own: KeyPair
    silence: float = 10.0

    @classmethod
    def read(cls, address: str, key: str, own: Path | None, keyring: Keyring, silence: float) -> Referee:
        """From what a person gives: an address with or without `tcp://`, and a key in hexadecimal digits.

        Raises:
            GgtpError: the address or a key is none.
        """
        full = address if "://" in address else f"tcp://{address}"
        host, colon, port = full.removeprefix("tcp://").rpartition(":")
        if not full.startswith("tcp://") or not host or not colon or not (port.isascii() and port.isdigit()):
            raise TransportError(f"{address} is no address of a referee: host:port is needed")
        return cls(full, parse_key(key), read_key(own) if own is not None else own_key(keyring), silence)

    async def call(self, limit: int) -> CalledWire:
        """Connect to it."""
        return await call(self.address, self.own, self.key, limit=limit, silence=self.silence, seconds=FIRST_SECONDS)


async def keep_calling(
    connect: Callable[[], Awaitable[T]], log: Callable[[str], None], *, sleep: Callable[[float], Awaitable[None]]
) -> T:
    """Try to connect until it works, less and less often, and say why it does not whenever that has changed.

    Raises:
        NotAdmitted: there is no use in trying again.
    """
    pause, told = FIRST_PAUSE, ""
    while True:
        try:
            return await connect()
        except NotAdmitted:
            raise
        except TransportError as error:
            if str(error) != told:
                told = str(error)
                log(f"{told}; trying again")
        await sleep(pause)
        pause = min(LONGEST_PAUSE, 2 * pause)


class Outpost:
    """Keeps an engine at a referee's disposal until it is cancelled."""

    def __init__(self, spec: EngineSpec, referee: Referee, bounds: Bounds, log: Callable[[str], None]) -> None:
        self._spec = spec
        self._referee = referee
        self._bounds = bounds
        self._log = log
        self._noted: set[str] = set()

    def _note(self, text: str) -> None:
        """Log how the engine was started, each thing once."""
        if text not in self._noted:
            self._noted.add(text)
            self._log(text)

    async def run(self, *, once: bool = False) -> None:
        """Connect, play, and connect again; with `once`, no longer than until the referee says goodbye.

        Raises:
            NotAdmitted: the referee does not know our key, or is another one.
            EngineFailedToStart: with `once`, the engine does not start.
        """
        while True:
            wire = await keep_calling(
                lambda: self._referee.call(self._bounds.line_bytes), self._log, sleep=asyncio.sleep
            )
            self._log(f"connected to {self._referee.address}")
            stay = Stay(self._spec, self._bounds, wire, self._note)
            try:
                ended = await stay.run()
            except EngineFailedToStart as error:
                if once:
                    raise
                self._log(str(error))
                await asyncio.sleep(LONGEST_PAUSE)
                continue
            self._log(ended)
            if once and stay.dismissed:
                return


class Stay:
    """One connection, and the engine that plays through it."""

    def __init__(self, spec: EngineSpec, bounds: Bounds, wire: CalledWire, note: Callable[[str], None]) -> None:
        self._spec = spec
        self._bounds = bounds
        self._note = note
        self._wire = wire
        self._link: EngineLink | None = None
        self._early: list[bytes] = []
        """What the referee said before the engine was there."""
        self._ready = False
        self._over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.dismissed = False
        """Whether the referee has said goodbye."""

    async def run(self) -> str:
        """Until the connection or the engine ends; answers what happened.

        Raises:
            EngineFailedToStart: the engine does not start.
        """
        self._wire.attend(self._heard, lambda error: self._end(f"{error}"))
        try:
            return await self._over
        finally:
            link, self._link = self._link, None
            self._wire.close_kindly()
            if link is not None:
                link.mute()
                await link.stop(kindly=self.dismissed)

    def _heard(self, line: bytes, _at: float) -> None:
        """The referee speaks."""
        if self._link is None and not self._over.done():
            self._link = EngineLink(self._spec, self._bounds, self._said, self._failed, on_note=self._note)
            spawn(self._start(self._link))
        if line == GOODBYE:
            self.dismissed = True
            asyncio.get_running_loop().call_later(GOODBYE_SECONDS, self._end, "the referee has said goodbye")
        if self._ready and self._link is not None:
            self._link.send([line])
        else:
            self._early.append(line)

    async def _start(self, link: EngineLink) -> None:
        try:
            await link.start()
        except GgtpError as error:
            if not self._over.done():
                self._over.set_exception(error)
                self._over.exception()
            return
        self._ready = True
        lines, self._early = self._early, []
        link.send(lines)

    def _said(self, line: bytes, _at: float) -> None:
        """The engine speaks."""
        try:
            self._wire.send([line])
        except TransportError as error:
            self._end(str(error))

    def _failed(self, fault: str, what: str, last_words: str) -> None:
        if self.dismissed:
            self._end("the referee has said goodbye")
            return
        self._end(with_last_words(f"{self._spec.name} failed, {fault}: {what}", last_words))

    def _end(self, what: str) -> None:
        if not self._over.done():
            self._over.set_result(what)
