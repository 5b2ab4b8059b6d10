"""What an evaluator says about leaves, as minimax has values: for us alone, or for everybody."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Sized
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ggtp.search.evaluation.evaluator import CheckedLeaves
from ggtp.search.evaluation.heuristics import LEAST, MOST
from ggtp.search.minimax.plan import POINT, OutOfTime, View
from ggtp.search.minimax.walk import OVER, Walk

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]

MOST_KEPT = 1 << 16
"""Leaves whose values are kept until they are asked for: beyond, all are forgotten, and evaluated again."""

L = TypeVar("L", bound=Sized)


class Scale:
    """Turns the values of an evaluator into those of minimax."""

    def __init__(self, view: View, me: int, places: Sequence[int], width: int) -> None:
        """A scale for a search.

        Args:
            view: what the others are taken to want.
            me: the seat for which it searches.
            places: where each seat's values stand, if everybody's are kept apart.
            width: how many places there are then.
        """
        self._view, self._me = view, me
        self._places, self._width = list(places), width

    def inner(self, values: npt.NDArray[np.float64]) -> Integers:
        """A row for each leaf: our value, or everybody's; never as good as a win nor as bad as a loss."""
        import numpy as np

        points = 100.0 * values
        if self._view is View.OPPOSED:
            points = 50.0 + (points[:, [self._me]] - points[:, [1 - self._me]]) / 2
        elif self._view is not View.SELFISH:
            points = points[:, [self._me]]
        scaled = np.rint((2.0 * np.clip(points, LEAST, MOST) - 100.0) * POINT).astype(np.int64)
        if self._view is not View.SELFISH:
            return scaled
        wide = np.zeros((len(scaled), self._width), np.int64)
        wide[:, self._places] = scaled
        return wide


class LeafJudge(Generic[L]):
    """Knows the values of leaves, which an evaluator has judged in batches: all that moves lead to, together."""

    def __init__(
        self, leaves: CheckedLeaves[L], scale: Scale, leaf: Callable[[Any], Any], batch: Callable[[list[Any]], L]
    ) -> None:
        """Nothing is known yet.

        Args:
            leaves: the evaluator.
            scale: what minimax makes of its values.
            leaf: where a walk stands.
            batch: makes a batch of such places.
        """
        self._leaves, self._scale = leaves, scale
        self._leaf, self._batch = leaf, batch
        self._known: dict[Hashable, tuple[int, ...]] = {}

    def values(self, walk: Walk) -> tuple[int, ...]:
        """The values where a walk stands, and the game is not over.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        key = walk.key()
        if key not in self._known:
            self._judge({key: self._leaf(walk)})
        return self._known[key]

    def look_behind(self, walk: Walk, moves: Sequence[int], should_stop: Callable[[], bool]) -> None:
        """Have all places evaluated to which moves lead, together, unless their values are known.

        Raises:
            OutOfTime: it was told to stop.
            EvaluatorFailed: the evaluator has failed.
        """
        found: dict[Hashable, Any] = {}
        for move in moves:
            if should_stop():
                raise OutOfTime
            walk.play(move)
            if walk.mover() != OVER:
                found.setdefault(walk.key(), self._leaf(walk))
            walk.undo()
        if fresh := {key: leaf for key, leaf in found.items() if key not in self._known}:
            self._judge(fresh)

    def _judge(self, fresh: dict[Hashable, Any]) -> None:
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        values = self._scale.inner(self._leaves.values(self._batch(list(fresh.values()))))
        self._known.update(zip(fresh, map(tuple, values.tolist()), strict=True))
