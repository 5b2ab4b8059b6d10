"""Minimax over any game that can be walked through: deeper and deeper, the best line first.

Values are of the player for whom we search: all points at `WIN`, none at `-WIN`, and among
equals a win that comes sooner, or a loss that comes later, is worth more. Where somebody else
decides, the value is the least (`_Best`), or everybody's values are kept apart (`MaxN`); where
chance decides, it is the average.

What a search relies on is only what it was handed: a walk, a cache, a way to ask whether to stop.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from ggtp.search.cache import Cache
from ggtp.search.evaluation.heuristics import Novelty, blend, mobility, proximity
from ggtp.search.minimax.leaves import LeafJudge
from ggtp.search.minimax.plan import (
    AT_LEAST,
    AT_MOST,
    ENDLESS,
    EXACT,
    POINT,
    WIN,
    OutOfTime,
    Plan,
    View,
    from_node,
    to_node,
    value_of_points,
)
from ggtp.search.minimax.walk import DRAWN, OVER, Walk

Values: TypeAlias = tuple[int, ...]
Entry: TypeAlias = tuple[int, int, int, Values, int, bool]
"""What is known of a position, as a plain tuple, which the garbage collector need not look at again and again:

how many moves ahead was looked everywhere, and how many along the most promising line; whether the
value is exact or a bound to one side; the value, or every player's, with the moves to the end
counted from this position on; the best move; and whether it is sure, since no heuristic value has gone into
it and looking deeper would change nothing.
"""

SORTED_FROM = 2
"""How many moves must be left to look ahead for it to be worth while to look at all moves first."""


class Searching(ABC):
    """What both kinds of search share: the walk, heuristic values, the order of moves."""

    def __init__(
        self,
        walk: Walk,
        plan: Plan,
        me: int,
        players: int,
        cache: Cache[Entry],
        first: Hashable,
        usual: float,
        should_stop: Callable[[], bool],
    ) -> None:
        """A search from where the walk stands.

        Args:
            walk: where it begins; where it ends when the search is interrupted is not defined.
            plan: what it does.
            me: the seat for which it searches.
            players: how many seats there are.
            cache: what is known from before; its entries must come from searches of the same kind for the same seat.
            first: the key of the position in which the game began.
            usual: how many moves that position had.
            should_stop: is asked at every position.
        """
        self.walk = walk
        self.plan = plan
        self.me = me
        self.cache = cache
        self.nodes = 0
        self.uncertain = False
        """Whether a heuristic value at the horizon has gone into what is being searched."""
        self.judge: LeafJudge[Any] | None = None
        """Knows what leaves are worth; None where heuristics say it. Whoever makes the search sets it."""
        self._should_stop = should_stop
        self._players = players
        self._usual = usual
        self._novelty = Novelty(first) if plan.novelty else None
        self._choices = [usual] * players
        """How many moves everybody had when it was last their turn."""
        self._cuts: dict[tuple[int, int], int] = {}
        """How good a player's move was elsewhere: such are tried early."""

    @abstractmethod
    def child(self, depth: int, extra: int, alpha: int, beta: int, ply: int) -> Values:
        """What the position is worth in which the walk stands, so many moves below the root.

        Raises:
            OutOfTime: the search must end now.
        """

    def _made(self) -> int:
        """A new position is there: count it, and say whose turn it is."""
        if self._should_stop():
            raise OutOfTime
        self.nodes += 1
        return self.walk.mover()

    @abstractmethod
    def final(self, ply: int) -> Values:
        """The values where the game is over."""

    def leaf(self, mover: int) -> Values:
        """The values where the search ends before the game does: what an evaluator says, or else heuristics."""
        return self.heuristic(mover) if self.judge is None else self.judge.values(self.walk)

    @abstractmethod
    def heuristic(self, mover: int) -> Values:
        """What heuristics say of a leaf."""

    def heuristic_for(self, seat: int, mover: int) -> int:
        """The estimated value for one player."""
        plan, walk = self.plan, self.walk
        mobile = novel = near = None
        if plan.mobility:
            if mover >= 0:
                before, self._choices[mover] = self._choices[mover], len(walk.moves())
                mobile = mobility(self._choices, seat, self._usual)
                self._choices[mover] = before
            else:
                mobile = mobility(self._choices, seat, self._usual)
        if self._novelty is not None:
            novel = self._novelty(walk.key())
        if plan.proximity:
            points = walk.partial()
            if points is not None:
                near = proximity(points, seat, plan.view is View.OPPOSED)
        return value_of_points(blend(mobile, novel, near))

    def ordered(self, moves: Sequence[int], mover: int, depth: int, hint: int | None) -> Sequence[int]:
        """The moves, the most promising first."""
        if self.judge is not None and (depth < SORTED_FROM or self.plan.extension):
            self.judge.look_behind(self.walk, moves, self._should_stop)
        if len(moves) < 2 or not self.plan.ordering:
            return moves
        if depth >= SORTED_FROM and self.plan.extension:
            heuristics = {}
            for move in moves:
                heuristics[move] = self._looked_at(move, mover)
                if heuristics[move] >= WIN and self.plan.pruning:
                    return [move, *(other for other in moves if other != move)]  # nobody will ask for another
            moves = sorted(moves, key=heuristics.__getitem__, reverse=True)
        elif self._cuts:
            cuts = self._cuts
            moves = sorted(moves, key=lambda move: cuts.get((mover, move), 0), reverse=True)
        if hint is not None and hint in moves:
            moves = [hint, *(move for move in moves if move != hint)]
        return moves

    def _looked_at(self, move: int, mover: int) -> int:
        """How a move looks to its player, by a heuristic value about the position that it leads to."""
        self.walk.play(move)
        after = self._made()
        looks = self.worth(self.final(0) if after == OVER else self.leaf(after), mover)
        self.walk.undo()
        # What has cut elsewhere decides among equals, and a little more.
        return looks + min(POINT, self._cuts.get((mover, move), 0))

    @abstractmethod
    def worth(self, values: Values, seat: int) -> int:
        """What the values are worth to a player."""

    def _averaged(self, depth: int, extra: int, ply: int) -> Values:
        """What a draw of chance is worth."""
        walk = self.walk
        moves, weights = walk.moves(), walk.weights()
        if self.judge is not None and depth + extra <= 1:
            self.judge.look_behind(walk, moves, self._should_stop)
        sums, total = [0] * self._players, 0
        for move, weight in zip(moves, weights, strict=True):
            walk.play(move)
            values = self.child(depth - 1, extra, -ENDLESS, ENDLESS, ply + 1)
            walk.undo()
            sums = [before + weight * value for before, value in zip(sums, values, strict=False)]
            total += weight
        return tuple(round(value / total) for value in sums)

    def hint(self) -> int | None:
        """The move that was best here when this was last searched."""
        known = self.cache.find(self.walk.key())
        return None if known is None else known[4]

    def line(self, move: int, most: int) -> tuple[str, ...]:
        """The moves that are expected to follow, as far as they are remembered."""
        walk = self.walk
        texts: list[str] = []
        while len(texts) < most and move in walk.moves():
            texts.append(walk.text(move))
            walk.play(move)
            known = self.hint() if walk.mover() >= 0 else None
            if known is None:
                break
            move = known
        for _ in texts:
            walk.undo()
        return tuple(texts)


