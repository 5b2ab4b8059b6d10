"""S-expressions → rules: what each list means.

Besides what the language has, this accepts what rule files in the wild have and what can
mean only one thing: `:-` for `<=`, the arrow after the head (`((head) <= (body))`), rules
with an empty body, and `and` (unless the rulesheet has a relation of that name). What cannot
be understood is left out and listed in `Rulesheet.faults`.
"""

from __future__ import annotations

from ggtp.errors import RulesError
from ggtp.gdl.language.faults import Fault, Severity, as_error, errors
from ggtp.gdl.language.reader import Expression, Place, SList, Symbol, read
from ggtp.gdl.language.syntax import And, Atom, Distinct, Literal, Not, Or, Rule, Rulesheet, Term, TermTable

ARROWS = ("<=", ":-")
CONNECTIVES = ("not", "or", "and", "distinct")


def parse(text: str, path: str = "") -> Rulesheet:
    """The rulesheet of a text, with a fault for every form that is no rule.

    Raises:
        RulesError: the text can't be read at all.
    """
    reading = read(text, path)
    parser = _Parser(reading.expressions)
    for place in reading.strays:
        parser.fault("This ')' closes nothing.", "Remove it.", place, Severity.WARNING)
    rules = [parser.rule(expression) for expression in reading.expressions]
    return Rulesheet(tuple(rule for rule in rules if rule is not None), tuple(parser.faults))


def parse_strictly(text: str, path: str = "") -> Rulesheet:
    """The rulesheet of a text in which every form is a rule.

    Raises:
        RulesError: for the first form that is none.
    """
    sheet = parse(text, path)
    for fault in errors(sheet.faults):
        raise as_error(fault, text, path)
    return sheet


def parse_term(text: str) -> Term:
    """The one term that the text holds.

    Raises:
        RulesError: it holds none, several, or something else.
    """
    expressions = read(text).expressions
    parser = _Parser(())
    term = parser.term(expressions[0]) if len(expressions) == 1 else None
    if term is None:
        raise RulesError(f"{text!r} is no term.")
    return term


class _Meaningless(Exception):
    """The form has no meaning; the fault has been noted."""


