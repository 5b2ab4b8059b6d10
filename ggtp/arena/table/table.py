"""A table at which games of a tournament are played, one after the other, with engines that stay.

It is a referee of its own with fixed seats. Every fault holds the play, and what it costs is
decided by the plan's table of prices; a game always ends in a `Game`, whatever happens.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext

from ggtp.arena.idleness import Watch
from ggtp.arena.lateness import Punctual
from ggtp.arena.messages import Moved, Played
from ggtp.arena.table.account import Account
from ggtp.arena.table.faults import FaultDesk
from ggtp.arena.table.judging import Judging
from ggtp.arena.table.moment import Ending, Moment, Unplayable
from ggtp.arena.table.seating import Seating
from ggtp.catalogue import Catalogue
from ggtp.driver.listeners import Listeners
from ggtp.errors import RuleFailed
from ggtp.game import TurnKind
from ggtp.referee.effects import LinkId
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Job

ATTENDING = (
    "get_table", "list_possible_moves", "list_played_moves", "get_last_move", "get_clock", "list_players", "get_engine",
    "get_result", "list_faults", "play",
)  # fmt: skip
"""What may be said to the referee of a running game."""


class GameTable:
    """Plays games of one rule with the same players in the same seats. `play` never raises what a game can cause."""

    def __init__(
        self,
        plan: Plan,
        rule: int,
        seats: Mapping[str, str],
        catalogue: Catalogue,
        punctual: Punctual | None,
        starting: AbstractAsyncContextManager[None] | None = None,
    ) -> None:
        """A table that is not laid yet.

        Args:
            plan: the tournament's.
            rule: which of its rules is played here.
            seats: seat to player.
            catalogue: finds rules and engines.
            punctual: knows how late we are ourselves.
            starting: is held while engines are started, so that not too many are at once.
        """
        self._seating = Seating(plan, rule, seats, catalogue, punctual)
        self._faults = FaultDesk(self._seating)
        self._judging = Judging(self._seating)
        self._watch = Watch(self._seating.process)
        self._account = Account(self._seating, self._watch)
        self._starting: AbstractAsyncContextManager[None] = starting or nullcontext()
        self._listeners = Listeners(
            changed=self._on_change if self._judging.wanted else None,
            wire=self._on_wire,
            failing=self._on_failing,
            asked=self._on_asked,
            lateness=None if punctual is None else punctual.late,
            waited=self._waited,
        )
        """What a driver here tells."""
        self._moment: Moment | None = None
        self._reported = 0

    @property
    def seats(self) -> Mapping[str, str]:
        """Seat to player."""
        return self._seating.seats

    @property
    def engines(self) -> int:
        """How many engines wait at the table."""
        return len(self.seats) if self._seating.driver is not None else 0

    async def play(self, job: Job) -> Played:
        """Play a game."""
        moment = self._moment = Moment(job, time.monotonic())
        self._reported = len(job.moves)
        punctual = self._seating.punctual
        if punctual is not None:
            punctual.worst = 0.0
        try:
            if job.attempt > 1:
                await self.close()  # nobody sees the same deal twice
            if self._seating.driver is None:
                async with self._starting:
                    moment.began = time.monotonic()  # whoever waits for others to start has not begun
                    await self._seating.lay(self._listeners)
            self._watch.wake()
            await self._seating.begin(job)
            ending = await self._until_over(moment)
            await self._seating.hear_out()
        except Unplayable as error:
            ending = self._faults.unplayable(moment, error)
        except asyncio.CancelledError:
            await self.close()
            raise
        except Exception as error:  # noqa: BLE001 - our own mistake, or a rule's: it must not cost a player anything
            ending = self._faults.our_own(moment, error)
        self._watch.rest(self._seating.links)
        game = self._account.game(moment, ending)
        case = await self._account.case(moment, game)
        restart = any(self._seating.players[name].restart for name in self.seats.values())
        if moment.faults or moment.guests or restart:
            await self.close()
        self._moment = None
        return Played(game, case)

    def fresh_moves(self) -> Moved | None:
        """Moves of the running game that were not reported yet, where there are any."""
        driver = self._seating.driver
        if self._moment is None or driver is None:
            return None
        moves = self._seating.moves()
        begin = self._reported
        if len(moves) <= begin or driver.view.busy:
            return None
        self._reported = len(moves)
        job = self._moment.job
        return Moved(
            job.id, job.attempt, begin, tuple(moves[begin:]), dict(driver.view.banks), self._seating.facts()[begin:]
        )

    def plays(self, game: str) -> bool:
        """Whether that game is being played here."""
        return self._moment is not None and self._moment.job.id == game

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End the game, if it is this one, with these scores of its seats, as a supervisor has decided."""
        moment = self._moment
        if moment is not None and self.plays(game) and moment.ruled is None:
            moment.ruled = Ending("ruled", reason, scores=scores)
            moment.questions.append(asyncio.ensure_future(self._halt()))

    async def _halt(self) -> None:
        """Have nobody asked any more, and nobody thinking, so that the game comes to rest."""
        driver = self._seating.driver
        if driver is not None:
            await driver.command("set_option genmove off")
            await driver.command("withdraw")  # refused where nobody thinks
            if self._moment is not None:
                self._moment.stirred.set()

    async def attend(self, line: str, who: str) -> str:
        """Say a line of the supervisor's to the referee of the running game; its answer.

        One may look at the play, take a seat from its engine (`set_engine Cross human`), and play there.
        """
        moment, driver = self._moment, self._seating.driver
        if moment is None or driver is None:
            return "? The game has ended."
        if not moment.begun:
            return "? The game has not begun."
        words = line.split()
        command = words[0] if words else ""
        takes = command == "set_engine" and len(words) == 3 and words[2] == "human"
        if command not in ATTENDING and not takes:
            known = ", ".join((*ATTENDING, "set_engine SEAT human"))
            return f"? {command or 'Nothing'} can't be said to a game of a tournament: there are {known}."
        before = dict(moment.guests)
        if takes:
            seat = next((seat for seat in self.seats if seat.casefold() == words[1].casefold()), "")
            if seat:
                moment.guests[seat] = who
        answer = await driver.command(line)
        if answer.startswith("?"):
            moment.guests = before
        moment.stirred.set()
        return answer

    async def close(self) -> None:
        """Send the engines away."""
        self._account.forget()
        self._watch.forget()
        await self._seating.clear()

    # Playing.

    async def _until_over(self, moment: Moment) -> Ending:
        driver = self._seating.laid
        moment.begun = True
        moment.judged = asyncio.get_running_loop().create_future() if self._judging.wanted else None
        if moment.judged is not None:
            self._on_change()
        while True:
            if moment.judged is None:
                await driver.settled(timers=True)
            else:
                settled = asyncio.ensure_future(driver.settled(timers=True))
                both: list[asyncio.Future[None] | asyncio.Future[Ending]] = [settled, moment.judged]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if not moment.judged.done():
                    await settled
                    await asyncio.gather(*moment.questions)
                settled.cancel()
                if moment.judged.done():
                    await driver.command("withdraw")  # refused where nobody thinks
                    return moment.judged.result()
            if moment.guests and moment.ruled is None and not driver.view.faults and not self._over():
                await moment.stirred.wait()
                moment.stirred.clear()
                continue
            if moment.ruled is not None:
                await asyncio.gather(*moment.questions)
                return moment.ruled
            if self._over():
                result = driver.view.play.result()
                assert result is not None
                if moment.guests:
                    taken = ", ".join(f"{seat} was taken {who}" for seat, who in moment.guests.items())
                    return Ending("void", f"{taken}: {result.reason}")
                return Ending("rules", result.reason, result)
            ending = await self._faults.settle(moment)
            if ending is not None:
                return ending

    def _over(self) -> bool:
        return self._seating.laid.view.play.turn().kind is TurnKind.OVER

    # What the driver tells.

    def _on_change(self) -> None:
        moment = self._moment
        if moment is None:
            return
        try:
            self._judging.look(moment)
        except RuleFailed as error:
            if moment.judged is not None and not moment.judged.done():
                moment.judged.set_exception(error)

    def _on_failing(self, link: LinkId) -> None:
        if self._moment is not None:
            self._faults.failing(self._moment, link)

    def _on_asked(self, link: LinkId) -> None:
        if self._moment is not None:
            self._faults.asked(self._moment, link)
        engines = self._seating.laid.view.engines()
        self._watch.asked(link, [engine.link for engine in engines if not engine.thinking])

    def _waited(self, link: LinkId) -> float:
        return 0.0 if self._moment is None else self._faults.waited(self._moment, link)

    def _on_wire(self, link: LinkId, to_engine: bool, line: bytes, at: float) -> None:
        self._account.hear(self._moment, link, to_engine, line, at)
