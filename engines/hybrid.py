"""Hybrid: searches for a plan first, and tries actions out where none helps.

It is made for video games, which it knows only by their forward model: which actions there are,
what is seen after them, and the score. It plays other rules in the same spirit: where one player
plays without chance it searches for a plan first, else, and as long as there is none that nothing
betters, by Monte Carlo tree search. Rules in the Game Description Language are searched in machine code.

What plays video games is machine code. It is loaded when such a game is on the table. The first time on a machine it is
compiled, hastily in half a second, and then with more care while the engine plays already; until the first is done, it
answers, and does nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggtp.game import Move, Rules, TurnKind
from ggtp.kit import Budget, Engine, Game, run
from ggtp.kit.rulebook import code_cache
from ggtp.search.mcts.options import OPTIONS as MCTS_OPTIONS
from ggtp.search.mcts.options import Settings
from ggtp.search.mcts.positions.search import PositionSearch
from ggtp.search.puzzle import PERFECT, PuzzleSearch
from ggtp.vgdl.player.options import OPTIONS, read
from ggtp.vgdl.world.rules import NIL, VideoPosition, VideoRules

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.mcts.compiled.search import CompiledSearch
    from ggtp.vgdl.kernel.model import Model, State
    from ggtp.vgdl.player.hybrid import HybridPlayer

RESERVE = 0.004
"""Seconds that are kept back in each tick, where nobody else sees to it that an answer is sent in time."""
FIRST_SUGGESTION = 0.001
"""Seconds after which the best action so far is suggested for the first time; then after twice the time, and so on."""
LOADING_SECONDS = 3.5
"""How long the answer to a rule may wait for what plays it."""
COMPILING_NICE = 15
"""How much the compiler gives way once there is something to play with."""
LOOK_AGAIN = 0.05
"""Seconds between two looks whether it is still worth waiting."""
UNTIMED, UNTIMED_PUZZLE = 0.2, 2.0
"""Seconds for a tick that nobody limits, and for a move of other rules."""
LEAST_SHARE, MOST_SHARE = 0.0015, 0.05
"""Bounds of the processor time for a tick, in seconds."""
SHRINKS, GROWS = 0.7, 1.03
"""What becomes of that time after an answer that was late, and after one that was not."""
SEARCH_SHARE, WAITING_SHARE = 0.6, 0.4
"""How much of a move's time the search for a plan may have, in other rules, and how much may be waited for the compiled
game."""
FIRST_TREE_SUGGESTION = 0.01
"""Seconds after which the best move so far is suggested for the first time, in other rules."""


@dataclass(frozen=True, slots=True)
class Line:
    """A plan in other rules."""

    moves: tuple[Move, ...]
    """From the start of the play, so that it is known where it is followed."""
    value: float
    """What it comes to, from 0 to 100."""
    final: bool
    """Whether nothing is better."""


class Loading:
    """The compiler and what plays video games, loaded in the background, or compiled."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._began: float | None = None
        self.trouble = ""
        """Why it can't be loaded."""

    def begin(self) -> None:
        """Begin, unless that was done."""
        if self._began is None:
            self._began = time.monotonic()
            threading.Thread(target=self._load, name="loading", daemon=True).start()

    def wait(self, budget: Budget) -> bool:
        """Whether it is there, before the budget says stop."""
        while self._began is not None and not self._over.is_set() and not budget.should_stop():
            self._over.wait(LOOK_AGAIN if budget.deadline is None else min(LOOK_AGAIN, budget.remaining() or 0.0))
        return self._over.is_set() and not self.trouble

    @property
    def time_left(self) -> float:
        """How long an answer may still wait for it."""
        return 0.0 if self._began is None else max(0.0, self._began + LOADING_SECONDS - time.monotonic())

    def _load(self) -> None:
        try:
            from ggtp.vgdl.player.hybrid import compile_well, warm_up

            warm_up(code_cache())
        except ImportError as error:
            self.trouble = f"there is no compiler: {error}"
            return
        finally:
            self._over.set()
        with suppress(OSError):  # who plays comes first; a thread has a niceness of its own on Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), COMPILING_NICE)
        compile_well(code_cache())


