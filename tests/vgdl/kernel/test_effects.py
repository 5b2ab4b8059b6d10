"""Effects of the kernel, one at a time; whole games are compared in `test_tick`."""

from __future__ import annotations

import pytest
from support.vgdl import world

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl_effects import record

from ggtp.vgdl.kernel import effects
from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.model import Model

SPRITES = "gem > Resource limit=2 value=2\nbox > Passive\nhole > Immovable\nf > Immovable"
LETTERS = "g > gem\nb > box\nh > hole\n. > f\n"


def begin(rule, level="A.g b.h"):
    made = world(level, SPRITES, rule, mapping=LETTERS)
    return Model(made.game, made.level).start(1)


def apply(state, one, other):
    """Applies the only line of a game."""
    a, b = record(state, one), record(state, other)
    effects.apply(state.numbers, state.model.ints, state.model.floats, 0, a, b)
    return a, b


def test_who_steps_back_is_where_it_was() -> None:
    state = begin("avatar box > stepBack scoreChange=-1")
    st, at = state.numbers, record(state, "avatar")
    st[at + k.LAST_X] = 20
    apply(state, "avatar", "box")
    assert st[at + k.X] == 20
    assert state.score == -1


def test_what_is_collected_has_a_limit_and_is_declined_beyond_it() -> None:
    state = begin("gem avatar > collectResource scoreChange=3")
    gem, avatar = apply(state, "gem", "avatar")
    assert state.numbers[gem + k.KILLED] == 1
    assert state.numbers[avatar + k.RECORD] == 2
    assert state.score == 3
    apply(state, "gem", "avatar")
    assert state.numbers[avatar + k.RECORD] == 2
    assert state.score == 3


@pytest.mark.parametrize(("has", "dies"), [(0, False), (1, False), (2, True)])
def test_a_kill_that_depends_on_what_the_other_has(has, dies):
    state = begin("box avatar > killIfOtherHasMore resource=gem limit=2 scoreChange=5")
    state.numbers[record(state, "avatar") + k.RECORD] = has
    box, _ = apply(state, "box", "avatar")
    assert bool(state.numbers[box + k.KILLED]) is dies
    assert state.score == (5 if dies else 0)


def test_what_becomes_another_keeps_its_place() -> None:
    state = begin("box hole > transformTo stype=gem killSecond=True")
    box, hole = apply(state, "box", "hole")
    st = state.numbers
    assert st[box + k.KILLED] == st[hole + k.KILLED] == 1
    gems, at = [], record(state, "gem")
    while at > 0:
        gems.append((int(st[at + k.X]), int(st[at + k.Y])))
        at = int(st[at + k.NEXT])
    assert gems == [(20, 0), (0, 10)]
