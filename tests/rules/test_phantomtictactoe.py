"""Facts about PhantomTicTacToe: what is refused, who knows what, and that nobody knows more."""

from __future__ import annotations

import importlib
import random
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.errors import IllegalMove
from ggtp.game import HIDDEN, OVER, Observation, Position, Refusal, Refused, Seen, Standing, advice
from ggtp.game.hidden.sampling import observed

rules = importlib.import_module("ggtp.rules.phantomtictactoe").RULES
PLAYERS = ("Cross", "Circle")

World: TypeAlias = tuple[dict[object, Position], dict[tuple[str, str], set[object]]]


def after(*moves: str) -> Position:
    position: Position = rules.start()
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


STONES = 5
"""How many stones the worlds have that are looked at in full: enough for a win, and few enough to count."""


def everything_reachable() -> World:
    """Every position of so many stones that can come about, and those that look the same to a player."""
    first = rules.start()
    reached = {first.key(): first}
    stack = [first]
    while stack:
        position = stack.pop()
        for player in position.turn().players:
            for move in position.moves(player):
                following = position.play({player: move}).position
                key = following.key()
                if key not in reached and sum(stones.bit_count() for stones in key[0]) <= STONES:
                    reached[key] = following
                    stack.append(following)
    alike: dict[tuple[str, str], set[object]] = {}
    for key, position in reached.items():
        for player in PLAYERS:
            alike.setdefault((player, position.view(player)), set()).add(key)
    return reached, alike


@pytest.fixture(scope="module")
def world() -> World:
    return everything_reachable()


def test_a_try_on_a_taken_square_is_refused_and_the_player_tries_again() -> None:
    verdict = after("B2").play({"Circle": "B2"})
    assert verdict.made == ()
    assert verdict.refused == (Refusal("Circle", "B2", "the square is taken"),)
    assert verdict.position.turn().players == ("Circle",)
    assert verdict.position.moves("Circle") == ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]


def test_what_is_known_to_be_taken_may_not_even_be_tried() -> None:
    for move in ("B2", "A1"):
        with pytest.raises(IllegalMove):
            after("B2", "B2", "A1", "A1", "C1").play({"Circle": move})


def test_all_squares_but_ones_own_may_be_tried() -> None:
    assert after("B2").moves("Circle") == list(rules.start().moves("Cross"))
    assert after("B2", "A1").moves("Cross") == ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]


def test_the_opponent_is_told_nothing_of_a_move() -> None:
    position = after("B2")
    assert position.seen("Circle", "A1", "Circle") == "A1"
    assert position.seen("Circle", "A1", "Cross") == HIDDEN


def test_views() -> None:
    position = after("B2", "B2", "A1")
    assert position.view("Cross") == "???/?X?/??? Cross 1 Circle 1 Cross to move"
    assert position.view("Circle") == "O??/?X?/??? Cross 1 Circle 1 Cross to move"
    assert position.view(None) == "O../.X./... Cross 1 Circle 1 Cross to move; Cross found -; Circle found B2"


def test_pictures() -> None:
    position = after("B2", "B2", "A1")
    assert position.picture("Cross").plain() == [
        "  A B C", "3 ? ? ?", "2 ? X ?", "1 ? ? ?", "stones: Cross 1, Circle 1; Cross to move"
    ]  # fmt: skip
    assert position.picture(None).plain()[-3:] == ["1 O . .", "Cross found -", "Circle found B2"]


def test_at_the_end_the_umpire_shows_the_board_and_both_pictures_tell_who_has_won() -> None:
    position = after("B2", "A1", "B1", "A2")
    verdict = position.play({"Cross": "B3"})
    assert [words.text for words in verdict.announcements] == ["The board was OX./OX./.X."]
    for player in ("Cross", "Circle"):
        assert verdict.position.picture(player).plain()[-1] == "stones: Cross 3, Circle 2; Cross won"
    assert not position.play({"Cross": "C3"}).announcements


def test_three_in_a_row_win() -> None:
    ended = after("A1", "A2", "B1", "B2", "C1")
    result = ended.result()
    assert ended.turn() is OVER
    assert result is not None
    assert result.standings == {"Cross": Standing.WIN, "Circle": Standing.LOSS}
    assert ended.view("Circle") == "???/OO?/??? Cross 3 Circle 2 Cross won"


def test_a_full_board_is_a_draw() -> None:
    result = after(*["A1", "B2", "C3", "B1", "B3", "A3", "C1", "C2", "A2"]).result()
    assert result is not None
    assert result.standings["Cross"] is Standing.DRAW


@pytest.mark.slow
def test_every_position_is_the_same_to_a_player_with_its_view(
    world: World,
) -> None:
    reached, alike = world
    for (player, _), keys in alike.items():
        looks = {
            (tuple(reached[key].moves(player)), reached[key].turn().players, reached[key].result() is None)
            for key in keys
        }
        assert len(looks) == 1


@pytest.mark.slow
def test_determinize_draws_every_position_that_can_be_and_no_other(
    world: World,
) -> None:
    reached, alike = world
    rng = random.Random(6)
    for (player, view), keys in rng.sample(sorted(alike.items(), key=lambda item: item[0]), 60):
        if len(keys) > 40:
            continue
        position = reached[min(keys, key=str)]
        drawn = [advice.determinize(position, player, rng) for _ in range(12 * len(keys) + 10)]
        assert {other.key() for other in drawn if other is not None} == keys, (player, view)


@pytest.mark.slow
def test_no_determinized_position_is_out_of_the_world(
    world: World,
) -> None:
    reached, alike = world
    rng = random.Random(7)
    for key in rng.sample(sorted(reached, key=str), 400):
        for player in PLAYERS:
            other = advice.determinize(reached[key], player, rng)
            assert other is not None
            assert other.key() in alike[player, reached[key].view(player)]


def test_the_referee_needs_no_guess() -> None:
    position = after("A1")
    assert advice.determinize(position, "Umpire", random.Random(0)) is position


@settings(deadline=None)  # a busy machine is not a fault
@given(st.randoms(use_true_random=False), st.sampled_from(PLAYERS))
def test_imagined_positions_explain_what_was_observed(rng: random.Random, starting: str) -> None:
    """Along any game, from the observations alone, and without knowing the other's squares."""
    values = {"starting_player": starting}
    position: Position = rules.start(values)
    told: dict[str, list[Observation]] = {player: [] for player in PLAYERS}
    while position.turn() is not OVER:
        for player in PLAYERS:
            other = rules.imagine(player, values, told[player], rng)
            assert other.view(player) == position.view(player)
            assert other.moves(player) == position.moves(player)
            assert other.picture(player) == position.picture(player)
        (mover,) = position.turn().players
        verdict = position.play({mover: rng.choice(position.moves(mover))})
        for player in PLAYERS:
            told[player] += observed(position, verdict, player)
        position = verdict.position


def test_a_game_that_one_has_won_oneself_is_imagined_as_over() -> None:
    told = [
        Seen("Cross", "A1"),
        Seen("Circle", HIDDEN),
        Seen("Cross", "B1"),
        Seen("Circle", HIDDEN),
        Seen("Cross", "C1"),
    ]
    other = rules.imagine("Cross", {}, told, random.Random(0))
    assert other.turn() is OVER
    assert other.view("Cross") == "XXX/???/??? Cross 3 Circle 2 Cross won"


def test_what_cannot_be_is_not_imagined() -> None:
    told = [Seen("Cross", "A1"), Refused("B2")]
    assert rules.imagine("Cross", {}, told, random.Random(0)) is None
