"""ISMCTS: searches games with secrets by what each player knows.

For every game: one player or many, secrets, chance, moves at the same time, races. It keeps tables, which are positions
that explain what its player has seen, and plays on from all of them; what it learns is remembered by what players
observe, so that it never counts on what it can't know.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ggtp.game import Move
from ggtp.kit import Budget, Engine, Game, run
from ggtp.search.hidden.choice import Chooser
from ggtp.search.hidden.options import OPTIONS, TREES, Settings, tables
from ggtp.search.hidden.search import Trees


class Ismcts(Engine):
    """Information set Monte Carlo tree search."""

    name = "ISMCTS"
    options = (*OPTIONS, tables(16), TREES)
    guarded = True
    spare = False

    def __init__(self) -> None:
        self._chooser = Chooser()

    def tables_kept(self, settings: Mapping[str, str]) -> int:
        """As many as the option says."""
        return int(settings["Tables"])

    def choose(self, game: Game, budget: Budget) -> Move:
        """The best move that is known when time is over."""
        settings = Settings.read(game.settings)
        trees = Trees.SINGLE if settings.single else Trees.MULTIPLE
        move, facts = self._chooser.choose(game, budget, trees, settings)
        self.report(**facts)
        return move

    def under_way(self) -> Mapping[str, object]:
        """What the search has found so far."""
        return self._chooser.facts()


if __name__ == "__main__":
    sys.exit(run(Ismcts()))
