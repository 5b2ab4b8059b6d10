"""Minimax: looks ahead, a level deeper each time, as far as time allows; after the general game player Player2.

For every game without secrets and races: alone, against one or many, with chance and with moves at the same time.
Rules in the Game Description Language are searched in machine code as soon as they are compiled.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ggtp.game import Move, Option, Player, Position, Rules, TurnKind, duration, number, switch
from ggtp.kit import Budget, Engine, Game, Watched, run
from ggtp.kit.following.play import Play
from ggtp.kit.watch import polled
from ggtp.search.evaluation.evaluator import (
    HEURISTICS,
    CheckedLeaves,
    Evaluator,
    EvaluatorFailed,
    PositionGame,
    position_leaves,
    until_compiled,
)
from ggtp.search.evaluation.evaluators import evaluation_options, evaluator_of
from ggtp.search.minimax.plan import Finding, Plan, View
from ggtp.search.minimax.root import PositionMinimax
from ggtp.search.minimax.walk import partial_goals

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.minimax.compiled import CompiledMinimax, SearchCode

DEEPEST = 64
LEAST_START = 0.02
"""Seconds of the start clock below which looking ahead is not begun."""
POLLED_FROM = 0.25
"""Seconds below which nobody looks whether a move is still wanted: that would be one more to be woken in time."""
LEARNING_FIRST, LEARNING_LATER, LEARNING_MOST = 0.5, 0.25, 0.5
"""What share of the time is spent on learning until there is a first lesson, and then until it is enough; and how many
seconds at most."""
WAITING_SHARE, WAITING_MOST = 0.4, 2.0
"""What share of a move's time, and how many seconds of all moves together, may be spent waiting for machine code."""
TO_COMPILE = 0.7
"""The share of the start clock that may be spent waiting for a game to be compiled, before looking ahead without."""
RANDOM = "random"
"""The role of chance in the Game Description Language."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker is asked."""

    history: list[tuple[Player, Move]]
    player: Player
    moves: list[Move]
    """What may be chosen; empty where nothing is to be chosen yet."""
    plan: Plan
    ceiling: int
    state: bytes = b""
    """Where the play stands, for a game that is compiled."""
    until: float | None = None
    """When, on the clock `time.monotonic`, the search of such a game must be over."""
    game: int = 0
    """Which game it is: nothing is known in one that was found out in another, so that each can be played again."""


Told: TypeAlias = Finding | EvaluatorFailed
"""What a worker tells."""


def learning_time(request: Request, share: float) -> float | None:
    """How many seconds of a move are for learning; None where nobody limits its time."""
    return None if request.until is None else min(LEARNING_MOST, share * max(0.0, request.until - time.monotonic()))


class Table:
    """A play as the worker follows it, and all that was found out about it."""

    def __init__(self, rules: Rules, values: Mapping[str, str], *, fast: bool) -> None:
        self._game = PositionGame(rules, values)
        self._leaves: dict[Evaluator, CheckedLeaves[Sequence[Position]] | None] = {}
        """For all plays of the game, by the evaluator that gives their values."""
        self._play = Play(rules, values, random.Random(0), lambda text: None)
        self._players = rules.players(values)
        self._first = rules.begin(values)
        self._fast = fast
        self._goals = partial_goals if is_gdl(rules) else None
        self._minimax: PositionMinimax | None = None
        self._for: tuple[int, Player, Plan, int] | None = None

    def work(self, request: Request, should_stop: Callable[[], bool], publish: Callable[[Told], None]) -> None:
        """Search, and tell what is best whenever that changes, or that the evaluator has failed."""
        try:
            self._search(request, should_stop, publish)
        except EvaluatorFailed as error:
            publish(error)

    def _search(self, request: Request, should_stop: Callable[[], bool], publish: Callable[[Told], None]) -> None:
        self._play.restart()
        for actor, text in request.history:
            self._play.made(actor, text)
        position = self._play.position()
        assert position is not None, "nothing is hidden"
        wanted = (request.game, request.player, request.plan, request.ceiling)
        if self._minimax is None or self._for != wanted:
            self._for = wanted
            self._minimax = self._new_minimax(request)
        self._minimax.learn(should_stop, learning_time(request, LEARNING_LATER))
        publish(self._minimax.search(position, request.moves, should_stop, publish))

    def _new_minimax(self, request: Request) -> PositionMinimax:
        plan = request.plan
        if plan.evaluation not in self._leaves:
            self._leaves[plan.evaluation] = position_leaves(plan.evaluation, self._game)
        return PositionMinimax(
            self._first,
            self._players,
            request.player,
            plan,
            request.ceiling,
            self._goals,
            leaves=self._leaves[plan.evaluation],
            fast=self._fast,
        )


