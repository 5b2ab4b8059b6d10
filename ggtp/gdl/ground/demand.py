"""Restricts relations to what somebody asks of them, so that wide ones are not written out in full.

A rule such as `(<= (count ?a ?b ?c ?d ?n) ...)` holds for all cells, but may be asked for one
row of the board only. A *demand* relation lists for which values the clauses about it are
asked, as far as relations that never change tell, and becomes one more condition of them:
magic sets with what is static alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ggtp.gdl.language.dependencies import static_relations
from ggtp.gdl.language.normalise import Clause, Condition, Negation, Program, condition_variables
from ggtp.gdl.language.syntax import Atom, Distinct, Functor, Term, Variable, literal_variables, variables

DEMAND = "demand of"
"""How demand relations are called, with a number; no name in a rulesheet has a blank in it."""

WIDE = 5
"""Relations none of whose clauses has so many variables are cheap enough in full."""


def restrict(program: Program, roots: Collection[Functor]) -> Program:
    """A program in which the roots mean the same, and wide relations hold for less.

    Args:
        program: its clauses should all matter to the roots.
        roots: the relations that may be asked for everything.
    """
    return _Restriction(program, roots).program()


class _Restriction:
    def __init__(self, program: Program, roots: Collection[Functor]) -> None:
        self.clauses = program.clauses
        self.roles = program.roles
        self.static = static_relations(program.clauses)
        self.asked = self._asked(roots)
        """For each relation to restrict, the positions of its arguments that every clause that asks knows."""
        self.names = {functor: f"{DEMAND} {number}" for number, functor in enumerate(self.asked)}

    def _asked(self, roots: Collection[Functor]) -> dict[Functor, tuple[int, ...]]:
        wide = {
            clause.head.functor: tuple(range(len(clause.head.args)))
            for clause in self.clauses
            if len(set(_clause_variables(clause))) >= WIDE
            and clause.head.functor not in self.static
            and clause.head.functor not in roots
        }
        while True:
            before = dict(wide)
            for clause in self.clauses:
                known = self._known(clause, wide)
                for atom in _asked_atoms(clause):
                    if (functor := atom.functor) in wide:
                        wide[functor] = tuple(
                            position for position in wide[functor] if known.issuperset(variables(atom.args[position]))
                        )
            wide = {functor: positions for functor, positions in wide.items() if positions}
            if wide == before:
                return wide

    def _known(self, clause: Clause, wide: dict[Functor, tuple[int, ...]]) -> set[Variable]:
        """The variables that have a value before any state is looked at."""
        known = {
            variable
            for item in clause.body
            if isinstance(item, Atom) and item.functor in self.static
            for variable in literal_variables(item)
        }
        positions = wide.get(clause.head.functor, ())
        return known.union(*(variables(clause.head.args[position]) for position in positions))

    def program(self) -> Program:
        clauses: list[Clause] = []
        for clause in self.clauses:
            condition = self._demand(clause.head)
            clauses.append(Clause(clause.head, (*condition, *clause.body), clause.place))
            clauses += self._demands(clause, condition)
        return Program(tuple(dict.fromkeys(clauses)), self.roles)

    def _demand(self, atom: Atom) -> tuple[Atom, ...]:
        """The atom that says that this one is asked for, if it is one of those to restrict."""
        functor = atom.functor
        if functor not in self.asked:
            return ()
        args: tuple[Term, ...] = tuple(atom.args[position] for position in self.asked[functor])
        return (Atom(self.names[functor], args, atom.place),)

    def _demands(self, clause: Clause, condition: Sequence[Atom]) -> Iterable[Clause]:
        """What the clause asks for, as clauses."""
        known = self._known(clause, self.asked)
        tests = [*condition, *(item for item in clause.body if self._is_static(item, known))]
        for atom in _asked_atoms(clause):
            for head in self._demand(atom):
                body = _connected(tests, set(literal_variables(head)))
                if body != [head]:
                    yield Clause(head, tuple(body), clause.place)

    def _is_static(self, item: Condition, known: Collection[Variable]) -> bool:
        if isinstance(item, Atom):
            return item.functor in self.static
        if isinstance(item, Negation) and item.atom.functor not in self.static:
            return False
        return all(variable in known for variable in condition_variables(item))


def _connected(tests: Sequence[Condition], start: set[Variable]) -> list[Condition]:
    """The tests that have to do with these variables, or with others that these have to do with."""
    found: list[Condition] = []
    left = list(tests)
    while True:
        near = [item for item in left if start.intersection(condition_variables(item))]
        if not near:
            break
        found += near
        left = [item for item in left if item not in near]
        start = start.union(*(condition_variables(item) for item in near))
    return [item for item in tests if item in found]


def _asked_atoms(clause: Clause) -> list[Atom]:
    """The atoms of the body, negated or not."""
    atoms = [
        item.atom if isinstance(item, Negation) else item for item in clause.body if not isinstance(item, Distinct)
    ]
    return list(dict.fromkeys(atoms))


def _clause_variables(clause: Clause) -> Iterable[Variable]:
    yield from literal_variables(clause.head)
    for item in clause.body:
        yield from condition_variables(item)
