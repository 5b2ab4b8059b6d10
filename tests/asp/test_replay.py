"""Replaying in lanes: each lane as the interpreter plays it."""

from __future__ import annotations

import random

import pytest
from support.puzzles import SWITCHES, built, outcome, sheet

from ggtp.asp.replay import Replay
from ggtp.gdl.interpret.reasoner import Interpreter


@pytest.mark.parametrize("name", ["buttons", "lightsout", "pancakes", "twistypassages"])
def test_many_states_at_once(name: str) -> None:
    rules, rng, network = Interpreter(sheet(name)), random.Random(2), built(name).network
    (role,) = rules.roles
    states = [rules.initial()]
    while len(states) < 40 and not rules.terminal(states[-1]):
        moves = sorted(rules.legal(states[-1], role), key=str)
        states.append(rules.next(states[-1], {role: rng.choice(moves)}))
    number = {text: fact for fact, text in enumerate(network.facts)}
    replay = Replay(network, len(states))
    lanes = replay.states([[number[str(fact)] for fact in state if str(fact) in number] for state in states])
    assert [bool(lanes.alive >> lane & 1) for lane in range(len(states))] == [
        not rules.terminal(item) for item in states
    ]
    for move, text in enumerate(network.moves[0]):
        after = replay.after(lanes, move)
        for lane, state in enumerate(states):
            if rules.terminal(state):
                continue
            legal = {str(item): item for item in rules.legal(state, role)}
            assert (text in legal) == bool(lanes.legal[move] >> lane & 1)
            if text in legal:
                expected = {str(fact) for fact in rules.next(state, {role: legal[text]})}
                assert {network.facts[fact] for fact, where in enumerate(after) if where >> lane & 1} == {
                    item for item in expected if item in number
                }


def test_each_lane_may_have_a_move_of_its_own() -> None:
    network = built(SWITCHES).network
    a, b = (network.moves[0].index(f"(switch {lamp})") for lamp in "ab")
    replay = Replay(network, 2)
    mixed = replay.after_each(replay.start(), {a: 0b01, b: 0b10})
    alone = [replay.after(replay.start(), move) for move in (a, b)]
    assert mixed == [one & 0b01 | two & 0b10 for one, two in zip(*alone, strict=True)]
    assert alone[0] != alone[1]


def test_plans_are_played() -> None:
    network = built(SWITCHES).network
    a, b, c = (network.moves[0].index(f"(switch {lamp})") for lamp in "abc")
    replay = Replay(network)
    assert replay.play([a, c, b]) == (100, True)
    assert replay.play([a, b]) == (40, False)
    assert outcome(SWITCHES, ("(switch a)", "(switch c)", "(switch b)")) == 100
    with pytest.raises(ValueError, match="move 4 of the plan"):
        replay.play([a, c, b, a])


def test_reached_tells_where() -> None:
    network = built(SWITCHES).network
    lamps = {text: fact for fact, text in enumerate(network.facts)}
    replay = Replay(network, 2)
    lanes = replay.states([[lamps["(on a)"]], [lamps[f"(on {lamp})"] for lamp in "abc"]])
    assert replay.reached(lanes, 100) == 0b10
    assert replay.reached(lanes, 0) == 0b01
    assert replay.reached(lanes, 7) == 0
