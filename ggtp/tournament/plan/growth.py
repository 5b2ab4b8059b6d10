"""Plans that grow while their journal stays: more blocks, and players and rules behind those that were there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ggtp.tournament.plan.plan import SAME_MEETINGS, Plan, PlanError, RulePlan
from ggtp.tournament.schedule.schedule import check_seats, known_meetings

MAY_GROW = ("blocks", "player", "repeats", "rule")
REMEDY = "A journal may grow by blocks, and by players and rules behind those it has"


def growth(old: Plan, new: Plan) -> str:
    """How a plan has grown, in words.

    Raises:
        PlanError: it has changed in another way, so that what was played does not belong to it.
    """
    first, second = old.data(), new.data()
    changed = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    for name in changed:
        # Two players at a table of two are all who can meet there: to let others meet them changes nothing for them.
        if name not in MAY_GROW and not (name == "format" and (old.format, new.format) == ("match", "round-robin")):
            differs = _differs(name, first.get(name), second.get(name), "in the journal", "now")
            raise PlanError(f"{differs}. {REMEDY}.")
    if new.format not in SAME_MEETINGS:
        raise PlanError(f"A tournament of the format {new.format} can't grow: who meets whom follows from results.")
    if new.blocks < old.blocks:
        raise PlanError(f"blocks is {old.blocks} in the journal and {new.blocks} now: it can only grow.")
    if new.players[: len(old.players)] != old.players:
        raise PlanError(f"The players of the journal, {', '.join(old.names)}, must come first, as they are. {REMEDY}.")
    if [_without_more_starts(rule, one, old.blocks) for rule, one in zip(new.rules, old.rules, strict=False)] != list(
        old.rules
    ):
        names = ", ".join(rule.rule for rule in old.rules)
        raise PlanError(f"The rules of the journal, {names}, must come first, with their options and starts. {REMEDY}.")
    check_seats(new)
    for rule, before, after in zip(old.rules, known_meetings(old), known_meetings(new), strict=False):
        if not before <= after:
            raise PlanError(f"{new.names[-1]} would change who sits together at {rule.rule}: begin another journal.")
    grown = [f"blocks {old.blocks} to {new.blocks}"] if new.blocks > old.blocks else []
    grown += [f"repeats {old.repeats} to {new.repeats}"] if new.repeats != old.repeats else []
    grown += [f"player {name}" for name in new.names[len(old.names) :]]
    return ", ".join([*grown, *(f"rule {rule.rule}" for rule in new.rules[len(old.rules) :])])


def _without_more_starts(rule: RulePlan, old: RulePlan, blocks: int) -> RulePlan:
    """The rule without the start positions that its first blocks have not come to."""
    return replace(rule, starts=rule.starts[: len(old.starts)]) if len(old.starts) >= blocks else rule


def difference(one: Plan, other: Plan, where: str, elsewhere: str) -> str:
    """The first value in which two plans differ."""
    return _differs("", one.data(), other.data(), where, elsewhere)


def _differs(name: str, one: Any, other: Any, where: str, elsewhere: str) -> str:
    """In which value two plans differ; of tables and lists, the first that does."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        key = next(key for key in {**one, **other} if one.get(key) != other.get(key))
        inner = f"{name}.{key}" if name else str(key)
        return _differs(inner, one.get(key), other.get(key), where, elsewhere)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        place = next(place for place, value in enumerate(one) if value != other[place])
        return _differs(f"{name} {place + 1}", one[place], other[place], where, elsewhere)
    return f"{name} is {_shown(one)} {where} and {_shown(other)} {elsewhere}"


def _shown(value: object) -> str:
    text = "not given" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