class _Parser:
    """Turns one rulesheet's expressions into rules; equal terms become the same object."""

    def __init__(self, expressions: tuple[Expression, ...]) -> None:
        self.terms = TermTable()
        self.faults: list[Fault] = []
        # A relation called `and` is a relation, as the reference has it.
        self.has_and = any(_head_name(expression) == "and" for expression in expressions)

    def fault(self, message: str, remedy: str, place: Place, severity: Severity = Severity.ERROR) -> None:
        self.faults.append(Fault(message, remedy, place.line, place.column, severity))

    def refuse(self, message: str, remedy: str, place: Place) -> _Meaningless:
        self.fault(message, remedy, place)
        return _Meaningless()

    def rule(self, expression: Expression) -> Rule | None:
        """The rule or fact, or None with a fault noted."""
        try:
            return self._rule(expression)
        except _Meaningless:
            return None

    def term(self, expression: Expression) -> Term | None:
        """The term, or None with a fault noted."""
        try:
            return self._term(expression)
        except _Meaningless:
            return None

    def _rule(self, expression: Expression) -> Rule:
        place = expression.place
        if not isinstance(expression, SList):
            if expression.text in ARROWS:
                raise self.refuse("An arrow outside of a rule.", "Write (<= head body...).", place)
            return Rule(self._sentence(expression, "fact"), (), place)
        items = expression.items
        arrow = _arrow(expression)
        if arrow is None:
            return Rule(self._sentence(expression, "fact"), (), place, expression)
        rest = items[:arrow] + items[arrow + 1 :]
        if not rest:
            raise self.refuse("A rule without a head.", "Write (<= head body...).", place)
        head = self._sentence(rest[0], "head")
        body: list[Literal] = []
        for item in rest[1:]:
            literal = self._literal(item)
            body += literal.parts if isinstance(literal, And) else [literal]
        if not body:
            self.fault("A rule with an empty body.", "Write it as a plain fact.", place, Severity.WARNING)
        return Rule(head, tuple(body), place, expression)

    def _sentence(self, expression: Expression, what: str) -> Atom:
        """The atom of a fact, a head or a body."""
        name, args = self._applied(expression, what)
        if name in CONNECTIVES and what != "literal" and not (name == "and" and self.has_and):
            remedy = "Only bodies have it." if what == "head" else "Facts are plain sentences."
            raise self.refuse(f"'{name}' cannot be the {what}.", remedy, expression.place)
        if name in ARROWS:
            raise self.refuse(f"An arrow cannot be a {what}.", "Check the parentheses before it.", expression.place)
        terms = tuple(self._term(arg) for arg in args)
        return Atom(name, terms, expression.place, isinstance(expression, Symbol))

    def _applied(self, expression: Expression, what: str) -> tuple[str, tuple[Expression, ...]]:
        """Name and arguments of a sentence or of a compound term."""
        if isinstance(expression, Symbol):
            first: Expression = expression
            args: tuple[Expression, ...] = ()
        elif not expression.items:
            raise self.refuse("Empty parentheses.", "Remove them, or write a name inside.", expression.place)
        else:
            first, args = expression.items[0], expression.items[1:]
        if not isinstance(first, Symbol):
            remedy = "There are parentheses too many, or a name is missing."
            raise self.refuse(f"A list stands where the name of a {what} should.", remedy, first.place)
        if first.text.startswith("?"):
            remedy = "Names of relations and functions must be constants."
            raise self.refuse(f"A variable, {first.text}, stands for the name of a {what}.", remedy, first.place)
        return first.text, args

    def _literal(self, expression: Expression) -> Literal:
        name = _name(expression)
        if name not in CONNECTIVES or (name == "and" and self.has_and):
            return self._sentence(expression, "literal")
        place = expression.place
        items = expression.items[1:] if isinstance(expression, SList) else ()
        if name == "distinct":
            if len(items) != 2:
                message = f"'distinct' has {len(items)} arguments."
                raise self.refuse(message, "It compares two terms: (distinct a b).", place)
            return Distinct(self._term(items[0]), self._term(items[1]), place)
        if name == "not":
            if len(items) != 1:
                message = f"'not' has {len(items)} arguments."
                raise self.refuse(message, "It takes one literal: (not (f x)).", place)
            return Not(self._literal(items[0]), place)
        if not items:
            raise self.refuse(f"'{name}' without arguments.", "Give it literals, or remove it.", place)
        parts = tuple(self._literal(item) for item in items)
        return Or(parts, place) if name == "or" else And(parts, place)

    def _term(self, expression: Expression) -> Term:
        if isinstance(expression, Symbol):
            if expression.text.startswith("?"):
                return self.terms.variable(expression.text)
            if expression.text in ARROWS:
                raise self.refuse("An arrow inside a term.", "Check the parentheses before it.", expression.place)
            return self.terms.constant(expression.text)
        name, args = self._applied(expression, "term")
        if name in ARROWS:
            raise self.refuse("A rule inside a rule.", "Check the parentheses before it.", expression.place)
        return self.terms.compound(name, tuple(self._term(arg) for arg in args))


def _name(expression: Expression) -> str | None:
    first = expression.items[0] if isinstance(expression, SList) and expression.items else expression
    return first.text if isinstance(first, Symbol) else None


def _arrow(expression: SList) -> int | None:
    """Where the arrow of a rule stands, if it is one: in front, or behind the head."""
    for index, item in enumerate(expression.items[:2]):
        # `(f <= x)` is more likely a fact about `<=` than a rule whose head is `f`.
        if _name(item) in ARROWS and isinstance(item, Symbol) and (not index or isinstance(expression.items[0], SList)):
            return index
    return None


def _head_name(expression: Expression) -> str | None:
    if not isinstance(expression, SList) or _arrow(expression) is None:
        return _name(expression)
    heads = [item for item in expression.items[:2] if _name(item) not in ARROWS]
    return _name(heads[0]) if heads else None