class Best(Searching):
    """One value: we want the most of it, and everybody else the least. Alpha-beta is sound."""

    def final(self, ply: int) -> Values:
        scores = self.walk.scores()
        own = scores[self.me]
        points = own - scores[1 - self.me] if self.plan.view is View.OPPOSED else 2 * own - 100
        return (from_node(round(points * POINT), ply),)

    def heuristic(self, mover: int) -> Values:
        return (self.heuristic_for(self.me, mover),)

    def worth(self, values: Values, seat: int) -> int:
        return values[0] if seat == self.me else -values[0]

    def child(self, depth: int, extra: int, alpha: int, beta: int, ply: int) -> Values:
        mover = self._made()
        if mover == OVER:
            return self.final(ply)
        walk, plan = self.walk, self.plan
        key: Hashable = None
        hint = None
        level = depth + extra
        if plan.caching:
            key = walk.key()
            known = self.cache.find(key)
            if known is not None:
                known_depth, known_level, bound, (value,), hint, sure = known
                if sure or (known_depth >= depth and known_level >= level):
                    value = from_node(value, ply)
                    if bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha):
                        self.uncertain |= not sure
                        return (value,)
        if level <= 0:
            self.uncertain = True
            return self.leaf(mover)
        uncertain_before, self.uncertain = self.uncertain, False
        if mover == DRAWN:
            best, best_value, bound = -1, self._averaged(depth, extra, ply)[0], EXACT
        else:
            best, best_value, bound = self._decided(mover, depth, extra, alpha, beta, ply, hint)
        if plan.caching:
            self.cache.keep(key, (depth, level, bound, (to_node(best_value, ply),), best, not self.uncertain))
        self.uncertain |= uncertain_before
        return (best_value,)

    def _decided(
        self, mover: int, depth: int, extra: int, alpha: int, beta: int, ply: int, hint: int | None
    ) -> tuple[int, int, int]:
        """The best move of a player, its value, and what kind of bound that is."""
        walk, plan = self.walk, self.plan
        moves = walk.moves()
        before, self._choices[mover] = self._choices[mover], len(moves)
        own = mover == self.me
        best, best_value = moves[0], -ENDLESS if own else ENDLESS
        floor, roof = (alpha, beta) if plan.pruning else (-ENDLESS, ENDLESS)
        low, high = floor, roof
        most = from_node(WIN, ply + 1)
        if plan.pruning:
            # Nothing is better than to win at once: whoever can do that need not look further.
            low, high = (low, min(high, most)) if own else (max(low, -most), high)
        for rank, move in enumerate(self.ordered(moves, mover, depth + extra, hint)):
            walk.play(move)
            (value,) = self.child(depth - 1, plan.extra(rank, extra), low, high, ply + 1)
            walk.undo()
            if value > best_value if own else value < best_value:
                best, best_value = move, value
                if own:
                    low = max(low, value)
                else:
                    high = min(high, value)
                if low >= high:
                    self._cuts[mover, move] = self._cuts.get((mover, move), 0) + depth * depth
                    break
        self._choices[mover] = before
        if best_value == (most if own else -most):
            self.uncertain = False  # whatever was estimated about other moves
        bound = AT_LEAST if best_value >= roof else EXACT if best_value > floor else AT_MOST
        return best, best_value, bound


