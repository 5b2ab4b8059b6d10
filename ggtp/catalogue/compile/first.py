"""How long it takes from a rulesheet to the first random game by compiled code: anew, and when it is kept."""

from __future__ import annotations

import time
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from ggtp.catalogue.compile.compiler import STARTING, Limits
from ggtp.errors import NotCompiled, last_line
from ggtp.processes.child import Line, run_child

CHILD = "ggtp.catalogue.compile.first_child"


@dataclass(frozen=True, slots=True)
class First:
    """Seconds from the text to the first game, in a new process each time, its start and all libraries included."""

    fresh_s: float
    """By the clock, with nothing kept from before."""
    fresh_cpu_s: float
    """Of the processor, all processes together."""
    kept_s: float
    """The same when network and machine code are kept."""
    kept_cpu_s: float


def first_games(text: str, limits: Limits) -> First:
    """Measures it, with a cache that is empty at first.

    Raises:
        NotCompiled: there are no compiled games, and why.
    """
    with TemporaryDirectory(prefix="ggtp-first-") as folder:
        fresh, kept = _played(text, folder, limits), _played(text, folder, limits)
    return First(*fresh, *kept)


def _played(text: str, folder: str, limits: Limits) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    found: list[tuple[float, Line]] = []
    began = time.monotonic()
    ended = run_child(
        CHILD,
        {"text": text, "cache": folder, "seconds": limits.seconds, "megabytes": limits.megabytes},
        seconds=2 * limits.seconds + STARTING,
        on_line=lambda line: found.append((time.monotonic() - began, line)),
        own_group=limits.own_group,
        bare=True,
    )
    if not found:
        raise NotCompiled(f"No game was played: {last_line(ended.last_words) or ended.end.value}.")
    seconds, line = found[0]
    if "failed" in line:
        raise NotCompiled(str(line["failed"]))
    return round(seconds, 3), float(line["cpu_s"])
