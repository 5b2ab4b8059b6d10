from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lanes import networks, run_code
from support.networks import connect_four

from ggtp.gdl.kernel import table as kernel_table
from ggtp.gdl.kernel.table import Table, tabulate
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.code import RANDOM


def run_table(table: Table, words: int, memory: list[int], random: list[int]) -> None:
    """What the interpreter does, on Python's integers."""
    numbers = table.words.tolist()
    at = 1
    for _ in range(numbers[0]):
        opcode, length = numbers[at : at + 2]
        at += 2
        for _ in range(length):
            target, left, right = (offset // (8 * words) for offset in numbers[at : at + 3])
            at += 3
            if opcode == RANDOM:
                memory[target] = random.pop(0)
            else:
                x, y = memory[left], memory[right]
                memory[target] = [x & y, x | y, x ^ y, x & ~y][opcode]
    assert at == len(numbers)


@settings(deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_a_table_does_what_code_says(network: Network, random) -> None:
    code = build_step(network).step
    table = tabulate(code, 4)
    everybody = 0xFF
    expected = [0, everybody, *(random.getrandbits(8) for _ in range(code.slots - 2))]
    memory = expected + [0] * (table.slots - code.slots)
    for _ in range(2):
        drawn = [random.getrandbits(8) for _ in range(list(code.opcodes).count(RANDOM))]
        bits = iter(drawn)
        run_code(code, expected, everybody, lambda bits=bits: next(bits))
        run_table(table, 4, memory, drawn)
        assert memory[: code.slots] == expected


def test_runs_are_long_and_slots_are_used_again() -> None:
    code = build_step(connect_four()).step
    table = tabulate(code, 16)
    assert table.runs < len(code) / 6
    assert table.slots - code.slots < len(code) / 3


def test_slots_are_as_wide_as_the_caches_have_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    code = build_step(connect_four()).step
    slots = tabulate(code, 1).slots
    for room, width in ((128 * slots, 16), (128 * slots - 1, 8), (64 * slots - 1, 4), (1, 4)):
        monkeypatch.setattr(kernel_table, "ROOM", room)
        table = tabulate(code)
        assert table.width == width
        assert table == tabulate(code, width)
