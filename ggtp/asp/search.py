"""Searches for plans in an unrolled game: step by step, or with all steps at once.

*Step by step* asks for plays of no move, of one, of two: the first answer is a shortest plan.
Refuting a length can be far harder than finding a plan that is longer, so each length has its
share of the time; those that were not decided are taken up again later.

*At once* guesses how long a play may be and asks one question about all lengths up to that.
Guesses grow, and the solver's configurations take turns. Where there is no plan with the best
goal in reach, it also looks for the best that there is, so that there is something to play.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ggtp.asp.conjunctions import Layers, conjunctions
from ggtp.asp.findings import Finding, Impossible, Plan, Refuted, Trying
from ggtp.asp.order import Before, forbid
from ggtp.asp.replay import Replay
from ggtp.asp.solver import CONFIGURATIONS, Answer, Solver
from ggtp.asp.unroll import NO, YES, Unrolling
from ggtp.gdl.network.network import Network

LEAST_SLICE = 0.3
"""Seconds that a length has at least, before the next one is looked at."""
SLICE_SHARE = 0.15
"""... and of all the time so far."""
FEW_ATOMS = 1000
"""As long as there are no more, the next length is looked at sooner than it is proven that there is none."""
LONGEST = 5000
"""Moves beyond which nobody looks."""
FIRST_SLICE = 3.0
"""Seconds of the first attempt at once; later ones have more."""
GROWTH = 1.5
PLAYS = 12
LONGEST_GUESS = 200


@dataclass(slots=True)
class Task:
    """What is wanted."""

    network: Network
    goals: Sequence[int]
    """From the best that is wanted downwards."""
    emit: Callable[[Finding], None]
    start: Sequence[int] | None = None
    """The facts of the state in which the play stands; None where it begins."""
    orders: Callable[[], Before] = dict
    """Finds the moves that commute; asked once, and only where a question proves to be hard."""
    should_stop: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.process_time
    """What shares of time are measured by: the processor's, so that a busy machine changes nothing."""
    _layers: Layers | None = None

    @property
    def layers(self) -> Layers:
        """The network's conjunctions, made once."""
        if self._layers is None:
            self._layers = conjunctions(self.network)
        return self._layers

    def slice(self, seconds: float) -> Callable[[], bool]:
        """A `should_stop` that says so after these seconds too."""
        end = self.clock() + seconds
        return lambda: self.clock() >= end or self.should_stop()


def goals_of(network: Network, most: int | None = None) -> list[int]:
    """The goal values that a play may end with, the greatest first; none above `most`."""
    values = {value for value, literal in network.goals[0] if literal != 0}
    return sorted((value for value in values if most is None or value <= most), reverse=True)


def step_by_step(task: Task, configuration: str = "tweety", before: Before | None = None) -> None:
    """Looks for a shortest plan for the first goal, and where that is impossible, for the next.

    Args:
        task: what is wanted.
        configuration: the solver's.
        before: the moves that commute, where they are known already.
    """
    solver = Solver(configuration)
    with solver.writing():
        unrolling = Unrolling(task.network, solver, task.start, task.layers)
    search = _Steps(task, solver, unrolling, before)
    for goal in task.goals:
        if search.reach(goal):
            return
        if task.should_stop():
            return
        task.emit(Impossible(goal))


