"""Evaluators: what leaves are worth, the positions where a search ends before the game does.

An evaluator is a module with an `Evaluator`, which holds what was set, and with the `Leaves` that it makes for a game;
a row in `evaluators` offers it to every search. There are two kinds of leaves: positions of any rules, and the packed
states of compiled games, a row each. An evaluator says which of them it serves. One that serves only positions has
compiled games searched position by position; one that serves only rows refuses all other games with `EvaluatorFailed`.

Searches ask `CheckedLeaves`, in batches, and each has one place where it does: `PositionSearch._evaluate` and the
machine code `mcts.compiled.evaluate.evaluate` in Monte Carlo tree search; `Searching.leaf` and the machine code
`minimax.expand.expand` in minimax. What is `fused` into a search is computed there, without any leaves.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import PurePath
from threading import Lock
from traceback import extract_tb
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

from ggtp.errors import EngineError, RuleFailed
from ggtp.game import Option, Player, Position, Rules

if TYPE_CHECKING:  # an engine should be up fast, and most leaves are worth what comes of playouts
    import numpy as np
    import numpy.typing as npt

    from ggtp.gdl.play.compiled import CompiledGame

Values: TypeAlias = "npt.NDArray[np.float64]"
Rows: TypeAlias = "npt.NDArray[np.uint64]"

L = TypeVar("L", bound=Sized)
"""A batch of leaves: a sequence of positions, or rows."""


class EvaluatorFailed(EngineError):
    """An evaluator raised an exception, gave what are no values, or does not serve the game."""


@dataclass(frozen=True, slots=True)
class PositionGame:
    """A game whose leaves are positions."""

    rules: Rules
    options: Mapping[str, str]
    """Every option of the rules with its value."""
    seed: int = 0
    """What the evaluator's chance begins from."""

    @property
    def players(self) -> Sequence[Player]:
        """The players, in seating order."""
        return self.rules.players(self.options)


@dataclass(frozen=True, slots=True)
class RowGame:
    """A compiled game, whose leaves are rows of packed states; see `gdl.kernel.single`."""

    compiled: CompiledGame
    seed: int = 0

    @property
    def roles(self) -> Sequence[int]:
        """The role of each player, in seating order: chance is none."""
        from ggtp.gdl.network.network import RANDOM

        return [role for role, name in enumerate(self.compiled.roles) if name != RANDOM]

    @property
    def players(self) -> Sequence[Player]:
        """The players, in seating order."""
        return [self.compiled.roles[role] for role in self.roles]


