"""Puts a referee, a catalogue and a driver together for a front end."""

from __future__ import annotations

import random

from ggtp import __version__
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.driver.driver import Driver
from ggtp.driver.screen import Screen
from ggtp.referee.referee import Referee
from ggtp.ui.console.environment import Environment


def new_driver(
    env: Environment,
    screen: Screen,
    *,
    seed: int | None = None,
    defaults: dict[str, str] | None = None,
    catalogue: Catalogue | None = None,
) -> Driver:
    """A referee at an empty table. Without a seed, chance begins anywhere; option `seed` tells where."""
    chosen = random.SystemRandom().getrandbits(31) if seed is None else seed
    referee = Referee(
        version=f"ggtp {__version__}", rng=random.Random(chosen), defaults={"seed": str(chosen), **(defaults or {})}
    )
    compiler = Compiler.from_environment(env.variables)
    return Driver(referee, catalogue or Catalogue.from_environment(env.variables), screen, compiler)
