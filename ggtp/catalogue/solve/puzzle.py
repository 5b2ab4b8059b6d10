"""Plans for one-player games: searched for in every way there is, and checked by the rules themselves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ggtp.catalogue.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, Kept, Limits
from ggtp.catalogue.solve.solver import METHODS, Arm, Method, Problem, Solving, arms, first_arms, kept_code
from ggtp.errors import CommandError, NotCompiled
from ggtp.game import Player, Rules, advice

if TYPE_CHECKING:
    from ggtp.asp.findings import Finding, Plan
    from ggtp.gdl.play.rules import GdlRules

CLOSING = 2.0
"""Seconds that processes have to go when all is told."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search came to."""

    plan: Plan | None
    moves: tuple[str, ...]
    """The plan as a person writes it."""
    proof: str
    seconds: float
    """On the clock, with all processes that it took, and the check of the plan."""
    search_seconds: float = 0.0
    """Of the processor, that the search took which found the plan."""
    preparing_seconds: float = 0.0
    """... and what it took before that, to translate the rules or to make a network of them, now or on the day when
    that was made."""
    found_by: str = ""

    def data(self) -> dict[str, object]:
        """For programs."""
        return {
            "goal": None if self.plan is None else self.plan.goal,
            "steps": None if self.plan is None else len(self.moves),
            "plan": list(self.moves),
            "proof": self.proof,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A one-player game: the rules that people play, and the rulesheet that is solved."""

    rules: Rules
    options: Mapping[str, str]
    sheet: GdlRules
    """The rules themselves, or their twin."""

    @property
    def player(self) -> Player:
        """The only one."""
        return self.rules.players(self.options)[0]


def one_player(catalogue: Catalogue, name: str, values: Mapping[str, str] | None = None) -> Puzzle:
    """The game of that name.

    Raises:
        GgtpError: there is none, or it is for more than one player, or it is not in GDL and has no twin there, or has
            no such option.
    """
    from ggtp.gdl.play.rules import GdlRules, load_text

    rules = catalogue.find_rules(name)
    options = rules.complete(values or {})
    players = len(rules.players(options))
    if players != 1:
        raise CommandError(f"{rules.name} has {players} players, and only games of one can be solved.")
    if isinstance(rules, GdlRules):
        if len(rules.game.roles) != 1:
            raise CommandError(f"{rules.name} has chance in it, and only games without can be solved.")
        return Puzzle(rules, options, rules)
    text = advice.twin(rules, options)
    if text is None:
        raise CommandError(f"{rules.name} is not written in GDL and has no twin there, so it can't be solved.")
    return Puzzle(rules, options, load_text(text, rules.name))


@dataclass(frozen=True, slots=True)
class Search:
    """Which plan is searched for, and how."""

    goal: int | None = None
    """The least that it is to reach; None for the most that there is."""
    shortest: bool = False
    """Whether it must be known to be a shortest one."""
    methods: tuple[Method, ...] = METHODS["all"]
    by_text: bool = False
    """Whether the solver grounds the rules' text, and no network is made."""
    limit: float = 60.0
    """Seconds, compiling included."""
    megabytes: int = 4096
    seed: int = 0
    """Makes the solver's guesses repeatable."""


def solve(
    puzzle: Puzzle, search: Search, compiler: Compiler, say: Callable[[str], None] = lambda text: None
) -> Solution:
    """Search for a plan, and check it by the rules themselves.

    If there is no network of the game yet, the search begins without one, while the compiler makes it.
    """
    began = time.monotonic()
    text, by_text, methods = puzzle.sheet.text or "", search.by_text, search.methods
    kept = None if by_text else compiler.kept(text)
    problem = _given(Problem(text, goal=search.goal, shortest=search.shortest, check=False), compiler, kept)
    cores, more = len(os.sched_getaffinity(0)), kept is None and not by_text
    solving = Solving(
        problem,
        first_arms(methods) if more else arms(cores, by_text=by_text, methods=methods),
        megabytes=search.megabytes,
        seed=search.seed,
        on_finding=lambda arm, found: say(told(arm, found)),
        more=more,
    )
    try:
        if more:
            kept = _made(compiler, text, search.limit, search.megabytes // 2, say, solving)
            solving.join(_given(problem, compiler, kept), arms(cores, by_text=kept is None, methods=methods))
        solving.wait(max(0.0, search.limit - (time.monotonic() - began)))
        solving.stop()
        plan, arm = solving.best, solving.found_by
        moves = () if plan is None else checked(puzzle, plan)
        solution = Solution(plan, moves, proof(solving, search.goal), time.monotonic() - began)
    finally:
        solving.close(CLOSING)
    if plan is None or arm is None:
        return solution
    network = 0.0 if kept is None or arm.by_text or arm.builds else kept.seconds
    searched, preparing = plan.seconds - plan.preparing, network + plan.preparing
    return replace(solution, search_seconds=searched, preparing_seconds=preparing, found_by=way(arm))


def _given(problem: Problem, compiler: Compiler, kept: Kept | None) -> Problem:
    """The problem with its network, where there is one."""
    if kept is None:
        return problem
    return replace(problem, network=kept.data, code=kept_code(compiler.cache, kept.name))


def _made(
    compiler: Compiler, text: str, limit: float, megabytes: int, say: Callable[[str], None], solving: Solving
) -> Kept | None:
    """The network, unless it takes too much, or is not needed any more."""
    end = time.monotonic() + limit
    try:
        return compiler.network(
            text,
            Limits(limit / 2, megabytes),
            progress=say,
            should_stop=lambda: solving.ended or time.monotonic() > end,
        )
    except NotCompiled:
        return None


def way(arm: Arm) -> str:
    """A way to search, in a few words."""
    how = {"explore": "among the states", "steps": "step by step", "once": "all at once"}[arm.method]
    return f"{how}, by the text" if arm.by_text else how


def told(arm: Arm, finding: Finding) -> str:
    """A finding in a few words."""
    from ggtp.asp.findings import GaveUp, Impossible, Plan, Refuted, Rested, Trying

    # Two may search alike but for how the solver is configured.
    how = way(arm) if arm.configuration is None else f"{way(arm)} ({arm.configuration})"
    match finding:
        case Plan(goal, moves, _):
            return f"{how}: a plan of {len(moves)} moves for {goal}"
        case Trying(goal, steps, count, what):
            return f"{how}: {goal} within {steps} moves? {count:,} {what}"
        case Refuted(goal, steps):
            return f"{how}: no {goal} within {steps} moves"
        case Impossible(goal):
            return f"{how}: {goal} can't be reached"
        case GaveUp(reason):
            return f"{how}: {reason}"
        case Rested():
            return f"{how}: done"


def proof(solving: Solving, goal: int | None) -> str:
    """What is certain about the plan, or about there being none."""
    plan, wanted = solving.best, 100 if goal is None else goal
    if plan is not None and solving.optimal:
        return "optimal length" if plan.shortest else "valid"
    if plan is None and solving.impossible and min(solving.impossible) <= min((wanted, *solving.refuted)):
        return "impossible"
    steps = max((steps for value, steps in solving.refuted.items() if value <= wanted), default=None)
    if plan is None and steps is not None:
        return f"unsolvable within {steps} steps"
    return "unknown"


def checked(puzzle: Puzzle, plan: Plan) -> tuple[str, ...]:
    """The plan as people write it, after the rules themselves have played it.

    Raises:
        CommandError: it is no plan, which is a bug of ours.
    """
    position, moves, player = puzzle.rules.begin(puzzle.options), [], puzzle.player
    for text in plan.moves:
        move = position.parse(player, text.strip("()") if puzzle.rules is not puzzle.sheet else text)
        moves.append(move)
        position = position.play({player: move}).position
    result = position.result()
    if result is None or result.scores[player] < plan.goal:
        raise CommandError("The plan does not do what it promises. Please report this.")
    return tuple(moves)
