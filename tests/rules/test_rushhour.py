"""Facts about RushHour."""

from __future__ import annotations

import importlib
from collections import deque
from functools import cache

import pytest
from support.marks import slow_where
from support.oracles import moves, play, start

from ggtp.errors import AmbiguousMove, MalformedMove, OptionError
from ggtp.game import OVER, Standing

rushhour = importlib.import_module("ggtp.rules.rushhour")
EASY = ".........A..XX.A...................."


@cache
def solve(level: str) -> list[str] | None:
    """A shortest list of moves, by looking at everything."""
    game = rushhour.rush_hour_of(level, 10000)
    seen, todo = {game.first[0]}, deque([(game.first, [])])
    while todo:
        state, way = todo.popleft()
        for move in game.legal(state):
            after = game.after(state, move)
            if after[0] not in seen:
                seen.add(after[0])
                found: list[str] = [*way, game.name(state, move)]
                if game.to_move(after) < 0:
                    return found
                todo.append((after, found))
    return None


@pytest.mark.parametrize("number", slow_where({4, 11, 12}.__contains__, range(1, len(rushhour.LEVELS) + 1)))
def test_every_level_can_be_solved(number: int) -> None:
    level = rushhour.LEVELS[number - 1]
    assert rushhour.read_level(level) == level
    way = solve(level)
    assert way is not None
    position = play(start("rushhour", level=str(number)), *way)
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert result.standings["Solo"] is Standing.WIN
    assert result.reason == f"the red car is out after {len(way)} moves"


@pytest.mark.slow
def test_levels_become_harder() -> None:
    lengths = [len(solve(level) or []) for level in rushhour.LEVELS]
    assert lengths == sorted(lengths)
    assert lengths[0] <= 5
    assert lengths[-1] >= 15


def test_cars_slide_until_something_is_in_the_way() -> None:
    assert moves(start("rushhour", level=EASY)) == ["X right 1", "A up 1", "A down 1", "A down 2", "A down 3"]


def test_the_red_car_leaves() -> None:
    position = play(start("rushhour", level=EASY), "A down 2", "X right 4")
    result = position.result()
    assert result is not None
    assert result.scores["Solo"] == 100


@pytest.mark.parametrize("text", ["A down 2", "AD2", "a+2", "Av2", "a 2", "A d 2"])
def test_ways_to_write_a_move(text: str) -> None:
    assert start("rushhour", level=EASY).parse("Solo", text) == "A down 2"


def test_a_car_that_can_go_both_ways_needs_a_direction() -> None:
    with pytest.raises(AmbiguousMove, match="A up 1 or A down 1"):
        start("rushhour", level=EASY).parse("Solo", "A")
    assert start("rushhour", level=EASY).parse("Solo", "X") == "X right 1"
    with pytest.raises(MalformedMove, match="how far"):
        start("rushhour", level=EASY).parse("Solo", "X left 1")


def test_the_game_is_lost_at_its_limit() -> None:
    position = play(start("rushhour", level=EASY, max_moves="1"), "A up")
    result = position.result()
    assert result is not None
    assert result.standings["Solo"] is Standing.LOSS


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("0", "there are 1 to"),
        ("99", "there are 1 to"),
        ("XX", "36 squares"),
        ("." * 36, "third row"),
        ("." * 12 + "....XX" + "." * 18, "already"),
        ("A" + "." * 11 + "XX...." + "." * 18, "A is no car"),
        ("A......A...." + "XX...." + "." * 18, "A is no car"),
        ("XX" + "." * 34, "third row"),
    ],
)
def test_what_is_no_level(level: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        start("rushhour", level=level)


def test_the_picture() -> None:
    lines = start("rushhour", level=EASY).picture(None).plain(ascii_only=True)
    assert lines[0] == "+ - - - - - - +"
    assert lines[3] == "| X X . A . . >"
    assert lines[-1] == "0 moves; X has to get out at the right"
