"""Ways to take too long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine


def late(engine: EvilEngine, answer: str) -> None:
    """Answer after the delay."""
    time.sleep(engine.delay)
    engine.send(answer)


late_by_a_little = uses_its_bank = slow_acknowledge = slow_start = late


def spin(engine: EvilEngine, _answer: str) -> None:
    """Compute without end."""
    until = time.monotonic() + engine.for_ever
    while time.monotonic() < until:
        pass


def sleeps_for_ever(_engine: EvilEngine, _answer: str) -> None:
    """Give no move."""
