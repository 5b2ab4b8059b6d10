"""Recursion as graphs: elimination and repetition give the least fixpoint."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.ground.program import GroundProgram, GroundRule
from ggtp.gdl.network import cycle
from ggtp.gdl.network.build import build
from ggtp.gdl.network.machine import NetworkMachine
from ggtp.gdl.network.network import Network

SIZE = 7


def edges(rng: random.Random) -> list[tuple[int, int]]:
    return [(a, b) for a in range(SIZE) for b in range(SIZE) if a != b and rng.random() < 0.35]


def program(links: Sequence[tuple[int, int]], both: bool = False) -> GroundProgram:
    """Cells that are open or not, as somebody for each cell likes; the goal tells which are reached from two of them.

    A cell is reached through a neighbour that is, or, in the other kind, through two of them.
    """
    reached = [3 * SIZE + 1 + cell for cell in range(SIZE)]
    rules = [GroundRule(reached[0], (1,)), GroundRule(reached[1], (2,))]
    for a, b in links:
        body = (1 + b, reached[a], reached[(a + 1) % SIZE]) if both else (1 + b, reached[a])
        rules.append(GroundRule(reached[b], body))
    always = 4 * SIZE + 1
    return GroundProgram(
        roles=tuple(f"r{cell}" for cell in range(SIZE)),
        facts=tuple(f"(open {cell})" for cell in range(SIZE)),
        moves=(("no", "yes"),) * SIZE,
        initial=(),
        atoms=always,
        rules=rules,
        next=tuple(SIZE + 2 * cell + 2 for cell in range(SIZE)),
        legal=((always, always),) * SIZE,
        terminal=0,
        goals=(tuple((cell, reached[cell]) for cell in range(SIZE)), *[()] * (SIZE - 1)),
        always=frozenset({always}),
    )


def least_fixpoint(item: GroundProgram, opened: set[int]) -> set[int]:
    holds = {1 + cell for cell in opened}
    while True:
        new = {rule.head for rule in item.rules if holds.issuperset(rule.body)} - holds
        if not new:
            return {value for value, atom in item.goals[0] if atom in holds}
        holds |= new


def reached(network: Network, opened: set[int]) -> set[int]:
    names = {name: index for index, name in enumerate(network.facts)}
    state = frozenset(names[f"(open {cell})"] for cell in opened)
    machine = NetworkMachine(network)
    return {int(str(value)) for value in machine.goal_values(state, machine.roles[0])}


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_least_fixpoint(seed: int, both: bool) -> None:
    rng = random.Random(seed)
    item = program(edges(rng), both)
    built = build(item)
    for _ in range(40):
        opened = {cell for cell in range(SIZE) if rng.random() < 0.6}
        assert reached(built.network, opened) == least_fixpoint(item, opened)
    assert built.statistics.recursive


def test_a_chain_of_components() -> None:
    item = program([(0, 2), (2, 3), (3, 2), (3, 4), (4, 5), (5, 6), (6, 4)])
    built = build(item)
    assert built.statistics.components == 2
    assert reached(built.network, {0, 2, 3, 4, 5, 6}) == {0, 2, 3, 4, 5, 6}
    assert reached(built.network, {0, 2, 3, 5, 6}) == {0, 2, 3}
    assert reached(built.network, {1, 4}) == {1}


def test_recursion_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycle, "MAX_STEPS", 10)
    with pytest.raises(RulesError, match="too large"):
        build(program([(0, 1), (1, 2), (2, 0), (2, 1)], both=True))


def test_elimination_takes_far_less_than_repetition() -> None:
    """A row of cells that lead to their neighbours, both ways: as many gates as cells, not their square."""
    links = [(cell, cell + 1) for cell in range(SIZE - 1)] + [(cell + 1, cell) for cell in range(SIZE - 1)]
    assert build(program(links)).statistics.gates < 6 * SIZE
