"""The driver: carries out the referee's effects and turns what happens into its events."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, assert_never

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.driver.journal import JournalFile, read_text
from ggtp.driver.link import EngineLink
from ggtp.driver.tasks import in_thread, spawn
from ggtp.errors import CommandError, GgtpError, TransportError
from ggtp.game import Picture, Player, Rules
from ggtp.protocol.codec import is_comment, parse_supervisor
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import Command
from ggtp.referee.effects import (
    Bounds,
    CloseJournal,
    Draw,
    Effect,
    EngineDescription,
    FindEngine,
    FindRules,
    FoundEngine,
    FoundRules,
    Inform,
    Journal,
    Leave,
    LinkId,
    ListConnections,
    Listen,
    ListEngines,
    ListRules,
    ManageTournament,
    OpenJournal,
    ReadFile,
    Request,
    Respond,
    StartEngine,
    StopEngine,
    StopListening,
    Tell,
    VisitorId,
    Whisper,
    Wish,
)
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
from ggtp.referee.play import REMOTE
from ggtp.referee.referee import Referee
from ggtp.transport.keys import NAME

if TYPE_CHECKING:
    from ggtp.catalogue.background import Compilation
    from ggtp.catalogue.compiler import Compiler
    from ggtp.driver.lobby import Keyring, Lobby
    from ggtp.driver.remote_link import RemoteLink
    from ggtp.driver.steward import Steward
    from ggtp.foreign.disguise import Disguise
    from ggtp.transport.door import AdmittedWire

NEWS_SECONDS = 0.002
"""How long a line that asks for nothing may wait for another one to the same engine."""
LOOKS = 2
"""How often the loop goes round before a deadline counts: with the second round it has read what was there."""
COMPILE_AFTER = 1.0
"""How long a rule must be on the table before it is compiled: what is over by then is not worth a process."""
COMPILE_MEBIBYTES = 2048
"""What that may take: the referee plays on without it, and others want memory too."""
GOODBYE_SECONDS = 0.5
"""How long people on other machines may take to hear that the referee leaves."""
VISITOR_SECONDS = 0.02
"""How long after a line of a person on another machine the next one is heard."""
CLOSING_SECONDS = 2.0
"""How long to wait at the end for a process that compiles."""


class Screen(Protocol):
    """Where a front end shows what the referee says."""

    def respond(self, text: str) -> None:
        """A closing line: `= ...` or `? ...`."""

    def inform(self, text: str) -> None:
        """The text of a `->` line."""

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""


class Driver:
    """Runs one referee. Order of operations: `command` as often as wanted, `dismiss` if there is time, then `close`."""

    def __init__(
        self, referee: Referee, catalogue: Catalogue, screen: Screen, compiler: Compiler | None = None
    ) -> None:
        """A driver at the beginning.

        Args:
            referee: decides.
            catalogue: finds rules and engines.
            screen: shows what the referee says.
            compiler: compiles, in the background, rules that can be compiled; None for the interpreter all the time.
        """
        self.referee = referee
        self.catalogue = catalogue
        self._screen = screen
        self._compiler = compiler
        self._compilation: Compilation | None = None
        self._compile_timer: asyncio.TimerHandle | None = None
        self._rules: Rules | None = None
        """The rules on the table that are compiled, or are to be soon."""
        self._events: deque[Event] = deque()
        self._draining = False
        self._links: dict[LinkId, EngineLink | RemoteLink] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        """Engines that were told to stop and are not gone yet."""
        self._answers: deque[asyncio.Future[str]] = deque()
        self._journal: JournalFile | None = None
        self._steward: Steward | None = None
        self._lobby: Lobby | None = None
        self._visitors: dict[VisitorId, AdmittedWire] = {}
        """People on other machines."""
        self._visitor_count = 0
        self.keyring: Keyring | None = None
        """The keys with which the door to other machines is opened; None: the user's own."""
        self._outbox: dict[LinkId, list[bytes]] = {}
        """What is to be sent to each engine; news may wait here a moment for company."""
        self._news_timer: asyncio.TimerHandle | None = None
        self._timer: asyncio.Handle | None = None
        self._timer_due = 0.0
        self._settled: list[asyncio.Future[None]] = []
        self._bug: Exception | None = None
        self.left = False
        """Whether the referee was told to quit."""
        self.on_change: Callable[[], None] | None = None
        """Called whenever something may have changed that a front end shows."""
        self.on_wire: Callable[[LinkId, bool, bytes, float], None] | None = None
        """Called for every line that goes to an engine (True) or comes from it (False), with its time."""
        self.on_failing: Callable[[LinkId], None] | None = None
        """Called when an engine fails by itself, while its process can still be looked at."""
        self.on_asked: Callable[[LinkId], None] | None = None
        """Called when an engine was asked for a move."""
        self.disguise: Disguise | None = None
        """Other words in which engines are told the rules and moves, and in which they answer."""
        self.lateness: Callable[[], float] | None = None
        """By how many seconds what comes now may have waited for us: no engine is charged for that."""
        referee.desk.last_words = self._last_words

    # For front ends.

    async def command(self, line: str) -> str:
        """Say a line to the referee; its closing line, or nothing for a comment."""
        if is_comment(line):
            return ""
        self._raise_bug()
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self.post(SupervisorSaid(line, time.monotonic()))
        return await answer

    async def settled(self, *, timers: bool = False) -> None:
        """Wait until no engine has anything to do any more; with `timers`, nor the clock of a turn."""
        while not self.referee.settled(timers=timers):
            self._raise_bug()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._settled.append(waiter)
            await waiter

    async def settled_for(self, line: str) -> None:
        """With the option `wait` on, wait until a command can be carried out that needs the moves of engines."""
        if self.referee.desk.settings.on("wait") and needs_settled(line):
            await self.settled()

    async def ask_engine(self, player: Player, command: str, *args: str) -> str | None:
        """Ask a player's engine something quietly, for completion; None where it has no reply, or no time for it."""
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def tell(text: str | None) -> None:
            if not reply.done():
                reply.set_result(text)

        self._carry_out(self.referee.ask_engine(player, Command(command, args), time.monotonic(), tell))
        self._arm()
        return await reply

    async def ask_behind(self, player: Player, command: str, *args: str) -> str | None:
        """The same of an engine that may still owe answers to what it was told before."""
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def tell(text: str | None) -> None:
            if not reply.done():
                reply.set_result(text)

        self._carry_out(self.referee.ask_engine(player, Command(command, args), time.monotonic(), tell, behind=True))
        self._arm()
        return await reply

    async def ask_thinking(self, player: Player, command: str, *args: str) -> str | None:
        """The same of an engine that thinks, where it is one that tells of its search."""
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def tell(text: str | None) -> None:
            if not reply.done():
                reply.set_result(text)

        self._carry_out(self.referee.ask_engine(player, Command(command, args), time.monotonic(), tell, thinking=True))
        self._arm()
        return await reply

    def seed_engine(self, player: Player, seed: int) -> None:
        """Let the chance of a player's engine begin anew."""
        self._carry_out(self.referee.seed_engine(player, seed, time.monotonic()))
        self._arm()

    def engine_process(self, number: LinkId) -> int | None:
        """The process of an engine, while it has one."""
        link = self._links.get(number)
        return None if link is None else link.pid

    @property
    def connections(self) -> list[tuple[str, str]]:
        """Who is connected from other machines, and whether it is an `engine` or a `person`: for completion."""
        return [(name, role) for name, role, _, _ in self._lobby.names()] if self._lobby is not None else []

    def interrupt(self) -> None:
        """Give up the command that is being carried out and waits for something."""
        self.post(Interrupted(time.monotonic()))

    def dismiss(self) -> None:
        """Send the engines away as `quit` does; `close` sees them to their end."""
        self._carry_out(self.referee.dismiss(time.monotonic()))

    async def close(self) -> None:
        """See every engine to its end and close every file. What still happens is not told the referee any more."""
        self._draining = True
        for timer in (self._timer, self._news_timer, self._compile_timer):
            if timer is not None:
                timer.cancel()
        compilation = self._compilation
        if compilation is not None:
            await in_thread(compilation.close, CLOSING_SECONDS)
        links, self._links = list(self._links.values()), {}
        for link in links:
            link.mute()
        if self._steward is not None:
            await self._steward.close()
        await asyncio.gather(*(link.stop(kindly=False) for link in links), *self._leaving)
        if self._lobby is not None:
            await self._see_off()
            self._lobby.close()
        self._close_journal()

    def post(self, event: Event) -> None:
        """Something has happened. Events are handled in order, one after the other."""
        self._events.append(event)
        if self._draining:
            return
        self._draining = True
        decided = False
        try:
            while self._events:
                effects = self.referee.handle(self._events.popleft())
                if effects:
                    decided = True
                    self._carry_out(effects)
        except Exception as error:  # noqa: BLE001 - raised in a callback, it would end as a log line of asyncio
            self._fail(error)
            return
        finally:
            self._draining = False
        if decided or self._timer is None:
            self._arm()  # otherwise an answer that was due has come, and deadlines are only farther away
        if self._compiler is not None and self._to_compile() is not self._rules:
            self._rules_changed()
        if self._settled and self.referee.settled():
            waiters, self._settled = self._settled, []
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)
        if decided and self.on_change is not None:
            self.on_change()

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
        outbox = self._outbox
        asked: list[LinkId] = []
        urgent: list[LinkId] = []
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
                    self._send(asked, urgent)
                    self._screen.respond(text)
                    answer = self._answers.popleft()
                    if not answer.done():
                        answer.set_result(text)
                case Draw(picture):
                    self._screen.draw(picture)
                case Journal(recorded):
                    self._append(recorded)
                case Request(ticket, wish):
                    self._request(ticket, wish)
                case StopEngine(number, kindly):
                    self._send(asked, urgent)
                    self._stop(number, kindly)
                case CloseJournal():
                    self._close_journal()
                case Whisper(visitor, texts):
                    self._whisper(visitor, texts)
                case Leave():
                    self.left = True
                case Tell():
                    raise AssertionError("seen to above")
                case _:
                    assert_never(effect)
        self._send(asked, urgent)

    def _send(self, asked: list[LinkId], urgent: list[LinkId]) -> None:
        """Send what has to be sent now, all lines to one engine together: it wakes up once.

        News that asks for nothing waits a moment for the request that usually follows it.
        """
        outbox = self._outbox
        if asked:
            for number in asked:
                self._send_now(number)
            now = time.monotonic()
            for number in asked:
                self.referee.asked(number, now)
                if self.on_asked is not None:
                    self.on_asked(number)
            asked.clear()
        if urgent:
            for number in urgent:
                self._send_now(number)
            urgent.clear()
        if outbox and self._news_timer is None:
            self._news_timer = asyncio.get_running_loop().call_later(NEWS_SECONDS, self._send_news)

    def _send_now(self, number: LinkId) -> None:
        lines = self._outbox.pop(number, None)
        link = self._links.get(number)
        if lines is not None and link is not None:
            if self.on_wire is not None:
                now = time.monotonic()
                for line in lines:
                    self.on_wire(number, True, line, now)
            if self.disguise is not None:
                lines = list(map(self.disguise.to_engine, lines))
            link.send(lines)

    def _send_news(self) -> None:
        self._news_timer = None
        for number in list(self._outbox):
            self._send_now(number)

    def _stop(self, number: LinkId, kindly: bool) -> None:
        self._send_now(number)
        link = self._links.pop(number, None)
        if link is None:
            return
        link.mute()
        task = spawn(link.stop(kindly=kindly))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _append(self, lines: tuple[str, ...]) -> None:
        if self._journal is None:
            return
        try:
            self._journal.append(lines)
        except OSError as error:
            self._close_journal()
            # At once, so that it is said before the answer that would promise otherwise.
            self._carry_out(self.referee.handle(JournalFailed(_os_words(error), time.monotonic())))

    def _close_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    # Requests.

    def _request(self, ticket: int, wish: Wish) -> None:
        match wish:
            case StartEngine(number, engine, bounds):
                link = self._new_link(number, engine, bounds)
                self._links[number] = link
                spawn(self._fulfil(ticket, link.start))
            case OpenJournal(path, lines):
                spawn(self._fulfil(ticket, partial(self._open_journal, path, lines)))
            case ManageTournament(command, words):
                spawn(self._fulfil(ticket, partial(self._manage, command, words)))
            case Listen() | StopListening() | ListConnections():
                spawn(self._fulfil(ticket, partial(self._at_the_door, wish)))
            case _:
                spawn(self._fulfil(ticket, partial(in_thread, self._do, wish)))

    async def _fulfil(self, ticket: int, work: Callable[[], object]) -> None:
        try:
            value = await work()  # type: ignore[misc]  # every work is an async function
        except GgtpError as error:
            self.post(Denied(ticket, str(error), time.monotonic()))
        except (OSError, ValueError) as error:
            self.post(Denied(ticket, _os_words(error), time.monotonic()))
        except Exception as error:  # noqa: BLE001 - raised in a task, it would end as a log line of asyncio
            self._fail(error)
        else:
            self.post(Granted(ticket, value, time.monotonic()))

    def _do(self, wish: Wish) -> object:
        """Carry out a request that may take a while, in a thread, so that the prompt stays alive."""
        match wish:
            case FindRules(name):
                rules = self.catalogue.find_rules(name)
                return FoundRules(rules, _reference(name, rules.name))
            case ListRules():
                return [
                    entry.name for entry in self.catalogue.list_rules() if not entry.shadowed_by and not entry.problem
                ]
            case FindEngine(name) if name.casefold().startswith(REMOTE):
                return _remote_engine(name)
            case FindEngine(name):
                spec = self.catalogue.find_engine(name)
                return FoundEngine(spec, _reference(name, spec.name))
            case ListEngines():
                return self._engines()
            case ReadFile(path):
                return read_text(path)
            case StartEngine() | OpenJournal() | ManageTournament() | Listen() | StopListening() | ListConnections():
                raise AssertionError("these are carried out in the loop")
            case _:
                assert_never(wish)

    def _new_link(self, number: LinkId, engine: EngineDescription, bounds: Bounds) -> EngineLink | RemoteLink:
        if isinstance(engine, EngineSpec):
            return EngineLink(engine, bounds, partial(self._line, number), partial(self._failed, number))
        from ggtp.driver.remote_link import RemoteEngine, RemoteLink  # most referees have no door

        assert isinstance(engine, RemoteEngine)
        return RemoteLink(engine, bounds, self._lobby, partial(self._line, number), partial(self._failed, number))

    async def _at_the_door(self, wish: Listen | StopListening | ListConnections) -> object:
        from ggtp.driver import lobby  # most referees have no door

        if isinstance(wish, Listen):
            if self._lobby is None:
                keyring = self.keyring or lobby.usual_keyring(os.environ)
                self._lobby = lobby.Lobby(keyring, self._person, self._screen.inform)
            try:
                return await self._lobby.open(
                    wish.address, anyone=wish.anyone, limit=wish.line_bytes, silence=wish.silence_seconds
                )
            except TransportError as error:
                raise CommandError(f"It can't be listened there: {error}.") from error
        door = lobby.need(self._lobby)
        if isinstance(wish, ListConnections):
            return [
                f"{name} {role} {address}{' at the table' if seated and role == 'engine' else ''}"
                for name, role, address, seated in door.names()
            ]
        door.close()
        return None

    def _person(self, wire: AdmittedWire, wanted: str) -> None:
        """Somebody has joined who is a person."""
        self._visitor_count += 1
        number = self._visitor_count
        self._visitors[number] = wire
        wire.attend(partial(self._visitor_line, number), lambda _error: self._visitor_lost(number))
        self.post(VisitorCame(number, wire.name, wanted, time.monotonic()))

    def _visitor_line(self, number: VisitorId, line: bytes, at: float) -> None:
        wire = self._visitors[number]
        # So many lines a second are enough for a person; the others wait at the other end.
        wire.reading(False)
        asyncio.get_running_loop().call_later(VISITOR_SECONDS, wire.reading, True)
        self.post(VisitorSaid(number, line.decode("utf-8", "replace"), at))

    def _visitor_lost(self, number: VisitorId) -> None:
        wire = self._visitors.pop(number, None)
        if wire is not None:
            if self._lobby is not None:
                self._lobby.given_back(wire)
            self.post(VisitorLeft(number, time.monotonic()))

    async def _see_off(self) -> None:
        """Give people on other machines, who were told goodbye, a moment to hear it."""
        deadline = time.monotonic() + GOODBYE_SECONDS
        while self._visitors and time.monotonic() < deadline:  # noqa: ASYNC110 - at the end, and not for long
            await asyncio.sleep(0.01)

    def _whisper(self, number: VisitorId, texts: tuple[str, ...]) -> None:
        wire = self._visitors.get(number)
        if wire is None:
            return
        try:
            wire.send([text.encode("utf-8", "backslashreplace") for text in texts])
        except TransportError as error:
            asyncio.get_running_loop().call_soon(wire.cut, error)

    async def _manage(self, command: str, words: str) -> list[str]:
        if self._steward is None:
            from ggtp.driver.steward import Steward  # most supervisors never have a tournament

            self._steward = Steward(self.catalogue, self._screen.inform)
        return await self._steward.manage(command, words)

    async def _open_journal(self, path: str, lines: tuple[str, ...]) -> None:
        journal = await in_thread(JournalFile, path, lines)
        self._close_journal()
        self._journal = journal

    def _engines(self) -> list[EngineDescription]:
        found: list[EngineDescription] = [
            entry.spec for entry in self.catalogue.list_engines() if entry.usable and entry.spec is not None
        ]
        if self._lobby is not None:
            found += [_remote_engine(f"{REMOTE}{name}").engine for name in self._lobby.engines()]
        return found

    # Compiling.

    @property
    def machine(self) -> str:
        """Who plays the rules on the table, in a word, where that is a question: for front ends to show."""
        compilation = self._compilation
        if compilation is None:
            return ""
        if not compilation.over:
            return "compiling"
        return "interpreted" if compilation.game is None else "compiled"

    def _to_compile(self) -> Rules | None:
        """The rules on the table, if they are text and are to be compiled."""
        rules = self.referee.desk.play.rules
        if rules is None or rules.text is None or not self.referee.desk.settings.on("compile"):
            return None
        return rules

    def _rules_changed(self) -> None:
        """Other rules are on the table: what is being compiled is not wanted any more, and they may be, soon."""
        self._rules = rules = self._to_compile()
        if self._compile_timer is not None:
            self._compile_timer.cancel()
            self._compile_timer = None
        if self._compilation is not None:
            self._compilation.stop()
            self._compilation = None
        if rules is not None:
            loop = asyncio.get_running_loop()
            self._compile_timer = loop.call_later(COMPILE_AFTER, self._compile, rules)

    def _compile(self, rules: Rules) -> None:
        from ggtp.catalogue.background import begin_compiling  # only those who play such a game pay for it

        assert self._compiler is not None
        loop = asyncio.get_running_loop()

        def ended() -> None:
            with suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(self._show_change)

        self._compile_timer = None
        self._compilation = begin_compiling(self._compiler, rules, COMPILE_MEBIBYTES, ended)
        self._show_change()

    def _show_change(self) -> None:
        if self.on_change is not None and not self._draining:
            self.on_change()

    # What happens.

    def _line(self, number: LinkId, line: bytes, at: float) -> None:
        if self.lateness is not None:
            at -= self.lateness()
        if self.disguise is not None:
            line = self.disguise.from_engine(line)
        if self.on_wire is not None:
            self.on_wire(number, False, line, at)
        if line == b"acknowledge" and not self._events and self.referee.acknowledged(number, at):
            return
        self.post(EngineSaid(number, line, at))

    def _failed(self, number: LinkId, fault: str, what: str, last_words: str) -> None:
        if self.on_failing is not None:
            self.on_failing(number)
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
        self.post(TimePassed(time.monotonic()))


def _remote_engine(name: str) -> FoundEngine:
    """An engine on another machine; whether it is there is seen when it is to play."""
    from ggtp.driver.remote_link import RemoteEngine

    key_name = name[len(REMOTE) :]
    if not NAME.fullmatch(key_name):
        raise CommandError(f"{name} names nobody: the name of a known key is needed behind {REMOTE}")
    engine = RemoteEngine(key_name)
    return FoundEngine(engine, engine.name)


def needs_settled(line: str) -> bool:
    """Whether a line is a command whose meaning depends on the moves that engines are thinking about."""
    try:
        command = parse_supervisor(line)
    except CommandError:
        return False
    return command is not None and SUPERVISOR[command.name].settled


def _reference(asked: str, name: str) -> str:
    """What to write into a play file: the name, or the whole path where a path was given."""
    return str(Path(asked).resolve()) if asked.casefold() != name.casefold() and Path(asked).exists() else name


def _os_words(error: OSError | ValueError) -> str:
    """An operating system's error as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return f"{error}."
