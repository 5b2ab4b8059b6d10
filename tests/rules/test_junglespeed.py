"""Facts about JungleSpeed."""

from __future__ import annotations

import random

import pytest
from support.oracles import start

from ggtp.errors import IllegalMove
from ggtp.game import CHANCE, OVER, Position, Standing, TurnKind
from ggtp.game.checks.examine import choose


def flip(position: Position, *cards: str) -> Position:
    """These cards are turned one after the other, by whoever is at turn."""
    for card in cards:
        (player,) = (who for who in position.turn().players if "flip" in position.moves(who))
        position = position.play({player: "flip"}).position
        position = position.play({CHANCE: card}).position
    return position


def counts(position: Position) -> list[int]:
    return [pile.count() for pile in position.state.piles]  # type: ignore[attr-defined]


def test_it_is_a_race_at_any_time() -> None:
    turn = start("junglespeed").turn()
    assert turn.kind is TurnKind.RACE
    assert turn.players == ("Ann", "Bob", "Cid")
    assert turn.delay == 5.0
    assert turn.default == {"Ann": "flip"}


def test_who_waits_is_out_until_the_next_card() -> None:
    position = start("junglespeed").play({"Bob": "wait"}).position
    assert position.turn().players == ("Ann", "Cid")
    with pytest.raises(IllegalMove):
        position.play({"Bob": "wait"})
    assert flip(position, "A-red").turn().players == ("Ann", "Bob", "Cid")


def test_the_first_of_two_with_the_same_shape_gives_its_cards_away() -> None:
    position = flip(start("junglespeed", specials="off"), "A-red", "B-red", "A-green")
    verdict = position.play({"Cid": "grab"})
    assert verdict.announcements[0].text == "Cid wins the duel; Ann takes the cards"
    assert counts(verdict.position) == [25, 24, 23]
    # The loser goes on.
    assert "flip" in verdict.position.moves("Ann")


def test_a_wrong_grab_costs_all_cards_that_lie_open() -> None:
    position = flip(start("junglespeed", specials="off"), "A-red", "B-red", "C-green")
    verdict = position.play({"Bob": "grab"})
    assert verdict.announcements[0].text == "Bob was wrong and takes all cards"
    assert counts(verdict.position) == [23, 26, 23]


def test_colours_count_until_the_next_card() -> None:
    position = flip(start("junglespeed"), "A-red", "B-red", "colours")
    assert "flip" in position.moves("Cid")
    assert position.play({"Ann": "grab"}).announcements[0].text == "Ann wins the duel; Bob takes the cards"
    later = flip(position, "C-green")
    assert later.play({"Ann": "grab"}).announcements[0].text == "Ann was wrong and takes all cards"


def test_everybody_may_grab_at_once() -> None:
    position = flip(start("junglespeed"), "A-red", "B-red", "everybody")
    after = position.play({"Bob": "grab"}).position
    assert counts(after) == [26, 25, 25]
    assert after.state.pot == ("everybody", "B-red")  # type: ignore[attr-defined]


def test_nothing_is_lost_and_the_fewest_cards_win() -> None:
    rng = random.Random(7)
    for players in ("2", "5", "8"):
        position = start("junglespeed", players=players)
        while position.turn() is not OVER:
            position = position.play(choose(position, rng)).position
            assert sum(counts(position)) + len(position.state.pot) == 78  # type: ignore[attr-defined]
        result = position.result()
        assert result is not None
        best = min(counts(position))
        for player, count in zip(result.standings, counts(position), strict=True):
            assert (result.standings[player] is Standing.LOSS) == (count != best)


def test_who_has_no_cards_left_has_won() -> None:
    """Bob watches and is quick, Ann only flips."""
    rng, position = random.Random(3), start("junglespeed", players="2", specials="off", max_events="200")
    while position.turn() is not OVER:
        turn = position.turn()
        if turn.kind is TurnKind.CHANCE:
            position = position.play({CHANCE: position.draw(rng)}).position
        elif position.rivals(1):  # type: ignore[attr-defined]
            position = position.play({"Bob": "grab"}).position
        else:
            who = "Ann" if "flip" in position.moves("Ann") else "Bob"
            position = position.play({who: "flip"}).position
    result = position.result()
    assert result is not None
    assert result.standings["Bob"] is Standing.WIN


def test_cards_are_drawn_from_what_nobody_has_seen_then_from_what_was_taken() -> None:
    position = start("junglespeed", players="2", specials="off")
    first = position.play({"Ann": "flip"}).position
    assert len(first.chance()) == 72
    taken = flip(position, "A-red", "B-red").play({"Ann": "grab"}).position
    pile = taken.state.piles[0]  # type: ignore[attr-defined]
    assert pile.under == ("A-red", "B-red")


def test_the_picture() -> None:
    lines = flip(start("junglespeed"), "A-red").picture(None).plain(ascii_only=True)
    assert lines[0].split() == ["Ann", "A-red", "1", "up", "25", "down"]
    assert lines[-1] == "card 1: Bob to flip"
