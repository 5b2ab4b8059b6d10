"""The machine code of the search for a plan: differences of states, the heap, the table."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import start

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import plan as p


def test_a_state_is_its_difference_to_the_first() -> None:
    root = start("wwwwww wAc.xw wwwwww")
    after = root.twin()
    for _ in range(2):
        after.advance(Action.RIGHT)
    pool, other = np.zeros(2000, np.int32), np.zeros_like(root.numbers)
    length = p.pack(after.numbers, root.numbers, root.model.ints, pool, 10)
    assert 0 < length < 400
    p.unpack(other, root.numbers, root.model.ints, pool, 10, length)
    used = int(root.model.ints[k.G_SPRITES]) + int(after.numbers[k.USED]) * root.model.tables.record
    assert (other[:used] == after.numbers[:used]).all()


def test_no_room_for_a_difference() -> None:
    root = start("wwwwww wAc.xw wwwwww")
    after = root.twin()
    after.advance(Action.RIGHT)
    assert p.pack(after.numbers, root.numbers, root.model.ints, np.zeros(4, np.int32), 2) == -1


def test_the_best_comes_first_and_among_equals_the_earlier() -> None:
    heap, items, meta = np.zeros(40), np.zeros(40, np.int32), np.zeros(p.PLAN, np.int64)
    values = [3.0, 1.0, 3.0, 2.0, 5.0, 1.0, 5.0, 0.0]
    for node, value in enumerate(values):
        p.push(heap, items, meta, value, node)
    found = [p.pop(heap, items, meta) for _ in values]
    assert found == [4, 6, 0, 2, 3, 1, 5, 7]


def test_numbers_are_known_once_they_are_kept() -> None:
    table, meta = np.zeros(16, np.int64), np.zeros(p.PLAN, np.int64)
    assert not p.known(table, 77, meta, False)
    assert not p.known(table, 77, meta, True)
    assert p.known(table, 77, meta, True)
    for number in range(100, 130):
        p.known(table, number, meta, True)
    assert meta[p.P_FULL]
