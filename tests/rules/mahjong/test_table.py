"""The table of Mah Jong: payments, claims, and what others may hold."""

from __future__ import annotations

import random

from ggtp.rules.mahjong.hands import CHOW, CLOSED, KONG, PONG, Meld, Worth
from ggtp.rules.mahjong.table import ACT, CLAIM, DORA, DRAW, END, ROB, SETTLE, Own, Table, guess
from ggtp.rules.mahjong.tiles import NUMBERS, count, distance, read_tiles


def own(tiles: str) -> Own:
    return Own(tuple(count(read_tiles(tiles))))


def table() -> Table:
    return Table(4, 1).dealt(NUMBERS["7z"])


def test_an_exhausted_wall_pays_who_waits() -> None:
    assert table().after_exhaustion((True, False, False, False)) == (28000, 24000, 24000, 24000)
    assert table().after_exhaustion((True, True, True, False)) == (26000, 26000, 26000, 22000)
    assert table().after_exhaustion((True,) * 4) == (25000,) * 4


def test_a_win_takes_the_sticks() -> None:
    riichi = table().drew().discarded(0, True).unclaimed()
    assert riichi.scores == (24000, 25000, 25000, 25000)
    won = riichi.drew().discarded(1, False)
    assert won.after_win(0, Worth(1, 30, ()), False) == (26500, 23500, 25000, 25000)
    assert won.ended(won.after_win(0, Worth(1, 30, ()), False), False).sticks == 0


def test_a_riichi_that_is_answered_by_a_win_costs_nothing() -> None:
    declared = table().drew().discarded(0, True)
    assert declared.after_win(2, Worth(1, 30, ()), False) == (24000, 25000, 26000, 25000)


def test_winds_go_round() -> None:
    second = table().ended((25000,) * 4, True)
    assert second.dealer == 1
    assert second.seat(1) == NUMBERS["1z"]
    assert second.seat(0) == NUMBERS["4z"]
    assert Table(1, 1).ended((25000,) * 4, True).phase == END


def test_only_the_next_player_may_chow() -> None:
    offered = table().drew().discarded(NUMBERS["5m"], False)
    holds = own("3467m55m123z1239p")
    assert [meld.tile for kind, meld in offered.claims(1, holds) if kind == CHOW] == [2, 3, 4]
    assert [kind for kind, _ in offered.claims(2, holds)] == [PONG]
    assert [kind for kind, _ in offered.claims(3, own("555m1239p123456z"))] == [PONG, KONG]


def test_the_course_of_a_kong() -> None:
    drawn = table().drew()
    assert drawn.konged(5).phase == DORA
    assert drawn.konged(5).melds[0] == (Meld(CLOSED, 5),)
    ponged = drawn.discarded(8, False).taken(2, Meld(PONG, 8))
    assert (ponged.phase, ponged.actor, ponged.discards[0]) == (ACT, 2, ())
    added = ponged.konged(8)
    assert (added.phase, added.tile) == (ROB, 8)
    again = added.unclaimed().turned(3)
    assert (again.phase, again.actor, again.replacing) == (DRAW, 2, True)


def test_the_last_discard_ends_the_hand() -> None:
    at = table()
    for _ in range(69):
        at = at.drew().discarded(0, False).unclaimed()
        assert at.phase == DRAW
    assert at.drew().discarded(0, False).phase == CLAIM
    assert at.drew().discarded(0, False).unclaimed().phase == SETTLE


def test_guesses_use_each_tile_once_and_the_right_number() -> None:
    rng = random.Random(3)
    at = table().drew().discarded(NUMBERS["1z"], True).unclaimed().drew()
    me = own("123m456p789s1122z")
    for _ in range(50):
        found = guess(at, 2, me, rng)
        assert found[2] is me
        assert [sum(one.tiles) for one in found] == [13, 14, 13, 13]
        assert found[1].drawn >= 0
        assert distance(found[0].tiles) == 0
        held = [sum(column) for column in zip(*(one.tiles for one in found), strict=True)]
        assert all(have <= left for have, left in zip(held, at.unseen(), strict=True))
