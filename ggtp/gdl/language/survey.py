"""A rulesheet looked through once: who defines what, who uses it, what depends on what.

The checks of `validate` and `suspicions` ask here instead of walking the rules again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ggtp.errors import RulesError
from ggtp.gdl.language.dependencies import dependencies, reachable
from ggtp.gdl.language.faults import Fault, Severity
from ggtp.gdl.language.normalise import Clause, clauses_of
from ggtp.gdl.language.reader import Expression, Place, SList, Symbol
from ggtp.gdl.language.syntax import Atom, Compound, Rule, Rulesheet, Term, atoms

ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "base": 1,
    "does": 2,
    "legal": 2,
    "goal": 2,
    "input": 2,
    "sees": 2,
    "terminal": 0,
}
"""The relations that the language gives a meaning, each with the number of its arguments."""


@dataclass(frozen=True, slots=True)
class Use:
    """An atom in a rule."""

    atom: Atom
    rule: Rule
    head: bool


class Survey:
    """What the checks need to know of a rulesheet."""

    def __init__(self, sheet: Rulesheet) -> None:
        self.sheet = sheet
        self.faults: list[Fault] = []
        """What came up while looking."""
        self.clauses: list[tuple[Rule, Clause]] = []
        for rule in sheet.rules:
            try:
                self.clauses += [(rule, clause) for clause in clauses_of(rule)]
            except RulesError as error:
                remedy = "Give some of its alternatives a relation of their own."
                self.faults.append(Fault(error.message, remedy, error.line, error.column))
        self.uses: list[Use] = []
        """Every atom of every rule, in the order of the text."""
        for rule in sheet.rules:
            self.uses.append(Use(rule.head, rule, True))
            for literal in rule.body:
                self.uses += [Use(atom, rule, False) for atom in atoms(literal)]
        self.defined = {use.atom.name for use in self.uses if use.head}
        self.graph = dependencies(clause for _, clause in self.clauses)
        self._reach: dict[str, set[str]] = {}

    def reach(self, name: str) -> set[str]:
        """The names of all relations that a relation depends on, its own included."""
        found = self._reach.get(name)
        if found is None:
            starts = [key for key in self.graph if key[0] == name]
            found = self._reach[name] = {key[0] for key in reachable(self.graph, starts)}
        return found


def fault(message: str, remedy: str, place: Place, severity: Severity = Severity.ERROR) -> Fault:
    """A fault at a place."""
    return Fault(message, remedy, place.line, place.column, severity)


def warning(message: str, remedy: str, place: Place) -> Fault:
    """A warning at a place."""
    return Fault(message, remedy, place.line, place.column, Severity.WARNING)


def word_place(rule: Rule, word: str, after: Place | None = None) -> Place:
    """Where the word stands first in the rule's text, from `after` on; the rule's own place where it does not."""
    start = after or rule.place
    if rule.source is not None:
        for symbol in _symbols(rule.source):
            if symbol.text == word and symbol.place >= start:
                return symbol.place
    return start


def _symbols(expression: Expression) -> Iterator[Symbol]:
    if isinstance(expression, SList):
        for item in expression.items:
            yield from _symbols(item)
    else:
        yield expression


def compounds(term: Term) -> Iterator[Compound]:
    """The compounds in the term, itself included."""
    if isinstance(term, Compound):
        yield term
        for arg in term.args:
            yield from compounds(arg)
