"""Plans that grow while their journal stays: more blocks, and players and rules behind those that were there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ggtp.tournament.plan.plan import Plan, PlanError
from ggtp.tournament.schedule.schedule import check_seats, known_meetings

GROWING = ("match", "round-robin", "gauntlet")
"""The formats in which who meets whom does not follow from results."""
MAY_GROW = ("blocks", "player", "rule")
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
            raise PlanError(f"{_differs(name, first.get(name), second.get(name))}. {REMEDY}.")
    if new.format not in GROWING:
        raise PlanError(f"A tournament of the format {new.format} can't grow: who meets whom follows from results.")
    if new.blocks < old.blocks:
        raise PlanError(f"blocks is {old.blocks} in the journal and {new.blocks} now: it can only grow.")
    if new.players[: len(old.players)] != old.players:
        raise PlanError(f"The players of the journal, {', '.join(old.names)}, must come first, as they are. {REMEDY}.")
    if new.rules[: len(old.rules)] != old.rules:
        names = ", ".join(rule.rule for rule in old.rules)
        raise PlanError(f"The rules of the journal, {names}, must come first, with their options and starts. {REMEDY}.")
    check_seats(new)
    for rule, before, after in zip(old.rules, known_meetings(old), known_meetings(new), strict=False):
        if not before <= after:
            raise PlanError(f"{new.names[-1]} would change who sits together at {rule.rule}: begin another journal.")
    grown = [f"blocks {old.blocks} to {new.blocks}"] if new.blocks > old.blocks else []
    grown += [f"player {name}" for name in new.names[len(old.names) :]]
    return ", ".join([*grown, *(f"rule {rule.rule}" for rule in new.rules[len(old.rules) :])])


def _differs(name: str, before: Any, now: Any) -> str:
    """In which value two plans differ; of tables, the first that does."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        key = next(key for key in {**before, **now} if before.get(key) != now.get(key))
        return _differs(f"{name}.{key}", before.get(key), now.get(key))
    return f"{name} is {_shown(before)} in the journal and {_shown(now)} now"


def _shown(value: object) -> str:
    text = "not given" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
