"""Lost workers: processes that played games and ended, or were stopped, under them.

A game whose worker is lost is void, and no fault of a player is seen. But an engine without a sandbox can end its
referee whenever it is losing. So it is counted in whose games workers are lost. A player is blamed

- if it was in every game that lost its worker, at least `most` of them, and nobody else was, while at least `SOUND`
  games without it were played;
- or if workers are lost where it plays alone, in all seats: in `TRIALS_LOST` of such trial games, while another player
  has played `TRIALS_SOUND` and lost none. Every player in `most` games that lost their workers has trial games, unless
  it is blamed already.

So nobody is blamed where the rule or the machine ends workers, whoever plays.

Only games count whose worker had no other engines at that time. That is so from the first lost worker on: players that
were in its reach play apart from others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ggtp.tournament.results import Game

FAULT = "worker"
"""The class of faults of a game whose worker is lost."""
SOUND = 6
"""How many games without a player must be played before it is blamed for being in all that lost their workers."""
TRIALS_LOST = 3
"""How many trial games of a player must lose their workers before it is blamed. One may be an accident."""
TRIALS_SOUND = 4
"""How many trial games another player must have played, without a loss, to show that rule and machine are sound."""
TRIALS = 6
"""How many trial games a player has at most."""


@dataclass(slots=True)
class Trial:
    """The trial games of one player."""

    games: int = 0
    lost: int = 0
    """How many of them lost their workers."""


@dataclass(slots=True)
class LostWorkers:
    """The players that were present when workers were lost."""

    most: int
    """How many games must lose their workers before their players are suspects; 0: nobody is ever suspected."""
    reach: Counter[frozenset[str]] = field(default_factory=Counter)
    """The players whose engines a lost worker may have had, and how often."""
    companies: Counter[frozenset[str]] = field(default_factory=Counter)
    """The players of games that lost their workers, and how often."""
    sound: int = 0
    """How many games were played to their end."""
    played: Counter[str] = field(default_factory=Counter)
    """Player to how many of these it was in."""
    trials: dict[str, Trial] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)
    """Player to the rule of the last of its games that lost its worker."""

    def add(self, game: Game) -> None:
        """Take in a game, whatever has come of it."""
        players = frozenset(game.plan.seats.values())
        if game.counts and game.moves:
            self.sound += 1
            self.played.update(players)
        for fault in game.faults:
            if fault.fault == FAULT:
                self.reach[players.union(fault.present)] += 1
                if players == frozenset(fault.present):
                    self.companies[players] += 1
                    self.rules.update(dict.fromkeys(players, game.plan.rule))

    def forgive(self, player: str) -> None:
        """Forget what was counted against a player."""
        for counts in (self.companies, self.reach):
            for company in [company for company in counts if player in company]:
                del counts[company]
        self.trials.pop(player, None)

    def tried(self, player: str, *, lost: bool) -> None:
        """A trial game of a player is over, or its worker is lost."""
        trial = self.trials.setdefault(player, Trial())
        trial.games += 1
        trial.lost += lost

    def near(self, out: Collection[str] = ()) -> frozenset[str]:
        """The players in whose reach workers were lost without anybody who is `out`: they play apart."""
        return frozenset().union(*(company for company in self.reach if not company.intersection(out)))

    def count(self, player: str, out: Collection[str] = ()) -> int:
        """How many games with a player lost their workers, without those of players that are `out`."""
        return sum(count for company, count in self._left(out).items() if player in company)

    def lines(self) -> list[str]:
        """Which players had games that lost their workers, and how many; nothing where none did."""
        names = sorted(frozenset().union(*self.companies), key=lambda name: (-self.count(name), name))
        total = sum(self.companies.values())
        if not names:
            return []
        each = ", ".join(f"{name} in {self.count(name)}" for name in names)
        return [f"{total} game{'s' * (total != 1)} lost {'their workers' if total != 1 else 'its worker'}: {each}."]

    def blamed(self, out: Collection[str] = ()) -> dict[str, str]:
        """The players that are the cause, each with a sentence that says why; not those that are `out` already."""
        return {name: why for name in self._suspects(out) if (why := self._why(name, out))}

    def on_trial(self, out: Collection[str] = ()) -> list[str]:
        """The players that should have another trial game."""
        return [
            name
            for name in self._suspects(out)
            if not self._why(name, out) and self.trials.get(name, Trial()).games < TRIALS
        ]

    def unexplained(self, out: Collection[str] = ()) -> list[str]:
        """The players of `most` games that lost their workers, where no trial has shown whose doing that is."""
        return sorted(set(self._suspects(out)) - self.blamed(out).keys() - set(self.on_trial(out)))

    def _left(self, out: Collection[str]) -> dict[frozenset[str], int]:
        return {company: count for company, count in self.companies.items() if not company.intersection(out)}

    def _suspects(self, out: Collection[str]) -> list[str]:
        names = sorted(frozenset().union(*self._left(out)))
        return [name for name in names if self.most and self.count(name, out) >= self.most]

    def _why(self, name: str, out: Collection[str]) -> str:
        trial = self.trials.get(name, Trial())
        count = self.count(name, out)
        controls = [own for other, own in self.trials.items() if other != name]
        sound = any(own.games >= TRIALS_SOUND and not own.lost for own in controls)
        if trial.lost >= TRIALS_LOST and sound:
            return f"{count} games with {name} lost their workers, and so did {trial.lost} in which it played alone"
        left = self._left(out)
        without = self.sound - self.played[name]
        if without >= SOUND and all(name in company for company in left) and frozenset.intersection(*left) == {name}:
            return f"{count} games with {name} lost their workers, and no game without it did"
        return ""


def unexplained_text(players: Sequence[str]) -> str:
    """A sentence on players of games that lost their workers, where nobody knows whose doing that is."""
    return (
        f"Workers were lost in games of {' and '.join(players)}, and trials have not shown whose doing that is: the "
        "rule's, the machine's or an engine's. Scores of these games prove nothing; a sandbox keeps engines from it."
    )
