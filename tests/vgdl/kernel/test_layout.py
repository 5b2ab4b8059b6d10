"""What the kernel's numbers mean is told once for each place."""

from __future__ import annotations

import pytest

from ggtp.vgdl.kernel import layout

RECORD = (
    "KIND X Y LAST_X LAST_Y WAY_X WAY_Y ORIENTED LAST_MOVE FIRST_TICK AGE START MADE KEPT KEPT_X KEPT_Y HEALTH KILLED "
    "DISABLED FROM_AVATAR PULLED GOAL GOAL_X GOAL_Y NAME NEXT BEFORE NEXT_HERE LINK_HERE COLUMN ROW NEXT_DYING"
)
STATE = (
    "TICK SCORE WINNER ENDED CHANCE_HIGH CHANCE_LOW CALLS COUNT USED FREE AVATAR IDENTITY DYING TIMERS SHIELDS OVERFLOW"
)


def starting_with(prefix: str) -> str:
    return " ".join(name for name in vars(layout) if name.startswith(prefix) and not name.endswith(("_FLOATS", "_ROW")))


@pytest.mark.parametrize(
    ("names", "room"),
    [
        (RECORD, layout.RECORD), (STATE, layout.HEAD), (starting_with("G_"), layout.GAME_HEAD),
        (starting_with("K_"), layout.KIND_ROW), (starting_with("KF_"), layout.KIND_FLOATS),
        (starting_with("E_"), layout.EFFECT_ROW), (starting_with("GROUP_"), layout.GROUP),
        (starting_with("SHIELD_"), layout.SHIELD), (starting_with("TIMER_"), layout.TIMER),
        (starting_with("PAIR_"), layout.PAIR), (starting_with("EDGE_"), layout.EDGE),
        (starting_with("END_"), layout.END_ROW), (starting_with("SHOT_"), layout.SHOT_ROW),
        (starting_with("V_"), layout.EVENT),
    ],
)  # fmt: skip
def test_no_two_things_have_the_same_place(names: str, room: int) -> None:
    places = [getattr(layout, name) for name in names.split()]
    assert len(set(places)) == len(places) > 2
    assert max(places) < room