class _Steps:
    """One unrolling that is asked about one length after the other."""

    def __init__(self, task: Task, solver: Solver, unrolling: Unrolling, before: Before | None) -> None:
        self._task = task
        self._solver = solver
        self._unrolling = unrolling
        self._began = task.clock()
        self._before = before
        self._last: int | None = None
        """No play is longer than this."""
        self._looked = 0.0
        """Seconds spent on finding out whether plays can be longer."""

    def reach(self, goal: int) -> bool:
        """Whether there is a plan, or somebody stopped the search; otherwise the goal is impossible."""
        task, length = self._task, 0
        undecided: list[int] = []
        while not self._ends_before(length):
            answer = self._ask(goal, length)
            if answer is Answer.YES:
                self._found(goal, length, shortest=not undecided)
                return True
            if task.should_stop() or length > LONGEST:
                return True
            if answer is Answer.STOPPED:
                undecided.append(length)
                self._find_orders()
            elif not undecided:
                task.emit(Refuted(goal, length))
            length += 1
        slice_seconds = 2 * LEAST_SLICE
        while undecided:
            still: list[int] = []
            for item in undecided:
                answer = self._ask(goal, item, slice_seconds)
                if answer is Answer.YES:
                    self._found(goal, item, shortest=not still)
                    return True
                if task.should_stop():
                    return True
                if answer is Answer.STOPPED:
                    still.append(item)
            undecided, slice_seconds = still, 2 * slice_seconds
        return False

    def _ask(self, goal: int, length: int, seconds: float | None = None) -> Answer:
        task, unrolling = self._task, self._unrolling
        while unrolling.length < length:
            with self._solver.writing():
                unrolling.advance()
                forbid(unrolling, self._before or {}, unrolling.length)
        value = unrolling.steps[length].goals.get(goal, NO)
        if value == NO:
            return Answer.NO
        task.emit(Trying(goal, length, unrolling.atoms))
        if seconds is None:
            seconds = max(LEAST_SLICE, SLICE_SHARE * (task.clock() - self._began))
        self._made: list[int] = []
        assumed = [value] if value != YES else []
        return self._solver.solve(assumed, on_model=self._note, should_stop=task.slice(seconds))

    def _find_orders(self) -> None:
        if self._before is None:
            self._before = self._task.orders()
            with self._solver.writing():
                for length in range(self._unrolling.length + 1):
                    forbid(self._unrolling, self._before, length)

    def _note(self, holds: Callable[[int], bool]) -> None:
        self._made = made_moves(self._unrolling, holds)

    def _found(self, goal: int, length: int, *, shortest: bool) -> None:
        self._task.emit(plan_of(self._task, self._made[:length], shortest=shortest))

    def _ends_before(self, length: int) -> bool:
        """Whether no play can have so many moves."""
        if self._last is not None:
            return length > self._last
        steps = self._unrolling.steps
        if length == 0 or length > len(steps):
            return False
        alive = steps[length - 1].alive
        spent = self._task.clock() - self._began
        if alive == NO:
            self._last = length - 1
            return True
        if alive == YES or self._looked > SLICE_SHARE * (spent + LEAST_SLICE):
            return False
        if self._unrolling.atoms < FEW_ATOMS:
            return False
        began = self._task.clock()
        answer = self._solver.solve([alive], should_stop=self._task.slice(LEAST_SLICE))
        self._looked += self._task.clock() - began
        if answer is Answer.NO:
            self._last = length - 1
            return True
        return False


def at_once(
    task: Task, rng: random.Random, configurations: Sequence[str] = CONFIGURATIONS, horizon: int | None = None
) -> None:
    """Looks for a plan with all lengths up to a guess in one question, again and again with other guesses."""
    horizon = guess_length(task, rng) if horizon is None else horizon
    seconds, attempt, goals = FIRST_SLICE, 0, list(task.goals)
    before: Before | None = None
    while goals and not task.should_stop():
        configuration = configurations[attempt % len(configurations)]
        best = attempt % 3 == 2
        if attempt and before is None:
            before = task.orders()
        shot = _Shot(task, configuration, horizon, before or {})
        if task.should_stop():
            return
        task.emit(Trying(goals[0], shot.unrolling.length, shot.unrolling.atoms))
        answer = shot.solve(goals, best=best, seconds=seconds)
        if answer is Answer.YES:
            if shot.goal >= goals[0]:
                return
            # The optimum of all plays of these lengths is known.
            refuted = [goal for goal in goals if goal > shot.goal]
        else:
            refuted = (goals if best else goals[:1]) if answer is Answer.NO else []
        for goal in refuted:
            task.emit(Impossible(goal) if shot.complete else Refuted(goal, shot.unrolling.length))
        if refuted and shot.complete:
            goals = goals[len(refuted) :]
            if shot.goal >= 0 and goals and shot.goal >= goals[0]:
                return
            continue
        attempt += 1
        seconds *= GROWTH
        if not shot.complete and (refuted or attempt % 2 == 0):
            horizon = min(LONGEST, int(horizon * GROWTH) + 1)


