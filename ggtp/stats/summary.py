"""Results added up: a row for each player, one for each pair, and each player's score in each rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ggtp.stats.elo import Estimate, elo, games_to_settle, los, nelo
from ggtp.stats.results import Evidence, GameResult, evidence_blocks, fresh_part
from ggtp.stats.sample import Interval, Sample, from_blocks


@dataclass(slots=True)
class Tally:
    """Games won, drawn and lost. The best alone has won; several that are best have drawn."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    """The sum of the scores."""

    @property
    def score(self) -> float:
        """The mean score; 0 where nothing was played."""
        return self.points / self.games if self.games else 0.0

    def add(self, score: float, best_other: float, shown: float | None = None) -> None:
        """One game, with the score of the best of the others, and what the score is called if it is another."""
        self.games += 1
        self.points += score if shown is None else shown
        self.wins += score > best_other
        self.draws += score == best_other
        self.losses += score < best_other


@dataclass(slots=True)
class PlayerRow:
    """One player in all its games."""

    player: str
    tally: Tally = field(default_factory=Tally)
    faulty: int = 0
    """In how many games it did something wrong."""
    sample: Sample = field(default_factory=lambda: from_blocks([]))
    """Its mean scores in complete blocks, which count together for as many as differ."""

    def interval(self) -> Interval:
        """The mean score over complete blocks, with its error."""
        return self.sample.interval()


@dataclass(slots=True)
class PairRow:
    """Two players in the games that both were in, seen from the first; a score of 1 is to be ahead of the other."""

    player: str
    other: str
    tally: Tally = field(default_factory=Tally)
    sample: Sample = field(default_factory=lambda: from_blocks([]))
    fresh: float = 1.0
    """The part of their latest blocks that do not repeat earlier ones."""

    @property
    def elo(self) -> Estimate:
        """From these games alone."""
        return elo(self.sample)

    @property
    def nelo(self) -> Estimate:
        """From these games alone."""
        return nelo(self.sample)

    @property
    def los(self) -> float:
        """From these games alone."""
        return los(self.sample)

    @property
    def games_to_settle(self) -> float | None:
        """About how many more games would tell which is better, at 95 %; 0: none; None: nobody knows, or no number of
        games, since only repeats are played."""
        return games_to_settle(self.sample, fresh=self.fresh)


@dataclass(frozen=True, slots=True)
class Summary:
    """All rows; players in the order of their mean scores."""

    players: tuple[PlayerRow, ...]
    pairs: dict[tuple[str, str], PairRow]
    """Every pair that met, once, in the order of `players`."""
    by_rule: dict[str, dict[str, Tally]]
    """Rule to player to its games."""

    def pair(self, player: str, other: str) -> PairRow | None:
        """The pair seen from the first; None where they never met."""
        found = self.pairs.get((player, other))
        if found is not None or (other, player) not in self.pairs:
            return found
        mirror = self.pairs[other, player]
        tally = mirror.tally
        sample = mirror.sample
        turned = Sample(
            tuple(1.0 - score for score in reversed(sample.scores)), tuple(reversed(sample.counts)), sample.games
        )
        return PairRow(
            player,
            other,
            Tally(tally.games, tally.losses, tally.draws, tally.wins, tally.games - tally.points),
            turned,
            mirror.fresh,
        )

    def rule_scores(self) -> dict[str, dict[str, float]]:
        """Rule to player to its mean score, as `ranks.compare` takes it."""
        return {
            rule: {player: round(tally.score, 12) for player, tally in row.items() if tally.games}
            for rule, row in self.by_rule.items()
        }


def summarise(results: Iterable[GameResult], players: Sequence[str] = ()) -> Summary:
    """Add games up. Of `players` each has a row, whether it has played or not."""
    games = list(results)
    rows = {player: PlayerRow(player) for player in players}
    by_rule: dict[str, dict[str, Tally]] = {}
    for game in games:
        scores, shown = game.player_scores(), game.shown_scores()
        for player, score in scores.items():
            others = [value for other, value in scores.items() if other != player]
            best = max(others, default=0.5)  # a lone player has to beat half of what there is
            rows.setdefault(player, PlayerRow(player)).tally.add(score, best, shown[player])
            by_rule.setdefault(game.rule, {}).setdefault(player, Tally()).add(score, best, shown[player])
        for player in set(game.at_fault) & rows.keys():
            rows[player].faulty += 1
    blocks = evidence_blocks(games)
    units: dict[str, list[tuple[list[float], float]]] = {}
    for block in blocks:
        own: dict[str, list[float]] = {}
        for game in block.games:
            for player, score in game.shown_scores().items():
                own.setdefault(player, []).append(score)
        for player, unit in own.items():
            units.setdefault(player, []).append((unit, block.worth))
    for player, row in rows.items():
        row.sample = _sample(units.get(player, []))
    order = sorted(rows.values(), key=lambda row: (-row.tally.score, -row.tally.games, row.player))
    return Summary(tuple(order), _pairs(games, blocks, [row.player for row in order]), by_rule)


def _sample(units: Sequence[tuple[list[float], float]]) -> Sample:
    return from_blocks([scores for scores, _ in units], [worth for _, worth in units])


def _pairs(
    games: Sequence[GameResult], blocks: Sequence[Evidence], order: Sequence[str]
) -> dict[tuple[str, str], PairRow]:
    place = {player: i for i, player in enumerate(order)}
    rows: dict[tuple[str, str], PairRow] = {}
    for game in games:
        for (player, other), ahead in _aheads(game, place):
            # Ahead is 1, 1/2 or 0: to win, draw or lose against this one, whoever else is there.
            rows.setdefault((player, other), PairRow(player, other)).tally.add(ahead, 0.5)
    units: dict[tuple[str, str], list[tuple[list[float], float]]] = {}
    fresh: dict[tuple[str, str], list[bool]] = {}
    for block in blocks:
        scores: dict[tuple[str, str], list[float]] = {}
        for game in block.games:
            for pair, ahead in _aheads(game, place):
                scores.setdefault(pair, []).append(ahead)
        for pair, unit in scores.items():
            units.setdefault(pair, []).append((unit, block.worth))
            fresh.setdefault(pair, []).append(block.fresh)
    for pair, row in rows.items():
        row.sample, row.fresh = _sample(units.get(pair, [])), fresh_part(fresh.get(pair, []))
    ordered = sorted(rows, key=lambda pair: (place[pair[0]], place[pair[1]]))
    return {pair: rows[pair] for pair in ordered}


def _aheads(game: GameResult, place: dict[str, int]) -> list[tuple[tuple[str, str], float]]:
    """Each pair of the game's players, and 1, 1/2 or 0 as the first was ahead, level or behind."""
    scores = game.player_scores()
    return [
        ((player, other), 0.5 + 0.5 * ((scores[player] > scores[other]) - (scores[player] < scores[other])))
        for player, other in combinations(sorted(scores, key=place.__getitem__), 2)
    ]
