"""The referee's desk: what all parts of the referee share while they handle one event."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ggtp.errors import CommandError
from ggtp.game import Picture, Player
from ggtp.protocol.text import one_line
from ggtp.referee.effects import CloseJournal, Draw, Effect, Inform, Journal, LinkId, Request, Wish
from ggtp.referee.faults import Fault
from ggtp.referee.play import HUMAN, Play
from ggtp.referee.settings import VIEW_ALL, VIEW_AUTO, Settings
from ggtp.referee.tasks import Promise

FAULTS_KEPT = 1000


@dataclass(slots=True)
class Desk:
    """The play, the settings, the time of the event at hand, and the effects it has so far."""

    settings: Settings
    rng: random.Random
    play: Play = field(default_factory=Play)
    explicit: dict[str, str] = field(default_factory=dict)
    """The options that the supervisor has set, in order: a play file begins with them."""
    now: float = 0.0
    effects: list[Effect] = field(default_factory=list)
    journal: str = ""
    """The path of the open play file, or nothing."""
    faults: deque[Fault] = field(default_factory=lambda: deque(maxlen=FAULTS_KEPT))
    requests: dict[int, Promise] = field(default_factory=dict)
    tickets: int = 0
    replaying: bool = False
    """Whether a play file is being tried out: nobody is asked, and nothing is drawn."""
    busy: bool = False
    """Whether a supervisor's command is being carried out that waits for something."""
    deferred: list[Callable[[], None]] = field(default_factory=list)
    """What has happened to the play meanwhile, to be looked at when it is done."""
    last_words: Callable[[LinkId], str] = lambda _number: ""
    """What an engine has written to its standard error last; whoever runs the engines knows."""

    def inform(self, text: str) -> None:
        """A `->` line."""
        self.effects.append(Inform(one_line(text)))

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""
        self.effects.append(Draw(picture))

    def request(self, wish: Wish) -> Promise:
        """Have the driver do something, and promise its outcome."""
        self.tickets += 1
        promise = self.requests[self.tickets] = Promise()
        self.effects.append(Request(self.tickets, wish))
        return promise

    def granted(self, ticket: int, value: object) -> None:
        """A request was carried out."""
        promise = self.requests.pop(ticket, None)
        if promise is not None:
            promise.keep(value)

    def denied(self, ticket: int, why: str) -> None:
        """A request failed."""
        promise = self.requests.pop(ticket, None)
        if promise is not None:
            promise.fail(CommandError(why))

    def flush(self) -> None:
        """Hand what was recorded to the play file, before anything else is said about it."""
        if self.play.fresh:
            if self.journal:
                self.effects.append(Journal(tuple(self.play.fresh)))
            self.play.fresh.clear()

    def close_journal(self) -> None:
        """Stop writing the play file."""
        self.journal = ""
        self.effects.append(CloseJournal())

    def set_option(self, name: str, value: str) -> None:
        """Set an option of the referee, and record it.

        Raises:
            OptionError: no such option, or no such value.
        """
        name, value = self.settings.set(name, value)
        self.explicit[name] = value
        self.play.fresh.append(f"set_option {name} {value}")
        if name == "seed":
            self.rng.seed(int(value))

    def file_lines(self) -> tuple[str, ...]:
        """The play so far, as the lines of a play file."""
        options = (f"set_option {name} {value}" for name, value in self.explicit.items())
        return ("# GGTP play file", *options, *self.play.lines)

    def viewer(self) -> Player | None:
        """Whose knowledge may be shown without being asked for; None: everything.

        By default a game with secrets is shown as the human sees it who plays alone at this
        prompt, or whose turn it is; without a human, or without secrets, all is shown.
        """
        play = self.play
        view = self.settings.values["view"]
        if view == VIEW_ALL or play.rules is None:
            return None
        if view != VIEW_AUTO:
            return play.find_player(view) if view in play.players else None
        if not play.rules.traits.hidden:
            return None
        humans = [player for player, seat in play.seats.items() if seat.engine == HUMAN]
        if len(humans) > 1 and play.record is not None:
            humans = [player for player in humans if player in play.turn().players] or humans
        return humans[0] if humans else None