class _Shot:
    """One question about all plays up to a length."""

    def __init__(self, task: Task, configuration: str, horizon: int, before: Before) -> None:
        self._task = task
        self._solver = Solver(configuration)
        self.goal = -1
        """The best goal of any plan that was found."""
        with self._solver.writing():
            self.unrolling = Unrolling(task.network, self._solver, task.start, task.layers)
            while not self.unrolling.over and self.unrolling.length < horizon and not task.should_stop():
                self.unrolling.advance()
                forbid(self.unrolling, before, self.unrolling.length)
        self.complete = self.unrolling.over

    def solve(self, goals: Sequence[int], *, best: bool, seconds: float) -> Answer:
        """Whether a plan reaches the first goal; or with `best`, which is the best goal that any reaches."""
        reached = {
            goal: [step.goals[goal] for step in self.unrolling.steps if step.goals[goal] != NO] for goal in goals
        }
        wanted = reached[goals[-1] if best else goals[0]]
        if not wanted:
            return Answer.NO
        with self._solver.writing():
            if YES not in wanted:
                self._solver.never([-value for value in wanted])
            if best:
                self._prefer(goals, reached)
        return self._solver.solve(on_model=self._note, should_stop=self._task.slice(seconds))

    def _prefer(self, goals: Sequence[int], reached: Mapping[int, Sequence[int]]) -> None:
        weights = []
        for goal, lower in zip(goals, [*goals[1:], 0], strict=True):
            missed = self.unrolling.conjunction([-value for value in reached[goal]])
            if missed not in (YES, NO) and goal > lower:
                weights.append((missed, goal - lower))
        if weights:
            self._solver.minimise(weights)

    def _note(self, holds: Callable[[int], bool]) -> None:
        plan = plan_of(self._task, made_moves(self.unrolling, holds), shortest=False)
        if plan.goal > self.goal:
            self.goal = plan.goal
            self._task.emit(plan)


def made_moves(unrolling: Unrolling, holds: Callable[[int], bool]) -> list[int]:
    """The moves of an answer."""
    made = []
    for step in unrolling.steps:
        for move, value in enumerate(step.moves):
            if value != NO and holds(value):
                made.append(move)
                break
        else:
            break
    return made


def plan_of(task: Task, moves: Sequence[int], *, shortest: bool) -> Plan:
    """The plan, played once to see that it is one.

    Raises:
        ValueError: it is none, which is a bug.
    """
    goal, over = Replay(task.network, layers=task.layers).play(moves, task.start)
    if not over:
        raise ValueError("the plan does not end the play")
    return Plan(goal, tuple(task.network.moves[0][move] for move in moves), shortest)


def guess_length(task: Task, rng: random.Random) -> int:
    """How long a play may be, by a few random ones; a guess that is too short is made longer later."""
    replay, length = Replay(task.network, PLAYS, task.layers), 0
    lanes = replay.start() if task.start is None else replay.states([task.start] * PLAYS)
    going = lanes.alive
    while going and length < LONGEST_GUESS and not task.should_stop():
        made: dict[int, int] = {}
        for lane in range(PLAYS):
            moves = [move for move, where in enumerate(lanes.legal) if (where & going) >> lane & 1]
            if moves:
                move = rng.choice(moves)
                made[move] = made.get(move, 0) | 1 << lane
        if not made:
            break
        lanes, length = replay.look(replay.after_each(lanes, made)), length + 1
        going &= lanes.alive
    return max(1, length)
