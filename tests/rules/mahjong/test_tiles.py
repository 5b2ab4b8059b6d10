"""Tiles: names, whole hands, and how far a hand is from one."""

from __future__ import annotations

import random

import pytest
from ggtp.rules.mahjong.tiles import TILES, complete, count, distance, read_tiles, splits, text_of, waits
from mahjong.agari import Agari
from mahjong.shanten import Shanten
from support.mahjong_hands import some_hand
from support.oracles import games, report


def some_tiles(rng: random.Random, number: int) -> list[int]:
    pool = rng.choice([range(34), range(9), range(18), [0, 8, 9, 17, 18, *range(26, 34)]])
    return count(rng.sample([kind for kind in pool for _ in range(4)], number))


def test_tiles_are_written_and_read() -> None:
    assert text_of(count(read_tiles("55z321m4p"))) == "123m4p55z"
    assert read_tiles("-") == []
    assert [read_tiles(name) for name in TILES] == [[kind] for kind in range(34)]
    for wrong in ("", "8z", "12", "m1", "1m 2m"):
        with pytest.raises(ValueError, match="no list"):
            read_tiles(wrong)


@pytest.mark.slow
def test_distances_and_whole_hands_are_those_of_the_package() -> None:
    rng, compared = random.Random(3), 0
    for index in games(800):
        counts = some_tiles(rng, rng.choice((13, 14, 11, 8)))
        if index % 3 == 0:
            hand = some_hand(rng)
            if not hand.melds:
                counts = list(hand.concealed)
                if index % 2:
                    counts[hand.tile] -= 1
        melds = (14 - sum(counts)) // 3
        assert distance(counts, melds) == Shanten.calculate_shanten(counts, not melds, not melds)
        if sum(counts) % 3 == 2:
            whole = Agari.is_agari(counts)
            if melds:
                whole = whole and distance(counts, melds) == -1
            assert complete(counts, melds) == whole
        compared += 1
    report("distances of hands with the package mahjong", compared)
    assert compared >= 800


def test_waits() -> None:
    assert [TILES[kind] for kind in waits(count(read_tiles("2345678m11p999s")), 0)] == []
    assert [TILES[kind] for kind in waits(count(read_tiles("23456m11p999s123z")), 0)] == []
    assert [TILES[kind] for kind in waits(count(read_tiles("23456m11p999s555z")), 0)] == ["1m", "4m", "7m"]
    assert [TILES[kind] for kind in waits(count(read_tiles("1112345678999m")), 0)] == [f"{n}m" for n in range(1, 10)]
    assert len(waits(count(read_tiles("19m19p19s1234567z")))) == 13
    assert [TILES[kind] for kind in waits(count(read_tiles("4p")), 4)] == ["4p"]


def test_splits_of_three_equal_runs() -> None:
    assert len(splits(count(read_tiles("111222333m55p999s")))) == 2
