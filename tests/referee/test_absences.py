"""What the clock of an engine says that lost its connection while it thought."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

from ggtp.referee.absences import LEAST_PATIENCE, Absences
from ggtp.referee.engines import Link

ASKED, LOST, BACK = 100.0, 101.5, 103.0


def lost_at_thought(**defaults: str) -> tuple[Playbook, Link, Absences]:
    """A play in which Cross's engine was asked for a move and lost a second and a half later."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults=defaults)
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "start")
    referee = book.referee
    (link,) = referee._flow.engines.seated.values()
    link.asked_at, link.limit, link.spent = ASKED, 4.0, 0.0
    absences = Absences(referee._desk)
    referee._desk.now = LOST
    absences.note(link, referee._desk.play.need_record().cursor)
    referee._desk.now = BACK
    return book, link, absences


@pytest.mark.parametrize(("clock", "spent"), [("run", BACK - ASKED), ("hold", LOST - ASKED)])
def test_the_time_away_counts_unless_the_clock_is_held(clock: str, spent: float) -> None:
    _, _, absences = lost_at_thought(away_clock=clock)
    assert absences.spent("Cross") == pytest.approx(spent)
    assert absences.spent("Cross") == 0.0  # it is no longer away


def test_nothing_is_spent_where_the_play_has_gone_elsewhere() -> None:
    book, _, absences = lost_at_thought(away_clock="run")
    book.lay("force_play Cross A1")
    assert absences.spent("Cross") == 0.0


def test_it_is_waited_for_as_long_as_its_clock_runs() -> None:
    book, _, absences = lost_at_thought(away_clock="run", reconnect_time="60000", time_margin="0")
    assert absences.patience("Cross") == pytest.approx(4.0 - (BACK - ASKED))
    assert absences.patience("Circle") == pytest.approx(60.0)
    book.referee._desk.now = ASKED + 60
    assert absences.patience("Cross") == LEAST_PATIENCE


def test_what_it_had_spent_before_counts_too() -> None:
    _, link, absences = lost_at_thought(away_clock="run")
    link.spent = 0.75
    absences.note(link, absences._desk.play.need_record().cursor)
    assert absences.spent("Cross") == pytest.approx(BACK - ASKED + 0.75)


@pytest.mark.parametrize("leave", ["clear", "forget"])
def test_who_is_replaced_is_not_missed(leave: str) -> None:
    _, _, absences = lost_at_thought(away_clock="run")
    absences.clear() if leave == "clear" else absences.forget("Cross")
    assert absences.spent("Cross") == 0.0
