"""Random openings: the same from the same seed, and with nobody much ahead."""

from __future__ import annotations

import random

import pytest
from support.tournaments import find_rules

from ggtp.game import CHANCE, Position
from ggtp.tournament.opening import imbalance, random_opening


def begun(rule: str, **options: str) -> tuple[Position, tuple[str, ...]]:
    rules = find_rules(rule)
    return rules.start(options), rules.players(rules.complete(options))


def test_the_same_seed_has_the_same_moves() -> None:
    position, players = begun("ConnectFour")
    first = random_opening(position, players, 4, 0.25, 1)
    assert first is not None
    assert len(first) == 4
    assert first == random_opening(position, players, 4, 0.25, 1)
    assert len({random_opening(position, players, 4, 0.25, seed) for seed in range(10)}) > 5


def test_what_is_lost_already_is_avoided() -> None:
    position, players = begun("TicTacToe")
    free = [random_opening(position, players, 4, 0.5, seed) for seed in range(40)]
    checked = [random_opening(position, players, 4, 0.1, seed) for seed in range(40)]

    def worst(openings: list[tuple[str, ...] | None]) -> float:
        total = 0.0
        for moves in openings:
            reached = position
            for text in moves or ():
                player, _, move = text.partition(" ")
                reached = reached.play({player: move}).position
            total += imbalance(reached, players, random.Random(0))
        return total / len(openings)

    assert worst(checked) < worst(free) - 0.05


def test_a_game_that_is_always_over_has_none() -> None:
    position, players = begun("TicTacToe")
    assert random_opening(position, players, 9, 0.5, 0) is None


@pytest.mark.parametrize("rule", ["Backgammon", "RockPaperScissors", "PhantomTicTacToe", "KuhnPoker"])
def test_dice_deals_joint_turns_and_tries(rule: str) -> None:
    position, players = begun(rule, **({"rounds": "5"} if rule == "RockPaperScissors" else {}))
    moves = random_opening(position, players, 1, 0.3, 3)
    assert moves is not None
    own = [text for text in moves if not text.startswith(f"{CHANCE} ")]
    assert len(own) == (2 if rule == "RockPaperScissors" else 1)
    # Chance is drawn up to the turn of a player.
    assert (rule in ("Backgammon", "KuhnPoker")) == (len(moves) > len(own))
