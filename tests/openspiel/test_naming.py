"""Names of moves as the library has them, and as people type them."""

from __future__ import annotations

import pytest

from ggtp.openspiel.naming import clean, news, plain, unique


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("[P0]Bid: 1", "Bid: 1"),
        ("player=0 move=Call", "Call"),
        ("Player: 0 Action: 7c", "7c"),
        ("Player 1: Fold", "Fold"),
        ("0,0", "0 0"),
        ("pile:1, take:2;", "pile:1 take:2"),
        ("two\nlines\tand  more ", "two lines and more"),
        ("", "none"),
        ("?", "none"),
        ("Place", "Place"),
    ],
)
def test_a_clean_name(name: str, cleaned: str) -> None:
    assert clean(name) == cleaned


def test_a_game_has_rewrites_of_its_own() -> None:
    assert clean("B a19", [("^[BW] ", "")]) == "a19"
    assert clean("194 - 13/7 8/4", [(r"^\d+ - ", "")]) == "13/7 8/4"


def test_names_that_come_again_are_numbered() -> None:
    assert unique(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]


def test_what_is_meant_alike() -> None:
    assert plain("4♦") == plain("4 D") == "4d"
    assert plain("x(0 2)") == plain("X 0 2")


def test_news_are_made_of_the_views_and_tell_them_apart() -> None:
    assert news("a b", "a b") == ""
    assert news("a b", "a b c").startswith("a b c ~")
    assert news("a\nb", "a\nc").startswith("c ~")
    assert news("a\nb", "a\nb\nc").startswith("c ~")
    long = "/".join(f"step{number}" for number in range(20))
    assert news(long, f"{long}/more").startswith("step19/more ~")
    assert news("a b", "b a").startswith("b a ~")
    assert news("a", "a c") != news("a b", "a b c")
