"""What happens to the referee. Every event carries the time at which it happened, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ggtp.referee.effects import LinkId, VisitorId


@dataclass(frozen=True, slots=True)
class SupervisorSaid:
    """A line was typed at the prompt, or read from a script."""

    line: str
    at: float
    typed: bool = False
    """Whether a person has typed it, who may leave out the command of a move."""


@dataclass(slots=True)  # made for every line: frozen would cost three times as much
class EngineSaid:
    """A line came from an engine."""

    link: LinkId
    line: bytes
    at: float


@dataclass(frozen=True, slots=True)
class EngineFailed:
    """An engine is of no use any more: it ended, its connection broke, or it used up too much."""

    link: LinkId
    fault: str
    """The class of the fault, one of `ggtp.faults.AT_PROMPTS`."""
    what: str
    """One sentence."""
    last_words: str
    """The tail of its stderr."""
    at: float


@dataclass(frozen=True, slots=True)
class Granted:
    """A request was carried out; `value` is what it asked for."""

    ticket: int
    value: object
    at: float


@dataclass(frozen=True, slots=True)
class Denied:
    """A request failed; `why` is a sentence for the supervisor."""

    ticket: int
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class JournalFailed:
    """The play file could not be written to; it is closed."""

    why: str
    at: float


@dataclass(frozen=True, slots=True)
class JournalMoved:
    """Others have removed or changed the play file; the whole play so far was written to another one, which goes on."""

    why: str
    path: str
    at: float


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The time of a deadline has come."""

    at: float


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The supervisor does not want to wait any longer for the command at hand."""

    at: float


@dataclass(frozen=True, slots=True)
class VisitorCame:
    """A person on another machine has connected."""

    visitor: VisitorId
    name: str
    """The name of the key."""
    wanted: str
    """The player that the person wants to be; empty for any."""
    at: float


@dataclass(frozen=True, slots=True)
class VisitorSaid:
    """A person on another machine has said a line."""

    visitor: VisitorId
    line: str
    at: float


@dataclass(frozen=True, slots=True)
class VisitorLeft:
    """The connection to a person on another machine has ended."""

    visitor: VisitorId
    at: float


Event: TypeAlias = (
    SupervisorSaid
    | EngineSaid
    | EngineFailed
    | Granted
    | Denied
    | JournalFailed
    | JournalMoved
    | TimePassed
    | Interrupted
    | VisitorCame
    | VisitorSaid
    | VisitorLeft
)
