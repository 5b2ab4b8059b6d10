"""The clocks of a plan: for all games, for a rule, and for a player, who may have less time than the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace

from ggtp.game.clock import AUTO_WINDOW, MOST_WINDOW_MS
from ggtp.game.durations import DAY_MS, Control
from ggtp.game.names import match_name
from ggtp.tournament.plan.words import Words

MOST_MS = DAY_MS
MOST_NODES = 1 << 40
MOST_DEPTH = 1000

NODES, PLAYOUTS, DEPTH = "Nodes", "Playouts", "Depth"
"""The options of engines, in whatever case, that bound a search otherwise than by time."""

AUTO_WINDOW_MS = -1
"""The window of sealed turns that follows from the clocks; a plan and the referee call it `auto`."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Milliseconds, and limits of searches; 0 means without limit."""

    move: int = 0
    bank: int = 0
    increment: int = 0
    margin: int = 100
    start: int = 0
    patience: int = 60_000
    """The time to wait for a move without a limit."""
    window: int = AUTO_WINDOW_MS
    """After how long others learn of a sealed turn; `AUTO_WINDOW_MS` if that follows from the other clocks."""
    nodes: int = 0
    """The most positions, or playouts, of a search, for engines that have an option for it."""
    depth: int = 0
    """The most moves that a search looks ahead, for engines that have an option for it."""

    def changed(self, *changes: Mapping[str, int]) -> Clocks:
        """These clocks with the changes of a rule or a player, of which later ones win."""
        clocks = self
        for change in changes:
            clocks = replace(clocks, **change) if change else clocks
        return clocks

    @property
    def control(self) -> Control:
        """The time control of a player."""
        return Control(self.move, self.bank, self.increment)

    @property
    def limit(self) -> int:
        """The milliseconds for a move, or else for a game; 0 where there is no limit."""
        return self.move or self.bank

    @property
    def window_text(self) -> str:
        """The value of the referee's option for the window of sealed turns."""
        return AUTO_WINDOW if self.window == AUTO_WINDOW_MS else str(self.window)

    def limit_options(self, listed: Collection[str]) -> dict[str, str]:
        """The options by which an engine that lists these keeps the limits of nodes and depth."""
        nodes = match_name(NODES, listed) or match_name(PLAYOUTS, listed)
        # Beside playouts, a depth is how long each of them may be.
        depth = None if match_name(PLAYOUTS, listed) else match_name(DEPTH, listed)
        wanted = ((nodes, self.nodes), (depth, self.depth))
        return {name: str(value) for name, value in wanted if name is not None and value}


UNLIMITED = Clocks()

BOUNDS: dict[str, tuple[int, int]] = {
    **{field.name: (0, MOST_MS) for field in fields(Clocks)},
    "patience": (100, MOST_MS),
    "nodes": (0, MOST_NODES),
    "depth": (0, MOST_DEPTH),
    "window": (0, MOST_WINDOW_MS),
}
"""The least and the most of each key."""
OF_A_RULE = tuple(BOUNDS)
OF_A_PLAYER = ("move", "bank", "increment", "nodes", "depth")
"""The keys that a player may have otherwise than the others at a table."""
COUNTED = frozenset({"nodes", "depth"})


def read_clocks(words: Words, keys: Collection[str] = OF_A_RULE) -> dict[str, int]:
    """Return what `time` says in a table of a plan: a time control such as `5+0.1`, or a table with these keys.

    Raises:
        GgtpError: of the kind that `words` raises.
    """
    if words.is_text("time"):
        return words.control("time")._asdict()
    table = words.table("time")
    times = table.control("control")._asdict() if table.given("control") else {}
    for key in keys:
        if not table.given(key):
            continue
        if key in times:
            table.refuse(key, "is part of the time control beside it: leave one of them out")
        if key == "window" and table.is_one_of(key, (AUTO_WINDOW, AUTO_WINDOW_MS)):
            times[key] = AUTO_WINDOW_MS
            continue
        least, most = BOUNDS[key]
        times[key] = (
            table.whole(key, least, least, most) if key in COUNTED else table.milliseconds(key, least, least, most)
        )
    table.done()
    return times
