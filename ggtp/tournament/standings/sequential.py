"""A sequential test over blocks, in the order of their numbers: its verdict does not depend on who was faster."""

from __future__ import annotations

from collections import Counter

from ggtp.stats.sample import Sample
from ggtp.stats.sprt import Decision
from ggtp.stats.sprt import Sprt as Test
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.standings.repeats import Seen


class SequentialTest:
    """Whether the first player is better than the second by `elo1`, or not by more than `elo0`."""

    def __init__(self, sprt: Sprt) -> None:
        self._test = Test(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)
        self._waiting: dict[int, tuple[float, int, str] | None] = {}
        self._next = 1
        self._counts: Counter[float] = Counter()
        self._games = 0
        self._seen = Seen()
        self.distinct = 0
        """How many of its blocks differ from one another, move by move: so many are evidence."""
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
        """The blocks that it has looked at: scores as often as they came, worth as many blocks as differ."""
        scores = sorted(self._counts)
        blocks = sum(self._counts.values())
        games = self._games / blocks if blocks else 1.0
        return Sample(tuple(scores), tuple(self._counts[score] * self.distinct / blocks for score in scores), games)

    def games_left(self) -> float | None:
        """About how many games it will still take; None: nobody knows."""
        return self._test.games_left(self.sample)

    def block(self, number: int, score: float, games: int, key: str = "") -> None:
        """A block is complete, with this score of the first player; its key is that of blocks which are the same."""
        self._waiting[number] = (score, games, key)
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
            score, games, key = block
            self.distinct += not (key and self._seen.add(key))
            self._counts[round(score, 9)] += 1
            self._games += games
            self.ratio = self._test.ratio(self.sample)
            decision = self._test.decide(self.ratio)
            self.verdict = "" if decision is Decision.GO_ON else decision.value
