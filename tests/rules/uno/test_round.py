"""Rounds of Uno: what cards do, what all know of hands, and following what one was told."""

from __future__ import annotations

import pytest
from ggtp.rules.uno.cards import BY_NAME, SIZE, UNKNOWN
from ggtp.rules.uno.hands import Sign
from ggtp.rules.uno.round import House, Phase, Round, deal_text, follow, read_deal

from ggtp.errors import MalformedMove

HOUSE = House(("Ann", "Bob", "Cid"), jumps=True, window=3, may_draw=False, shuffles=1)
DEAL = "R5.R6.RS.RV.R+2.W.W+4 R5.Y1.Y2.G1.B5.B6.B7 R6.R7.R8.R9.G5.G6.G7 R1"


def after(*moves: tuple[str, str], house: House = HOUSE) -> Round:
    now = Round(house).after("Chance", DEAL)
    for player, move in moves:
        now = now.after(player, move)
    return now


def test_deals_are_read_and_written() -> None:
    cards = read_deal(DEAL, 3)
    assert len(cards) == 22
    assert deal_text(cards, 3) == DEAL
    for wrong in ("", DEAL[:-3], DEAL.replace("Y1", "Q1"), DEAL.replace("R1", "W+4"), DEAL.replace("Y1", "R5")):
        with pytest.raises(MalformedMove):
            read_deal(wrong, 3)


def test_all_cards_are_somewhere() -> None:
    now = after()
    assert now.left() == SIZE - 22 == sum(now.pile().values())


def test_a_window_closes_when_all_have_passed() -> None:
    now = after(("Ann", "red 5"))
    assert (now.phase, now.waiting()) == (Phase.WINDOW, [1, 2])
    now = now.after("Bob", "pass").after("Cid", "pass")
    assert (now.phase, now.at) == (Phase.TURN, 1)


def test_who_jumps_in_has_the_turn_pass_on_from_him() -> None:
    now = after(("Ann", "red 6"), ("Cid", "red 6"))
    assert (now.phase, now.at) == (Phase.TURN, 0)
    assert len(now.hands[2]) == 6


def test_with_an_empty_pile_the_discards_are_drawn_from_and_then_it_is_over() -> None:
    now = after()
    some = sorted(now.pile().elements())
    # Bob gets all that can be drawn but two, which are laid on the discards.
    full = now.to(hands=(now.hands[0], tuple(sorted((*now.hands[1], *some[2:]))), now.hands[2]))
    full = full.to(discards=(*some[:2], *full.discards), phase=Phase.DRAW, drawer=0, due=3, resume=1)
    assert full.left() == 0
    assert sorted(full.pile().elements()) == some[:2]
    once = full.after("Chance", "red 0")
    assert (once.phase, once.shuffles, len(once.discards), once.left()) == (Phase.DRAW, 1, 1, 1)
    assert all(events[-1][0] is Sign.LACKS for events in once.known[1:])
    assert once.after("Chance", "red 1").phase is Phase.SHOW


def test_what_is_known_of_hands() -> None:
    now = after(("Ann", "wild green"), ("Bob", "green 1"), ("Cid", "pass"), ("Ann", "pass"), ("Cid", "green 5"))
    assert now.known[1] == ((Sign.GOT, 7), (Sign.LAID, BY_NAME["green 1"]))
    now = now.after("Ann", "pass").after("Bob", "pass").after("Ann", "draw")
    sign, mask = now.known[0][-1]
    assert sign is Sign.LACKS
    assert mask >> BY_NAME["green 9"] & 1
    assert mask >> BY_NAME["red 5"] & 1
    assert not mask >> BY_NAME["red 6"] & 1
    drew = now.after("Chance", "green 2")
    assert drew.known[0][-1] == (Sign.GOT, 1)
    # Who lays the card that he has just drawn shows nothing of the others.
    assert drew.after("Ann", "green 2").known[0] == now.known[0]


def test_what_one_was_told_is_followed() -> None:
    told = [("Chance", "? R5.Y1.Y2.G1.B5.B6.B7 ? R1"), ("Ann", "wild +4 blue"), ("Bob", "challenge guilty")]
    told += [("Chance", "?")] * 4
    now = follow(Round(HOUSE), told)
    assert (now.phase, now.at) == (Phase.TURN, 1)
    assert now.hands[0] == (UNKNOWN,) * 10
    assert [len(hand) for hand in now.hands] == [10, 7, 7]
    over = follow(Round(HOUSE), told).to(phase=Phase.SHOW, hands=((), (1,), (2,)))
    assert follow(over, [("Chance", "Bob R1 Cid R2.R3")]).hands == ((), (1,), (2, 3))
