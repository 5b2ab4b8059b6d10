"""Facts about Checkers."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from support.oracles import actions, games, gdl, moves, openspiel, play, report, start

from ggtp.errors import AmbiguousMove, MalformedMove
from ggtp.game import OVER, Position, Standing
from ggtp.game.building.turns import TurnPosition
from ggtp.game.checks.contract import perft

checkers = importlib.import_module("ggtp.rules.checkers")


def board(*rows: str, to_move: str = "Black", variant: str = "english") -> Position:
    """A position from its dark squares, the upper row first."""
    game = checkers.checkers_of(variant, 80)
    return TurnPosition(game, checkers.CheckersState("".join(rows), ("Black", "White").index(to_move)))


def their_square(number: int) -> tuple[str, int]:
    """OpenSpiel's first player begins at the bottom, ours at the top: the board is turned."""
    row, column = divmod(number - 1, 4)
    x = 2 * column + (row + 1) % 2
    return "hgfedcba"[x], row + 1


def their_moves(state: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Whole moves of OpenSpiel, where each jump is an action of its own, with the states after them."""
    found = {}
    player = state.current_player()
    for name, action in actions(state).items():
        after = state.clone()
        after.apply_action(action)
        stops = (*path, name[2:4]) if path else (name[:2], name[2:4])
        if not after.is_terminal() and after.current_player() == player:
            found |= their_moves(after, stops)
        else:
            found[stops] = after
    return found


def test_moves_and_ends_are_those_of_openspiel() -> None:
    """Ways that begin and end alike and take the same are one move to us. OpenSpiel draws sooner: after 40 moves."""
    rng, compared, long_jumps, game = random.Random(4), 0, 0, openspiel("checkers")
    for _ in games(25):
        position, state = start("checkers"), game.new_initial_state()
        while not state.is_terminal():
            theirs = their_moves(state)
            ours = {
                name: [f"{file}{rank}" for file, rank in map(their_square, stops(name))] for name in moves(position)
            }
            boards = {str(after) for after in theirs.values()}
            assert len(ours) == len({(path[0], path[-1], str(after)) for path, after in theirs.items()})
            assert {(path[0], path[-1]) for path in ours.values()} == {(path[0], path[-1]) for path in theirs}
            move = rng.choice(sorted(ours))
            long_jumps += len(ours[move]) > 2
            position, state = play(position, move), theirs[tuple(ours[move])]
            assert str(state) in boards
            compared += 1
        result = position.result()
        if state.returns() == [0.0, 0.0]:
            continue
        assert result is not None
        assert state.returns()[0] == (1.0 if result.standings["Black"] is Standing.WIN else -1.0)
    report("Checkers with OpenSpiel", compared)
    assert compared > 1000
    assert long_jumps > 10


def stops(name: str) -> list[int]:
    return [int(number) for number in name.replace("x", "-").split("-")]


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, twin, position = random.Random(2), gdl("checkers"), start("checkers")
    for _ in range(30):
        named = set(map(tuple_of, moves(twin)))
        ours = {name: [square(number) for number in stops(name)] for name in moves(position)}
        assert {(path[0], path[1]) for path in ours.values()} == named
        move = rng.choice(sorted(ours))
        for step in zip(ours[move], ours[move][1:], strict=False):
            twin = play(twin, {tuple_of(name): name for name in moves(twin)}[step])
        position = play(position, move)


def tuple_of(name: str) -> tuple[str, str]:
    _, x, y, u, v = name.split()
    return f"{x}{y}", f"{u}{v}"


def square(number: int) -> str:
    row, column = divmod(number - 1, 4)
    return f"{'abcdefgh'[2 * column + (row + 1) % 2]}{8 - row}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "counts"),
    [
        ("english", [7, 49, 302, 1469, 7361, 36768]),
        ("international", [9, 81, 658, 4265, 27117]),
        ("brazilian", [7, 49, 302, 1469, 7473]),
    ],
)
def test_perft(variant: str, counts: list[int]) -> None:
    """The counts that programmers of these games publish."""
    assert [perft(start("checkers", variant=variant), depth) for depth in range(1, len(counts) + 1)] == counts


def test_who_can_take_has_to() -> None:
    position = play(start("checkers"), "11-15", "22-18")
    assert position.moves("Black") == ("15x22",)
    with pytest.raises(MalformedMove, match="have to take"):
        position.parse("Black", "12-16")


def test_a_man_that_becomes_a_king_stops() -> None:
    """From 21 over 25 to the far row at 30: a king could go on over 26, and does not yet."""
    position = board("....", "....", "....", "....", "....", "b...", "ww..", "....")
    assert position.moves("Black") == ("21x30",)
    assert play(position, "21x30").view(None).split()[0].endswith("/.B..")


def test_kings_go_both_ways() -> None:
    position = board("....", "....", "....", ".B..", "....", "....", "....", "w...")
    assert set(position.moves("Black")) == {"14-9", "14-10", "14-17", "14-18"}


def test_kings_fly_where_they_do() -> None:
    position = board("....", "....", "....", ".B..", "....", "....", "....", "w...", variant="brazilian")
    assert len(position.moves("Black")) == 11
    assert {"14-5", "14-3", "14-21", "14-32"} <= set(position.moves("Black"))


def test_most_have_to_be_taken_where_that_is_the_rule() -> None:
    rows = ("....", "....", "b.b.", ".w.w", "....", "...w", "....", "....")
    assert board(*rows).moves("Black") == ("9x18", "11x20x27")
    assert board(*rows, variant="brazilian").moves("Black") == ("11x20x27",)


def test_men_take_backwards_where_they_do() -> None:
    rows = ("....", ".w..", ".b..", "....", "....", "....", "....", "....")
    assert board(*rows).moves("Black") == ("10-14", "10-15")
    assert board(*rows, variant="brazilian").moves("Black") == ("10x1",)


@pytest.mark.parametrize("text", ["11-15", "11 15", "11x15", "f6e5", "f6-e5"])
def test_ways_to_write_a_move(text: str) -> None:
    assert start("checkers").parse("Black", text) == "11-15"


def test_the_ends_of_a_long_jump_are_enough_where_they_are_clear() -> None:
    position = board("....", ".b..", ".w..", "....", ".w..", "....", "....", "...w")
    (name,) = position.moves("Black")
    assert len(stops(name)) == 3
    assert position.parse("Black", f"{stops(name)[0]}x{stops(name)[-1]}") == name
    around = board("....", ".b..", "ww..", "....", "ww..", "....", "....", "....")
    with pytest.raises(AmbiguousMove, match="6x13x22 or 6x15x22"):
        around.parse("Black", "6x22")
    assert around.parse("Black", "6 15 22") == "6x15x22"


def test_who_cannot_move_has_lost() -> None:
    position = play(board("....", "....", "....", "....", "....", "....", "b...", ".w..", to_move="White"), "30x21")
    assert position.turn() is OVER
    result = position.result()
    assert result is not None
    assert (result.standings["White"], result.reason) == (Standing.WIN, "Black has no pieces left")


def test_kings_that_only_walk_draw() -> None:
    state = checkers.CheckersState("B" + "." * 30 + "W", 0)
    position: Position = TurnPosition(checkers.checkers_of("english", 10), state)
    for _ in range(5):
        position = play(position, moves(position)[0])
        position = play(position, moves(position)[0])
    result = position.result()
    assert result is not None
    assert result.reason == "10 moves without a capture or a man's move"


def test_empty_squares_show_their_numbers() -> None:
    assert start("checkers").picture(None).plain(ascii_only=True)[3:6] == [
        "6    b     b     b     b", "5 13    14    15    16", "4    17    18    19    20"
    ]  # fmt: skip
