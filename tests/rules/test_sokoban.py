"""Facts about Sokoban."""

from __future__ import annotations

import importlib
from collections import deque

import pytest
from support.marks import slow_where
from support.oracles import moves, play, start

from ggtp.errors import MalformedMove, OptionError
from ggtp.game import OVER, Standing, advice

sokoban = importlib.import_module("ggtp.rules.sokoban")
SMALL = "#####/#@$.#/#####"


def solve(level: str) -> list[int] | None:
    """A shortest list of pushes, by looking at everything."""
    game = sokoban.sokoban_of(level, True, 10000)
    first = game.start()
    seen, todo = {(min(game.reach(first)), first[1])}, deque([(first, [])])
    while todo:
        state, way = todo.popleft()
        if state[1] == game.goals:
            found: list[int] = way
            return found
        for move in game.legal(state):
            after = game.after(state, move)
            key = (min(game.reach(after)), after[1])
            if key not in seen:
                seen.add(key)
                todo.append((after, [*way, move]))
    return None


@pytest.mark.parametrize("number", slow_where({11}.__contains__, range(1, len(sokoban.LEVELS) + 1)))
def test_every_level_can_be_solved(number: int) -> None:
    level = sokoban.LEVELS[number - 1]
    assert sokoban.read_level(level) == level
    way = solve(level)
    assert way is not None
    assert len(way) >= 5
    position = start("sokoban", level=str(number))
    for move in way:
        position = play(position, advice.searcher(position).text(move))
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert (result.standings["Solo"], result.scores["Solo"]) == (Standing.WIN, 100)
    assert result.reason == f"every box is on a mark after {len(way)} moves"


def test_a_push_takes_the_man_along() -> None:
    position = play(start("sokoban", level="######/#@$-.#/######"), "c2 right")
    assert position.view(None) == "######/#-@$.#/###### 1 of 500"


def test_a_man_must_reach_the_box_from_behind() -> None:
    position = start("sokoban", level="#####/#-$.#/#@--#/#####")
    assert moves(position) == ["c2 left", "c2 right"]


def test_boxes_do_not_push_boxes() -> None:
    level = "#######/#@$$..#/#######"
    assert start("sokoban", level=level).turn() is OVER
    steps = start("sokoban", level=level, moves="steps")
    assert steps.turn() is OVER


def test_steps_are_written_as_players_do() -> None:
    position = start("sokoban", level="######/#@-$.#/######", moves="steps")
    assert moves(position) == ["r"]
    position = play(position, "right")
    assert moves(position) == ["l", "R"]
    assert {position.parse("Solo", text) for text in ("R", "r", ">", "right")} == {"R"}
    assert play(position, "R").turn() is OVER


@pytest.mark.parametrize("text", ["c2 right", "c2r", "C2 R", "c2>", "c2-d2", "c2d2"])
def test_ways_to_write_a_push(text: str) -> None:
    assert start("sokoban", level=SMALL).parse("Solo", text) == "c2 right"


def test_a_walk_up_to_a_push_is_that_push() -> None:
    position = start("sokoban", level="#####/#-$.#/#@--#/#####")
    assert position.parse("Solo", "uR") == "c2 right"
    assert position.parse("Solo", "rruL") == "c2 left"
    for text in ("u", "l", "uRr", "rruLl", "ruU"):
        with pytest.raises(MalformedMove, match="a walk up to a push"):
            position.parse("Solo", text)


def test_what_is_no_push() -> None:
    with pytest.raises(MalformedMove, match="a box and where it is pushed"):
        start("sokoban", level=SMALL).parse("Solo", "b2 left")


def test_the_game_is_lost_at_its_limit() -> None:
    position = start("sokoban", level="######/#@---#/#-$--#/#---.#/######", moves="steps", max_moves="10")
    for move in "rlrlrlrlrl":
        position = play(position, move)
    result = position.result()
    assert result is not None
    assert (result.standings["Solo"], result.reason) == (Standing.LOSS, "10 moves were made")


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("0", "there are 1 to"),
        ("99", "there are 1 to"),
        ("abc", "made of"),
        ("####/#$.#/####", "one man"),
        ("#####/#@$-#/#####", "as many boxes"),
        ("#####/#@*-#/#####", "already"),
        ("#@$.", "walls"),
        ("#####/#@$.-/#####", "walls"),
    ],
)
def test_what_is_no_level(level: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        start("sokoban", level=level)


def test_the_picture() -> None:
    assert start("sokoban", level="#####|#@$.#|#####").picture(None).plain(ascii_only=True) == [
        "  a b c d e", "1 # # # # #", "2 # @ $ . #", "3 # # # # #", "0 of 1 boxes on marks; 0 pushes"
    ]  # fmt: skip
