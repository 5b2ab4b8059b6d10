"""What features are worth, which of them are kept, and that they come back from the disk as they were."""

from __future__ import annotations

import pytest
from support.compiled_trees import compiled

from ggtp.search.features.features import RARE, Feature, FeatureSet, Kind, Worth, decoded, value_of

NETWORK = compiled("tictactoe").network


def feature(*needs: int, level: int = 0, kind: Kind = Kind.OFFENSIVE, move: int = 0) -> Feature:
    return Feature(0, move, kind, level, frozenset(needs))


def test_values_are_those_of_the_paper() -> None:
    assert [value_of(level) for level in range(4)] == pytest.approx([100, 100, 90, 81])


def test_features_are_counted() -> None:
    found = FeatureSet()
    assert found.add(feature(2, 4))
    assert not found.add(Feature(0, 0, Kind.OFFENSIVE, 0, frozenset({2, 4}), frozenset({8})))
    assert found.add(feature(2, 4, kind=Kind.DEFENSIVE))
    assert found.count(feature(4, 2)) == 2
    assert found.count(feature(6)) == 0
    assert (len(found), found.number(Kind.OFFENSIVE)) == (2, 1)


def test_what_others_say_with_fewer_words_is_left_out() -> None:
    short, long = feature(2), feature(2, 4)
    later = feature(2, 6, level=1, kind=Kind.DEFENSIVE)
    elsewhere, guard = feature(2, 4, move=1), feature(2, 8, kind=Kind.DEFENSIVE)
    found = FeatureSet((each, 1) for each in (long, short, later, elsewhere, guard))
    assert {each for each, _ in found.pruned(100)} == {short, elsewhere, guard}
    avoided = feature(2, 4, kind=Kind.AVOIDING)
    assert avoided in FeatureSet([(short, 1), (avoided, 1)]).pruned(100), "that says the opposite"


def test_features_must_earn_their_cost() -> None:
    rare, common, won = feature(2, 4, level=1), feature(6, 8, level=1), feature(10, 12)
    found = FeatureSet([(rare, 9), (common, 1), (won, 1)])
    met = {rare: 0.001, common: 0.01, won: 0.001}
    assert {each for each, _ in found.pruned(100, met, 1000)} == {common, won}
    assert {each for each, _ in found.pruned(100, met, 10_000)} == {rare, common, won}
    assert [each for each, _ in found.pruned(2, met, 10_000)] == [won, common], "the end first, then what is met"
    assert [each for each, _ in found.pruned(2)] == [won, rare], "or what was learned most often"


def test_what_was_learned_by_accident_is_left_out() -> None:
    rare, common, won = feature(2, 4, level=1), feature(6, 8, level=1), feature(10, 12)
    found = FeatureSet([(rare, 4), (common, 5), (won, 1)], walks=5 * RARE)
    assert {each for each, _ in found.pruned(100)} == {common, won}
    found.walks = 4 * RARE
    assert {each for each, _ in found.pruned(100)} == {rare, common, won}


def test_what_is_no_better_than_any_move_is_left_out_however_often_it_was_learned() -> None:
    vain, doubtful, good, won = (feature(number, level=number % 2) for number in (3, 5, 7, 10))
    found = FeatureSet([(vain, 99), (doubtful, 99), (good, 1), (won, 1), (feature(9, level=1), 99)], walks=99)
    worth = {vain: Worth(0.0, 0.001), doubtful: Worth(0.1, 0.09), good: Worth(0.1, 0.05)}
    left = found.pruned(100, worth=worth)
    assert {each for each, _ in left} == {good, won}, "what was not measured is left out, too"
    assert left.worth == left.first(1).worth == {good: 0.1}


def test_the_first_of_those_that_were_pruned_are_the_best() -> None:
    rare, common, won = feature(2, 4, level=1), feature(6, 8, level=1), feature(10, 12)
    found = FeatureSet([(rare, 4), (common, 5), (won, 1)], walks=7)
    assert [each for each, _ in found.pruned(100).first(2)] == [won, common]
    assert found.first(9).walks == 7


def test_they_are_kept_as_bytes() -> None:
    found = FeatureSet([(feature(2, 5, level=3), 7), (feature(kind=Kind.AVOIDING), 1)], walks=12, seconds=1.5)
    again = decoded(found.encoded(), NETWORK)
    assert list(again) == list(found)
    assert (again.walks, again.seconds) == (12, 1.5)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"version":0}',
        FeatureSet([(feature(2 * len(NETWORK.facts)), 1)]).encoded(),
        FeatureSet([(feature(move=99), 1)]).encoded(),
        FeatureSet([(feature(level=9), 1)]).encoded(),
        FeatureSet().encoded().replace(b"[]", b"[[0]]"),
    ],
)
def test_what_is_no_feature_of_this_game_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        decoded(data, NETWORK)
