"""A game as an engine is told it: what it may know, step by step, and back."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from support.tournaments import find_rules

from ggtp.arena.conformance.board import Board
from ggtp.arena.conformance.talk import Broken, Talk
from ggtp.game.chance import Chance
from ggtp.protocol.messages import ACKNOWLEDGE, Answer


class Listener:
    """Keeps what is said, and acknowledges it."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def ask(self, name: str, *args: str, seconds: float | None = None) -> Answer:
        self.said.append(" ".join((name, *args)))
        return ACKNOWLEDGE


def board(rule: str, player: str) -> tuple[Board, Listener]:
    listener, rules = Listener(), find_rules(rule)
    return Board(cast(Talk, listener), rules, rules.complete({}), player, Chance(3)), listener


def test_a_game_goes_on_and_back_and_forward() -> None:
    async def script() -> None:
        game, listener = board("TicTacToe", "Circle")
        await game.begin(1.0)
        assert not game.its_turn
        await game.others()
        assert game.its_turn
        here = game.position
        with pytest.raises(Broken, match="select_move Z9: No move named Z9"):
            await game.select("Z9")
        assert game.position is here
        await game.any_move()
        (first, step) = game.steps
        await game.back()
        assert game.position is here
        await game.forward(step)
        assert [line.split()[0] for line in listener.said] == [
            "start", "made_move", "made_move", "undone_move", "redone_move",
        ]  # fmt: skip
        assert (game.steps, game.over, game.hidden) == ([first, step], False, 0)

    asyncio.run(script())


def test_what_an_engine_may_not_know_is_hidden_from_it() -> None:
    async def script() -> None:
        game, listener = board("KuhnPoker", "Bob")
        await game.begin(1.0)
        await game.others()
        assert game.hidden >= 1
        assert any(line.endswith("?") or "?" in line for line in listener.said)

    asyncio.run(script())