class Leaves(ABC, Generic[L]):
    """Gives the values of leaves of one game. Not for two threads at once."""

    @abstractmethod
    def values(self, leaves: L) -> Values:
        """What leaves are worth: one row for each leaf and one column for each player, in seating order.

        A value is what the player may expect at the end of the game, from 0, the worst result, to 1, the best. It
        must depend on the leaf alone, and not on its batch.

        Args:
            leaves: a batch of positions in which the game is not over, or an array with a row for each state, which
                must not be kept or changed.
        """

    def study(self, should_stop: Callable[[], bool]) -> bool:
        """Between two searches: learn on, until it is enough or `should_stop` says so, which is asked often.

        Values must be given without it, too. Returns whether they are others from now on.
        """
        return False


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluator as its options have it: a value, which may go to another process."""

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    """What can be set, beside its name."""
    fused: ClassVar[bool] = False
    """Whether it is part of a search, in machine code of its own where there is some: then it makes no leaves."""
    positions: ClassVar[bool] = False
    """Whether it serves positions."""
    rows: ClassVar[bool] = False
    """Whether it serves rows of compiled games."""

    @property
    def in_code(self) -> bool:
        """Whether compiled games can be searched in machine code with it; else they are position by position."""
        return self.fused or self.rows

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Evaluator:
        """The evaluator by the values of all options."""
        return cls()

    def of_positions(self, game: PositionGame) -> Leaves[Sequence[Position]]:
        """What gives the values of a game's positions; asked only where it serves them."""
        raise NotImplementedError

    def of_rows(self, game: RowGame) -> Leaves[Rows]:
        """What gives the values of a compiled game's rows; asked only where it serves them."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ByPlayouts(Evaluator):
    """A leaf is worth what comes of playouts, as Monte Carlo tree search has it."""

    name: ClassVar[str] = "playouts"
    fused: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ByHeuristics(Evaluator):
    """A leaf is worth what mobility, novelty, goals and lessons say, as minimax has it; see `heuristics`."""

    name: ClassVar[str] = "heuristics"
    fused: ClassVar[bool] = True


PLAYOUTS, HEURISTICS = ByPlayouts(), ByHeuristics()


class CheckedLeaves(Generic[L]):
    """An evaluator's leaves as searches ask for their values, from any thread: what they get are values for certain."""

    def __init__(self, evaluator: Evaluator, players: Sequence[Player], leaves: Leaves[L]) -> None:
        self.players = players
        self._name = evaluator.name
        self._leaves = leaves
        self._lock = Lock()

    def values(self, batch: L) -> Values:
        """As `Leaves.values`.

        Raises:
            EvaluatorFailed: the evaluator has raised an exception, or gave no such values.
        """
        import numpy as np

        with self._lock, _Blame(self._name):
            found = np.asarray(self._leaves.values(batch), np.float64)
        wanted = (len(batch), len(self.players))
        if found.shape != wanted:
            raise EvaluatorFailed(f"evaluator {self._name}: its values have the shape {found.shape}, not {wanted}")
        wrong = ~((found >= 0) & (found <= 1))  # also what is no number
        if wrong.any():
            leaf, seat = (int(place) for place in np.argwhere(wrong)[0])
            raise EvaluatorFailed(
                f"evaluator {self._name}: a value must be from 0 to 1, not {found[leaf, seat]:g}"
                f" (leaf {leaf + 1} of {len(batch)}, {self.players[seat]})"
            )
        return found

    def study(self, should_stop: Callable[[], bool], seconds: float | None = None) -> bool:
        """As `Leaves.study`, for so many seconds at most.

        Raises:
            EvaluatorFailed: the evaluator has raised an exception.
        """
        end = None if seconds is None else time.monotonic() + seconds
        with self._lock, _Blame(self._name):
            return self._leaves.study(lambda: should_stop() or (end is not None and time.monotonic() >= end))


def until_compiled(evaluator: Evaluator, rules: Rules, own: Evaluator) -> Evaluator:
    """What a search over positions asks: its own evaluator, where another has to wait until the game is compiled."""
    if evaluator.fused or evaluator.positions or rules.text is None:
        return evaluator
    from ggtp.gdl.play.rules import GdlRules  # most rules are not, and an engine should be up fast

    return own if isinstance(rules, GdlRules) else evaluator


def position_leaves(evaluator: Evaluator, game: PositionGame) -> CheckedLeaves[Sequence[Position]] | None:
    """What gives the values of positions; None where the search has the evaluator in itself.

    Raises:
        EvaluatorFailed: the evaluator does not serve positions, or can't be made for the game.
    """
    if evaluator.fused:
        return None
    if not evaluator.positions:
        raise EvaluatorFailed(
            f"evaluator {evaluator.name}: it serves only compiled games, and {game.rules.name} is none;"
            " set Evaluation to another one"
        )
    with _Blame(evaluator.name):
        return CheckedLeaves(evaluator, game.players, evaluator.of_positions(game))


def row_leaves(evaluator: Evaluator, game: RowGame) -> CheckedLeaves[Rows] | None:
    """What gives the values of rows; None where the search has the evaluator in itself.

    Raises:
        EvaluatorFailed: the evaluator does not serve rows, or can't be made for the game.
    """
    if evaluator.fused:
        return None
    if not evaluator.rows:
        raise EvaluatorFailed(f"evaluator {evaluator.name}: it serves only positions, and no rows of compiled games")
    with _Blame(evaluator.name):
        return CheckedLeaves(evaluator, game.players, evaluator.of_rows(game))


class _Blame:
    """Says whose exception it was: the evaluator's, unless a rule has failed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, EvaluatorFailed | RuleFailed):
            last = extract_tb(error.__traceback__)[-1]
            place = f"{PurePath(last.filename).name}:{last.lineno}"
            raise EvaluatorFailed(f"evaluator {self._name}: {type(error).__name__}: {error} ({place})") from error
