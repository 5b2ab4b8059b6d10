"""One engine on another machine: the same to the driver as `EngineLink`, without a process of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.driver.link import OnFailed
from ggtp.driver.remote.admission import Lobby
from ggtp.errors import Backlogged, ConnectionLost, EngineFailedToStart, MessageTooLong, TransportError
from ggtp.game import Rules
from ggtp.play.play import REMOTE
from ggtp.referee.effects import Bounds
from ggtp.transport.base import OnLine
from ggtp.transport.secure.door import AdmittedWire

GOODBYE_SECONDS = 1.0
"""How long one that was told to leave may take to hang up."""


@dataclass(frozen=True, slots=True)
class RemoteEngine:
    """What is known of an engine on another machine: the name of its key."""

    key_name: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`remote:alice`."""
        return f"{REMOTE}{self.key_name}"

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """Whether it plays these rules: it says so itself when it is told them."""
        return True


class RemoteLink:
    """An engine from the moment it is given a seat. `on_failed` is called at most once, and never after `stop`."""

    pid: int | None = None
    """No process of this machine."""

    def __init__(
        self, engine: RemoteEngine, bounds: Bounds, lobby: Lobby | None, on_line: OnLine, on_failed: OnFailed
    ) -> None:
        self._engine = engine
        self._bounds = bounds
        self._lobby = lobby
        self._on_line = on_line
        self._on_failed = on_failed
        self._wire: AdmittedWire | None = None
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: asyncio.Task[AdmittedWire] | None = None
        self._over = False

    async def start(self) -> None:
        """Wait until it is there.

        Raises:
            EngineFailedToStart: it did not come in time.
        """
        try:
            if self._lobby is None:
                raise EngineFailedToStart("nobody can connect: open the door first, with listen")
            if self._over:
                raise EngineFailedToStart("it was stopped")
            coming = self._lobby.engine(self._engine.key_name, self._bounds.connect_seconds)
            self._waiting = asyncio.get_running_loop().create_task(coming)
            self._wire = await self._waiting
        except asyncio.CancelledError:
            if self._over:  # it was muted, and nobody has cancelled us
                raise EngineFailedToStart(f"Engine {self._engine.name} was stopped.") from None
            raise
        except EngineFailedToStart as error:
            raise EngineFailedToStart(f"Engine {self._engine.name} is not there: {error}.") from None
        finally:
            self._waiting = None
        self._wire.attend(self._on_line, self._lost)

    def send(self, lines: Sequence[bytes]) -> None:
        """Send lines. An engine that is gone, or does not read, is reported through `on_failed`."""
        if self._wire is None or self._over:
            return
        try:
            self._wire.send(lines)
        except Backlogged:
            asyncio.get_running_loop().call_soon(self._failed, "silence", "it does not read what it is told.")
        except ConnectionLost as error:
            asyncio.get_running_loop().call_soon(self._lost, error)

    async def stop(self, *, kindly: bool) -> None:
        """Let it go; kindly, it may take a moment to hear of it."""
        self.mute()
        wire = self._wire
        if wire is None:
            return
        if kindly and not self._gone.done():
            await asyncio.wait((self._gone,), timeout=GOODBYE_SECONDS)
        wire.close()

    def mute(self) -> None:
        """Hear nothing of it any more; waiting for it is given up."""
        self._over = True
        if self._waiting is not None:
            self._waiting.cancel()
        if self._wire is not None:
            self._wire.attend(lambda _line, _at: None, self._lost)
            if self._lobby is not None:
                self._lobby.given_back(self._wire)  # whoever wants it again waits until it comes again

    def last_words(self) -> str:
        """What it writes to standard error stays on its machine."""
        return ""

    def _lost(self, error: TransportError) -> None:
        if not self._gone.done():
            self._gone.set_result(None)
        if self._wire is not None and self._lobby is not None:
            self._lobby.given_back(self._wire)
        if isinstance(error, MessageTooLong):
            self._failed("flood", f"it sent {error}.")
        else:
            self._failed("lost", f"{error}.")

    def _failed(self, fault: str, what: str) -> None:
        if not self._over:
            self._over = True
            self._on_failed(fault, what, "")
