"""Searches for plans among the states themselves, by machine code: all of them, or those that look best.

First layer by layer through all states, as far as memory and patience go; that finds a shortest
plan, or proves that there is none. Then again and again with the most promising states of each layer
only (a beam), by one guess after the other (`worth`), with more states each time. Each guess has the
same share of the time, so that one that is slow does not keep the others waiting.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ggtp.asp.findings import Impossible, Refuted, Trying
from ggtp.asp.known import Known
from ggtp.asp.search import LONGEST, Task, plan_of
from ggtp.asp.space import Ints, Look, Space, Words
from ggtp.asp.worth import Floats, Worth, Worths
from ggtp.gdl.play.compiled import CompiledGame

FIRST_SECONDS = 0.4
"""What going through all states may take before guesses begin."""
ALL_SECONDS = 6.0
"""... and when the first guesses have found nothing."""
FIRST_WIDTHS = (8, 64, 512, 4096)
"""How many states of a layer the first guesses keep."""
FIRST_SLICE = 0.4
"""Seconds that a guess has at first."""
GROWTH = 1.5
PROMISING = 3
"""How many guesses, of those that led to the most points, have as much time as all of them, in turns with all."""
TELL_EVERY = 0.5
STATE_BYTES = 96
"""What is kept of each state besides its bits, about."""


def explore(task: Task, game: CompiledGame, rng: random.Random, megabytes: int = 1024) -> None:
    """Looks for a plan for the first goal, and tells of each that is better than those before.

    Args:
        task: what is wanted.
        game: the compiled game of the task's network.
        rng: decides where guesses do not.
        megabytes: what states may take; where there is less after all, fewer states are looked at.
    """
    if not task.goals:
        return
    # A quarter for what is being made, a half for what stays; the rest is for how arrays grow.
    space = Space(task.network, game.state_kernel(), task.start, max(1, megabytes // 4))
    most = (megabytes << 19) // (STATE_BYTES + 16 * space.first.shape[1])
    search = _Search(task, space, most)
    if search.all_states(task.slice(FIRST_SECONDS)) or task.should_stop():
        return
    worths = Worths(space, task.goals[0], np.random.default_rng(rng.getrandbits(64)))
    mask = space.clocks(rng)
    guesses = [_Guess(worth) for worth in worths.by_looks().values()]
    for width in FIRST_WIDTHS:
        for guess in guesses:
            # Who was not done with fewer states has no time for more.
            if (guess.width == 0 or guess.done) and guess.tried(search, width, mask, FIRST_SLICE):
                return
    if task.should_stop() or search.all_states(task.slice(ALL_SECONDS)):
        return
    guesses += [_Guess(worth, FIRST_WIDTHS[0]) for worth in worths.by_plays(game.at_once).values()]
    _guess(search, guesses, most // 4, mask)


def _guess(search: _Search, guesses: list[_Guess], widest: int, mask: Words | None) -> None:
    """Tries one guess after the other, with more states each time."""
    task, seconds = search.task, FIRST_SLICE
    while not task.should_stop():
        # Where there is a clock, a state that comes again later is sometimes the same and sometimes not.
        for timeless in (mask, None) if mask is not None else (None,):
            rounds = [(guesses, seconds), (_promising(guesses), seconds * len(guesses) / PROMISING)]
            for chosen, share in rounds:
                for guess in chosen:
                    began = task.clock()
                    if guess.tried(search, guess.width, timeless, 2 * share):
                        return
                    taken = task.clock() - began
                    if taken < share:
                        guess.width = min(widest, guess.width * (2 if taken > share / 4 else 4))
        seconds *= GROWTH


def _promising(guesses: list[_Guess]) -> list[_Guess]:
    """Those that have led to the most points."""
    return sorted(guesses, key=lambda guess: -guess.best)[:PROMISING]


@dataclass(slots=True)
class _Guess:
    """One guess, and how many states it has kept."""

    worth: Worth
    width: int = 0
    done: bool = False
    """Whether it came to its end."""
    best: int = -1
    """The best goal that it led to."""

    def tried(self, search: _Search, width: int, mask: Words | None, seconds: float) -> bool:
        """Tries it, for so many seconds; the result is whether that answers the question."""
        should_stop = search.task.slice(seconds)
        self.width = width
        try:
            reached = search.best_states(self.worth, width, mask, should_stop)
        except MemoryError:
            self.width, self.done = max(1, width // 4), False
            return False
        self.best = max(self.best, reached)
        self.done = not should_stop()
        return reached >= search.task.goals[0]


@dataclass(slots=True)
class _Layer:
    """States that take equally many moves, none of them an end, and how each is reached."""

    rows: Words
    look: Look
    parents: Ints
    moves: Ints
    worth: Floats = field(default_factory=lambda: np.zeros(0))


class _Search:
    """Sweeps through the states, and what they have found."""

    def __init__(self, task: Task, space: Space, most: int) -> None:
        self.task = task
        self.space = space
        self._most = most
        """States that there is memory for."""
        self.best = -1
        """The best goal of any plan so far."""

    def all_states(self, should_stop: Callable[[], bool]) -> bool:
        """Goes through all states; the result is whether that has answered the question."""
        task = self.task
        sweep = _Sweep(self, Known(exact=True), None, self._most, should_stop)
        for length in range(LONGEST):
            if self.best >= task.goals[0]:
                return True
            task.emit(Refuted(task.goals[0], length))
            if not len(sweep.layer.rows):
                for goal in task.goals:
                    if goal > self.best:
                        task.emit(Impossible(goal))
                return True
            task.emit(Trying(task.goals[0], length + 1, sweep.known.count, "states"))
            try:
                if not sweep.advance():
                    return self.best >= task.goals[0]
            except MemoryError:
                return False
        return False

    def best_states(self, worth: Worth, width: int, mask: Words | None, should_stop: Callable[[], bool]) -> int:
        """Goes through the most promising states of each layer; the result is the best goal of any end there."""
        task = self.task
        sweep = _Sweep(self, Known(mask), worth, width, should_stop)
        told = task.clock()
        while len(sweep.layer.rows) and self.best < task.goals[0] and len(sweep.path) < LONGEST:
            if not sweep.advance():
                break
            if task.clock() - told >= TELL_EVERY:
                told = task.clock()
                task.emit(Trying(task.goals[0], len(sweep.path) + 1, sweep.known.count, "states"))
        return sweep.best

    def ended(self, goal: int, moves: Callable[[], list[int]], *, shortest: bool) -> None:
        """Takes note of a play to its end."""
        if goal > self.best:
            self.best = goal
            self.task.emit(plan_of(self.task, moves(), shortest=shortest))


class _Sweep:
    """One way through the states, layer by layer."""

    def __init__(
        self, search: _Search, known: Known, worth: Worth | None, width: int, should_stop: Callable[[], bool]
    ) -> None:
        self._search = search
        self.known = known
        self._worth = worth
        self._width = width
        """How many states a layer may have; without a guess of their worth, how many there may be at all."""
        self._should_stop = should_stop
        self.path: list[tuple[Ints, Ints]] = []
        """For each layer but the first, which state of the one before, by which move."""
        self.best = -1
        """The best goal of any end."""
        first = search.space.first
        look = search.space.look(first)
        nothing = np.zeros(0, np.int64)
        if not look.alive[0]:
            search.ended(int(look.goals[0]), list, shortest=True)
        alive = np.flatnonzero(look.alive)
        self.layer = _Layer(first[alive], look.only(alive), nothing, nothing)
        known.add(first)

    def advance(self) -> bool:
        """Goes on to the next layer; false where it was stopped, or there are too many states."""
        space, layer = self._search.space, self.layer
        pool: list[_Layer] = []
        pooled = 0
        for children in space.children(layer.rows, layer.look):
            if self._should_stop():
                return False
            new = self.known.new(children.rows)
            if self._worth is None:
                self.known.add(children.rows[new])
                if self.known.count > self._width:
                    return False
            look = space.look(children.rows[new])
            self._note_ends(look, children.parents[new], children.moves[new])
            alive = np.flatnonzero(look.alive)
            new = new[alive]
            part = _Layer(children.rows[new], look.only(alive), children.parents[new], children.moves[new])
            pool.append(self._judged(part))
            pooled += len(new)
            if self._worth is not None and pooled > 2 * self._width:
                pool = [self._chosen(pool)]
                pooled = len(pool[0].rows)
        self.layer = self._chosen(pool)
        if self._worth is not None:
            self.known.add(self.layer.rows)
        self.path.append((self.layer.parents, self.layer.moves))
        return True

    def _note_ends(self, look: Look, parents: Ints, moves: Ints) -> None:
        ends = np.flatnonzero(~look.alive)
        if not len(ends):
            return
        end = ends[np.argmax(look.goals[ends])]
        self.best = max(self.best, int(look.goals[end]))
        self._search.ended(
            int(look.goals[end]), lambda: self._moves_to(int(parents[end]), int(moves[end])), shortest=not self._worth
        )

    def _moves_to(self, parent: int, move: int) -> list[int]:
        found = [move]
        for parents, moves in reversed(self.path):
            found.append(int(moves[parent]))
            parent = int(parents[parent])
        return found[::-1]

    def _judged(self, part: _Layer) -> _Layer:
        if self._worth is not None and len(part.rows):
            part.worth = self._worth(part.rows, part.look)
        return part

    def _chosen(self, pool: list[_Layer]) -> _Layer:
        """One layer of all parts: the best states, each once."""
        if not pool:
            empty = np.zeros(0, np.int64)
            return _Layer(self.layer.rows[:0], self.layer.look.only(empty), empty, empty)
        rows = np.concatenate([part.rows for part in pool])
        kept = np.arange(len(rows))
        worth = np.concatenate([part.worth for part in pool])
        if self._worth is not None:
            if len(pool) > 1:
                kept = self.known.new(rows)
            if len(kept) > self._width:
                kept = kept[np.argpartition(-worth[kept], self._width)[: self._width]]
            worth = worth[kept]
        look = Look(*(np.concatenate(columns)[kept] for columns in zip(*(part.look for part in pool), strict=True)))
        parents = np.concatenate([part.parents for part in pool])[kept]
        moves = np.concatenate([part.moves for part in pool])[kept]
        return _Layer(rows[kept], look, parents, moves, worth)
