"""Which moves may change places, so that of all orders of independent moves only one has to be looked at.

Where a game is about a set of moves (lamps to switch, squares to fill), each plan has as many
twins as its moves have orders, and a proof that there is none must refute them all. Two moves
*commute* if, in whatever state one can be made after the other, the other way round is possible
too and leads to the same state, or wins at once. Then a plan in which the greater number comes directly before
the smaller one is not needed: sorting such neighbours gives a plan without, and no longer one.

First random plays refute most pairs at almost no cost, then the solver proves the rest, in
all states that the facts can make up, reachable or not. What can't be proven in time is taken
as not commuting.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from ggtp.asp.replay import Lanes, Replay
from ggtp.asp.solver import Solver
from ggtp.asp.unroll import NO, YES, Step, Unrolling
from ggtp.gdl.network.network import Network

MOST_MOVES = 1000
"""Moves up to which pairs are worth looking at."""
EFFORT = 300
"""Conflicts after which the solver gives a proof up."""
PLAYS = 10
LONGEST = 60
LANES = 512
"""States in which pairs are tried."""

Before = Mapping[int, Sequence[int]]
"""For a move, the greater ones that need not come directly before it."""


def needless_orders(
    network: Network, rng: random.Random, should_stop: Callable[[], bool], start: Sequence[int] | None = None
) -> dict[int, list[int]]:
    """For each move, those that need not come directly before it."""
    count = len(network.moves[0])
    if count > MOST_MOVES:
        return {}
    pairs = _not_refuted(network, rng, should_stop, start)
    if not pairs:
        return {}
    # Where there is no time for all of them, some of each move are better than all of some.
    rng.shuffle(pairs)
    proof = _Proof(network)
    before: dict[int, list[int]] = {}
    for one, other in pairs:
        if should_stop():
            break
        # The greater move first is what may be left out, so that is what must be replaceable.
        if proof.holds(other, one):
            before.setdefault(one, []).append(other)
    return before


def forbid(unrolling: Unrolling, before: Before, length: int) -> None:
    """Rules out the needless orders of the last two of so many moves."""
    if length < 2:
        return
    earlier, later = unrolling.steps[length - 2].moves, unrolling.steps[length - 1].moves
    for move, others in before.items():
        if later[move] == NO:
            continue
        possible = [earlier[other] for other in others if earlier[other] != NO]
        if possible:
            forbidden = possible[0] if len(possible) == 1 else unrolling.disjunction(possible)
            unrolling.sink.never([later[move], forbidden])


def _not_refuted(
    network: Network, rng: random.Random, should_stop: Callable[[], bool], start: Sequence[int] | None
) -> list[tuple[int, int]]:
    """Pairs of moves, the smaller first, that were seen to be legal and never seen not to commute."""
    states = _some_states(network, rng, should_stop, start)
    replay = Replay(network, len(states))
    here = replay.states(states)
    best = max((value for value, _ in network.goals[0]), default=0)
    met = [move for move, where in enumerate(here.legal) if where & here.alive]
    after: dict[int, Lanes] = {}
    for move in met:
        if should_stop():
            return []
        after[move] = replay.look(replay.after(here, move))
    pairs = []
    for one, other in combinations(met, 2):
        if should_stop():
            return []
        given = here.alive & here.legal[other] & after[other].alive & after[other].legal[one]
        won = here.legal[one] & ~after[one].alive & replay.reached(after[one], best)
        swapped = here.legal[one] & after[one].alive & after[one].legal[other]
        if given & ~(swapped | won):
            continue
        ends = zip(replay.after(after[other], one), replay.after(after[one], other), strict=True)
        if not any((left ^ right) & given & ~won for left, right in ends):
            pairs.append((one, other))
    return pairs


def _some_states(
    network: Network, rng: random.Random, should_stop: Callable[[], bool], start: Sequence[int] | None
) -> list[list[int]]:
    """States of random plays, at least the first."""
    replay = Replay(network)
    found: list[list[int]] = []
    for _ in range(PLAYS):
        lanes = replay.start() if start is None else replay.states([start])
        for _ in range(LONGEST):
            found.append([fact for fact, holds in enumerate(lanes.facts) if holds])
            moves = replay.legal(lanes)
            if not moves or len(found) == LANES or should_stop():
                break
            lanes = replay.look(replay.after(lanes, rng.choice(moves)))
    return found[:LANES]


class _Proof:
    """Two plays of two moves from one unknown state, and the question whether they can differ."""

    def __init__(self, network: Network) -> None:
        self._solver = solver = Solver("tweety", f"--solve-limit={EFFORT}")
        with solver.writing():
            state = []
            for _ in network.facts:
                atom = solver.atom()
                solver.choice(atom, [])
                state.append(atom)
            self._given = self._play(network, state)
            self._swapped = self._play(network, state)
            last = zip(self._given.last.state, self._swapped.last.state, strict=True)
            differences = [self._differ(one, other) for one, other in last if one != other]
            self._differs = self._given.disjunction(differences) if differences else NO

    def _play(self, network: Network, state: list[int]) -> Unrolling:
        play = Unrolling.from_any_state(network, self._solver, state)
        play.advance()
        play.advance()
        return play

    def _differ(self, one: int, other: int) -> int:
        both = self._given.conjunction
        return -both((-both((one, -other)), -both((-one, other))))

    def holds(self, first: int, second: int) -> bool:
        """Whether `first` and then `second` can always be replaced by `second` and then `first`."""
        given = self._made(self._given.steps, first, second)
        if given is None:
            return True  # it never happens
        here, between, _ = self._swapped.steps
        if self._may(given, (-self._allowed(here, second),)):
            return False
        begun = here.moves[second]
        won = between.goals[max(between.goals)] if between.goals else NO
        if begun == NO or self._may(given, (begun, -self._allowed(between, first), -won)):
            return False
        return not self._may(given, (begun, between.moves[first], self._differs))

    def _made(self, steps: Sequence[Step], first: int, second: int) -> tuple[int, int] | None:
        made = steps[0].moves[first], steps[1].moves[second]
        return None if NO in made else made

    def _allowed(self, step: Step, move: int) -> int:
        """Whether the move can be made: an atom that stands for both conditions."""
        legal, alive = step.legal[move], step.alive
        if NO in (legal, alive):
            return NO
        if legal == YES or alive == YES:
            return alive if legal == YES else legal
        with self._solver.writing():
            return self._swapped.conjunction((legal, alive))

    def _may(self, given: Sequence[int], more: Sequence[int]) -> bool:
        values = [*given, *more]
        return NO not in values and not self._solver.refutes([value for value in values if value != YES])
