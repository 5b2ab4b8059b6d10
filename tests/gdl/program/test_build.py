from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lanes import networks, run_code
from support.networks import GAMES, connect_four, dead_end, evaluate, quitter, tictactoe

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.step import ACTIVE, COUNTER_BITS, DRAIN, FIRST_FACT, FRESH, StepProgram

LANES = 16
EVERYBODY = (1 << LANES) - 1


class Lanes:
    """A step program on Python's integers, and what each lane's state may be."""

    def __init__(self, program: StepProgram, seed: int) -> None:
        self.program = program
        self.random = Random(seed)
        self.memory = [0] * program.slots
        self.memory[ACTIVE] = EVERYBODY
        for i, holds in enumerate(program.initial):
            self.memory[FIRST_FACT + i] = EVERYBODY if holds else 0
        self.possible = [{program.network.initial} for _ in range(LANES)]

    def step(self) -> None:
        run_code(self.program.step, self.memory, EVERYBODY, lambda: self.random.getrandbits(LANES))

    def kept(self, lane: int) -> tuple[int, ...]:
        return tuple(fact for i, fact in enumerate(self.program.facts) if self.memory[FIRST_FACT + i] >> lane & 1)

    def counter(self, number: int, lane: int) -> int:
        first = self.program.first_counter + COUNTER_BITS * number
        return sum((self.memory[first + i] >> lane & 1) << i for i in range(COUNTER_BITS))


def outcomes(program: StepProgram, facts: tuple[int, ...]) -> set[tuple[tuple[int, ...], int]]:
    """What a step may lead to: the next state, and whether a game ended (0), was given up (1) or went on (-1)."""
    network = program.network
    now = evaluate(network, facts)
    if program.observe is None and now.terminal:
        return {(network.initial, 0)}
    if not all(now.legal):
        return {(network.initial, 1)}
    found = set()
    for moves in product(*now.legal):
        then = evaluate(network, facts, moves).next
        over = program.observe is not None and evaluate(network, then).terminal
        found.add((network.initial, 0) if over else (then, -1))
    return found


def check_steps(network: Network, merge: bool, seed: int, steps: int) -> None:
    """Every lane does what the rules allow; it keeps some facts only, so that several states may be possible."""
    program = build_step(network, merge=merge)
    lanes = Lanes(program, seed)
    for _ in range(steps):
        before = [[lanes.counter(number, lane) for number in (0, 1)] for lane in range(LANES)]
        lanes.step()
        for lane in range(LANES):
            kept = lanes.kept(lane)
            events = [lanes.counter(number, lane) - before[lane][number] for number in (0, 1)]
            event = events.index(1) if 1 in events else -1
            now = {
                then
                for facts in lanes.possible[lane]
                for then, what in outcomes(program, facts)
                if what == event and tuple(fact for fact in program.facts if fact in then) == kept
            }
            assert now, "no legal moves lead here"
            lanes.possible[lane] = now


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(networks(), st.booleans(), st.integers(0, 99))
def test_steps_are_legal_in_any_network(network: Network, merge: bool, seed: int) -> None:
    check_steps(network, merge, seed, steps=10)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("merge", [False, True])
def test_steps_are_legal(name: str, merge: bool) -> None:
    check_steps(GAMES[name](), merge, seed=1, steps=12)


def test_a_game_without_a_move_is_given_up() -> None:
    check_steps(dead_end(), merge=True, seed=2, steps=12)


def test_goals_are_counted_where_a_game_ends() -> None:
    program = build_step(quitter())
    lanes = Lanes(program, 5)
    lanes.memory[DRAIN] = EVERYBODY
    for _ in range(200):
        lanes.step()
    assert lanes.memory[ACTIVE] == 0
    assert lanes.memory[FRESH] == EVERYBODY
    (pairs,) = program.goals
    for lane in range(LANES):
        assert lanes.counter(0, lane) == 1
        values = [value for value, plane in pairs if lanes.counter(plane.counter, lane) ^ plane.inverted]
        assert len(values) == 1


def test_choices_of_players_in_turn_are_one_choice() -> None:
    assert build_step(tictactoe()).merged == 2
    assert build_step(GAMES["carousel"]()).merged == 3
    assert build_step(GAMES["rock_paper_scissors"]()).merged == 0


def test_the_length_of_programs() -> None:
    assert build_step(tictactoe()).operations < 560
    assert build_step(connect_four()).operations < 1270
    assert build_step(tictactoe(), merge=False).operations > 850


def test_facts_that_follow_from_others_are_not_kept() -> None:
    program = build_step(tictactoe())
    assert len(program.facts) == 19
    assert program.slots == FIRST_FACT + 19 + COUNTER_BITS * program.counters


def test_evaluation_of_tictactoe() -> None:
    network = tictactoe()
    start = evaluate(network, network.initial)
    assert start.legal == (tuple(range(9)), (9,))
    assert not start.terminal
    then = evaluate(network, network.initial, (4, 9)).next
    assert [network.facts[fact] for fact in then] == ["x1,1", "oturn"]
    won = [network.facts.index(name) for name in ("x0,0", "x1,1", "x2,2", "oturn")]
    end = evaluate(network, won)
    assert end.terminal
    assert end.goals == (100, 0)
