"""Restricts wide relations to the rows that somebody asks for: magic sets.

Relations are computed whole, before anybody asks. That is cheap for most, but not for a
relation such as `(threatened ?x ?y ?u ?v ?ignored-x ?ignored-y)`, of which a rule asks a few
rows and which has a million. Such a relation gets a companion that holds what is needed of
it (`threatened;need6`, after its arity): the values of those arguments that every question
knows beforehand. The companion becomes one more condition of the relation's clauses.

`restrict` is the transformation. Its two uses choose which relations it restricts, and which
conditions of a clause tell what the clause needs:

- `for_states` serves the interpreter, which computes relations anew in each state. Conditions
  that are evaluated before the question tell what is needed.
- `for_grounding` serves the grounder, which writes relations out for all states at once.
  Only conditions that depend on no state tell what is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TypeAlias

from ggtp.gdl.language.dependencies import dependencies, negative_cycles, reachable, static_relations
from ggtp.gdl.language.normalise import (
    Clause,
    Condition,
    Program,
    atom_of,
    bound_variables,
    condition_variables,
    ordered,
    plain_cost,
)
from ggtp.gdl.language.survey import ARITIES
from ggtp.gdl.language.syntax import DOES, Atom, Functor, Variable, literal_variables, variables

WIDE_HEAD = 5
"""For the interpreter, a relation is wide if a head has this number of variables. Boards with two coordinates need four
for a step."""

FREE = 3
"""A relation is also wide if a head has this number of variables no two of which share a condition: it has as many rows
as the product of their values."""

WIDE_STATIC_HEAD = 8
"""`WIDE_HEAD` for relations that depend on no state: they are computed once, but no longer if they are restricted."""

WIDE_CLAUSE = 5
"""For the grounder, a relation is wide if a clause has so many variables, those of its body included."""

Need: TypeAlias = Callable[[Atom], tuple[Atom, ...]]
"""Returns the companion of an atom, or nothing if its relation is not restricted."""

Questions: TypeAlias = Callable[[Clause, Need], Iterable[tuple[Atom, Sequence[Condition]]]]
"""Returns the restricted atoms that a clause asks for, each with the conditions that tell what is needed of it."""


def restrict(program: Program, restricted: Collection[Functor], questions: Questions) -> Program:
    """Return the program in which these relations hold only for what is asked of them, and all others mean the same.

    A relation is not restricted if no argument is known to all questions about it. Facts are never restricted.
    """
    known = {functor: frozenset(range(functor[1])) for functor in restricted}

    def need(atom: Atom) -> tuple[Atom, ...]:
        positions = known.get(atom.functor)
        if not positions:
            return ()
        # No name of a text has `;` in it, since that begins a comment.
        name = f"{atom.name};need{len(atom.args)}"
        return (Atom(name, tuple(atom.args[position] for position in sorted(positions)), atom.place),)

    changed = True
    while changed:
        changed = False
        for clause in program.clauses:
            for asked, conditions in questions(clause, need):
                bound = bound_variables(conditions)
                fits = {position for position, arg in enumerate(asked.args) if bound.issuperset(variables(arg))}
                if not known[asked.functor] <= fits:
                    known[asked.functor] &= fits
                    changed = True
    result: dict[Clause, None] = {}
    for clause in program.clauses:
        body = (*need(clause.head), *clause.body) if clause.body else ()
        result[Clause(clause.head, body, clause.place)] = None
        for asked, conditions in questions(clause, need):
            for head in need(asked):
                if head not in conditions:
                    result[Clause(head, tuple(conditions), clause.place)] = None
    return Program(tuple(result), program.roles)


# For the interpreter.


def for_states(program: Program) -> Program:
    """Return the same program, as far as players can tell, with the relations restricted that are wide in a state."""
    wide = _wide_in_states(program)
    if not wide:
        return program
    # Restricted relations help to find what is needed of others, but may make one depend on its own negation.
    for thorough in (True, False):
        found = restrict(program, wide, partial(_questions_in_order, wide, thorough))
        if not negative_cycles(found.clauses):
            return found
    return program


def _questions_in_order(
    wide: Collection[Functor], thorough: bool, clause: Clause, need: Need
) -> Iterator[tuple[Atom, Sequence[Condition]]]:
    """Yield each question with the conditions that come before it in the order of evaluation.

    Args:
        wide: the restricted relations.
        thorough: whether they are among these conditions.
        clause: the clause that asks.
        need: returns companions.
    """

    def cost(atom: Atom, known: Collection[Variable]) -> float:
        # Restricted relations come late, when many variables have values.
        return plain_cost(atom, known) + (100.0 if atom.functor in wide else 0.0)

    before: list[Condition] = [*need(clause.head)]
    for condition in ordered(clause.body, cost, bound_variables(before)):
        atom = atom_of(condition)
        restricted = atom is not None and atom.functor in wide
        if atom is not None and restricted:
            yield atom, list(before)
        if thorough or not restricted:
            before.append(condition)


def _wide_in_states(program: Program) -> set[Functor]:
    """The relations to restrict: the wide ones, and those that ask for them."""
    graph = dependencies(program.clauses)
    static = static_relations(program.clauses)
    used = {target for targets in graph.values() for target in targets}
    narrow = _narrow(program)
    # Players ask for relations that the language gives a meaning as a whole.
    free = {functor for functor in graph if functor[0] not in ARITIES and functor in used and functor not in narrow}
    wide: set[Functor] = set()
    for clause in program.clauses:
        functor = clause.head.functor
        if not clause.body or functor not in free or functor in wide:
            continue
        few = [atom for atom in clause.body if isinstance(atom, Atom) and atom.functor in narrow]
        head = set(literal_variables(clause.head)) - bound_variables(few)
        if len(head) >= WIDE_STATIC_HEAD or (
            (len(head) >= WIDE_HEAD or _independent(head, clause)) and functor not in static
        ):
            wide.add(functor)
    return {functor for functor in free if reachable(graph, [functor]) & wide} if wide else set()


def _independent(head: set[Variable], clause: Clause) -> bool:
    """Return whether `FREE` of these variables have nothing to do with each other, so that the head has many rows."""
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
    narrow = {DOES}
    while more := {
        functor for functor, found in bodies.items() if functor not in narrow and all(atoms & narrow for atoms in found)
    }:
        narrow |= more
    return narrow


# For the grounder.


def for_grounding(program: Program, roots: Collection[Functor]) -> Program:
    """Return a program in which the roots mean the same, and wide relations are written out for less.

    Args:
        program: its clauses should all matter to the roots.
        roots: the relations that may be asked for everything.
    """
    static = static_relations(program.clauses)
    wide = {
        clause.head.functor
        for clause in program.clauses
        if clause.head.functor not in static
        and clause.head.functor not in roots
        and len(set(clause.variables())) >= WIDE_CLAUSE
    }
    return restrict(program, wide, partial(_questions_by_static, wide, static))


def _questions_by_static(
    wide: Collection[Functor], static: Collection[Functor], clause: Clause, need: Need
) -> Iterator[tuple[Atom, Sequence[Condition]]]:
    """Yield each question with the conditions that depend on no state and have to do with what is asked."""
    given = need(clause.head)
    facts = [item for item in clause.body if isinstance(item, Atom) and item.functor in static]
    known = bound_variables((*given, *facts))
    tests = [*given, *(item for item in clause.body if _decided(item, static, known))]
    for atom in dict.fromkeys(map(atom_of, clause.body)):
        if atom is not None and atom.functor in wide:
            yield atom, _connected(tests, need(atom))


def _decided(item: Condition, static: Collection[Functor], known: Collection[Variable]) -> bool:
    """Return whether the condition depends on no state, given that these variables do not."""
    atom = atom_of(item)
    if atom is not None and atom.functor not in static:
        return False
    return isinstance(item, Atom) or all(variable in known for variable in condition_variables(item))


def _connected(tests: Sequence[Condition], companion: Sequence[Atom]) -> list[Condition]:
    """The tests that share variables with the companion, or with tests that do."""
    start = bound_variables(companion)
    found: list[Condition] = []
    left = list(tests)
    while near := [item for item in left if start.intersection(condition_variables(item))]:
        found += near
        left = [item for item in left if item not in near]
        start = start.union(*map(condition_variables, near))
    return [item for item in tests if item in found]
