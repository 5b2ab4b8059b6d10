"""Features and trials on the disk."""

from __future__ import annotations

import pytest
from support.compiled_trees import compiled
from support.lanes import Kept

from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.options import FeatureSettings
from ggtp.search.features.store import Trial, load_features, load_trial, save_features, save_trial


def game(kept: Kept | None, name: str = "network 1 abc") -> CompiledGame:
    plain = compiled("tictactoe")
    return CompiledGame(Built(plain.network, plain.statistics), kept, name)


def test_what_was_learned_is_there_the_next_time() -> None:
    kept = Kept()
    features = FeatureSet([(Feature(0, 1, Kind.OFFENSIVE, 0, frozenset({4})), 3)], 9, 1.0)
    assert load_features(game(kept)) is None
    save_features(game(kept), features)
    save_trial(game(kept), Trial(10, 6.5, 7), "way")
    found = load_features(game(kept))
    assert found is not None
    assert list(found) == list(features)
    assert load_trial(game(kept), "way") == Trial(10, 6.5, 7)
    assert load_features(game(kept, "network 1 other")) is None, "another game's are its own"
    assert load_trial(game(kept, "network 1 other"), "way") == Trial()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"[1]", b"[1,2]", b"[1,2,3]", b'{"version":1}'])
def test_what_is_broken_is_not_there(data: bytes) -> None:
    kept = Kept()
    save_features(game(kept), FeatureSet())
    save_trial(game(kept), Trial(), "way")
    for key in kept:
        kept[key] = data
    assert load_features(game(kept)) is None
    assert load_trial(game(kept), "way") == Trial()


def test_without_a_cache_or_a_name_nothing_is_kept() -> None:
    kept = Kept()
    for there in (game(None), game(kept, "")):
        save_features(there, FeatureSet())
        save_trial(there, Trial(1, 1.0), "way")
        assert load_features(there) is None
        assert load_trial(there, "way") == Trial()
    assert not kept


def test_a_trial_of_one_way_to_follow_features_says_nothing_about_another() -> None:
    kept = Kept()
    ways = [
        FeatureSettings(),
        FeatureSettings(period=1),
        FeatureSettings(period=4),
        FeatureSettings(opponent=0.75),
        FeatureSettings(own=0.75),
        FeatureSettings(tau=1.0),
        FeatureSettings(scale=7.0),
        FeatureSettings(most=10),
        FeatureSettings(worth=False),
    ]
    names = [*(way.way(1024) for way in ways), *(FeatureSettings().way(1024 * 4**length) for length in range(1, 5))]
    for number, name in enumerate(names):
        assert load_trial(game(kept), name) == Trial()
        save_trial(game(kept), Trial(number, 0.0), name)
    assert [load_trial(game(kept), name).games for name in names] == list(range(len(names)))


def test_trials_of_searches_about_as_long_add_up() -> None:
    settings = FeatureSettings()
    assert settings.way(1024) == settings.way(900) == settings.way(1800)
    assert settings.way(0) == settings.way(1)


def test_a_trial_that_was_lost_is_played_again_with_twice_the_features() -> None:
    assert Trial(20, 2.0, 100).lost(100)
    assert Trial(20, 2.0, 100).lost(199)
    assert not Trial(20, 2.0, 100).lost(200)
    assert not Trial(20, 18.0, 100).lost(100)
    assert not Trial(20, 9.0, 100).lost(100), "that is not certain"
    assert Trial(20, 2.0, 100).added(1.0).features == 100


def test_what_a_trial_says() -> None:
    assert not Trial().passed
    assert Trial().score == 0.5
    assert not Trial(10, 4.5).passed
    assert not Trial(4, 4.0).passed, "a few games show nothing"
    assert not Trial(8, 4.5).passed, "nor does one more than half of them"
    assert Trial(8, 6.0).passed
    assert Trial(20, 11.5).passed
    assert not Trial(20, 11.0).passed
    assert Trial(100, 53.0).passed
    assert Trial(10, 9.0).certain
    assert Trial(10, 0.5).certain
    assert not Trial(4, 4.0).certain, "too few games"
    assert not Trial(100, 52.0).certain
    assert Trial(2, 1.0).added(0.5) == Trial(3, 1.5)
