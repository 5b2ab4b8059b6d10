"""Minimax at the root: level after level, which move to choose, and what is kept from one move to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from ggtp.game import Move, Player, Position, advice
from ggtp.search.cache import Cache
from ggtp.search.evaluation.evaluator import CheckedLeaves
from ggtp.search.minimax.leaves import LeafJudge, Scale
from ggtp.search.minimax.plan import (
    ENDLESS,
    LINE_SHOWN,
    PROVEN,
    WIN,
    Finding,
    NotOpposed,
    OutOfTime,
    Plan,
    View,
    points_of_value,
    takes_risk,
)
from ggtp.search.minimax.search import SORTED_FROM, Best, Entry, MaxN, Searching
from ggtp.search.minimax.walk import OVER, MoveNames, PositionWalk, SearcherWalk, Walk

USUAL = 10
"""How many moves a player is taken to have, where the game begins with a draw of chance."""


class Choice:
    """Which of the moves seen so far is chosen: the best known one, or the best uncertain one if that risk is taken."""

    def __init__(self, risk: int | None) -> None:
        self._risk = risk
        self.known: tuple[int, int] | None = None
        """The best value that is sure, and its move."""
        self.uncertain: tuple[int, int] | None = None
        """The best value that is not, and its move."""

    def add(self, value: int, move: int, sure: bool) -> None:
        """Note what a move is worth."""
        if sure:
            if self.known is None or value > self.known[0]:
                self.known = (value, move)
        elif self.uncertain is None or value > self.uncertain[0]:
            self.uncertain = (value, move)

    @property
    def risky(self) -> bool:
        """Whether a move of which only a heuristic value is known is chosen."""
        if self.known is None or self.uncertain is None:
            return self.known is None
        return takes_risk(self.known[0], self.uncertain[0], self._risk)

    @property
    def best(self) -> tuple[int, int] | None:
        """The value and the move that are chosen."""
        return self.uncertain if self.risky else self.known


def iterate(search: Searching, order: list[int], depth: int) -> Iterator[tuple[int, bool, bool]]:
    """Search all moves to a depth, and put the chosen one first.

    Yields what it is worth, whether that is sure, and whether the level is finished; once whenever another move is
    chosen, and at the end.

    Raises:
        OutOfTime: `order` still has the best one that was found first.
    """
    walk, plan = search.walk, search.plan
    choice = Choice(plan.risk)
    sure = True
    value = -ENDLESS
    for rank, move in enumerate(list(order)):
        extra = plan.extra(rank, plan.extension)
        alpha = value if plan.pruning else -ENDLESS
        search.uncertain = False
        walk.play(move)
        found = search.worth(search.child(depth - 1, extra, alpha, ENDLESS, 1), search.me)
        if found <= alpha and not search.uncertain and choice.risky:
            # A known value somewhat less than the uncertain one that leads may be preferred: it has to be exact.
            found = search.worth(search.child(depth - 1, extra, -ENDLESS, ENDLESS, 1), search.me)
        walk.undo()
        choice.add(found, move, not search.uncertain)
        sure = sure and not search.uncertain
        assert choice.best is not None
        value, best = choice.best
        if best != order[0]:
            order.remove(best)
            order.insert(0, best)
            yield value, False, False
    yield value, sure, True


def ahead(search: Searching, depth: int) -> Iterator[tuple[int, bool, bool]]:
    """Search a position in which nothing is to be chosen now; yields as `iterate` does, at the end."""
    if search.walk.mover() == OVER:
        raise OutOfTime
    search.uncertain = False
    values = search.child(depth, search.plan.extension, -ENDLESS, ENDLESS, 0)
    yield search.worth(values, search.me), not search.uncertain, True


def _line(search: Searching, order: Sequence[int], depth: int) -> tuple[Move, ...]:
    """What is expected to follow."""
    if not order:
        hint = search.hint() if search.walk.mover() >= 0 else None
        return () if hint is None else search.line(hint, min(depth, LINE_SHOWN))
    if depth == 1:
        return (search.walk.text(order[0]),)
    return search.line(order[0], min(depth, LINE_SHOWN))


P = TypeVar("P")
"""What a position is."""


class Minimax(ABC, Generic[P]):
    """Searches positions of one play for one player, and remembers."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._near = False
        """Whether the rule's goals were seen to tell positions apart before the end."""
        self._first_goals: Sequence[float] | None = None
        """The goals in the position in which the play began."""

    @abstractmethod
    def walk(self, position: P) -> Walk:
        """A walk from a position."""

    @abstractmethod
    def searching(self, walk: Walk, plan: Plan, should_stop: Callable[[], bool]) -> Searching:
        """A search from where the walk stands."""

    @abstractmethod
    def forget(self) -> None:
        """Empty the cache."""

    @abstractmethod
    def with_cache(self, finding: Finding) -> Finding:
        """A finding with the figures about the cache."""

    def search(
        self,
        position: P,
        moves: Sequence[Move],
        should_stop: Callable[[], bool],
        publish: Callable[[Finding], None],
    ) -> Finding:
        """The best of these moves; the first one stands among equals.

        Without any moves it looks ahead from a position in which anybody may be to move, so that much is known later.

        Args:
            position: where it is the player's turn.
            moves: what may be chosen.
            should_stop: is asked at every position.
            publish: is told what is best so far, whenever that changes.

        Raises:
            EvaluatorFailed: the evaluator of the plan has failed.
        """
        while True:
            try:
                return self._search(position, moves, should_stop, publish)
            except NotOpposed:
                self.plan = self.plan.against(View.SELFISH)
                self.forget()

    def _search(
        self,
        position: P,
        moves: Sequence[Move],
        should_stop: Callable[[], bool],
        publish: Callable[[Finding], None],
    ) -> Finding:
        walk = self.walk(position)
        order = [walk.number(move) for move in moves]
        finding = Finding(moves[0], 50.0, 0, 0, False, (moves[0],)) if moves else Finding("", 50.0, 0, 0, False)
        search: Searching | None = None
        try:
            self._look_at_goals(walk, order, should_stop)
            plan = replace(self.plan, proximity=self._near)
            search = self.searching(walk, plan, should_stop)
            if search.judge is not None:
                search.judge.look_behind(walk, order, should_stop)
            order = list(search.ordered(order, walk.mover(), SORTED_FROM, search.hint()))
            for depth in plan.levels():
                value, sure = 0, False
                for value, sure, done in iterate(search, order, depth) if moves else ahead(search, depth):
                    line = _line(search, order, depth if done else 1)
                    solved = done and (sure or abs(value) > PROVEN)
                    points = points_of_value(value, solved)
                    chosen = line[0] if moves else ""
                    finding = Finding(chosen, points, depth if done else depth - 1, search.nodes, solved, line)
                    publish(self.with_cache(finding))
                # A win that is no farther than was looked is the quickest one, and a loss the latest.
                if sure or abs(value) >= WIN - depth:
                    break
        except OutOfTime:
            pass
        return self.with_cache(replace(finding, nodes=search.nodes if search is not None else 0))

    def _look_at_goals(self, walk: Walk, moves: Sequence[int], should_stop: Callable[[], bool]) -> None:
        """Find out whether the rule's goals say anything before the end; then they are part of heuristic values."""
        if not self.plan.proximity or self._near or self._first_goals is None:
            return
        for move in moves:
            if should_stop():
                raise OutOfTime
            walk.play(move)
            found = None if walk.mover() == OVER else walk.partial()
            walk.undo()
            if found is not None and list(found) != list(self._first_goals):
                self._near = True
                self.forget()  # heuristic values without goals are not to be compared with those to come
                return


