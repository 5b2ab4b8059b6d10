"""Tells apart the cases of a relation that depends on its own negation.

`(<= (goal white 0) (not (goal white 100)))` makes `goal` depend on its own negation, which
the language forbids and many rulesheets have. No row of it really does: the cases of 0 and
100 are different relations in all but name. So a relation in such a cycle is replaced by one
relation for each form of its heads, told apart by the ground arguments in them, and by a
clause for each that collects their rows under the old name.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TypeAlias

from ggtp.errors import RulesError
from ggtp.gdl.language.dependencies import components, dependencies, negative_cycles
from ggtp.gdl.language.normalise import MAX_ALTERNATIVES, Clause, Condition, Negation, Program
from ggtp.gdl.language.syntax import Atom, Functor, Term, Variable

Form: TypeAlias = tuple[Term | None, ...]
"""The ground arguments of a head, None for the others."""


def stratified(program: Program) -> Program:
    """The same program without relations that depend on their own negation, as far as telling cases apart can do it.

    Raises:
        RulesError: that would take too many clauses.
    """
    bad = negative_cycles(program.clauses)
    if not bad:
        return program
    graph = dependencies(program.clauses)
    groups = {member: set(members) for members in components(graph) for member in members}
    apart = set().union(*(groups[clause.head.functor] for clause, _ in bad))
    cases = _Cases(program, apart)
    clauses = [made for clause in program.clauses for made in cases.clauses(clause)]
    return Program(tuple(dict.fromkeys([*clauses, *cases.collectors()])), program.roles)


class _Cases:
    """The relations that are told apart, and the forms of their heads."""

    def __init__(self, program: Program, apart: set[Functor]) -> None:
        self._forms: dict[Functor, dict[Form, str]] = {key: {} for key in apart}
        for clause in program.clauses:
            forms = self._forms.get(clause.head.functor)
            if forms is not None:
                # No name of a text has `;` in it, since that begins a comment.
                forms.setdefault(_form(clause.head), f"{clause.head.name};case{len(forms) + 1}")

    def clauses(self, clause: Clause) -> list[Clause]:
        """The clause, with cases in place of the relations that are told apart, where it is about one."""
        key = clause.head.functor
        if key not in self._forms:
            return [clause]
        head = Atom(self._forms[key][_form(clause.head)], clause.head.args, clause.head.place)
        choices: list[list[list[Condition]]] = []
        for condition in clause.body:
            if isinstance(condition, Atom):
                choices.append([[case] for case in self._cases(condition)])
            elif isinstance(condition, Negation):
                choices.append([[Negation(case) for case in self._cases(condition.atom)]])
            else:
                choices.append([[condition]])
        if prod(map(len, choices)) > MAX_ALTERNATIVES:
            message = f"Telling the cases of '{clause.head.name}' apart makes more than {MAX_ALTERNATIVES} rules."
            raise RulesError(message, line=clause.place.line, column=clause.place.column)
        return [
            Clause(head, tuple(item for part in parts for item in part), clause.place) for parts in product(*choices)
        ]

    def collectors(self) -> list[Clause]:
        """Clauses that give the relations their rows under their old names."""
        result = []
        for (name, arity), forms in self._forms.items():
            args = tuple(Variable(f"?{number}") for number in range(arity))
            result += [Clause(Atom(name, args), (Atom(case, args),)) for case in forms.values()]
        return result

    def _cases(self, atom: Atom) -> list[Atom]:
        """The atom itself, or one for each case that it can be about."""
        forms = self._forms.get(atom.functor)
        if forms is None:
            return [atom]
        asked = _form(atom)
        fitting = [name for form, name in forms.items() if _compatible(form, asked)]
        return [Atom(name, atom.args, atom.place) for name in fitting]


def _form(atom: Atom) -> Form:
    return tuple(arg if arg.ground else None for arg in atom.args)


def _compatible(one: Form, other: Form) -> bool:
    return all(left is None or right is None or left == right for left, right in zip(one, other, strict=True))
