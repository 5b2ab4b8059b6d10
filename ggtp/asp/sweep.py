"""Goes through all states of a small game, layer by layer, before anybody asks a solver.

The states of a layer are the lanes of a `Replay`, so that a move is made in all of them at once, and neither machine
code nor a library has to be there. It finds a shortest plan, or proves that there is none; where there are too many
states, it gives up after a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

from ggtp.asp.findings import Impossible, Refuted, Trying
from ggtp.asp.replay import Replay, decisive
from ggtp.asp.search import Task, plan_of

SECONDS = 0.25
"""What it may take."""
MOST_CELLS = 4_000_000
"""Bytes of a layer's states."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """States that take equally many moves, each a lane, and how they are reached."""

    count: int
    facts: list[int]
    parents: list[int]
    """For each state, which of the layer before."""
    moves: list[int]


def sweep(task: Task, seconds: float = SECONDS) -> bool:
    """Looks for a shortest plan for the best goal; the result is whether that has answered the question.

    Args:
        task: what is wanted.
        seconds: what it may take.
    """
    return bool(task.goals) and _Sweep(task, task.slice(seconds)).run()


class _Sweep:
    """The layers so far."""

    def __init__(self, task: Task, should_stop: Callable[[], bool]) -> None:
        self._task = task
        self._should_stop = should_stop
        start = set(task.network.initial if task.start is None else task.start)
        facts = [int(fact in start) for fact in range(len(task.network.facts))]
        self._layers = [_Layer(1, facts, [], [])]
        self._known = set(_rows(facts, 1))
        self._best = -1
        self._goals = sorted({value for value, _ in task.network.goals[0]}, reverse=True)
        self._decisive = decisive(task.network, task.layers)

    def run(self) -> bool:
        """Whether the question is answered."""
        task = self._task
        wanted = task.goals[0]
        self._note_ends(Replay(task.network, 1, task.layers), self._layers[0].facts, 1, None)
        while self._best < wanted:
            task.emit(Refuted(wanted, len(self._layers) - 1))
            layer = self._following(self._layers[-1])
            if self._best >= wanted:
                break
            if layer is None:
                return False
            if not layer.count:
                for goal in task.goals:
                    if goal > self._best:
                        task.emit(Impossible(goal))
                break
            self._layers.append(layer)
            task.emit(Trying(wanted, len(self._layers), len(self._known), "states"))
        return True

    def _following(self, layer: _Layer) -> _Layer | None:
        """The states after one more move that were not known before; None where they are too many, or time is over."""
        task, count = self._task, layer.count
        replay = Replay(task.network, count, task.layers)
        lanes = replay.look(layer.facts)
        found: list[tuple[int, int, list[int]]] = []
        for move, legal in enumerate(lanes.legal):
            where = legal & lanes.alive
            if not where:
                continue
            if self._should_stop() or len(layer.facts) // 8 * count > MOST_CELLS:
                return None
            facts = replay.after(lanes, move)
            # Ends first: who has found what is wanted does not need the layer.
            ended = self._note_ends(replay, facts, where, move)
            found.append((move, where & ~ended, facts))
            if self._best >= task.goals[0]:
                return None
        known, rows, parents = self._known, [], []
        made: list[int] = []
        for move, where, facts in found:
            if self._should_stop():
                return None
            for lane, row in compress(enumerate(_rows(facts, count)), _spread(where, count).to_bytes(count, "little")):
                if row not in known:
                    known.add(row)
                    rows.append(row)
                    parents.append(lane)
            made += [move] * (len(rows) - len(made))
        return _Layer(len(rows), _columns(rows, len(layer.facts)), parents, made)

    def _note_ends(self, replay: Replay, facts: Sequence[int], where: int, move: int | None) -> int:
        """Where of these states the play is over; a plan that leads to the best of them is told."""
        over, reached = replay.ends(facts, self._decisive, self._goals)
        ended = over & where
        for goal, there in zip(self._goals, reached, strict=False):
            if goal > self._best and there & where:
                self._tell(goal, there & where, move)
        if ended and self._best < 0:
            self._tell(0, ended, move)
        return ended

    def _tell(self, goal: int, where: int, move: int | None) -> None:
        made = [] if move is None else [move]
        lane = where.bit_length() - 1
        for layer in reversed(self._layers[1:]):
            made.append(layer.moves[lane])
            lane = layer.parents[lane]
        self._best = goal
        self._task.emit(plan_of(self._task, made[::-1], shortest=True))


# A state's row has a bit for each fact, a number of a `Replay` one for each state. Both become each other by way of
# digits, which the language writes and reads fast: one byte for each state.


def _rows(facts: Sequence[int], count: int) -> list[bytes]:
    """The states, one after the other."""
    width = max(1, -(-len(facts) // 8))
    everywhere, ones = (1 << count) - 1, _ones(count)
    cells = bytearray(width * count)
    for place in range(width):
        packed = 0
        for bit, value in enumerate(facts[8 * place : 8 * place + 8]):
            if value:
                packed |= (ones if value == everywhere else _spread(value, count)) << bit
        if packed:
            cells[place::width] = packed.to_bytes(count, "little")
    whole = bytes(cells)
    return [whole[first : first + width] for first in range(0, len(whole), width)]


def _spread(value: int, count: int) -> int:
    """A byte for each of so many bits, 1 or 0."""
    return int.from_bytes(format(value, f"0{count}b").encode(), "big") & _ones(count)


def _columns(rows: Sequence[bytes], facts: int) -> list[int]:
    """For each fact a number that tells where it holds."""
    if not rows:
        return [0] * facts
    joined, count, width = b"".join(rows), len(rows), len(rows[0])
    ones, columns = _ones(count), []
    zeros = 48 * ones  # the digit 0
    for place in range(width):
        packed = int.from_bytes(joined[place::width], "little")
        for bit in range(min(8, facts - 8 * place)):
            digits = packed >> bit & ones
            columns.append(int((digits | zeros).to_bytes(count, "big"), 2) if digits else 0)
    return columns


@lru_cache(4)
def _ones(count: int) -> int:
    """A number of so many bytes, each of them 1."""
    return int.from_bytes(b"\1" * count, "big")
