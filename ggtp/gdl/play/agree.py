"""Two players of one game, asked the same along random games: the fast one against the plain one."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ggtp.gdl.language.syntax import Term
from ggtp.gdl.play.traces import Machine


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of a comparison."""

    states: int
    """How many states were compared."""
    difference: str | None
    """The first difference, as one sentence; None if they agreed throughout."""


def compare(
    plain: Machine[Any],
    fast: Machine[Any],
    rng: random.Random,
    *,
    games: int = 2,
    max_steps: int = 200,
    should_stop: Callable[[], bool] = lambda: False,
) -> Agreement:
    """Plays random games with both and compares facts, ends, legal moves and goals.

    Args:
        plain: the one that is right.
        fast: the one in question.
        games: how many games are played.
        max_steps: after how many moves a game is left.
        should_stop: is asked before every state.
    """
    states = 0
    if plain.roles != fast.roles:
        return Agreement(states, f"The roles are {_list(fast.roles)} instead of {_list(plain.roles)}.")
    for _ in range(games):
        one, two = plain.initial(), fast.initial()
        for step in range(max_steps):
            if should_stop():
                return Agreement(states, None)
            difference = _difference(plain, fast, one, two)
            if difference is not None:
                return Agreement(states, f"After {step} moves {difference}.")
            states += 1
            legal = {role: sorted(plain.legal(one, role), key=str) for role in plain.roles}
            if plain.terminal(one) or not all(legal.values()):
                break
            moves = {role: rng.choice(own) for role, own in legal.items()}
            one, two = plain.next(one, moves), fast.next(two, moves)
    return Agreement(states, None)


def _difference(plain: Machine[Any], fast: Machine[Any], one: Any, two: Any) -> str | None:
    expected, found = set(plain.facts(one)), set(fast.facts(two))
    if expected != found:
        return f"these facts differ: {_list(expected ^ found)}"
    over = plain.terminal(one)
    if over != fast.terminal(two):
        return "the game is not over, and should be" if over else "the game is over, and should not be"
    for role in plain.roles:
        moves, others = set(plain.legal(one, role)), set(fast.legal(two, role))
        # Nobody asks for moves after the end, and networks need not have them.
        if not over and moves != others:
            return f"these moves of {role} differ: {_list(moves ^ others)}"
        goals, values = set(plain.goal_values(one, role)), set(fast.goal_values(two, role))
        if over and goals != values:
            return f"the goals of {role} are {_list(values)} instead of {_list(goals)}"
    return None


def _list(terms: Collection[Term]) -> str:
    return ", ".join(sorted(map(str, terms))[:5]) or "none"
