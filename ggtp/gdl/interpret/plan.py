"""One clause → a plan: the joins, tests and projections that make its rows from other relations' rows.

A plan works on all rows at once. It starts with a single row that holds the clause's
constants; every atom adds columns or drops rows, every test drops rows, and columns that
nothing needs any more are projected away at once, so that conditions that merely must have
*some* solution do not multiply the others'.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ggtp.errors import RulesError
from ggtp.gdl.interpret.relation import Access, Numbering, Relation, Row, Shape, picker, row_picker
from ggtp.gdl.language.normalise import Clause, Condition, Negation, condition_terms, condition_variables
from ggtp.gdl.language.syntax import Atom, Compound, Distinct, Functor, Term, Variable, literal_variables

MAX_ROWS = 5_000_000
"""How many rows a step may make: more would take gigabytes. Rules that need more cannot be evaluated this way."""

MANY = 20_000
"""From how many rows on a step counts what it will make before it makes it."""

Rows: TypeAlias = list[Row]
Lookup: TypeAlias = Callable[[Functor], Relation]
"""The present rows of a relation, by its name and arity."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What to do with the rows so far."""

    source: Functor | None
    """The relation that it looks into, if any."""
    fresh: bool
    """Whether it looks at the newest rows of that relation only."""
    apply: Callable[[Rows, Relation | None], Rows]


class Plan:
    """How to make the rows of a clause's head."""

    __slots__ = ("_constants", "_head", "_steps")

    def __init__(self, clause: Clause, numbering: Numbering, fresh: Atom | None = None) -> None:
        """The plan for a clause whose body is evaluated from left to right.

        Args:
            clause: the clause, its body in order.
            numbering: the numbers of terms.
            fresh: the atom of the body (that object, not an equal one) that looks at new rows only.

        Raises:
            RulesError: a variable of the head never gets a value.
        """
        compiler = _Compiler(numbering, clause)
        self._steps = compiler.steps(clause.body, fresh)
        self._head = compiler.maker(clause.head)
        self._constants = compiler.constants

    def rows(self, lookup: Lookup, newest: Relation | None = None) -> set[Row]:
        """The rows of the head, from the present rows of the other relations."""
        rows: Rows = [self._constants]
        for step in self._steps:
            relation = None
            if step.source is not None:
                relation = newest if step.fresh else lookup(step.source)
            rows = step.apply(rows, relation)
            if not rows:
                return set()
        return set(map(self._head, rows))


