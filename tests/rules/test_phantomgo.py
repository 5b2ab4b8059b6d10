"""Facts about PhantomGo."""

from __future__ import annotations

import random

import pytest
from support.oracles import games, mover, moves, openspiel, play, report, start

from ggtp.errors import OptionError
from ggtp.game import OVER, Position, Standing, advice
from ggtp.game.building.phantom import PhantomPosition


def go(**options: str) -> Position:
    return start("phantomgo", **options)


@pytest.mark.parametrize(("size", "count"), [(3, 12), (5, 8), (9, 2)])
def test_what_is_refused_and_how_it_ends_is_as_in_openspiel(size: int, count: int) -> None:
    """OpenSpiel draws when a board comes back, where we play on: there the comparison ends."""
    rng, compared = random.Random(size), 0
    game = openspiel("phantom_go", board_size=size, komi=7.5)
    for _ in games(count):
        position, state = go(size=str(size), max_moves="2000"), game.new_initial_state()
        while not state.is_terminal() and position.turn() is not OVER:
            player, theirs = mover(position), state.current_player()
            assert theirs == ("Black", "White").index(player)
            named = {
                state.action_to_string(theirs, action).split()[1].upper().replace("PASS", "pass"): action
                for action in state.legal_actions()
            }
            assert set(moves(position)) <= set(named)
            move = rng.choice(moves(position))
            state.apply_action(named[move])
            verdict = position.play({player: move})
            # OpenSpiel counts refused tries too, and ends the game after too many.
            if not state.is_terminal():
                assert (state.current_player() == theirs) == bool(verdict.refused)
            position = verdict.position
            compared += 1
        result = position.result()
        if result is not None and state.is_terminal() and state.returns() != [0.0, 0.0]:
            assert state.returns()[0] == (1.0 if result.standings["Black"] is Standing.WIN else -1.0)
    report(f"PhantomGo of size {size} with OpenSpiel", compared)
    assert compared > 100


def test_both_are_told_what_is_taken() -> None:
    position = play(go(size="3"), "A1", "A2", "C3")
    verdict = position.play({"White": "B1"})
    assert position.seen("White", "B1", "Black") == "? takes A1"
    assert position.seen("White", "B1", "White") == "B1 takes A1"
    assert [words.text for words in verdict.announcements] == ["White has moved and taken A1"]
    after = verdict.position
    assert isinstance(after, PhantomPosition)
    assert after.known[1].taken == (0, 1)


def test_who_has_lost_stones_knows_what_stood_around_them() -> None:
    position = play(go(size="3"), "A1", "A2", "C3", "B1")
    assert "A2" not in position.moves("Black")
    assert "B1" not in position.moves("Black")
    assert "A1" in position.moves("Black")


def test_suicide_is_refused_and_says_what_stands_around() -> None:
    position = play(go(size="3"), "C3", "A2", "C2", "B1")
    verdict = position.play({"Black": "A1"})
    assert [refusal.reason for refusal in verdict.refused] == ["suicide"]
    assert set(verdict.position.moves("Black")) == {"C1", "B2", "A3", "B3", "pass"}


def test_ko_is_refused_for_one_turn() -> None:
    #  White takes back at once: the ko.
    ko = play(go(size="5"), "B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2")
    verdict = ko.play({"Black": "C2"})
    assert [refusal.reason for refusal in verdict.refused] == ["ko"]
    later = play(verdict.position, "E5", "E4")
    assert not later.play({"Black": "C2"}).refused


def test_a_pass_is_heard_and_two_end_the_game() -> None:
    position = go(size="3", komi="0.5")
    assert position.seen("Black", "pass", "White") == "pass"
    ended = play(position, "B2", "pass", "pass")
    result = ended.result()
    assert result is not None
    assert result.reason == "Black 9 points, White 0.5"
    assert ended.picture("White") == ended.picture("Black")


def test_the_view_of_each_player() -> None:
    position = play(go(size="2", komi="0"), "A1", "A1", "B2")
    assert position.view("Black") == (
        "X??? tried -; own last A1; stones: Black 1, White 1 (1 hidden); White has moved; "
        "Black to move; komi 0 limit 28"
    )
    assert position.view("White").startswith("X??O tried -; own last B2; stones: White 1, Black 1; ")
    assert "White knows A1 has tried -" in position.view(None)


def test_komi_is_in_halves() -> None:
    with pytest.raises(OptionError):
        go(komi="6.3")


def test_nobody_thinks_of_filling_its_own_eyes() -> None:
    position = play(start("phantomgo", size="5"), "A2", "E5", "B2", "E4", "B1", "E3")
    assert "A1" in position.moves("Black")
    assert "A1" not in advice.likely(position, "Black")
    assert set(position.moves("Black")) - set(advice.likely(position, "Black")) == {"A1"}
    assert list(advice.likely(position, "White")) == []
