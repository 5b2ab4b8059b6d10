"""Where the slots of a step program lie."""

from __future__ import annotations

from support.networks import tictactoe

from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.code import ZERO
from ggtp.gdl.program.guide import Guide
from ggtp.gdl.program.step import COUNTER_BITS, FIRST_FACT, STEPS_PER_COUNT


def test_slots_follow_each_other() -> None:
    program = build_step(tictactoe())
    assert program.first_counter == FIRST_FACT + len(program.facts)
    assert program.slots == program.first_counter + COUNTER_BITS * program.counters
    assert program.operations == len(program.step)
    written = {slot for slot, _ in program.step.stores}
    assert max(written) < program.slots
    # A counter that is emptied as often as that never overflows.
    assert STEPS_PER_COUNT < 1 << COUNTER_BITS


def test_the_start_is_that_of_the_network() -> None:
    program = build_step(tictactoe())
    start = {fact for fact, holds in zip(program.facts, program.initial, strict=True) if holds}
    assert start == set(program.network.initial) & set(program.facts)
    assert start


def test_games_wait_where_steps_are_those_of_one_player() -> None:
    assert not build_step(tictactoe()).waits
    guided = build_step(tictactoe(), guide=Guide((), uses=(10, 4)))
    assert guided.waits
    assert guided.waiting == guided.first_counter + COUNTER_BITS * (guided.counters - 1)
    assert build_step(tictactoe()).waiting == ZERO
    assert guided.operations == max(len(phase.guided) for phase in guided.phases)