def position_of(walk: PositionWalk) -> Position:
    """Where a walk over positions stands."""
    return walk.position


class PositionMinimax(Minimax[Position]):
    """Searches positions of any rules."""

    def __init__(
        self,
        first: Position,
        players: Sequence[Player],
        me: Player,
        plan: Plan,
        ceiling: int,
        goals: Callable[[Any], Sequence[float] | None] | None = None,
        *,
        leaves: CheckedLeaves[Sequence[Position]] | None = None,
        fast: bool = True,
    ) -> None:
        """A search for the play that began in `first`.

        Args:
            first: where the play began.
            players: everybody, in the order of the seats.
            me: for whom to search.
            plan: what to use.
            ceiling: how many bytes the cache may take.
            goals: as `PositionWalk` takes it.
            leaves: says what leaves are worth; None where heuristics do.
            fast: whether to use the fast path of rules that have one.
        """
        super().__init__(plan)
        self.me = players.index(me)
        self.cache: Cache[Entry] = Cache(ceiling)
        self._players = players
        self._goals = goals
        self._leaves = leaves
        self._fast = fast and leaves is None  # a fast path has no positions
        self._names = MoveNames()
        walk = self.walk(first)
        self._first = walk.key()
        self._usual = float(len(walk.moves()) if walk.mover() >= 0 else USUAL) or 1.0
        self._first_goals = walk.partial() if plan.proximity else None

    def walk(self, position: Position) -> Walk:
        searcher = advice.searcher(position) if self._fast else None
        if searcher is not None:
            return SearcherWalk(searcher)
        opposed = self.plan.view is View.OPPOSED
        return PositionWalk(position, self._players, self.me, self._names, opposed, self._goals)

    def learn(self, should_stop: Callable[[], bool], seconds: float | None = None) -> None:
        """Let the evaluator learn; what was found with other values is forgotten.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        if self._leaves is not None and self._leaves.study(should_stop, seconds):
            self.forget()

    def searching(self, walk: Walk, plan: Plan, should_stop: Callable[[], bool]) -> Searching:
        kind = MaxN if plan.view is View.SELFISH else Best
        count = len(self._players)
        search = kind(walk, plan, self.me, count, self.cache, self._first, self._usual, should_stop)
        if self._leaves is not None:
            scale = Scale(plan.view, self.me, range(count), count)
            search.judge = LeafJudge(self._leaves, scale, position_of, list)
        return search

    def forget(self) -> None:
        self.cache.clear()

    def with_cache(self, finding: Finding) -> Finding:
        cache = self.cache
        return replace(finding, entries=len(cache), used=cache.used, hits=cache.hits, purges=cache.purges)
