"""Facts about Nim."""

from __future__ import annotations

import importlib
from functools import reduce
from itertools import product
from operator import xor

import pytest

from ggtp.errors import IllegalMove, MalformedMove, OptionError
from ggtp.game import Position, Searcher, Standing, advice
from ggtp.game.checks.contract import perft

nim = importlib.import_module("ggtp.rules.nim")


def start(heaps: str, **options: str) -> Position:
    position: Position = nim.RULES.start({"heaps": heaps, **options})
    return position


def wins(searcher: Searcher, known: dict[object, bool]) -> bool:
    """Whether the player to move wins with best play."""
    me, key = searcher.to_move(), searcher.key()
    if key not in known:
        known[key] = False
        for move in searcher.legal():
            searcher.play(move)
            won = searcher.scores()[me] == 100 if searcher.to_move() < 0 else not wins(searcher, known)
            searcher.undo()
            if won:
                known[key] = True
                break
    return known[key]


@pytest.mark.parametrize("misere", ["off", "on"])
def test_who_wins_is_as_bouton_proved(misere: str) -> None:
    for heaps in product(range(1, 6), repeat=3):
        searcher = advice.searcher(start(" ".join(map(str, heaps)), misere=misere))
        assert searcher is not None
        # The sum without carry decides; in misere play it is the other way when all heaps are single.
        winning = reduce(xor, heaps) != 0
        if misere == "on" and max(heaps) == 1:
            winning = not winning
        assert wins(searcher, {}) == winning, heaps


def test_the_usual_heaps_are_lost_for_who_begins() -> None:
    searcher = nim.RULES.start().searcher()
    assert not wins(searcher, {})


def test_moves_are_named_by_heap() -> None:
    assert start("1 2").moves("Left") == ("take 1 from A", "take 1 from B", "take 2 from B")
    assert start("1 2").moves("Right") == ()


def test_perft_of_one_heap_doubles() -> None:
    # A heap of n can be taken away in 2**(n-1) ways, one for each way to write n as a sum.
    assert (
        sum(perft(start("6"), depth) - ongoing for depth, ongoing in [(1, 5), (2, 10), (3, 10), (4, 5), (5, 1), (6, 0)])
        == 32
    )


@pytest.mark.parametrize(("misere", "winner"), [("off", "Left"), ("on", "Right")])
def test_the_last_one_decides(misere: str, winner: str) -> None:
    result = start("3", misere=misere).play({"Left": "take 3 from A"}).position.result()
    assert result is not None
    assert result.standings[winner] is Standing.WIN
    assert result.reason == "Left took the last one"


@pytest.mark.parametrize("text", ["take 2 from B", "B 2", "b2", "b-2", "TAKE 2 FROM b"])
def test_typed_moves(text: str) -> None:
    assert start("1 2").parse("Left", text) == "take 2 from B"


@pytest.mark.parametrize(
    ("text", "error"), [("B 3", IllegalMove), ("C 1", IllegalMove), ("B 0", MalformedMove), ("all", MalformedMove)]
)
def test_texts_that_are_no_moves(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        start("1 2").parse("Left", text)


@pytest.mark.parametrize("move", ["take 3 from B", "take 1 from C", "take 0 from A", "take 01 from A", "B 2", ""])
def test_moves_that_may_not_be_played(move: str) -> None:
    with pytest.raises(IllegalMove):
        start("1 2").play({"Left": move})


def test_nobody_plays_out_of_turn() -> None:
    with pytest.raises(IllegalMove, match="It is not Right's turn"):
        start("1 2").parse("Right", "B 2")
    with pytest.raises(IllegalMove):
        start("1 2").play({"Right": "take 2 from B"})


@pytest.mark.parametrize("heaps", ["", "0", "100", "1 -2", "1.5", "one", "1 " * 13, "٣"])
def test_heaps_that_cannot_be(heaps: str) -> None:
    with pytest.raises(OptionError, match="heaps"):
        start(heaps)


def test_heaps_are_written_plainly() -> None:
    assert nim.RULES.complete({"heaps": " 3,4,  5"})["heaps"] == "3 4 5"


def test_the_picture_shows_the_heaps() -> None:
    assert start("1 3").picture(None).plain() == ["A | 1", "B ||| 3"]
    assert start("1 3", misere="on", starting_player="Right").view(None) == "1 3 misere Right"
