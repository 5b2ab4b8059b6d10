"""Facts about PhantomGomoku."""

from __future__ import annotations

import random

from support.oracles import mover, moves, play, start

from ggtp.game import OVER, Standing, advice
from ggtp.game.building.phantom import PhantomPosition


def test_five_in_a_row_win_and_the_board_is_shown() -> None:
    ended = play(start("phantomgomoku"), "A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1")
    result = ended.result()
    assert result is not None
    assert result.standings["Black"] is Standing.WIN
    assert ended.view("White") == ended.view("Black")


def test_a_stone_is_found_by_trying() -> None:
    position = play(start("phantomgomoku", size="5", starting_player="White"), "C3", "C3")
    assert mover(position) == "Black"
    assert "C3" not in moves(position)
    assert position.view("Black").startswith("????????????O????????????")


def test_guesses_have_no_five_in_a_row_even_where_the_board_is_nearly_full() -> None:
    rng, looked = random.Random(2), 0
    for _ in range(6):
        position = start("phantomgomoku", size="6")
        while position.turn() is not OVER:
            for player in ("Black", "White"):
                if sum(stones.bit_count() for stones in position.state.stones) < 24:  # type: ignore[attr-defined]
                    continue
                other = advice.determinize(position, player, rng)
                assert isinstance(other, PhantomPosition)
                game, stones = other.veil.game, other.state.stones
                for who in (0, 1):
                    cells = [cell for cell in range(36) if stones[who] >> cell & 1]
                    assert not any(game.wins(stones[who], cell) for cell in cells)  # type: ignore[attr-defined]
                looked += 1
            position = position.play({mover(position): rng.choice(moves(position))}).position
    assert looked > 20
