"""One engine in a play that somebody else referees: a tool for Go or chess, or a game manager far away.

The engine is an ordinary one and is spoken to as by any referee. Where it fails it is started
again and told the play so far, a few times; whoever asked hears of it when that does not help.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from ggtp.catalogue import EngineSpec
from ggtp.driver.link import EngineLink, OnNote
from ggtp.errors import (
    CommandError,
    EngineError,
    EngineTerminated,
    EngineTimedOut,
    RemoteProtocolError,
    with_last_words,
)
from ggtp.game import Move, Player, Rules
from ggtp.game.names import match_name
from ggtp.protocol.introduction import GameNews, greet, inform, introduce, set_option
from ggtp.protocol.messages import Answer, Command
from ggtp.protocol.session import EngineSession, Selected
from ggtp.protocol.utterances import UNDONE, made_move
from ggtp.protocol.waiting import Conversation
from ggtp.referee.engines import option_of
from ggtp.referee.settings import Settings

T = TypeVar("T")

START_CLOCK = "start_clock"
TIME = "Time"
"""An option of our engines: they stop after some seconds by themselves, unless it is 0. Here clocks are always told."""
MOST_RESTARTS = 3
"""How often in a row a failing engine is started again."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an engine is told before a play begins."""

    rules: Rules
    reference: str
    """What the rules are called, or where they are."""
    values: Mapping[str, str]
    """The options of the rules."""
    player: Player
    settings: dict[str, str] = field(default_factory=dict)
    """Its own options."""
    seed: str = ""
    threads: int = 1
    memory: int = 0
    """Mebibytes that it is told to use; 0 leaves it to the engine, or to whoever sets its options."""


class SoloSession(EngineSession):
    """The session with one process of the engine."""

    __slots__ = ("_settings", "assignment", "link")

    link: EngineLink

    def __init__(self, name: str, settings: Settings) -> None:
        super().__init__(name)
        self._settings = settings
        self.assignment: Assignment | None = None
        """The game that it knows."""

    def send(self, line: bytes, *, asks: bool = False, patient: bool = False) -> None:
        """Send a line, at once."""
        self.link.send([line])

    @property
    def now(self) -> float:
        """The time, on the clock of the wires."""
        return time.monotonic()

    @property
    def answer_time(self) -> float:
        """What the option of that name says."""
        return self._settings.answer_time