class Hybrid(Engine):
    """Best-first search, and Monte Carlo tree search where that can't help."""

    name = "Hybrid"
    options = OPTIONS
    compiles = True
    guarded = True

    def __init__(self) -> None:
        self._loading = Loading()
        self._model: Model | None = None
        self._player: HybridPlayer | None = None
        self._tick = -1
        self._share = MOST_SHARE
        """Processor time for a tick: who asks for little is let in again soon, on a machine that many want."""
        self._plan: Line | None = None
        self._puzzle: PuzzleSearch | None = None
        self._tree: PositionSearch | None = None
        self._machine: CompiledSearch | None = None
        self._rules: tuple[Rules, Mapping[str, str]] | None = None

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Whatever can be looked ahead in."""
        if rules.traits.hidden:
            return "Hybrid plays only games without secrets."
        if rules.traits.race:
            return "Hybrid plays no games in which the first to move counts."
        if isinstance(rules, VideoRules):
            self._loading.begin()
            self._loading.wait(Budget(self._loading.time_left))
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Has everything compiled, learns how the game works, and begins to search."""
        position = game.position
        self._plan = self._puzzle = None
        if not isinstance(position, VideoPosition):
            return
        if not self._loading.wait(budget):
            self._player = None
            return
        state = self._begin(position, game)
        if budget.deadline is not None and self._player is not None:
            advances = int(game.settings["Advances"]) or None
            budget.limit(max(0.0, (budget.remaining() or 0.0) - RESERVE))
            self._player.prepare(state, budget.should_stop, advances)

    def choose(self, game: Game, budget: Budget) -> Move:
        """The next action of a plan, nothing while one is looked for, or what the tree search prefers."""
        position = game.position
        if not isinstance(position, VideoPosition) or self._loading.trouble:
            return self._choose_move(game, budget)
        game.suggest(NIL)
        if not self._loading.wait(budget):
            self.report(method="loading", reason="what plays is being compiled; nothing is done until then")
            return NIL
        advances = int(game.settings["Advances"]) or None
        if budget.deadline is not None and not budget.request:
            budget.limit(max(0.001, (budget.remaining() or 0.0) - RESERVE))
        elif budget.deadline is None and advances is None:
            budget.limit(UNTIMED)
        state = self._state(position, game)
        player = self._player
        if player is None:
            return NIL
        action = player.act(state, self._stop(game, budget, player), advances)
        self.pace(late=budget.late() > RESERVE)
        self.report(
            method=player.phase.value,
            advances=player.advances,
            target=player.target.name if player.target.name >= 0 else "none",
            known=player.knowledge.rows_seen,
            reason=player.reason or "none",
        )
        move = action.name.lower()
        return move if move in game.moves() else NIL

    def _stop(self, game: Game, budget: Budget, player: HybridPlayer) -> Callable[[], bool]:
        """When to stop; whoever asks also gets the best action so far noted."""
        began, share, moves = time.thread_time(), self._share, game.moves()
        if not budget.request:  # nobody else answers: who asks for little is let in again soon
            return lambda: budget.should_stop() or (budget.deadline is not None and time.thread_time() - began >= share)
        suggested = {"at": time.monotonic() + FIRST_SUGGESTION, "after": FIRST_SUGGESTION}

        def should_stop() -> bool:
            if time.monotonic() >= suggested["at"] and (best := player.so_far()) is not None:
                suggested["after"] *= 2
                suggested["at"] = time.monotonic() + suggested["after"]
                move = best.name.lower()
                game.suggest(move if move in moves else NIL)
            return budget.should_stop()

        return should_stop

    def pace(self, late: bool) -> None:
        """Asks for less of the processor after an answer that was late, and slowly for more again."""
        self._share = max(LEAST_SHARE, SHRINKS * self._share) if late else min(MOST_SHARE, GROWS * self._share)

    # Video games.

    def _begin(self, position: VideoPosition, game: Game) -> State:
        from ggtp.vgdl.kernel.model import Model
        from ggtp.vgdl.player.hybrid import HybridPlayer

        world = position.world
        if self._model is None or self._model.level is not world.level:
            self._model = Model(world.game, world.level)
        self._player = HybridPlayer(self._model, read(game.settings), game.rng)
        self._tick = world.tick
        return self._model.state_of(world)

    def _state(self, position: VideoPosition, game: Game) -> State:
        """Where the game stands; a game that has gone back, or is another, is a new one."""
        model, tick = self._model, position.world.tick
        same = self._player is not None and model is not None and model.level is position.world.level
        if not same or tick < self._tick or model is None:
            return self._begin(position, game)
        self._tick = tick
        return model.state_of(position.world)

    # Other rules.

    def _choose_move(self, game: Game, budget: Budget) -> Move:
        moves = game.moves()
        if len(moves) == 1:
            if self._followed(game) is None:
                self.report(method="forced")
            return moves[0]
        game.suggest(moves[0])
        if budget.deadline is None:
            budget.limit(UNTIMED_PUZZLE)
        planned = self._planned(game, budget) if self._is_puzzle(game) else None
        plan = self._plan if planned is not None and planned in moves else None
        if planned is not None and plan is not None:
            game.suggest(planned)
            if plan.final or game.settings["Tree"] != "on":
                return planned
        if game.settings["Tree"] != "on":
            return moves[0]
        chosen, value = self._search_tree(game, budget)
        if planned is not None and plan is not None and plan.value >= value:
            self._tell(plan, game)
            return planned
        return chosen if chosen in moves else moves[0]

    def _tell(self, plan: Line, game: Game) -> None:
        self.report(method="plan", value=f"{plan.value:g}", left=len(plan.moves) - len(game.history))

    def _is_puzzle(self, game: Game) -> bool:
        alone = len(game.rules.players(game.rule_options)) == 1 and not game.rules.traits.chance
        return alone and game.settings["Search"] == "on" and game.position.turn().kind is TurnKind.SINGLE

    def _planned(self, game: Game, budget: Budget) -> Move | None:
        """The next move of the best plan that is known here; one that something may better is searched on."""
        plan = self._plan = self._followed(game)
        if plan is None or not plan.final:
            found = self._search_plan(game, Budget(SEARCH_SHARE * (budget.remaining() or 0.0)), budget)
            if found is not None and (plan is None or found.value > plan.value or found.final):
                plan = self._plan = found
        return plan.moves[len(game.history)] if plan is not None and plan.value > 0 else None

    def _followed(self, game: Game) -> Line | None:
        """The plan, unless the play has gone elsewhere."""
        plan, history = self._plan, tuple(move for _, move in game.history)
        if plan is None or plan.moves[: len(history)] != history or len(plan.moves) <= len(history):
            return None
        self._tell(plan, game)
        return plan

    def _search_plan(self, game: Game, share: Budget, budget: Budget) -> Line | None:
        """The best plan from here that a search finds within its share of the time."""
        before = tuple(move for _, move in game.history)

        def should_stop() -> bool:
            return share.should_stop() or budget.should_stop()

        compiled = game.compiled(share)
        if compiled is not None:
            from ggtp.asp.here import plan_here
            from ggtp.gdl.language.parse import parse_term
            from ggtp.gdl.play.rules import GdlPosition, move_text

            assert isinstance(game.position, GdlPosition)
            state, megabytes = compiled.state_of(game.position), max(32, int(game.settings["memory"]) // 2)
            told = plan_here(compiled, state, game.rng, should_stop, megabytes, time.monotonic)
            self.report(method="search", best="none" if told.plan is None else told.plan.goal)
            if told.plan is None:
                return None
            moves = (move_text(parse_term(move)) for move in told.plan.moves)
            return Line((*before, *moves), told.plan.goal, told.final)
        if self._puzzle is None or self._puzzle.root.key() != game.position.key():
            self._puzzle = PuzzleSearch(game.position, game.player, float(game.settings["ScoreWeight"]))
        self._puzzle.run(should_stop)
        best = self._puzzle.best
        self.report(method="search", expanded=self._puzzle.expanded, best="none" if best is None else best[0])
        return None if best is None else Line((*before, *best[1]), best[0], best[0] >= PERFECT or self._puzzle.over)

    def _search_tree(self, game: Game, budget: Budget) -> tuple[Move, float]:
        """What Monte Carlo tree search prefers, and what that is worth, from 0 to 100."""
        values = {**{option.name: option.default for option in MCTS_OPTIONS}, **game.settings}
        settings = Settings.read(values | {"Time": "0", "Exploration": "40", "threads": "1"})
        compiled = game.compiled(Budget(WAITING_SHARE * (budget.remaining() or 0.0)))
        tree: PositionSearch | CompiledSearch | None = None
        if compiled is not None:
            tree = self._compiled_tree(game, compiled, settings, budget)
        if tree is None:
            if self._tree is None or self._rules != (game.rules, game.rule_options):
                self._tree = PositionSearch(game.rules, game.rule_options, settings, game.rng)
                self._rules = (game.rules, game.rule_options)
            tree = self._tree
            tree.begin(game.position)
            if tree.winning(game.player) is None:
                tree.run(self._suggesting(tree, game, budget))
        decision = tree.decision(game.player, 0.0)
        self.report(method="tree", playouts=tree.playouts)
        if not decision.choices:
            return game.moves()[0], 0.0
        return decision.chosen("visits").move, 100 * (decision.best or 0.0)

    def _compiled_tree(
        self, game: Game, compiled: CompiledGame, settings: Settings, budget: Budget
    ) -> CompiledSearch | None:
        """The search of a compiled game; None where it can't begin here."""
        from ggtp.gdl.play.rules import GdlPosition
        from ggtp.search.mcts.compiled.search import CompiledSearch

        if self._machine is None or self._machine.game is not compiled:
            self._machine = CompiledSearch(compiled, settings, game.rng, compiled.at_once)
        search = self._machine
        assert isinstance(game.position, GdlPosition)
        if not search.begin(compiled.state_of(game.position), None, budget.deadline):
            return None
        search.between = self._suggesting(search, game, budget)
        search.run(budget.should_stop, budget.deadline)
        search.between = None
        return search

    def _suggesting(self, search: PositionSearch | CompiledSearch, game: Game, budget: Budget) -> Callable[[], bool]:
        """When to stop; whoever asks also gets the best move so far noted, unless there is a plan."""
        began = time.monotonic()
        due = began + FIRST_TREE_SUGGESTION

        def should_stop() -> bool:
            nonlocal due
            if (now := time.monotonic()) >= due:
                due = now + (now - began)
                decision = search.decision(game.player)
                if self._plan is None and any(choice.visits or choice.proven for choice in decision.choices):
                    game.suggest(decision.chosen("visits").move)
            return budget.should_stop()

        return should_stop


if __name__ == "__main__":
    sys.exit(run(Hybrid()))
