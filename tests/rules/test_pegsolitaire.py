"""Facts about PegSolitaire."""

from __future__ import annotations

import random

import pytest
from support.oracles import gdl, moves, play, start

from ggtp.errors import MalformedMove, OptionError
from ggtp.game import OVER, Position, Searcher, Standing, advice
from ggtp.game.checks.contract import perft


def test_the_boards() -> None:
    for board, holes in (("english", 33), ("european", 37), ("triangle", 15)):
        view = start("pegsolitaire", board=board).view(None)
        assert (view.count("o"), view.count(".")) == (holes - 1, 1)


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, position, twin = random.Random(4), start("pegsolitaire"), gdl("pegsolitaire")
    while position.turn() is not OVER:
        named = {}
        for name in moves(twin):
            _, x, y, u, v = name.split()
            named["abcdefg"[int(x) - 1] + y + "-" + "abcdefg"[int(u) - 1] + v] = name
        assert set(named) == set(moves(position))
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])
    assert twin.turn() is OVER


def test_perft() -> None:
    """The four first jumps lead to the same but for a turn of the board, and so on."""
    assert [perft(start("pegsolitaire"), depth) for depth in (1, 2, 3)] == [4, 12, 60]


def solvable(searcher: Searcher, seen: set[object]) -> bool:
    if searcher.to_move() < 0:
        return searcher.scores()[0] == 100
    if searcher.key() in seen:
        return False
    seen.add(searcher.key())
    for move in searcher.legal():
        searcher.play(move)
        found = solvable(searcher, seen)
        searcher.undo()
        if found:
            return True
    return False


@pytest.mark.parametrize("hole", ["a1", "b3", "a4", "c5"])
def test_the_triangle_can_be_solved(hole: str) -> None:
    searcher = advice.searcher(start("pegsolitaire", board="triangle", hole=hole))
    assert searcher is not None
    assert solvable(searcher, set())


EUROPEAN = (
    "e1-c1 d3-d1 f3-d3 b2-d2 e5-e3 d3-f3 d1-d3 f2-d2 e7-e5 c6-e6 c4-c6 e5-c5 b5-d5 f6-d6 c6-e6 a4-c4 d4-b4 g5-e5 d5-f5 "
    "g4-e4 g3-e3 e4-e2 e2-c2 c2-c4 a3-c3 c4-c2 c1-c3 d3-b3 b3-b5 a5-c5 c7-e7 e7-e5 f5-d5 d5-b5 b6-b4"
)


def test_the_european_board_can_be_solved_from_its_default_hole() -> None:
    position = play(start("pegsolitaire", board="european"), *EUROPEAN.split())
    result = position.result()
    assert result is not None
    assert result.standings["Solo"] is Standing.WIN


def test_one_peg_left_wins() -> None:
    position = play(start("pegsolitaire", board="triangle", hole="a1"), *solution("triangle", "a1"))
    result = position.result()
    assert result is not None
    assert (result.standings["Solo"], result.scores["Solo"], result.reason) == (Standing.WIN, 100, "one peg is left")


def solution(board: str, hole: str) -> list[str]:
    position: Position = start("pegsolitaire", board=board, hole=hole)
    found: list[str] = []
    while position.turn() is not OVER:
        for move in moves(position):
            searcher = advice.searcher(play(position, move))
            assert searcher is not None
            if solvable(searcher, set()):
                found.append(move)
                position = play(position, move)
                break
    return found


def test_more_pegs_cost_ten_each() -> None:
    rng, position = random.Random(1), start("pegsolitaire")
    while position.turn() is not OVER:
        position = play(position, rng.choice(moves(position)))
    left = position.view(None).count("o")
    result = position.result()
    assert result is not None
    assert (result.standings["Solo"], result.scores["Solo"]) == (Standing.LOSS, 100 - 10 * (left - 1))


def test_holes_depend_on_the_board() -> None:
    assert "a1" not in start("pegsolitaire").view(None)
    with pytest.raises(OptionError):
        start("pegsolitaire", hole="a1")
    assert start("pegsolitaire", board="triangle", hole="c5").view(None) == "o/oo/ooo/oooo/oo.oo"


def test_ways_to_write_a_move() -> None:
    position = start("pegsolitaire")
    assert {position.parse("Solo", text) for text in ("d2-d4", "D2 d4", "d2d4", "d2>d4")} == {"d2-d4"}
    with pytest.raises(MalformedMove, match="leaves and reaches"):
        position.parse("Solo", "a1-a2")


def test_the_pictures() -> None:
    assert start("pegsolitaire").picture(None).plain(ascii_only=True)[:5] == [
        "  a b c d e f g", "1     o o o", "2     o o o", "3 o o o o o o o", "4 o o o . o o o"
    ]  # fmt: skip
    assert start("pegsolitaire", board="triangle").picture(None).plain(ascii_only=True)[:3] == [
        "1         .", "2       o   o", "3     o   o   o"
    ]  # fmt: skip
