"""What an engine may do, as values: what its description asks for, what the supervisor allows, and what holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

Level: TypeAlias = Literal["off", "standard", "strict"]
LEVELS: tuple[Level, ...] = ("off", "standard", "strict")
"""From the loosest to the strictest."""
STANDARD: Level = "standard"

Network: TypeAlias = Literal["asked", "off"]
NETWORKS: tuple[Network, ...] = ("asked", "off")
"""Which engines may use the network: those whose descriptions ask for it, or none."""

Kind: TypeAlias = Literal["bubblewrap", "landlock", "none"]

SCRATCH_BYTES = 1 << 30
"""How much an engine may keep in its private files; they are memory, and count as such."""
SHARED_BYTES = 512 << 20
"""How much of shared memory it may have under /dev/shm, likewise."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What an engine may do beyond computing; paths are absolute."""

    level: Level = STANDARD
    """`strict`: nothing less than namespaces; `standard`: the best that the system has; `off`: whatever we may."""
    network: bool = False
    """Whether it may use the network."""
    reads: tuple[str, ...] = ()
    """Files and folders that it may read besides those that it is made of."""
    writes: tuple[str, ...] = ()
    """Files and folders that it may write to."""
    hides: tuple[str, ...] = ()
    """Files and folders that it must not see, wherever they lie."""
    scratch_bytes: int = SCRATCH_BYTES
    shared_bytes: int = SHARED_BYTES


@dataclass(frozen=True, slots=True)
class Protection:
    """What an engine is kept from in fact."""

    kind: Kind
    level: Level
    """The level that was asked for."""
    network: bool
    """Whether the network is open to it."""
    lacks: tuple[str, ...] = ()
    """Sentences: what it is not kept from, and why not."""
    bounded: tuple[str, ...] = ()
    """The limits that the kernel keeps by a control group, `memory` and `processes`; the others are kept by looking."""

    def sentence(self) -> str:
        """Return the protection in a few words, for reports and lists: `bubblewrap, no network`."""
        if self.kind == "none":
            return "none"
        bounded = f", kernel limits for {' and '.join(self.bounded)}" if self.bounded else ""
        return f"{_WORDS[self.kind]}, {'network' if self.network else 'no network'}{bounded}"


_WORDS = {"bubblewrap": "bubblewrap", "landlock": "Landlock"}


@dataclass(frozen=True, slots=True)
class Agreement:
    """What holds after the wishes of a description and those of the supervisor were compared."""

    sandbox: Sandbox
    overruled: tuple[str, ...] = ()
    """Sentences about wishes of the description that are not granted."""


def agree(asked: Sandbox, level: str | None, allowed: str, network: str) -> Agreement:
    """Return the stricter of what an engine's description asks for and what the supervisor allows.

    Args:
        asked: what the description asks for; its level does not count.
        level: the level that the description names; None if it names none, and so takes the supervisor's.
        allowed: the supervisor's level, one of `LEVELS`.
        network: the supervisor's policy for the network, one of `NETWORKS`.
    """
    overruled = []
    effective = cast(Level, allowed if level is None else max(level, allowed, key=_rank))
    if level is not None and level != effective:
        overruled.append(f'its description has sandbox = "{level}", but the option sandbox is {allowed}')
    open_network = asked.network and network != "off"
    if asked.network and not open_network:
        overruled.append("its description asks for the network, but the option engine_network is off")
    writes: Sequence[str] = asked.writes
    if effective == "strict" and writes:
        overruled.append(f"it may not write to {', '.join(writes)} in a strict sandbox")
        writes = ()
    return Agreement(replace(asked, level=effective, network=open_network, writes=tuple(writes)), tuple(overruled))


def _rank(level: str) -> int:
    return LEVELS.index(cast(Level, level))
