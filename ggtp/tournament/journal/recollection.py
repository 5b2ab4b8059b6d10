"""What a journal means for the games that are still to be played.

Results are taken in their order, each as the rulings leave it that come later in the journal: so
a journal with rulings is read twice, once to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ggtp.tournament.journal.journal import Fold, JournalError, Line, result_from
from ggtp.tournament.journal.rulings import in_force, judged
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Ruling
from ggtp.tournament.standings.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Recollection:
    """How a tournament stands."""

    ledger: Ledger
    rulings: tuple[Ruling, ...]
    ended: bool
    fold: Fold
    """What is running; of the games that are over it only knows that they are."""


def recollect(
    lines: Callable[[], Iterable[Line]],
    path: str,
    *,
    plan: Plan | None = None,
    further: Sequence[Ruling] = (),
) -> Recollection | None:
    """Read a journal's lines; None where it is empty and no plan is given.

    Args:
        lines: gives the journal's lines from the first on, each time that it is called.
        path: what errors name.
        plan: the tournament's plan, for a journal that has none yet.
        further: rulings that are not in the journal yet, to see what would come of them.

    Raises:
        JournalError: the journal is damaged or makes no sense.
        PlanError: nobody could play its plan.
    """
    known: tuple[Ruling, ...] = ()
    plans: tuple[Plan, ...] = ()
    while True:
        found = _read(lines(), path, plan, plans, (*known, *further))
        if isinstance(found, Fold):
            assert found.plan is not None
            plans = (*found.earlier, found.plan)  # a schedule has to know from its first game on what it grows to
            continue
        if found is None or found.rulings == (*known, *further):
            return found
        known = found.rulings[: len(found.rulings) - len(further)]


def _read(
    lines: Iterable[Line],
    path: str,
    plan: Plan | None,
    plans: tuple[Plan, ...],
    rulings: tuple[Ruling, ...],
) -> Recollection | Fold | None:
    """What the lines come to; or what was read up to a plan that is none of those known, where there is one."""
    ledger: Ledger | None = None
    fold = Fold(path)
    force = in_force(rulings)
    said = {ruling.number: ruling for ruling in force}
    latest = 0
    for line in lines:
        fold.add(line)
        if ledger is None:
            assert fold.plan is not None  # the fold takes nothing before a header
            *earlier, latest_plan = plans or (fold.plan,)
            ledger = Ledger(latest_plan, earlier)
        elif line.kind == "plan" and fold.plan not in plans:
            return fold
        elif line.kind == "result":
            _recall(ledger, fold, result_from(line.members), force, latest)
        elif line.kind == "ruling":
            latest = line.number
            if line.number in said:
                ledger.rule(said[line.number])
    if ledger is None:
        if plan is None:
            return None
        ledger = Ledger(plan)
    for ruling in force:
        if ruling.number > latest:
            ledger.rule(ruling)
    for running in fold.running.values():
        ledger.interrupted(running)
    own = tuple(fold.rulings)
    return Recollection(ledger, (*own, *(one for one in rulings if one.number > latest)), fold.ended, fold)


def _recall(ledger: Ledger, fold: Fold, game: Game, force: Sequence[Ruling], latest: int) -> None:
    later = [ruling for ruling in force if ruling.number > latest]
    ledger.recall(judged(game, later))
    fold.void.clear()
    if game.id in fold.games:  # all that is to be known of it from now on is that it is there
        fold.games[game.id] = Game(game.plan)


def need(found: Recollection | None, path: str) -> Recollection:
    """What was found.

    Raises:
        JournalError: nothing was.
    """
    if found is None:
        raise JournalError("This is no journal of a tournament: it has no header.", path=path)
    return found
