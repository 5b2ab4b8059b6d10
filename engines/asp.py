"""ASP: solves one-player games by answer set programming, and plays the plan.

It searches in processes of their own, from the start clock on and while it plays, until there is a plan that nothing
betters. As long as there is none, Monte Carlo tree search chooses, and the search goes on from where that leads.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ggtp.game import Move, Option, Rules, duration
from ggtp.kit import Budget, Engine, Game, run
from ggtp.kit.solving import METHODS, Search, begin_search
from ggtp.search.mcts.options import OPTIONS as MCTS_OPTIONS
from ggtp.search.mcts.options import Settings

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.mcts.compiled.search import CompiledSearch

LOOK = 0.02
"""Seconds between two looks whether the move is still wanted."""
FIRST_SUGGESTION = 0.01
"""Seconds after which the best move so far is suggested for the first time; then after twice the time, and so on."""
LEAST = 1.0
"""Seconds without which no search takes the place of one whose processes have all given up."""
WAITING_SHARE = 0.5
"""How much of a move's time is left to the solver before Monte Carlo tree search begins to look for a move."""


class Asp(Engine):
    """Answer set programming for games of one player."""

    name = "ASP"
    compiles = True
    guarded = True
    options = (
        duration("Time", 5000, 0, 1 << 31, "milliseconds to think at most; 0 for as long as the referee allows"),
        Option(
            "Method",
            "all",
            "among the states themselves, step by step, all steps at once, the latter two, or all side by side",
            choices=tuple(METHODS),
        ),
    )

    def __init__(self) -> None:
        self._search: Search | None = None
        self._reached: list[Move] = []
        """The play as far as it has come from where the search began without any choice."""
        self._tree: CompiledSearch | None = None
        self._plan: tuple[int, tuple[Move, ...], bool] | None = None
        """A plan: its goal, the moves from the beginning of the play, and whether nothing is better."""

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """One player, and rules that are a text in the Game Description Language."""
        from ggtp.gdl.play.rules import GdlRules

        if not isinstance(rules, GdlRules):
            return "ASP plays only rules in the Game Description Language."
        if len(rules.game.roles) != 1:
            return "ASP plays only games of one player."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Begin to search, and wait for a plan as long as the start clock runs."""
        self._stop()
        self._plan = None
        self._begin(game)
        self._await_plan(game, budget)

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
            share = self._share(budget)
            self._follow(game, share)
            self._await_plan(game, Budget(share), budget)
            planned = self._planned(game)
            self._suggest_plan(game)
        if planned is None and len(moves) > 1:
            planned = self._explore(game, budget)
        self._tell(game, began)
        chosen = planned if planned is not None and planned in moves else game.rng.choice(moves)
        if len(moves) == 1 and self._reached == _made(game):
            self._reached.append(chosen)  # whoever searches from before this move finds what comes after it
        return chosen

    # The solver.

    def _begin(self, game: Game) -> None:
        self._stop()
        cores, megabytes = max(1, int(game.settings["threads"])), int(game.settings["memory"])
        self._search = begin_search(game, METHODS[game.settings["Method"]], megabytes, cores)
        self._reached = _made(game)

    def _follow(self, game: Game, seconds: float | None) -> None:
        """Searches from where the play stands, with the processes that there are, or where those are gone with others.

        Whoever has given up would most likely do so again, so that takes more time.
        """
        search = self._search
        if search is not None and self._reached == _made(game):
            return
        if search is not None and search.move_on(game):
            self._reached = _made(game)
        elif search is None or seconds is None or seconds >= LEAST:
            self._begin(game)

    def _stop(self) -> None:
        if self._search is not None:
            self._search.solving.stop()
            self._search = None

    def _await_plan(self, game: Game, *budgets: Budget) -> None:
        search = self._search
        while search is not None and not any(budget.should_stop() for budget in budgets):
            search.look(game)
            left = [left for budget in budgets if (left := budget.remaining()) is not None]
            if search.solving.ended or not left:
                break  # nobody would ever end the waiting
            search.solving.wait(min(LOOK, *left))

    def _planned(self, game: Game) -> Move | None:
        """What the best plan says here; a plan of the solver's takes the place of one that it betters."""
        search, history = self._search, _made(game)
        if search is not None:
            search.look(game)
        best = None if search is None else search.solving.best
        if search is not None and best is not None and list(search.path) == history[: len(search.path)]:
            from ggtp.gdl.language.parse import parse_term
            from ggtp.gdl.play.rules import move_text

            known = self._plan
            if known is None or best.goal > known[0] or not self._follows(history):
                moves = (*search.path, *(move_text(parse_term(move)) for move in best.moves))
                self._plan = best.goal, moves, search.solving.optimal
        if self._plan is not None and not self._plan[2] and search is not None and not search.solving.ended:
            return None  # something better may be found
        return self._best_known(game)

    def _best_known(self, game: Game) -> Move | None:
        """What the best plan so far says here, whether or not something better may be found."""
        history = _made(game)
        if self._plan is None or not self._follows(history) or len(history) >= len(self._plan[1]):
            return None
        return self._plan[1][len(history)]

    def _suggest_plan(self, game: Game) -> None:
        move = self._best_known(game)
        if move is not None:
            game.suggest(move)

    def _follows(self, history: list[Move]) -> bool:
        return self._plan is not None and list(self._plan[1][: len(history)]) == history

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
        return fallback if plan is not None and fallback is not None and plan[0] >= goal else move

    def _decision(self, game: Game, compiled: CompiledGame, budget: Budget) -> tuple[Move, float] | None:
        from ggtp.gdl.play.rules import GdlPosition
        from ggtp.search.mcts.compiled.search import CompiledSearch

        settings = {option.name: option.default for option in MCTS_OPTIONS}
        settings |= {"threads": "1", "memory": str(max(32, int(game.settings["memory"]) // 4))}
        if self._tree is None or self._tree.game is not compiled:
            self._tree = CompiledSearch(compiled, Settings.read(settings), game.rng, compiled.at_once)
        assert isinstance(game.position, GdlPosition)
        if not self._tree.begin(compiled.state_of(game.position), None, budget.deadline):
            return None
        if self._best_known(game) is None:
            self._tree.between = self._suggesting(self._tree, game)
        self._tree.run(budget.should_stop, budget.deadline)
        self._tree.between = None
        decision = self._tree.decision(game.player)
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
        search, plan = self._search, self._plan
        facts: dict[str, object] = {"seconds": f"{time.monotonic() - began:.2f}"}
        if plan is not None:
            done = len(game.history)
            facts |= {"value": plan[0], "steps": len(plan[1]), "optimal": "yes" if plan[2] else "unknown"}
            facts["line"] = " / ".join(plan[1][done : done + 12])
        if search is not None:
            refuted = sorted(search.solving.refuted.items())
            facts |= {f"none_of_{goal}_within": steps for goal, steps in refuted[-1:]}
            facts["searching"] = "no" if search.solving.ended else "yes"
        self.report(**facts)


def _made(game: Game) -> list[Move]:
    """The moves of the play so far."""
    return [move for _, move in game.history]


if __name__ == "__main__":
    sys.exit(run(Asp()))
