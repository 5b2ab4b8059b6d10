"""Lessons on the disk."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.compiled_trees import compiled
from support.lanes import Kept

from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.evaluation.learning import Lesson
from ggtp.search.evaluation.store import load_lesson, save_lesson

FACTS = len(compiled("tictactoe").network.facts)
LESSON = Lesson(np.linspace(-7, 9, 2 * FACTS).reshape(2, FACTS).round(4), np.array([50.0, 48.5]), 0.3, 77, 2.5, True)


def game(kept: Kept | None, name: str = "network 1 abc") -> CompiledGame:
    plain = compiled("tictactoe")
    return CompiledGame(Built(plain.network, plain.statistics), kept, name)


def test_what_was_learned_is_there_the_next_time() -> None:
    kept = Kept()
    assert load_lesson(game(kept)) is None
    save_lesson(game(kept), LESSON)
    found = load_lesson(game(kept))
    assert found is not None
    assert np.array_equal(found.worth, LESSON.worth)
    assert np.array_equal(found.base, LESSON.base)
    assert (found.trust, found.games, found.mobility_weight, found.pieces) == (0.3, 77, 2.5, True)
    assert load_lesson(game(kept, "network 1 other")) is None, "another game's is its own"


@pytest.mark.parametrize(
    "change",
    [
        {"worth": [[0.0], [0.0]]},
        {"worth": [[float("nan")] * FACTS] * 2},
        {"base": [50.0]},
        {"trust": 2.0},
        {"freedom": float("inf")},
        {"games": "many"},
    ],
)
def test_what_can_not_be_a_lesson_of_the_game_is_not_there(change: dict[str, object]) -> None:
    kept = Kept()
    save_lesson(game(kept), LESSON)
    (key,) = kept
    kept[key] = json.dumps({**json.loads(kept[key]), **change}).encode()
    assert load_lesson(game(kept)) is None


@pytest.mark.parametrize("data", [b"", b"nonsense", b"[1]", b"{}", b"null"])
def test_what_is_broken_is_not_there(data: bytes) -> None:
    kept = Kept()
    save_lesson(game(kept), LESSON)
    (key,) = kept
    kept[key] = data
    assert load_lesson(game(kept)) is None


def test_without_a_cache_or_a_name_nothing_is_kept() -> None:
    kept = Kept()
    for there in (game(None), game(kept, "")):
        save_lesson(there, LESSON)
        assert load_lesson(there) is None
    assert not kept
