"""Restricts wide relations to the rows that somebody asks for.

Relations are computed whole, before anybody asks. That is cheap for most, but not for a
relation such as `(threatened ?x ?y ?u ?v ?ignored-x ?ignored-y)`, of which a rule asks a few
rows and which has a million. Such a relation, and those between it and the relations that
players ask for, get a companion that holds what is needed of it (`name;need2` for a relation
of two arguments): the values of those arguments that every question knows beforehand. This
is the transformation known as magic sets, with one pattern of arguments for each relation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from ggtp.gdl.language.dependencies import dependencies, negative_cycles, reachable
from ggtp.gdl.language.normalise import Clause, Condition, Negation, Program, ordered, plain_cost
from ggtp.gdl.language.syntax import Atom, Functor, Variable, literal_variables, variables

ASKED = frozenset({"role", "init", "legal", "next", "terminal", "goal", "base", "input", "sees"})
"""Relations that players ask for, as a whole."""

CHANGING: frozenset[Functor] = frozenset({("true", 1), ("does", 2)})
"""Relations that change from state to state, and with them all that depend on them."""

WIDE = 5
"""From how many variables in a head on a relation counts as wide. Boards with two coordinates need four for a step."""

FREE = 3
"""With one variable less a head counts as wide where, of so many, no two stand together in a condition: it has as many
rows as the product of their values."""

WIDE_STATIC = 8
"""The same for relations that depend on no state: they are computed only once, and would no longer be."""


def on_demand(program: Program) -> Program:
    """The same program, as far as players can tell, with its wide relations restricted."""
    wide = _wide(program)
    if not wide:
        return program
    for thorough in (True, False):
        found = _Demand(program, wide, thorough).program()
        if not negative_cycles(found.clauses):
            return found
    return program


def _wide(program: Program) -> set[Functor]:
    """The relations to restrict: the wide ones, and those that ask for them."""
    graph = dependencies(program.clauses)
    used = {target for targets in graph.values() for target in targets}
    narrow = _narrow(program)
    free = {key for key in graph if key[0] not in ASKED and key in used and key not in narrow}
    wide: set[Functor] = set()
    for clause in program.clauses:
        key = clause.head.functor
        if not clause.body or key not in free or key in wide:
            continue
        few = [atom for atom in clause.body if isinstance(atom, Atom) and atom.functor in narrow]
        head = set(literal_variables(clause.head)) - _variables(few)
        if len(head) >= WIDE_STATIC or (
            (len(head) >= WIDE or _independent(head, clause)) and reachable(graph, [key]) & CHANGING
        ):
            wide.add(key)
    return {key for key in free if reachable(graph, [key]) & wide} if wide else set()


def _independent(head: set[Variable], clause: Clause) -> bool:
    """Whether so many of these variables have nothing to do with each other that the head has very many rows."""
    together = [set(literal_variables(atom)) & head for atom in clause.body if isinstance(atom, Atom)]
    return any(
        all(len(group.intersection(chosen)) < 2 for group in together)
        for chosen in combinations(sorted(head, key=str), FREE)
    )


def _narrow(program: Program) -> set[Functor]:
    """Relations whose every clause asks what the players do: these have few rows, however many variables."""
    bodies: dict[Functor, list[set[Functor]]] = {}
    for clause in program.clauses:
        atoms = {atom.functor for atom in clause.body if isinstance(atom, Atom)}
        bodies.setdefault(clause.head.functor, []).append(atoms)
    narrow: set[Functor] = {("does", 2)}
    while more := {
        key for key, found in bodies.items() if key not in narrow and all(atoms & narrow for atoms in found)
    }:
        narrow |= more
    return narrow


class _Demand:
    """Which arguments of the restricted relations every question knows, and the clauses that say what is needed."""

    def __init__(self, program: Program, restricted: set[Functor], thorough: bool) -> None:
        """Prepares the clauses.

        Args:
            program: the program.
            restricted: its relations to restrict.
            thorough: whether restricted relations help to find what is needed of others. Better,
                but it may make a relation depend on its own negation.
        """
        self._program = program
        self._restricted = restricted
        self._thorough = thorough
        self._known: dict[Functor, frozenset[int]] = {key: frozenset(range(key[1])) for key in restricted}
        self._find_known()

    def program(self) -> Program:
        """The program with what is needed, and restricted to it."""
        result: dict[Clause, None] = {}
        for clause in self._program.clauses:
            need = self._need(clause.head)
            body = (need, *clause.body) if need is not None and clause.body else clause.body
            result[Clause(clause.head, body, clause.place)] = None
            for asked, before in self._questions(clause):
                head = self._need(asked)
                if head is not None and head not in before:
                    result[Clause(head, tuple(before), clause.place)] = None
        return Program(tuple(result), self._program.roles)

    def _find_known(self) -> None:
        changed = True
        while changed:
            changed = False
            for clause in self._program.clauses:
                for asked, before in self._questions(clause):
                    known = _variables(before)
                    fits = {number for number, arg in enumerate(asked.args) if known.issuperset(variables(arg))}
                    if not self._known[asked.functor] <= fits:
                        self._known[asked.functor] &= fits
                        changed = True

    def _questions(self, clause: Clause) -> Iterator[tuple[Atom, list[Condition]]]:
        """The restricted relations that the body asks for, each with the conditions that come before the question."""
        need = self._need(clause.head) if clause.body else None
        before: list[Condition] = [] if need is None else [need]
        for condition in ordered(clause.body, self._cost, _variables(before)):
            atom = condition.atom if isinstance(condition, Negation) else condition
            restricted = isinstance(atom, Atom) and atom.functor in self._restricted
            if restricted and isinstance(atom, Atom):
                yield atom, list(before)
            if self._thorough or not restricted:
                before.append(condition)

    def _need(self, atom: Atom) -> Atom | None:
        """The companion of the atom: that it is needed; None for relations that are not restricted."""
        known = self._known.get(atom.functor)
        if not known:
            return None
        return Atom(f"{atom.name};need{len(atom.args)}", tuple(atom.args[number] for number in sorted(known)))

    def _cost(self, atom: Atom, known: Collection[Variable]) -> float:
        # What is restricted comes late, when much is known.
        return plain_cost(atom, known) + (100.0 if atom.functor in self._restricted else 0.0)


def _variables(conditions: Collection[Condition]) -> set[Variable]:
    """The variables that the conditions give values."""
    return {item for atom in conditions if isinstance(atom, Atom) for item in literal_variables(atom)}
