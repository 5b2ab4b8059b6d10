"""Random: plays any game, any move as likely as another. The engine to copy when writing one."""

from __future__ import annotations

import sys

from ggtp.game import Move
from ggtp.kit import Budget, Engine, Game, run


class Random(Engine):
    """Chooses among the moves that may be tried, and does not try again what was refused."""

    name = "Random"
    instant = True

    def choose(self, game: Game, budget: Budget) -> Move:
        """Any move."""
        return game.rng.choice(game.moves())


if __name__ == "__main__":
    sys.exit(run(Random()))
