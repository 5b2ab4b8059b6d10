"""Features on the disk, beside the machine code of their game: what was learned in one game serves the next.

They are kept under the name of the network, which is the hash of the rules' canonical text. What trials came to is
kept, too, so that every start clock adds to what is known.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from math import sqrt

from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.features.features import VERSION, FeatureSet, decoded

CERTAIN = 2.0
"""Standard errors from an even score at which a trial is over."""
CONVINCING = 0.5
"""Standard errors by which a trial must be better than even for features to be followed: without them nothing is lost,
and where they do harm, a few games are often even. With one standard error, features that win 60 % of games would be
followed after less than half of all trials of 20 games; with half of one, after two thirds."""
MORE = 2
"""How many times more features must be known for a trial that was lost to be played again."""
LEAST = 8
"""Games without which nothing is shown, and nothing certain."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Games between a search that follows features and one that does not, as long as each other."""

    games: int = 0
    points: float = 0.0
    """Of the one that follows them: 1 for a game won, half for a draw."""
    features: int = 0
    """How many were known when it was played last."""

    @property
    def score(self) -> float:
        """The mean; even where there are no games."""
        return self.points / self.games if self.games else 0.5

    @property
    def certain(self) -> bool:
        """Whether more games would hardly change what it says."""
        return self.games >= LEAST and abs(self._errors) > CERTAIN

    @property
    def passed(self) -> bool:
        """Whether features are worth following: they have shown it."""
        return self.games >= LEAST and self._errors > CONVINCING

    @property
    def _errors(self) -> float:
        """By how many standard errors it is better than even."""
        return (self.score - 0.5) * 2 * sqrt(self.games)

    def added(self, points: float) -> Trial:
        """One game more."""
        return replace(self, games=self.games + 1, points=self.points + points)

    def lost(self, features: int) -> bool:
        """Whether it is certain that features do not help, if so many are known: with twice as many as there were, they
        may."""
        return self.certain and not self.passed and features < MORE * max(1, self.features)


def load_features(game: CompiledGame) -> FeatureSet | None:
    """What was learned of a game before; None where nothing was, or it can't be read."""
    data = game.kept.get(_key(game, "features")) if game.kept is not None and game.name else None
    if data is not None:
        with suppress(ValueError, KeyError, TypeError):
            return decoded(data, game.network)
    return None


def save_features(game: CompiledGame, features: FeatureSet) -> None:
    """Keep what was learned."""
    if game.kept is not None and game.name:
        game.kept.put(_key(game, "features"), features.encoded())


def load_trial(game: CompiledGame, way: str) -> Trial:
    """What trials before came to, in which features were followed in the same way."""
    data = game.kept.get(_trial_key(game, way)) if game.kept is not None and game.name else None
    if data is not None:
        with suppress(ValueError, KeyError, TypeError):
            games, points, features = json.loads(data)
            if 0 <= float(points) <= int(games):
                return Trial(int(games), float(points), int(features))
    return Trial()


def save_trial(game: CompiledGame, trial: Trial, way: str) -> None:
    """Keep what trials came to, and how features were followed in them: another way has trials of its own."""
    if game.kept is not None and game.name:
        game.kept.put(_trial_key(game, way), json.dumps([trial.games, trial.points, trial.features]).encode())


def _trial_key(game: CompiledGame, way: str) -> str:
    return f"{_key(game, 'trial of pairs')} {way}"


def _key(game: CompiledGame, what: str) -> str:
    return f"{what} {VERSION} {game.name}"
