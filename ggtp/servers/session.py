"""One engine in a play that somebody else referees: a tool for Go or chess, or a game manager far away.

The engine is an ordinary one and is spoken to as by any referee. Where it fails it is started
again and told the play so far, a few times; whoever asked hears of it when that does not help.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.catalogue import EngineSpec
from ggtp.driver.link import EngineLink
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
from ggtp.protocol.connection import Answered, EngineConversation, Selected, made_move, utterance
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.text import join_map, split_list
from ggtp.referee.engines import HAVE_TO_PLAY, REDONE, REFUSAL, RESERVED, START, UNDONE
from ggtp.referee.settings import Settings

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


class Soloist:
    """An engine and the play that it is told.

    Order of operations: `start`, where there is time for it; `open` with a game, and again with another; `begin` for
    each play; `made` and `undone` as the play goes on; `select` for a move, which `withdraw` gives up; at last `close`.
    """

    def __init__(self, spec: EngineSpec, settings: Settings | None = None) -> None:
        """An engine that has not been started; the settings are those of a referee, for its bounds."""
        self.spec = spec
        self.listed: tuple[str, ...] = ()
        """The options that it has."""
        self._settings = settings or Settings.defaults({})
        self._assignment: Assignment | None = None
        self._play: list[tuple[Player, Move]] | None = None
        """What was played so far; None before the first play."""
        self._link: EngineLink | None = None
        self._conversation = EngineConversation()
        self._promises: deque[asyncio.Future[Answer] | None] = deque()
        self._move: asyncio.Future[Move] | None = None
        self._failure: EngineError | None = None
        self._told_player: Player = ""
        self._restarts = 0

    # What it is told.

    async def start(self) -> None:
        """Start it, so that it is there when it is needed.

        Raises:
            EngineError: it failed.
        """
        await self._ensure()

    async def open(self, assignment: Assignment) -> None:
        """Tell it its game.

        Raises:
            EngineError: it failed.
            CommandError: it can't play the game, or refuses an option.
        """
        self._play = None
        self._assignment = assignment
        self._restarts = 0
        await self._ensure()
        if self._told is not assignment:
            await self._introduce()

    async def begin(self, milliseconds: int = 0) -> None:
        """A play begins; the engine may take so long to get ready.

        Raises:
            EngineError: it failed.
        """
        assert self._assignment is not None
        self._play = []
        if await self._ensure():
            return
        if START_CLOCK in self.listed:
            await self._ask(Command("set_option", (START_CLOCK, str(milliseconds))))
        await self._begin(milliseconds)

    async def made(self, player: Player, move: Move) -> None:
        """A move was made."""
        assert self._play is not None
        self._play.append((player, move))
        if self._runs:
            self._tell(made_move(player, move).command)

    async def undone(self) -> None:
        """The last move was taken back."""
        assert self._play
        self._play.pop()
        if self._runs:
            self._tell(UNDONE)

    async def ask(self, command: Command) -> Answer:
        """What it answers to a question or an option.

        Raises:
            EngineError: it failed.
        """
        await self._ensure()
        return await self._ask(command)

    async def set_option(self, name: str, value: str) -> None:
        """Set one of its options, now and whenever it is started again.

        Raises:
            EngineError: it failed.
            CommandError: it does not take it.
        """
        assert self._assignment is not None
        await self._ensure()
        await self._set(name, value)
        self._assignment.settings[name] = value

    async def select(self, player: Player, milliseconds: int | None, patience: float) -> Move:
        """The move that it selects for a player.

        Args:
            player: for whom.
            milliseconds: what it is told to take at most; None for no limit.
            patience: seconds to wait for the move, whatever it was told.

        Raises:
            EngineError: it failed, or there is no move after that time; then it is not asked any more.
        """
        await self._ensure()
        if player != self._told_player and "player" in self.listed:
            await self._set("player", player)
        self._told_player = player
        command = HAVE_TO_PLAY.command if milliseconds is None else Command("have_to_play", (str(milliseconds),))
        move: asyncio.Future[Move] = asyncio.get_running_loop().create_future()
        self._move = move
        self._send(command)
        try:
            async with asyncio.timeout(patience):
                text = await move
        except TimeoutError:
            self.withdraw()
            raise EngineTimedOut(f"Engine {self.spec.name} has not moved in time.") from None
        except asyncio.CancelledError:
            self.withdraw()
            raise
        self._restarts = 0
        return text

    def withdraw(self) -> None:
        """Want no move any more: a step back and forward, or a new start, makes a late one stale."""
        if self._move is None:
            return
        self._move = None
        if not self._runs or self._play is None:
            return
        if self._play:
            self._tell(UNDONE)
            self._tell(REDONE)
        else:
            self._tell(START)

    async def close(self) -> None:
        """See it to its end."""
        link, self._link = self._link, None
        if link is None:
            return
        kindly = self._failure is None
        if kindly:
            self._tell(Command("disconnect_engine"), link)
        self._failure = self._failure or EngineTerminated(f"Engine {self.spec.name} was stopped.")
        await link.stop(kindly=kindly)

    # How it is done.

    _told: Assignment | None = None
    """The game that the running process knows."""

    @property
    def _runs(self) -> bool:
        return self._link is not None and self._failure is None

    async def _ensure(self) -> bool:
        """Have a process that knows the play; true if it had to be started and told."""
        if self._runs:
            return False
        if self._link is not None:
            link, self._link = self._link, None
            await link.stop(kindly=False)
            self._restarts += 1
            if self._restarts > MOST_RESTARTS and self._failure is not None:
                raise self._failure
        self._conversation = EngineConversation()
        self._promises.clear()
        self._failure = self._told = None
        self._told_player = ""
        link = EngineLink(self.spec, self._settings.bounds(), self._said, self._failed)
        await link.start()
        self._link = link
        try:
            await self._ask(Command("connect_engine"), self._settings.seconds("connect_time"))
            self.listed = tuple(split_list((await self._ask(Command("list_options"))).text))
        except EngineError:
            await self.close()
            raise
        if self._assignment is not None:
            await self._introduce()
        if self._play is not None:
            await self._begin(0)
        return True

    async def _introduce(self) -> None:
        """Tell it its game; whoever refuses it is stopped."""
        game = self._assignment
        assert game is not None
        try:
            known = {
                "rule_text": " ".join(game.rules.text.split()) if game.rules.text else "",
                "rule": game.reference,
                "rule_options": join_map(game.values),
                "player": game.player,
                "seed": game.seed,
                "threads": str(game.threads),
                "memory": str(game.memory) if game.memory else "",
            }
            for name, value in known.items():
                if value and name in self.listed:
                    answer = await self._ask(Command("set_option", (name, value)))
                    if answer.kind is not AnswerKind.ACKNOWLEDGE and name in RESERVED:
                        why = (
                            (await self._ask(Command("get_option", (REFUSAL,)))).text if REFUSAL in self.listed else ""
                        )
                        said = f"Engine {self.spec.name} can't play {game.rules.name} with these options. {why}"
                        raise CommandError(said.removesuffix("none").strip())
            self._told_player = game.player
            chosen = {**self.spec.options, **game.settings}
            if TIME in self.listed and match_name(TIME, chosen) is None:
                chosen[TIME] = "0"
            for name, value in chosen.items():
                await self._set(name, value)
        except (CommandError, EngineError):
            await self.close()
            raise
        self._told = game

    async def _set(self, name: str, value: str) -> None:
        spelled = match_name(name, self.listed) or name
        answer = await self._ask(Command("set_option", (spelled, value)))
        if answer.kind is AnswerKind.INVALID_OPTION_NAME:
            raise CommandError(f"No option named {name} for engine {self.spec.name}.")
        if answer.kind is AnswerKind.INVALID_OPTION_VALUE:
            raise CommandError(f"No value {value} for option {name} of engine {self.spec.name}.")

    async def _begin(self, milliseconds: int) -> None:
        started = self._promise(START)
        for player, move in self._play or ():
            self._tell(made_move(player, move).command)
        await self._kept(started, START, self._settings.answer_time + milliseconds / 1000)

    async def _ask(self, command: Command, seconds: float = 0.0) -> Answer:
        return await self._kept(self._promise(command), command, seconds)

    def _promise(self, command: Command) -> asyncio.Future[Answer]:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if self._failure is not None:
            answer.set_exception(self._failure)
        else:
            self._send(command)
            self._promises.append(answer)
        return answer

    async def _kept(self, answer: asyncio.Future[Answer], command: Command, seconds: float) -> Answer:
        try:
            async with asyncio.timeout(max(seconds, self._settings.answer_time)):
                return await answer
        except TimeoutError:
            self._failed("silence", f"no answer to {command.name} in time.", "")
            assert self._failure is not None
            raise self._failure from None

    def _tell(self, command: Command, link: EngineLink | None = None) -> None:
        self._send(command, link)
        self._promises.append(None)

    def _send(self, command: Command, link: EngineLink | None = None) -> None:
        link = link or self._link
        assert link is not None
        link.send([self._conversation.say(utterance(command))])

    # What it says.

    def _said(self, line: bytes, at: float) -> None:
        try:
            event = self._conversation.receive(line)
        except RemoteProtocolError as error:
            self._failed("protocol", f"{error}: {error.line}.", "")
            return
        if isinstance(event, Answered):
            promise = self._promises.popleft()
            if promise is not None and not promise.done():
                promise.set_result(event.answer)
        elif isinstance(event, Selected) and not event.stale and self._move is not None:
            if not self._move.done():
                self._move.set_result(event.move)
            self._move = None

    def _failed(self, fault: str, what: str, last_words: str) -> None:
        if self._failure is not None:
            return
        sentence = f"Engine {self.spec.name} failed ({fault}): {what}"
        self._failure = EngineTerminated(with_last_words(sentence, last_words), last_words)
        for promise in self._promises:
            if promise is not None and not promise.done():
                promise.set_exception(self._failure)
        self._promises.clear()
        if self._move is not None and not self._move.done():
            self._move.set_exception(self._failure)
        self._move = None
