"""MCTS: learns from random games which moves are worth looking at, and looks at those.

For every game without secrets: one player or many, moves at the same time, chance. Rules in the Game Description
Language are searched in machine code, by several threads if there are several; others position by position.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ggtp.game import Move, Rules
from ggtp.kit import Budget, Engine, Game, run
from ggtp.kit.engine import NO_REPORT
from ggtp.search.mcts_options import OPTIONS, Settings
from ggtp.search.mcts_positions import PositionSearch
from ggtp.search.mcts_report import Decision

if TYPE_CHECKING:
    from ggtp.search.mcts_compiled import CompiledSearch
    from ggtp.search.mcts_kernel import BestKernel

WAITING_SHARE = 0.4
"""How much of a move's time may be spent waiting for the compiled game, which plays hundreds of times faster."""


class Mcts(Engine):
    """Monte Carlo tree search."""

    name = "MCTS"
    compiles = True
    options = OPTIONS

    def __init__(self) -> None:
        self._report = NO_REPORT
        self._positions: PositionSearch | None = None
        self._compiled: CompiledSearch | None = None
        self._kernel: BestKernel | None = None
        self._rules: tuple[Rules, Mapping[str, str]] | None = None
        self._asked: tuple[PositionSearch | CompiledSearch, str, float, str] | None = None
        """While it thinks: what searches, for whom, since when, and how it will choose."""

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Nothing hidden, and no races."""
        if rules.traits.hidden:
            return "MCTS plays only games without secrets."
        if rules.traits.race:
            return "MCTS plays no games in which the first to move counts."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Prepare machine code on the start clock; keep the tree of the play before if it is of the same game."""
        if self._rules != (game.rules, game.rule_options):
            self._rules = game.rules, game.rule_options
            self._positions = self._compiled = self._kernel = None
        self._prepare(game, budget)
        if self._kernel is not None:
            self._kernel.wait(budget.remaining())

    def choose(self, game: Game, budget: Budget) -> Move:
        """The best move that is known when time is over, or certain before."""
        began = time.monotonic()
        settings = Settings.read(game.settings)
        if settings.seconds is not None:
            budget.limit(settings.seconds)
        moves = game.moves()
        if len(moves) == 1:
            self._report = "move=" + moves[0]
            return moves[0]
        left = budget.remaining()
        self._prepare(game, Budget(None if left is None else left * WAITING_SHARE))
        decision = self._search_compiled(game, settings, budget, began) if self._kernel is not None else None
        if decision is None:
            decision = self._search_positions(game, settings, budget, began)
        legal = [choice for choice in decision.choices if choice.move in moves]
        if not legal:
            return game.rng.choice(moves)
        self.report(**decision.report(settings.final))
        chosen = decision.chosen(settings.final).move
        return chosen if chosen in moves else legal[0].move

    # What it says, also while it thinks.

    @property
    def last_search(self) -> str:
        """What is known of the search that is under way, or of the last one."""
        asked = self._asked
        if asked is not None:
            search, player, began, final = asked
            self.report(**search.decision(player, time.monotonic() - began).report(final))
        return self._report

    @last_search.setter
    def last_search(self, text: str) -> None:
        self._report = text

    # How it searches.

    def _prepare(self, game: Game, budget: Budget) -> None:
        """Get hold of the compiled game, if there is one."""
        if self._kernel is not None:
            return
        found = game.compiled(budget)
        if found is not None:
            from ggtp.search.mcts_kernel import BestKernel

            self._kernel = BestKernel(found)

    def _search_compiled(self, game: Game, settings: Settings, budget: Budget, began: float) -> Decision | None:
        from ggtp.gdl.rules import GdlPosition
        from ggtp.search.mcts_compiled import CompiledSearch

        kernel = self._kernel
        assert kernel is not None
        search = self._compiled
        if search is None:
            search = self._compiled = CompiledSearch(kernel.game, settings, game.rng, kernel.ready())
        elif kernel.better_than(search.kernel):
            search.use(kernel.ready())
        position = game.position
        assert isinstance(position, GdlPosition)
        if not search.begin(kernel.game.state_of(position), settings, budget.deadline):
            return None
        winning = search.winning(game.player)
        if winning is None:
            self._asked = search, game.player, began, settings.final
            try:
                search.run(budget.should_stop, budget.deadline)
            finally:
                self._asked = None
        return search.decision(game.player, time.monotonic() - began).with_winning(winning)

    def _search_positions(self, game: Game, settings: Settings, budget: Budget, began: float) -> Decision:
        search = self._positions
        if search is None:
            search = self._positions = PositionSearch(game.rules, game.rule_options, settings, game.rng)
        search.begin(game.position, settings)
        winning = search.winning(game.player)
        if winning is None:
            self._asked = search, game.player, began, settings.final
            try:
                search.run(budget.should_stop)
            finally:
                self._asked = None
        return search.decision(game.player, time.monotonic() - began).with_winning(winning)


if __name__ == "__main__":
    sys.exit(run(Mcts()))
