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

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from ggtp.gdl.language.dependencies import static_relations
from ggtp.gdl.language.normalise import (
    Clause,
    Condition,
    Negation,
    Program,
    atom_of,
    bound_variables,
    condition_terms,
    condition_variables,
)
from ggtp.gdl.language.syntax import Atom, Compound, Functor, Term, Variable, literal_variables

# No name in a rulesheet has a blank in it.
PART = "part of"
GUARD = "guard of"

WIDE_QUESTION = 6
"""From how many variables on a clause shares what it asks with others that ask the same."""
WIDE_MERGED = 5
"""From how many variables on clauses become one that differ in one part only."""


def split(program: Program) -> Program:
    """Clauses that mean the same, each with as few variables as bucket elimination leaves.

    The new relations are called `PART` or `GUARD` and a number. In a play, parts are what
    their clauses say, and guards hold.
    """
    splitter = _Splitter(static_relations(program.clauses))
    splitter.shared = _asked_twice(program.clauses, splitter)
    clauses: list[Clause] = []
    for clause in program.clauses:
        done = splitter.clause(splitter.projected(clause))
        clauses += splitter.new
        splitter.new.clear()
        clauses.append(done)
    clauses = _merged(clauses, splitter)
    return Program(tuple(clauses), program.roles)


def _asked_twice(clauses: Iterable[Clause], splitter: _Splitter) -> set[str]:
    """What several wide clauses ask in the same way, as spellings of questions; see `projected`."""
    asked = Counter(key for clause in clauses for _, _, key in splitter.questions(clause))
    return {key for key, times in asked.items() if times > 1}


def _merged(clauses: Sequence[Clause], splitter: _Splitter) -> list[Clause]:
    """Wide clauses that differ in one part only, as one clause about any of these parts."""
    alike: dict[tuple[Atom, frozenset[Condition], tuple[Term, ...]], list[tuple[int, Atom]]] = {}
    for number, clause in enumerate(clauses):
        if len(set(clause.variables())) < WIDE_MERGED:
            continue
        for item in clause.body:
            if isinstance(item, Atom) and item.name.startswith(PART) and item.functor not in splitter.static:
                rest = frozenset(other for other in clause.body if other != item)
                alike.setdefault((clause.head, rest, item.args), []).append((number, item))
    gone: set[int] = set()
    instead: dict[int, list[Clause]] = {}
    for (head, rest, _), found in alike.items():
        left = [(number, item) for number, item in found if number not in gone]
        if len(left) < 2 or not rest:
            continue
        numbers = [number for number, _ in left]
        clause = clauses[numbers[0]]
        part = splitter.any_of([item for _, item in left], clause)
        body = tuple(part if item == left[0][1] else item for item in clause.body)
        instead[numbers[0]] = [*splitter.new, Clause(head, body, clause.place)]
        splitter.new.clear()
        gone.update(numbers)
    return [
        new for number, clause in enumerate(clauses) for new in instead.get(number, [] if number in gone else [clause])
    ]


def widest_part(clause: Clause, static: Collection[Functor]) -> int:
    """The most variables of a clause that is left when this one is split, but for clauses that never change."""
    splitter = _Splitter(static)
    parts = [splitter.clause(clause), *splitter.new]
    return max(len(set(part.variables())) for part in parts if part.head.functor not in splitter.static)


def is_guard(functor: Functor) -> bool:
    """Whether the relation is a guard, which holds in every state in which it is asked for."""
    return functor[0].startswith(GUARD)


class _Splitter:
    """Splits clause after clause; `new` holds the clauses of parts and guards that are not yet written."""

    def __init__(self, static: Collection[Functor]) -> None:
        self.static = set(static)
        self.parts: dict[str, str] = {}
        self.new: list[Clause] = []
        self.shared: set[str] = set()
        """The questions of wide clauses that are asked more than once."""

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

    def questions(self, clause: Clause) -> list[tuple[Atom, list[Variable], str]]:
        """The atoms of a wide clause with variables that stand nowhere else, the other variables, and a spelling."""
        if len(set(clause.variables())) < WIDE_QUESTION:
            return []
        found = []
        for item in clause.body:
            if not isinstance(item, Atom) or self._is_static(item):
                continue
            others = [other for other in clause.body if other is not item]
            elsewhere = set(literal_variables(clause.head)).union(*map(condition_variables, others))
            own = list(dict.fromkeys(literal_variables(item)))
            kept = [name for name in own if name in elsewhere]
            if kept and len(kept) < len(own):
                numbers = {name: number for number, name in enumerate(own)}
                found.append((item, kept, f"{[numbers[name] for name in kept]} {_spelling(item, numbers)}"))
        return found

    def projected(self, clause: Clause) -> Clause:
        """The clause with parts for what it asks as others do, without the variables that nobody else needs.

        Where everything has to do with everything, nothing could be split off, and each clause would be written out
        for the values of these variables.
        """
        parts = {
            item: self._named(PART, [item], kept, clause)
            for item, kept, key in self.questions(clause)
            if key in self.shared
        }
        if not parts:
            return clause
        body = tuple(parts.get(item, item) if isinstance(item, Atom) else item for item in clause.body)
        return Clause(clause.head, body, clause.place)

    def any_of(self, atoms: Sequence[Atom], clause: Clause) -> Atom:
        """An atom that holds if any of these does, which have the same arguments."""
        arguments = tuple(dict.fromkeys(name for name in literal_variables(atoms[0])))
        name = f"{PART} {len(self.parts)}"
        self.parts[f"any of {name}"] = name
        head = Atom(name, arguments, clause.place)
        self.new += [Clause(head, (atom,), clause.place) for atom in dict.fromkeys(atoms)]
        return head

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
        bound = bound_variables(moved)
        for missing in sorted(scope - bound, key=str):
            if missing not in bound:
                guard = self._guard(missing, body, clause)
                moved.append(guard)
                bound.update(literal_variables(guard))
        return [*kept, self._part(moved, scope - gone, clause)]

    def _is_static(self, item: Condition) -> bool:
        atom = atom_of(item)
        return atom is None or atom.functor in self.static

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
    bound = bound_variables(body)
    return [
        set(condition_variables(item)) & bound if isinstance(item, Negation) else set(condition_variables(item))
        for item in body
    ]


def _skeleton(item: Condition) -> tuple[int, str]:
    """The condition without its variables' names, positive atoms first."""
    atom = atom_of(item)
    name = "" if atom is None else atom.name
    kind = 0 if isinstance(item, Atom) else 1
    return kind, f"{type(item).__name__} {name} {' '.join(map(_blank, condition_terms(item)))}"


def _blank(term: Term) -> str:
    if isinstance(term, Variable):
        return "?"
    if isinstance(term, Compound) and not term.ground:
        return f"({' '.join((term.name, *map(_blank, term.args)))})"
    return str(term)


def _spelling(item: Condition, numbers: dict[Variable, int]) -> str:
    """The condition with numbers for variables."""
    found = [str(numbers[variable]) for variable in condition_variables(item)]
    return f"{_skeleton(item)} {' '.join(found)}"
