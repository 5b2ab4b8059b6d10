"""Playing a network gate by gate."""

from __future__ import annotations

import pytest

from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Constant
from ggtp.gdl.network.machine import NetworkMachine
from ggtp.gdl.network.network import Network

# One fact, `on`, and two moves; `flip` turns it (an exclusive or, in three gates), `end` is legal while it is on.
NETWORK = Network(
    roles=("r",),
    facts=("(on)",),
    moves=(("end", "flip"),),
    initial=(),
    gates=((2, 7), (3, 6), (9, 11)),
    next=(13,),
    legal=((2, 1),),
    terminal=2,
    goals=(((0, 3), (100, 2)),),
)


def test_a_game() -> None:
    machine = NetworkMachine(NETWORK)
    role, flip = machine.roles[0], Constant("flip")
    state = machine.initial()
    assert machine.facts(state) == []
    assert machine.legal(state, role) == [flip]
    assert machine.goal_values(state, role) == [Constant("0")]
    assert not machine.terminal(state)
    state = machine.next(state, {role: flip})
    assert machine.facts(state) == [parse_term("(on)")]
    assert machine.legal(state, role) == [Constant("end"), flip]
    assert machine.terminal(state)
    assert machine.goal_values(state, role) == [Constant("100")]
    assert machine.next(state, {role: flip}) == machine.initial()
    assert machine.next(state, {role: Constant("end")}) == state


def test_an_unknown_move() -> None:
    machine = NetworkMachine(NETWORK)
    with pytest.raises(KeyError):
        machine.next(machine.initial(), {machine.roles[0]: Constant("jump")})
