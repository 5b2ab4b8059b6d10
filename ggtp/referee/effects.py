"""What the referee wants done: values that the driver carries out, in order.

A `Request` is answered by an event of the same ticket; everything else is done and forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from ggtp.game import Picture, Rules

T = TypeVar("T")
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
    sandbox: str = "standard"
    """How far it is kept from the rest of the machine: the value of the option of that name."""
    network: str = "asked"
    """Which engines may use the network: the value of the option `engine_network`."""


class Wish(Generic[T]):
    """Something that the referee requests; T is the type of the answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ListRules(Wish[list[str]]):
    """The names of all rules."""


@dataclass(frozen=True, slots=True)
class FindRules(Wish[FoundRules]):
    """A rule, by its name or path."""

    name: str


@dataclass(frozen=True, slots=True)
class ListEngines(Wish[list[EngineDescription]]):
    """All engines."""


@dataclass(frozen=True, slots=True)
class FindEngine(Wish[FoundEngine]):
    """An engine, by its name or path."""

    name: str


@dataclass(frozen=True, slots=True)
class StartEngine(Wish[None]):
    """Start an engine; it is answered once the engine has connected."""

    link: LinkId
    engine: EngineDescription
    bounds: Bounds
    rule: str = ""
    """Where the rules are that it is to play, if it may have to read them: a reference as in a play file."""


@dataclass(frozen=True, slots=True)
class ReadFile(Wish[str]):
    """The text of a play file."""

    path: str


@dataclass(frozen=True, slots=True)
class Pause(Wish[None]):
    """Let other events happen before a long command goes on, an interruption among them."""


@dataclass(frozen=True, slots=True)
class OpenJournal(Wish[None]):
    """Write these lines to a play file; it is answered once they are on disk. Later `Journal` effects are appended."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ManageTournament(Wish[list[str]]):
    """Lines to show, the last of which is the answer."""

    command: str
    words: str
    """What stands behind the command: a file, a game and its scores, a reason."""


@dataclass(frozen=True, slots=True)
class Listen(Wish[tuple[str, str]]):
    """The address at which engines and people on other machines can connect, and the key there."""

    address: str
    anyone: bool
    line_bytes: int
    silence_seconds: float


@dataclass(frozen=True, slots=True)
class StopListening(Wish[None]):
    """Close the door to other machines."""


@dataclass(frozen=True, slots=True)
class ListConnections(Wish[list[str]]):
    """The connections from other machines, each as `name role address`."""


AnyWish: TypeAlias = (
    ManageTournament
    | ListRules
    | FindRules
    | ListEngines
    | FindEngine
    | StartEngine
    | ReadFile
    | Pause
    | OpenJournal
    | Listen
    | StopListening
    | ListConnections
)
"""Every wish there is, for whoever grants them."""


@dataclass(frozen=True, slots=True)
class Request:
    """Do it, and say with this ticket how it went."""

    ticket: int
    wish: AnyWish


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