class _Compiler:
    """Knows in which column of a row each variable and each constant stands."""

    def __init__(self, numbering: Numbering, clause: Clause) -> None:
        self.numbering = numbering
        self.columns: dict[Term, int] = {}
        self.head = clause.head
        terms: list[Term] = []
        for part in (clause.head, *clause.body):
            for arg in condition_terms(part):
                terms += [leaf for leaf in _flatten(arg)[1] if not isinstance(leaf, Variable)]
        for term in dict.fromkeys(terms):
            self.columns[term] = len(self.columns)
        self.constants = tuple(numbering.number(term) for term in self.columns)

    def steps(self, body: Sequence[Condition], fresh: Atom | None) -> list[_Step]:
        """A step for every condition, and projections where columns are no longer needed."""
        result = []
        for position, condition in enumerate(body):
            needed: set[Term] = set(literal_variables(self.head))
            for later in body[position + 1 :]:
                needed.update(condition_variables(later))
            match condition:
                case Atom():
                    result.append(self._join(condition, needed, condition is fresh))
                case Negation():
                    result.append(self._absent(condition.atom))
                case Distinct():
                    step = self._differ(condition)
                    result += [step] if step else []
            projection = self._projection(needed)
            result += [projection] if projection else []
        return result

    def maker(self, head: Atom) -> Callable[[Row], Row]:
        """A function from a row of the body to the row of the head."""
        for variable in literal_variables(head):
            if variable not in self.columns:
                message = f"{variable} in the head of a rule for '{head.name}' never gets a value."
                raise RulesError(message, line=head.place.line, column=head.place.column)
        if all(arg in self.columns for arg in head.args):
            return row_picker(tuple(self.columns[arg] for arg in head.args))
        if len(head.args) == 1:
            only = self._builder(head.args[0])
            return lambda row: (only(row),)
        builders = [self._builder(arg) for arg in head.args]
        return lambda row: tuple([build(row) for build in builders])

    def _builder(self, term: Term) -> Callable[[Row], int]:
        """A function from a row to the number of a term whose variables stand in it."""
        if term in self.columns:
            return picker((self.columns[term],))
        assert isinstance(term, Compound)
        name, compound = term.name, self.numbering.compound
        if all(arg in self.columns for arg in term.args):
            pick = row_picker(tuple(self.columns[arg] for arg in term.args))
            return lambda row: compound(name, pick(row))
        builders = [self._builder(arg) for arg in term.args]
        return lambda row: compound(name, tuple([build(row) for build in builders]))

    def _access(self, atom: Atom, needed: Collection[Term]) -> tuple[Access, tuple[int, ...], list[Term]]:
        """How to look into the atom's relation, the columns that make the key, and the new columns."""
        shape, leaves = _flatten_all(atom.args)
        known = tuple(column for column, leaf in enumerate(leaves) if leaf in self.columns)
        first: dict[Term, int] = {}
        same = []
        for column, leaf in enumerate(leaves):
            if leaf not in self.columns and first.setdefault(leaf, column) != column:
                same.append((first[leaf], column))
        new = [leaf for leaf in first if leaf in needed]
        access = Access(shape, known, tuple(first[leaf] for leaf in new), tuple(same))
        return access, tuple(self.columns[leaves[column]] for column in known), new

    def _join(self, atom: Atom, needed: Collection[Term], fresh: bool) -> _Step:
        access, columns, new = self._access(atom, needed)
        key, name, place = picker(columns), self.head.name, self.head.place

        def join(rows: Rows, relation: Relation | None) -> Rows:
            assert relation is not None
            get = relation.index(access).get
            if len(rows) > MANY and sum(len(get(key(row), ())) for row in rows) > MAX_ROWS:
                message = f"A rule for '{name}' needs more than {MAX_ROWS} rows."
                raise RulesError(message, line=place.line, column=place.column)
            return [row + more for row in rows for more in get(key(row), ())]

        def keep(rows: Rows, relation: Relation | None) -> Rows:
            assert relation is not None
            index = relation.index(access)
            return [row for row in rows if key(row) in index]

        start = len(self.columns)
        self.columns.update({leaf: start + number for number, leaf in enumerate(new)})
        return _Step(atom.functor, fresh, join if new else keep)

    def _absent(self, atom: Atom) -> _Step:
        access, columns, _ = self._access(atom, ())
        key = picker(columns)

        def absent(rows: Rows, relation: Relation | None) -> Rows:
            assert relation is not None
            index = relation.index(access)
            return [row for row in rows if key(row) not in index]

        return _Step(atom.functor, False, absent)

    def _differ(self, condition: Distinct) -> _Step | None:
        if not all(variable in self.columns for variable in condition_variables(condition)):
            # A variable without a value is no term, so it is the same as none.
            return None
        left, right = self._builder(condition.left), self._builder(condition.right)
        return _Step(None, False, lambda rows, _: [row for row in rows if left(row) != right(row)])

    def _projection(self, needed: set[Term]) -> _Step | None:
        kept = [term for term in self.columns if not isinstance(term, Variable) or term in needed]
        if len(kept) == len(self.columns):
            return None
        pick = row_picker(tuple(self.columns[term] for term in kept))
        self.columns = {term: column for column, term in enumerate(kept)}
        return _Step(None, False, lambda rows, _: list(set(map(pick, rows))))


def _flatten(term: Term) -> tuple[tuple[Functor, Shape] | None, list[Term]]:
    """How to take the term apart, and the variables and ground terms that come out."""
    if isinstance(term, Compound) and not term.ground:
        shape, leaves = _flatten_all(term.args)
        return ((term.name, len(term.args)), shape), leaves
    return None, [term]


def _flatten_all(terms: Sequence[Term]) -> tuple[Shape, list[Term]]:
    parts = [_flatten(term) for term in terms]
    return tuple(part[0] for part in parts), [leaf for part in parts for leaf in part[1]]