class CompiledTable:
    """A compiled game, and all that was found out about the play."""

    def __init__(self, code: SearchCode, alone: threading.Lock) -> None:
        """A table that works with the code while it holds the lock: a worker that was given up may be late."""
        self._code = code
        self._alone = alone
        self._players = [role for role in code.game.roles if role != RANDOM]
        self._minimax: CompiledMinimax | None = None
        self._for: tuple[Player, Plan, int] | None = None

    def work(self, request: Request, should_stop: Callable[[], bool], publish: Callable[[Told], None]) -> None:
        """Search, and tell what is best whenever that changes."""
        from ggtp.search.minimax.compiled import CompiledMinimax

        wanted = (request.player, request.plan, request.ceiling)
        if self._minimax is None or self._for != wanted:
            self._for = wanted
            self._minimax = CompiledMinimax(
                self._code, self._players.index(request.player), request.plan, request.ceiling
            )  # fmt: skip
        minimax = self._minimax
        with self._alone:
            left = None if request.until is None else request.until - time.monotonic()
            share = LEARNING_FIRST if self._code.lessons.lesson is None else LEARNING_LATER
            minimax.learn(should_stop, learning_time(request, share))
            minimax.seconds = None if request.until is None else max(0.0, request.until - time.monotonic())
            # Machine code looks at the clock itself; somebody else has to see whether the move is still wanted.
            short = left is not None and left < POLLED_FROM
            with nullcontext() if short else polled(should_stop, minimax.stop):
                publish(minimax.search(request.state, request.moves, should_stop, publish))


class Preparation:
    """The machine code for a game, made in the background: until it is there, the game is searched without."""

    def __init__(self, game: CompiledGame, seed: int) -> None:
        self.game = game
        self._seed = seed
        self.code: SearchCode | None = None
        self.alone = threading.Lock()
        self._thread = threading.Thread(target=self._make, name="compiler", daemon=True)
        self._thread.start()

    def _make(self) -> None:
        from ggtp.search.minimax.compiled import SearchCode

        self.code = SearchCode(self.game, self._seed)

    def wait(self, seconds: float | None) -> None:
        """Wait until it is there."""
        self._thread.join(seconds)


def is_gdl(rules: Rules) -> bool:
    """Whether the rules are a text in the Game Description Language."""
    if rules.text is None:
        return False
    from ggtp.gdl.play.rules import GdlRules  # most rules are not, and an engine should be up fast

    return isinstance(rules, GdlRules)


