"""The referee's desk: what all parts of the referee share while they handle one event."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ggtp.errors import CommandError, MoveRefused, RuleFailed
from ggtp.game import Picture, Player, TurnKind
from ggtp.game.chance import Chance, derive
from ggtp.game.record import Node
from ggtp.play.play import HUMAN, Play
from ggtp.play.writing import saved_lines
from ggtp.protocol.text import join_map, one_line, split_map
from ggtp.protocol.waiting import Promise
from ggtp.referee.effects import CloseJournal, Draw, Effect, Inform, Journal, LinkId, Pause, Request, Wish
from ggtp.referee.faults import Fault
from ggtp.referee.settings import CONTROLS, NO_ODDS, VIEW_ALL, VIEW_AUTO, Settings, odds_text

T = TypeVar("T")

FAULTS_KEPT = 1000


def no_words(_engine: LinkId) -> str:
    """What an engine has written to its standard error last, where nobody listens."""
    return ""


class RuleAtRisk:
    """Holds the play where a rule fails, instead of letting the failure out."""

    __slots__ = ("_desk",)

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if isinstance(error, MoveRefused):
            # No player has made it: it was drawn, or listed, or is what the turn's clock plays.
            rules = self._desk.play.need_rules()
            error = RuleFailed(rules.name, "play", "", f"it refuses a move of its own, {str(error).rstrip('.')}")
        if not isinstance(error, RuleFailed):
            return False
        self._desk.hold(error)
        return True


@dataclass(slots=True)
class Desk:
    """The play, the settings, the time of the event at hand, and the effects it has so far."""

    settings: Settings
    play: Play = field(default_factory=Play)
    explicit: dict[str, str] = field(default_factory=dict)
    """The options that the supervisor has set, in order: a play file begins with them."""
    now: float = 0.0
    effects: list[Effect] = field(default_factory=list)
    journal: str = ""
    """The path of the open play file, or nothing."""
    faults: deque[Fault] = field(default_factory=lambda: deque(maxlen=FAULTS_KEPT))
    failure: RuleFailed | None = None
    """What the rule has done wrong last."""
    requests: dict[int, Promise[Any]] = field(default_factory=dict)
    """By ticket. Of any type: each is of the one that its wish names, as `request` sees to."""
    tickets: int = 0
    busy: bool = False
    """Whether a supervisor's command is being carried out that waits for something."""
    deferred: list[Callable[[], None]] = field(default_factory=list)
    """What has happened to the play meanwhile, to be looked at when it is done."""
    last_words: Callable[[LinkId], str] = no_words
    """What an engine has written to its standard error last; whoever runs the engines knows."""
    rng: Chance = field(init=False, repr=False, compare=False)
    """Draws dice and deals; option `seed` is its key."""
    _at_risk: RuleAtRisk = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._at_risk = RuleAtRisk(self)
        self.reseed()

    def reseed(self) -> None:
        """Begin the draws of chance anew, as option `seed` says."""
        self.rng = Chance(derive(self.settings.number("seed"), "chance"))

    def rule_at_risk(self) -> RuleAtRisk:
        """`with desk.rule_at_risk():` a change stands, and a rule that fails in what follows only holds the play."""
        return self._at_risk

    def hold(self, failure: RuleFailed) -> None:
        """Hold the play, since its rule has failed, which is no player's fault."""
        self.failure = failure
        self.play.held = True
        self.inform(f"{failure} The play is held.")

    @property
    def start_clock(self) -> float:
        """The seconds that an engine may take to acknowledge `start`: option `time_start`, or what the rule says."""
        if "time_start" in self.explicit or self.settings.time_start or self.play.rules is None:
            return self.settings.time_start
        return self.play.rules.start_clock(self.play.option_values())

    def inform(self, text: str) -> None:
        """A `->` line."""
        self.effects.append(Inform(one_line(text)))

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""
        self.effects.append(Draw(picture))

    def dealing(self) -> bool:
        """Whether chance is about to draw: of a deal, card by card, the end is worth a picture."""
        if not self.settings.on("chance") or self.play.held:
            return False
        return self.play.turn().kind is TurnKind.CHANCE

    def request(self, wish: Wish[T]) -> Promise[T]:
        """Have the driver do something, and promise its outcome."""
        self.tickets += 1
        promise: Promise[T] = Promise()
        self.requests[self.tickets] = promise
        self.effects.append(Request(self.tickets, wish))  # type: ignore[arg-type]  # every wish is one of `AnyWish`
        return promise

    def pause(self) -> Promise[None]:
        """Let other events be handled before a long command goes on; it can be interrupted there."""
        return self.request(Pause())

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

    def set_option(self, name: str, value: str) -> tuple[str, str]:
        """Set an option of the referee, and record it. Answers both canonically.

        Raises:
            CommandError: no such option, or no such value.
        """
        if self.settings.get(name) and name.casefold() == "view":
            value = self._view(value)
        elif name.casefold() == "time_odds":
            value = self._odds(value)
        name, value = self.settings.set(name, value)
        for name_set, value_set in self._in_files(name, value):
            self.explicit[name_set] = value_set
            self.play.fresh.append(f"set_option {name_set} {value_set}")
        if name == "seed":
            self.reseed()
        return name, value

    def _in_files(self, name: str, value: str) -> Iterable[tuple[str, str]]:
        """What a play file has of an option: of those that stand for several, these."""
        if name == "time_control":
            return [(single, self.settings.values[single]) for single in CONTROLS]
        return [(name, value)]

    def _odds(self, value: str) -> str:
        """The clocks of single players, with the names of players as the rule spells them."""
        value = odds_text(value)
        if self.play.rules is None or value == NO_ODDS:  # as for `view`
            return value
        return join_map({self.play.find_player(player): control for player, control in split_map(value).items()})

    def _view(self, value: str) -> str:
        if value.casefold() in (VIEW_ALL, VIEW_AUTO):
            return value.casefold()
        # Without a rule any name may turn out to be a player's: a play file sets options first.
        return value if self.play.rules is None else self.play.find_player(value)

    def file_lines(self) -> tuple[str, ...]:
        """The play so far, as the lines of a play file."""
        return saved_lines(self.play.lines, self.explicit)

    def viewer(self) -> Player | None:
        """Whose knowledge may be shown without being asked for; None: everything.

        By default a game with secrets is shown as the human sees it who plays alone at this prompt, or whose
        turn it is, or who has moved last; without a human, or without secrets, all is shown.
        """
        play = self.play
        view = self.settings.values["view"]
        if view == VIEW_ALL or play.rules is None:
            return None
        if view in play.players:
            return view
        if not play.rules.traits.hidden:
            return None
        humans = [player for player, seat in play.seats.items() if seat.engine == HUMAN]
        if len(humans) > 1 and play.record is not None:
            turn = [player for player in humans if player in play.turn().players]
            waited_for = [player for player in turn if player not in play.pending]
            humans = waited_for or turn or self._last_to_move(humans) or humans
        return humans[0] if humans else None

    def side(self) -> Player | None:
        """From whose side the table is drawn: the viewer's, or where all is open that of who plays alone here."""
        viewer = self.viewer()
        rules = self.play.rules
        if viewer is not None or rules is None or rules.traits.hidden or self.settings.values["view"] == VIEW_ALL:
            return viewer
        humans = [player for player, seat in self.play.seats.items() if seat.engine == HUMAN]
        return humans[0] if len(humans) == 1 else None

    def _last_to_move(self, players: Collection[Player]) -> list[Player]:
        """Those of the players who have made the last move that any of them has made."""
        node: Node | None = self.play.need_record().cursor
        while node is not None:
            found = [player for player, _ in node.made if player in players]
            if found:
                return found
            node = node.parent
        return []
