"""Who has come through the door: engines and people on other machines, each called by the name of its key.

One name is one connection. Who comes again takes the place of the connection before, which is lost then: its machine
may have noticed before ours that the cable was cut.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from ggtp.catalogue.paths import user_folder
from ggtp.driver.tasks import in_thread
from ggtp.errors import CommandError, ConnectionLost, EngineFailedToStart, KeyFileError, TransportError
from ggtp.transport.secure.curve import new_key
from ggtp.transport.secure.door import AdmittedWire, Door
from ggtp.transport.secure.keys import KeyPair, Keyring, name_of, read_key, read_known, write_key

__all__ = ["JOIN", "Keyring", "Lobby", "need", "own_key", "usual_keyring"]

JOIN = b"join"
"""What somebody says first who is a person; an engine says nothing before it is asked."""
REFUSED_SECONDS = 10.0
"""So often it is told, at most, that somebody with an unknown key was at the door."""

OnPerson = Callable[[AdmittedWire, str], None]
"""Somebody has come who is a person, with what was said behind `join`."""


def usual_keyring(environ: Mapping[str, str]) -> Keyring:
    """The user's own, in the user's config folder."""
    return Keyring.in_folder(user_folder(environ, "XDG_CONFIG_HOME", ".config") / "ggtp")


@dataclass(slots=True)
class _Present:
    """Somebody who is there."""

    wire: AdmittedWire
    role: str = "engine"
    seated: bool = False


def own_key(keyring: Keyring) -> KeyPair:
    """A user's own key, made now where there is none.

    Raises:
        KeyFileError: it can't be read or written.
        TransportError: the library that makes keys is missing.
    """
    if not keyring.own.exists():
        with suppress(KeyFileError):  # somebody else may have made it in this moment; reading tells what is wrong
            write_key(keyring.own, new_key())
    return read_key(keyring.own)


class Lobby:
    """Order of operations: `open`, then any of the others, `close` at the end."""

    def __init__(self, keyring: Keyring, on_person: OnPerson, inform: Callable[[str], None]) -> None:
        self._keyring = keyring
        self._on_person = on_person
        self._inform = inform
        self._door: Door | None = None
        self._anyone = False
        self._known: dict[bytes, str] = {}
        self._present: dict[str, _Present] = {}
        self._awaited: dict[str, deque[asyncio.Future[AdmittedWire]]] = {}
        self._refused = 0
        self._told_refused = -REFUSED_SECONDS

    @property
    def is_open(self) -> bool:
        """Whether the door is open."""
        return self._door is not None

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many wait at the door, shake hands, and are in."""
        return self._door.counts if self._door is not None else (0, 0, 0)

    async def open(self, address: str, *, anyone: bool, limit: int, silence: float) -> tuple[str, str]:
        """Open the door at an address, in place of one that is open; answers the address and the public key.

        Raises:
            GgtpError: it can't be opened. One that was open still is.
        """
        own = await in_thread(own_key, self._keyring)
        known = await in_thread(read_known, self._keyring.known)
        old = self._door
        if old is not None and address.removeprefix("tcp://") in old.address:
            raise TransportError(f"{old.address} is open already; stop_listening closes it")
        self._door = Door(address, own, self._admit, self._come, self._turn_away, limit=limit, silence=silence)
        self._known, self._anyone = known, anyone
        if old is not None:
            old.close()
        return self._door.address, own.public.hex()

    def close(self) -> None:
        """Close the door; everybody who came through it is gone."""
        door, self._door = self._door, None
        if door is None:
            return
        present, self._present = self._present, {}
        for somebody in present.values():
            somebody.wire.cut(ConnectionLost("the door was closed"))
        door.close()

    def names(self) -> list[tuple[str, str, str, bool]]:
        """Everybody who is there: name, role, address, and whether it is at the table."""
        return [(name, it.role, it.wire.address, it.seated) for name, it in sorted(self._present.items())]

    def engines(self) -> list[str]:
        """The names of the engines that are there."""
        return [name for name, it in sorted(self._present.items()) if it.role == "engine"]

    async def engine(self, name: str, seconds: float) -> AdmittedWire:
        """The connection of an engine, once it is there.

        Raises:
            EngineFailedToStart: the door is closed, or it did not come in time.
        """
        if self._door is None:
            raise EngineFailedToStart("nobody can connect: open the door first, with listen")
        found = next((it for key, it in self._present.items() if key.casefold() == name.casefold()), None)
        if found is not None and found.role == "engine" and not found.seated:
            found.seated = True
            return found.wire
        if found is not None and found.role != "engine":
            raise EngineFailedToStart(f"{name} is a person: set_engine takes it as person:{name}")
        if found is not None:
            raise EngineFailedToStart(f"{name} sits at the table already; a second engine needs a key of its own")
        waiter: asyncio.Future[AdmittedWire] = asyncio.get_running_loop().create_future()
        queue = self._awaited.setdefault(name.casefold(), deque())
        queue.append(waiter)
        try:
            async with asyncio.timeout(seconds):
                return await waiter
        except TimeoutError:
            raise EngineFailedToStart(f"{name} did not connect within {seconds:g} s") from None
        finally:
            if waiter in queue:
                queue.remove(waiter)
            if not queue:
                self._awaited.pop(name.casefold(), None)

    def given_back(self, wire: AdmittedWire) -> None:
        """Whoever had this connection has no use for it any more, and has closed it."""
        found = self._present.get(wire.name)
        if found is not None and found.wire is wire:
            del self._present[wire.name]

    # At the door.

    def _admit(self, key: bytes) -> str | None:
        name = name_of(key, self._known, anyone=self._anyone)
        if name is None:
            # Somebody may have been written into the file since the door was opened; one that is damaged changes
            # nothing for those who are known.
            with suppress(KeyFileError):
                self._known = read_known(self._keyring.known)
            name = name_of(key, self._known, anyone=self._anyone)
        return name

    def _turn_away(self, host: str, key: bytes) -> None:
        self._refused += 1
        now = asyncio.get_running_loop().time()
        if now - self._told_refused >= REFUSED_SECONDS:
            self._told_refused = now
            more = f" ({self._refused} since it was last told)" if self._refused > 1 else ""
            self._refused = 0
            self._inform(f"Not let in: the key {key.hex()} from {host} is not known here{more}")

    def _come(self, wire: AdmittedWire) -> None:
        before = self._present.pop(wire.name, None)
        if before is not None:
            before.wire.cut(ConnectionLost("it has connected anew"))
        somebody = self._present[wire.name] = _Present(wire)
        # On a later turn of the loop: who has just been cut may want this connection first.
        asyncio.get_running_loop().call_soon(self._receive, somebody)

    def _receive(self, somebody: _Present) -> None:
        wire = somebody.wire
        if self._present.get(wire.name) is not somebody or somebody.seated:
            return
        queue = self._awaited.get(wire.name.casefold())
        while queue:
            waiter = queue.popleft()
            if not waiter.done():
                somebody.seated = True
                waiter.set_result(wire)
                return
        wire.attend(lambda line, _at: self._first(somebody, line), lambda error: self._lost(somebody, error))

    def _first(self, somebody: _Present, line: bytes) -> None:
        """Somebody speaks without being asked: a person, or one who does not know how to behave."""
        wire = somebody.wire
        word, _, rest = line.partition(b" ")
        if word != JOIN or somebody.seated:
            wire.reading(False)  # however much more it has to say
            wire.cut(ConnectionLost("it spoke out of turn"))
            return
        somebody.role, somebody.seated = "person", True
        self._on_person(wire, rest.decode("utf-8", "replace"))

    def _lost(self, somebody: _Present, error: TransportError) -> None:
        if self._present.get(somebody.wire.name) is somebody:
            del self._present[somebody.wire.name]


def need(lobby: Lobby | None) -> Lobby:
    """The lobby, where there is one.

    Raises:
        CommandError: the door was never opened.
    """
    if lobby is None or not lobby.is_open:
        raise CommandError("Nobody listens. Use listen.")
    return lobby