class Soloist:
    """An engine and the play that it is told.

    Order of operations: `start`, where there is time for it; `open` with a game, and again with another; `begin` for
    each play; `made` and `undone` as the play goes on; `select` for a move; at last `close`.
    """

    def __init__(
        self, spec: EngineSpec, settings: Settings | None = None, on_note: OnNote = lambda _text: None
    ) -> None:
        """An engine that has not been started.

        Args:
            spec: how it is started.
            settings: those of a referee, for its bounds.
            on_note: takes sentences about its sandbox for whoever runs us, each of them once.
        """
        self.spec = spec
        self._on_note = on_note
        self._noted: set[str] = set()
        self.listed: tuple[str, ...] = ()
        """The options that it has."""
        self._settings = settings or Settings.defaults({})
        self._assignment: Assignment | None = None
        self._play: list[tuple[Player, Move]] | None = None
        """What was played so far; None before the first play."""
        self._running: SoloSession | None = None
        """None before the first process, and where the last one was seen to its end."""
        self._move: asyncio.Future[Move] | None = None
        self._restarts = 0

    # What it is told.

    async def start(self) -> None:
        """Start it, so that it is there when it is needed.

        Raises:
            EngineError: it failed.
        """
        await self._session()

    async def open(self, assignment: Assignment) -> None:
        """Tell it its game.

        Raises:
            EngineError: it failed.
            CommandError: it can't play the game, or refuses an option.
        """
        self._play = None
        self._assignment = assignment
        self._restarts = 0
        session = await self._session()
        if session.assignment is not assignment:
            await self._introduce(session, assignment)

    async def begin(self, milliseconds: int = 0) -> None:
        """A play begins; the engine may take so long to get ready.

        Raises:
            EngineError: it failed.
        """
        assert self._assignment is not None
        self._play = []
        before = self._running
        session = await self._session()
        if session is before:  # otherwise it was started anew, and the play begun
            game = self._assignment
            await self._finish(session, inform(session, game.rules.name, {START_CLOCK: str(milliseconds)}))
            await self._begin(session, self._play, milliseconds / 1000)

    async def made(self, player: Player, move: Move) -> None:
        """A move was made."""
        assert self._play is not None
        self._play.append((player, move))
        if self._running is not None and self._running.state != "gone":
            self._running.say(made_move(player, move))

    async def undone(self) -> None:
        """The last move was taken back."""
        assert self._play
        self._play.pop()
        if self._running is not None and self._running.state != "gone":
            self._running.say(UNDONE)

    async def ask(self, command: Command) -> Answer:
        """What it answers to a question or an option.

        Raises:
            EngineError: it failed.
        """
        session = await self._session()
        return await self._finish(session, iter(session.ask(command)))

    async def set_option(self, name: str, value: str) -> None:
        """Set one of its options, now and whenever it is started again.

        Raises:
            EngineError: it failed.
            CommandError: it does not take it.
        """
        assert self._assignment is not None
        session = await self._session()
        await self._finish(session, set_option(session, option_of(session, name), value))
        self._assignment.settings[name] = value

    async def select(
        self, player: Player, milliseconds: int | None, patience: float, news: Mapping[str, str] | None = None
    ) -> Move:
        """The move that it selects for a player.

        Args:
            player: for whom.
            milliseconds: what it is told to take at most; None for no limit.
            patience: seconds to wait for the move, whatever it was told.
            news: options that it is told with the request, of those that it has.

        Raises:
            EngineError: it failed, or there is no move after that time; then it is not asked any more.
        """
        assert self._assignment is not None
        session = await self._session()
        await self._finish(session, inform(session, self._assignment.rules.name, {"player": player, **(news or {})}))
        move: asyncio.Future[Move] = asyncio.get_running_loop().create_future()
        self._move = move
        session.ask_move(None if milliseconds is None else milliseconds / 1000, math.inf)
        try:
            async with asyncio.timeout(patience):
                await self._wait(session, move)
            text = move.result()
        except TimeoutError:
            raise EngineTimedOut(f"Engine {self.spec.name} has not moved in time.") from None
        finally:
            self._move = None
            if session.thinking:
                session.withdraw()
        self._restarts = 0
        return text

    async def close(self) -> None:
        """See it to its end."""
        session, self._running = self._running, None
        if session is None:
            return
        kindly = session.state != "gone"
        if kindly:
            session.close()
            self._end(session, EngineTerminated(f"Engine {self.spec.name} was stopped."))
        await session.link.stop(kindly=kindly)

    # How it is done.

    async def _session(self) -> SoloSession:
        """The session with a process that knows the play. Where there is none, one is started and told."""
        old = self._running
        if old is not None and old.state != "gone":
            return old
        if old is not None:
            self._running = None
            await old.link.stop(kindly=False)
            self._restarts += 1
            if self._restarts > MOST_RESTARTS and old.failure is not None:
                raise old.failure
        session = SoloSession(self.spec.name, self._settings)
        said, failed = partial(self._said, session), partial(self._failed, session)
        session.link = EngineLink(self.spec, self._settings.bounds(), said, failed, on_note=self._note)
        await session.link.start()
        self._running = session
        try:
            await self._finish(session, greet(session, self._settings.seconds("connect_time")))
        except EngineError:
            await self.close()
            raise
        self.listed = session.listed
        if self._assignment is not None:
            await self._introduce(session, self._assignment)
        if self._play is not None:
            await self._begin(session, self._play)
        return session

    def _note(self, text: str) -> None:
        if text not in self._noted:  # a process that is started again lacks the same
            self._noted.add(text)
            self._on_note(text)

    async def _introduce(self, session: SoloSession, game: Assignment) -> None:
        """Tell it its game; an engine that refuses it is stopped."""
        news = GameNews(
            name=game.rules.name,
            rule=game.reference,
            text=game.rules.text or "",
            rule_options=game.values,
            player=game.player,
            seed=game.seed,
            threads=game.threads,
            memory=game.memory,
        )
        chosen = {**self.spec.options, **game.settings}
        if TIME in session.listed and match_name(TIME, chosen) is None:
            chosen[TIME] = "0"
        try:
            await self._finish(session, introduce(session, news))
            for name, value in chosen.items():
                await self._finish(session, set_option(session, option_of(session, name), value))
        except (CommandError, EngineError):
            await self.close()
            raise
        session.assignment = game

    async def _begin(self, session: SoloSession, play: list[tuple[Player, Move]], seconds: float = 0.0) -> None:
        started = session.start(seconds)
        for player, move in play:
            session.say(made_move(player, move))
        await self._finish(session, iter(started))

    async def _finish(self, session: SoloSession, conversation: Conversation[T]) -> T:
        """Go through a conversation to its end."""
        while True:
            try:
                awaited = next(conversation)
            except StopIteration as stop:
                result: T = stop.value
                return result
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            awaited.wake(partial(woken.set_result, None))
            await self._wait(session, woken)

    async def _wait(self, session: SoloSession, future: asyncio.Future[T]) -> None:
        """Wait for something that comes of what the engine says, as long as its answers come in time."""
        while not future.done():
            due = session.due
            await asyncio.wait((future,), timeout=None if due is None else max(0.0, due - session.now))
            overdue = session.overdue(session.now)
            if overdue is not None and not future.done():
                self._failed(session, overdue.fault, overdue.what, "")

    # What it says.

    def _said(self, session: SoloSession, line: bytes, at: float) -> None:
        if session.state == "gone":
            return
        try:
            event = session.hear(line, at)
        except RemoteProtocolError as error:
            self._failed(session, "protocol", f"{error}: {error.line}.", "")
            return
        if isinstance(event, Selected) and session.take(event) and self._move is not None:
            self._move.set_result(event.move)

    def _failed(self, session: SoloSession, fault: str, what: str, last_words: str) -> None:
        if session.state != "gone":
            sentence = f"Engine {self.spec.name} failed ({fault}): {what}"
            self._end(session, EngineTerminated(with_last_words(sentence, last_words), last_words))

    def _end(self, session: SoloSession, why: EngineError) -> None:
        session.end(why)
        if self._move is not None and not self._move.done():
            self._move.set_exception(why)
