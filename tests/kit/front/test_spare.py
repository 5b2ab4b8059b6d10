"""The spare process: whatever is said, it has a legal move at hand where it is its player's turn."""

from __future__ import annotations

import pytest

from ggtp.catalogue import Catalogue
from ggtp.kit.front.shared_move import Slate
from ggtp.kit.front.spare import follow

BEGUN = ("0 + set_option rule TicTacToe", "0 + set_option player Cross", "0 + start")


def followed(*lines: str) -> Slate:
    slate = Slate()
    follow((line.encode() for line in lines), slate, Catalogue.from_environment({}).find_rules)
    return slate


def test_a_move_is_there_before_it_is_asked_for() -> None:
    found = followed(*BEGUN).read(1)
    assert found is not None
    assert found in {column + row for column in "ABC" for row in "123"}


def test_none_for_the_turn_of_somebody_else() -> None:
    assert followed(*BEGUN, "1 + have_to_play 50", "1 + made_move Cross A1").read(2) is None
    moves = [f"1 + made_move Cross {move}" for move in ("A1", "B1", "C1")]
    others = [f"1 + made_move Circle {move}" for move in ("A2", "B2", "C3")]
    played = [line for pair in zip(moves[:2], others[:2], strict=True) for line in pair]
    found = followed(*BEGUN, *played).read(2)
    assert found in {"C1", "C2", "A3", "B3", "C3"}


def test_what_was_taken_back_does_not_count() -> None:
    lines = ("0 + made_move Cross A1", "0 + undone_move", "0 + made_move Cross B1")
    assert followed(*BEGUN, *lines[:2]).read(1) is not None
    assert followed(*BEGUN, *lines).read(1) is None


def test_later_is_made_up_for() -> None:
    rest = ("0 - made_move Cross A1", "0 - made_move Circle A2", "1 - have_to_play 50")
    assert followed(*BEGUN, *rest).read(2) is None
    assert followed(*BEGUN, *rest).read(1) is not None, "that of the start"
    full = ("1 - made_move Cross B1", "1 - made_move Circle B2", "2 + have_to_play 50")
    assert followed(*BEGUN, *rest, *full).read(2) in {"C1", "C2", "A3", "B3", "C3"}


def test_the_end_and_nonsense_and_secrets() -> None:
    assert followed(*BEGUN, "0 + disconnect_engine", "0 + undone_move").read(1) is not None
    lines = ("0 + ", "0 + what is this", "0 + made_move Nobody Z9", "0 + set_option rule", "0 + get_table x")
    followed(*lines, *BEGUN, *lines)
    hidden = followed("0 + set_option rule PhantomTicTacToe", "0 + set_option player Cross", "0 + start")
    assert hidden.read(1) is None


@pytest.mark.parametrize("player", ["", "0 + set_option player Cross"])
def test_who_plays_for_anybody_plays_for_whoever_has_the_turn(player: str) -> None:
    lines = [line for line in ("0 + set_option rule TicTacToe", player, "0 + start", "0 + made_move Cross A1") if line]
    assert (followed(*lines).read(1) is not None) == (not player)
