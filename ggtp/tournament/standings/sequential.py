"""A sequential test over blocks, in the order of their numbers: its verdict does not depend on who was faster."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from ggtp.stats.elo import Estimate, elo, los, nelo
from ggtp.stats.results import LATEST, fresh_part
from ggtp.stats.sample import Sample
from ggtp.stats.sprt import Decision
from ggtp.stats.sprt import Sprt as Test
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.standings.repeats import Seen

BAYESIAN = "bayesian"
"""The model whose units are games, not blocks."""


@dataclass(slots=True)
class _AtRule:
    """The blocks of a rule."""

    blocks: int = 0
    distinct: int = 0
    """How many of them differ from one another, move by move: so many are evidence."""
    counts: Counter[float] = field(default_factory=Counter)
    """How often each score of a unit came."""


class SequentialTest:
    """Whether the first player is better than the second by `elo1`, or not by more than `elo0`."""

    def __init__(self, sprt: Sprt) -> None:
        self._test = Test(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model)
        self._by_games = sprt.model == BAYESIAN
        self._waiting: dict[int, tuple[float, tuple[float, ...], str, int] | None] = {}
        self._next = 1
        self._rules: dict[int, _AtRule] = {}
        self._games = 0
        self._classes: dict[int, Counter[int]] = {}
        """For each number of games in a block how often the first player made how many half points of them."""
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
        """The blocks it has looked at, or their games: in each rule scores as often as they came, and together worth as
        many blocks as differ."""
        worths: dict[float, float] = {}
        units = 0
        for at_rule in self._rules.values():
            units += at_rule.counts.total()
            for score, count in at_rule.counts.items():
                worths[score] = worths.get(score, 0.0) + count * at_rule.distinct / at_rule.blocks
        games = self._games / units if units else 1.0
        return Sample(tuple(sorted(worths)), tuple(worths[score] for score in sorted(worths)), games)

    @property
    def elo(self) -> Estimate:
        """How much better the first player is than the second."""
        return elo(self.sample)

    @property
    def nelo(self) -> Estimate:
        """The same in normalised Elo."""
        return nelo(self.sample)

    @property
    def los(self) -> float:
        """The likelihood of superiority of the first player."""
        return los(self.sample)

    @property
    def counts(self) -> tuple[int, ...]:
        """How often a block came to each number of half points, from none to all, repeats counted as they came: for
        blocks of two games those are the pentanomial counts. Nothing if blocks have different numbers of games."""
        if len(self._classes) != 1:
            return ()
        ((games, classes),) = self._classes.items()
        return tuple(classes[half_points] for half_points in range(2 * games + 1))

    @property
    def distinct(self) -> int:
        """How many of its blocks differ from one another, move by move."""
        return sum(at_rule.distinct for at_rule in self._rules.values())

    def games_left(self) -> float | None:
        """About how many games it will still take; None: nobody knows, or only repeats are played."""
        return self._test.games_left(self.sample, self.fresh)

    @property
    def fresh(self) -> float:
        """The part of the latest blocks that do not repeat earlier ones."""
        return fresh_part(tuple(self._fresh))

    def block(self, number: int, score: float, singles: Sequence[float], key: str = "", rule: int = 0) -> None:
        """A block is complete.

        Args:
            number: the block's.
            score: the first player's mean score.
            singles: for each game whether the first player was ahead: 1, 1/2 or 0.
            key: the same for blocks that are the same.
            rule: which rule of the plan was played.
        """
        self._waiting[number] = (score, tuple(singles), key, rule)
        self._go_on()

    def left_out(self, number: int) -> None:
        """A block will never be complete: the test goes on without it."""
        self._waiting[number] = None
        self._go_on()

    def _go_on(self) -> None:
        while not self.verdict and self._next in self._waiting:
            block = self._waiting.pop(self._next)
            self._next += 1
            if block is not None:
                self._count(*block)

    def _count(self, score: float, singles: tuple[float, ...], key: str, rule: int) -> None:
        self._fresh.append(not (key and self._seen.add(key)))
        at_rule = self._rules.setdefault(rule, _AtRule())
        at_rule.blocks += 1
        at_rule.distinct += self._fresh[-1]
        at_rule.counts.update(singles if self._by_games else (round(score, 9),))
        self._games += len(singles)
        self._classes.setdefault(len(singles), Counter())[round(2 * sum(singles))] += 1
        self.ratio = self._test.ratio(self.sample)
        decision = self._test.decide(self.ratio)
        self.verdict = "" if decision is Decision.GO_ON else decision.value
