"""Moves that commute: found where they do, never claimed where they don't, and plans stay as short as they are."""

from __future__ import annotations

import random

import pytest
from support.puzzles import SWITCHES, built, shortest

from ggtp.asp.findings import Finding, Plan
from ggtp.asp.order import needless_orders
from ggtp.asp.replay import Replay
from ggtp.asp.search import Task, goals_of, step_by_step


def orders(name: str) -> dict[int, list[int]]:
    return needless_orders(built(name).network, random.Random(3), lambda: False)


def test_lamps_can_be_switched_in_any_order() -> None:
    assert {move: sorted(others) for move, others in orders(SWITCHES).items()} == {0: [1, 2], 1: [2]}


def test_all_buttons_of_lights_out_commute() -> None:
    found = orders("lightsout")
    assert sum(map(len, found.values())) == 25 * 24 // 2


def test_a_robot_on_its_way_turns_in_one_order_only() -> None:
    assert orders("maze") == {}


@pytest.mark.parametrize("name", ["pancakes", "buttons", "eightpuzzle"])
def test_pairs_commute_in_random_states(name: str) -> None:
    """By the network itself, in states that finding the pairs has not looked at."""
    network, rng = built(name).network, random.Random(99)
    replay = Replay(network)
    found = orders(name)
    lanes = replay.start()
    for _ in range(200):
        legal = replay.legal(lanes)
        if not legal:
            lanes = replay.start()
            continue
        for one, others in found.items():
            for other in others:
                if other not in legal:
                    continue
                first = replay.look(replay.after(lanes, other))
                if one not in replay.legal(first):
                    continue
                assert one in legal
                second = replay.look(replay.after(lanes, one))
                if second.alive:
                    assert replay.after(first, one) == replay.after(second, other)
                else:
                    assert replay.goal(second) == max(goals_of(network))
        lanes = replay.look(replay.after(lanes, rng.choice(legal)))


@pytest.mark.parametrize("name", [SWITCHES, "buttons"])
def test_plans_with_orders_are_as_short_as_without(name: str) -> None:
    network = built(name).network
    found: list[Finding] = []
    step_by_step(Task(network, goals_of(network), found.append), before=orders(name))
    (plan,) = [item for item in found if isinstance(item, Plan)]
    assert (len(plan.moves), plan.shortest) == (shortest(name), True)


def test_nothing_is_claimed_when_there_is_no_time() -> None:
    assert needless_orders(built("lightsout").network, random.Random(3), lambda: True) == {}
