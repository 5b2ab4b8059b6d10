"""Games between two searches."""

from __future__ import annotations

import random

import pytest
from support.compiled_trees import compiled

from ggtp.search.features.match import Fighter, fight
from ggtp.search.mcts.options import Settings


@pytest.mark.slow
def test_a_game_is_played_to_its_end() -> None:
    game = compiled("tictactoe")
    kernel = game.best()
    rng = random.Random(1)
    strong = Fighter(game, Settings(seconds=None, playouts=2000, megabytes=16), rng, lambda role: kernel)
    weak = Fighter(game, Settings(seconds=None, playouts=1, batch=1, leaf=1, megabytes=16), rng, lambda role: kernel)
    for _ in range(2):
        played = fight(game, (strong, weak))
        assert played is not None
        assert played.goals[0] >= 50, "who looks ahead does not lose"
        assert 5 <= played.moves <= 9
        assert played.playouts[0] > played.playouts[1] > 0


@pytest.mark.slow
def test_it_can_be_stopped() -> None:
    game = compiled("tictactoe")
    side = Fighter(game, Settings(playouts=1, megabytes=16), random.Random(1), lambda role: game.best())
    assert fight(game, (side, side), should_stop=lambda: True) is None
