"""What hands of Mah Jong are worth, with the package `mahjong` as the judge."""

from __future__ import annotations

import random

import pytest
from ggtp.rules.mahjong.hands import CHOW, CLOSED, PONG, Hand, Meld, Worth, has_yaku, payments, shown_dora, worth
from ggtp.rules.mahjong.tiles import count, read_tiles
from support.mahjong_hands import before, judged, some_hand
from support.oracles import games, report


def hand(tiles: str, tile: str, *melds: Meld, drawn: bool = False, luck: tuple[str, ...] = (), seat: int = 28) -> Hand:
    return Hand(tuple(count(read_tiles(tiles))), melds, read_tiles(tile)[0], drawn, seat, 27, luck)


@pytest.mark.slow
def test_hands_at_random_are_worth_what_the_package_says() -> None:
    rng, compared, with_yaku = random.Random(21), 0, 0
    for _ in games(2500):
        one = some_hand(rng)
        found, theirs = worth(one), judged(one)
        assert found is not None, one
        compared += 1
        if theirs is None:
            assert not has_yaku(found), (one, found)
            continue
        with_yaku += 1
        han, fu, main, additional = theirs
        assert has_yaku(found), (one, theirs)
        if found.yakuman:
            assert han == 13 * found.yakuman, (one, found, theirs)
        else:
            assert (found.han, found.fu) == (han, fu), (one, found, theirs)
        winner = one.seat - 27
        paid = payments(found, winner, 0, None if one.drawn else (winner + 1) % 4)
        if one.drawn:
            others = sorted(-points for player, points in enumerate(paid) if player != winner)
            assert others == sorted([main, main, main] if winner == 0 else [main, additional, additional]), (one, found)
        else:
            assert -min(paid) == main, (one, found, theirs)
        assert sum(paid) == 0
    report("hands of Mah Jong with the package mahjong", compared)
    assert with_yaku > 1000


@pytest.mark.parametrize(
    ("tiles", "tile", "drawn", "han", "fu"),
    [
        ("123456m567p23488s", "1m", False, 1, 30),  # pinfu
        ("123456m567p23488s", "1m", True, 2, 20),
        ("1133557799m1122p", "1m", False, 2, 25),
        ("19m19p19s12345677z", "1m", False, 13, 0),
    ],
)
def test_well_known_hands(tiles: str, tile: str, drawn: bool, han: int, fu: int) -> None:
    found = worth(hand(tiles, tile, drawn=drawn))
    assert found is not None
    assert (found.han, found.fu) == (han, fu)


def test_no_whole_hand_is_worth_nothing() -> None:
    assert worth(hand("123456m567p23489s", "1m")) is None


def test_a_hand_with_nothing_but_dora_has_no_yaku() -> None:
    one = Hand(tuple(count(read_tiles("23499m567p"))), (Meld(CHOW, 18), Meld(PONG, 12)), 1, False, 28, 27, (), (1,))
    found = worth(one)
    assert found is not None
    assert found.yaku == ("dora 1",)
    assert not has_yaku(found)


def test_a_closed_kong_leaves_the_hand_closed() -> None:
    found = worth(hand("234m567p23488s", "2m", Meld(CLOSED, 0), luck=("riichi",)))
    assert found is not None
    assert found.fu == 70  # 20, 10 for a closed hand, 32 for the kong, and rounded up
    assert "riichi" in found.yaku


def test_limits() -> None:
    assert [Worth(han, 30, ()).base() for han in (1, 4, 5, 6, 8, 11, 13)] == [240, 1920, 2000, 3000, 4000, 6000, 8000]
    assert Worth(4, 40, ()).base() == 2000
    assert Worth(13, 0, (), 2).base() == 16000


def test_payments() -> None:
    assert payments(Worth(1, 30, ()), 1, 0, 0) == (-1000, 1000, 0, 0)
    assert payments(Worth(1, 30, ()), 0, 0, None) == (1500, -500, -500, -500)
    assert payments(Worth(5, 30, ()), 2, 0, None) == (-4000, -2000, 8000, -2000)


def test_indicators_go_round() -> None:
    assert all(shown_dora(before(kind)) == kind for kind in range(34))
