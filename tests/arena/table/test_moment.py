"""What is known of a game on the way is bounded."""

from __future__ import annotations

from support.tables import game_plan

from ggtp.arena.table.moment import WIRE_LINES, Moment, Unplayable
from ggtp.tournament.results import Job


def test_only_the_last_lines_of_a_wire_are_kept() -> None:
    moment = Moment(Job(game_plan()), 0.0)
    for number in range(WIRE_LINES + 5):
        moment.wire.append((0.0, 1, True, b"%d" % number))
    assert len(moment.wire) == WIRE_LINES
    assert moment.wire[0][3] == b"5"


def test_what_can_not_be_played_may_be_on_account_of_a_seat() -> None:
    assert Unplayable("no engine", "Cross").seat == "Cross"
    assert Unplayable("no rule").seat == ""
