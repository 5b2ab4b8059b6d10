"""What sprites do in a tick, one function at a time; whole games are compared in `test_tick`."""

from __future__ import annotations

import pytest
from support.vgdl import text, world

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl_effects import record

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel import updates
from ggtp.vgdl.kernel.model import Model
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.world.paths import ORDER, first_step
from ggtp.vgdl.world.world import World


def model_of(made: World) -> Model:
    return Model(made.game, made.level)


def test_a_flicker_lives_as_long_as_it_may() -> None:
    state = model_of(world("A.f", "f > Flicker limit=3\ng > Immovable", mapping="f > f\n. > g\n")).start(1)
    at, ticks = record(state, "f"), 0
    while not state.numbers[at + k.KILLED]:
        updates.flicker(state.numbers, state.model.ints, at)
        ticks += 1
    assert ticks == 5  # its age must exceed the limit


@pytest.mark.parametrize(("flee", "away"), [(False, 10), (True, 30)])
def test_who_chases_comes_nearer_and_who_flees_goes_away(flee, away):
    made = world("A.r.", "r > Chaser stype=avatar\ng > Immovable", mapping="r > r\n. > g\n")
    state = model_of(made).start(1)
    st, model, at = state.numbers, state.model, record(state, "r")
    st[at + k.LAST_MOVE] = 1
    updates.chase(st, model.ints, model.floats, model.scratch, at, 1, flee)
    assert st[at + k.X] + abs(st[at + k.Y]) == away


@pytest.mark.parametrize("level", ["A.. ww. g..", "A.. ... ..g", "A.w www ..g", "A....w .ww..w .w.g.w ....ww"])
def test_shortest_ways_are_those_of_the_interpreter(level):
    sprites = "g > RandomPathAltChaser stype1=avatar\nf > Immovable"
    made = parse(text(sprites, mapping="g > g\n. > f\n", head="square_size=10 obs=wall"))
    placed = World(made, parse_level("\n".join(level.split()), made))
    state = Model(made, placed.level).start(1)
    model = state.model
    squares = [(x * 10, y * 10) for y in range(placed.level.height) for x in range(placed.level.width)]
    for one in squares:
        for other in squares:
            found = updates.first_step(state.numbers, model.ints, model.scratch, *one, *other)
            way = first_step(placed, one, other)
            assert (None if found < 0 else ORDER[found]) == way, (one, other)
