"""What facts are worth in a game that nobody has explained: learned from random games.

Each fact of a state, such as a piece of ours on a square, gets a number of points, so that the sum over the facts that
hold is as near as possible to what a player got in the end; see `regression`.

How much it is to be trusted is measured on games from which nothing was learned: where the facts say nothing about
who wins, as in many games they do not, that is found out, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.single import StateKernel
from ggtp.gdl.network.network import RANDOM
from ggtp.search.evaluation.mobility import learn_mobility_weight
from ggtp.search.evaluation.pieces import TRUST as PIECES_TRUST
from ggtp.search.evaluation.pieces import learn_pieces
from ggtp.search.evaluation.regression import Indexes, Kinship, Positions, Reals, explained, regress
from ggtp.search.evaluation.samples import Played, RandomGames

STAGES = (128, 384, 1024)
"""After how many games it is found out what was learned from them; then it is enough."""
HELD_BACK = 4
"""One game of so many is not learned from, but shows what the learning is worth."""
PENALTY = 100
"""How many games would be needed to outweigh the wish that nothing is worth anything."""
DOUBTED, TRUSTED = 0.1, 0.2
"""The share of the differences between results that must be explained to be trusted at all, and fully. What explains
little does harm: in a race, random players lose what they move, and whoever believes that stays at home."""
MOST_TRUST = 0.95
"""The rest is left to other heuristic values, which decide among equals."""
GIVEN_UP = 0.03
"""Where so little is explained after the second stage, there will be no third."""
MOST_HELD = 1 << 22
"""Facts of all positions that are held, at most."""
FORGETS = 0.5
"""What is remembered, next time, of how long a piece of work took: the machine may have been busy."""
MOST_STEPS = 1 << 15
"""Moves of all games side by side after which it is enough, however few have come to an end."""


@dataclass(frozen=True)
class Lesson:
    """What was learned: a role may expect its base and the worth of all facts that hold, in points."""

    worth: Reals
    """A row for each role."""
    base: Reals
    trust: float
    """From 0 to 1: how much a heuristic value is to be made of it, and how much of other things."""
    games: int
    """From how many games it was learned."""
    mobility_weight: float = 1.0
    """How many times a lead in mobility counts; see `evaluation.mobility`."""
    pieces: bool = False
    """Whether pieces are worth something because they are pieces; see `evaluation.pieces`."""

    @property
    def silent(self) -> bool:
        """Whether neither facts nor pieces nor mobility were seen to have to do with who wins."""
        return self.trust <= 0 and self.mobility_weight <= 1 and not self.pieces

    def expected(self, role: int, facts: Sequence[int]) -> float:
        """The points that a role may expect where these facts hold."""
        return float(self.base[role] + self.worth[role, list(facts)].sum())


def trust_in(share: float) -> float:
    """How much of a heuristic value is made of a lesson that explains so much."""
    return MOST_TRUST * min(1.0, max(0.0, (share - DOUBTED) / (TRUSTED - DOUBTED)))


class Lessons:
    """Learns a game bit by bit, whenever there is time. While one thread learns, others have what is known so far."""

    def __init__(
        self, states: StateKernel, seed: int = 0, kernel: PlayoutKernel | None = None, known: Lesson | None = None
    ) -> None:  # fmt: skip
        """Nothing is learned yet, unless all is known.

        Args:
            states: makes the moves; whoever calls `learn` must have it for itself meanwhile.
            seed: what chance begins from.
            kernel: plays on from positions, to learn what mobility and pieces are worth; nobody else uses it.
            known: what was learned before; then there is nothing to be learned any more.
        """
        self.lesson: Lesson | None = known
        """The last one, of the most games."""
        self.over = known is not None
        """Whether there is nothing to be learned any more."""
        self._learning = threading.Lock()
        self._states = states
        self._network = states.program.network
        self._seed = seed
        self._kernel = kernel
        self._work = self._learn()
        self._longest = 0.0
        """Seconds that one piece of work took of late."""

    def learn(self, should_stop: Callable[[], bool], seconds: float | None = None) -> Lesson | None:
        """Go on until it is enough, or somebody says stop, or so much time is over.

        What is to be done takes some milliseconds at a time; nothing is begun that may not be done in time. Nor is
        anybody waited for who learns already.
        """
        if not self._learning.acquire(blocking=False):
            return self.lesson
        try:
            self._go_on(should_stop, seconds)
        finally:
            self._learning.release()
        return self.lesson

    def _go_on(self, should_stop: Callable[[], bool], seconds: float | None) -> None:
        end = None if seconds is None else time.monotonic() + seconds
        now = time.monotonic()
        while not self.over and not should_stop() and (end is None or now + self._longest < end):
            self.over = next(self._work, True)
            before, now = now, time.monotonic()
            self._longest = max(self._longest, now - before)
        self._longest *= FORGETS

    def _learn(self) -> Iterator[bool]:
        """All the work in small pieces; yields whether it is over."""
        kinship = Kinship(self._network.facts)
        games = RandomGames(self._states, self._seed)
        held: list[tuple[Indexes, Indexes]] = []
        goals: list[npt.NDArray[np.int32]] = []
        first: list[Played] = []
        mobility_weight = 1.0
        size = steps = 0
        given_up = False
        pieces: Lesson | None = None
        for stage in STAGES:
            if given_up:
                break
            while len(held) < stage and size < MOST_HELD and steps < MOST_STEPS:
                steps += 1
                for played in games.step():
                    held.append(self._facts_of(played))
                    goals.append(played.goals)
                    size += len(held[-1][0])
                    if stage < STAGES[-1]:
                        first.append(played)
                yield False
            if stage < STAGES[-1] and first and pieces is None and self._kernel is not None:
                mobility_weight = yield from learn_mobility_weight(first, self._kernel)
            if len(held) >= STAGES[0]:
                found, share = yield from self._conclude(held, np.array(goals, np.float64), kinship, mobility_weight)
                if stage == STAGES[0] and found.trust < PIECES_TRUST and self._kernel is not None:
                    pieces = yield from self._look_for_pieces(len(held))
                # Where results teach little, pieces count.
                self.lesson = pieces if pieces is not None and found.trust < PIECES_TRUST else found
                given_up = len(held) >= STAGES[1] and (share < GIVEN_UP or self.lesson is pieces)

    def _look_for_pieces(self, games: int) -> Generator[bool, None, Lesson | None]:
        pieces = yield from learn_pieces(self._states, self._seed)
        return None if pieces is None else Lesson(pieces.worth, np.full(2, 50.0), PIECES_TRUST, games, pieces=True)

    def _facts_of(self, played: Played) -> tuple[Indexes, Indexes]:
        bits = np.unpackbits(played.states.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        position, holds = np.nonzero(bits[:, : len(self._network.facts)])
        return holds, np.bincount(position, minlength=len(bits))

    def _conclude(
        self, held: Sequence[tuple[Indexes, Indexes]], goals: Reals, kinship: Kinship, mobility_weight: float
    ) -> Generator[bool, None, tuple[Lesson, float]]:
        """Find out what was learned from so many games, and what share of their results it explains."""
        shown = np.arange(len(held)) % HELD_BACK == 0
        seen = Positions([each for each, back in zip(held, shown, strict=True) if not back], kinship.facts)
        yield False
        test = Positions([each for each, back in zip(held, shown, strict=True) if back], kinship.facts)
        yield False
        roles = self._network.roles
        worth, base = np.zeros((len(roles), kinship.facts)), np.full(len(roles), 50.0)
        shares: list[float] = []
        penalty = PENALTY * seen.count / max(1, int((~shown).sum()))
        opposed = len(roles) == 2 and bool((goals.sum(axis=1) == 100).all())
        for role, name in enumerate(roles):
            if name == RANDOM:
                continue
            if opposed and role == 1:
                worth[1], base[1] = -worth[0], 100.0 - base[0]
                continue
            for found in regress(seen, goals[~shown][seen.game, role], kinship, penalty):
                worth[role], base[role] = found
                yield False
            expected = np.clip(test.sums(worth[role]) + base[role], 0.0, 100.0)
            shares.append(explained(expected, goals[shown][test.game, role]))
        share = sum(shares) / len(shares) if shares else 0.0
        return Lesson(worth, base, trust_in(share), len(held), mobility_weight), share
