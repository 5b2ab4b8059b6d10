"""What things are worth that are seen in positions: a linear regression with a penalty on large numbers (ridge).

What they share, such as the piece wherever it stands, or the row wherever in it, is learned together: then little has
to be seen of each. It is solved by conjugate gradients.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Compound

TOGETHER = 2
"""How many arguments facts share that are learned together, at most."""
ROUNDS = 15
"""Steps of the conjugate gradients."""

Reals = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]


def _added(places: Indexes, numbers: Reals, count: int) -> Reals:
    """For each of so many places, the sum of the numbers that stand there."""
    return np.bincount(places, weights=numbers, minlength=count).astype(np.float64)


class Kinship:
    """Which facts of a game are learned together: those with the same name and one or two equal arguments."""

    def __init__(self, facts: Sequence[str]) -> None:
        numbers: dict[tuple[object, ...], int] = {}
        pairs: list[tuple[int, int]] = []
        for fact, text in enumerate(facts):
            term = parse_term(text)
            name, arguments = (term.name, term.args) if isinstance(term, Compound) else (text, ())
            for count in range(1, min(TOGETHER, len(arguments) - 1) + 1):
                for places in combinations(range(len(arguments)), count):
                    kind = (name, len(arguments), places, tuple(str(arguments[i]) for i in places))
                    pairs.append((fact, numbers.setdefault(kind, len(numbers))))
        self.facts = len(facts)
        self.kinds = len(numbers)
        self._fact = np.array([fact for fact, _ in pairs], np.int64)
        self._kind = np.array([kind for _, kind in pairs], np.int64)

    def spread(self, numbers: Reals) -> Reals:
        """Numbers of facts and kinds as numbers of facts alone: each has that of its kinds added."""
        return numbers[: self.facts] + _added(self._fact, numbers[self.facts :][self._kind], self.facts)

    def gather(self, numbers: Reals) -> Reals:
        """The transposed: numbers of facts, and for each kind the sum of those of its facts."""
        return np.concatenate([numbers, _added(self._kind, numbers[self._fact], self.kinds)])


class Positions:
    """Positions as lists of the facts that hold, and which game each is of."""

    def __init__(self, held: Sequence[tuple[Indexes, Indexes]], facts: int) -> None:
        """Of each game: which facts hold, position after position, and how many in each."""
        counts = np.concatenate([counts for _, counts in held])
        self.game = np.repeat(np.arange(len(held)), [len(counts) for _, counts in held])
        self._facts = facts
        self._holds = np.concatenate([holds for holds, _ in held])
        self._position = np.repeat(np.arange(len(counts)), counts)
        self.count = len(counts)

    def sums(self, numbers: Reals) -> Reals:
        """Of each position, the sum over its facts."""
        return _added(self._position, numbers[self._holds], self.count)

    def by_fact(self, numbers: Reals) -> Reals:
        """Of each fact, the sum over the positions in which it holds."""
        return _added(self._holds, numbers[self._position], self._facts)


def regress(positions: Positions, results: Reals, kinship: Kinship, penalty: float) -> Iterator[tuple[Reals, float]]:
    """What facts are worth, and the base, so that their sums are near the results; better with each round."""
    usual = positions.by_fact(np.ones(positions.count)) / positions.count
    mean = float(results.mean())

    def forth(numbers: Reals) -> Reals:
        worth = kinship.spread(numbers)
        return np.asarray(positions.sums(worth) - float((usual * worth).sum()))

    def back(errors: Reals) -> Reals:
        return kinship.gather(positions.by_fact(errors) - usual * errors.sum())

    found = np.zeros(kinship.facts + kinship.kinds)
    rest = back(results - mean)
    way = rest.copy()
    size = float((rest * rest).sum())
    for _ in range(ROUNDS):
        if size <= 1e-9:
            break
        moved = back(forth(way)) + penalty * way
        step = size / float((way * moved).sum())
        found += step * way
        rest -= step * moved
        before, size = size, float((rest * rest).sum())
        way = rest + size / before * way
        worth = kinship.spread(found)
        yield worth, mean - float((usual * worth).sum())


def explained(expected: Reals, results: Reals) -> float:
    """The share of the differences between results that was expected; negative where nothing would be better."""
    differs = float(((results - results.mean()) ** 2).mean()) if len(results) else 0.0
    return 1.0 - float(((results - expected) ** 2).mean()) / differs if differs > 0 else 0.0
