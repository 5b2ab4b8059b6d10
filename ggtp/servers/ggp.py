"""An engine as a player of general game playing: a game manager's messages in, answers out.

A move is always there in time: where the engine has none, fails, or is late, any legal move is
given. One match at a time, as everybody does; a manager that is silent for long has lost it.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ggtp.catalogue.compile.background import Compilation, begin_compiling
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.catalogue.gdl_rules import load_told
from ggtp.driver.tasks import in_thread
from ggtp.errors import CommandError, EngineError, GgtpError, IllegalMove, MoveError, RemoteProtocolError, RulesError
from ggtp.foreign.expressions import move_expression, write
from ggtp.foreign.ggp import (
    ABORTED,
    BUSY,
    DONE,
    LONGEST_CLOCK,
    NOTHING,
    READY,
    Abort,
    Expressions,
    Info,
    Message,
    Play,
    Preview,
    Start,
    Stop,
    info_text,
    read_message,
)
from ggtp.foreign.joint import GdlPosition, advance, gdl_start, legal_moves, roles
from ggtp.foreign.renaming import Renaming, small_letters
from ggtp.game import Move, Player, Rules
from ggtp.game.chance import SEED_BITS
from ggtp.game.notation import format_result
from ggtp.protocol.introduction import turn_news
from ggtp.servers.session import Assignment, Soloist

MARGIN = 0.2
"""Seconds of a clock that are kept back for the way to the manager."""
LEAST = 0.02
IDLE_SECONDS = 600.0
"""How long beyond its clocks a match may be silent before another one can begin."""
MEBIBYTES = 2048
"""What compiling may take here."""
ENGINE_MEBIBYTES = 3072
"""And what the engine may use, compiling included."""
CLOSING_SECONDS = 2.0
"""How long to wait at the end for a process that compiles."""
MOST_RULES = 16
"""How many rulesheets are kept, by the hash of their text."""


@dataclass(slots=True)
class Match:
    """A match that is being played."""

    name: str
    role: Player
    renaming: Renaming
    position: GdlPosition
    play_clock: float
    quiet_until: float
    """When it is given up if nothing is heard."""
    lost: bool = False
    """Whether what was played could not be followed."""
    opening: asyncio.Task[None] | None = None
    """The engine getting ready; None for what is no role."""
    untold: list[tuple[Player, Move]] = field(default_factory=list)
    """What the engine was not told yet."""
    thinking: asyncio.Task[Move] | None = None


class GgpPlayer:
    """Answers messages. Order of operations: `answer` for each, several at once if they come so; then `close`."""

    def __init__(
        self,
        name: str,
        engine: Soloist,
        rng: random.Random,
        log: Callable[[str], None],
        settings: Mapping[str, str] | None = None,
        compiler: Compiler | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A player that is free.

        Args:
            name: what it calls itself.
            engine: who chooses.
            rng: chooses where the engine does not.
            log: is told, in a line, what happens.
            settings: options of the engine.
            compiler: makes rules fast to follow; None for the interpreter.
            clock: tells the time.
        """
        self._name = name
        self._engine = engine
        self._rng = rng
        self._log = log
        self._settings = dict(settings or {})
        self._compiler = compiler
        self._compilation: Compilation | None = None
        self._clock = clock
        self._match: Match | None = None
        self._starting = False
        self._rules: OrderedDict[str, Rules] = OrderedDict()

    async def answer(self, text: str) -> str | None:
        """The answer to a message; None where it is none that can be answered."""
        begun = self._clock()
        try:
            message = read_message(text)
        except RemoteProtocolError as error:
            self._log(f"{error}: {error.line}")
            return None
        answer = await self._answer(message, begun)
        if not isinstance(message, Info):
            self._log(f"{type(message).__name__.upper()} {getattr(message, 'match', '')}: {answer}")
        return answer

    async def close(self) -> None:
        """Leave, and see the engine to its end."""
        await self._leave()
        if self._compilation is not None:
            self._compilation.close(CLOSING_SECONDS)
        await self._engine.close()

    async def _answer(self, message: Message, begun: float) -> str | None:
        match message:
            case Info():
                return info_text(self._name, busy=self._busy())
            case Preview():
                return await self._preview(message, begun)
            case Start():
                return await self._start(message, begun)
            case Play() | Stop() | Abort():
                current = self._match
                if current is None or current.name != message.match:
                    return BUSY
                current.quiet_until = begun + current.play_clock + IDLE_SECONDS
                await self._quiet()
                if isinstance(message, Play):
                    return await self._play(current, message, begun)
                if isinstance(message, Stop):
                    await in_thread(self._follow, current, message.moves)
                    self._log(f"{current.role}: {format_result(current.position.result())}")
                await self._leave()
                return DONE if isinstance(message, Stop) else ABORTED

    def _busy(self) -> bool:
        return self._starting or (self._match is not None and self._clock() < self._match.quiet_until)

    # Before the first move.

    async def _preview(self, message: Preview, begun: float) -> str:
        if self._busy():
            return BUSY
        try:
            async with asyncio.timeout(self._left(message.seconds, begun)):
                rules, _ = await self._read(message.rules)
                self._compile(rules)
        except (RulesError, TimeoutError) as error:
            self._log(f"PREVIEW: {error or 'no time to read the rules'}")
            return BUSY
        return READY

    async def _start(self, message: Start, begun: float) -> str:
        if self._busy():
            return BUSY
        self._starting = True
        try:
            await self._leave()
            rules, renaming = await self._read(message.rules)
            position = gdl_start(rules)
            if position is None:
                raise CommandError("the protocol has no words for what is hidden (GDL-II).")
            role = str(renaming.apply(message.role))
            quiet = self._clock() + message.start_clock + message.play_clock + IDLE_SECONDS
            match = Match(message.match, role, renaming, position, float(message.play_clock), quiet)
            if role in rules.players({}):
                match.opening = asyncio.ensure_future(self._open(rules, role, begun + _remaining(message.start_clock)))
                await asyncio.wait([match.opening], timeout=self._left(message.start_clock, begun))
                if match.opening.done():
                    match.opening.result()
            self._match = match
            return READY
        except GgtpError as error:
            self._log(f"START {message.match}: {error}")
            return BUSY
        finally:
            self._starting = False

    async def _open(self, rules: Rules, role: Player, until: float) -> None:
        seed = str(self._rng.getrandbits(SEED_BITS))
        await self._engine.open(
            Assignment(rules, rules.name, {}, role, dict(self._settings), seed, memory=ENGINE_MEBIBYTES)
        )
        await self._engine.begin(int(max(0.0, until - self._clock()) * 1000))
        self._compile(rules)  # now that the engine may have done it, and kept what came of it

    def _compile(self, rules: Rules) -> None:
        old = self._compilation
        if self._compiler is None or (old is not None and old.rules is rules):
            return
        if old is not None:
            old.stop()
        self._compilation = begin_compiling(self._compiler, rules, MEBIBYTES)

    async def _read(self, rules: Expressions) -> tuple[Rules, Renaming]:
        """The rules in the text that was sent, from memory where they were read before."""
        renaming = small_letters(rules)
        text = " ".join(write(renaming.apply(rule)) for rule in rules)
        key = hashlib.sha256(text.encode()).hexdigest()
        known = self._rules.get(key)
        if known is None:
            known = await in_thread(load_told, text, f"told-{key[:12]}")
            self._rules[key] = known
            while len(self._rules) > MOST_RULES:
                self._rules.popitem(last=False)
        self._rules.move_to_end(key)
        return known, renaming

    # The play.

    async def _play(self, match: Match, message: Play, begun: float) -> str:
        moves = await in_thread(self._follow, match, message.moves)
        if not moves:
            return NOTHING
        move = self._rng.choice(moves)
        if match.opening is not None and match.role in match.position.turn().players:
            match.thinking = asyncio.ensure_future(self._choose(match, moves, move, begun))
            try:
                move = await match.thinking
            except asyncio.CancelledError:
                if match.thinking is not None and not match.thinking.cancelled():
                    raise  # it is we who are to end
                return NOTHING
        return write(match.renaming.undo(move_expression(move)))

    async def _choose(self, match: Match, moves: list[Move], any_move: Move, begun: float) -> Move:
        """The engine's move, or the other one."""
        assert match.opening is not None
        try:
            async with asyncio.timeout(self._left(match.play_clock, begun) + MARGIN / 2):
                await asyncio.shield(match.opening)
                while match.untold:
                    await self._engine.made(*match.untold[0])
                    del match.untold[0]
                milliseconds = int(self._left(match.play_clock, begun) * 1000)
                position = match.position
                news = turn_news(self._engine.listed, lambda: moves, lambda: position.view(match.role))
                text = await self._engine.select(match.role, milliseconds, LONGEST_CLOCK, news)
            return position.parse(match.role, text)
        except TimeoutError:
            self._log(f"PLAY {match.name}: the engine is late; any move is given instead")
            return any_move
        except (EngineError, CommandError, MoveError) as error:
            self._log(f"PLAY {match.name}: {error}; any move is given instead")
            return any_move

    def _left(self, clock: float, begun: float) -> float:
        """What can still be used of a clock that began then."""
        return max(LEAST, _remaining(clock) - (self._clock() - begun))

    async def _leave(self) -> None:
        """Have no match any more."""
        match = self._match
        await self._quiet()
        self._match = None
        if match is not None and match.opening is not None and not match.opening.done():
            match.opening.cancel()
            await asyncio.wait([match.opening])

    async def _quiet(self) -> None:
        """Let the engine think no more about a move that nobody waits for."""
        match = self._match
        if match is not None and match.thinking is not None and not match.thinking.done():
            match.thinking.cancel()
            await asyncio.wait([match.thinking])

    def _follow(self, match: Match, moves: Expressions | None) -> list[Move]:
        """Make the joint move that the manager tells; what the role may do then. Rules may take their time."""
        if match.lost:
            return []
        try:
            if moves is not None:
                names = roles(match.position)
                if len(moves) != len(names):
                    raise IllegalMove(f"{len(moves)} moves for {len(names)} roles.")
                told = {role: match.renaming.apply(move) for role, move in zip(names, moves, strict=True)}
                match.position, made = advance(match.position, told)
                match.untold += made
        except MoveError as error:
            match.lost = True
            self._log(f"{match.name} can't be followed: {error}")
            return []
        return legal_moves(match.position, match.role)


def _remaining(clock: float) -> float:
    """What can be used of a clock."""
    return max(LEAST, clock - MARGIN)
