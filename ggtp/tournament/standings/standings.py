"""The table while a tournament runs: sums only, so that it does not grow with the number of games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ggtp.stats.elo import Estimate
from ggtp.stats.sample import Sample
from ggtp.stats.scale import Met, bounded_ratings, on_one_scale
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.report.evidence import fingerprint, rule_labels
from ggtp.tournament.results import Game
from ggtp.tournament.standings.guards import Guards
from ggtp.tournament.standings.purse import Purse, block_points, player_points, telling
from ggtp.tournament.standings.repeats import Seen
from ggtp.tournament.standings.restless import Idleness
from ggtp.tournament.standings.scoring import outcome


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
    idle: Idleness = field(default_factory=Idleness)

    @property
    def score(self) -> float:
        """The mean of its scores, from 0 to 1; 0 before the first game."""
        return self.points / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class BlockDone:
    """A block that has all of its games."""

    scores: Mapping[str, float]
    """Player to its score."""
    key: str
    """The same for blocks that are the same move by move; empty where that is not known."""
    repeated: bool
    """Whether one like it was there before."""
    singles: Mapping[tuple[str, str], tuple[float, ...]]
    """For every two players whether the first was ahead in each of its games: 1, 1/2 or 0."""


@dataclass(slots=True)
class Meeting:
    """The complete blocks of those who meet at a rule. Repeats count as often as they come, and as one for worth."""

    players: int
    """How many sit at a table."""
    blocks: int = 0
    games: int = 0
    distinct: int = 0
    """How many of the blocks differ from one another: so many are evidence."""
    scores: dict[str, Counter[float]] = field(default_factory=dict)
    """Player to its scores of blocks, and how often each was."""
    aheads: dict[tuple[str, str], Counter[float]] = field(default_factory=dict)
    """Two players to the part of a block's games in which the first was ahead, and how often each was."""


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
    meetings: dict[tuple[int, frozenset[str]], Meeting] = field(default_factory=dict)
    """A rule's number and who met there, to their complete blocks."""
    repeats: int = 0
    """How many games were, move by move, what the same players had played before."""
    purses: dict[str, Purse] = field(default_factory=dict)
    """Player to its points in complete blocks, where there is one rule and all games of a block have points."""
    guards: Guards = field(init=False)
    """What engines were kept from."""
    points_tell: bool = False
    """Whether points have said more than who has won."""
    _open: dict[int, list[tuple[int, dict[str, float], str]]] = field(default_factory=dict)
    """Of blocks that lack games: which seating, its scores, and the fingerprint of the game."""
    _points: dict[int, list[dict[str, float]]] = field(default_factory=dict)
    """Of the same blocks: the points of players in the games."""
    _left: dict[int, int] = field(default_factory=dict)
    _sizes: Counter[int] = field(default_factory=Counter)
    _games_seen: Seen = field(default_factory=Seen)
    _blocks_seen: Seen = field(default_factory=Seen)
    _labels: tuple[str, ...] = ()
    _distinct: int = 0
    _rated: tuple[int, dict[str, Estimate]] = (-1, {})
    """The ratings after so many complete blocks."""

    def __post_init__(self) -> None:
        self._labels = rule_labels(self.plan)
        self.guards = Guards(self.plan)
        for name in self.plan.names:
            self.rows[name] = Row(name)

    def add(self, game: Game, size: int) -> BlockDone | None:
        """One more game, of a block of so many; the block, where that makes it complete."""
        self.lag_ms = max(self.lag_ms, game.lag_ms)
        self.guards.add(game)
        for seat, idle in game.idle.items():
            self.rows[game.plan.seats[seat]].idle.add(*idle)
        for fault in game.faults:
            self.faults[fault.player, fault.fault] += 1
            if fault.player in self.rows:
                self.rows[fault.player].faults += 1
        if game.end == "void":
            self.void += 1
            return None
        mark = ""
        if game.counts:
            self._count(game)
            mark = fingerprint(game, self._labels[game.plan.rule], self.plan)
            self.repeats += bool(mark) and self._games_seen.add(mark)
        else:
            self.skipped += 1
        return self._block(game, size, mark)

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

    def _block(self, game: Game, size: int, mark: str = "") -> BlockDone | None:
        number = game.plan.block
        left = self._left.get(number, size) - 1
        members = self._open.setdefault(number, [])
        members.append((game.plan.index, game.player_scores() if game.counts else {}, mark))
        points = self._points.setdefault(number, [])
        points.append(player_points(game) if len(self.plan.rules) == 1 else {})
        self.points_tell = self.points_tell or (bool(points[-1]) and telling(game))
        if left:
            self._left[number] = left
            return None
        self._left.pop(number, None)
        del self._open[number], self._points[number]
        if not all(own for _, own, _ in members):
            return None  # a block without one of its seatings compares nothing fairly
        alone = len(self.plan.rules[game.plan.rule].seats) == 1
        scores = block_scores([own for _, own, _ in members], alone=alone)
        key = block_key(members)
        repeated = bool(key) and self._blocks_seen.add(key)
        self._distinct += not repeated
        singles = aheads([scores] if alone else [own for _, own, _ in members], self.plan.names)
        self._meet(game.plan.rule, [own for _, own, _ in members], scores, singles, alone=alone, repeated=repeated)
        for player, own in block_points(points).items():
            self.purses.setdefault(player, Purse()).add(own, repeated=repeated)
        self._sizes[size] += 1
        return BlockDone(scores, key, repeated, singles)

    def _meet(
        self,
        rule: int,
        games: Sequence[Mapping[str, float]],
        scores: Mapping[str, float],
        singles: Mapping[tuple[str, str], tuple[float, ...]],
        *,
        alone: bool,
        repeated: bool,
    ) -> None:
        """Count a complete block for those who have met in it."""
        table = len(scores) if alone else max(map(len, games))
        meeting = self.meetings.setdefault((rule, frozenset(scores)), Meeting(table))
        meeting.blocks += 1
        meeting.games += len(games)
        meeting.distinct += not repeated
        for player, score in scores.items():
            meeting.scores.setdefault(player, Counter())[round(score, 9)] += 1
        for pair, ahead in singles.items():
            meeting.aheads.setdefault(pair, Counter())[round(math.fsum(ahead) / len(ahead), 9)] += 1

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
        """A player's scores of complete blocks: as often as they came, and worth as many blocks as differ."""
        return _weighted((meeting, meeting.scores[player]) for meeting in self._of(player))

    def pairs(self) -> dict[tuple[str, str], Met]:
        """The players that met, and what they made of each other in complete blocks, seen from the first."""
        found: dict[tuple[str, str], list[tuple[Meeting, Counter[float]]]] = {}
        for meeting in self.meetings.values():
            for pair, counts in meeting.aheads.items():
                found.setdefault(pair, []).append((meeting, counts))
        return {pair: Met(_weighted(parts), _table(meeting for meeting, _ in parts)) for pair, parts in found.items()}

    def _of(self, player: str) -> list[Meeting]:
        return [meeting for meeting in self.meetings.values() if player in meeting.scores]

    def elo(self, player: str) -> Estimate:
        """How good a player is by its complete blocks, where the mean of the players is 0."""
        blocks = self.complete_blocks()
        if self._rated[0] != blocks:
            self._rated = blocks, on_one_scale(self.plan.names, self.pairs())
        return self._rated[1][player]

    def bounded(self) -> dict[str, float]:
        """The same for every player as numbers, also where one has won or lost everything."""
        return bounded_ratings(self.plan.names, self.pairs())

    def distinct_blocks(self) -> int:
        """How many of the complete blocks differ from one another, move by move."""
        return self._distinct

    def restless(self) -> dict[str, Idleness]:
        """The players that use a processor while others are to move."""
        return {row.name: row.idle for row in self.rows.values() if row.idle.burning}

    def complete_blocks(self) -> int:
        """How many blocks are complete."""
        return sum(self._sizes.values())


