"""Conjunctions: the same values as the network's gates, in fewer of them."""

from __future__ import annotations

import random

import pytest
from support.puzzles import built

from ggtp.asp.conjunctions import conjunctions, outputs
from ggtp.gdl.network.network import Network


def by_gates(network: Network, values: list[int]) -> list[int]:
    for one, two in network.gates:
        values.append((values[one >> 1] ^ one & 1) & (values[two >> 1] ^ two & 1))
    return values


@pytest.mark.parametrize("name", ["buttons", "lightsout", "pancakes", "satpuzzle"])
def test_outputs_have_the_values_of_the_gates(name: str) -> None:
    network, rng = built(name).network, random.Random(4)
    layers = conjunctions(network)
    for _ in range(20):
        given = [0, *(rng.getrandbits(1) for _ in range(network.inputs - 1))]
        plain = by_gates(network, list(given))
        values = dict(enumerate(given))
        for item in (*layers.of_state, *layers.of_moves):
            values[item.node] = int(all(values[literal >> 1] ^ literal & 1 for literal in item.literals))
        for literal in outputs(network):
            assert values[literal >> 1] == plain[literal >> 1]


def test_gates_that_are_used_once_are_parts_of_others() -> None:
    network = built("lightsout").network
    layers = conjunctions(network)
    assert len(layers.of_state) + len(layers.of_moves) < len(network.gates)


def test_what_moves_decide_is_apart() -> None:
    network = built("lightsout").network
    moves = range(1 + len(network.facts), network.inputs)
    layers = conjunctions(network)
    moved = set(moves)
    for item in layers.of_moves:
        assert any(literal >> 1 in moved for literal in item.literals)
        moved.add(item.node)
    assert not any(literal >> 1 in moved for item in layers.of_state for literal in item.literals)
