"""Which features are told, and all of them as values."""

from __future__ import annotations

from ggtp.gdl.network.network import Network
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.telling import facts, features_data, groups, shares

FACTS = ("(cell 1 white)", "(cell 2 black)", "(control white)")
NETWORK = Network(("white", "black"), FACTS, (("noop", "(mark 1)"), ("noop",)), (), (), (), ((), ()), 0, ((), ()))


def feature(kind: Kind, level: int, *needs: int) -> Feature:
    return Feature(0, 1, kind, level, frozenset(needs))


MANY = FeatureSet(
    [
        (feature(Kind.OFFENSIVE, 0, 0), 9),
        (feature(Kind.OFFENSIVE, 0, 2), 8),
        (feature(Kind.OFFENSIVE, 0, 4), 7),
        (feature(Kind.DEFENSIVE, 0, 3), 3),
        (feature(Kind.OFFENSIVE, 2, 1, 2), 2),
    ],
    10,
)


def test_some_of_each_kind_and_level() -> None:
    found = groups(MANY, 4)
    assert [(group.kind, group.level, len(group.features), group.told) for group in found] == [
        (Kind.OFFENSIVE, 0, 3, 2),
        (Kind.DEFENSIVE, 0, 1, 1),
        (Kind.OFFENSIVE, 2, 1, 1),
    ]
    assert [count for _, count in found[0].features] == [9, 8, 7]
    assert [group.told for group in groups(MANY, 0)] == [0, 0, 0]


def test_places_that_small_groups_leave_are_for_others() -> None:
    assert shares([5, 1, 3], 0) == [0, 0, 0]
    assert shares([5, 1, 3], 2) == [1, 1, 0]
    assert shares([5, 1, 3], 6) == [3, 1, 2]
    assert shares([5, 1, 3], 100) == [5, 1, 3]


def test_facts_that_hold_and_facts_that_do_not() -> None:
    assert facts({1, 2}, NETWORK, holding=True) == ["(cell 2 black)"]
    assert facts({1, 2}, NETWORK, holding=False) == ["(cell 1 white)"]


def test_all_of_them_for_programs() -> None:
    data = features_data("game", MANY, NETWORK)
    assert (data["rule"], data["walks"], data["seconds"]) == ("game", 10, 0.0)
    rows = data["features"]
    assert isinstance(rows, list)
    assert len(rows) == 5
    last = rows[-1]
    assert (last["role"], last["move"], last["kind"], last["level"]) == ("white", "(mark 1)", "offensive", 2)
    assert (last["if"], last["unless"], last["count"]) == (["(cell 2 black)"], ["(cell 1 white)"], 2)
