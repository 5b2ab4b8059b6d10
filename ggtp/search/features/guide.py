"""Features as hints for random games, and kernels that follow them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import exp

from ggtp.gdl.kernel.playouts import PlayoutKernel, fastest
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.guide import ATTACK, AVOID, DEFEND, PARTS, Guide, Hint
from ggtp.gdl.program.step import StepProgram
from ggtp.search.features.features import BEST_VALUE, LEVELS, FeatureSet, Kind, value_of

PURPOSE = {Kind.OFFENSIVE: ATTACK, Kind.DEFENSIVE: DEFEND, Kind.AVOIDING: AVOID}
SELDOM = 1
"""A feature that was learned no more often than that counts as if it were a level farther from the end."""


GOOD = (0.1, 0.07, 0.05)
"""Where it was measured what features are worth, they count as if their levels were 1 to 4: of level 1 are those whose
moves are better than any by so many points of 1 at least, and so on."""


@dataclass(frozen=True, slots=True)
class Use:
    """How features are followed in random games."""

    tau: float = 0.5
    """The temperature of the Boltzmann distribution."""
    own: float = 0.6
    """How often the player that searches follows them. The paper says only that it is more often than the other one;
    but if it is much more often, every position looks won, and none better than another."""
    opponent: float = 0.5
    """How often the other one does, as in the paper."""
    most: int = 2000
    """Features that are followed at most."""
    scale: float = 100.0
    """What a value of 100 counts there: with 100 the values are taken as they are, and the best are always followed."""
    period: int = 1
    """Features are looked for in one of so many moves of each player, and of each stage of a turn; with 1, in all."""
    foresight: int = 0
    """See `Guide.foresight`."""


MOST_EXPONENT = 20.0
"""Of one weight beside the next one. With e^20 nobody looks at the smaller one, and of larger ones the first would soon
be beyond all numbers."""


def weights(tau: float, scale: float) -> tuple[float, ...]:
    """How much more than a move without a feature those of the levels from 1 on weigh, and of one level more."""
    exponents = [0.0, *(scale * value_of(level) / BEST_VALUE / tau for level in range(LEVELS, 0, -1))]
    steps = (min(MOST_EXPONENT, above - below) for below, above in pairwise(exponents))
    return tuple(exp(exponent) for exponent in reversed(list(accumulate(steps))))


def guide_for(features: FeatureSet, role: int, use: Use) -> Guide:
    """The hints for random games in a search for a player."""
    hints = []
    for feature, count in features:
        rank = _rank(feature.level, count, features.worth.get(feature))
        hints.append(Hint(feature.role, feature.move, PURPOSE[feature.kind], rank, tuple(sorted(feature.needs))))
    uses = tuple(round(PARTS * (use.own if each == role else use.opponent)) for each in range(2))
    return Guide(tuple(hints), weights(use.tau, use.scale), uses, use.period, use.foresight)


def _rank(level: int, count: int, worth: float | None) -> int:
    if not level:
        return 0
    return level + (count <= SELDOM) if worth is None else rank_of_worth(worth)


def rank_of_worth(worth: float) -> int:
    """Which level, from 1 on, a feature that is worth so much counts as."""
    return 1 + sum(worth < bound for bound in GOOD)


def guided_program(game: CompiledGame, features: FeatureSet, role: int, use: Use) -> StepProgram:
    """One move of many random games in which features are followed."""
    return build_step(game.network, guide=guide_for(features, role, use))


def guided_kernel(
    game: CompiledGame,
    features: FeatureSet,
    role: int,
    use: Use | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> PlayoutKernel:
    """A kernel for a search for a player; it may take seconds to make.

    Raises:
        Cancelled: `should_stop` said so.
    """
    program = guided_program(game, features, role, use or Use())
    return fastest(program, kept=game.kept, should_stop=should_stop)


def guided_kernels(
    game: CompiledGame, features: FeatureSet, use: Use, should_stop: Callable[[], bool] | None = None
) -> dict[int, PlayoutKernel]:
    """Kernels for searches for either player; one for both where they follow features equally often.

    Raises:
        Cancelled: `should_stop` said so.
    """
    first = guided_kernel(game, features, 0, use, should_stop)
    alike = guide_for(features, 0, use) == guide_for(features, 1, use)
    return {0: first, 1: first.twin() if alike else guided_kernel(game, features, 1, use, should_stop)}
