"""Warnings for what is allowed but looks like a mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from ggtp.gdl.language.faults import Fault
from ggtp.gdl.language.survey import ARITIES, Survey, Use, warning, word_place
from ggtp.gdl.language.syntax import Constant, Rule, Term, Variable, literal_variables

ASKED_BY_PLAYERS = frozenset({*ARITIES, "sees"})
"""Relations that are used even if no rule uses them."""


def suspicions(survey: Survey) -> Iterator[Fault]:
    """All of them."""
    for check in (_unused, _undefined, _facts_and_moves, _singletons, _duplicates, _goals, _players, _bare_words):
        yield from check(survey)


def did_you_mean(name: str, names: Collection[str]) -> str:
    """A question with the nearest of the names, or nothing."""
    near = get_close_matches(name, sorted(names), 1, 0.75)
    return f"Did you mean '{near[0]}'?" if near else ""


def _unused(survey: Survey) -> Iterator[Fault]:
    used = {use.atom.name for use in survey.uses if not use.head}
    undefined = used - survey.defined - ARITIES.keys()
    seen: set[str] = set()
    for use in survey.uses:
        name = use.atom.name
        if use.head and name not in used and name not in ASKED_BY_PLAYERS and name not in seen:
            seen.add(name)
            remedy = did_you_mean(name, undefined) or "Remove it, or use it."
            yield warning(f"The relation '{name}' is never used.", remedy, use.atom.place)


def _undefined(survey: Survey) -> Iterator[Fault]:
    seen: set[str] = set()
    for use in survey.uses:
        name = use.atom.name
        if not use.head and name not in survey.defined and name not in ARITIES and name not in seen:
            seen.add(name)
            remedy = did_you_mean(name, survey.defined) or "It never holds."
            yield warning(f"No rule defines '{name}'.", remedy, use.atom.place)


def _facts_and_moves(survey: Survey) -> Iterator[Fault]:
    """Facts that are asked for and never made, moves that are asked for and never legal."""
    for makers, user, position, what in (
        (("init", "next"), "true", 0, "makes the fact"),
        (("legal",), "does", 1, "allows the move"),
    ):
        made = [_name_at(use, position) for use in survey.uses if use.head and use.atom.name in makers]
        if None in made:
            continue
        names = {name for name in made if name is not None}
        seen: set[str] = set()
        for use in survey.uses:
            name = _name_at(use, position) if not use.head and use.atom.name == user else None
            if name is not None and name not in names and name not in seen:
                seen.add(name)
                remedy = did_you_mean(name, names) or "It never holds."
                yield warning(f"No rule {what} '{name}'.", remedy, word_place(use.rule, name, use.atom.place))


def _name_at(use: Use, position: int) -> str | None:
    """The name of the term at that position of an atom; None for a variable."""
    if position >= len(use.atom.args):
        return ""
    term = use.atom.args[position]
    return None if isinstance(term, Variable) else term.name


def _singletons(survey: Survey) -> Iterator[Fault]:
    for rule in survey.sheet.rules:
        head = set(literal_variables(rule.head))
        for variable, count in Counter(rule.variables()).items():
            # A lone variable in a head has no value: that is an error of its own.
            if count == 1 and variable not in head and not variable.name.startswith("?_"):
                remedy = f"If any value will do, call it ?_{variable.name[1:]}."
                place = word_place(rule, variable.name)
                yield warning(f"{variable} stands only once in this rule.", remedy, place)


def _duplicates(survey: Survey) -> Iterator[Fault]:
    first: dict[str, Rule] = {}
    for rule in survey.sheet.rules:
        known = first.setdefault(_without_names(rule), rule)
        if known is not rule and rule.head.name != "role":
            what = "rule" if rule.body else "fact"
            yield warning(f"The same {what} as in line {known.place.line}.", "Remove one of them.", rule.place)


def _without_names(rule: Rule) -> str:
    """The rule's text with its variables numbered, so that rules that differ in their names only are the same."""
    words = str(rule).replace("(", " ( ").replace(")", " ) ").split()
    numbers: dict[str, str] = {}
    return " ".join(numbers.setdefault(word, f"?{len(numbers)}") if word.startswith("?") else word for word in words)


def _goals(survey: Survey) -> Iterator[Fault]:
    for use in survey.uses:
        if use.atom.name != "goal" or not use.head or len(use.atom.args) != 2:
            continue
        value = use.atom.args[1]
        if isinstance(value, Variable):
            continue
        text = str(value)
        place = word_place(use.rule, value.name, use.atom.place)
        if not (isinstance(value, Constant) and text.isascii() and text.isdigit()):
            yield warning(f"The goal {text} is no number.", "Goals are whole numbers from 0 to 100.", place)
        elif int(text) > 100:
            yield warning(f"The goal {text} is above 100.", "Goals are whole numbers from 0 to 100.", place)


def _players(survey: Survey) -> Iterator[Fault]:
    """Roles that are not in the list, and roles that lack moves or goals."""
    if any(rule.body for rule in survey.sheet.of("role")):
        return
    roles = {role: rule for rule in survey.sheet.of("role") for role in rule.head.args[:1]}
    texts = set(map(str, roles))
    for name, lack in (("legal", "has no moves"), ("goal", "has no goal")):
        uses = [use for use in survey.uses if use.head and use.atom.name == name and len(use.atom.args) == 2]
        firsts: set[Term] = {use.atom.args[0] for use in uses}
        if not uses or any(isinstance(first, Variable) for first in firsts):
            continue
        for role, rule in roles.items():
            # The player of dice and deals plays for nothing.
            if role not in firsts and not (name == "goal" and str(role) == "random"):
                yield warning(f"The role {role} {lack}.", f"Write rules for ({name} {role} ...).", rule.place)
    for use in survey.uses:
        if use.atom.name in ("legal", "goal", "does", "input", "sees") and len(use.atom.args) == 2:
            first = use.atom.args[0]
            if roles and not isinstance(first, Variable) and first not in roles:
                remedy = did_you_mean(str(first), texts) or f"The roles are {', '.join(sorted(texts))}."
                place = word_place(use.rule, first.name, use.atom.place)
                yield warning(f"There is no role {first}.", remedy, place)


def _bare_words(survey: Survey) -> Iterator[Fault]:
    for rule in survey.sheet.rules:
        if rule.source is None and rule.place.line:
            message = f"'{rule.head.name}' stands alone outside of all rules."
            yield warning(message, "If it is no fact, check the parentheses before it.", rule.place)
