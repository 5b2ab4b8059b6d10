"""The table while a tournament runs: sums only, so that it does not grow with the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ggtp.stats.elo import Estimate, elo
from ggtp.stats.sample import Sample
from ggtp.tournament.plan import Plan
from ggtp.tournament.results import Game
from ggtp.tournament.scoring import outcome


@dataclass(slots=True)
class Row:
    """One player's sums."""

    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    faults: int = 0
    thinking: float = 0.0

    @property
    def score(self) -> float:
        """The mean of its scores, from 0 to 1; 0 before the first game."""
        return self.points / self.games if self.games else 0.0


@dataclass(slots=True)
class Standings:
    """Adds games up, in any order."""

    plan: Plan
    rows: dict[str, Row] = field(default_factory=dict)
    games: int = 0
    void: int = 0
    skipped: int = 0
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Player and class of fault to how often; the player is empty for nobody's."""
    ends: Counter[str] = field(default_factory=Counter)
    lag_ms: float = 0.0
    """The referee's greatest lateness in any game."""
    blocks: dict[str, Counter[float]] = field(default_factory=dict)
    """Player to its scores of complete blocks, and how often each was."""
    pairs: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """Two players to the games between them and the points of the first."""
    _open: dict[int, list[dict[str, float]]] = field(default_factory=dict)
    _left: dict[int, int] = field(default_factory=dict)
    _sizes: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for name in self.plan.names:
            self.rows[name] = Row(name)
            self.blocks[name] = Counter()

    def add(self, game: Game, size: int) -> dict[str, float] | None:
        """One more game, of a block of so many; the scores of the block, where that makes it complete."""
        self.lag_ms = max(self.lag_ms, game.lag_ms)
        for fault in game.faults:
            self.faults[fault.player, fault.fault] += 1
            if fault.player in self.rows:
                self.rows[fault.player].faults += 1
        if game.end == "void":
            self.void += 1
            return None
        if game.counts:
            self._count(game)
        else:
            self.skipped += 1
        return self._block(game, size)

    def _count(self, game: Game) -> None:
        self.games += 1
        self.ends[game.end] += 1
        scores = game.player_scores()
        for player, score in scores.items():
            row = self.rows[player]
            row.games += 1
            row.points += score
            result = outcome(scores, player)
            row.wins += result == "win"
            row.draws += result == "draw"
            row.losses += result == "loss"
        for seat, seconds in game.thinking.items():
            self.rows[game.plan.seats[seat]].thinking += seconds
        for one, other in combinations(sorted(scores, key=self.plan.names.index), 2):
            pair = self.pairs.setdefault((one, other), [0.0, 0.0])
            pair[0] += 1
            pair[1] += 0.5 + (scores[one] - scores[other]) / 2

    def _block(self, game: Game, size: int) -> dict[str, float] | None:
        number = game.plan.block
        left = self._left.get(number, size) - 1
        members = self._open.setdefault(number, [])
        members.append(game.player_scores() if game.counts else {})
        if left:
            self._left[number] = left
            return None
        self._left.pop(number, None)
        del self._open[number]
        if not all(members):
            return None  # a block without one of its seatings compares nothing fairly
        alone = len(self.plan.rules[game.plan.rule].seats) == 1
        scores = block_scores(members, alone=alone)
        for player, score in scores.items():
            self.blocks[player][round(score, 9)] += 1
        self._sizes[size] += 1
        return scores

    def left_out(self, game: Game, size: int) -> None:
        """A game was void too often, and its block goes on without it."""
        self.skipped += 1
        self._block(game, size)

    def awaits(self, block: int) -> bool:
        """Whether a block has begun and lacks games."""
        return block in self._open

    def table(self) -> list[Row]:
        """The rows, the best first."""
        names = self.plan.names
        return sorted(self.rows.values(), key=lambda row: (-row.score, -row.games, names.index(row.name)))

    def sample(self, player: str) -> Sample:
        """A player's scores of complete blocks."""
        counts = self.blocks[player]
        blocks = sum(self._sizes.values())
        games = sum(size * count for size, count in self._sizes.items()) / blocks if blocks else 1.0
        return Sample(tuple(sorted(counts)), tuple(float(counts[score]) for score in sorted(counts)), games)

    def elo(self, player: str) -> Estimate:
        """How much better than its opponents a player did, over blocks."""
        return elo(self.sample(player))

    def complete_blocks(self) -> int:
        """How many blocks are complete."""
        return sum(self._sizes.values())


def block_scores(games: Sequence[Mapping[str, float]], *, alone: bool = False) -> dict[str, float]:
    """Each player's mean score over the games of a block; where each played alone, compared with the others'."""
    found: dict[str, list[float]] = {}
    for scores in games:
        for player, score in scores.items():
            found.setdefault(player, []).append(score)
    means = {player: sum(scores) / len(scores) for player, scores in found.items()}
    if not alone or len(means) < 2:
        return means
    total = sum(means.values())
    return {player: 0.5 + (mean - (total - mean) / (len(means) - 1)) / 2 for player, mean in means.items()}
