"""What can be set in a search of a game with secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggtp.game import Option, duration, number, switch
from ggtp.search.playouts.policies import playout_options, playout_policy
from ggtp.search.playouts.policy import RANDOM, PlayoutPolicy

VISITS, VALUE, MIXED = "visits", "value", "mixed"
MULTIPLE, SINGLE = "multiple", "single"
POINTS, WIN = "points", "win"

OPTIONS = (
    duration("Time", 2000, 0, 1 << 31, "milliseconds to think at most; 0 for as long as the referee allows"),
    number("Playouts", 0, 0, 1 << 40, "how many games to play at most; 0 for as many as time allows"),
    number("Exploration", 100, 0, 10_000, "weight of what is little known, in hundredths of how much results differ"),
    number("Rave", 50, 0, 1 << 20, "visits at which moves made later count half; 0 to count none of them"),
    number("Depth", 0, 0, 100_000, "turns of a playout before the rule's estimate is asked for; 0 for its own choice"),
    *playout_options(),
    number("Outcomes", 12, 0, 1 << 20, "chance with more outcomes than that is not told apart in the tree"),
    Option("Aim", POINTS, "what counts in the end", choices=(POINTS, WIN)),
    Option("Final", VISITS, "which move is chosen at the end", choices=(VISITS, VALUE, MIXED)),
    switch("Early", True, "answer before time is over where no other move can be chosen any more"),
)
"""Those that both engines have."""

TREES = Option("Trees", MULTIPLE, "a tree for every player, or one for all", choices=(MULTIPLE, SINGLE))


def tables(default: int) -> Option:
    """How many tables an engine keeps."""
    return number("Tables", default, 1, 10_000, "how many positions to keep that explain what was seen")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options as numbers."""

    seconds: float | None = 2.0
    playouts: int | None = None
    exploration: float = 1.0
    rave: int = 50
    depth: int = 0
    policy: PlayoutPolicy = RANDOM
    outcomes: int = 12
    aim: str = POINTS
    final: str = VISITS
    early: bool = True
    tables: int = 16
    single: bool = False
    megabytes: int = 256

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Settings:
        """The settings in the canonical texts of all options."""
        return cls(
            seconds=int(values["Time"]) / 1000 or None,
            playouts=int(values["Playouts"]) or None,
            exploration=int(values["Exploration"]) / 100,
            rave=int(values["Rave"]),
            depth=int(values["Depth"]),
            policy=playout_policy(values),
            outcomes=int(values["Outcomes"]),
            aim=values["Aim"],
            final=values["Final"],
            early=values["Early"] == "on",
            tables=int(values["Tables"]),
            single=values.get("Trees") == SINGLE,
            megabytes=int(values["memory"]),
        )
