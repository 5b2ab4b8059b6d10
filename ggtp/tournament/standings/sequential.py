"""A sequential test over blocks, in the order of their numbers: its verdict does not depend on who was faster."""

from __future__ import annotations

from collections import Counter, deque

from ggtp.stats.results import LATEST, fresh_part
from ggtp.stats.sample import Sample
from ggtp.stats.sprt import Decision
from ggtp.stats.sprt import Sprt as Test
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.standings.repeats import Seen


class SequentialTest:
    """Whether the first player is better than the second by `elo1`, or not by more than `elo0`."""

    def __init__(self, sprt: Sprt) -> None:
        self._test = Test(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)
        self._waiting: dict[int, tuple[float, int, str, int] | None] = {}
        self._next = 1
        self._counts: dict[int, Counter[float]] = {}
        """For each rule how often each score came."""
        self._distinct: Counter[int] = Counter()
        """For each rule how many of its blocks differ from one another, move by move: so many are evidence."""
        self._games = 0
        self._seen = Seen()
        self._fresh: deque[bool] = deque(maxlen=2 * LATEST)
        """Of the latest blocks whether they differ from all before."""
        self.ratio = 0.0
        """The logarithm of the likelihood ratio so far."""
        self.verdict = ""
        """`H0` or `H1`, once it is decided; that stands."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the ratio decides."""
        return self._test.lower, self._test.upper

    @property
    def sample(self) -> Sample:
        """The blocks it has looked at: in each rule scores as often as they came, worth as many blocks as differ."""
        found: Counter[float] = Counter()
        worths: dict[float, float] = {}
        for rule, counts in self._counts.items():
            found += counts
            worth = self._distinct[rule] / counts.total()
            for score, count in counts.items():
                worths[score] = worths.get(score, 0.0) + count * worth
        games = self._games / found.total() if found else 1.0
        return Sample(tuple(sorted(worths)), tuple(worths[score] for score in sorted(worths)), games)

    @property
    def distinct(self) -> int:
        """How many of its blocks differ from one another, move by move."""
        return self._distinct.total()

    def games_left(self) -> float | None:
        """About how many games it will still take; None: nobody knows, or only repeats are played."""
        return self._test.games_left(self.sample, self.fresh)

    @property
    def fresh(self) -> float:
        """The part of the latest blocks that do not repeat earlier ones."""
        return fresh_part(tuple(self._fresh))

    def block(self, number: int, score: float, games: int, key: str = "", rule: int = 0) -> None:
        """A block is complete, with this score of the first player; its key is that of blocks which are the same."""
        self._waiting[number] = (score, games, key, rule)
        self._go_on()

    def left_out(self, number: int) -> None:
        """A block will never be complete: the test goes on without it."""
        self._waiting[number] = None
        self._go_on()

    def _go_on(self) -> None:
        while not self.verdict and self._next in self._waiting:
            block = self._waiting.pop(self._next)
            self._next += 1
            if block is None:
                continue
            score, games, key, rule = block
            self._fresh.append(not (key and self._seen.add(key)))
            self._distinct[rule] += self._fresh[-1]
            self._counts.setdefault(rule, Counter())[round(score, 9)] += 1
            self._games += games
            self.ratio = self._test.ratio(self.sample)
            decision = self._test.decide(self.ratio)
            self.verdict = "" if decision is Decision.GO_ON else decision.value
