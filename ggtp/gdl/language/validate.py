"""Everything that is wrong with a rulesheet, each fault with its place and a remedy.

Errors are what no player can make sense of. What the language forbids but players play all
the same is a warning, and so is what is allowed but looks like a mistake (`suspicions`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ggtp.gdl.interpret.stratify import stratified
from ggtp.gdl.language.dependencies import component_numbers, negative_cycles
from ggtp.gdl.language.faults import Fault, Severity, as_error, errors, in_order
from ggtp.gdl.language.normalise import Clause, Negation, Program, atom_of, bound_variables, condition_variables
from ggtp.gdl.language.parse import parse, parse_strictly
from ggtp.gdl.language.survey import ARITIES, Survey, compounds, fault, warning, word_place
from ggtp.gdl.language.suspicions import suspicions
from ggtp.gdl.language.syntax import (
    And,
    Atom,
    Compound,
    Distinct,
    Functor,
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

REQUIRED = {
    "role": "Name the players: (role white).",
    "init": "Say how the game begins: (init (cell 1 1 blank)).",
    "legal": "Say which moves are legal: (<= (legal white (mark ?x)) ...).",
    "next": "Say what holds after a move: (<= (next (cell ?x o)) ...).",
    "terminal": "Say when the game is over: (<= terminal ...).",
    "goal": "Say what players get: (<= (goal white 100) ...).",
}

WITHOUT_MOVES = ("legal", "terminal", "goal")
"""Relations that must be known before anybody has moved."""


def validate(sheet: Rulesheet) -> list[Fault]:
    """All faults of the rulesheet, in the order of the text."""
    survey = Survey(sheet)
    found = [*sheet.faults, *survey.faults]
    for check in (_required, _roles, _keywords, _arities, _safety, _stratification, _recursion, suspicions):
        found += check(survey)
    return in_order(found)


def validate_text(text: str, path: str = "") -> list[Fault]:
    """All faults of a text.

    Raises:
        RulesError: it can't even be read.
    """
    return validate(parse(text, path))


def parse_validly(text: str, path: str = "") -> Rulesheet:
    """The rulesheet of a text in which nothing is wrong that no player can make sense of.

    Raises:
        RulesError: it can't be read, or for its first error, which says how many more there are.
    """
    sheet = parse_strictly(text, path)
    found = errors(validate(sheet))
    if found:
        more = f" There are {len(found) - 1} more faults: `ggtp check` lists them." if len(found) > 1 else ""
        first = found[0]
        raise as_error(replace(first, remedy=f"{first.remedy}{more}"), text, path)
    return sheet


def _required(survey: Survey) -> Iterator[Fault]:
    for name, remedy in REQUIRED.items():
        if name not in survey.defined:
            # Puzzles may begin with an empty grid.
            severity = Severity.WARNING if name == "init" else Severity.ERROR
            yield Fault(f"There is no rule for '{name}'.", remedy, severity=severity)


def _roles(survey: Survey) -> Iterator[Fault]:
    seen: set[Term] = set()
    for rule in survey.sheet.of("role"):
        if rule.body:
            yield warning("A role that is derived by a rule.", "Write a fact for each role.", rule.place)
        for role in rule.head.args[:1]:
            if role in seen and role.ground:
                yield warning(f"The role {role} is named twice.", "Remove one.", rule.place)
            seen.add(role)


def _keywords(survey: Survey) -> Iterator[Fault]:
    """Words of the language in places where they have no meaning."""
    for use in survey.uses:
        name, place = use.atom.name, use.atom.place
        if use.head and name in ("true", "does"):
            remedy = "Rules make facts with 'init' and 'next'." if name == "true" else "Players make moves."
            yield fault(f"'{name}' cannot be the head of a rule.", remedy, place)
        if not use.head and name in ("init", "next"):
            yield fault(f"'{name}' cannot stand in a body.", "Ask for facts with 'true'.", place)
        for arg in use.atom.args:
            for term in compounds(arg):
                if term.name in ARITIES or term.name in ("not", "or", "distinct"):
                    yield warning(
                        f"'{term.name}' stands inside a term.",
                        "Check the parentheses; as a function it has no meaning of its own.",
                        word_place(use.rule, term.name, place),
                    )
    for name in ("init", "role"):
        for target in ("true", "does"):
            yield from _forbidden_path(survey, name, target, Severity.ERROR)
    for name in WITHOUT_MOVES:
        yield from _forbidden_path(survey, name, "does", Severity.ERROR)
    for name in ("base", "input"):
        for target in ("true", "does"):
            yield from _forbidden_path(survey, name, target, Severity.WARNING)


def _forbidden_path(survey: Survey, name: str, target: str, severity: Severity) -> Iterator[Fault]:
    """A fault for every rule of the relation through which it depends on what it must not."""
    for _, clause in survey.clauses:
        if clause.head.name != name:
            continue
        for condition in clause.body:
            atom = atom_of(condition)
            if atom is not None and target in survey.reach(atom.name):
                through = "" if atom.name == target else f" through '{atom.name}'"
                remedy = (
                    "The state does not matter here." if target == "true" else "Nobody has moved yet at that point."
                )
                yield fault(f"'{name}' depends on '{target}'{through}.", remedy, atom.place, severity)


def _arities(survey: Survey) -> Iterator[Fault]:
    relations: dict[str, int] = dict(ARITIES)
    functions: dict[str, int] = {}
    for use in survey.uses:
        atom = use.atom
        if relations.setdefault(atom.name, len(atom.args)) != len(atom.args):
            message = f"'{atom.name}' has {_count(len(atom.args))} here, and {relations[atom.name]} elsewhere."
            if atom.name in ARITIES:
                message = f"'{atom.name}' has {_count(len(atom.args))} instead of {ARITIES[atom.name]}."
            severity = Severity.ERROR if atom.name in ARITIES else Severity.WARNING
            yield fault(message, "Players take these for different relations.", atom.place, severity)
        if not atom.args and not atom.bare:
            remedy = f"Write {atom.name}: some players take these for different relations."
            yield warning(f"({atom.name}) has no arguments.", remedy, atom.place)
        for arg in atom.args:
            for term in compounds(arg):
                place = word_place(use.rule, term.name, atom.place)
                if not term.args:
                    remedy = f"To players ({term.name}) and {term.name} are different."
                    yield warning(f"({term.name}) has no arguments.", remedy, place)
                elif functions.setdefault(term.name, len(term.args)) != len(term.args):
                    message = f"The function '{term.name}' has {_count(len(term.args))} here, and "
                    remedy = "Players take these for different functions."
                    yield warning(f"{message}{functions[term.name]} elsewhere.", remedy, place)


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _safety(survey: Survey) -> Iterator[Fault]:
    """Variables that never get a value."""
    for rule, clause in survey.clauses:
        given = bound_variables(clause.body)
        for variable in dict.fromkeys(literal_variables(clause.head)):
            if variable not in given:
                what = f"{variable} stands in the head, but no positive condition gives it a value."
                remedy = "Add a condition that does." if clause.body else "A fact cannot have variables."
                yield fault(what, remedy, word_place(rule, variable.name, rule.head.place))
        for condition in clause.body:
            if isinstance(condition, Atom):
                continue
            for variable in dict.fromkeys(condition_variables(condition)):
                if variable not in given:
                    yield _unsafe_test(rule, condition, variable)
    for rule in survey.sheet.rules:
        for literal in rule.body:
            yield from _hidden_locals(rule, literal)


def _unsafe_test(rule: Rule, condition: Negation | Distinct, variable: Variable) -> Fault:
    place = word_place(rule, variable.name, condition.place)
    remedy = f"Add a condition that gives {variable} a value."
    if isinstance(condition, Distinct):
        return warning(f"{variable} is compared, but never gets a value: it differs from everything.", remedy, place)
    return warning(f"{variable} stands only under 'not': that means 'for no {variable}'.", remedy, place)


def _hidden_locals(rule: Rule, literal: Literal) -> Iterator[Fault]:
    """Variables that stand inside a `(not (and ...))` alone: pushing the `not` inwards would change the meaning."""
    match literal:
        case Not(body=And() as body):
            inside = list(literal_variables(body))
            everywhere = list(rule.variables())
            for variable in dict.fromkeys(inside):
                if everywhere.count(variable) == inside.count(variable) and inside.count(variable) > 1:
                    remedy = "Give what is negated a relation of its own."
                    message = f"{variable} connects conditions under one 'not'."
                    yield fault(message, remedy, word_place(rule, variable.name, body.place))
        case Not():
            yield from _hidden_locals(rule, literal.body)
        case Or() | And():
            for part in literal.options if isinstance(literal, Or) else literal.parts:
                yield from _hidden_locals(rule, part)
        case Atom() | Distinct():
            pass


def _stratification(survey: Survey) -> Iterator[Fault]:
    clauses = [clause for _, clause in survey.clauses]
    # Where telling the cases of a relation apart helps, players manage.
    hopeless = negative_cycles(stratified(Program(tuple(clauses))).clauses)
    severity = Severity.ERROR if hopeless else Severity.WARNING
    for clause, negation in negative_cycles(clauses):
        message = f"'{clause.head.name}' depends on its own negation, through '{negation.atom.name}'."
        remedy = "A relation must be complete before 'not' may ask for it."
        yield fault(message, remedy, negation.place, severity)


def _recursion(survey: Survey) -> Iterator[Fault]:
    """Recursive calls whose arguments nothing bounds: the language's recursion restriction."""
    cycle = component_numbers(survey.graph)
    for rule, clause in survey.clauses:
        head = clause.head.functor
        for condition in clause.body:
            if isinstance(condition, Atom) and cycle[condition.functor] == cycle[head]:
                yield from _unbounded(rule, clause, condition, cycle)


def _unbounded(rule: Rule, clause: Clause, call: Atom, cycle: dict[Functor, int]) -> Iterator[Fault]:
    """Arguments of the call that are neither ground, nor arguments of the head, nor given by another relation."""
    mine = cycle[clause.head.functor]
    bounded = {
        arg
        for other in clause.body
        if isinstance(other, Atom) and cycle[other.functor] != mine
        for term in other.args
        for arg in (term, *variables(term))
    }
    for arg in call.args:
        if arg.ground or arg in clause.head.args or arg in bounded:
            continue
        # Without functions there are only finitely many values: players manage.
        grows = any(isinstance(term, Compound) for term in (*clause.head.args, *call.args))
        yield fault(
            f"Nothing bounds {arg} in the recursive condition on '{call.name}'.",
            "Make it an argument of the head too, or add a condition that lists its values.",
            word_place(rule, str(arg), call.place),
            Severity.WARNING if not grows else Severity.ERROR,
        )
