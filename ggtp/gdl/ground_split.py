"""Clauses with many variables → several with few, so that grounding them does not explode.

A variable that stands in the body only is eliminated by moving all conditions about it into a
new clause, whose head, a *part*, keeps the other variables of these conditions: bucket
elimination. Equal parts are shared by all clauses.

A condition that is moved may lose the atom that gave its variables their values. Then a
*guard* takes its place in the part: a relation that holds for every value that this atom can
ever give. The atom itself stays where it was, so a guard means nothing in a state: whoever
reads the ground rules takes it as true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ggtp.gdl.ground_demand import static_relations
from ggtp.gdl.normalise import Clause, Condition, Negation, Program, condition_variables
from ggtp.gdl.relation import Functor
from ggtp.gdl.syntax import Atom, Compound, Distinct, Term, Variable, literal_variables, variables

# No name in a rulesheet has a blank in it.
PART = "part of"
GUARD = "guard of"


def split(program: Program) -> Program:
    """Clauses that mean the same, each with as few variables as bucket elimination leaves.

    The new relations are called `PART` or `GUARD` and a number. In a play, parts are what
    their clauses say, and guards hold.
    """
    splitter = _Splitter(static_relations(program.clauses))
    clauses: list[Clause] = []
    for clause in program.clauses:
        done = splitter.clause(clause)
        clauses += splitter.new
        splitter.new.clear()
        clauses.append(done)
    return Program(tuple(clauses), program.roles)


def is_guard(functor: Functor) -> bool:
    """Whether the relation is a guard, which holds in every state in which it is asked for."""
    return functor[0].startswith(GUARD)


class _Splitter:
    """Splits clause after clause; `new` holds the clauses of parts and guards that are not yet written."""

    def __init__(self, static: Collection[Functor]) -> None:
        self.static = set(static)
        self.parts: dict[str, str] = {}
        self.new: list[Clause] = []

    def clause(self, clause: Clause) -> Clause:
        head = set(literal_variables(clause.head))
        body = list(clause.body)
        while True:
            wide = _wide(body)
            everything = head.union(*map(wide.__getitem__, range(len(body)))) if body else head
            found = self._cheapest(body, wide, everything - head)
            if found is None or len(found[1]) >= len(everything):
                break
            variable, scope = found
            changing = [
                item for item, names in zip(body, wide, strict=True) if variable in names and not self._is_static(item)
            ]
            # One atom after another loses its variables one by one, since other clauses may share the steps.
            gone = {variable} if len(changing) == 1 else self._with(variable, scope, wide, head)
            body = self._eliminate(clause, body, wide, gone, scope)
        return Clause(clause.head, tuple(body), clause.place)

    def _with(
        self, variable: Variable, scope: set[Variable], wide: Sequence[set[Variable]], head: Collection[Variable]
    ) -> set[Variable]:
        """The variable and those that can go with it, because no condition about them reaches out of its scope."""
        return {variable} | {
            other for other in scope.difference(head) if all(names <= scope for names in wide if other in names)
        }

    def _cheapest(
        self, body: Sequence[Condition], wide: Sequence[set[Variable]], candidates: Collection[Variable]
    ) -> tuple[Variable, set[Variable]] | None:
        """The variable whose conditions have the fewest variables, and these."""
        best: tuple[tuple[int, int, str], Variable, set[Variable]] | None = None
        for variable in candidates:
            touched = [index for index in range(len(body)) if variable in wide[index]]
            scope = set().union(*(wide[index] for index in touched))
            key = (len(scope), len(touched), variable.name)
            if best is None or key < best[0]:
                best = key, variable, scope
        return None if best is None else best[1:]

    def _eliminate(
        self,
        clause: Clause,
        body: list[Condition],
        wide: Sequence[set[Variable]],
        gone: set[Variable],
        scope: set[Variable],
    ) -> list[Condition]:
        """The body with a part in the place of all conditions about these variables."""
        moved = [item for item, names in zip(body, wide, strict=True) if gone & names]
        kept = [item for item, names in zip(body, wide, strict=True) if not gone & names]
        for item, names in zip(body, wide, strict=True):
            # What never changes costs nothing in the ground rules and keeps parts small.
            if not gone & names and names and names <= scope and self._is_static(item):
                moved.append(item)
        bound = {name for item in moved if isinstance(item, Atom) for name in literal_variables(item)}
        for missing in sorted(scope - bound, key=str):
            if missing not in bound:
                guard = self._guard(missing, body, clause)
                moved.append(guard)
                bound.update(literal_variables(guard))
        return [*kept, self._part(moved, scope - gone, clause)]

    def _is_static(self, item: Condition) -> bool:
        if isinstance(item, Distinct):
            return True
        atom = item.atom if isinstance(item, Negation) else item
        return (atom.name, len(atom.args)) in self.static

    def _guard(self, variable: Variable, body: Iterable[Condition], clause: Clause) -> Atom:
        """An atom that gives the variable every value that the atoms of the body can."""
        sources = [item for item in body if isinstance(item, Atom) and variable in literal_variables(item)]
        source = min(sources, key=lambda item: (not self._is_static(item), len(set(literal_variables(item)))))
        if self._is_static(source) and set(literal_variables(source)) == {variable}:
            return source
        name = GUARD if not self._is_static(source) else PART
        return self._named(name, [source], [variable], clause)

    def _part(self, moved: Sequence[Condition], scope: Collection[Variable], clause: Clause) -> Atom:
        return self._named(PART, moved, sorted(scope, key=str), clause)

    def _named(self, prefix: str, body: Sequence[Condition], given: Sequence[Variable], clause: Clause) -> Atom:
        """The head of the clause with that body, made if there is none that differs by variables' names only."""
        body = sorted(body, key=_skeleton)
        numbers: dict[Variable, int] = {}
        for item in body:
            for variable in condition_variables(item):
                numbers.setdefault(variable, len(numbers))
        arguments = sorted(given, key=numbers.__getitem__)
        key = f"{prefix} {[numbers[item] for item in arguments]} {[_spelling(item, numbers) for item in body]}"
        name = self.parts.get(key)
        if name is None:
            name = self.parts[key] = f"{prefix} {len(self.parts)}"
            self.new.append(Clause(Atom(name, tuple(arguments), clause.place), tuple(body), clause.place))
            if all(map(self._is_static, body)):
                self.static.add((name, len(arguments)))
        return Atom(name, tuple(arguments), clause.place)


