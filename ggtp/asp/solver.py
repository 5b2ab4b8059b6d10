"""Clingo's solver behind a narrow door: ground rules in, answers out, and it can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum

import clingo

PATIENCE = 0.05
"""Seconds between two looks whether somebody wants to stop."""

EASY = 50
"""Conflicts within which most questions of small games are answered; so few take no longer than to start a thread."""

CONFIGURATIONS = ("tweety", "trendy", "handy", "frumpy", "jumpy", "crafty")
"""The solver's own sets of parameters, in the order in which they are tried."""


class Answer(Enum):
    """What came of a search."""

    YES = "yes"
    NO = "no"
    STOPPED = "stopped"


class Solver:
    """A growing set of ground rules, as `unroll.Sink` takes them, and questions about it."""

    def __init__(self, configuration: str = "tweety", *options: str) -> None:
        """An empty set of rules.

        Args:
            configuration: one of `CONFIGURATIONS`.
            options: more of clingo's options.
        """
        arguments = ["--warn=none", f"--configuration={configuration}", *options]
        self._control = clingo.Control(arguments, logger=lambda code, message: None)
        self._backend: clingo.Backend | None = None
        self._minimises = False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Rules can be given in here only, and questions asked outside."""
        with self._control.backend() as backend:
            self._backend = backend
            try:
                yield
            finally:
                self._backend = None

    def atom(self) -> int:
        """A new atom's number."""
        return self._open().add_atom()

    def rule(self, head: int, body: Sequence[int]) -> None:
        """`head` holds where all of the body does."""
        self._open().add_rule([head], body)

    def choice(self, head: int, body: Sequence[int]) -> None:
        """`head` may hold where all of the body does."""
        self._open().add_rule([head], body, choice=True)

    def never(self, body: Sequence[int]) -> None:
        """Not all of the body hold."""
        self._open().add_rule([], body)

    def at_most_one(self, atoms: Sequence[int]) -> None:
        """No two of the atoms hold."""
        self._open().add_weight_rule([], 2, [(atom, 1) for atom in atoms])

    def minimise(self, weighted: Sequence[tuple[int, int]]) -> None:
        """Answers with a smaller sum of the weights of what holds are better; the better ones come last."""
        self._open().add_minimize(0, weighted)
        self._minimises = True

    def solve(
        self,
        assumptions: Sequence[int] = (),
        *,
        on_model: Callable[[Callable[[int], bool]], None] = lambda holds: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Whether the rules have an answer in which the assumptions hold.

        Args:
            assumptions: atoms, negative ones must not hold.
            on_model: is called for each answer found, with a function that tells whether an atom holds in it.
            should_stop: is asked many times a second.
        """

        def found(model: clingo.Model) -> None:
            on_model(lambda atom: model.is_true(atom) if atom > 0 else not model.is_true(-atom))

        if not self._minimises:
            easy = self._within(EASY, assumptions, found)
            if easy is not None:
                return Answer.YES if easy else Answer.NO
        with self._control.solve(assumptions=list(assumptions), on_model=found, async_=True) as handle:
            while not handle.wait(PATIENCE):
                if should_stop():
                    handle.cancel()
                    return Answer.STOPPED
            result = handle.get()
        if result.satisfiable is None:
            return Answer.STOPPED
        return Answer.YES if result.satisfiable else Answer.NO

    def _within(self, conflicts: int, assumptions: Sequence[int], found: Callable[[clingo.Model], None]) -> bool | None:
        """Whether there is an answer, if so many conflicts tell."""
        parameters = self._control.configuration.solve
        assert isinstance(parameters, clingo.Configuration)
        unlimited, parameters.solve_limit = parameters.solve_limit, str(conflicts)
        try:
            return self._control.solve(assumptions=list(assumptions), on_model=found).satisfiable
        finally:
            parameters.solve_limit = unlimited

    def refutes(self, assumptions: Sequence[int]) -> bool:
        """Whether there is certainly no answer in which the assumptions hold; within the limit that `options` set."""
        return self._control.solve(assumptions=list(assumptions)).unsatisfiable is True

    def _open(self) -> clingo.Backend:
        if self._backend is None:
            raise RuntimeError("rules can be given only inside writing()")
        return self._backend
