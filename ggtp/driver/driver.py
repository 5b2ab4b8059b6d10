"""The driver: carries out the referee's effects and turns what happens into its events."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol, assert_never

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.driver.compiling import COMPILE_MEBIBYTES, Workshop
from ggtp.driver.journal import PlayFile
from ggtp.driver.link import EngineLink
from ggtp.driver.listeners import Listeners
from ggtp.driver.outbox import Outbox
from ggtp.driver.remote.waiting_room import Porch
from ggtp.driver.requests import Errands, os_words
from ggtp.driver.screen import NoTournaments, Screen, Tournaments
from ggtp.driver.stock import Stock, wanted
from ggtp.driver.tasks import spawn
from ggtp.game import Player
from ggtp.processes.sandbox.policy import Protection
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import Command
from ggtp.referee.effects import (
    AnyWish,
    Bounds,
    CloseJournal,
    Draw,
    Effect,
    EngineDescription,
    Inform,
    Journal,
    Leave,
    LinkId,
    OpenJournal,
    Request,
    Respond,
    StartEngine,
    StopEngine,
    Tell,
    Whisper,
)
from ggtp.referee.events import (
    EngineFailed,
    EngineSaid,
    Event,
    Interrupted,
    JournalFailed,
    JournalMoved,
    SupervisorSaid,
    TimePassed,
)
from ggtp.referee.referee import Referee

if TYPE_CHECKING:
    from ggtp.catalogue.compile.compiler import Compiler
    from ggtp.driver.remote.admission import Keyring
    from ggtp.driver.remote.link import RemoteLink
    from ggtp.foreign.disguise import Disguise

LOOKS = 2
"""How often the loop goes round before a deadline counts: with the second round it has read what was there."""
BUSY_SECONDS = 0.1
"""Where the referee itself takes longer for an event, engines are given that time: nothing was sent or heard in it."""


class MakeReferee(Protocol):
    """Makes the referee of a driver, which alone knows what engines have written to their standard error."""

    def __call__(self, *, last_words: Callable[[LinkId], str]) -> Referee:
        """A referee at an empty table, which may quote an engine's last words."""


