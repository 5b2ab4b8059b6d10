"""A game of a tournament as values: what is to be played, what is known of it on the way, and how it ends."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.arena.lateness import ThreadTime
from ggtp.arena.usage import Usage
from ggtp.errors import GgtpError
from ggtp.game import Result
from ggtp.referee.effects import LinkId
from ggtp.tournament.journal.case import Spoken
from ggtp.tournament.results import FaultSeen, Job

WIRE_LINES = 400
"""How many of the last lines of a game go into a case file."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, and the result, where there is one."""

    end: str
    reason: str
    result: Result | None = None
    plies: int | None = None
    """How many moves count, where not all do."""
    scores: Mapping[str, float] | None = None
    """The seats' scores, where they are not those of the result."""


class Unplayable(GgtpError):
    """An engine could not be seated, or the table not be laid."""

    def __init__(self, what: str, seat: str = "") -> None:
        super().__init__(what)
        self.seat = seat


@dataclass(slots=True)
class Moment:
    """What is known of the game at hand."""

    job: Job
    began: float
    faults: list[FaultSeen] = field(default_factory=list)
    wire: deque[Spoken] = field(default_factory=lambda: deque(maxlen=WIRE_LINES))
    restarts: dict[str, int] = field(default_factory=dict)
    tries: dict[tuple[str, int], int] = field(default_factory=dict)
    """Seat and number of moves to how often its engine was asked again there."""
    times: dict[LinkId, tuple[float, Mapping[str, ThreadTime]]] = field(default_factory=dict)
    """When each engine was asked, and what its threads had had of the processors by then."""
    used: dict[str, Usage] = field(default_factory=dict)
    """Seat to what its engine's process had used when it failed."""
    looked_at: int = 0
    """How many moves adjudication has looked at."""
    questions: list[asyncio.Task[None]] = field(default_factory=list)
    judged: asyncio.Future[Ending] | None = None
    ruled: Ending | None = None
    """What a supervisor has decided."""
    begun: bool = False
    """Whether the engines play: the table is laid, and the moves of an interrupted game are made."""
    guests: dict[str, str] = field(default_factory=dict)
    """Seats that somebody has taken, and who: such a game does not count."""
    stirred: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody who attends the game has done something."""
