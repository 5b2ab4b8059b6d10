"""The referee: events in, effects out. It decides; it opens nothing and waits for nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping
from typing import assert_never

from ggtp.errors import CommandError, GgtpError, RuleFailed, UnknownCommand, clipped
from ggtp.game import Player
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import one_line
from ggtp.protocol.utterances import utterance
from ggtp.protocol.waiting import Conversation, Task
from ggtp.referee import typed
from ggtp.referee.commands.files import Files
from ggtp.referee.commands.network import Network
from ggtp.referee.commands.playing import Playing
from ggtp.referee.commands.queries import DONE, Queries
from ggtp.referee.commands.seats import Seats
from ggtp.referee.commands.setup import Setup
from ggtp.referee.commands.tournaments import Tournaments
from ggtp.referee.desk import Desk, no_words
from ggtp.referee.dispatch import Handler, handlers
from ggtp.referee.effects import Effect, Leave, LinkId, Respond
from ggtp.referee.engines import Link
from ggtp.referee.events import (
    Denied,
    EngineFailed,
    EngineSaid,
    Event,
    Granted,
    Interrupted,
    JournalFailed,
    JournalMoved,
    SupervisorSaid,
    TimePassed,
    VisitorCame,
    VisitorLeft,
    VisitorSaid,
)
from ggtp.referee.faults import Fault
from ggtp.referee.flow import Flow
from ggtp.referee.notes import LAST_SEARCH
from ggtp.referee.settings import Settings
from ggtp.referee.views import View

FIRM = frozenset({"save_file"})
"""Commands that are not interrupted: the driver's file is another one as soon as it was asked for."""


