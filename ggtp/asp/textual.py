"""The searches of `search` by the rules' own text: clingo grounds the program of `encode`, step by step or at once.

It needs no network, so it serves where none can be made; and it is the paper's way, to compare with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import clingo

from ggtp.asp.encode import Encoding, encode
from ggtp.asp.findings import Finding, Impossible, Plan, Refuted, Trying
from ggtp.asp.solver import CONFIGURATIONS, PATIENCE, Answer
from ggtp.gdl.syntax import Rulesheet

FIRST_SLICE = 3.0
GROWTH = 1.5
LONGEST = 5000


class TextSearch:
    """A program that grows with time, and questions about it."""

    def __init__(
        self,
        sheet: Rulesheet,
        emit: Callable[[Finding], None],
        should_stop: Callable[[], bool] = lambda: False,
        most: int | None = None,
    ) -> None:
        """A search for plans.

        Raises:
            RulesError: the rules can't be encoded.
        """
        self._encoding: Encoding = encode(sheet)
        self.goals = [goal for goal in self._encoding.goals if most is None or goal <= most]
        self._emit = emit
        self._should_stop = should_stop

    def step_by_step(self, configuration: str = "tweety") -> None:
        """Looks for a shortest plan: grounding and solving take turns, as in iClingo."""
        for goal in self.goals:
            if self._reach(goal, configuration) or self._should_stop():
                return
            self._emit(Impossible(goal))

    def _reach(self, goal: int, configuration: str) -> bool:
        """Whether there is a plan, or somebody stopped the search."""
        control = self._begin(configuration)
        for length in range(LONGEST):
            control.ground([("observe", [clingo.Number(length)])])
            self._emit(Trying(goal, length, sum(1 for _ in control.symbolic_atoms)))
            won = clingo.Function("won", [clingo.Number(goal), clingo.Number(length)])
            answer = Answer.NO
            if won in {atom.symbol for atom in control.symbolic_atoms.by_signature("won", 2)}:
                answer = self._solve(control, [(won, True)], self._should_stop, goal, length)
            if answer is not Answer.NO or self._should_stop():
                return True
            self._emit(Refuted(goal, length))
            control.ground([("act", [clingo.Number(length)])])
            alive = clingo.Function("over", [clingo.Number(length)])
            if self._solve(control, [(alive, False)], self._should_stop) is Answer.NO:
                return False
        return True

    def at_once(self, horizon: int, configurations: Sequence[str] = CONFIGURATIONS) -> None:
        """Looks for a plan of at most so many moves, then of more; the program is grounded as a whole, as by Clingo."""
        seconds, attempt = FIRST_SLICE, 0
        while not self._should_stop() and self.goals and horizon <= LONGEST:
            control = self._begin(configurations[attempt % len(configurations)])
            times = [clingo.Number(length) for length in range(horizon + 1)]
            control.ground([part for at in times for part in (("observe", [at]), ("act", [at]))][:-1])
            goal = self.goals[0]
            self._emit(Trying(goal, horizon, sum(1 for _ in control.symbolic_atoms)))
            control.add("wanted", [], f"wanted :- won({goal},_). :- not wanted.")
            control.ground([("wanted", [])])
            end = time.process_time() + seconds
            answer = self._solve(control, [], lambda: time.process_time() > end or self._should_stop(), goal)  # noqa: B023
            if answer is Answer.YES:
                return
            if answer is Answer.NO:
                self._emit(Refuted(goal, horizon))
            horizon, seconds, attempt = int(horizon * GROWTH) + 1, seconds * GROWTH, attempt + 1

    def _begin(self, configuration: str) -> clingo.Control:
        control = clingo.Control(["--warn=none", f"--configuration={configuration}"], logger=lambda code, text: None)
        control.add(self._encoding.text)
        control.ground([("base", [])])
        return control

    def _solve(
        self,
        control: clingo.Control,
        assumptions: Sequence[tuple[clingo.Symbol, bool]],
        should_stop: Callable[[], bool],
        goal: int | None = None,
        length: int | None = None,
    ) -> Answer:
        def found(model: clingo.Model) -> None:
            if goal is not None:
                self._emit(self._plan(model, shortest=length is not None))

        with control.solve(assumptions=list(assumptions), on_model=found, async_=True) as handle:
            while not handle.wait(PATIENCE):
                if should_stop():
                    handle.cancel()
                    return Answer.STOPPED
            result = handle.get()
        return Answer.STOPPED if result.satisfiable is None else Answer.YES if result.satisfiable else Answer.NO

    def _plan(self, model: clingo.Model, *, shortest: bool) -> Plan:
        moves: dict[int, str] = {}
        best, end = 0, 0
        for symbol in model.symbols(shown=True):
            if symbol.name == self._encoding.does:
                moves[symbol.arguments[2].number] = self._text(symbol.arguments[1])
            elif symbol.name == "won":
                best, end = max((best, end), (symbol.arguments[0].number, symbol.arguments[1].number))
        return Plan(best, tuple(moves[at] for at in sorted(moves) if at < end), shortest)

    def _text(self, symbol: clingo.Symbol) -> str:
        """A term as the rules write it."""
        if symbol.type is clingo.SymbolType.Number:
            return self._encoding.constants[symbol.number]
        name = self._encoding.functions[int(symbol.name.removeprefix("f"))]
        return f"({' '.join((name, *map(self._text, symbol.arguments)))})"
