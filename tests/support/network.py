"""Keys for tests, and people and engines who come to a door."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from ggtp.transport.secure.curve import CalledWire, call, new_key
from ggtp.transport.secure.keys import KeyPair, Keyring, write_key

SECONDS = 30.0
"""For what should happen at once, on a machine that has other things to do."""
LIMIT = 1 << 20


async def until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; fails when it does not in time."""
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 - what is waited for happens elsewhere
            await asyncio.sleep(0.002)


class Ears:
    """What was heard on a wire."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.lost: list[Exception] = []

    def line(self, line: bytes, _at: float) -> None:
        self.lines.append(line)

    def gone(self, error: Exception) -> None:
        self.lost.append(error)


async def visit(address: str, own: KeyPair, referee: bytes, *, silence: float = 30.0) -> tuple[CalledWire, Ears]:
    """Connect, and listen."""
    wire = await call(address, own, referee, limit=LIMIT, silence=silence, seconds=SECONDS)
    ears = Ears()
    wire.attend(ears.line, ears.gone)
    return wire, ears


def keyring_of(folder: Path) -> Keyring:
    """The keyring in a folder, whether or not there are keys yet."""
    return Keyring(folder / "referee.key", folder / "known_keys")


class Keys:
    """A referee's key, and those of people whom it knows, in files."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        self.referee = self._make("referee")
        self.ring = keyring_of(folder)
        self.pairs = {name: self._make(name) for name in names}
        self.ring.known.write_text("".join(f"{name} {pair.public.hex()}\n" for name, pair in self.pairs.items()))

    def _make(self, name: str) -> KeyPair:
        pair = new_key()
        write_key(self.folder / f"{name}.key", pair)
        return pair

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.key"
