"""Learning for some time: what was known before is known, and what is learned is kept."""

from __future__ import annotations

from typing import Any

import pytest
from search.features.test_store import game
from support.lanes import Kept

from ggtp.search.features.learn import Learner
from ggtp.search.features.store import load_features
from ggtp.search.features.study import study


def stopped_after(walks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a learner be interrupted after a number of random games, however long they take."""
    studied = Learner.study

    def interrupted(self: Learner, walk: Any) -> None:
        studied(self, walk)
        if self.features.walks == walks:
            raise KeyboardInterrupt

    monkeypatch.setattr(Learner, "study", interrupted)


@pytest.mark.slow
def test_what_was_learned_before_an_interruption_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    stopped_after(40, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        study(game(kept), 600.0, seed=1)
    found = load_features(game(kept))
    assert found is not None
    assert (found.walks, len(found) > 0, found.seconds > 0) == (40, True, True)
    assert list(study(game(kept), 0.0)) == list(found), "without time it is what was known"


def test_without_time_nothing_is_learned_and_nothing_is_written() -> None:
    kept = Kept()
    assert len(study(game(kept), 0.0)) == 0
    assert load_features(game(kept)) is None
