"""What can be set about the features that MCTS learns and follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from ggtp.game import Option, duration, number, switch

SWITCH = "Features"
SLOWEST = 1.5
"""How many times fewer random games there may be in the same time with features, in a search or alone."""


def options(on: bool) -> tuple[Option, ...]:
    """The options, with features on or off where nobody says anything."""
    return (
        switch(SWITCH, on, "learn features, and follow them in random games"),
        duration("FeatureTime", 5000, 0, 1 << 31, "how many milliseconds to learn features at most"),
        number("FeatureCount", 2000, 0, 20_000, "how many features to follow at most"),
        number("FeatureTau", 50, 1, 10_000, "the temperature at which features are followed, in hundredths"),
        number("FeatureScale", 100, 1, 100, "what a value of 100 counts at that temperature"),
        number("FeaturePeriod", 0, 0, 100, "features are looked for in one turn of so many; 0 for what is affordable"),
        number("FeatureOwn", 60, 0, 100, "how often the player itself follows features, in percent"),
        number("FeatureOpponent", 50, 0, 100, "how often the other player does, in percent"),
        switch("FeatureWorth", True, "go by how much better than any the moves of features are in random games"),
        switch("FeatureTrial", True, "follow features only where a match before the game shows that they help"),
    )


OPTIONS = options(on=False)


@dataclass(frozen=True, slots=True)
class FeatureSettings:
    """The options as numbers."""

    on: bool = False
    seconds: float = 5.0
    most: int = 2000
    tau: float = 0.5
    own: float = 0.6
    opponent: float = 0.5
    trial: bool = True
    scale: float = 100.0
    period: int | None = None
    """None for the shortest that does not take too long."""
    worth: bool = True
    slowest: float = SLOWEST
    """Infinite where features are followed whatever they cost: then nothing depends on how fast the machine is."""

    def way(self, playouts: int, *, foresight: bool = False) -> str:
        """How features are followed, in a word: trials of one way say nothing about another.

        Args:
            playouts: random games for a move. Searches that are four times longer are another matter.
            foresight: whether players of random games look ahead, with features and without.
        """
        period = "affordable" if self.period is None else self.period
        length = round(log(max(1, playouts), 4))
        shares = f"{self.own:g} {self.opponent:g}"
        ahead = " foresight" if foresight else ""
        return f"{self.most} {self.tau:g} {self.scale:g} {shares} {period} {self.worth:d} {length}{ahead}"

    @classmethod
    def read(cls, values: Mapping[str, str]) -> FeatureSettings:
        """The settings in the canonical texts of all options."""
        return cls(
            on=values[SWITCH] == "on",
            seconds=int(values["FeatureTime"]) / 1000,
            most=int(values["FeatureCount"]),
            tau=int(values["FeatureTau"]) / 100,
            own=int(values["FeatureOwn"]) / 100,
            opponent=int(values["FeatureOpponent"]) / 100,
            trial=values["FeatureTrial"] == "on",
            scale=float(values["FeatureScale"]),
            period=int(values["FeaturePeriod"]) or None,
            worth=values["FeatureWorth"] == "on",
        )
