"""Hybrid: plays video games. It searches for a plan where nothing is left to chance, and else tries actions out.

It knows a game only by its forward model: which actions there are, what is seen after them, and the score.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ggtp.game import Move, Rules, number, switch
from ggtp.kit import Budget, Engine, Game, run
from ggtp.vgdl.bestfirst import BestFirst, signature
from ggtp.vgdl.model import Model, State, warm_up
from ggtp.vgdl.openloop import OpenLoop
from ggtp.vgdl.rules import NIL, VideoPosition, VideoRules
from ggtp.vgdl.vocabulary import Action

RESERVE = 0.004
"""Seconds that are kept back in each tick."""
UNTIMED = 0.2
"""Seconds for a tick that nobody limits."""


class Hybrid(Engine):
    """Best-first search, and open-loop Monte Carlo tree search where that can't help."""

    name = "Hybrid"
    options = (
        switch("Search", True, "look for a plan where nothing is left to chance"),
        number("Depth", 12, 1, 1000, "how many ticks an iteration of the tree search looks ahead"),
        number("ScoreWeight", 4, 0, 10_000, "what a point counts in the search for a plan, in steps"),
    )

    def __init__(self) -> None:
        self._model: Model | None = None
        self._search: BestFirst | None = None
        self._still = b""
        self._plan: list[Action] = []

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Video games only."""
        return None if isinstance(rules, VideoRules) else "Hybrid plays video games, which have a forward model."

    def new_game(self, game: Game, budget: Budget) -> None:
        """Has everything compiled, and begins to search."""
        position = game.position
        if not isinstance(position, VideoPosition):
            return
        self._model = Model(position.world.game, position.world.level)
        self._search, self._plan = None, []
        state = self._model.state_of(position.world)
        search = self._prepare(state, game)
        if budget.deadline is not None and search is not None:
            search.run(budget.should_stop)

    def choose(self, game: Game, budget: Budget) -> Move:
        """The next action of the plan, nothing while it is looked for, or what the tree search prefers."""
        position = game.position
        if not isinstance(position, VideoPosition):
            return game.moves()[0]
        if self._model is None or self._model.level is not position.world.level:
            self._model = Model(position.world.game, position.world.level)
            self._search, self._plan = None, []
        if budget.deadline is None:
            budget.limit(UNTIMED)
        else:
            budget.limit(max(0.001, (budget.remaining() or 0.0) - RESERVE))
        state = self._model.state_of(position.world)
        action = self._look(state, game, budget)
        if action is None:
            tree = OpenLoop(state, game.rng, int(game.settings["Depth"]))
            tree.run(budget.should_stop)
            action = tree.choice()
            self.report(method="tree", iterations=tree.iterations, advances=tree.advances)
        move = action.name.lower()
        return move if move in game.moves() else NIL

    def _look(self, state: State, game: Game, budget: Budget) -> Action | None:
        """What the search for a plan wants; None where it can't help."""
        search = self._prepare(state, game)
        if search is None:
            return None
        if not self._plan:
            search.run(budget.should_stop)
            self.report(method="search", expanded=search.expanded, advances=search.advances)
            if search.plan is None:
                return None if search.exhausted else Action.NIL
            self._plan = list(search.plan)
        return self._follow(state)

    def _prepare(self, state: State, game: Game) -> BestFirst | None:
        """The search for a plan that begins, or goes on, where we are; None where there can be none."""
        if game.settings["Search"] != "on" or game.rules.traits.chance:
            return None
        here = signature(state)
        if self._search is None or here != self._still:
            waiting = state.twin()
            waiting.advance(Action.NIL)
            if waiting.ended or signature(waiting) != here:
                return None  # the world moves on by itself: there is no time to think
            self._search = BestFirst(state, float(game.settings["ScoreWeight"]))
            self._still, self._plan = here, []
        return self._search

    def _follow(self, state: State) -> Action:
        action = self._plan.pop(0)
        after = state.twin()
        after.advance(action)
        self._still = signature(after)
        return action


if __name__ == "__main__":
    warm_up()  # before anybody waits for an answer
    sys.exit(run(Hybrid()))
