"""Joint ratings of all players from all games, with draws, seats and covariance.

The model is Plackett-Luce with ties in the manner of Davidson: whoever comes first is chosen from all players with
odds of exp(rating + seat), a tie of several has the geometric mean of theirs times a parameter of the rule, then the
next is chosen from the rest. For two players that is Bradley-Terry with Davidson's draws. Each rule has its own seat
effects and its own taste for ties. A weak normal prior keeps the undefeated, and those who never met, finite.

In that model a rating is about the odds of winning against losing, and where many games are drawn such ratings are
further apart than the scores tell. So they are shrunk by the part of games that equals would draw: then, near
equality, so many points of Elo mean the same expected score with draws as without.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, TypeAlias

from ggtp.stats.choice import Choice, Features, Fit, Matrix, by_blocks, fit
from ggtp.stats.distributions import Z95, normal_below
from ggtp.stats.elo import ELO_SCALE, Estimate
from ggtp.stats.results import GameResult, evidence_blocks, in_blocks, meeting
from ggtp.stats.sample import Sample

PRIOR_ELO: Final = 500.0
"""The standard deviation of the prior on each rating."""
SEAT_ELO: Final = 300.0
"""The same for what a seat is worth."""
TIE_LOGITS: Final = 5.0
"""The same for the logarithm of a rule's taste for ties."""
MOST_ALTERNATIVES: Final = 1024
"""Ties of so many players that there would be more alternatives are taken as several who came first."""
ENOUGH_BLOCKS: Final = 30

_Kind: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[int, ...], ...]]
"""What counts of a game: rule, who sat where, who ranked how."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of every player; their mean is 0. Players are in order of their ratings, best first."""

    players: tuple[str, ...]
    values: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    """In squared Elo, around the mean."""
    seats: dict[str, tuple[float, ...]]
    """For each rule what each seat is worth in Elo; their mean is 0."""
    seat_errors: dict[str, tuple[float, ...]]
    """The standard errors of these."""
    errors_from: Literal["model", "blocks"]
    """Whether errors come from the model, or from how much blocks differ."""
    tie_rate: float = 0.0
    """The part of games that equals would draw, by which ratings were shrunk."""

    def estimate(self, player: str, z: float = Z95) -> Estimate:
        """A rating with its error against the mean of all."""
        i = self.players.index(player)
        return _estimate(self.values[i], self.covariance[i][i], z)

    def difference(self, player: str, other: str, z: float = Z95) -> Estimate:
        """How much better a player is than another, with the error of the difference itself.

        Nothing is known of players without a game that says something.
        """
        if not {player, other} <= {*self.players}:
            return Estimate(None, None, None)
        i, j = self.players.index(player), self.players.index(other)
        variance = self.covariance[i][i] + self.covariance[j][j] - 2.0 * self.covariance[i][j]
        return _estimate(self.values[i] - self.values[j], variance, z)

    def superiority(self, player: str, other: str) -> float:
        """How probable it is that the player is better than the other; 1/2 for oneself."""
        difference = self.difference(player, other, z=1.0)
        error = difference.error
        if difference.value is None or not error:
            return 0.5
        return normal_below(difference.value / error)


def rate(results: Iterable[GameResult], prior_elo: float = PRIOR_ELO, *, seats: bool = True) -> Ratings:
    """Rate all players of these games together, by complete blocks. Games of one player say nothing here.

    Blocks that repeat earlier ones count as in whatever is said of a pair (see `evidence_blocks`). Without `seats`, all
    seats are taken to be worth the same.
    """
    blocks = evidence_blocks(results)
    games = [game for block in blocks for game in block.games if len(game.players) > 1]
    worths = {meeting(game): block.worth for block in blocks for game in block.games}
    players = sorted({player for game in games for player in game.players})
    model = _Model(players, games, worths, prior_elo, seats)
    found = fit([choice for kind, times in model.kinds.items() for choice in model.choices(kind, times)], model.priors)
    covariance, source = _covariance(model, found, games)
    return _ratings(model, found, covariance, source)


class _Model:
    """Which parameter stands for what."""

    def __init__(
        self,
        players: Sequence[str],
        games: Sequence[GameResult],
        worths: Mapping[tuple[str, frozenset[str]], float],
        prior_elo: float,
        seats: bool,
    ) -> None:
        self.worths = worths
        self.kinds = {kind: times * self.worth(kind) for kind, times in Counter(map(_kind, games)).items()}
        """How often each kind of game came, less where the blocks of who met there repeat one another."""
        self.players = {player: i for i, player in enumerate(players)}
        self.priors = [(ELO_SCALE / prior_elo) ** 2] * len(players)
        self.seats: dict[tuple[str, int, int], int] = {}
        self.ties: dict[tuple[str, int], int] = {}
        apart = {(game.rule, len(game.players)) for game in games if not game.seated}
        for rule, seated, _ in self.kinds if seats else ():
            if (rule, len(seated)) in apart:
                continue
            for seat in range(len(seated)):
                if (rule, len(seated), seat) not in self.seats:
                    self.seats[rule, len(seated), seat] = self._parameter((ELO_SCALE / SEAT_ELO) ** 2)
        for rule, seated, groups in self.kinds:
            for size in sorted({len(group) for group in groups if len(group) > 1}):
                if (rule, size) not in self.ties and _alternatives(len(seated), size) <= MOST_ALTERNATIVES:
                    self.ties[rule, size] = self._parameter(TIE_LOGITS**-2)

    def worth(self, kind: _Kind) -> float:
        """What a game counts for."""
        rule, seated, _ = kind
        return self.worths[rule, frozenset(seated)]

    def _parameter(self, precision: float) -> int:
        self.priors.append(precision)
        return len(self.priors) - 1

    def choices(self, kind: _Kind, weight: float = 1.0) -> Iterator[Choice]:
        """The choices that a game consists of: who comes first, who is first of the rest, and so on."""
        rule, seated, groups = kind
        sizes = [size for of_rule, size in self.ties if of_rule == rule]
        left = tuple(range(len(seated)))
        for group in groups:
            if len(left) == 1:
                break
            known = [1, *(size for size in sizes if size <= len(left))]
            # A tie too large to be an alternative: each of its members came first.
            firsts = [group] if len(group) in known else [(seat,) for seat in group]
            subsets = [subset for size in known for subset in combinations(left, size)]
            alternatives = tuple(self._features(rule, seated, subset) for subset in subsets)
            for first in firsts:
                yield Choice(alternatives, subsets.index(first), weight)
            left = tuple(seat for seat in left if seat not in group)

    def _features(self, rule: str, seated: Sequence[str], subset: Sequence[int]) -> Features:
        features: dict[int, float] = {}
        for seat in subset:
            for i in (self.players[seated[seat]], self.seats.get((rule, len(seated), seat))):
                if i is not None:
                    features[i] = features.get(i, 0.0) + 1.0 / len(subset)
        if len(subset) > 1:
            features[self.ties[rule, len(subset)]] = 1.0
        return features


