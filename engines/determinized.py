"""Determinized: looks at positions that may be, as if everybody saw them, and makes the move that is best on the whole.

Perfect-information Monte Carlo: it keeps tables, which are positions that explain what its player has seen, and
searches each of them with a tree of its own. It plays every game that there is.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ggtp.game import Move
from ggtp.kit import Budget, Engine, Game, run
from ggtp.search.hidden.choice import Chooser
from ggtp.search.hidden.options import OPTIONS, Settings, tables
from ggtp.search.hidden.search import Trees


class Determinized(Engine):
    """Perfect-information Monte Carlo over tables."""

    name = "Determinized"
    options = (*OPTIONS, tables(16))
    guarded = True
    spare = False

    def __init__(self) -> None:
        self._chooser = Chooser()

    def tables_kept(self, settings: Mapping[str, str]) -> int:
        """As many as the option says."""
        return int(settings["Tables"])

    def choose(self, game: Game, budget: Budget) -> Move:
        """The move that is best on the whole of the tables when time is over."""
        move, facts = self._chooser.choose(game, budget, Trees.OPEN, Settings.read(game.settings))
        self.report(**facts)
        return move

    def under_way(self) -> Mapping[str, object]:
        """What the search has found so far."""
        return self._chooser.facts()


if __name__ == "__main__":
    sys.exit(run(Determinized()))