class Referee:
    """One table. `handle` takes what happens, in order, and answers what is to be done, in order.

    Every `SupervisorSaid` is answered by exactly one `Respond`, at once or after further
    events; commands said meanwhile wait for their turn.
    """

    def __init__(
        self,
        *,
        version: str,
        defaults: dict[str, str] | None = None,
        last_words: Callable[[LinkId], str] = no_words,
    ) -> None:
        """A referee at an empty table.

        Args:
            version: of the program, as it is told.
            defaults: options that are not as usual.
            last_words: returns what an engine has written to its standard error last; whoever runs the engines knows.
        """
        self._desk = Desk(Settings.defaults(defaults or {}), last_words=last_words)
        self._flow = Flow(self._desk)
        self.view = View(self._desk, self._flow)
        """What may be known of the table."""
        queries = Queries(self._desk, self._flow, version)
        self._commands: dict[str, Handler] = handlers(
            SUPERVISOR,
            queries,
            Setup(self._desk, self._flow, queries),
            Playing(self._desk, self._flow),
            Files(self._desk, self._flow, version),
            Tournaments(self._desk),
            Network(self._desk),
            but=("quit",),
        ) | {"quit": self._quit}
        """What carries out each command."""
        self._seats = Seats(self._desk, self._flow)
        self._said: deque[SupervisorSaid] = deque()
        self._ending = False
        self._at_hand = ""
        """The name of the command that was begun last."""
        self._task: Task[str] | None = None
        """The command at hand, if it waits for something."""

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done now that `event` has happened."""
        desk, flow = self._desk, self._flow
        desk.now = event.at
        try:
            match event:
                case EngineSaid():  # by far the most frequent
                    link = flow.engines.links.get(event.link)
                    if link is not None:
                        flow.hear(link, event.line, event.at)
                case SupervisorSaid():
                    self._said.append(event)
                    self._next()
                case TimePassed():
                    flow.time_passed()
                case Interrupted():
                    if self._task is not None and self._at_hand not in FIRM:
                        self._task.interrupt()
                case EngineFailed(number, fault, what, last_words):
                    link = flow.engines.links.get(number)
                    if link is not None:
                        flow.failures.fault(link, fault, what, last_words)
                case Granted(ticket, value):
                    desk.granted(ticket, value)
                case Denied(ticket, why):
                    desk.denied(ticket, why)
                case VisitorCame(visitor, name, wanted):
                    flow.visitors.came(visitor, name, wanted)
                case VisitorSaid(visitor, words):
                    self._seats.said(visitor, words)
                case VisitorLeft(visitor):
                    flow.visitors.left(visitor)
                case JournalFailed(why):
                    name, desk.journal = desk.journal, ""
                    desk.inform(f"The play file {name} is closed: {why}")
                case JournalMoved(why, path):
                    name, desk.journal = desk.journal, path
                    desk.play.fresh.clear()  # the new file holds it already
                    desk.inform(f"The play file {name} {why}. The whole play is in {path}, which goes on.")
                case _:
                    assert_never(event)
        except RuleFailed as error:
            self._rule_failed(error)
        return self._taken()

    def asked(self, number: LinkId, at: float) -> None:
        """A line that asks for a move was sent at that time; the engine is charged from then on."""
        link = self._flow.engines.links.get(number)
        if link is not None:
            link.asked(at)

    def delay(self, seconds: float, *, charged: bool) -> None:
        """The referee was busy that long, perhaps in a rule: no engine is charged for that.

        `charged` tells that thinking is measured by somebody who takes it into account.
        """
        for link in self._flow.engines.links.values():
            link.delay(seconds, charged=charged)

    def is_late(self, number: LinkId, at: float) -> bool:
        """Return whether an engine's move would be late at that time, whoever is to blame for it."""
        link = self._flow.engines.links.get(number)
        return link is not None and link.is_late(at)

    def kept_waiting(self, number: LinkId, seconds: float) -> None:
        """Note how long an engine has waited for a processor since it was asked: its move is given up that much later.

        If the move comes meanwhile it is late, and its fault tells of the time.
        """
        link = self._flow.engines.links.get(number)
        if link is not None:
            link.kept_waiting(seconds, self._desk.settings.patience)

    def ask_engine(
        self,
        player: Player,
        command: Command,
        at: float,
        tell: Callable[[str | None], None],
        *,
        behind: bool = False,
        thinking: bool = False,
    ) -> list[Effect]:
        """Ask a player's engine something for a front end's own use, beside all commands.

        `tell` is called once, with the engine's reply, or None where there is none. An engine that
        thinks is not asked, nor, unless the question may come `behind` others, one that owes an
        answer: nothing may be held against it that nobody needs. With `thinking`, one that thinks is
        asked if it lists `last_search`, since whoever tells of a search answers while it goes on.
        """
        link = self._flow.engines.seated.get(player)
        if link is None or (link.thinking and not (thinking and LAST_SEARCH in link.listed)):
            tell(None)
            return []
        if link.owes and not behind:
            tell(None)
            return []
        self._desk.now = at

        def conversation(link: Link) -> Conversation[str | None]:
            answer = yield from link.ask(command)
            return answer.text if answer.kind is AnswerKind.REPLY else None

        Task(conversation(link), tell, lambda _error: tell(None)).advance()
        return self._taken()

    def seed_engine(self, player: Player, seed: int, at: float) -> list[Effect]:
        """Let an engine's own chance begin anew, where it has the option; for whoever plays many games with it."""
        link = self._flow.engines.seated.get(player)
        if link is None or link.thinking or "seed" not in link.listed:
            return []
        self._desk.now = at
        link.say(utterance(Command("set_option", ("seed", str(seed)))))
        link.seeded = self._desk.settings.values["seed"]  # or `start` would give it the seed of its seat again
        return self._taken()

    def dismiss(self, at: float) -> list[Effect]:
        """Send every engine away, kindly: nobody says anything any more."""
        self._desk.now = at
        self._flow.engines.clear()
        self._flow.visitors.dismiss()
        return self._taken()

    # Steering: for whoever runs the table instead of a supervisor, or beside one.

    def forfeit(self, player: Player, reason: str, at: float) -> list[Effect]:
        """End the play as a loss of a player; everybody else has won.

        Raises:
            CommandError: there is no play that goes on.
        """
        self._desk.now = at
        self._flow.end(self._desk.play.forfeit(player, reason))
        return self._taken()

    def set_banks(self, banks: Mapping[Player, float]) -> None:
        """Let players have so many seconds left, at this place of a play that was begun elsewhere."""
        self._flow.set_banks(banks)

    def keep_notes(self) -> None:
        """Note from now on what each move took, and what engines that can tell say of their searches."""
        self._flow.notes.wanted = True

    def take_faults(self) -> list[Fault]:
        """Everything that engines did wrong since this was asked last; it is forgotten, as is a failure of the rule."""
        faults = list(self._desk.faults)
        self._desk.faults.clear()
        self._desk.failure = None
        return faults

    def _taken(self) -> list[Effect]:
        """The effects of what was done just now."""
        effects, self._desk.effects = self._desk.effects, []
        return effects

    def acknowledged(self, number: LinkId, at: float) -> bool:
        """The short way for the line that comes most often: whether it was an acknowledge that nothing follows from.

        If not, nothing has happened, and the line is an event like any other.
        """
        link = self._flow.engines.links.get(number)
        return link is not None and link.acknowledge(at)

    def settled(self, *, timers: bool = False) -> bool:
        """Whether no engine has anything to do; with `timers`, nor the clock of a turn, until the supervisor speaks."""
        return not self._desk.busy and not self._said and self._flow.settled(timers=timers)

    def keeps_choices(self) -> bool:
        """Whether the outcome of a turn is kept until a time of its own, which may be next without any effect."""
        return self._flow.sealed.due is not None

    def next_due(self) -> float | None:
        """When `TimePassed` is wanted next."""
        # While a command waits, nothing is played: looking at the turn's deadline would be in vain.
        engines, turn = self._flow.engines.next_due(), None if self._desk.busy else self._flow.next_due()
        if engines is None or turn is None:
            return turn if engines is None else engines
        return min(engines, turn)

    # Commands.

    def _next(self) -> None:
        """Carry out the lines that wait, one after the other, until one has to wait for something itself."""
        while self._said and not self._desk.busy and not self._ending:
            try:
                answer = self._carry_out(self._said.popleft())
            except GgtpError as error:
                self._refuse(error)
                continue
            if isinstance(answer, Generator):
                self._desk.busy = True
                self._task = Task(answer, self._done, self._failed)
                self._task.advance()
            elif answer is not None:
                self._answer(answer)

    def _carry_out(self, said: SupervisorSaid) -> str | Conversation[str] | None:
        """Carry out a line: a command, or at a prompt perhaps a move alone. Its answer; None for a comment.

        Raises:
            GgtpError: it can't be done. Nothing has changed.
        """
        desk, line = self._desk, said.line
        begun = len(desk.effects)
        command: Command | None = None
        try:
            command = parse_supervisor(line)
            if command is None:
                return None
            self._at_hand = command.name
            self._show(command)
            return self._commands[command.name](*command.args)
        except CommandError as refusal:
            if said.typed and (command is None or command.name in typed.MOVING):
                meant = typed.instead(desk, line, refusal)
            elif isinstance(refusal, UnknownCommand):
                raise typed.with_hint(desk, line, refusal) from None
            else:
                raise
        del desk.effects[begun:]  # that the line was shown as a command
        self._show(meant)
        if meant.name != "play":
            return self._commands[meant.name](*meant.args)
        self._flow.play(*meant.args)  # the rule has read this move already
        return DONE

    def _show(self, command: Command) -> None:
        if self._desk.settings.on("show_command"):
            self._desk.inform(str(command))

    def _done(self, answer: str) -> None:
        self._answer(answer)
        self._go_on()

    def _failed(self, error: GgtpError) -> None:
        self._refuse(error)
        self._go_on()

    def _go_on(self) -> None:
        """The command that waited for something is over."""
        self._desk.busy = False
        self._task = None
        self._catch_up()

    def _catch_up(self) -> None:
        """See to what has come while a command waited for something."""
        desk = self._desk
        while desk.deferred and not desk.busy:
            desk.deferred.pop(0)()
        self._next()

    def _answer(self, text: str) -> None:
        self._desk.effects.append(Respond(f"= {one_line(text)}"))
        if self._ending:
            self._desk.effects.append(Leave())

    def _refuse(self, error: GgtpError) -> None:
        if isinstance(error, RuleFailed):
            self._desk.failure = error
        self._desk.effects.append(Respond(f"? {one_line(clipped(str(error)))}"))

    def _quit(self) -> str:
        """Command 2: every engine is told to leave; the program ends when they are gone."""
        self._ending = True
        self._flow.engines.clear()
        self._flow.visitors.dismiss()
        if self._desk.journal:
            self._desk.close_journal()
        return DONE

    def _rule_failed(self, failure: RuleFailed) -> None:
        """The rule has failed where no command can be refused: hold the play, and go on with what else there is."""
        self._desk.hold(failure)
        try:
            self._catch_up()
        except RuleFailed as again:
            self._rule_failed(again)
