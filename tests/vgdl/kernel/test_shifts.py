"""Effects that move or turn sprites, one at a time: the kernel's against those of the plain world."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl_effects import applied, first, of_state, of_world

MOVED = [
    ("avatar", "last_x", 10),
    ("avatar", "last_move", 1),
    ("avatar", "pulled", -9),
    ("box", "last_x", 30),
    ("arrow", "last_y", 20),
]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("avatar box > stepBack", ("avatar", "x", 10)),
        ("avatar box > stepBack pixelPerfect=True", ("avatar", "x", 50)),
        ("avatar box > bounceForward", ("avatar", "orientation", (1, 0))),
        ("avatar box > undoAll", ("box", "x", 30)),
        ("avatar box > undoAll notStype=box", ("box", "x", 40)),
        ("avatar arrow > attractGaze", ("avatar", "orientation", (0, -1))),
        ("avatar arrow > attractGaze align=True", ("avatar", "x", 0)),
        ("arrow box > reverseDirection", ("arrow", "orientation", (0, 1))),
        ("arrow box > flipDirection", ("arrow", "x", 0)),
        ("arrow box > wrapAround", ("arrow", "y", 20)),
        ("avatar box > wrapAround offset=1", ("avatar", "x", 10)),
        ("avatar box > turnAround", ("avatar", "orientation", (-1, 0))),
        ("avatar gate > teleportToExit", ("avatar", "x", 40)),
        ("avatar hole > teleportToExit", ("avatar", "disabled", True)),
        ("avatar arrow > pullWithIt", ("avatar", "y", -10)),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_does_what_the_plain_world_does(line, changed, seed):
    made, state = applied(line, MOVED, seed)
    name, attribute, value = changed
    assert getattr(first(made, name), attribute) == value
    assert of_state(state) == of_world(made)