class MaxN(Searching):
    """A value for everybody, each of whom wants most of its own; among equals, the others wish us ill.

    Only what gives its player all there is to have makes it needless to look further.
    """

    def final(self, ply: int) -> Values:
        return tuple(from_node(value_of_points(points), ply) for points in self.walk.scores())

    def heuristic(self, mover: int) -> Values:
        return tuple(self.heuristic_for(seat, mover) for seat in range(self._players))

    def worth(self, values: Values, seat: int) -> int:
        return values[seat]

    def child(self, depth: int, extra: int, alpha: int, beta: int, ply: int) -> Values:
        mover = self._made()
        if mover == OVER:
            return self.final(ply)
        walk, plan = self.walk, self.plan
        key: Hashable = None
        hint = None
        level = depth + extra
        if plan.caching:
            key = walk.key()
            known = self.cache.find(key)
            if known is not None:
                known_depth, known_level, _, values, hint, sure = known
                if sure or (known_depth >= depth and known_level >= level):
                    self.uncertain |= not sure
                    return tuple(from_node(value, ply) for value in values)
        if level <= 0:
            self.uncertain = True
            return self.leaf(mover)
        uncertain_before, self.uncertain = self.uncertain, False
        if mover == DRAWN:
            best, best_values = -1, self._averaged(depth, extra, ply)
        else:
            best, best_values = self._decided(mover, depth, extra, ply, hint)
        if plan.caching:
            stored = tuple(to_node(value, ply) for value in best_values)
            self.cache.keep(key, (depth, level, EXACT, stored, best, not self.uncertain))
        self.uncertain |= uncertain_before
        return best_values

    def _decided(self, mover: int, depth: int, extra: int, ply: int, hint: int | None) -> tuple[int, Values]:
        walk, plan, me = self.walk, self.plan, self.me
        moves = walk.moves()
        before, self._choices[mover] = self._choices[mover], len(moves)
        best, best_values = moves[0], (-ENDLESS,) * self._players
        most = from_node(value_of_points(100), ply + 1)
        least = from_node(value_of_points(0), ply + 1)
        for rank, move in enumerate(self.ordered(moves, mover, depth + extra, hint)):
            walk.play(move)
            values = self.child(depth - 1, plan.extra(rank, extra), -ENDLESS, ENDLESS, ply + 1)
            walk.undo()
            if (values[mover], -values[me]) > (best_values[mover], -best_values[me]) or rank == 0:
                best, best_values = move, values
                if plan.pruning and values[mover] >= most and (mover == me or values[me] <= least):
                    self._cuts[mover, move] = self._cuts.get((mover, move), 0) + depth * depth
                    break
        self._choices[mover] = before
        return best, best_values
