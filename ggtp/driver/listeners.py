"""What a driver tells those who run it, while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ggtp.referee.effects import LinkId


@dataclass(frozen=True, slots=True)
class Listeners:
    """Each is called where it is given; None costs nothing, whatever happens on the wires."""

    changed: Callable[[], None] | None = None
    """Something may have changed that a front end shows."""
    wire: Callable[[LinkId, bool, bytes, float], None] | None = None
    """A line goes to an engine (True) or comes from it (False), at this time."""
    failing: Callable[[LinkId], None] | None = None
    """An engine fails by itself; its process can still be looked at."""
    asked: Callable[[LinkId], None] | None = None
    """An engine was asked for a move."""
    lateness: Callable[[], float] | None = None
    """Returns by how many seconds what comes now may have waited for us: no engine is charged for that."""
    waited: Callable[[LinkId], float] | None = None
    """Returns how many seconds an engine has waited for a processor since it was asked; for late moves."""
