"""Facts about Breakthrough."""

from __future__ import annotations

import importlib
import random

import pytest
from support.oracles import gdl, moves, play

from ggtp.errors import IllegalMove, MalformedMove, OptionError
from ggtp.game import OVER, Position, Standing
from ggtp.game.building.turns import TurnPosition
from ggtp.game.checks.contract import perft

breakthrough = importlib.import_module("ggtp.rules.breakthrough")


def start(**options: str) -> Position:
    position: Position = breakthrough.RULES.start(options)
    return position


def after(*moves: str, **options: str) -> Position:
    position = start(**options)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def board(*rows: str, to_move: str = "White") -> Position:
    """A position from its rows, the farthest first."""
    marks = "".join(reversed(rows))
    white, black = (sum(1 << index for index, mark in enumerate(marks) if mark == own) for own in "WB")
    game = breakthrough.game_of(len(rows[0]), len(rows))
    return TurnPosition(game, (white, black, ("White", "Black").index(to_move)))


def naive(rows: dict[tuple[int, int], str], columns: int, height: int, white: bool, depth: int) -> int:
    """Counts as perft does, square by square and without any cleverness."""
    if depth == 0:
        return 1
    own, other, ahead = ("W", "B", 1) if white else ("B", "W", -1)
    count = 0
    for (column, row), mark in rows.items():
        if mark != own:
            continue
        for aside in (-1, 0, 1):
            to = (column + aside, row + ahead)
            if not 0 <= to[0] < columns or rows.get(to) == own or (aside == 0 and to in rows):
                continue
            following = {place: pawn for place, pawn in rows.items() if place not in ((column, row), to)}
            ended = to[1] in (0, height - 1) or other not in following.values()
            following[to] = own
            if not ended:
                count += naive(following, columns, height, not white, depth - 1)
            elif depth == 1:
                count += 1
    return count


def test_perft() -> None:
    assert [perft(start(), depth) for depth in range(1, 5)] == [22, 484, 11132, 256036]


def test_perft_where_pawns_have_met() -> None:
    position = board(
        ".B..BB.B", "..B..BBB", "..W.....", "........", "........", "...W..W.", ".B.W..WW", ".WW.WW.W"
    )  # fmt: skip
    assert perft(position, 4) == 121264


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "depth"), [(3, 4, 7), (4, 5, 5), (5, 4, 4)])
def test_perft_of_small_boards_is_as_counted_naively(columns: int, rows: int, depth: int) -> None:
    pawns = {(column, row): "W" if row < 2 else "B" for column in range(columns) for row in (0, 1, rows - 2, rows - 1)}
    for turns in range(1, depth + 1):
        assert perft(start(columns=str(columns), rows=str(rows)), turns) == naive(pawns, columns, rows, True, turns)


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, twin, position = random.Random(1), gdl("breakthrough"), start()
    while position.turn() is not OVER:
        named = {"".join(name.split()[1:]): name for name in moves(twin)}
        assert set(named) == {name.replace("-", "").replace("x", "") for name in moves(position)}
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])
    assert twin.turn() is OVER


def test_pawns_take_askew_only() -> None:
    position = board("B.B", "...", "BBB", ".W.", "...")
    assert position.moves("White") == ("b2xa3", "b2xc3")
    assert position.play({"White": "b2xa3"}).position.view(None) == ".../.../WBB/.../B.B Black"


def test_pawns_go_ahead_straight_and_askew() -> None:
    assert board("B.B", "...", "...", ".W.", "...").moves("White") == ("b2-a3", "b2-b3", "b2-c3")
    assert board("...", ".B.", "...", "W..", "...", to_move="Black").moves("Black") == ("b4-a3", "b4-b3", "b4-c3")


def test_the_edge_is_the_edge() -> None:
    assert board("...", "B.B", "...", "W.W", "...").moves("White") == ("a2-a3", "a2-b3", "c2-b3", "c2-c3")
    position = board("...", "B.B", "...", "W.W", "...", to_move="Black")
    assert position.moves("Black") == ("a4-a3", "a4-b3", "c4-b3", "c4-c3")


@pytest.mark.parametrize(
    ("position", "player", "move"),
    [
        (board("B..", ".W.", "...", "..."), "White", "b3-b4"),
        (board("B..", ".W.", "...", "..."), "White", "b3xa4"),
        (board("...", "...", "..B", "W..", to_move="Black"), "Black", "c2-c1"),
    ],
)
def test_the_far_side_wins(position: Position, player: str, move: str) -> None:
    ended = position.play({player: move}).position
    result = ended.result()
    assert ended.turn() is OVER
    assert result is not None
    assert result.standings[player] is Standing.WIN


def test_taking_every_pawn_wins() -> None:
    ended = board("...", "...", ".B.", "W..").play({"White": "a1xb2"}).position
    result = ended.result()
    assert result is not None
    assert result.standings == {"White": Standing.WIN, "Black": Standing.LOSS}
    assert result.reason == "every pawn is taken"


@pytest.mark.parametrize("text", ["a2-b3", "a2b3", "A2 B3", "a2xb3", " a2:b3 "])
def test_typed_moves(text: str) -> None:
    assert start().parse("White", text) == "a2-b3"


def test_typed_captures() -> None:
    position = board("...", "BBB", "W..", "...")
    assert position.parse("White", "a2b3") == position.parse("White", "a2-b3") == "a2xb3"


@pytest.mark.parametrize(
    ("text", "error"),
    [("a2", MalformedMove), ("a2-b3-c4", MalformedMove), ("a1-a2", IllegalMove), ("z9z9", IllegalMove)],
)
def test_texts_that_are_no_moves(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        start().parse("White", text)
    with pytest.raises(IllegalMove):
        start().play({"White": text})


def test_white_begins_whatever_is_wished() -> None:
    assert start().turn().players == ("White",)
    with pytest.raises(OptionError):
        start(starting_player="Black")


def test_the_picture_can_be_drawn_in_ascii() -> None:
    position = after("a2-b3", columns="3", rows="5")
    assert position.picture(None).plain(ascii_only=True) == [
        "  a b c", "5 B B B", "4 B B B", "3 . W .", "2 . W W", "1 W W W"
    ]  # fmt: skip
    assert position.picture(None).plain()[1] == "5 ● ● ●"