def _wide(body: Sequence[Condition]) -> list[set[Variable]]:
    """The variables of each condition, without those that stand in one negation alone."""
    bound = {variable for item in body if isinstance(item, Atom) for variable in literal_variables(item)}
    return [
        set(condition_variables(item)) & bound if isinstance(item, Negation) else set(condition_variables(item))
        for item in body
    ]


def _skeleton(item: Condition) -> tuple[int, str]:
    """The condition without its variables' names, positive atoms first."""
    atom = item.atom if isinstance(item, Negation) else item
    terms = [atom.left, atom.right] if isinstance(atom, Distinct) else [*atom.args]
    name = "" if isinstance(atom, Distinct) else atom.name
    kind = 0 if isinstance(item, Atom) else 1
    return kind, f"{type(item).__name__} {name} {' '.join(_blank(term) for term in terms)}"


def _blank(term: Term) -> str:
    if isinstance(term, Variable):
        return "?"
    if isinstance(term, Compound) and not term.ground:
        return f"({' '.join((term.name, *map(_blank, term.args)))})"
    return str(term)


def _spelling(item: Condition, numbers: dict[Variable, int]) -> str:
    """The condition with numbers for variables."""
    atom = item.atom if isinstance(item, Negation) else item
    terms = [atom.left, atom.right] if isinstance(atom, Distinct) else [*atom.args]
    found = [str(numbers[variable]) for term in terms for variable in variables(term)]
    return f"{_skeleton(item)} {' '.join(found)}"
