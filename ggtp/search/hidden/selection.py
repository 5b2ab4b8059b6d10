"""The tree policy of information sets: what could have been chosen counts, and not what a node was visited.

A move that is possible in few of the positions that a node stands for is tried as often as any other, of those times
when it is possible (Cowling, Powley and Whitehouse, *Information set Monte Carlo tree search*, 2012). Players who move
at the same time draw what a move may be worth (Thompson sampling): bounds would make them follow one another in
circles, where they should mix their moves.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from ggtp.search.tree.policy import Choice
from ggtp.search.tree.rave import Rave, rave_weight

UNTRIED = 1e9
"""The score of a move of which nothing is known: such moves are tried before all others."""


@dataclass(frozen=True, slots=True)
class InformationSets(Rave):
    """UCB1 with RAVE, by how often each move could be chosen."""

    def drawn(self, choices: Sequence[Choice], unit: float, rng: random.Random, *, together: bool) -> list[float]:
        """The scores of moves; of moves of which nothing is known, each is as likely as another.

        Args:
            choices: the moves that are possible now.
            unit: the weight of exploration.
            rng: where chance comes from.
            together: whether others move at the same time.
        """
        scores, untried = list[float](), 0
        for _, edge in choices:
            visits = edge.visits
            later = edge.rave_total / edge.rave_visits if edge.rave_visits else None
            if visits:
                value = edge.total / visits
                if later is not None:
                    weight = rave_weight(visits, self.equivalence)
                    value = weight * later + (1 - weight) * value
                spread = rng.gauss(0, 1) / sqrt(visits) if together else sqrt(2 * log(edge.available) / visits)
                scores.append(value + unit * spread)
            elif later is not None:
                scores.append(later + unit)
            else:
                untried += 1
                scores.append(UNTRIED + untried if rng.random() * untried < 1 else -UNTRIED)
        return scores
