"""Facts about Can't Stop."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from itertools import product

import pytest

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import CHANCE, OVER, Position, Standing
from ggtp.game.building.turns import TurnPosition

cantstop = importlib.import_module("ggtp.rules.cantstop")
COLUMNS = cantstop.COLUMNS


def after(*moves: str, **options: str) -> Position:
    return play(cantstop.RULES.start(options), *moves)


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def board(*markers: dict[int, int], to_move: int = 0, runners: dict[int, int] | None = None) -> Position:
    """A position about to roll, with these steps climbed."""
    players = cantstop.COLOURS[: len(markers)]
    steps = tuple(tuple(climbed.get(column, 0) for column in COLUMNS) for climbed in markers)
    return TurnPosition(cantstop.CantStopGame(players), cantstop.CantStopState(steps, to_move, runners or {}))


def test_the_columns_are_as_long_as_on_the_board() -> None:
    assert [cantstop.LENGTH[column] for column in COLUMNS] == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_the_weights_are_those_of_four_dice() -> None:
    weights = dict(after().chance())
    assert len(weights) == 126
    assert sum(weights.values()) == 6**4
    rolls = Counter(" ".join(map(str, sorted(dice))) for dice in product(range(1, 7), repeat=4))
    assert weights == dict(rolls)


@pytest.mark.parametrize(
    ("dice", "pairs"),
    [
        ((1, 3, 4, 6), [(4, 10), (5, 9), (7, 7)]),
        ((1, 1, 1, 1), [(2, 2)]),
        ((1, 1, 2, 2), [(2, 4), (3, 3)]),
        ((1, 2, 3, 4), [(3, 7), (4, 6), (5, 5)]),
    ],
)
def test_pairings(dice: tuple[int, ...], pairs: list[tuple[int, int]]) -> None:
    assert cantstop.pairings(dice) == pairs


@pytest.mark.parametrize(
    ("dice", "moves"),
    [("1 3 4 6", ("4 10", "5 9", "7 7")), ("1 1 1 1", ("2 2",)), ("1 1 2 2", ("2 4", "3 3")), ("6 6 6 6", ("12 12",))],
)
def test_the_first_roll_allows_every_pairing(dice: str, moves: tuple[str, ...]) -> None:
    assert after(dice).moves("Red") == moves


def test_a_turn() -> None:
    position = after("1 3 4 6", "7 7")
    assert position.turn().players == ("Red",)
    assert position.moves("Red") == ("roll", "stop")
    assert play(position, "roll").turn().players == (CHANCE,)
    stopped = play(position, "stop")
    assert stopped.turn().players == (CHANCE,)
    assert stopped.view(None).startswith(
        "Red 0 0 0 0 0 2 0 0 0 0 0; Green 0 0 0 0 0 0 0 0 0 0 0; runners -; Green rolls"
    )


def test_with_one_runner_left_one_of_two_new_columns_is_chosen() -> None:
    position = play(board({}, {}, runners={6: 1, 8: 1}), "1 3 4 6")
    assert position.moves("Red") == ("4", "10", "5", "9", "7 7")


def test_a_column_that_has_a_runner_needs_no_other() -> None:
    position = play(board({}, {}, runners={4: 1, 6: 1, 8: 1}), "1 3 4 6")
    assert position.moves("Red") == ("4",)
    assert "runners 4:2 6:1 8:1" in play(position, "4").view(None)


def test_who_can_use_both_pairs_has_to() -> None:
    position = play(board({}, {}, runners={4: 1, 10: 1, 8: 1}), "1 3 4 6")
    assert position.moves("Red") == ("4 10",)


def test_no_runner_climbs_beyond_the_top() -> None:
    assert play(board({7: 12}, {}), "1 3 4 6").moves("Red") == ("4 10", "5 9", "7")
    assert play(board({}, {}, runners={7: 13}), "1 3 4 6").moves("Red") == ("4 10", "5 9")


def test_runners_start_from_the_markers() -> None:
    assert "runners 4:3 10:1" in play(board({4: 2}, {4: 6}), "1 3 4 6", "4 10").view(None)


def test_columns_that_are_won_are_closed_to_all() -> None:
    assert play(board({}, {7: 13, 4: 7}), "1 3 4 6").moves("Red") == ("10", "5 9")


def test_a_bust_loses_what_was_climbed_in_this_turn() -> None:
    verdict = board({6: 4}, {}, runners={6: 7, 7: 1, 8: 1}).play({CHANCE: "1 1 2 2"})
    assert verdict.made == ((CHANCE, "1 1 2 2"),)
    assert verdict.position.key() == board({6: 4}, {}, to_move=1).key()
    assert [words.text for words in verdict.announcements] == ["Red can move no runner and loses this turn's steps."]


def test_the_players_take_turns_around_the_table() -> None:
    position = after(players="4", starting_player="Blue")
    starters = []
    for _ in range(5):
        position = play(position, "1 3 4 6")
        starters.append(position.turn().players[0])
        position = play(position, "7 7" if "7 7" in position.moves(starters[-1]) else "4 10", "stop")
    assert starters == ["Blue", "Yellow", "Red", "Green", "Blue"]


def test_winning_a_column_takes_the_others_out_of_it() -> None:
    position = play(board({7: 12}, {7: 9, 6: 2}), "1 3 4 6", "7", "stop")
    assert position.key() == board({7: 13}, {6: 2}, to_move=1).key()


def test_three_columns_win_when_one_stops() -> None:
    position = play(board({2: 3, 12: 3, 7: 12}, {6: 2}), "1 3 4 6", "7")
    assert position.result() is None
    ended = play(position, "stop")
    result = ended.result()
    assert ended.turn() is OVER
    assert not ended.moves(CHANCE)
    assert not ended.chance()
    assert result is not None
    assert result.standings == {"Red": Standing.WIN, "Green": Standing.LOSS}
    assert result.reason == "Red has won 3 columns"


def test_two_columns_do_not_win() -> None:
    assert play(board({2: 3, 7: 12}, {6: 2}), "1 3 4 6", "7", "stop").result() is None


@pytest.mark.parametrize(
    ("player", "move"), [("Red", "stop"), ("Red", "roll"), (CHANCE, "4 3 1 6"), (CHANCE, "1 2 3 7"), ("Green", "4 10")]
)
def test_moves_that_may_not_be_played(player: str, move: str) -> None:
    with pytest.raises(IllegalMove):
        after().play({player: move})


@pytest.mark.parametrize("text", ["4 10", "10 4", "4,10", "10 + 4", "4/10"])
def test_ways_to_write_a_choice(text: str) -> None:
    assert after("1 3 4 6").parse("Red", text) == "4 10"


def test_words_for_going_on() -> None:
    position = after("1 3 4 6", "4 10")
    assert {position.parse("Red", text) for text in ("roll", "R", "again")} == {"roll"}
    assert {position.parse("Red", text) for text in ("stop", "s", "End")} == {"stop"}
    with pytest.raises(IllegalMove, match=r"^Red has chosen a pair already: write roll or stop\.$"):
        position.parse("Red", "7")
    with pytest.raises(MalformedMove, match="write roll or stop"):
        position.parse("Red", "fold")


@pytest.mark.parametrize(("text", "word"), [("roll", "roll"), ("Stop", "stop"), ("s", "stop")])
def test_who_has_dice_to_pair_can_neither_roll_nor_stop(text: str, word: str) -> None:
    why = rf"^Red can't {word} before a pair is chosen: the dice allow 4 and 10, 5 and 9, 7 and 7\.$"
    with pytest.raises(IllegalMove, match=why):
        after("1 3 4 6").parse("Red", text)


@pytest.mark.parametrize("text", ["7", "4 5", "", "1 2 3", "9" * 50])
def test_who_chooses_wrongly_is_told_what_the_dice_allow(text: str) -> None:
    with pytest.raises(MalformedMove, match="the dice allow 4 and 10, 5 and 9, 7 and 7"):
        after("1 3 4 6").parse("Red", text)


def test_the_drawn_dice_follow_the_weights() -> None:
    rng = random.Random(8)
    drawn = Counter(after().draw(rng) for _ in range(3000))
    doubles = sum(count for dice, count in drawn.items() if len(set(dice.split())) == 4)
    # All four different: 360 of 1296.
    assert abs(doubles / 3000 - 360 / 1296) < 0.03


def test_the_picture_shows_markers_and_runners() -> None:
    lines = play(board({4: 2, 2: 3}, {}, runners={12: 2}), "1 3 4 6", "4 10").picture(None).plain()
    assert [line.split() for line in lines] == [
        ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        ["steps", "3", "5", "7", "9", "11", "13", "11", "9", "7", "5", "3"],
        ["Red", "##", ".", "2", ".", ".", ".", ".", ".", ".", ".", "."],
        ["Green", ".", ".", ".", ".", ".", ".", ".", ".", ".", ".", "."],
        ["runners", ".", ".", "3", ".", ".", ".", ".", ".", "1", ".", "2"],
        ["Red", "rolls", "again", "or", "stops"],
    ]
