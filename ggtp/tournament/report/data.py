"""A report as values: everything that any of its forms shows, computed once from a tournament's results."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ggtp.stats.distributions import Z95
from ggtp.stats.ranks import Comparison, compare
from ggtp.stats.ratings import Ratings, rate
from ggtp.stats.results import GameResult, complete_blocks, in_blocks, without_faults, without_repeats
from ggtp.stats.sprt import Model
from ggtp.stats.summary import PlayerRow, Summary, summarise
from ggtp.stats.warnings import Warning, warn
from ggtp.tournament.columns import duration
from ggtp.tournament.journal.rulings import ruling_lines
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.report.evidence import evidence, fingerprint, rule_labels
from ggtp.tournament.results import Block, FaultSeen, Game, Results
from ggtp.tournament.standings.guards import Guards
from ggtp.tournament.standings.lost_workers import LostWorkers
from ggtp.tournament.standings.restless import idleness
from ggtp.tournament.standings.restless import warnings as restless_warnings
from ggtp.tournament.standings.sequential import SequentialTest
from ggtp.tournament.standings.standings import aheads, block_key

ALL, WITHOUT_FAULTS, WITHOUT_REPEATS = "all games", "without faulty games", "without repeated games"

UNITS: dict[Model, str] = {"logistic": "Elo", "normalised": "nElo", "bayesian": "Elo of BayesElo"}
"""What the differences of a sequential test are measured in, by its model."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The statistics of all games, or of some."""

    name: str
    games: int
    blocks: int
    """Complete ones."""
    summary: Summary
    ratings: Ratings
    order: tuple[str, ...] = ()
    """The players in the plan's order."""

    def ranked(self) -> list[PlayerRow]:
        """The players by rating, those without one last; all tables number them so."""
        places = {player: place for place, player in enumerate(self.ratings.players)}
        return sorted(self.summary.players, key=lambda row: places.get(row.player, len(places)))


@dataclass(frozen=True, slots=True)
class TimeRow:
    """How a player has used its time."""

    player: str
    games: int
    moves: int
    thinking: float
    """Seconds."""

    @property
    def per_move(self) -> float:
        """Seconds a move."""
        return self.thinking / self.moves if self.moves else 0.0

    @property
    def per_game(self) -> float:
        """Seconds a game."""
        return self.thinking / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class SprtState:
    """How a sequential test stands."""

    player: str
    other: str
    sprt: Sprt
    """The hypotheses."""
    test: SequentialTest
    """The test after the blocks that there are."""

    @property
    def hypotheses(self) -> str:
        """The hypotheses in words."""
        unit, of = UNITS[self.sprt.model], self.sprt
        return f"H0 is {of.elo0:g} {unit}, H1 is {of.elo1:g} {unit}, alpha {of.alpha:g}, beta {of.beta:g}"

    @property
    def decision(self) -> str:
        """`H0`, `H1` or `go on`."""
        return self.test.verdict or "go on"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything."""

    results: Results
    labels: tuple[str, ...]
    """A name for each rule."""
    blocks: int
    """How many there are, complete or not."""
    variants: tuple[Variant, ...]
    """All games first; the others where they differ."""
    comparison: Comparison | None
    """Over all rules, where there are several."""
    warnings: tuple[Warning, ...]
    remarks: tuple[str, ...]
    """What else to know: that it is not over, how late the referee was."""
    ends: tuple[tuple[str, int], ...]
    """Ways to end, most frequent first."""
    faults: tuple[FaultRow, ...]
    times: tuple[TimeRow, ...]
    sprt: SprtState | None

    @property
    def seed(self) -> int | None:
        """What repeats the tournament, once it is over: engines might read a report of one that runs."""
        return self.results.plan.seed if self.results.ended else None

    @property
    def protection(self) -> dict[str, dict[str, int]]:
        """Player to the protections that its engines had, and in how many games."""
        return {name: dict(words) for name, words in _guards(self.results).words.items()}

    @property
    def main(self) -> Variant:
        """The statistics of all games."""
        return self.variants[0]

    @property
    def game_seconds(self) -> float:
        """How long a game takes, on the average."""
        games = self.results.games
        return sum(game.seconds for game in games) / len(games) if games else 0.0

    def games_of(self, label: str) -> int:
        """How many games of a rule count."""
        return sum(self.labels[game.plan.rule] == label for game in self.results.games)

    def seat_worths(self) -> list[tuple[str, list[tuple[str, float, float]]]]:
        """For each rule its seats by name, what each is worth in Elo, and the 95 % error of that."""
        found = []
        for rule, worth in self.main.ratings.seats.items():
            names: Sequence[str] = [f"seat {number}" for number in range(1, len(worth) + 1)]
            if rule in self.labels and len(self.results.plan.rules[self.labels.index(rule)].seats) == len(worth):
                names = self.results.plan.rules[self.labels.index(rule)].seats
            errors = self.main.ratings.seat_errors[rule]
            found.append((rule, [(n, w, Z95 * e) for n, w, e in zip(names, worth, errors, strict=True)]))
        return found


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One class of faults of one player."""

    player: str
    """Empty: nobody's."""
    fault: str
    price: str
    count: int
    example: str
    """What the first of them was."""
    last_lines: tuple[str, ...] = ()
    """What the engine wrote last before the first of them for which it wrote anything."""


