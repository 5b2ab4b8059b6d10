"""A bet that one player is better than another, which may be looked at after every round.

Each round somebody who doubts it takes the bet. If the first player is not better, nobody can
expect to grow rich this way, and by Ville's inequality the wealth ever exceeds `1 / alpha` with
a probability of `alpha` at most: however often one looks, and whenever one stops.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_STAKE = 0.9
"""The greatest part of the wealth that is put at risk: a loss must leave something."""
PRIOR_ROUNDS = 1.0
PRIOR_SQUARE = 0.25
"""Before the first round it is as if one had been seen, with no difference and this square."""


@dataclass(slots=True)
class Bet:
    """Begins with a wealth of 1, and stakes what the rounds before advise."""

    wealth: float = 1.0
    rounds: int = 0
    _sum: float = 0.0
    _squares: float = PRIOR_SQUARE

    @property
    def stake(self) -> float:
        """The part of the wealth at risk in the next round; it depends on earlier ones only."""
        rounds = self.rounds + PRIOR_ROUNDS
        mean = self._sum / rounds
        square = self._squares / rounds
        return min(MOST_STAKE, max(0.0, mean / square)) if square else MOST_STAKE

    def settle(self, difference: float) -> None:
        """One more round: by how much the first player's score exceeded the second's, from -1 to 1."""
        self.wealth *= 1 + self.stake * difference
        self.rounds += 1
        self._sum += difference
        self._squares += difference * difference
