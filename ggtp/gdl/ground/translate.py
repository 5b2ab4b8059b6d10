"""Clauses → text for an answer set grounder, in which nothing of the file's spelling is left.

Relations become `p0`, `p1`, ..., functions `f0`, `f1`, ..., constants plain numbers and variables
`X0`, `X1`, .... A compound without arguments, `(noop)`, is one more constant, so that it stays
different from `noop`. `true` and `does` become choices over what `init` and `next`, or
`legal`, can ever give, so that the grounder finds the domain of facts and moves by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ggtp.errors import RulesError
from ggtp.gdl.ground.split import is_guard
from ggtp.gdl.language.dependencies import dependencies, reachable
from ggtp.gdl.language.normalise import Clause, Negation, Program, bound_variables, condition_variables
from ggtp.gdl.language.syntax import DOES, TRUE, Atom, Compound, Distinct, Functor, Term, Variable, literal_variables

ROLE: Functor = ("role", 1)
INIT: Functor = ("init", 1)
NEXT: Functor = ("next", 1)
LEGAL: Functor = ("legal", 2)
TERMINAL: Functor = ("terminal", 0)
GOAL: Functor = ("goal", 2)
SEES: Functor = ("sees", 2)

SHOWN = (ROLE, INIT, TRUE, NEXT, DOES, TERMINAL, GOAL, SEES)
"""The relations whose atoms a player needs by name; `legal` is named by the choice of `does` that it allows."""

ROOTS = (*SHOWN, LEGAL)


@dataclass(frozen=True, slots=True)
class Translation:
    """A text for the grounder, and how to read what comes out of it."""

    text: str
    relations: Mapping[str, Functor]
    """For the relations that are shown, which number stands for which."""
    functions: tuple[str, ...]
    """The names of functions, by number."""
    constants: tuple[str, ...]
    """The canonical text of constants and of compounds without arguments, by number."""


def translate(program: Program) -> Translation:
    """The clauses that the game's play depends on, as a text for the grounder.

    Raises:
        RulesError: a variable of a clause can never get a value.
    """
    return Translator().program(program)


class Translator:
    """Numbers everything in the order in which it turns up. A subclass may give relations more arguments."""

    def __init__(self) -> None:
        self.relations: dict[Functor, int] = {functor: number for number, functor in enumerate(ROOTS)}
        self.functions: dict[tuple[str, int], int] = {}
        self.constants: dict[str, int] = {}
        self.lines: list[str] = []
        self.projections: dict[str, str] = {}
        """Auxiliary relations for negations with a variable of their own that stands twice."""

    def more_arguments(self, functor: Functor) -> Sequence[str]:
        """What stands behind the arguments of a relation's atoms; nothing, here."""
        return ()

    def program(self, program: Program) -> Translation:
        clauses = relevant(program.clauses)
        known = {clause.head.functor for clause in clauses} | {TRUE, DOES}
        for clause in clauses:
            self.clause(clause, known)
        true, does, role, legal = (f"p{self.relations[item]}" for item in (TRUE, DOES, ROLE, LEGAL))
        for source in (INIT, NEXT):
            if source in known:
                self.lines.append(f"{{{true}(F)}} :- p{self.relations[source]}(F).")
        if LEGAL in known:
            self.lines.append(f"{{{does}(R,M)}} :- {role}(R), {legal}(R,M).")
        shown = [item for item in self.relations if item in SHOWN or is_guard(item)]
        self.lines += [f"#show p{self.relations[item]}/{item[1]}." for item in shown]
        return Translation(
            "\n".join(self.lines) + "\n",
            {f"p{self.relations[item]}": item for item in shown},
            tuple(name for name, _ in self.functions),
            tuple(self.constants),
        )

    def clause(self, clause: Clause, known: set[Functor]) -> None:
        """One line for the clause; none if it needs a relation that no clause gives."""
        names: dict[Variable, str] = {}
        bound = bound_variables(clause.body)
        for variable in literal_variables(clause.head):
            if variable not in bound:
                message = f"The variable {variable} of the head gets no value from the body."
                raise RulesError(message, line=clause.place.line, column=clause.place.column)
        body: list[str] = []
        for item in clause.body:
            if isinstance(item, Atom):
                if item.functor not in known:
                    return
                body.append(self.atom(item, names))
            elif isinstance(item, Negation):
                if item.atom.functor in known:
                    body.append(f"not {self.negated(item.atom, names, bound, clause)}")
            else:
                body.append(self.comparison(item, names, bound, clause))
        # Clauses that repeat a condition would make the grounder work twice.
        conditions = ", ".join(dict.fromkeys(body))
        head = self.atom(clause.head, names)
        self.lines.append(f"{head} :- {conditions}." if conditions else f"{head}.")

    def negated(self, atom: Atom, names: dict[Variable, str], bound: set[Variable], clause: Clause) -> str:
        """The atom under `not`; variables that stand only there mean that no value fits."""
        local = Counter(variable for variable in literal_variables(atom) if variable not in bound)
        if not local:
            return self.atom(atom, names)
        elsewhere = {
            variable
            for item in clause.body
            if not (isinstance(item, Negation) and item.atom is atom)
            for variable in condition_variables(item)
        }
        for variable in local:
            if variable in elsewhere:
                message = f"The variable {variable} stands under 'not' or in 'distinct' only, and more than once."
                raise RulesError(message, line=clause.place.line, column=clause.place.column)
        if max(local.values()) == 1:
            return self.atom(atom, {**names, **dict.fromkeys(local, "_")})
        inner: dict[Variable, str] = {}
        given = [variable for variable in dict.fromkeys(literal_variables(atom)) if variable not in local]
        more = self.more_arguments(atom.functor)
        arguments = [*(self.term(variable, inner) for variable in given), *more]
        whole = self.atom(atom, inner)
        key = f"{whole}|{arguments}"
        if key not in self.projections:
            self.projections[key] = f"q{len(self.projections)}"
            head = f"{self.projections[key]}({','.join(arguments)})" if arguments else self.projections[key]
            self.lines.append(f"{head} :- {whole}.")
        outer = [*(self.term(variable, names) for variable in given), *more]
        return f"{self.projections[key]}({','.join(outer)})" if outer else self.projections[key]

    def comparison(self, item: Distinct, names: dict[Variable, str], bound: set[Variable], clause: Clause) -> str:
        for variable in literal_variables(item):
            if variable not in bound:
                message = f"The variable {variable} of 'distinct' gets no value from the body."
                raise RulesError(message, line=clause.place.line, column=clause.place.column)
        return f"{self.term(item.left, names)}!={self.term(item.right, names)}"

    def atom(self, atom: Atom, names: dict[Variable, str]) -> str:
        functor = atom.functor
        number = self.relations.setdefault(functor, len(self.relations))
        arguments = ",".join((*(self.term(arg, names) for arg in atom.args), *self.more_arguments(functor)))
        return f"p{number}({arguments})" if arguments else f"p{number}"

    def term(self, term: Term, names: dict[Variable, str]) -> str:
        if isinstance(term, Variable):
            return names.setdefault(term, f"X{len(names)}")
        if isinstance(term, Compound) and term.args:
            number = self.functions.setdefault((term.name, len(term.args)), len(self.functions))
            return f"f{number}({','.join(self.term(arg, names) for arg in term.args)})"
        return str(self.constants.setdefault(str(term), len(self.constants)))


def relevant(clauses: Iterable[Clause]) -> list[Clause]:
    """The clauses that the play depends on, without those for the inputs, `true` and `does`."""
    clauses = list(clauses)
    graph = dependencies(clauses)
    graph.pop(TRUE, None)
    graph.pop(DOES, None)
    needed = reachable(graph, ROOTS) - {TRUE, DOES}
    return [clause for clause in clauses if clause.head.functor in needed]