def settled(games: float | None, seconds: float = 0.0, fresh: float = 1.0) -> str:
    """What `games_to_settle` means, in a word, and how long that takes with games of so many seconds.

    If no part of the games is fresh, more of them settle nothing.
    """
    if games is None:
        return "?" if fresh else "only repeats"
    if games == 0:
        return "settled"
    count = f"~{math.ceil(games)}" if games < 100 else f"~{float(f'{games:.2g}'):.0f}"
    return f"{count} in {duration(games * seconds)}" if seconds else count


def make_report(results: Results) -> Report:
    """Compute a report."""
    games = evidence(results)
    names = results.plan.names
    variants = [_variant(ALL, games, names)]
    clean, unrepeated = without_faults(games), without_repeats(games)
    if len(clean) < len(games):
        variants.append(_variant(WITHOUT_FAULTS, clean, names))
    if len(unrepeated) < len(games):
        variants.append(_variant(WITHOUT_REPEATS, unrepeated, names))
    ends = Counter(game.end for game in (*results.games, *results.void))
    return Report(
        results=results,
        labels=rule_labels(results.plan),
        blocks=sum(1 for _ in in_blocks(games)),
        variants=tuple(variants),
        comparison=compare(variants[0].summary.rule_scores()),
        warnings=(*warn(games, names), *_restless(results)),
        remarks=tuple(_remarks(results)),
        ends=tuple(ends.most_common()),
        faults=_faults(results.faults),
        times=_times(results),
        sprt=_sprt(results),
    )


def _variant(name: str, games: Sequence[GameResult], names: Sequence[str]) -> Variant:
    return Variant(name, len(games), len(complete_blocks(games)), summarise(games, names), rate(games), tuple(names))


def _restless(results: Results) -> list[Warning]:
    found = idleness((*results.games, *results.void))
    return [Warning("idle", text) for text in restless_warnings(found)]


def _remarks(results: Results) -> list[str]:
    remarks = []
    if not results.ended:
        running = f", and {_games(len(results.running))} had begun" if results.running else ""
        remarks.append(f"The tournament is not over: {_games(len(results.games))} came to an end{running}.")
    if results.void:
        remarks.append(f"{_games(len(results.void))} did not count.")
    late = max((game.lag_ms for game in results.games), default=0.0)
    if results.plan.limit_ms and late > results.plan.clocks.margin:
        remarks.append(
            f"The referee was up to {late:.0f} ms late, more than the margin of {results.plan.clocks.margin} ms. "
            "That was charged to nobody, but the machine is too busy for these clocks."
        )
    workers = LostWorkers(results.plan.lost_workers)
    for game in results.void:
        workers.add(game)
    remarks += workers.lines()
    remarks += _guards(results).deal_lines()
    remarks += _guards(results).lines()
    remarks += [f"Ruling {line}." for line in ruling_lines(results.rulings)]
    return remarks


def _guards(results: Results) -> Guards:
    found = Guards(results.plan)
    for game in (*results.games, *results.void):
        found.add(game)
    return found


def _games(count: int) -> str:
    return f"{count} game{'s' * (count != 1)}"


def _faults(faults: Sequence[FaultSeen]) -> tuple[FaultRow, ...]:
    counts = Counter((fault.player, fault.fault, fault.price) for fault in faults)
    first: dict[tuple[str, str, str], str] = {}
    words: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for fault in faults:
        key = (fault.player, fault.fault, fault.price)
        first.setdefault(key, fault.what)
        if fault.last_words:
            words.setdefault(key, tuple(fault.last_lines()))
    return tuple(FaultRow(*key, count, first[key], words.get(key, ())) for key, count in counts.most_common())


def _times(results: Results) -> tuple[TimeRow, ...]:
    games: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    thinking: defaultdict[str, float] = defaultdict(float)
    for game in results.games:
        made = moves_by_seat(game, len(results.plan.rules[game.plan.rule].starts[game.plan.start].moves))
        for seat, player in game.plan.seats.items():
            moves[player] += made[seat]
            thinking[player] += game.thinking.get(seat, 0.0)
        games.update(set(game.plan.seats.values()))
    return tuple(TimeRow(name, games[name], moves[name], thinking[name]) for name in results.plan.names)


def moves_by_seat(game: Game, start: int) -> Counter[str]:
    """How many moves each seat has made after those of the start position."""
    return Counter(move.partition(" ")[0] for move in game.moves[start:])


def _key(block: Block, results: Results) -> str:
    """What tells a block from one that differs, as the tournament's own test has it."""
    label = rule_labels(results.plan)[block.rule]
    marks = [fingerprint(game, label, results.plan) for game in block.games]
    games = zip(block.games, marks, strict=True)
    return block_key([(game.plan.index, game.player_scores(), mark) for game, mark in games])


def _sprt(results: Results) -> SprtState | None:
    """The test that the tournament itself makes: complete blocks in their order, up to the first that is awaited."""
    plan = results.plan
    if plan.sprt is None:
        return None
    test = SequentialTest(plan.sprt)
    player, other = plan.names[:2]
    blocks = {block.number: block for block in results.blocks}
    for number in range(1, max(blocks, default=0) + 1):
        block = blocks.get(number)
        if block is not None and block.complete:
            alone = len(plan.rules[block.rule].seats) == 1
            games = [game.player_scores() for game in block.games]
            singles = aheads([block.scores()] if alone else games, plan.names).get((player, other), ())
            test.block(number, block.scores().get(player, 0.5), singles, _key(block, results), block.rule)
        elif results.ended:
            test.left_out(number)
        else:
            break
    return SprtState(player, other, plan.sprt, test)
