"""A look ahead by minimax before a tree search, in compiled games in which two take turns against each other.

Random games judge positions well and threats badly: a line of forced moves is overlooked by whoever tries few of them.
So a scout looks at all moves, level after level, before the tree is searched. What it proves is settled: a win is taken
and a loss is never looked at again. What else it finds are values of the root's moves, which count there as heuristic
values do: they are of a deeper and more careful search than those of the tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ggtp.game import Move
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.evaluation.learning import Lessons
from ggtp.search.mcts.compiled.iterative_deepening import MEMORY, NEAR, DeepeningResult
from ggtp.search.minimax.compiled import CompiledMinimax, SearchCode
from ggtp.search.minimax.layout import DEADLINE
from ggtp.search.minimax.plan import BOTTOM, ENDLESS, LINE_SHOWN, PROVEN, NotOpposed, OutOfTime, Plan
from ggtp.search.minimax.search import SORTED_FROM, Searching

PLAN = Plan(risk=None)
"""How it looks ahead."""
Told = Callable[[DeepeningResult], object]
"""Somebody who is told what was found so far."""


def on_one_scale(before: Mapping[int, int], now: Mapping[int, int], first: int) -> dict[int, int]:
    """The values of a level that is not finished, beside those of the level before.

    Heuristic values depend on who has moved last, so that levels can't be compared: the move that was best, and is
    searched first, tells how far they are apart.
    """
    shift = 0
    if max(abs(before[first]), abs(now[first])) <= PROVEN:
        shift = before[first] - now[first]
    moved = {
        move: value if abs(value) > PROVEN else max(-PROVEN, min(PROVEN, value + shift)) for move, value in now.items()
    }
    return {**before, **moved}


class Scout(CompiledMinimax):
    """Looks ahead for one seat. Not for two threads at once, but any thread may stop it."""

    _found: DeepeningResult | None = None
    """What is known so far, also in the middle of a level."""

    def deepen(
        self, state: bytes, seconds: float | None, told: Told | None = None, *, reducing: bool = False, near: int = NEAR
    ) -> DeepeningResult | None:
        """Look ahead from a state in which it is the seat's turn; None where nothing was found out.

        Args:
            state: where the play stands.
            seconds: how long; None for as many positions as there may be.
            told: is told what was found, whenever a level is finished.
            reducing: whether moves that do not look good are searched less deep first.
            near: how far below the best a move may be to be compared with it; 0 where only the best one is wanted.
        """
        # What was learned meanwhile is used; to learn more is not its business.
        self.learn(lambda: True)
        self.arena.go_on(seconds)
        self._found = None
        try:
            for level in self._levels(state, reducing, near):
                if told is not None:
                    told(level)
        except NotOpposed:
            return None
        except OutOfTime:
            pass
        return self._found

    def _levels(self, state: bytes, reducing: bool = False, near: int = NEAR) -> Iterator[DeepeningResult]:
        """One level deeper each time, until all is known."""
        walk = self.walk(state)
        order = list(walk.moves())
        # In machine code time is looked at anyway.
        end = self.arena.count(DEADLINE)
        self._look_at_goals(walk, order, lambda: 0 < end <= time.clock_gettime_ns(time.CLOCK_MONOTONIC))
        # Where something was learned, nothing has to be made of how far the game has come.
        plan = replace(self.plan, proximity=self._near, reducing=reducing, novelty=not reducing)
        search = self.searching(walk, plan, lambda: False)
        order = list(search.ordered(order, walk.mover(), SORTED_FROM, search.hint()))
        before: dict[int, int] = {}
        for depth in range(1, BOTTOM + 1):
            order.sort(key=lambda move: -before.get(move, 0))
            now: dict[int, int] = {}
            sure, best = True, -ENDLESS
            for rank, move in enumerate(order):
                search.uncertain = False
                walk.play(move)
                extra = self.plan.extra(rank, self.plan.extension)
                value = self._compared(search, depth - 1, extra, best, near)
                walk.undo()
                now[move] = value
                best = max(best, value)
                sure = sure and not search.uncertain
                if value > PROVEN:
                    break
                if before:
                    values = on_one_scale(before, now, order[0])
                    self._found = DeepeningResult(values, depth - 1, search.nodes)
            solved = sure or abs(best) > PROVEN
            line: tuple[Move, ...] = ()
            if solved:
                line = search.line(max(now, key=lambda move: now[move]), min(depth, LINE_SHOWN))
            before = {**before, **now}
            self._found = DeepeningResult(before, depth, search.nodes, solved, line)
            yield self._found
            if solved:
                return

    def _compared(self, search: Searching, depth: int, extra: int, best: int, near: int) -> int:
        """The value of the position after a move, compared with the best one so far.

        It is exact if it is better, at least so much if it is near, and at most so much if it is not. What is not known
        to be better is never said to be as good: a bound that is as high as the best would be taken for another best.
        """

        def value(low: int, high: int) -> int:
            return search.worth(search.child(depth, extra, low, high, 1), self.me)

        if best <= -PROVEN:
            return value(-ENDLESS, ENDLESS)
        # Whether something is more than a bound is found out much faster than what it is.
        floor = best - near
        found = value(floor, floor + 1)
        if found <= floor:
            return min(found, best - 1)
        if near == 0 or value(best, best + 1) > best:
            return value(best, ENDLESS)
        return min(found, best - 1)


class Scouts:
    """The scouts of a game, one for each seat, of which one is kept: a play is seldom searched for both."""

    def __init__(self, game: CompiledGame, lessons: Lessons | None = None) -> None:
        """Load the machine code, which may take seconds, unless it was kept.

        Args:
            game: for which `serves` holds.
            lessons: what is learned about it, by somebody else.
        """
        self._code = SearchCode(game)
        self._plan = replace(PLAN, learning=lessons is not None)
        if lessons is not None:
            self._code.lessons = lessons
        self._scout: Scout | None = None
        self._for = (-1, -1)

    def scout(self, seat: int, megabytes: int) -> Scout:
        """The one of a seat, where all may take so much memory."""
        if self._scout is None or self._for != (seat, megabytes):
            self._for = seat, megabytes
            self._scout = Scout(self._code, seat, self._plan, (megabytes << 20) // MEMORY)
        return self._scout

    def stop(self) -> None:
        """End a look ahead that is under way, from any thread."""
        if self._scout is not None:
            self._scout.stop()
