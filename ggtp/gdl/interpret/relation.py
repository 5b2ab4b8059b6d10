"""Relations as sets of rows of numbers, with the indexes that evaluating clauses asks for.

Terms become numbers once (`Numbering`), so that joining rows is arithmetic on small tuples.
A row may hold the number of a compound; a clause that looks inside it asks for a *view* in
which the compound is replaced by its arguments, and for an *index* of that view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from ggtp.errors import RulesError
from ggtp.gdl.language.reader import MAX_DEPTH
from ggtp.gdl.language.syntax import Compound, Constant, Functor, Term, TermTable, depth

Row: TypeAlias = tuple[int, ...]
Shape: TypeAlias = "tuple[tuple[Functor, Shape] | None, ...]"
"""For each column: None, or the function whose applications are taken apart there, and how."""
Key: TypeAlias = Any
"""What `picker` makes of a row: a number for one column, a tuple for several."""


class Numbering:
    """Gives every ground term a number, and every number its term; a term is numbered once."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.functors: list[Functor | None] = []
        """For each number: name and arity of the compound, None for a constant."""
        self.args: list[Row] = []
        """For each number: the numbers of the compound's arguments, () for a constant."""
        self._table = TermTable()
        self._numbers: dict[Term, int] = {}
        self._compounds: dict[tuple[str, Row], int] = {}

    def number(self, term: Term) -> int:
        """The number of a ground term."""
        found = self._numbers.get(term)
        if found is not None:
            return found
        if isinstance(term, Compound):
            return self.compound(term.name, tuple(map(self.number, term.args)))
        assert isinstance(term, Constant), f"{term} is no ground term"
        return self._add(self._table.constant(term.name), None, ())

    def compound(self, name: str, args: Row) -> int:
        """The number of a function applied to numbered terms.

        Raises:
            RulesError: it is nested too deeply: the rules build terms without end.
        """
        found = self._compounds.get((name, args))
        if found is None:
            terms = self.terms
            parts = tuple(terms[arg] for arg in args)
            if any(depth(part) >= MAX_DEPTH for part in parts):
                raise RulesError(f"The rules build terms without end: '{name}' is nested {MAX_DEPTH} times.")
            found = self._add(self._table.compound(name, parts), (name, len(args)), args)
            self._compounds[name, args] = found
        return found

    def _add(self, term: Term, functor: Functor | None, args: Row) -> int:
        number = len(self.terms)
        self.terms.append(term)
        self.functors.append(functor)
        self.args.append(args)
        self._numbers[term] = number
        return number


def picker(columns: tuple[int, ...]) -> Callable[[Row], Key]:
    """A function that takes these columns of a row, as a key: a tuple unless it is one column."""
    return itemgetter(*columns) if columns else _nothing


def row_picker(columns: tuple[int, ...]) -> Callable[[Row], Row]:
    """A function that takes these columns of a row, always as a row."""
    if len(columns) == 1:
        return itemgetter(slice(columns[0], columns[0] + 1))
    return itemgetter(*columns) if columns else _nothing


def _nothing(row: Row) -> Row:
    return ()


@dataclass(frozen=True, slots=True)
class Access:
    """How a condition looks into a relation: which columns it knows, and which it wants to know."""

    shape: Shape
    known: tuple[int, ...]
    """Columns of the view that make the key."""
    wanted: tuple[int, ...]
    """Columns of the view that make the answer."""
    same: tuple[tuple[int, int], ...] = ()
    """Columns that must be equal to each other."""


class Relation:
    """A set of rows that only grows; views and indexes are made when asked for and grow with it."""

    __slots__ = ("_groups", "_indexes", "_numbering", "_views", "rows")

    def __init__(self, numbering: Numbering, rows: Iterable[Row] = ()) -> None:
        self.rows: set[Row] = set(rows)
        self._numbering = numbering
        self._groups: dict[int, dict[Functor | None, list[Row]]] = {}
        self._views: dict[Shape, list[Row]] = {}
        self._indexes: dict[Access, dict[Key, dict[Row, None]]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, rows: set[Row]) -> None:
        """Adds rows that it does not have yet."""
        self.rows |= rows
        self._groups.clear()
        for shape, view in self._views.items():
            more = self._flattened(rows, shape)
            view += more
            for access, index in self._indexes.items():
                if access.shape == shape:
                    _extend(index, access, more)

    def index(self, access: Access) -> Mapping[Key, Collection[Row]]:
        """For each key the answers, each once. Do not change it."""
        found = self._indexes.get(access)
        if found is None:
            found = self._indexes[access] = {}
            _extend(found, access, self._view(access.shape))
        return found

    def _view(self, shape: Shape) -> list[Row]:
        found = self._views.get(shape)
        if found is None:
            column = next((column for column, inner in enumerate(shape) if inner is not None), None)
            rows: Iterable[Row] = self.rows
            if column is not None:
                inner = shape[column]
                assert inner is not None
                rows = self._group(column).get(inner[0], ())
            found = self._views[shape] = self._flattened(rows, shape)
        return found

    def _group(self, column: int) -> dict[Functor | None, list[Row]]:
        """The rows by the function in that column: many clauses ask for one function each."""
        groups = self._groups.get(column)
        if groups is None:
            groups = self._groups[column] = {}
            functors = self._numbering.functors
            for row in self.rows:
                groups.setdefault(functors[row[column]], []).append(row)
        return groups

    def _flattened(self, rows: Iterable[Row], shape: Shape) -> list[Row]:
        """The rows that have the shape, each compound of it replaced by its arguments."""
        result = list(rows)
        # From the right, so that the columns to the left stay where they are.
        for column in range(len(shape) - 1, -1, -1):
            inner = shape[column]
            if inner is not None:
                functor, inside = inner
                args, functors = self._numbering.args, self._numbering.functors
                apart = [(row, args[row[column]]) for row in result if functors[row[column]] == functor]
                if any(part is not None for part in inside):
                    apart = [(row, part) for row, whole in apart for part in self._flattened((whole,), inside)]
                after = column + 1
                result = [row[:column] + part + row[after:] for row, part in apart]
        return result


def _extend(index: dict[Key, dict[Row, None]], access: Access, rows: Iterable[Row]) -> None:
    for one, other in access.same:
        rows = [row for row in rows if row[one] == row[other]]
    key, answer = picker(access.known), row_picker(access.wanted)
    for row in rows:
        found = index.get(key(row))
        if found is None:
            index[key(row)] = {answer(row): None}
        else:
            found[answer(row)] = None
