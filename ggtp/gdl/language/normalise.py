"""Rules → clauses: heads with plain conjunctions of atoms, negated atoms and `distinct`.

`or` becomes several clauses, `and` disappears, `not` moves inwards until it stands before
atoms, `(not (distinct a b))` makes the two terms equal, and comparisons that are decided by
themselves are dropped, or the clause with them. `ordered` puts a body in an order in which
it can be evaluated from left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ggtp.errors import RulesError
from ggtp.gdl.language.reader import NOWHERE, Place
from ggtp.gdl.language.syntax import (
    And,
    Atom,
    Compound,
    Distinct,
    Literal,
    Not,
    Or,
    Rule,
    Rulesheet,
    Term,
    Variable,
    literal_variables,
    variables,
)

MAX_ALTERNATIVES = 4096
"""How many clauses one rule may become. The most that known rulesheets need is a few dozen."""


@dataclass(frozen=True, slots=True)
class Negation:
    """The atom does not hold, for any value of the variables that stand nowhere else in the clause."""

    atom: Atom

    @property
    def place(self) -> Place:
        """Where the atom stands."""
        return self.atom.place

    def __str__(self) -> str:
        return f"(not {self.atom})"


Condition: TypeAlias = Atom | Negation | Distinct
"""One of the conditions of a clause."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The head holds if all conditions do."""

    head: Atom
    body: tuple[Condition, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({' '.join(('<=', str(self.head), *map(str, self.body)))})" if self.body else str(self.head)

    def variables(self) -> Iterator[Variable]:
        """The variables of head and body from left to right, repeated as they are."""
        yield from literal_variables(self.head)
        for condition in self.body:
            yield from condition_variables(condition)


@dataclass(frozen=True, slots=True)
class Program:
    """The clauses of a rulesheet, in the order of its rules, each once."""

    clauses: tuple[Clause, ...]
    roles: tuple[Term, ...] = ()
    """The players in the order of the text, which clauses as a set do not tell."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))


def normalise(sheet: Rulesheet) -> Program:
    """The clauses that mean the same as the rulesheet.

    Raises:
        RulesError: a rule with so many `or`s that it would become too many clauses.
    """
    clauses: dict[Clause, None] = {}
    for rule in sheet.rules:
        clauses.update(dict.fromkeys(clauses_of(rule)))
    return Program(tuple(clauses), sheet.roles())


def clauses_of(rule: Rule) -> list[Clause]:
    """The clauses of one rule, as `normalise` makes them; none if its body can never hold."""
    result = []
    for conditions in _conjunctions(And(rule.body, rule.place), True):
        clause = _clause(rule, conditions)
        if clause is not None:
            result.append(clause)
    return result


def atom_of(condition: Condition) -> Atom | None:
    """The atom that the condition asks about, negated or not; None for a comparison."""
    if isinstance(condition, Negation):
        return condition.atom
    return None if isinstance(condition, Distinct) else condition


def condition_terms(condition: Condition) -> tuple[Term, ...]:
    """The terms that the condition is about."""
    if isinstance(condition, Distinct):
        return condition.left, condition.right
    return condition.atom.args if isinstance(condition, Negation) else condition.args


def condition_variables(condition: Condition) -> Iterator[Variable]:
    """The variables of the condition from left to right, repeated as they are."""
    return literal_variables(condition.atom if isinstance(condition, Negation) else condition)


def bound_variables(conditions: Iterable[Condition]) -> set[Variable]:
    """The variables that the conditions give values: those of atoms that are not negated."""
    return {variable for item in conditions if isinstance(item, Atom) for variable in literal_variables(item)}


def substitute(term: Term, values: Mapping[Variable, Term]) -> Term:
    """The term with values for some of its variables, all put in at once."""
    if isinstance(term, Variable):
        return values.get(term, term)
    if isinstance(term, Compound) and not term.ground:
        return Compound(term.name, tuple(substitute(arg, values) for arg in term.args))
    return term


def substitute_condition(condition: Condition, values: Mapping[Variable, Term]) -> Condition:
    """The condition with values for some of its variables, all put in at once."""
    match condition:
        case Atom():
            return Atom(condition.name, tuple(substitute(arg, values) for arg in condition.args), condition.place)
        case Negation():
            atom = substitute_condition(condition.atom, values)
            assert isinstance(atom, Atom)
            return Negation(atom)
        case Distinct():
            left, right = substitute(condition.left, values), substitute(condition.right, values)
            return Distinct(left, right, condition.place)


@dataclass(frozen=True, slots=True)
class _Same:
    """The two terms must be the same: what is left of `(not (distinct a b))` until a clause is made."""

    left: Term
    right: Term


_Conjunction: TypeAlias = tuple[Condition | _Same, ...]


def _conjunctions(literal: Literal, positive: bool) -> list[_Conjunction]:
    """The literal, or its negation, as a disjunction of conjunctions."""
    match literal:
        case Atom():
            return [(literal,)] if positive else [(Negation(literal),)]
        case Distinct():
            return [(literal,)] if positive else [(_Same(literal.left, literal.right),)]
        case Not():
            return _conjunctions(literal.body, not positive)
        case Or() | And():
            parts = literal.options if isinstance(literal, Or) else literal.parts
            choices = [_conjunctions(part, positive) for part in parts]
            if isinstance(literal, Or) == positive:
                return [conjunction for choice in choices for conjunction in choice]
            product: list[_Conjunction] = [()]
            for choice in choices:
                if len(product) * len(choice) > MAX_ALTERNATIVES:
                    message = f"With all its alternatives this is more than {MAX_ALTERNATIVES} rules."
                    raise RulesError(message, line=literal.place.line, column=literal.place.column)
                product = [(*done, *more) for done in product for more in choice]
            return product


def _clause(rule: Rule, conjunction: _Conjunction) -> Clause | None:
    """The clause with that body, without what is decided by itself; None if the body can never hold."""
    values: dict[Variable, Term] = {}
    conditions: list[Condition] = []
    for condition in conjunction:
        if not isinstance(condition, _Same):
            conditions.append(condition)
        elif not unify(condition.left, condition.right, values):
            return None
    head = rule.head
    if values:
        head = Atom(head.name, tuple(substitute(arg, values) for arg in head.args), head.place)
        conditions = [substitute_condition(condition, values) for condition in conditions]
    body: dict[Condition, None] = {}
    for condition in conditions:
        if isinstance(condition, Distinct):
            if condition.left == condition.right:
                return None
            if not unify(condition.left, condition.right, {}):
                continue
        body[condition] = None
    return Clause(head, tuple(body), rule.place)


def unify(left: Term, right: Term, values: dict[Variable, Term]) -> bool:
    """Whether both terms can be the same; `values` is extended so that they are once its values are put in."""
    left, right = substitute(left, values), substitute(right, values)
    if left == right:
        return True
    if isinstance(right, Variable) and not isinstance(left, Variable):
        left, right = right, left
    if isinstance(left, Variable):
        if left in variables(right):
            return False
        for variable in values:
            values[variable] = substitute(values[variable], {left: right})
        values[left] = right
        return True
    if not (isinstance(left, Compound) and isinstance(right, Compound)):
        return False
    if left.name != right.name or len(left.args) != len(right.args):
        return False
    return all(unify(one, other, values) for one, other in zip(left.args, right.args, strict=True))


Cost: TypeAlias = Callable[[Atom, Collection[Variable]], float]
"""A guess how many rows of an atom's relation fit, given which of its variables have values."""


def ordered(body: Sequence[Condition], cost: Cost, bound: Collection[Variable] = ()) -> list[Condition]:
    """The body in the order in which to evaluate it.

    Comparisons and negations come as soon as all their variables have values that anything
    before or after them could give; among the atoms the one that fits the fewest rows goes
    first. With an empty `bound` nothing has a value at the start.
    """
    known = set(bound)
    waiting = list(body)
    givable = known | bound_variables(waiting)
    result: list[Condition] = []
    while waiting:
        tests = [
            item
            for item in waiting
            if not isinstance(item, Atom) and known.issuperset(givable.intersection(condition_variables(item)))
        ]
        if tests:
            result += tests
            waiting = [item for item in waiting if item not in tests]
            continue
        chosen = min((item for item in waiting if isinstance(item, Atom)), key=lambda atom: cost(atom, known))
        result.append(chosen)
        waiting.remove(chosen)
        known.update(literal_variables(chosen))
    return result


def plain_cost(atom: Atom, known: Collection[Variable]) -> float:
    """A guess that knows no sizes: the more variables without a value, the more rows; moves are few, facts some."""
    free = len(set(literal_variables(atom)).difference(known))
    return free * {"does": 0.5, "true": 0.8, "role": 0.6}.get(atom.name, 1.0)