def _weighted(parts: Iterable[tuple[Meeting, Mapping[float, int]]]) -> Sample:
    """How often scores came in several meetings; in each they are worth as many blocks as differ."""
    worths: dict[float, list[float]] = {}
    blocks = games = 0
    for meeting, counts in parts:
        blocks += meeting.blocks
        games += meeting.games
        for score, count in counts.items():
            worths.setdefault(score, []).append(count * meeting.distinct / meeting.blocks)
    scores = tuple(sorted(worths))
    return Sample(scores, tuple(math.fsum(worths[score]) for score in scores), games / blocks if blocks else 1.0)


def _table(meetings: Iterable[Meeting]) -> float:
    """How many players sat at the tables of these meetings, on average over what is evidence."""
    found = [(meeting.players, meeting.distinct) for meeting in meetings]
    total = sum(worth for _, worth in found)
    return sum(players * worth for players, worth in found) / total if total else 2.0


def aheads(games: Iterable[Mapping[str, float]], names: Sequence[str]) -> dict[tuple[str, str], tuple[float, ...]]:
    """For every two players of a block whether the first was ahead in each of its games: 1, 1/2 or 0."""
    found: dict[tuple[str, str], list[float]] = {}
    for scores in games:
        for one, other in combinations(sorted(scores, key=names.index), 2):
            sign = (scores[one] > scores[other]) - (scores[one] < scores[other])
            found.setdefault((one, other), []).append(0.5 + 0.5 * sign)
    return {pair: tuple(singles) for pair, singles in found.items()}


def block_key(members: Sequence[tuple[int, Mapping[str, float], str]]) -> str:
    """The same for blocks whose games are the same move by move, and came to the same; empty where one is unknown."""
    if not all(mark for _, _, mark in members):
        return ""
    return "\n".join(
        f"{index} {mark} {sorted(own.items())}" for index, own, mark in sorted(members, key=lambda m: m[0])
    )


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
