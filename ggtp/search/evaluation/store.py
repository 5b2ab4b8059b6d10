"""Lessons on the disk, beside the machine code of their game: what random games have taught serves the next play.

They are kept under the name of the network, which is the hash of the rules' canonical text.
"""

from __future__ import annotations

import json
from contextlib import suppress
from math import isfinite

import numpy as np

from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.evaluation.learning import Lesson

VERSION = 1
"""Changes with the form in which lessons are kept, and whenever another one is learned from the same rules."""
PLACES = 4
"""Decimal places of what facts are worth, in points."""


def load_lesson(game: CompiledGame) -> Lesson | None:
    """What was learned of a game before; None where nothing was, or it can't be read."""
    data = game.kept.get(_key(game)) if game.kept is not None and game.name else None
    if data is not None:
        with suppress(ValueError, KeyError, TypeError):
            return _decoded(data, game)
    return None


def save_lesson(game: CompiledGame, lesson: Lesson) -> None:
    """Keep what was learned."""
    if game.kept is not None and game.name:
        told = {
            "worth": lesson.worth.round(PLACES).tolist(),
            "base": lesson.base.round(PLACES).tolist(),
            "trust": lesson.trust,
            "games": lesson.games,
            "freedom": lesson.mobility_weight,
            "men": lesson.pieces,
        }
        game.kept.put(_key(game), json.dumps(told).encode())


def _decoded(data: bytes, game: CompiledGame) -> Lesson:
    told = json.loads(data)
    roles, facts = len(game.network.roles), len(game.network.facts)
    worth, base = np.array(told["worth"], np.float64), np.array(told["base"], np.float64)
    trust, mobility_weight = float(told["trust"]), float(told["freedom"])
    valid = worth.shape == (roles, facts) and base.shape == (roles,) and np.isfinite(worth).all()
    if not (valid and np.isfinite(base).all() and 0 <= trust <= 1 and isfinite(mobility_weight)):
        raise ValueError("no lesson of this game")
    return Lesson(worth, base, trust, int(told["games"]), mobility_weight, bool(told["men"]))


def _key(game: CompiledGame) -> str:
    return f"lesson {VERSION} {game.name}"
