"""Effects that make or change sprites, one at a time: the kernel's against those of the plain world."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl_effects import applied, at_first, of_state, of_world


@pytest.mark.parametrize(
    ("line", "gone", "new", "score"),
    [
        ("box hole > transformTo stype=gem", "box", "gem", 0),
        ("box hole > transformTo stype=gem killSecond=True scoreChange=2", "box hole", "gem", 2),
        ("arrow hole > transformTo stype=arrow", "", "", 0),
        ("box hole > transformToAll stype=hole stypeTo=gem", "hole hole", "gem gem", 0),
        ("box hole > transformToSingleton stype=gem stype_other=arrow", "box", "arrow", 0),
        ("arrow avatar > transformToSingleton stype=gem stype_other=box takeOrientation=True", "arrow", "box", 0),
        ("box hole > spawn stype=gem", "", "gem", 0),
        ("box hole > spawn stype=gem prob=0", "", "", 0),
        ("box hole > cloneSprite", "", "box", 0),
        ("avatar box > spawnIfHasLess stype=gem resource=gem limit=0 spend=1", "", "gem", 0),
        ("avatar box > spawnIfHasMore stype=gem resource=gem limit=0 scoreChange=1", "", "gem", 1),
        ("avatar box > spawnIfHasMore stype=gem resource=gem limit=1 scoreChange=1", "", "", 0),
        ("gem avatar > collectResource scoreChange=1", "gem", "", 1),
        ("gem avatar > collectResource killResource=False", "", "", 0),
        ("gem avatar > collectResourceIfHeld heldResource=gem value=0 scoreChange=1", "gem", "", 1),
        ("gem avatar > collectResourceIfHeld heldResource=gem value=1 scoreChange=1", "", "", 0),
        ("avatar gem > changeResource resource=gem value=2 killResource=True", "gem", "", 0),
        ("avatar gem > changeResource resource=gem value=3 scoreChange=1", "", "", 0),
        ("avatar box > addHealthPoints value=3 killSecond=True", "box", "", 0),
        ("avatar box > addHealthPoints value=1000 scoreChange=1", "", "", 0),
    ],
)
def test_it_does_what_the_plain_world_does(line, gone, new, score):
    made, state = applied(line)
    before, after = (Counter(one.kind.name for one in world.sprites()) for world in (at_first(line), made))
    assert (sorted((before - after).elements()), sorted((after - before).elements())) == (gone.split(), new.split())
    assert made.score == score
    assert of_state(state) == of_world(made)
