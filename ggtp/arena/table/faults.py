"""What faults cost in a tournament's games: every fault holds the play, and the plan's table of prices decides."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from ggtp.arena.lateness import ThreadTime, family_times, kept_waiting
from ggtp.arena.table.moment import Ending, Moment, Unplayable
from ggtp.arena.table.seating import Seating
from ggtp.arena.usage import Usage, usage_of_all
from ggtp.errors import RuleFailed
from ggtp.faults import AGAIN, LOSS, PRICES, RANDOM, RESTART, STOP, VOID, retry_of, with_restarts
from ggtp.game import Result, Standing
from ggtp.game.chance import Chance, derive
from ggtp.play.play import MOVE
from ggtp.referee.effects import LinkId
from ggtp.referee.faults import Fault
from ggtp.tournament.results import FaultSeen

RESTARTS = 3
"""How often in a game an engine is started again before a fault costs the game."""
MOST_FAULTS = 50
"""How many faults a game may have before it is void, whatever they cost."""


class FaultDesk:
    """Notes the faults of the games at a table, and does what they cost."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._plan = seating.plan
        self._clocked = any(seating.clocks(seat).limit for seat in seating.seats)

    async def settle(self, moment: Moment) -> Ending | None:
        """The play is held: do what the prices say. None: it goes on."""
        driver = self._seating.laid
        failure = driver.view.failure
        seen = driver.referee.take_faults()
        if failure is not None:
            return self._rule_failed(moment, failure)
        if not seen:
            return self._stuck(moment)
        for fault in seen:
            seat = fault.player
            noted = self._judge(moment, fault)
            moment.faults.append(noted)
            if noted.price == AGAIN:
                continue  # it is asked again below
            if sum(each.price != AGAIN for each in moment.faults) > MOST_FAULTS:
                return Ending("void", f"more than {MOST_FAULTS} faults")
            done = moment.restarts.get(seat, 0)
            cost = with_restarts(PRICES[noted.price], done, RESTARTS, LOSS)
            if cost in (VOID, STOP):
                return Ending("void", f"{noted.player or 'nobody'}: {noted.fault}, {noted.what}")
            if cost is LOSS:
                return self._forfeited(seat, f"{noted.fault}, {noted.what}")
            if cost is RANDOM:
                await self._random_move(moment, seat)
            elif cost is RESTART:
                moment.restarts[seat] = done + 1
        if driver.view.play.held:
            await driver.command("genmove")
        return None

    def _forfeited(self, seat: str, what: str) -> Ending:
        driver = self._seating.laid
        driver.forfeit(seat, what)
        result = driver.view.play.result()
        assert result is not None
        return Ending("forfeit", result.reason, result)

    async def _random_move(self, moment: Moment, seat: str) -> None:
        driver = self._seating.laid
        play = driver.view.play
        if seat not in play.turn().players or seat in play.pending:
            return
        moves = play.position.moves(seat)
        rng = Chance(derive(moment.job.game.seed, "random move", moment.job.id, self._seating.plies(), seat))
        await driver.command(f"{MOVE}{seat} {moves[rng.randrange(len(moves))]}")

    def _judge(self, moment: Moment, fault: Fault) -> FaultSeen:
        """The fault as it is written down, with what it costs; a late move may be the machine's fault."""
        name, late_ms, referee_ms, machine_ms = fault.fault, 0, 0, 0
        punctual = self._seating.punctual
        if fault.time is not None:
            late_ms, machine_ms = round(fault.time.over * 1000), round(fault.time.waited * 1000)
            referee_ms = round(punctual.worst * 1000) if punctual is not None else 0
            if fault.time.blame == "machine":
                name = "machine"
        player = "" if name == "machine" else self._seating.seats[fault.player]
        used = moment.used.pop(fault.player, None) or self._used(fault.player)
        return FaultSeen(
            player, fault.player, name, fault.what, self._price(moment, name, fault.player), self._seating.plies(),
            fault.last_words,
            late_ms, referee_ms, machine_ms, used.cpu_ms, used.memory_mib,
        )  # fmt: skip

    def _price(self, moment: Moment, name: str, seat: str) -> str:
        """Return what a fault costs now: nothing yet, while the engine may be asked again for the same move."""
        retry, place = retry_of(self._plan.prices[name]), (seat, self._seating.plies())
        done = moment.tries.get(place, 0)
        if done >= retry.times:
            return retry.then
        moment.tries[place] = done + 1
        return AGAIN

    def _rule_failed(self, moment: Moment, failure: RuleFailed) -> Ending:
        """That is no player's fault, whoever was to move."""
        return self._nobodys(moment, "rule", str(failure))

    def _nobodys(self, moment: Moment, name: str, what: str) -> Ending:
        price = self._plan.prices[name]
        moment.faults.append(FaultSeen("", "", name, what, price, self._seating.plies()))
        return Ending("void", what)

    def _stuck(self, moment: Moment) -> Ending:
        """Held without a fault of an engine: an engine could not be started again."""
        seating = self._seating
        driver = seating.laid
        what = next((text for text in reversed(seating.screen.said) if "held" in text), "the play does not go on")
        gone = [seat for seat in seating.seats if driver.view.engine(seat) is None]
        seat = gone[0] if gone else ""
        name = "start" if gone else "referee"
        price = self._plan.prices[name]
        moment.faults.append(FaultSeen(seating.seats.get(seat, ""), seat, name, what, price, seating.plies()))
        if gone and PRICES[price] is LOSS:
            return replace(self._forfeited(seat, what), reason=what)
        return Ending("void", what)

    def unplayable(self, moment: Moment, error: Unplayable) -> Ending:
        """An engine could not be seated, or the table not be laid."""
        driver = self._seating.driver
        if driver is not None and driver.view.failure is not None:
            return self._rule_failed(moment, driver.view.failure)
        seats = self._seating.seats
        name = "start" if error.seat else "referee"
        price = self._plan.prices[name]
        moment.faults.append(FaultSeen(seats.get(error.seat, ""), error.seat, name, str(error), price))
        if error.seat and PRICES[price] is LOSS:
            standings = {seat: Standing.LOSS if seat == error.seat else Standing.WIN for seat in seats}
            return Ending("forfeit", str(error), Result(standings, {}, str(error)))
        return Ending("void", str(error))

    def our_own(self, moment: Moment, error: Exception) -> Ending:
        """Our own mistake, or a rule's: it must not cost a player anything."""
        if isinstance(error, RuleFailed):
            return self._rule_failed(moment, error)
        return self._nobodys(moment, "referee", f"{type(error).__name__}: {error}")

    # What has to be looked at while it can be.

    def failing(self, moment: Moment, link: LinkId) -> None:
        """An engine fails by itself: see what its process has used."""
        seat = self._seating.links.get(link)
        if seat is not None:
            moment.used[seat] = self._used(seat)

    def asked(self, moment: Moment, link: LinkId) -> None:
        """An engine was asked for a move: see how long it has waited for a processor until now."""
        if self._clocked:
            moment.times[link] = (time.monotonic(), self._times(link))

    def waited(self, moment: Moment, link: LinkId) -> float:
        """How many seconds an engine has waited for a processor since it was asked."""
        asked = moment.times.get(link)
        return 0.0 if asked is None else kept_waiting(asked[1], self._times(link), time.monotonic() - asked[0])

    def _times(self, link: LinkId) -> Mapping[str, ThreadTime]:
        pid = self._seating.process(link)
        return {} if pid is None else family_times(pid)

    def _used(self, seat: str) -> Usage:
        pid = self._seating.process(self._seating.link_of(seat))
        return Usage() if pid is None else usage_of_all(pid)
