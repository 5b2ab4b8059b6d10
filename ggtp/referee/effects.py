"""What the referee wants done: values that the driver carries out, in order.

A `Request` is answered by an event of the same ticket; everything else is done and forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ggtp.game import Picture, Rules

LinkId: TypeAlias = int
VisitorId: TypeAlias = int


class EngineDescription(Protocol):
    """What the referee needs to know of an engine that the catalogue has found."""

    @property
    def name(self) -> str:
        """Its canonical name."""

    @property
    def options(self) -> Mapping[str, str]:
        """Options to set before it plays."""

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """Whether it plays these rules, as far as its description says."""


@dataclass(frozen=True, slots=True)
class FoundRules:
    """Rules, and what to write into a play file to find them again."""

    rules: Rules
    reference: str


@dataclass(frozen=True, slots=True)
class FoundEngine:
    """An engine's description, and what to write into a play file to find it again."""

    engine: EngineDescription
    reference: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an engine may use up."""

    line_bytes: int
    memory_bytes: int
    processes: int
    connect_seconds: float


# What can be requested; the type behind the arrow is what the answer carries.


@dataclass(frozen=True, slots=True)
class ListRules:
    """-> list[str]: the names of all rules."""


@dataclass(frozen=True, slots=True)
class FindRules:
    """-> FoundRules."""

    name: str


@dataclass(frozen=True, slots=True)
class ListEngines:
    """-> list[EngineDescription]."""


@dataclass(frozen=True, slots=True)
class FindEngine:
    """-> FoundEngine."""

    name: str


@dataclass(frozen=True, slots=True)
class StartEngine:
    """-> None, once it has connected."""

    link: LinkId
    engine: EngineDescription
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class ReadFile:
    """-> str: the text of a play file."""

    path: str


@dataclass(frozen=True, slots=True)
class OpenJournal:
    """-> None, once the lines are on disk; later `Journal` effects are appended to it."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ManageTournament:
    """-> list[str]: lines to show, the last of which is the answer."""

    command: str
    words: str
    """What stands behind the command: a file, a game and its scores, a reason."""


@dataclass(frozen=True, slots=True)
class Listen:
    """-> tuple[str, str]: the address at which engines and people on other machines can connect, and the key there."""

    address: str
    anyone: bool
    line_bytes: int
    silence_seconds: float


@dataclass(frozen=True, slots=True)
class StopListening:
    """-> None."""


@dataclass(frozen=True, slots=True)
class ListConnections:
    """-> list[str]: who is connected, as `name role address`."""


Wish: TypeAlias = (
    ManageTournament
    | ListRules
    | FindRules
    | ListEngines
    | FindEngine
    | StartEngine
    | ReadFile
    | OpenJournal
    | Listen
    | StopListening
    | ListConnections
)


@dataclass(frozen=True, slots=True)
class Request:
    """Do it, and say with this ticket how it went."""

    ticket: int
    wish: Wish


@dataclass(slots=True)  # made for every line: frozen would cost three times as much
class Tell:
    """Send a line to an engine."""

    link: LinkId
    line: bytes
    asks: bool = False
    """It asks for a move: the referee wants to know when it was sent."""
    patient: bool = False
    """It may wait a moment for the next line to the same engine, so that both travel together."""


@dataclass(frozen=True, slots=True)
class StopEngine:
    """End an engine: kindly, when it was told to disconnect and may take a moment, or at once."""

    link: LinkId
    kindly: bool


@dataclass(frozen=True, slots=True)
class Respond:
    """The one closing line of a supervisor's command: `= ...` or `? ...`."""

    text: str


@dataclass(frozen=True, slots=True)
class Inform:
    """A `->` line, without its arrow."""

    text: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Show a picture of the table."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class Journal:
    """Append lines to the open play file, durably, before anything that follows is done."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CloseJournal:
    """Close the play file."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """Lines for a person on another machine, and for nobody else."""

    visitor: VisitorId
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program."""


Effect: TypeAlias = Request | Tell | StopEngine | Respond | Inform | Draw | Journal | CloseJournal | Whisper | Leave