def _kind(game: GameResult) -> _Kind:
    return game.rule, game.players, game.groups()


def _alternatives(players: int, largest: int) -> int:
    return sum(math.comb(players, size) for size in range(1, largest + 1))


def _covariance(model: _Model, found: Fit, games: Sequence[GameResult]) -> tuple[Matrix, Literal["model", "blocks"]]:
    """By blocks where they suffice; where somebody never lost or never won, their slopes are no measure of anything."""
    found_blocks = Counter(tuple(sorted(map(_kind, block))) for _, block in in_blocks(games))
    blocks = {block: times * model.worth(block[0]) for block, times in found_blocks.items()}
    beaten = {game.players[seat] for game in games for seat, score in enumerate(game.scores) if score < 1.0}
    scored = {game.players[seat] for game in games for seat, score in enumerate(game.scores) if score > 0.0}
    enough = sum(blocks.values()) >= max(ENOUGH_BLOCKS, 3 * len(model.priors))
    if not enough or beaten != set(model.players) or scored != set(model.players):
        return found.covariance, "model"
    cache = {kind: tuple(model.choices(kind)) for kind in model.kinds}
    spread = (([choice for kind in block for choice in cache[kind]], times) for block, times in blocks.items())
    return by_blocks(found, model.priors, spread), "blocks"


def _ratings(model: _Model, found: Fit, covariance: Matrix, source: Literal["model", "blocks"]) -> Ratings:
    own = list(model.players.values())
    tie_rate = _tie_rate(model, found)
    scale = ELO_SCALE * (1.0 - tie_rate)
    if source == "model" and tie_rate:
        # Few games do not tell the rate of ties well, and errors must not be the smaller for it.
        games = sum(model.kinds.values())
        least = Sample((0.0, 1.0), (games * (1.0 - tie_rate), games * tie_rate)).interval().low
        covariance = [[x * ((1.0 - least) / (1.0 - tie_rate)) ** 2 for x in row] for row in covariance]
    values, spread = _centred(found.values, covariance, own, scale)
    order = sorted(own, key=lambda i: (-values[i], i))
    names = list(model.players)
    seats: dict[str, tuple[float, ...]] = {}
    errors: dict[str, tuple[float, ...]] = {}
    sizes = sorted({(rule, size) for rule, size, _ in model.seats})
    for rule, size in sizes:
        several = sum(other == rule for other, _ in sizes) > 1
        name = f"{rule} ({size} players)" if several else rule
        chosen = [model.seats[rule, size, i] for i in range(size)]
        worth, seat_spread = _centred(found.values, covariance, chosen, scale)
        seats[name] = tuple(worth)
        errors[name] = tuple(math.sqrt(max(0.0, seat_spread[i][i])) for i in range(size))
    return Ratings(
        tuple(names[i] for i in order),
        tuple(values[i] for i in order),
        tuple(tuple(spread[i][j] for j in order) for i in order),
        seats,
        errors,
        source,
        tie_rate,
    )


def _tie_rate(model: _Model, found: Fit) -> float:
    """How often two equal players tie: by the model where two play, by what was seen where more do."""
    rates, games = [], 0.0
    for (rule, seated, groups), times in model.kinds.items():
        games += times
        if len(seated) == 2:
            tie = model.ties.get((rule, 2))
            rates.append(times / (1.0 + 2.0 * math.exp(-found.values[tie])) if tie is not None else 0.0)
        else:
            tied = sum(math.comb(len(group), 2) for group in groups)
            rates.append(times * tied / math.comb(len(seated), 2))
    # However many ties there were, the next game may be decided.
    return min(math.fsum(rates) / games, games / (games + 1.0)) if games else 0.0


def _centred(
    values: Sequence[float], covariance: Matrix, chosen: Sequence[int], scale: float
) -> tuple[list[float], Matrix]:
    """Some of the parameters in Elo, less their mean, with the covariance of that."""
    count = len(chosen)
    mean = math.fsum(values[i] for i in chosen) / max(1, count)
    part = [[covariance[i][j] * scale**2 for j in chosen] for i in chosen]
    means = [math.fsum(row) / max(1, count) for row in part]
    grand = math.fsum(means) / max(1, count)
    spread = [[part[i][j] - means[i] - means[j] + grand for j in range(count)] for i in range(count)]
    return [(values[i] - mean) * scale for i in chosen], spread


def _estimate(value: float, variance: float, z: float) -> Estimate:
    reach = z * math.sqrt(max(0.0, variance))
    return Estimate(value, value - reach, value + reach)
