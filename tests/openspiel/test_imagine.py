"""Positions that the child imagines: they look like the truth to whoever has seen a part of it."""

from __future__ import annotations

import random

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import CHANCE, TurnKind, advice
from ggtp.game.checks.examine import choose
from ggtp.game.hidden.sampling import observed

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "turns"),
    [
        *(("bridge", 54), ("euchre", 28), ("gin_rummy", 23), ("leduc_poker", 3), ("kuhn_poker", 3), ("liars_dice", 3)),
        *(("phantom_ttt", 6), ("dark_hex", 8), ("latent_ttt", 8), ("repeated_leduc_poker", 9), ("oh_hell", 18)),
    ],
)
def test_what_is_imagined_looks_like_the_truth(name: str, turns: int) -> None:
    rules = Catalogue.from_environment({}).find_rules(f"openspiel/{name}")
    rng = random.Random(1)
    position = rules.start()
    players = rules.players(rules.complete({}))
    seen = {player: list[object]() for player in players}
    for number in range(10 * turns):
        if position.turn().kind is TurnKind.OVER or (number >= turns and position.turn().players != (CHANCE,)):
            break
        moves = choose(position, rng)
        verdict = position.play(moves)
        for player in players:
            seen[player] += observed(position, verdict, player)
        position = verdict.position
    if position.turn().kind is TurnKind.OVER:
        pytest.fail("the game is over too soon")
    player = position.turn().players[0]
    # Each attempt goes on where the last one ended; a busy machine may need some.
    attempts = (advice.imagine(rules, player, {}, seen[player], rng) for _ in range(200))  # type: ignore[arg-type]
    found = next((one for one in attempts if one is not None), None)
    assert found is not None
    assert found.view(player) == position.view(player)
    assert found.moves(player) == position.moves(player)


def test_games_without_secrets_need_no_imagination() -> None:
    rules = Catalogue.from_environment({}).find_rules("openspiel/tic_tac_toe")
    assert advice.imagine(rules, "X", {}, [], random.Random(1)) is None


@pytest.mark.process
def test_what_can_not_be_is_not_imagined() -> None:
    from ggtp.game import Seen

    rules = Catalogue.from_environment({}).find_rules("openspiel/kuhn_poker")
    assert advice.imagine(rules, "Player1", {}, [Seen("Player1", "Bet")], random.Random(1)) is None
