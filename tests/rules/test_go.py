"""Facts about Go."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.oracles import actions, games, mover, moves, openspiel, play, report, start

from ggtp.errors import MoveError, OptionError
from ggtp.game import OVER, Position, Standing
from ggtp.game.checks.contract import perft

KO = ("B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2")
"""White has just taken the stone on C2 of a ko; the middle is A2 B2 C2 D2."""


def go(**options: str) -> Position:
    return start("go", **options)


def theirs(state: Any) -> dict[str, int]:
    """OpenSpiel's actions under our names."""
    names = {name: name.split()[1].upper() for name in actions(state)}
    return {names[name].replace("PASS", "pass"): action for name, action in actions(state).items()}


@pytest.mark.parametrize(("size", "count"), [(3, 8), (5, 6), (9, 3), (19, 1)])
def test_moves_and_ends_are_those_of_openspiel(size: int, count: int) -> None:
    """With simple ko. OpenSpiel draws when a board comes back, where we play on: there the comparison ends."""
    rng, compared, game = random.Random(size), 0, openspiel("go", board_size=size, komi=7.5)
    for _ in games(count):
        position, state = go(size=str(size), ko="simple", max_moves=str(2 * size * size)), game.new_initial_state()
        while not state.is_terminal():
            named = theirs(state)
            assert set(named) == set(moves(position))
            move = rng.choice(sorted(named))
            state.apply_action(named[move])
            position = play(position, move)
            compared += 1
        result = position.result()
        if state.returns() != [0.0, 0.0]:
            assert result is not None
            assert state.returns()[0] == (1.0 if result.standings["Black"] is Standing.WIN else -1.0)
    report(f"Go of size {size} with OpenSpiel", compared)
    assert compared > 50


def test_superko_refuses_what_openspiel_draws() -> None:
    """Where a move makes a board again, OpenSpiel allows it and ends the game; we do not list it."""
    rng, refused, game = random.Random(3), 0, openspiel("go", board_size=3, komi=7.5, max_game_length=1000)
    for _ in games(30):
        position, state = go(size="3", max_moves="1000"), game.new_initial_state()
        while not state.is_terminal():
            named = theirs(state)
            again = {name for name, action in named.items() if name != "pass" and repeats(state, action)}
            refused += len(again)
            assert set(named) - again == set(moves(position))
            move = rng.choice([name for name in moves(position) if name != "pass"] or ["pass"])
            state.apply_action(named[move])
            position = play(position, move)
    assert refused > 5


def repeats(state: Any, action: int) -> bool:
    after = state.clone()
    after.apply_action(action)
    return bool(after.is_terminal() and after.returns() == [0.0, 0.0])


Board = tuple[str, ...]


def naive(board: Board, size: int, black: bool, seen: frozenset[Board], passed: bool, depth: int, suicide: bool) -> int:
    """Counts the ways to play with sets of points and no cleverness, under positional superko."""
    if depth == 0:
        return 1
    count = (
        0 if passed and depth > 1 else 1 if passed else naive(board, size, not black, seen, True, depth - 1, suicide)
    )
    own, other = "XO" if black else "OX"
    for point, mark in enumerate(board):
        if mark == ".":
            after = list(board)
            after[point] = own
            for colour in (other, own):
                for start_point in [at for at, found in enumerate(after) if found == colour]:
                    chain = connected(after, size, start_point)
                    if not any(after[near] == "." for at in chain for near in neighbours(at, size)):
                        for at in chain:
                            after[at] = "."
                        if colour == own and (not suicide or len(chain) == 1):
                            after[point] = "?"
            made = tuple(after)
            if "?" not in made and made not in seen:
                count += naive(made, size, not black, seen | {made}, False, depth - 1, suicide)
    return count


def neighbours(point: int, size: int) -> list[int]:
    row, column = divmod(point, size)
    places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]


def connected(board: list[str], size: int, point: int) -> set[int]:
    chain, todo = {point}, [point]
    while todo:
        for near in neighbours(todo.pop(), size):
            if near not in chain and board[near] == board[point]:
                chain.add(near)
                todo.append(near)
    return chain


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("size", "depth"), [(2, 8), (3, 4)])
def test_perft_is_as_counted_naively(size: int, depth: int, suicide: bool) -> None:
    empty: Board = (".",) * size**2
    position = go(size=str(size), suicide="on" if suicide else "off", max_moves="100")
    for turns in range(1, depth + 1):
        assert perft(position, turns) == naive(empty, size, True, frozenset((empty,)), False, turns, suicide)


