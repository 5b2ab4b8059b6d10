"""How late this machine wakes up whoever waits, measured before clocks run: which clocks are sound here.

Nobody can be on time more exactly than that, neither engines nor we. A limit is called sound if the
lateness that all but one of a hundred waits stay below is at most a tenth of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WAIT_SECONDS = 0.001
"""What each wait of the measurement should take."""
MEASURE_SECONDS = 0.3
FEWEST = 50
"""So many waits there are, however long they take."""
SHARE = 10
"""How many times the lateness a sound limit is."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """How late waits have ended, in milliseconds."""

    waits: int
    p50_ms: float
    p90_ms: float
    p99_ms: float
    worst_ms: float

    @property
    def smallest_clock_ms(self) -> int:
        """The smallest sound limit for a move."""
        return max(1, math.ceil(SHARE * self.p99_ms))

    def words(self) -> str:
        """All of it in a line."""
        return (
            f"{self.waits} waits ended late by {self.p50_ms:.2f} ms (half of them), {self.p90_ms:.2f} ms (90 %), "
            f"{self.p99_ms:.2f} ms (99 %) and {self.worst_ms:.2f} ms at most; "
            f"the smallest sound limit is {self.smallest_clock_ms} ms"
        )

    def warning(self, limit_ms: int) -> str:
        """What is wrong with a limit on this machine; nothing where it is sound, or where there is none."""
        if not 0 < limit_ms < self.smallest_clock_ms:
            return ""
        return (
            f"A limit of {limit_ms} ms is not sound here and now: one wait in a hundred is {self.p99_ms:.1f} ms late, "
            f"and the smallest sound limit is {self.smallest_clock_ms} ms."
        )


def jitter_of(lateness: Sequence[float]) -> Jitter:
    """The percentiles of latenesses in seconds, each a value that was measured."""
    ordered = sorted(max(0.0, late) * 1000 for late in lateness)

    def at(share: float) -> float:
        return round(ordered[math.ceil(share * len(ordered)) - 1], 3)

    return Jitter(len(ordered), at(0.5), at(0.9), at(0.99), at(1.0))


def measure_jitter(
    seconds: float = MEASURE_SECONDS,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
) -> Jitter:
    """Wait many times, and look at the clock each time."""
    lateness: list[float] = []
    began = now = clock()
    while len(lateness) < FEWEST or now - began < seconds:
        before = clock()
        sleep(WAIT_SECONDS)
        now = clock()
        lateness.append(now - before - WAIT_SECONDS)
    return jitter_of(lateness)