class Minimax(Engine):
    """Sees all that can happen within so many moves, and prefers to win soon and to lose late."""

    name = "Minimax"
    options = (
        number("Depth", 0, 0, DEEPEST, "how many moves ahead to look; 0 for as many as time allows"),
        duration("Time", 2000, 0, 1 << 31, "milliseconds to think at most; 0 for as long as the referee allows"),
        switch("Deepening", True, "search level after level, instead of the deepest one at once"),
        switch("Pruning", True, "alpha-beta, where it is sound: leave out what can't change the choice"),
        switch("Ordering", True, "search what looks best, or was best, first"),
        number("Extension", 2, 0, 16, "how many levels deeper the move is searched that looks best; 0 for none"),
        switch("Cache", True, "remember positions, up to the option memory"),
        switch("Mobility", True, "evaluate positions by how much everybody can do"),
        switch("Novelty", True, "evaluate positions by how far the game has come"),
        switch("Proximity", True, "evaluate positions by the goals of rules that give some before the end"),
        switch("Learning", True, "evaluate positions by what playouts of compiled rules have taught"),
        *evaluation_options(HEURISTICS),
        switch("RiskTaking", True, "whether a good heuristic value may be preferred to a known value"),
        number("Risk", 30, 0, 100, "how many points better the heuristic value must be"),
        Option("Opponents", "selfish", "what many, or two without opposed goals, want", ("selfish", "paranoid")),
        switch("Ahead", True, "use the start clock to look ahead"),
        switch("Watcher", True, "answer in time whatever a rule does, by searching in another process"),
        switch("Compiled", True, "search rules in the Game Description Language in machine code"),
    )
    compiles = True
    guarded = True
    fast: bool = True
    """Whether the fast path of rules that have one is used."""

    def __init__(self) -> None:
        self._watched: Watched | None = None
        self._watched_for: tuple[Rules, Mapping[str, str]] | None = None
        """What its worker plays."""
        self._games = 0
        self._table: Table | CompiledTable | None = None
        self._preparation: Preparation | None = None
        self._in_code = False
        """Whether the table is that of the compiled game."""
        self._ignored = ""
        """The evaluator that was set, if the last search could not ask it."""
        self._waited = 0.0
        """Seconds that moves of this play have waited for that."""

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Everything in which nothing is hidden and nobody has to be first."""
        if rules.traits.hidden or rules.traits.race:
            return "Minimax plays only games without secrets and without races."
        return None

    def settle(self, game: Game, budget: Budget) -> None:
        """Load the code for searching the game, or have a worker that searches without."""
        if game.settings["Watcher"] == "on" and not is_gdl(game.rules):
            self._watcher(game).begin()
        if self._may_compile(game) and (compiled := game.compiled()) is not None:
            self._load(compiled, game).wait(budget.remaining())

    def new_game(self, game: Game, budget: Budget) -> None:
        """Forget the play before, and look ahead while the start clock runs."""
        rules, values = game.rules, game.rule_options
        self._games += 1
        self._table = None
        self._in_code = False
        self._waited = 0.0
        watched = self._watcher(game)
        remaining = budget.remaining()
        self._prepare(game, Budget(TO_COMPILE * (remaining or 0.0)))
        if game.settings["Watcher"] == "on" and not self._in_code:
            watched.begin()
        if remaining is None or remaining < LEAST_START or game.settings["Ahead"] == "off":
            return
        turn = game.position.turn()
        player = game.player or next((player for player in turn.players if player in rules.players(values)), "")
        if player and not (self._in_code and game.position.turn().kind is TurnKind.CHANCE):
            self._search(game, player, [], budget)

    def _watcher(self, game: Game) -> Watched:
        """The watcher of whoever searches a game that is not compiled; of the worker before, if that knows the game."""
        rules, values, fast = game.rules, dict(game.rule_options), self.fast
        if self._watched is None or self._watched_for != (rules, values):
            if self._watched is not None:
                self._watched.end()
            self._watched = Watched(lambda: Table(rules, values, fast=fast).work, isolated=True)
            self._watched_for = (rules, values)
        return self._watched

    def _may_compile(self, game: Game) -> bool:
        """Whether the game may be searched in machine code."""
        return game.settings["Compiled"] == "on" and evaluator_of(game.settings).in_code

    def _prepare(self, game: Game, budget: Budget) -> None:
        """Go over to machine code as soon as there is some."""
        if not self._may_compile(game):
            return
        compiled = game.compiled(budget)
        if compiled is None:
            return
        preparation = self._load(compiled, game)
        preparation.wait(budget.remaining())
        code, alone = preparation.code, preparation.alone
        if code is not None and not self._in_code:
            if self._watched is not None:
                self._watched.end()
            self._table = CompiledTable(code, alone)
            self._in_code = True

    def _load(self, compiled: CompiledGame, game: Game) -> Preparation:
        """Begin to make the code, unless that was done or is being done."""
        if self._preparation is None or self._preparation.game is not compiled:
            self._preparation = Preparation(compiled, game.rng.getrandbits(62))
        return self._preparation

    def _await_code(self, game: Game, budget: Budget) -> None:
        """Wait for machine code as long as it may be just about to come: it sees a thousand times as much."""
        began = time.monotonic()
        left = budget.remaining()
        patience = max(0.0, WAITING_MOST - self._waited)
        self._prepare(game, Budget(patience if left is None else min(patience, WAITING_SHARE * left)))
        self._waited += time.monotonic() - began

    def choose(self, game: Game, budget: Budget) -> Move:
        """The best move of the deepest search that was done in time."""
        if game.settings["Time"] != "0":
            budget.limit(int(game.settings["Time"]) / 1000)
        moves = list(game.moves())
        game.rng.shuffle(moves)  # the first one found stands among equals
        if not self._in_code:
            self._await_code(game, budget)
        found = self._search(game, game.player, moves, budget)
        if found is None:
            found = Finding(moves[0], 50.0, 0, 0, False, (moves[0],))
        self.report(
            value=found.value,
            depth=found.depth,
            nodes=found.nodes,
            cache=found.entries,
            cache_bytes=found.used,
            cache_hits=found.hits,
            cache_purges=found.purges,
            line=" ".join(found.line),
            solved="yes" if found.solved else "no",
            code="yes" if self._in_code else "no",
            learned=round(100 * found.trust),
            **({"ignored": f"{self._ignored}: the game is not compiled yet"} if self._ignored else {}),
        )
        return found.move

    def _search(self, game: Game, player: Player, moves: list[Move], budget: Budget) -> Finding | None:
        settings = game.settings
        plan = plan_of(settings, view_of(game, settings["Opponents"]))
        self._ignored = ""
        if not self._in_code:
            asked = until_compiled(plan.evaluation, game.rules, HEURISTICS)
            self._ignored = plan.evaluation.name if asked != plan.evaluation else ""
            plan = replace(plan, evaluation=asked)
        ceiling, state = int(settings["memory"]) << 20, self._state(game)
        request = Request(game.history, player, moves, plan, ceiling, state, budget.deadline, self._games)
        # Machine code always returns in time, and whoever does not wait for another can't be woken late.
        if settings["Watcher"] == "on" and not self._in_code:
            assert self._watched is not None, "a game has begun"
            told = self._watched.ask(request, budget, lambda told: self._suggest(game, moves, told))
            if isinstance(told, EvaluatorFailed):
                raise told
            return told if isinstance(told, Finding) else None
        if self._table is None:
            self._table = Table(game.rules, game.rule_options, fast=self.fast)
        results: list[Told] = []

        def publish(told: Told) -> None:
            results.append(told)
            self._suggest(game, moves, told)

        self._table.work(request, budget.should_stop, publish)
        found = results[-1]
        if isinstance(found, EvaluatorFailed):
            raise found
        return found

    def _suggest(self, game: Game, moves: Sequence[Move], told: object) -> None:
        if moves and isinstance(told, Finding):
            game.suggest(told.move)

    def _state(self, game: Game) -> bytes:
        """Where the play stands in the compiled game, if that is searched."""
        if not self._in_code or self._preparation is None:
            return b""
        from ggtp.gdl.play.rules import GdlPosition

        assert isinstance(game.position, GdlPosition), "only such rules are compiled"
        return self._preparation.game.state_of(game.position)


def view_of(game: Game, opponents: str) -> View:
    """What the others are taken to want."""
    count = len(game.rules.players(game.rule_options))
    if count == 1:
        return View.ALONE
    if count == 2 and game.rules.traits.zero_sum:
        return View.OPPOSED
    return View(opponents)


def plan_of(settings: Mapping[str, str], view: View) -> Plan:
    """What the options say."""

    def on(name: str) -> bool:
        return settings[name] == "on"

    return Plan(
        view=view,
        depth=int(settings["Depth"]),
        deepening=on("Deepening"),
        pruning=on("Pruning"),
        ordering=on("Ordering"),
        extension=int(settings["Extension"]),
        caching=on("Cache"),
        mobility=on("Mobility"),
        novelty=on("Novelty"),
        proximity=on("Proximity"),
        learning=on("Learning"),
        evaluation=evaluator_of(settings),
        risk=int(settings["Risk"]) if on("RiskTaking") else None,
    )


if __name__ == "__main__":
    sys.exit(run(Minimax()))
