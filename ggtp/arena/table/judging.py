"""Games of a tournament that end before their rule ends them: by length, by an exact search, by agreement."""

from __future__ import annotations

import asyncio

from ggtp.arena.table.moment import Ending, Moment
from ggtp.arena.table.seating import Seating
from ggtp.game import Result, Standing, TurnKind
from ggtp.protocol.text import split_map
from ggtp.referee.notes import LAST_SEARCH
from ggtp.tournament.adjudication import Agreement, solve


class Judging:
    """Looks at the play after each move, as far as the plan wants that."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._rules = rules = seating.plan.adjudication
        self._listens = bool(rules.resign_score or rules.draw_score) and len(seating.seats) == 2
        self.wanted = self._listens or bool(rules.length or rules.solver_nodes)
        """Whether there is anything to look for."""
        self._agreed: tuple[Moment, Agreement] | None = None

    def look(self, moment: Moment) -> None:
        """The play may have changed: decide it in `moment.judged`, or ask whoever has moved."""
        driver = self._seating.driver
        if driver is None or moment.judged is None or moment.judged.done():
            return
        play = driver.view.play
        if play.record is None or play.turn().kind is TurnKind.OVER:
            return
        moves = self._seating.moves()
        if len(moves) == moment.looked_at:
            return
        fresh, moment.looked_at = moves[moment.looked_at :], len(moves)
        rules = self._rules
        if rules.length and len(moves) >= rules.length:
            moment.judged.set_result(self._too_long(len(moves)))
            return
        if rules.solver_nodes and not self._seating.rule.hidden:
            result = solve(play.position, tuple(self._seating.seats), rules.solver_nodes)
            if result is not None:
                moment.judged.set_result(Ending("solved", result.reason, result, len(moves)))
                return
        if self._listens and len(fresh) == 1:
            mover = next((seat for seat in self._seating.seats if fresh[0].startswith(f"{seat} ")), None)
            if mover is not None:
                moment.questions = [task for task in moment.questions if not task.done()]
                moment.questions.append(asyncio.ensure_future(self._listen(moment, mover)))

    def _too_long(self, plies: int) -> Ending:
        reason = f"adjudicated: {plies} moves"
        if self._rules.length_result == "void":
            return Ending("void", reason, plies=plies)
        seats = self._seating.seats
        # Alone, who has not come to an end has not solved it.
        standing = Standing.DRAW if len(seats) > 1 else Standing.LOSS
        return Ending("length", reason, Result(dict.fromkeys(seats, standing), {}, reason), plies)

    async def _listen(self, moment: Moment, seat: str) -> None:
        """Ask whoever has moved what it thinks of its chances."""
        text = await self._seating.laid.ask_engine(seat, "get_option", LAST_SEARCH, behind=True)
        if moment.judged is None or moment.judged.done():
            return
        try:
            report = split_map(text or "")
        except ValueError:
            report = {}
        result = self._agreement(moment).hear(seat, report)
        if result is not None and not moment.judged.done():
            drawn = Standing.DRAW in result.standings.values()
            # Not the number of moves when this engine was asked: the other may have moved and answered before it.
            end = "drawn" if drawn else "agreed"
            moment.judged.set_result(Ending(end, result.reason, result, moment.looked_at))

    def _agreement(self, moment: Moment) -> Agreement:
        if self._agreed is None or self._agreed[0] is not moment:
            self._agreed = (moment, Agreement(self._rules, tuple(self._seating.seats)))
        return self._agreed[1]