class Driver:
    """Runs one referee. Order of operations: `command` as often as wanted, `dismiss` if there is time, then `close`."""

    def __init__(
        self,
        make_referee: MakeReferee,
        catalogue: Catalogue,
        screen: Screen,
        compiler: Compiler | None = None,
        tournaments: Callable[[Callable[[str], None]], Tournaments] | None = None,
        listeners: Listeners = Listeners(),  # noqa: B008 - it never changes
        disguise: Disguise | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """A driver at the beginning.

        Args:
            make_referee: makes whoever decides, given what tells an engine's last words.
            catalogue: finds rules and engines.
            screen: shows what the referee says.
            compiler: compiles, in the background, rules that can be compiled; None for the interpreter all the time.
            tournaments: makes what runs tournaments beside the table, of what informs the supervisor; None for none.
            listeners: are told what happens.
            disguise: other words in which engines are told the rules and moves, and in which they answer.
            keyring: the keys with which the door to other machines is opened; None for the user's own.
        """
        self.referee = referee = make_referee(last_words=self._last_words)
        self.view = referee.view
        """What may be known of the table."""
        self.catalogue = catalogue
        self._screen = screen
        self._workshop = Workshop(referee.view, compiler, self._show_change)
        self._porch = Porch(self.post, screen.inform, keyring)
        beside = NoTournaments() if tournaments is None else tournaments(screen.inform)
        self._errands = Errands(catalogue, self._porch, beside, screen.inform, self.post, self._fail)
        self._events: deque[Event] = deque()
        self._draining = False
        self._links: dict[LinkId, EngineLink | RemoteLink] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        """Engines that were told to stop and are not gone yet."""
        self._answers: deque[asyncio.Future[str]] = deque()
        self._play_file = PlayFile()
        self._outbox = Outbox(self._links, referee.asked, listeners, disguise)
        self._timer: asyncio.Handle | None = None
        self._timer_due = 0.0
        self._settled: list[asyncio.Future[None]] = []
        self._bug: Exception | None = None
        self._noted: set[str] = set()
        self._stock = Stock()
        self.left = False
        """Whether the referee was told to quit."""
        self._listeners = listeners
        self._disguise = disguise

    async def command(self, line: str, *, typed: bool = False) -> str:
        """Say a line to the referee, which a person may have typed; its closing line, or nothing for a comment."""
        if is_comment(line):
            return ""
        self._raise_bug()
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self.post(SupervisorSaid(line, time.monotonic(), typed))
        return await answer

    async def settled(self, *, timers: bool = False) -> None:
        """Wait until no engine has anything to do any more; with `timers`, nor the clock of a turn."""
        while not self.referee.settled(timers=timers):
            self._raise_bug()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._settled.append(waiter)
            await waiter

    async def settled_for(self, command: str) -> None:
        """With the option `wait` on, wait until a command can be carried out, given its name, that needs the moves that
        engines are thinking about."""
        known = SUPERVISOR.get(command)
        if known is not None and known.settled and self.view.on("wait"):
            await self.settled()

    async def ask_engine(
        self, player: Player, command: str, *args: str, behind: bool = False, thinking: bool = False
    ) -> str | None:
        """Ask a player's engine something quietly; None where it has no reply, or no time for it.

        Args:
            player: whose engine.
            command: the question, with its arguments.
            behind: ask one, too, that still owes answers to what it was told before.
            thinking: ask one, too, that thinks, where it tells of its search.
        """
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def tell(text: str | None) -> None:
            if not reply.done():
                reply.set_result(text)

        now = time.monotonic()
        self._carry_out(
            self.referee.ask_engine(player, Command(command, args), now, tell, behind=behind, thinking=thinking)
        )
        self._arm()
        return await reply

    def seed_engine(self, player: Player, seed: int) -> None:
        """Let the chance of a player's engine begin anew."""
        self._carry_out(self.referee.seed_engine(player, seed, time.monotonic()))
        self._arm()

    def forfeit(self, player: Player, reason: str) -> None:
        """End the play as a loss of a player.

        Raises:
            CommandError: there is no play that goes on.
        """
        self._carry_out(self.referee.forfeit(player, reason, time.monotonic()))
        self._arm()

    def engine_process(self, number: LinkId) -> int | None:
        """The process of an engine, while it has one."""
        link = self._links.get(number)
        return None if link is None else link.pid

    def engine_protection(self, number: LinkId) -> Protection | None:
        """What an engine of this machine is kept from; None for one that is not running, or runs elsewhere."""
        link = self._links.get(number)
        return link.protection if isinstance(link, EngineLink) else None

    @property
    def connections(self) -> list[tuple[str, str]]:
        """Who is connected from other machines, and whether it is an `engine` or a `person`: for completion."""
        return self._porch.connections

    @property
    def machine(self) -> str:
        """Who plays the rules on the table, in a word, where that is a question: for front ends to show."""
        return self._workshop.machine

    def interrupt(self) -> None:
        """Give up the command that is being carried out and waits for something."""
        self.post(Interrupted(time.monotonic()))
        self._errands.interrupt()

    def dismiss(self) -> None:
        """Send the engines away as `quit` does; `close` sees them to their end."""
        self._carry_out(self.referee.dismiss(time.monotonic()))

    async def close(self) -> None:
        """See every engine to its end and close every file. What still happens is not told the referee any more."""
        self._draining = True
        self._outbox.close()
        if self._timer is not None:
            self._timer.cancel()
        await self._workshop.close()
        await self._stock.close()
        links = list(self._links.values())
        self._links.clear()
        for link in links:
            link.mute()
        await self._errands.close()
        await asyncio.gather(*(link.stop(kindly=False) for link in links), *self._leaving)
        await self._porch.close()
        self._play_file.close()

    def post(self, event: Event) -> None:
        """Something has happened. Events are handled in order, one after the other."""
        self._events.append(event)
        if self._draining:
            return
        self._draining = True
        decided = False
        try:
            while self._events:
                began = time.monotonic()
                effects = self.referee.handle(self._events.popleft())
                busy = time.monotonic() - began
                if busy > BUSY_SECONDS:
                    self.referee.delay(busy, charged=self._listeners.lateness is not None)
                if effects:
                    decided = True
                    self._carry_out(effects)
        except Exception as error:  # noqa: BLE001 - raised in a callback, it would end as a log line of asyncio
            self._fail(error)
            return
        finally:
            self._draining = False
        if decided or self._timer is None or self.referee.keeps_choices():
            self._arm()  # otherwise an answer that was due has come, and deadlines are only farther away
        self._workshop.look()
        if self._settled and self.referee.settled():
            waiters, self._settled = self._settled, []
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)
        if decided and self._listeners.changed is not None:
            self._listeners.changed()

    def _fail(self, error: Exception) -> None:
        """Something went wrong that is no event: whoever waits for us gets it, now or with the next command."""
        self._bug = self._bug or error
        waiting: list[asyncio.Future[str] | asyncio.Future[None]] = [*self._answers, *self._settled]
        self._answers.clear()
        self._settled.clear()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_exception(error)

    def _raise_bug(self) -> None:
        if self._bug is not None:
            raise self._bug

    # Effects.

    def _carry_out(self, effects: list[Effect]) -> None:
        outbox = self._outbox.lines
        asked: list[LinkId] = []
        urgent: list[LinkId] = []
        moved = False
        for effect in effects:
            if type(effect) is Tell:  # by far the most frequent: several a move
                number = effect.link
                lines = outbox.get(number)
                if lines is None:
                    lines = outbox[number] = []
                lines.append(effect.line)
                if effect.asks:
                    asked.append(number)
                elif not effect.patient:
                    urgent.append(number)
                continue
            match effect:
                case Inform(text):
                    self._screen.inform(text)
                case Respond(text):
                    self._outbox.send(asked, urgent)
                    self._screen.respond(text)
                    answer = self._answers.popleft()
                    if not answer.done():
                        answer.set_result(text)
                case Draw(picture):
                    self._screen.draw(picture)
                case Journal(recorded):
                    moved = moved or self._append(recorded)
                case Request(ticket, wish):
                    self._request(ticket, wish)
                case StopEngine(number, kindly):
                    urgent.append(number)
                    self._outbox.send(asked, urgent)
                    self._stop(number, kindly)
                case CloseJournal():
                    self._play_file.close()
                case Whisper(visitor, texts):
                    self._porch.whisper(visitor, texts)
                case Leave():
                    self.left = True
                case Tell():
                    raise AssertionError("seen to above")
                case _:
                    assert_never(effect)
        self._outbox.send(asked, urgent)

    def _stop(self, number: LinkId, kindly: bool) -> None:
        link = self._links.pop(number, None)
        if link is None:
            return
        link.mute()
        task = spawn(link.stop(kindly=kindly))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _append(self, lines: tuple[str, ...]) -> bool:
        """Write lines down. Return whether the whole play was written to another file, what follows these lines too."""
        file = self._play_file
        event: JournalFailed | JournalMoved | None = None
        try:
            why = file.harm()
            if why:
                event = JournalMoved(why, file.move(self.view.file_lines()), time.monotonic())
            else:
                file.append(lines)
        except OSError as error:
            file.close()
            event = JournalFailed(os_words(error), time.monotonic())
        if event is not None:
            # At once, so that it is said before the answer that would promise otherwise.
            self._carry_out(self.referee.handle(event))
        return isinstance(event, JournalMoved)

    # Requests.

    def _request(self, ticket: int, wish: AnyWish) -> None:
        match wish:
            case StartEngine(number, engine, bounds, rule):
                self._fill_cache(engine, bounds)
                link = self._new_link(number, engine, bounds, rule)
                self._links[number] = link
                self._errands.fulfil(ticket, wish, link.start)
            case OpenJournal(path, lines):
                self._errands.fulfil(ticket, wish, partial(self._open_play_file, path, lines))
            case _:
                self._errands.request(ticket, wish)

    async def _open_play_file(self, path: str, lines: tuple[str, ...]) -> None:
        """Write a play file from now on. It is not seen by engines that start later."""
        await self._play_file.open(path, lines)
        for link in self._links.values():
            if isinstance(link, EngineLink) and link.sees(self._play_file.path):
                self._note(f"{link.spec.name} can read {path}: the file lies in a folder that the engine was shown")

    def _new_link(
        self, number: LinkId, engine: EngineDescription, bounds: Bounds, rule: str
    ) -> EngineLink | RemoteLink:
        if isinstance(engine, EngineSpec):
            hides = (self._play_file.path,) if self._play_file.path else ()
            line, failed = partial(self._line, number), partial(self._failed, number)
            return EngineLink(engine, bounds, line, failed, rule=rule, hides=hides, on_note=self._note)
        from ggtp.driver.remote.link import RemoteEngine, RemoteLink  # most referees have no door

        assert isinstance(engine, RemoteEngine)
        lobby = self._porch.lobby
        return RemoteLink(engine, bounds, lobby, partial(self._line, number), partial(self._failed, number))

    def _fill_cache(self, engine: EngineDescription, bounds: Bounds) -> None:
        """An engine is about to compile the rules on the table: have it find the result, the next time."""
        play, rules = self.view.play, self.view.play.rules
        if not isinstance(engine, EngineSpec) or rules is None or rules.text is None or not self.view.on("compile"):
            return
        if bounds.sandbox == "off" and engine.sandbox in (None, "off"):
            return  # it fills the cache itself
        what = wanted(engine, rules, play.reference, play.values, play.players[0])
        if what is not None:
            self._stock.see_to(what, COMPILE_MEBIBYTES)

    def _note(self, text: str) -> None:
        """Inform the supervisor of how engines are started, of each thing once."""
        if text not in self._noted:
            self._noted.add(text)
            self._screen.inform(text)

    # What happens.

    def _show_change(self) -> None:
        if self._listeners.changed is not None and not self._draining:
            self._listeners.changed()

    def _line(self, number: LinkId, line: bytes, at: float) -> None:
        if self._listeners.lateness is not None:
            at -= self._listeners.lateness()
        if self._disguise is not None:
            line = self._disguise.from_engine(line)
        if self._listeners.wire is not None:
            self._listeners.wire(number, False, line, at)
        self._look_for_waits(number, at)
        if line == b"acknowledge" and not self._events and self.referee.acknowledged(number, at):
            return
        self.post(EngineSaid(number, line, at))

    def _failed(self, number: LinkId, fault: str, what: str, last_words: str) -> None:
        if self._listeners.failing is not None:
            self._listeners.failing(number)
        self.post(EngineFailed(number, fault, what, last_words, time.monotonic()))

    def _last_words(self, number: LinkId) -> str:
        link = self._links.get(number)
        return link.last_words() if link is not None else ""

    def _arm(self) -> None:
        """Have the referee told when its next deadline comes. A timer that is early does no harm."""
        due = self.referee.next_due()
        if due is None or (self._timer is not None and self._timer_due <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_due = due
        self._timer = asyncio.get_running_loop().call_at(due, self._tick, LOOKS)

    def _tick(self, looks: int) -> None:
        """A deadline has come. If it was we who were busy, lines may be there that nobody has read yet: look first."""
        if looks:
            self._timer = asyncio.get_running_loop().call_soon(self._tick, looks - 1)
            return
        self._timer = None
        now = time.monotonic()
        for number in self._links:
            self._look_for_waits(number, now)
        self.post(TimePassed(now))

    def _look_for_waits(self, number: LinkId, at: float) -> None:
        """If an engine's move is late, have the referee know how long the engine has waited for a processor."""
        if self._listeners.waited is not None and self.referee.is_late(number, at):
            self.referee.kept_waiting(number, self._listeners.waited(number))