def test_ko() -> None:
    for kind in ("simple", "positional", "situational"):
        position = play(go(size="5", ko=kind), *KO)
        assert "C2" not in position.moves("Black")
        assert " ko C2" in position.view(None)
        assert "C2" in play(position, "E5", "D5").moves("Black")


def test_people_are_told_why_not() -> None:
    position = play(go(size="5"), *KO)
    for text, said in (("c2", "against ko"), ("B2", "a stone on B2"), ("F9", "an empty point")):
        with pytest.raises(MoveError, match=said):
            position.parse("Black", text)
    position = play(go(size="5"), "A2", "E5", "B1", "E4", "C5")
    with pytest.raises(MoveError, match="no liberty"):
        position.parse("White", "a1")


def test_a_board_may_come_back_under_simple_ko_only() -> None:
    """Two stones are sent in to be taken, two are taken back: a cycle of the whole board that is no plain ko."""
    rng = random.Random(1)
    for _ in range(200):
        position, boards = go(size="2", ko="simple"), []
        while position.turn() is not OVER:
            boards.append(position.view(None).split()[0])
            position = play(position, rng.choice([name for name in moves(position) if name != "pass"] or ["pass"]))
        if len(set(boards[:-2])) < len(boards[:-2]):
            break
    else:
        pytest.fail("no board ever came back")
    seen = []
    position = go(size="2", ko="positional")
    while position.turn() is not OVER:
        move = rng.choice([name for name in moves(position) if name != "pass"] or ["pass"])
        position = play(position, move)
        if move != "pass":
            seen.append(position.view(None).split()[0])
    assert len(set(seen)) == len(seen)


def test_suicide_is_an_option() -> None:
    played = ("A1", "A3", "A2", "B2", "E5", "C1")
    assert "B1" not in play(go(size="5"), *played).moves("Black")
    after = play(go(size="5", suicide="on"), *played, "B1")
    assert after.view(None).startswith("..O../.O.../O..../...../....X White 0 3 0 ")


def test_a_single_stone_never_takes_itself() -> None:
    position = play(go(size="3", suicide="on"), "C3", "A2", "C2", "B1")
    assert "A1" not in position.moves("Black")


@pytest.mark.parametrize(
    ("scoring", "reason"), [("area", "Black 9 points, White 7.5"), ("territory", "Black 6 points, White 7.5")]
)
def test_counting(scoring: str, reason: str) -> None:
    position = play(go(size="3", scoring=scoring), "A2", "pass", "B2", "pass", "C2", "pass", "pass")
    result = position.result()
    assert result is not None
    assert result.reason == reason


def test_prisoners_count_in_territory() -> None:
    played = ("A2", "A1", "B1", "pass", "pass")
    result = play(go(size="3", scoring="territory", komi="0"), *played).result()
    assert result is not None
    assert result.reason == "Black 8 points, White 0"


def test_the_same_points_draw() -> None:
    result = play(go(size="3", komi="0"), "pass", "pass").result()
    assert result is not None
    assert set(result.standings.values()) == {Standing.DRAW}


def test_the_game_ends_at_its_limit() -> None:
    position = play(go(size="5", max_moves="2"), "A1", "B1")
    assert position.turn() is OVER


def test_white_begins_where_black_has_a_handicap() -> None:
    position = go(size="9", handicap="4")
    assert mover(position) == "White"
    assert position.view(None).count("X") == 4
    with pytest.raises(OptionError):
        go(size="9", handicap="1")
    with pytest.raises(OptionError):
        go(size="5", handicap="2")


@pytest.mark.parametrize("komi", ["x", "1.25", "", "1e3"])
def test_komi_is_in_halves(komi: str) -> None:
    with pytest.raises(OptionError, match="halves"):
        go(komi=komi)


def test_the_picture() -> None:
    position = play(go(size="5"), "C3", "d3")
    assert position.picture(None).plain(ascii_only=True) == [
        "  A B C D E", "5 . . . . .", "4 . . . . .", "3 . . X O .", "2 . . . . .", "1 . . . . .",
        "captured by Black 0, by White 0; komi 7.5", "Black to move",
    ]  # fmt: skip
