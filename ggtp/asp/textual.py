"""The searches of `search` by the rules' own text: clingo grounds the program of `encode`, step by step or at once.

It needs no network, so it can begin before there is one, and serves where none can be made; and it is the paper's way,
to compare with. A plan is played by the interpreter before anybody hears of it, unless whoever asked does that anyway.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import clingo

from ggtp.asp.encode import Encoding, encode
from ggtp.asp.findings import Finding, Impossible, Plan, Refuted, Trying
from ggtp.asp.solver import CONFIGURATIONS, EASY, PATIENCE, Answer
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Rulesheet

if TYPE_CHECKING:
    from ggtp.gdl.interpret.reasoner import Interpreter

FIRST_SLICE = 3.0
EASY_SECONDS = 0.5
"""As long as all questions have not taken more, nobody asks for less than the best goal."""
GROWTH = 1.5
LONGEST = 5000
BLOCK = 6
"""Steps that are grounded together at first, and as long as they are small."""
SMALL = 2000
"""Atoms that so many steps have at most where they are small."""


class TextSearch:
    """A program that grows with time, and questions about it."""

    def __init__(
        self,
        sheet: Rulesheet,
        emit: Callable[[Finding], None],
        should_stop: Callable[[], bool] = lambda: False,
        most: int | None = None,
        *,
        start: Sequence[str] | None = None,
        check: bool = True,
    ) -> None:
        """A search for plans.

        Args:
            sheet: the rules.
            emit: is told what is found.
            should_stop: is asked many times a second.
            most: the most that is wanted; None for the most that there is.
            start: the facts of the state in which the play stands; None where it begins.
            check: whether plans are played before they are told.

        Raises:
            RulesError: the rules can't be encoded.
        """
        self._sheet = sheet
        self._start = None if start is None else [parse_term(fact) for fact in start]
        self._encoding: Encoding = encode(sheet, self._start)
        self._check = check
        self._judge: Interpreter | None = None
        self.goals = [goal for goal in self._encoding.goals if most is None or goal <= most]
        self._emit = emit
        self._should_stop = should_stop
        self._best = -1
        """The best goal of any plan."""

    def step_by_step(self, configuration: str = "tweety") -> None:
        """Looks for a shortest plan: grounding and solving take turns, as in iClingo."""
        for goal in self.goals:
            if self._reach(goal, configuration) or self._should_stop():
                return
            self._emit(Impossible(goal))

    def _reach(self, goal: int, configuration: str) -> bool:
        """Whether there is a plan, or somebody stopped the search."""
        control = self._begin(configuration)
        grounded, atoms, new = -1, 0, 0
        for length in range(LONGEST):
            if length > grounded:
                # Each call of the grounder takes its time; where steps are small, several go together.
                grounded = length + (BLOCK if new < SMALL else 1) - 1
                aims = [("aim", [clingo.Number(goal), clingo.Number(at)]) for at in range(length, grounded + 1)]
                control.ground([*([] if length else [("base", [])]), *_steps(length, grounded), *aims])
                new, atoms = len(control.symbolic_atoms) - atoms, len(control.symbolic_atoms)
            self._emit(Trying(goal, length, atoms))
            at = clingo.Number(length)
            aim = clingo.Function("aim", [clingo.Number(goal), at])
            answer = Answer.NO
            if control.symbolic_atoms[aim] is not None:
                answer = self._solve(control, [(aim, True)], self._should_stop, shortest=True)
            if answer is not Answer.NO or self._should_stop():
                return True
            self._emit(Refuted(goal, length))
            over = clingo.Function("over", [at])
            if _holds_always(control, over):
                return False
            if (
                length == grounded
                and self._solve(control, [(over, False)], self._should_stop, plans=False) is Answer.NO
            ):
                return False
        return True

    def at_once(self, horizon: int, configurations: Sequence[str] = CONFIGURATIONS) -> None:
        """Looks for a plan of at most so many moves, then of more; the program is grounded as a whole, as by Clingo.

        Where a game counts its moves, the grounder finds out how many there can be, and what it has no plan for then is
        impossible. Where all of that takes long, every third question is which goal is the best that can be reached, so
        that there is something to play where the first can't.
        """
        seconds, attempt, stopped, goals = FIRST_SLICE, 0, 0, list(self.goals)
        hard = self._slice(EASY_SECONDS)
        program: _Program | None = None
        while goals and not self._should_stop():
            best = attempt % 3 == 2 and hard()
            if program is None or best:
                program = _Program(self._begin(configurations[stopped % len(configurations)]))
            wanted = program.reach(goals[-1] if best else goals[0], horizon, best=best)
            length, complete = program.length, program.complete
            self._emit(Trying(goals[0], length, len(program.control.symbolic_atoms)))
            answer = Answer.NO
            if wanted is not None:
                answer = self._solve(program.control, [(wanted, True)], self._slice(seconds), easy=not best)
            if best or answer is Answer.STOPPED:
                program = None  # another configuration, or what was preferred is not any more
            if answer is Answer.YES:
                refuted = [goal for goal in goals if goal > self._best]
            else:
                refuted = (goals if best else goals[:1]) if answer is Answer.NO else []
            for goal in refuted:
                self._emit(Impossible(goal) if complete else Refuted(goal, length))
            if complete and answer is not Answer.STOPPED:
                goals = goals[len(refuted) :]
            if goals and self._best >= goals[0]:
                return
            if complete and refuted:
                continue
            if not complete:
                horizon = min(LONGEST, int(horizon * GROWTH) + 1)
            seconds, attempt, stopped = seconds * GROWTH, attempt + 1, stopped + (answer is Answer.STOPPED)

    def _slice(self, seconds: float) -> Callable[[], bool]:
        end = time.process_time() + seconds
        return lambda: time.process_time() > end or self._should_stop()

    def _begin(self, configuration: str) -> clingo.Control:
        control = clingo.Control(["--warn=none", f"--configuration={configuration}"], logger=lambda code, text: None)
        control.add(self._encoding.text)
        return control

    def _solve(
        self,
        control: clingo.Control,
        assumptions: Sequence[tuple[clingo.Symbol, bool]],
        should_stop: Callable[[], bool],
        *,
        plans: bool = True,
        shortest: bool = False,
        easy: bool = True,
    ) -> Answer:
        def found(model: clingo.Model) -> None:
            if plans:
                self._tell(model, shortest=shortest)

        if easy:
            # What few conflicts answer takes less time than to start a thread.
            parameters = control.configuration.solve
            assert isinstance(parameters, clingo.Configuration)
            unlimited, parameters.solve_limit = parameters.solve_limit, str(EASY)
            answer = control.solve(assumptions=list(assumptions), on_model=found).satisfiable
            parameters.solve_limit = unlimited
            if answer is not None:
                return Answer.YES if answer else Answer.NO
        with control.solve(assumptions=list(assumptions), on_model=found, async_=True) as handle:
            while not handle.wait(PATIENCE):
                if should_stop():
                    handle.cancel()
                    return Answer.STOPPED
            result = handle.get()
        return Answer.STOPPED if result.satisfiable is None else Answer.YES if result.satisfiable else Answer.NO

    def _tell(self, model: clingo.Model, *, shortest: bool) -> None:
        """Tells of the plan, played once to see that it is one.

        Raises:
            ValueError: it is none, which is a bug.
        """
        made: dict[int, str] = {}
        goal, end = 0, 0
        for symbol in model.symbols(shown=True):
            if symbol.name == self._encoding.does:
                made[symbol.arguments[2].number] = self._text(symbol.arguments[1])
            elif symbol.name == "got":
                goal, end = max((goal, end), (symbol.arguments[0].number, symbol.arguments[1].number))
        moves = tuple(made[at] for at in sorted(made) if at < end)
        if self._check:
            goal = self._played(moves)
        if goal > self._best:
            self._best = goal
            self._emit(Plan(goal, moves, shortest))

    def _played(self, moves: Sequence[str]) -> int:
        """The goal after these moves."""
        if self._judge is None:
            from ggtp.gdl.interpret.reasoner import Interpreter

            self._judge = Interpreter(self._sheet)
        judge = self._judge
        (role,) = judge.roles
        state = judge.initial() if self._start is None else judge.state(self._start)
        for number, text in enumerate(moves):
            move = parse_term(text)
            if judge.terminal(state) or move not in judge.legal(state, role):
                raise ValueError(f"move {number + 1} of the plan can't be made")
            state = judge.next(state, {role: move})
        if not judge.terminal(state):
            raise ValueError("the plan does not end the play")
        return judge.goal(state, role) or 0

    def _text(self, symbol: clingo.Symbol) -> str:
        """A term as the rules write it."""
        if symbol.type is clingo.SymbolType.Number:
            return self._encoding.constants[symbol.number]
        name = self._encoding.functions[int(symbol.name.removeprefix("f"))]
        return f"({' '.join((name, *map(self._text, symbol.arguments)))})"


class _Program:
    """Steps up to a horizon, and more where that is moved on: what was grounded, and learned, stays."""

    def __init__(self, control: clingo.Control) -> None:
        self.control = control
        self.length = -1
        """How many moves a play has at most."""
        self.complete = False
        """Whether no play has more."""

    def reach(self, goal: int, horizon: int, *, best: bool) -> clingo.Symbol | None:
        """What holds where a play of at most so many moves has the goal; None where none has.

        With `best`, answers with a better goal are preferred from now on.
        """
        parts: list[tuple[str, list[clingo.Symbol]]] = [("base", [])] if self.length < 0 else []
        if not self.complete:
            parts += _steps(self.length + 1, horizon)
        arguments = [clingo.Number(goal), clingo.Number(horizon)]
        self.control.ground([*parts, ("reach", arguments), *([("prefer", [])] if best else [])])
        for length in range(self.length + 1, horizon + 1) if not self.complete else ():
            self.length = length
            if _holds_always(self.control, clingo.Function("over", [clingo.Number(length)])):
                self.complete = True
                break
        wanted = clingo.Function("reach", arguments)
        return wanted if self.control.symbolic_atoms[wanted] is not None else None


def _steps(first: int, last: int) -> list[tuple[str, list[clingo.Symbol]]]:
    """The parts that the play from one time to another needs, the move that leads there included."""
    parts: list[tuple[str, list[clingo.Symbol]]] = []
    for length in range(first, last + 1):
        parts += [("act", [clingo.Number(length - 1)])] if length else []
        parts.append(("observe", [clingo.Number(length)]))
    return parts


def _holds_always(control: clingo.Control, symbol: clingo.Symbol) -> bool:
    atom = control.symbolic_atoms[symbol]
    return atom is not None and atom.is_fact
