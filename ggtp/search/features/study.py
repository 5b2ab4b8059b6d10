"""Learning the features of a game for some time, beside what is known of it already."""

from __future__ import annotations

import time

from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.features.features import FeatureSet
from ggtp.search.features.learn import Learner
from ggtp.search.features.store import load_features, save_features


def study(game: CompiledGame, seconds: float, seed: int = 0) -> FeatureSet:
    """All features that are known after learning for some seconds; with 0, those that were known before.

    They are kept for the next time, even if somebody interrupts it.

    Raises:
        NotSuitable: the game is none for two players who take turns.
    """
    learner = Learner(game.state_kernel(), seed, load_features(game))
    features = learner.features
    before, spent, began = features.walks, features.seconds, time.monotonic()
    try:
        if seconds:
            learner.learn(lambda: False, seconds)
    except KeyboardInterrupt:
        features.seconds = spent + time.monotonic() - began
        raise
    finally:
        if features.walks > before:
            save_features(game, features)
    return features
