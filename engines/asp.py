"""ASP: solves one-player games by answer set programming, and plays the plan.

It searches in processes of their own, from the start clock on and while it plays, until there is a plan that nothing
betters. As long as there is none, Monte Carlo tree search chooses, and the search begins anew from where that leads.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ggtp.game import Move, Option, Rules, number
from ggtp.kit import Budget, Engine, Game, run
from ggtp.kit.solving import METHODS, Solving, begin_solving
from ggtp.search.mcts_options import OPTIONS as MCTS_OPTIONS
from ggtp.search.mcts_options import Settings

if TYPE_CHECKING:
    from ggtp.gdl.compiled import CompiledGame
    from ggtp.search.mcts_compiled import CompiledSearch

LOOK = 0.02
"""Seconds between two looks whether the move is still wanted."""
FIRST_SUGGESTION = 0.01
"""Seconds after which the best move so far is suggested for the first time; then after twice the time, and so on."""
LEAST = 1.0
"""Seconds without which a search does not even begin: its processes would hardly have started."""
WAITING_SHARE = 0.5
"""How much of a move's time is left to the solver before Monte Carlo tree search begins to look for a move."""


class Asp(Engine):
    """Answer set programming for games of one player."""

    name = "ASP"
    compiles = True
    guarded = True
    options = (
        number("Time", 5000, 0, 1 << 31, "how many milliseconds to think at most; 0 for as long as the referee allows"),
        Option(
            "Method",
            "all",
            "among the states themselves, step by step, all steps at once, the latter two, or all side by side",
            choices=tuple(METHODS),
        ),
    )

    def __init__(self) -> None:
        self._solving: Solving | None = None
        self._since = 0
        """How many moves had been made when the search began."""
        self._search: CompiledSearch | None = None
        self._plan: tuple[int, int, tuple[Move, ...], bool] | None = None
        """A plan: after how many moves it begins, its goal, its moves, and whether nothing is better."""

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """One player, and rules that are a text in the Game Description Language."""
        from ggtp.gdl.rules import GdlRules

        if not isinstance(rules, GdlRules):
            return "ASP plays only rules in the Game Description Language."
        if len(rules.game.roles) != 1:
            return "ASP plays only games of one player."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Begin to search, and wait for a plan as long as the start clock runs."""
        self._stop()
        self._plan = None
        self._begin(game, budget)
        self._await_plan(budget)

    def choose(self, game: Game, budget: Budget) -> Move:
        """The next move of the plan, or what looks best as long as there is none."""
        began = time.monotonic()
        seconds = int(game.settings["Time"]) / 1000
        if seconds:
            budget.limit(seconds)
        moves = game.moves()
        planned = self._planned(game)
        self._suggest_plan(game)
        if planned is None and len(moves) > 1:
            if not self._on_its_way(game):
                self._begin_anew(game, budget)
            self._await_plan(Budget(self._share(budget)), budget)
            planned = self._planned(game)
            self._suggest_plan(game)
        if planned is None and len(moves) > 1:
            planned = self._explore(game, budget)
        self._tell(game, began)
        return planned if planned is not None and planned in moves else game.rng.choice(moves)

    # The solver.

    def _begin(self, game: Game, budget: Budget) -> None:
        compiled = game.compiled(budget)
        cores, megabytes = max(1, int(game.settings["threads"])), int(game.settings["memory"])
        self._stop()
        self._since = len(game.history)
        self._solving = begin_solving(game, compiled, METHODS[game.settings["Method"]], megabytes, cores)

    def _begin_anew(self, game: Game, budget: Budget) -> None:
        """Search from here on, where there is time for processes to start; what was searched for is not wanted."""
        share = self._share(budget)
        if share is None or share >= LEAST:
            self._begin(game, Budget(share))
        else:
            self._stop()

    def _stop(self) -> None:
        if self._solving is not None:
            self._solving.stop()
            self._solving = None

    def _await_plan(self, *budgets: Budget) -> None:
        solving = self._solving
        while solving is not None and not solving.ended and not any(budget.should_stop() for budget in budgets):
            left = [left for budget in budgets if (left := budget.remaining()) is not None]
            if not left:
                break  # nobody would ever end the waiting
            solving.wait(min(LOOK, *left))

    def _on_its_way(self, game: Game) -> bool:
        """Whether the search that goes on is about this play: from here, or from where it began."""
        return self._solving is not None and self._since == len(game.history)

    def _planned(self, game: Game) -> Move | None:
        """What the best plan says here; a plan of the solver's takes the place of one that it betters."""
        solving, history = self._solving, [move for _, move in game.history]
        if solving is not None and solving.best is not None and self._since <= len(history):
            from ggtp.gdl.parse import parse_term
            from ggtp.gdl.rules import move_text

            best = solving.best
            known = self._plan
            if known is None or best.goal > known[1] or not self._follows(history):
                moves = (*history[: self._since], *(move_text(parse_term(move)) for move in best.moves))
                self._plan = self._since, best.goal, moves, solving.optimal
        if self._plan is not None and not self._plan[3] and self._solving is not None and not self._solving.ended:
            return None  # something better may be found
        return self._best_known(game)

    def _best_known(self, game: Game) -> Move | None:
        """What the best plan so far says here, whether or not something better may be found."""
        history = [move for _, move in game.history]
        if self._plan is None or not self._follows(history) or len(history) >= len(self._plan[2]):
            return None
        return self._plan[2][len(history)]

    def _suggest_plan(self, game: Game) -> None:
        move = self._best_known(game)
        if move is not None:
            game.suggest(move)

    def _follows(self, history: list[Move]) -> bool:
        return self._plan is not None and list(self._plan[2][: len(history)]) == history

    # Where there is no plan.

    def _explore(self, game: Game, budget: Budget) -> Move | None:
        """The choice of Monte Carlo tree search, or of the best plan so far."""
        plan, fallback = self._plan, self._best_known(game)
        compiled = game.compiled()
        if compiled is None:
            return fallback
        decision = self._decision(game, compiled, budget)
        if decision is None:
            return fallback
        move, goal = decision
        return fallback if plan is not None and fallback is not None and plan[1] >= goal else move

    def _decision(self, game: Game, compiled: CompiledGame, budget: Budget) -> tuple[Move, float] | None:
        from ggtp.gdl.rules import GdlPosition
        from ggtp.search.mcts_compiled import CompiledSearch

        settings = {option.name: option.default for option in MCTS_OPTIONS}
        settings |= {"threads": "1", "memory": str(max(32, int(game.settings["memory"]) // 4))}
        if self._search is None or self._search.game is not compiled:
            self._search = CompiledSearch(compiled, Settings.read(settings), game.rng, compiled.at_once)
        assert isinstance(game.position, GdlPosition)
        if not self._search.begin(compiled.state_of(game.position), None, budget.deadline):
            return None
        if self._best_known(game) is None:
            self._search.between = self._suggesting(self._search, game)
        self._search.run(budget.should_stop, budget.deadline)
        self._search.between = None
        decision = self._search.decision(game.player)
        if not decision.choices:
            return None
        return decision.chosen("visits").move, 100 * (decision.best or 0.0)

    def _suggesting(self, search: CompiledSearch, game: Game) -> Callable[[], None]:
        """Something to call between two steps of a search: now and then it suggests what is best so far."""
        began = time.monotonic()
        due = began + FIRST_SUGGESTION

        def suggest() -> None:
            nonlocal due
            if (now := time.monotonic()) >= due:
                due = now + (now - began)
                decision = search.decision(game.player)
                if any(choice.visits or choice.proven for choice in decision.choices):
                    game.suggest(decision.chosen("visits").move)

        return suggest

    def _share(self, budget: Budget) -> float | None:
        left = budget.remaining()
        return None if left is None else left * WAITING_SHARE

    def _tell(self, game: Game, began: float) -> None:
        solving, plan = self._solving, self._plan
        facts: dict[str, object] = {"seconds": f"{time.monotonic() - began:.2f}"}
        if plan is not None:
            done = len(game.history)
            facts |= {"value": plan[1], "steps": len(plan[2]), "optimal": "yes" if plan[3] else "unknown"}
            facts["line"] = " / ".join(plan[2][done : done + 12])
        if solving is not None:
            facts |= {f"none_of_{goal}_within": steps for goal, steps in sorted(solving.refuted.items())[-1:]}
            facts["searching"] = "no" if solving.ended else "yes"
        self.report(**facts)


if __name__ == "__main__":
    sys.exit(run(Asp()))
