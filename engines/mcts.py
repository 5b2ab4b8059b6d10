"""MCTS: learns from random games which moves are worth looking at, and looks at those.

For every game without secrets: one player or many, moves at the same time, chance. Rules in the Game Description
Language are searched in machine code, by several threads if there are several; others position by position. Other
processes, and the workers of a cluster, can search trees of their own: then the decision levels are merged.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ggtp.game import Move, Position, Rules
from ggtp.kit import Budget, Engine, Game, run
from ggtp.kit.watch import polled
from ggtp.search.evaluation.evaluator import PLAYOUTS, CheckedLeaves, Evaluator, until_compiled
from ggtp.search.features.options import OPTIONS as FEATURE_OPTIONS
from ggtp.search.features.options import FeatureSettings
from ggtp.search.features.options import options as feature_options
from ggtp.search.features.tutor import Tutor
from ggtp.search.mcts.compiled.maker import SearchMaker
from ggtp.search.mcts.options import NO_CLUSTER, OPTIONS, Settings
from ggtp.search.mcts.positions.search import PositionSearch
from ggtp.search.mcts.report import Decision, as_map, from_map, merge
from ggtp.search.watch import Watch

if TYPE_CHECKING:
    from ggtp.kit.helpers.team import Team
    from ggtp.search.mcts.compiled.search import CompiledSearch

WAITING_SHARE = 0.4
"""How much of a move's time may be spent waiting for the compiled game, which plays hundreds of times faster."""
LEARNING_SHARE = 0.25
"""How much of a move's time may be spent waiting for features, which are learned meanwhile; or in which an evaluator
learns."""
TEAM_SHARE, TEAM_LEAST = 0.1, 0.03
"""How much sooner than ourselves helpers are to be done: what they found has a way to go."""
MERGING = 0.01
"""Seconds in which what has come is merged."""
RESERVED, FORGETTING = 0.6, 0.95
"""How much of a move's time may be kept back on a machine that lets us wait, and how slowly that is forgotten."""
FIRST_SUGGESTION = 0.004
"""Seconds after which the best move so far is suggested for the first time; then after twice the time, and so on."""
LEARNS_FIRST = 0.2
"""Seconds of a move below which it is searched before anything is learned: what is learned serves the moves to come,
and on a busy machine somebody else may have to answer with what was suggested by then."""
DEEPENED_FROM = 0.03
"""Seconds of a move below which minimax does not look ahead first: it would see too little. At 50 ms a move, it got
10 points of 60 games of small Reversi against a tree that has learned nothing, and one that learns got 19.5 of 30."""
POLLED_FROM = 0.25
"""Seconds of a move from which it is asked meanwhile whether the move is still wanted."""
JOINING = 2.0
"""Seconds that a play's beginning may wait for a cluster, whatever the start clock says; a move never does."""


class Patient(Budget):
    """Time without end, until somebody says stop."""

    __slots__ = ("_stop",)

    def __init__(self, stop: Callable[[], bool]) -> None:
        super().__init__(None)
        self._stop = stop

    def should_stop(self) -> bool:
        return self._stop()


def made_with(settings: Settings) -> tuple[object, ...]:
    """What of the settings a search is made with, and can't change from move to move."""
    learning = settings.learning and settings.heuristic > 0
    return learning, settings.threads > 1, settings.minimax > 0, settings.foresight, settings.evaluation


