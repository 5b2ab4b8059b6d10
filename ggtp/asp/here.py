"""A plan from where a play stands, looked for among the states themselves: in this process, and for a while."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ggtp.asp.explore import explore
from ggtp.asp.findings import Finding, Impossible, Plan
from ggtp.asp.search import Task, goals_of
from ggtp.gdl.kernel.single import unpack
from ggtp.gdl.play.compiled import CompiledGame


@dataclass(slots=True)
class Found:
    """What came of it."""

    plan: Plan | None = None
    """The best that was found."""
    final: bool = False
    """Whether there is nothing better."""
    refuted: set[int] = field(default_factory=set)
    """Goals that no play from here reaches."""


def plan_here(
    game: CompiledGame,
    state: bytes,
    rng: random.Random,
    should_stop: Callable[[], bool],
    megabytes: int = 256,
    clock: Callable[[], float] = time.process_time,
) -> Found:
    """Looks for the best end of a play of one player until somebody says stop, or nothing better can be found.

    Args:
        game: the compiled game.
        state: where the play stands there.
        rng: decides where guesses do not.
        should_stop: asked again and again.
        megabytes: what states may take.
        clock: what shares of the time are measured by.
    """
    found = Found()

    def emit(finding: Finding) -> None:
        if isinstance(finding, Plan) and (found.plan is None or finding.goal > found.plan.goal):
            found.plan = finding
        elif isinstance(finding, Impossible):
            found.refuted.add(finding.goal)

    goals = goals_of(game.network)
    explore(Task(game.network, goals, emit, unpack(state), should_stop=should_stop, clock=clock), game, rng, megabytes)
    reached = -1 if found.plan is None else found.plan.goal
    found.final = all(goal <= reached or goal in found.refuted for goal in goals)
    return found
