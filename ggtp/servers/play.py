"""A play that a foreign tool referees, with an engine of ours that is told of it when it has to move.

Rules, options and moves are ours; the tool may take back, begin again or set up another
position as it likes. The engine hears of the difference only, and only when it is asked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping

from ggtp.errors import CommandError, EngineError, IllegalMove, MoveError
from ggtp.game import Move, Player, Position, Rules
from ggtp.game.chance import SEED_BITS, Chance, new_key
from ggtp.protocol.introduction import turn_news
from ggtp.servers.session import Assignment, Soloist

HURRY_MS = 200
"""What an engine is given once the tool wants its move now: it was told to forget what it thought about."""
FIRST_SLICE_MS = 100
"""Where there is no limit, an engine thinks for this long, then twice as long, and so on: a move is always there."""
LONGEST_SLICE_MS = 3_600_000
GRACE = 0.04
"""How many seconds later than told a move is still waited for, at least."""
GRACE_SHARE = 0.015
HURRY_PATIENCE = 2.0
"""How many seconds a move is waited for that is wanted now."""
PATIENCE = 10.0
"""And how much later than told one where nobody is in a hurry."""


class SoloPlay:
    """Order of operations: `begin`, then `play`, `undo` and `choose` as it comes; `close` at the end."""

    def __init__(
        self,
        engine: Soloist,
        rules: Rules,
        reference: str,
        log: Callable[[str], None],
        settings: Mapping[str, str] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        """A play that has not begun.

        Args:
            engine: who chooses.
            rules: the rules.
            reference: what the rules are called, or where they are.
            log: is told, in a line, when something goes wrong.
            settings: options of the engine.
            rng: chooses where the engine does not.
        """
        self.engine = engine
        self.rules = rules
        self.values: dict[str, str] = {}
        """The options of the rules."""
        self.settings = dict(settings or {})
        self._reference = reference
        self._log = log
        self._rng = rng or Chance(new_key(random.SystemRandom()))
        self._seed = str(self._rng.getrandbits(SEED_BITS))
        self._positions: list[Position] = []
        self.moves: list[tuple[Player, Move]] = []
        self._told_values: dict[str, str] | None = None
        self._told: list[tuple[Player, Move]] = []
        self._preparing = asyncio.Lock()
        """A tool may ask whether all is ready while the engine is told the play for a move."""

    # What the tool does.

    def begin(self, values: Mapping[str, str]) -> None:
        """A play with these options of the rules.

        Raises:
            CommandError: the rules do not take them. Nothing has changed.
        """
        complete = self.rules.complete(values)
        self._positions = [self.rules.begin(complete)]
        self.values = complete
        self.moves = []

    @property
    def position(self) -> Position:
        """Where the play stands."""
        return self._positions[-1]

    @property
    def to_move(self) -> Player:
        """Whose turn it is; nobody's when it is over."""
        return next(iter(self.position.turn().players), "")

    def play(self, player: Player, text: str) -> Move:
        """Make a move; its canonical name.

        Raises:
            MoveError: it is none. Nothing has changed.
        """
        position = self.position
        if player not in position.turn().players:
            raise IllegalMove(f"It is not {player}'s turn.")
        move = position.parse(player, text)
        verdict = position.play({player: move})
        if verdict.refused:
            raise IllegalMove(verdict.refused[0].reason)
        self._positions.append(verdict.position)
        self.moves.append((player, move))
        return move

    def undo(self, count: int = 1) -> None:
        """Take moves back."""
        for _ in range(count):
            self._positions.pop()
            self.moves.pop()

    # What the engine does.

    async def prepare(self) -> None:
        """Let the engine know the play.

        Raises:
            EngineError: it failed.
            CommandError: it can't play this.
        """
        async with self._preparing:
            await self._prepare()

    async def _prepare(self) -> None:
        if self._told_values != self.values:
            self._told_values, self._told = None, []
            player = self.to_move or self.rules.players(self.values)[0]
            chosen = {name: value for name, value in self.values.items() if value != self._default(name)}
            game = Assignment(self.rules, self._reference, chosen, player, dict(self.settings), self._seed)
            await self.engine.open(game)
            await self.engine.begin()
            self._told_values = dict(self.values)
        if self._told and not self.moves:
            self._told = []
            await self.engine.begin()
        same = 0
        while same < min(len(self._told), len(self.moves)) and self._told[same] == self.moves[same]:
            same += 1
        while len(self._told) > same:
            self._told.pop()
            await self.engine.undone()
        for player, move in self.moves[same:]:
            self._told.append((player, move))
            await self.engine.made(player, move)

    def _default(self, name: str) -> str:
        return next((option.default for option in self.rules.options(self.values) if option.name == name), "")

    async def choose(self, milliseconds: int | None, stop: asyncio.Event) -> Move:
        """The engine's move for whoever has the turn, in time. Where it has none, any move is given, and it is logged.

        Args:
            milliseconds: how long it may think; None for until `stop`.
            stop: when set, the move is wanted now.
        """
        player, position = self.to_move, self.position
        moves = position.moves(player)
        try:
            await self.prepare()
            if milliseconds is None:
                text = await self._think_on(player, stop)
            else:
                text = await self._think(player, milliseconds, stop)
            return position.parse(player, text)
        except (EngineError, CommandError, MoveError) as error:
            self._log(f"{error} Any move is given instead.")
            return self._rng.choice(moves)

    async def _think(self, player: Player, milliseconds: int, stop: asyncio.Event) -> Move:
        """For so long, or until the move is wanted."""
        seconds = milliseconds / 1000
        patience = seconds + max(GRACE, GRACE_SHARE * seconds)
        found = await _until(stop, self._select(player, milliseconds, patience))
        return found if found is not None else await self._hurry(player)

    async def _think_on(self, player: Player, stop: asyncio.Event) -> Move:
        """In slices, each twice as long as the one before, until the move is wanted."""
        loop = asyncio.get_running_loop()
        found: Move | None = None
        slice_ms = FIRST_SLICE_MS
        while not stop.is_set():
            begun = loop.time()
            better = await _until(stop, self._select(player, slice_ms, slice_ms / 1000 + PATIENCE))
            found = better if better is not None else found
            if loop.time() - begun < slice_ms / 2000:
                await stop.wait()  # there is no more to think about
            slice_ms = min(2 * slice_ms, LONGEST_SLICE_MS)
        return found if found is not None else await self._hurry(player)

    async def _hurry(self, player: Player) -> Move:
        return await self._select(player, HURRY_MS, HURRY_PATIENCE)

    async def _select(self, player: Player, milliseconds: int, patience: float) -> Move:
        position = self.position
        news = turn_news(self.engine.listed, lambda: position.moves(player), lambda: position.view(player))
        return await self.engine.select(player, milliseconds, patience, news)

    async def close(self) -> None:
        """See the engine to its end."""
        await self.engine.close()


async def _until(stop: asyncio.Event, work: Coroutine[None, None, Move]) -> Move | None:
    """What comes of the work; None where it is wanted no more before it is done."""
    task = asyncio.ensure_future(work)
    waiter = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, waiter}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        waiting = [one for one in (task, waiter) if not one.done()]
        for one in waiting:
            one.cancel()
        if waiting:
            await asyncio.wait(waiting)
