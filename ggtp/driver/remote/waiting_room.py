"""The referee's side of the door to other machines: it is opened when it is wanted, and people come and go there."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ggtp.errors import CommandError, TransportError
from ggtp.play.play import REMOTE
from ggtp.referee.effects import FoundEngine, Listen, VisitorId
from ggtp.referee.events import Event, VisitorCame, VisitorLeft, VisitorSaid
from ggtp.transport.secure.keys import NAME

if TYPE_CHECKING:
    from ggtp.driver.remote.admission import Keyring, Lobby
    from ggtp.transport.secure.door import AdmittedWire

GOODBYE_SECONDS = 0.5
"""How long people on other machines may take to hear that the referee leaves."""
VISITOR_SECONDS = 0.02
"""How long after a line of a person on another machine the next one is heard."""


class Porch:
    """Most referees never open a door, and pay nothing for this."""

    def __init__(
        self, post: Callable[[Event], None], inform: Callable[[str], None], keyring: Keyring | None = None
    ) -> None:
        self.lobby: Lobby | None = None
        self._keyring = keyring
        """The keys with which the door is opened; None: the user's own."""
        self._post = post
        self._inform = inform
        self._visitors: dict[VisitorId, AdmittedWire] = {}
        """People on other machines."""
        self._count = 0

    @property
    def connections(self) -> list[tuple[str, str]]:
        """Who is connected from other machines, and whether it is an `engine` or a `person`."""
        return [(name, role) for name, role, _, _ in self.lobby.names()] if self.lobby is not None else []

    def engines(self) -> list[str]:
        """The engines that are connected from other machines, by the names of their keys."""
        return list(self.lobby.engines()) if self.lobby is not None else []

    async def listen(self, wish: Listen) -> tuple[str, str]:
        """Open the door; the address, and the key there.

        Raises:
            CommandError: it can't be opened there.
        """
        from ggtp.driver.remote import admission  # most referees have no door

        if self.lobby is None:
            keyring = self._keyring or admission.usual_keyring(os.environ)
            self.lobby = admission.Lobby(keyring, self._person, self._inform)
        try:
            return await self.lobby.open(
                wish.address, anyone=wish.anyone, limit=wish.line_bytes, silence=wish.silence_seconds
            )
        except TransportError as error:
            raise CommandError(f"It can't be listened there: {error}.") from error

    async def list_connections(self) -> list[str]:
        """Everybody who is connected, as `name role address`.

        Raises:
            CommandError: nobody listens.
        """
        return [
            f"{name} {role} {address}{' at the table' if seated and role == 'engine' else ''}"
            for name, role, address, seated in self._open_door().names()
        ]

    async def stop_listening(self) -> None:
        """Close the door.

        Raises:
            CommandError: nobody listens.
        """
        self._open_door().close()

    def _open_door(self) -> Lobby:
        from ggtp.driver.remote import admission

        return admission.need(self.lobby)

    def whisper(self, number: VisitorId, texts: tuple[str, ...]) -> None:
        """Tell a person something."""
        wire = self._visitors.get(number)
        if wire is None:
            return
        try:
            wire.send([text.encode("utf-8", "backslashreplace") for text in texts])
        except TransportError as error:
            asyncio.get_running_loop().call_soon(wire.cut, error)

    async def close(self) -> None:
        """Give people, who were told goodbye, a moment to hear it, and close the door."""
        if self.lobby is None:
            return
        deadline = time.monotonic() + GOODBYE_SECONDS
        while self._visitors and time.monotonic() < deadline:  # noqa: ASYNC110 - at the end, and not for long
            await asyncio.sleep(0.01)
        self.lobby.close()

    def _person(self, wire: AdmittedWire, wanted: str) -> None:
        """Somebody has joined who is a person."""
        self._count += 1
        number = self._count
        self._visitors[number] = wire
        wire.attend(partial(self._line, number), lambda _error: self._lost(number))
        self._post(VisitorCame(number, wire.name, wanted, time.monotonic()))

    def _line(self, number: VisitorId, line: bytes, at: float) -> None:
        wire = self._visitors[number]
        # So many lines a second are enough for a person; the others wait at the other end.
        wire.reading(False)
        asyncio.get_running_loop().call_later(VISITOR_SECONDS, wire.reading, True)
        self._post(VisitorSaid(number, line.decode("utf-8", "replace"), at))

    def _lost(self, number: VisitorId) -> None:
        wire = self._visitors.pop(number, None)
        if wire is not None:
            if self.lobby is not None:
                self.lobby.given_back(wire)
            self._post(VisitorLeft(number, time.monotonic()))


def remote_engine(name: str) -> FoundEngine:
    """An engine on another machine; whether it is there is seen when it is to play.

    Raises:
        CommandError: the name is none of a key.
    """
    from ggtp.driver.remote.link import RemoteEngine

    key_name = name[len(REMOTE) :]
    if not NAME.fullmatch(key_name):
        raise CommandError(f"{name} names nobody: the name of a known key is needed behind {REMOTE}")
    engine = RemoteEngine(key_name)
    return FoundEngine(engine, engine.name)