class Mcts(Engine):
    """Monte Carlo tree search."""

    name = "MCTS"
    compiles = True
    guarded = True
    options = (*OPTIONS, *FEATURE_OPTIONS)

    def __init__(self) -> None:
        self._positions: PositionSearch | None = None
        self._leaves: dict[Evaluator, CheckedLeaves[Sequence[Position]] | None] = {}
        """What gives the values of the game's positions, by evaluator; None where playouts do."""
        self._maker: SearchMaker | None = None
        self._tutor: Tutor | None = None
        """Learns features, where they are wanted."""
        self._rules: tuple[Rules, Mapping[str, str]] | None = None
        self._asked: tuple[PositionSearch | CompiledSearch, str, float, str] | None = None
        """While it thinks: what searches, for whom, since when, and how it will choose."""
        self._made_with: tuple[object, ...] = ()
        """What of the settings the search was made with."""
        self._decision: Decision | None = None
        self._ignored = ""
        """What was set, and the search of the last move did not follow, and why."""
        self._teams: dict[str, Team] = {}
        """By what they are: a number of processes, or an address."""
        self._missing: dict[str, str] = {}
        """Those that could not be had, and why, until another play begins."""
        self._failures: list[str] = []
        """What was wrong with answers about the last move."""
        self._watch = Watch()
        self._delay = 0.0
        """Seconds by which searches were over later than they should, on a busy machine."""

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Nothing hidden, and no races."""
        if rules.traits.hidden:
            return "MCTS plays only games without secrets."
        if rules.traits.race:
            return "MCTS plays no games in which the first to move counts."
        return None

    def settle(self, game: Game, budget: Budget) -> None:
        """Load the code for searching the game."""
        self._have_maker(game, self._settings(game)).wait_for_best(budget.remaining())

    def new_game(self, game: Game, budget: Budget) -> None:
        """Prepare machine code on the start clock, and begin with an empty tree.

        Plays of a match are to be independent of each other; and whoever was misled by its tree would be so again.
        """
        settings = self._settings(game)
        maker = self._have_maker(game, settings)
        if len(game.rules.players(game.rule_options)) > 1:  # who plays alone may know by now how to win
            self._forget_play(maker)
        self._find_teams(settings, anew=True)
        for team in self._teams.values():
            team.wait(max(JOINING, budget.remaining() or 0.0))
        # To read and compile a rule may take them longer than the first move.
        self._ask(game, settings, 0.0)
        self._teach(game, settings, budget)
        maker.wait_for_best(budget.remaining())
        if self._tutor is not None and budget.deadline is not None:
            self._tutor.wait(budget.remaining())
        self._study(maker, game, settings, budget)
        for team in self._teams.values():
            team.answers(budget.deadline)

    def _settings(self, game: Game) -> Settings:
        """The settings, of which all processes on this machine have their share of memory."""
        settings = Settings.read(game.settings)
        return replace(settings, megabytes=max(1, settings.megabytes // settings.processes))

    def _have_maker(self, game: Game, settings: Settings) -> SearchMaker:
        """What makes the search of this game, with such settings."""
        if (self._rules, self._made_with) != ((game.rules, game.rule_options), made_with(settings)):
            self._rules, self._made_with = (game.rules, game.rule_options), made_with(settings)
            if self._maker is not None:
                self._maker.stop()
            self._positions = self._maker = None
            self._leaves = {}
            self._end_lessons()
        if self._maker is None:
            self._maker = SearchMaker(lambda stop: game.compiled(Patient(stop)), settings, game.rng)
        return self._maker

    def _forget_play(self, maker: SearchMaker) -> None:
        """Forget the trees of the play before, but not what an evaluator has learned of the game."""
        compiled = maker.search(0)
        if compiled is not None:
            compiled.forget()
        self._positions = None

    def _new_positions(self, game: Game, settings: Settings) -> PositionSearch:
        """A search over positions that knows nothing but what an evaluator has learned."""
        leaves = self._leaves.get(settings.evaluation)
        search = PositionSearch(game.rules, game.rule_options, settings, game.rng, leaves)
        self._leaves[settings.evaluation] = search.leaves
        return search

    def _study(self, maker: SearchMaker, game: Game, settings: Settings, budget: Budget) -> None:
        """Let an evaluator learn on the start clock, where there is one."""
        asked = until_compiled(settings.evaluation, game.rules, PLAYOUTS)
        if settings.evaluation.fused or not budget.remaining():
            return
        compiled = maker.search(0)
        if compiled is not None:
            compiled.study_leaves(budget.should_stop, budget.deadline)
        elif not asked.fused:
            self._positions = self._positions or self._new_positions(game, settings)
            self._positions.study(budget.should_stop, None)

    def choose(self, game: Game, budget: Budget) -> Move:
        """The best move that is known when time is over, or certain before."""
        began = time.monotonic()
        self._decision = None
        settings = self._settings(game)
        if settings.seconds is not None:
            budget.limit(settings.seconds)
        moves = game.moves()
        if len(moves) == 1:
            self.report(move=moves[0])
            return moves[0]
        teams = self._ask_teams(game, settings, budget)
        try:
            decision = self._search(game, settings, budget, began)
            if teams and not decision.solved:
                decision = self._merged(decision, teams, budget, settings.final)
        finally:
            for team in teams:
                team.withdraw()
        self._decision = decision
        more = {"trouble": trouble} if (trouble := self._trouble()) else {}
        if self._ignored:
            more["ignored"] = self._ignored
        legal = [choice for choice in decision.choices if choice.move in moves]
        if not any(choice.visits or choice.proven for choice in legal) and decision.planned is None:
            move = game.rng.choice(moves)  # there was no time for anything
            self.report(move=move, playouts=decision.playouts, **more)
            return move
        if self._tutor is not None:
            more["features"] = self._tutor.state
        self.report(**decision.report(settings.final), **more)
        chosen = decision.chosen(settings.final).move
        return chosen if chosen in moves else legal[0].move

    def _search(self, game: Game, settings: Settings, budget: Budget, began: float) -> Decision:
        """What is found out here."""
        self._learn(game, budget)
        left = budget.remaining()
        compiled = None
        if self._maker is not None and settings.evaluation.in_code:
            if left is None and settings.playouts is not None:
                self._maker.wait_for_kernel(budget.should_stop)
            compiled = self._maker.search(None if left is None else left * WAITING_SHARE, budget.should_stop)
        decision = self._search_compiled(compiled, game, settings, budget, began) if compiled is not None else None
        if decision is not None:
            names = " and ".join(settings.ignored)
            self._ignored = f"{names}: compiled games are searched without" if names else ""
            return decision
        asked = until_compiled(settings.evaluation, game.rules, PLAYOUTS)
        waits = asked != settings.evaluation
        self._ignored = f"{settings.evaluation.name}: the game is not compiled yet" if waits else ""
        return self._search_positions(game, replace(settings, evaluation=asked), budget, began)

    def close(self) -> None:
        """Send helpers home."""
        for team in self._teams.values():
            team.close()
        self._teams = {}

    # Features.

    def _teach(self, game: Game, settings: Settings, budget: Budget) -> None:
        """Begin to learn features, where that is wanted."""
        wanted = FeatureSettings.read(game.settings)
        if self._tutor is not None and self._tutor.wanted != wanted:
            self._end_lessons()
        if wanted.on and self._tutor is None:
            # Without a start clock it learns during the first moves.
            seconds = budget.remaining() or None
            self._tutor = Tutor(lambda stop: game.compiled(Patient(stop)), wanted, settings, game.rng, seconds)

    def _learn(self, game: Game, budget: Budget) -> None:
        """Leave the tutor a part of a move's time until it is done, and follow what it teaches."""
        if self._tutor is None or self._maker is None:
            return
        left = budget.remaining()
        self._tutor.wait(0.0 if left is None else left * LEARNING_SHARE, budget.should_stop)
        compiled = game.compiled()
        kernel = self._tutor.kernel(compiled.roles.index(game.player)) if compiled is not None else None
        if kernel is not None:
            self._maker.prefer(kernel)

    def _end_lessons(self) -> None:
        if self._tutor is not None:
            self._tutor.stop()
            self._tutor = None
            if self._maker is not None:
                self._maker.prefer(None)

    # What it says, also while it thinks.

    def under_way(self) -> Mapping[str, object]:
        """What the search has found so far."""
        asked = self._asked
        if asked is None:
            return {}
        search, player, began, final = asked
        return search.decision(player, time.monotonic() - began).report(final)

    def findings(self) -> dict[str, Any]:
        """The decision level, for whoever merges it with its own."""
        return as_map(self._decision) if self._decision is not None else {}

    # Helpers.

    def _find_teams(self, settings: Settings, *, anew: bool = False) -> None:
        """Have the helpers that the settings speak of, and no others, without waiting for anybody.

        Args:
            settings: what is wanted.
            anew: a play begins, so that those who could not help are tried again.
        """
        wanted = {str(settings.processes)} if settings.processes > 1 else set()
        wanted |= {settings.cluster} if settings.cluster else set()
        wanted = set() if self.helps else wanted
        self._missing = {name: why for name, why in self._missing.items() if name in wanted and not anew}
        useless = [name for name, team in self._teams.items() if name not in wanted or (anew and team.lost)]
        new = (wanted - self._teams.keys() - self._missing.keys()) | (wanted & set(useless))
        if not (useless or new):
            return
        from ggtp.kit.helpers.cluster import Cluster
        from ggtp.kit.helpers.team import Processes, TeamError, dismiss

        for name in useless:
            dismiss(self._teams.pop(name))
        program = sys.modules[type(self).__module__].__spec__
        module = program.name if program is not None else type(self).__module__
        for name in new:
            try:
                apart = name == settings.cluster
                self._teams[name] = Cluster(module, name) if apart else Processes(module, settings.processes - 1)
            except TeamError as error:
                self._missing[name] = str(error)

    def _ask_teams(self, game: Game, settings: Settings, budget: Budget) -> list[Team]:
        self._failures = []
        self._find_teams(settings)
        left = budget.remaining()
        # Where only playouts limit the search, helpers have as many.
        seconds = None if left is None else max(0.001, left - max(TEAM_LEAST, TEAM_SHARE * left))
        return self._ask(game, settings, seconds)

    def _ask(self, game: Game, settings: Settings, seconds: float | None) -> list[Team]:
        """Let all helpers think for so long."""
        if not self._teams:
            return []
        from ggtp.kit.helpers.team import request_for

        for name, team in self._teams.items():
            # Who is on another machine need not share its memory with us.
            apart = {"Processes": "1"} if name == settings.cluster else {}
            team.ask(request_for(game, seconds, {"Cluster": NO_CLUSTER, "Time": "0", **apart}))
        return list(self._teams.values())

    def _merged(self, decision: Decision, teams: list[Team], budget: Budget, final: str) -> Decision:
        found = [decision]
        deadline = None if budget.deadline is None else budget.deadline - MERGING
        for team in teams:
            for told in team.answers(deadline, lambda: budget.withdrawn):
                try:
                    if "failed" in told:
                        raise ValueError(told["failed"])
                    if told:  # who finds a single move says nothing
                        found.append(from_map(told))
                except ValueError as error:
                    self._failures.append(f"A helper has failed: {error}")
            if team.waiting:
                self._failures.append(f"Not answered in time: {team.waiting}.")
        return merge(found, final)

    def _trouble(self) -> str:
        """What is wrong with helpers; empty where all is well."""
        found = [*self._missing.values(), *(team.trouble for team in self._teams.values()), *self._failures]
        return " ".join(dict.fromkeys(text for text in found if text)).replace(",", "")

    # How it searches.

    def _search_compiled(
        self, search: CompiledSearch, game: Game, settings: Settings, budget: Budget, began: float
    ) -> Decision | None:
        from ggtp.gdl.play.rules import GdlPosition

        position = game.position
        assert isinstance(position, GdlPosition)
        learning = search.to_learn(budget.deadline)
        left = budget.remaining()
        later = left is not None and left < LEARNS_FIRST
        # What is known from other plays is used at once.
        search.learn(budget.deadline, 0.0 if later else learning)
        search.study_leaves(budget.should_stop, budget.deadline, self._time_to_study(budget))
        if not search.begin(search.game.state_of(position), settings, budget.deadline):
            return None
        winning = search.winning(game.player)
        if winning is None:
            self._asked = search, game.player, began, settings.final
            end = self._end(budget)
            if later and end is not None:
                end -= min(learning, end - time.monotonic())
            search.between = self._suggesting(search, game, settings, began)
            try:
                self._deepen(search, game, settings.minimax, budget, end)
                search.run(budget.should_stop, end)
            finally:
                self._asked = None
            self._notice_delay(end)
        decision = search.decision(game.player, time.monotonic() - began).with_winning(winning)
        if winning is not None:
            game.suggest(winning)
        elif later and learning and decision.choices:
            game.suggest(decision.chosen(settings.final).move)
            search.learn(budget.deadline, learning)
        return decision

    def _deepen(self, search: CompiledSearch, game: Game, share: float, budget: Budget, end: float | None) -> None:
        """Let minimax look ahead for a part of the time."""
        left = 0.0 if end is None else end - time.monotonic()
        if left < DEEPENED_FROM or share <= 0:
            return
        # Machine code looks at the clock itself; somebody else has to see whether the move is still wanted.
        with polled(budget.should_stop, search.stop_deepening) if left >= POLLED_FROM else nullcontext():
            search.deepen(game.player, share * left, game.suggest)

    def _search_positions(self, game: Game, settings: Settings, budget: Budget, began: float) -> Decision:
        """A search in a thread of its own: one step of slow rules may last longer than there is time."""
        end = self._end(budget)
        search = self._positions
        if search is None or not self._watch.over(end):
            # A thread that is still in the middle of something has its tree for itself.
            search = self._positions = self._new_positions(game, settings)

        suggest = self._suggesting(search, game, settings, began)
        search.begin(game.position, settings)
        if search.known:
            # The thread may begin late on a busy machine, when somebody else has to answer for us.
            game.suggest(search.decision(game.player).chosen(settings.final).move)

        def over() -> bool:
            return budget.should_stop() or (end is not None and time.monotonic() >= end)

        def chosen() -> Move:
            return search.decision(game.player).chosen(settings.final).move

        def think() -> None:
            search.study(over, self._time_to_study(budget))
            if search.winning(game.player) is None:
                left = None if end is None else end - time.monotonic()
                search.look_ahead(game.player, left, over, lambda: game.suggest(chosen()))
                search.run(lambda: suggest() or over())

        self._asked = search, game.player, began, settings.final
        try:
            self._watch.run(think, end, budget.should_stop)
        finally:
            self._asked = None
        self._notice_delay(end)
        return search.decision(game.player, time.monotonic() - began)

    def _time_to_study(self, budget: Budget) -> float | None:
        """How many seconds of a move an evaluator may learn; None where nobody limits its time."""
        left = budget.remaining()
        return None if left is None else LEARNING_SHARE * left

    def _suggesting(
        self, search: PositionSearch | CompiledSearch, game: Game, settings: Settings, began: float
    ) -> Callable[[], bool]:
        """Something to call between two steps of a search: now and then it suggests what is best so far."""
        due = began + FIRST_SUGGESTION

        def suggest() -> bool:
            nonlocal due
            if (now := time.monotonic()) >= due:
                due = now + (now - began)
                decision = search.decision(game.player)
                if any(choice.visits or choice.proven for choice in decision.choices):
                    game.suggest(decision.chosen(settings.final).move)
            return False

        return suggest

    def _end(self, budget: Budget) -> float | None:
        """When our own search must be over: sooner on a machine that has let us wait of late."""
        if budget.deadline is None:
            return None
        delay = 0.0 if budget.request else self._delay
        reserve = delay + (2 * MERGING if self._teams else 0.0)
        left = max(0.0, budget.deadline - time.monotonic())
        return budget.deadline - min(reserve, RESERVED * left)

    def _notice_delay(self, end: float | None) -> None:
        """How long after its end a search is really over is known when it has happened."""
        if end is not None and (late := time.monotonic() - end) > 0:
            self._delay = max(late, FORGETTING * self._delay)


class Gifl(Mcts):
    """The same with features on; see `ggtp.search.features.learn`. Where there are none, it plays as MCTS does."""

    name = "GIFL"
    options = (*OPTIONS, *feature_options(on=True))


if __name__ == "__main__":
    # One program for both: they differ in what holds where nobody says anything.
    if sys.argv[1:2] == ["gifl"]:
        sys.exit(run(Gifl(), sys.argv[2:]))
    sys.exit(run(Mcts()))
