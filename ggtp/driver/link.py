"""One engine: its process, its wire, and what becomes of them."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable, Sequence
from importlib import import_module

from ggtp.catalogue import EngineSpec
from ggtp.driver.confine import terms_for
from ggtp.errors import Backlogged, ConnectionLost, EngineFailedToStart, MessageTooLong, TransportError, with_last_words
from ggtp.processes import family
from ggtp.processes.engine import EngineProcess, Limits
from ggtp.processes.sandbox.policy import Protection
from ggtp.referee.effects import Bounds
from ggtp.transport.base import OnLine, Wire
from ggtp.transport.stdio import StdioWire
from ggtp.transport.stream import ListeningWire

EXIT_SECONDS = 0.3
"""How long a broken connection waits for the news of an exit, which says more."""

MISSING = re.compile("no such file|not found|permission denied|read-only file system|unreachable", re.IGNORECASE)
"""What programs say that can't have what a sandbox keeps from them."""
HINT = ", in a sandbox that shows it little; see the keys reads, writes and network of its description"

OnFailed = Callable[[str, str, str], None]
"""The class of the fault, a sentence, and the last words."""

OnNote = Callable[[str], None]
"""A sentence for the supervisor about how an engine was started."""


class EngineLink:
    """An engine from its start to its end. `on_failed` is called at most once, and never after `stop`."""

    def __init__(
        self,
        spec: EngineSpec,
        bounds: Bounds,
        on_line: OnLine,
        on_failed: OnFailed,
        *,
        rule: str = "",
        hides: tuple[str, ...] = (),
        on_note: OnNote = lambda text: None,
    ) -> None:
        """An engine that has not been started.

        Args:
            spec: how it is started.
            bounds: what it may use.
            on_line: takes its lines.
            on_failed: takes the news that it has failed.
            rule: the name or path of the rules that it is to play, which it may have to read.
            hides: files that it must not see.
            on_note: takes sentences for the supervisor about how it was started.
        """
        self.spec = spec
        self._rule = rule
        self._hides = hides
        self._on_note = on_note
        self._bounds = bounds
        self._on_line = on_line
        self._on_failed = on_failed
        self._wire: Wire | None = None
        self._process: EngineProcess | None = None
        self._ready: asyncio.Future[None] | None = None
        self._over = False

    async def start(self) -> None:
        """Start the program and wait until it has connected.

        Raises:
            EngineFailedToStart: it could not be executed, or did not connect in time. Nothing is left of it.
        """
        self._ready = asyncio.get_running_loop().create_future()
        # If the program can't be started, this future is never awaited.
        self._ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        try:
            # By name: a transport is loaded when it is used, so that zmq costs nothing to those who don't.
            transport = import_module(f"ggtp.transport.{self.spec.transport}")
            self._wire = await transport.open_wire(
                self._on_line, self._lost, self._connected, limit=self._bounds.line_bytes
            )
            assert self._wire is not None
            for folder in self._wire.sockets:
                family.folder_begins(folder)
            terms = terms_for(
                self.spec,
                self._bounds,
                os.environ,
                rule=self._rule,
                sockets=self._wire.sockets,
                port=self._wire.port,
                hides=self._hides,
            )
            self._process = EngineProcess.start(
                self.spec.command(self._wire.endpoint, self._wire.host, self._wire.port),
                env=terms.env,
                cwd=self.spec.cwd,
                limits=Limits(memory_bytes=self._bounds.memory_bytes, processes=self._bounds.processes),
                on_exit=self._exited,
                on_limit=lambda what: self._failed("limit", what),
                stdio_wire=self._wire if isinstance(self._wire, StdioWire) else None,
                confinement=terms.confinement,
                on_listener=self._wire.listen_at if isinstance(self._wire, ListeningWire) else None,
            )
            for note in terms.overruled:
                self._on_note(f"{self.spec.name}: {note}")
            for note in self._process.protection.lacks:
                self._on_note(note)
            async with asyncio.timeout(self._bounds.connect_seconds):
                await self._ready
        except TimeoutError:
            await self._give_up(f"it did not connect within {self._bounds.connect_seconds:g} s")
        except (EngineFailedToStart, TransportError, OSError) as error:
            await self._give_up(str(error).rstrip("."))
        except asyncio.CancelledError:
            await self.stop(kindly=False)
            raise

    async def _give_up(self, why: str) -> None:
        words = self.last_words()
        await self.stop(kindly=False)
        raise EngineFailedToStart(with_last_words(f"Engine {self.spec.name} did not start: {why}.", words), words)

    def send(self, lines: Sequence[bytes]) -> None:
        """Send lines. An engine that is gone, or does not read, is reported through `on_failed`."""
        if self._wire is None or self._over:
            return
        try:
            self._wire.send(lines)
        except Backlogged:
            asyncio.get_running_loop().call_soon(self._failed, "silence", "it does not read what it is told.")
        except ConnectionLost as error:
            self._lost(error)

    async def stop(self, *, kindly: bool) -> None:
        """See it to its end; kindly, it may take a moment to end by itself."""
        self._over = True
        process, wire = self._process, self._wire
        if process is not None:
            await process.stop(kindly=kindly)
        self._close(wire)

    def kill(self) -> None:
        """End it now, without a loop."""
        self._over = True
        if self._process is not None:
            self._process.kill_now()
        self._close(self._wire)

    def _close(self, wire: Wire | None) -> None:
        if wire is not None:
            wire.close()
            for folder in wire.sockets:
                family.folder_ends(folder)

    def mute(self) -> None:
        """Hear nothing of it any more; a start that is under way is given up."""
        self._over = True
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(EngineFailedToStart("it was stopped"))

    @property
    def pid(self) -> int | None:
        """Its process."""
        return self._process.pid if self._process is not None else None

    @property
    def protection(self) -> Protection | None:
        """Its protection; None before it was started."""
        return self._process.protection if self._process is not None else None

    def sees(self, path: str) -> bool:
        """Return whether its sandbox lets it read a file at this path; no if it has none, and reads what we may."""
        process = self._process
        return process is not None and process.protection.kind != "none" and process.sees(path)

    def last_words(self) -> str:
        """The tail of what it wrote to standard error."""
        return self._process.last_words() if self._process is not None else ""

    # What happens to it.

    def _connected(self) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    def _exited(self, status: int) -> None:
        protection = self.protection
        boxed = protection is not None and protection.kind != "none"
        hint = HINT if boxed and status > 0 and MISSING.search(self.last_words()) else ""
        self._failed("exit", f"it ended {_status_words(status)}{hint}.")

    def _lost(self, error: TransportError) -> None:
        if isinstance(error, MessageTooLong):
            self._failed("flood", f"it sent {error}.")
            return
        asyncio.get_running_loop().call_later(EXIT_SECONDS, self._failed, "exit", f"{error}.")

    def _failed(self, fault: str, what: str) -> None:
        if self._over:
            return
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(EngineFailedToStart(what))
            return
        self._over = True
        self._on_failed(fault, what, self.last_words())


def _status_words(status: int) -> str:
    if status >= 0:
        return f"with exit status {status}"
    try:
        return f"by signal {signal.Signals(-status).name}"
    except ValueError:
        return f"by signal {-status}"
