"""Peers: found by name, measured by playing, and missed with a clear message."""

from __future__ import annotations

import random
import sys
from types import ModuleType
from typing import Any

import pytest

from ggtp.bench.peers import NoSuchGame, measure_peer, peer_game
from ggtp.errors import CommandError


class FakeState:
    """A state of a game that has a roll, a joint move, a move, and an end."""

    def __init__(self) -> None:
        self.step = 0

    def is_terminal(self) -> bool:
        return self.step == 3

    def is_chance_node(self) -> bool:
        return self.step == 0

    def is_simultaneous_node(self) -> bool:
        return self.step == 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.75)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        return [5, 6]

    def apply_actions(self, actions: list[int]) -> None:
        assert len(actions) == 2
        self.step += 1

    def apply_action(self, action: int) -> None:
        assert action in ((0, 1) if self.step == 0 else (5, 6))
        self.step += 1


class FakeGame:
    def new_initial_state(self) -> FakeState:
        return FakeState()

    def num_players(self) -> int:
        return 2


def test_a_peer_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("pyspiel")
    module.registered_names = lambda: ["chess", "connect_four"]
    module.load_game = lambda name: {"connect_four": FakeGame()}[name]
    monkeypatch.setitem(sys.modules, "pyspiel", module)
    assert measure_peer("openspiel", "gdl/connectfour", 0.02) > 0
    with pytest.raises(CommandError, match=r"no game called like gdl/ches\. The nearest is chess"):
        measure_peer("openspiel", "gdl/ches", 0.02)


def test_names() -> None:
    assert peer_game("gdl/ticTacToe", ["tic_tac_toe", "chess"]) == "tic_tac_toe"
    assert peer_game("reversi", ["othello", "chess"]) == "othello"
    with pytest.raises(NoSuchGame):
        peer_game("x" * 9, [])


def test_the_real_one() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    assert measure_peer("openspiel", "gdl/connectfour", 0.05) > 0
    with pytest.raises(NoSuchGame):
        measure_peer("openspiel", "gdl/eightpuzzle", 0.05)


def test_a_peer_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(CommandError, match="not installed"):
        measure_peer("openspiel", "x", random.Random(1).random())
