"""Following a play of Mah Jong from what one player is told comes to what that player has."""

from __future__ import annotations

import importlib
import random

import pytest
from ggtp.rules.mahjong.follow import PLAYERS, Follower, claimed_meld, missing, scores_in, taken
from ggtp.rules.mahjong.hands import CHOW, PONG, Meld
from ggtp.rules.mahjong.table import Own, Table
from ggtp.rules.mahjong.tiles import NUMBERS, count, read_tiles
from support.hidden import walk

from ggtp.game import Seen

rules = importlib.import_module("ggtp.rules.mahjong").RULES


def test_a_follower_knows_the_table_and_its_own_tiles() -> None:
    rng = random.Random(8)
    for position, told in walk(rules, {"minimum": "0"}, rng):
        if rng.random() < 0.8 or position.table.phase == "end":  # type: ignore[attr-defined]
            continue
        for me, player in enumerate(PLAYERS):
            follower = Follower(me, Table(1, 0))
            for item in told[player]:
                if isinstance(item, Seen):
                    follower.hear(item.actor, item.text)
            assert follower.table == position.table  # type: ignore[attr-defined]
            assert follower.own == position.own[me]  # type: ignore[attr-defined]


def test_what_is_not_of_this_game_is_not_followed() -> None:
    for actor, text in (("Chance", "six"), ("Nobody", "pass")):
        with pytest.raises((LookupError, ValueError)):
            Follower(0, Table(1, 1)).hear(actor, text)


def test_sets_and_what_is_left() -> None:
    five = NUMBERS["5p"]
    assert claimed_meld("chow 3p4p", five) == Meld(CHOW, NUMBERS["3p"])
    assert claimed_meld("pong", five) == Meld(PONG, five)
    offered = Table(1, 1).dealt(0).drew().discarded(five, False)
    holds = Own(tuple(count(read_tiles("3455p"))))
    assert taken(offered, holds, Meld(CHOW, NUMBERS["3p"])).tiles == tuple(count(read_tiles("55p")))
    assert taken(offered, holds, Meld(PONG, five)).tiles == tuple(count(read_tiles("34p")))


def test_who_could_have_won_has_missed_it() -> None:
    offered = Table(1, 1).dealt(0).drew().discarded(NUMBERS["5p"], False)
    holds = Own(tuple(count(read_tiles("234m46p22345678s"))))
    assert missing(offered, 1, holds).missed
    assert not missing(offered, 0, holds).missed
    assert not missing(offered, 1, Own()).missed


def test_scores_are_behind_the_last_semicolon() -> None:
    assert scores_in("ron 1 han 30 fu (a; b); 1 2 3 -4") == (1, 2, 3, -4)
