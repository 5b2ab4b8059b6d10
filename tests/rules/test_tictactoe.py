"""Facts about TicTacToe."""

from __future__ import annotations

import importlib
from functools import cache

import pytest

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import OVER, Position, Searcher, Standing, advice
from ggtp.game.checks.contract import perft

tictactoe = importlib.import_module("ggtp.rules.tictactoe")


def after(*moves: str, **options: str) -> Position:
    position: Position = tictactoe.RULES.start(options)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def test_the_squares_are_listed_row_by_row() -> None:
    assert after().moves("Cross") == ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3")
    assert after("A1", "B2").moves("Cross") == ("B1", "C1", "A2", "C2", "A3", "B3", "C3")


def test_perft() -> None:
    known = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert [perft(after(), depth) for depth in range(1, 11)] == known


def test_how_many_games_and_positions_there_are() -> None:
    reached: dict[object, Position] = {}

    @cache
    def games(key: object) -> int:
        position = reached[key]
        if position.turn() is OVER:
            return 1
        return sum(visit(position.play({position.turn().players[0]: move}).position) for move in listed(position))

    def listed(position: Position) -> list[str]:
        return list(position.moves(position.turn().players[0]))

    def visit(position: Position) -> int:
        reached.setdefault(position.key(), position)
        return games(position.key())

    assert visit(after()) == 255168
    assert len(reached) == 5478


def value(searcher: Searcher, known: dict[object, float]) -> float:
    """What Cross gets with best play."""
    if searcher.to_move() < 0:
        return searcher.scores()[0]
    key = searcher.key()
    if key not in known:
        best = max if searcher.to_move() == 0 else min
        values = []
        for move in searcher.legal():
            searcher.play(move)
            values.append(value(searcher, known))
            searcher.undo()
        known[key] = best(values)
    return known[key]


@pytest.mark.parametrize(
    ("moves", "worth"),
    [([], 50), (["B2", "A1"], 50), (["B2", "B1"], 100), (["A1", "B1"], 100), (["B1", "A3", "C1"], 0)],
)
def test_best_play(moves: list[str], worth: int) -> None:
    searcher = advice.searcher(after(*moves))
    assert searcher is not None
    assert value(searcher, {}) == worth


@pytest.mark.parametrize(
    "line", ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "C1 B2 A3"]
)
@pytest.mark.parametrize("winner", ["Cross", "Circle"])
def test_three_in_a_row_win(line: str, winner: str) -> None:
    own = line.split()
    others = [square for square in ("A1", "C2", "B3", "A3", "C1") if square not in own][:2]
    moves = [own[0], others[0], own[1], others[1], own[2]]
    position = after(*moves, starting_player=winner)
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert result.standings[winner] is Standing.WIN
    assert result.scores[winner] == 100
    assert result.reason == "three in a row"
    assert position.moves("Cross") == position.moves("Circle") == ()


def test_a_full_board_is_a_draw() -> None:
    result = after(*["A1", "B2", "C3", "B1", "B3", "A3", "C1", "C2", "A2"]).result()
    assert result is not None
    assert result.standings == {"Cross": Standing.DRAW, "Circle": Standing.DRAW}
    assert result.reason == "the board is full"


def test_circle_may_begin() -> None:
    assert after(starting_player="Circle").turn().players == ("Circle",)
    assert after("B2", starting_player="Circle").view(None) == ".../.O./... Cross"


@pytest.mark.parametrize(("player", "move"), [("Cross", "A1"), ("Circle", "A1"), ("Cross", "D4"), ("Circle", "b2")])
def test_moves_that_may_not_be_played(player: str, move: str) -> None:
    with pytest.raises(IllegalMove, match=f"No move named {move} for player {player}"):
        after("A1").play({player: move})


def test_typed_moves() -> None:
    assert after().parse("Cross", "b2") == "B2"
    with pytest.raises(MalformedMove):
        after().parse("Cross", "B4")


def test_the_picture() -> None:
    assert after("A1", "B2").picture(None).plain() == ["  A B C", "3 . . .", "2 . O .", "1 X . ."]
