"""Splits clauses with many variables into several with few, without changing what they mean.

A variable that stands in the body alone is eliminated as in bucket elimination: the
conditions that mention it become the body of an auxiliary clause, whose head keeps the other
variables of these conditions. Where a negation or comparison mentions a variable that its
bucket gives no value, an atom of the same clause that does is added as a guard. Equal
auxiliary relations are shared.

What is evaluated set by set does not need this; what writes out every instance of a clause
does, since their number grows with the power of the number of variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ggtp.gdl.language.normalise import Clause, Condition, Program, condition_variables, substitute_condition
from ggtp.gdl.language.syntax import Atom, Term, Variable, literal_variables

PREFIX = "split;"
"""How auxiliary relations are named; no relation of a text is, since `;` begins a comment."""


def split(program: Program) -> Program:
    """The same program with few variables to a clause; its auxiliary relations begin with `PREFIX`."""
    made = {clause.head.name for clause in program.clauses if is_auxiliary(clause.head.name)}
    splitter = _Splitter(len(made))
    clauses = [splitter.split(clause) for clause in program.clauses]
    return Program(tuple(dict.fromkeys([*clauses, *splitter.clauses])), program.roles)


def is_auxiliary(name: str) -> bool:
    """Whether a relation of that name was made here."""
    return name.startswith(PREFIX)


class _Splitter:
    """Keeps the auxiliary clauses, so that clauses can share them."""

    def __init__(self, used: int) -> None:
        self._used = used
        """How many names are taken, by an earlier splitting of the same program."""
        self.clauses: list[Clause] = []
        self._names: dict[tuple[tuple[Term, ...], tuple[Condition, ...]], str] = {}

    def split(self, clause: Clause) -> Clause:
        """The clause with fewer variables; the clauses that it needs for that are kept."""
        kept = set(literal_variables(clause.head))
        body = list(clause.body)
        while True:
            candidates = [
                (len(_bound(bucket)) + len(_unbound(bucket)), variable.name, bucket)
                for variable in dict.fromkeys(_bound(body))
                if variable not in kept
                for bucket in [[item for item in body if variable in condition_variables(item)]]
            ]
            width = len(_bound(body))
            # The smallest bucket first: eliminating it makes the others no larger than they must be.
            for _, _, bucket in sorted(candidates, key=lambda item: item[:2]):
                replaced = self._eliminate(bucket, body, kept, width)
                if replaced is not None:
                    body = replaced
                    break
            else:
                return Clause(clause.head, tuple(body), clause.place) if body != list(clause.body) else clause

    def _eliminate(
        self, bucket: Sequence[Condition], body: Sequence[Condition], kept: set[Variable], width: int
    ) -> list[Condition] | None:
        """The body with the bucket replaced by an auxiliary atom; None where that would save no variable."""
        others = [item for item in body if item not in bucket]
        inside = [*bucket]
        for missing in _unbound(bucket):
            if missing in _bound(body) and missing not in _bound(inside):
                inside.append(self._guard(missing, body, {*_bound(inside), *_unbound(inside)}))
        inner = _bound(inside)
        if len(inner) >= width:
            return None
        outside = kept.union(*map(condition_variables, others))
        args = [item for item in inner if item in outside]
        return [*others, self._auxiliary(args, inside)]

    def _guard(self, variable: Variable, body: Iterable[Condition], allowed: set[Variable]) -> Atom:
        """An atom that holds at least for the values of the variable for which the body can hold."""
        atoms = [item for item in body if isinstance(item, Atom) and variable in literal_variables(item)]
        # One of the program's own relations, if it is no larger: the meaning of auxiliary ones is less plain.
        best = min(atoms, key=lambda atom: (len(set(literal_variables(atom)) - allowed), is_auxiliary(atom.name)))
        return best if allowed.issuperset(literal_variables(best)) else self._auxiliary([variable], [best])

    def _auxiliary(self, args: Sequence[Variable], body: Sequence[Condition]) -> Atom:
        """The atom that holds exactly for the values for which the body does."""
        in_order = sorted(body, key=_masked)
        names: dict[Variable, Term] = {}
        for condition in in_order:
            for variable in condition_variables(condition):
                names.setdefault(variable, Variable(f"?{len(names)}"))
        head = sorted(args, key=lambda variable: names[variable].name)
        renamed = tuple(substitute_condition(condition, names) for condition in in_order)
        key = tuple(names[variable] for variable in head), renamed
        name = self._names.get(key)
        if name is None:
            self._names[key] = name = f"{PREFIX}{self._used + len(self._names) + 1}"
            self.clauses.append(Clause(Atom(name, key[0]), renamed))
        return Atom(name, tuple(head))


def _masked(condition: Condition) -> str:
    return re.sub(r"\?[^\s()]*", "?", str(condition))


def _bound(body: Iterable[Condition]) -> list[Variable]:
    """The variables that the atoms of the body give values, each once."""
    atoms = (item for item in body if isinstance(item, Atom))
    return list(dict.fromkeys(variable for atom in atoms for variable in literal_variables(atom)))


def _unbound(body: Sequence[Condition]) -> list[Variable]:
    """The variables of tests that no atom of the body gives a value."""
    tests = (item for item in body if not isinstance(item, Atom))
    bound = _bound(body)
    found = dict.fromkeys(variable for test in tests for variable in condition_variables(test))
    return [variable for variable in found if variable not in bound]


def widest(program: Program) -> int:
    """The largest number of variables that a clause of the program has."""
    return max((len(_bound(clause.body)) for clause in program.clauses), default=0)
