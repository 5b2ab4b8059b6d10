from __future__ import annotations

from ggtp.vgdl.language.vocabulary import CLASSES, EFFECTS, ENDS, Effect, SpriteClass
from ggtp.vgdl.world.effects import ACTS


def test_the_language_has_all_that_the_contest_games_use() -> None:
    avatars = [word for word in CLASSES.values() if word.avatar]
    assert (len(avatars), len(CLASSES) - len(avatars), len(EFFECTS), len(ENDS)) == (6, 17, 32, 3)


def test_every_number_is_used_once() -> None:
    assert {word.number for word in CLASSES.values()} == set(SpriteClass)
    assert {word.number for word in EFFECTS.values()} == set(Effect)


def test_every_effect_is_carried_out() -> None:
    assert set(Effect) - set(ACTS) == {Effect.ADD_TIMER}  # which needs no sprite
