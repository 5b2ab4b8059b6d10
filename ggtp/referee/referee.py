"""The referee: events in, effects out. It decides; it opens nothing and waits for nothing."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from typing import assert_never

from ggtp.errors import CommandError, GgtpError, RuleFailed, UnknownCommand
from ggtp.game import Player
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import one_line
from ggtp.referee import typed
from ggtp.referee.commands.files import Files
from ggtp.referee.commands.network import Network
from ggtp.referee.commands.playing import Playing
from ggtp.referee.commands.queries import DONE, Queries
from ggtp.referee.commands.seats import Seats
from ggtp.referee.commands.setup import Setup
from ggtp.referee.commands.tournaments import Tournaments
from ggtp.referee.desk import Desk
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
    SupervisorSaid,
    TimePassed,
    VisitorCame,
    VisitorLeft,
    VisitorSaid,
)
from ggtp.referee.flow import Flow
from ggtp.referee.settings import Settings
from ggtp.referee.waiting import Conversation, Task

FIRM = frozenset({"save_file"})
"""Commands that are not interrupted: the driver's file is another one as soon as it was asked for."""


LAST_SEARCH = "last_search"
"""The option by which an engine tells of its search, also while it goes on."""


class Referee:
    """One table. `handle` takes what happens, in order, and answers what is to be done, in order.

    Every `SupervisorSaid` is answered by exactly one `Respond`, at once or after further
    events; commands said meanwhile wait for their turn.
    """

    def __init__(self, *, version: str, rng: random.Random, defaults: dict[str, str] | None = None) -> None:
        self.desk = Desk(Settings.defaults(defaults or {}), rng)
        self.desk.rng.seed(self.desk.settings.number("seed"))
        self.flow = Flow(self.desk)
        queries = Queries(self.desk, self.flow, version)
        self._commands: Mapping[str, Handler] = handlers(
            SUPERVISOR,
            queries,
            Setup(self.desk, self.flow, queries),
            Playing(self.desk, self.flow),
            Files(self.desk, self.flow, version),
            Tournaments(self.desk),
            Network(self.desk),
            self,
        )
        """What carries out each command."""
        self._seats = Seats(self.desk, self.flow)
        self._said: deque[str] = deque()
        self._ending = False
        self._task: Task[str] | None = None
        """The command at hand, if it waits for something that may be given up."""

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done now that `event` has happened."""
        desk = self.desk
        desk.now = event.at
        try:
            if type(event) is EngineSaid:  # by far the most frequent
                link = self.flow.engines.links.get(event.link)
                if link is not None:
                    self.flow.engines.said(link, event.line, event.at)
            else:
                self._handle(event)
        except RuleFailed as error:
            self._rule_failed(error)
        effects, desk.effects = desk.effects, []
        return effects

    def asked(self, number: LinkId, at: float) -> None:
        """A line that asks for a move was sent at that time; the engine is charged from then on."""
        link = self.flow.engines.links.get(number)
        if link is not None and link.thinking:
            self.flow.engines.asked(link, at)

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
        link = self.flow.engines.seated.get(player)
        if link is None or (link.thinking and not (thinking and LAST_SEARCH in link.listed)):
            tell(None)
            return []
        if link.promises and not behind:
            tell(None)
            return []
        self.desk.now = at

        def conversation(link: Link) -> Conversation[str | None]:
            answer = yield from self.flow.engines.ask(link, command)
            return answer.text if answer.kind is AnswerKind.REPLY else None

        Task(conversation(link), tell, lambda _error: tell(None)).advance()
        effects, self.desk.effects = self.desk.effects, []
        return effects

    def seed_engine(self, player: Player, seed: int, at: float) -> list[Effect]:
        """Let an engine's own chance begin anew, where it has the option; for whoever plays many games with it."""
        link = self.flow.engines.seated.get(player)
        if link is None or link.thinking or "seed" not in link.listed:
            return []
        self.desk.now = at
        self.flow.engines.tell(link, Command("set_option", ("seed", str(seed))))
        link.seeded = self.desk.settings.values["seed"]  # or `start` would give it the seed of its seat again
        effects, self.desk.effects = self.desk.effects, []
        return effects

    def dismiss(self, at: float) -> list[Effect]:
        """Send every engine away, kindly: nobody says anything any more."""
        self.desk.now = at
        self.flow.engines.clear()
        self.flow.visitors.dismiss()
        effects, self.desk.effects = self.desk.effects, []
        return effects

    def acknowledged(self, number: LinkId, at: float) -> bool:
        """The short way for the line that comes most often: whether it was an acknowledge that nothing follows from.

        If not, nothing has happened, and the line is an event like any other.
        """
        return self.flow.engines.acknowledged(number, at)

    def settled(self, *, timers: bool = False) -> bool:
        """Whether no engine has anything to do; with `timers`, nor the clock of a turn, until the supervisor speaks."""
        return not self.desk.busy and not self._said and self.flow.settled(timers=timers)

    def next_due(self) -> float | None:
        """When `TimePassed` is wanted next."""
        # While a command waits, nothing is played: looking at the turn's deadline would be in vain.
        engines, turn = self.flow.engines.next_due(), None if self.desk.busy else self.flow.turn_due
        if engines is None or turn is None:
            return turn if engines is None else engines
        return min(engines, turn)

    def _handle(self, event: Event) -> None:
        match event:
            case EngineSaid():
                raise AssertionError("seen to above")
            case SupervisorSaid(line):
                self._said.append(line)
                self._next()
            case TimePassed():
                self.flow.time_passed()
            case Interrupted():
                if self._task is not None:
                    self._task.interrupt()
            case EngineFailed(number, fault, what, last_words):
                link = self.flow.engines.links.get(number)
                if link is not None:
                    self.flow.fault(link, fault, what, last_words)
            case Granted(ticket, value):
                self.desk.granted(ticket, value)
            case Denied(ticket, why):
                self.desk.denied(ticket, why)
            case VisitorCame(number, name, wanted):
                self.flow.visitors.came(number, name, wanted)
            case VisitorSaid(number, line):
                self._seats.said(number, line)
            case VisitorLeft(number):
                self.flow.visitors.left(number)
            case JournalFailed(why):
                name, self.desk.journal = self.desk.journal, ""
                self.desk.inform(f"The play file {name} is closed: {why}")
            case _:
                assert_never(event)

    # Commands.

    def _next(self) -> None:
        """Carry out the commands that wait, one after the other."""
        while self._said and not self.desk.busy and not self._ending:
            self._command(self._said.popleft())

    def _command(self, line: str) -> None:
        desk = self.desk
        try:
            command = parse_supervisor(line)
            if command is None:
                return
            if desk.settings.on("show_command"):
                desk.inform(str(command))
            answer = self._commands[command.name](*command.args)
        except UnknownCommand as error:
            move = ""
            with suppress(RuleFailed):  # no command, whatever the rule says of it
                move = typed.move_alone(desk, line)
            self._refuse(f"{error} Did you mean {move}?" if move else str(error))
            return
        except GgtpError as error:
            self._note(error)
            self._refuse(str(error))
            return
        if isinstance(answer, Generator):
            desk.busy = True
            task: Task[str] = Task(answer, self._done, self._failed)
            self._task = None if command.name in FIRM else task
            task.advance()
        else:
            self._answer(answer)

    def meant(self, line: str) -> str:
        """What a person at a prompt means by a line: the line, or the command for a move that was typed alone."""
        return typed.meant(self.desk, line)

    def _done(self, answer: str) -> None:
        self._answer(answer)
        self._go_on()

    def _failed(self, error: CommandError | RuleFailed) -> None:
        self._note(error)
        self._refuse(str(error))
        self._go_on()

    def _go_on(self) -> None:
        """The command that waited for something is over."""
        self.desk.busy = False
        self._task = None
        self._catch_up()

    def _catch_up(self) -> None:
        """See to what has come while a command waited for something."""
        desk = self.desk
        while desk.deferred and not desk.busy:
            desk.deferred.pop(0)()
        self._next()

    def _answer(self, text: str) -> None:
        self.desk.effects.append(Respond(f"= {one_line(text)}"))
        if self._ending:
            self.desk.effects.append(Leave())

    def _refuse(self, text: str) -> None:
        self.desk.effects.append(Respond(f"? {one_line(text)}"))

    def quit(self) -> str:
        """Command 2: every engine is told to leave; the program ends when they are gone."""
        self._ending = True
        self.flow.engines.clear()
        self.flow.visitors.dismiss()
        if self.desk.journal:
            self.desk.close_journal()
        return DONE

    def _note(self, error: GgtpError) -> None:
        """A command has failed, perhaps because the rule has."""
        if isinstance(error, RuleFailed):
            self.desk.failure = error

    def _rule_failed(self, failure: RuleFailed) -> None:
        """The rule has failed where no command can be refused: hold the play, and go on with what else there is."""
        self.desk.hold(failure)
        try:
            self._catch_up()
        except RuleFailed as again:
            self._rule_failed(again)
