"""The schedule: which game is due next. It issues games in one order, whatever is played when.

    schedule = Schedule(plan)
    game = schedule.next()              # None: nothing is due before another result, or all is done
    schedule.finished(game.id, scores)  # in any order

Nothing is kept of games that are over but what the format still needs; so the memory that a
tournament takes does not grow with its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.game.chance import SEED_BITS, derive
from ggtp.tournament.plan.plan import Plan, PlanError
from ggtp.tournament.results import GamePlan
from ggtp.tournament.schedule.formats import FORMATS, Meeting, Round
from ggtp.tournament.schedule.seatings import seatings


@dataclass(slots=True)
class _OpenBlock:
    meeting: Meeting
    left: int
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a tournament's blocks, as one of several machines plays it."""

    number: int
    """From 1."""
    of: int
    """How many parts there are."""

    def has(self, block: int) -> bool:
        """Return whether a block is in this part."""
        return (block - self.number) % self.of == 0

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Schedule:
    """Issues games, and rounds as soon as the results that they depend on are there."""

    def __init__(self, plan: Plan, earlier: Sequence[Plan] = ()) -> None:
        """Begin with nothing played.

        Args:
            plan: the tournament's.
            earlier: the plans from which it has grown: their games come first, under the numbers that they have.

        Raises:
            PlanError: a rule's table can't seat who is to meet there.
        """
        check_seats(plan)
        self.plan = plan
        self._earlier = tuple(earlier)
        self._format = FORMATS[plan.format](plan)
        self._round: Round | None = next(self._format, None)
        self._games = self._issue()
        self._block = 0
        self._open: dict[int, _OpenBlock] = {}
        self._level: set[int] = set()
        """Blocks that count as a tie, whatever comes of their games."""
        self._outcome: dict[Meeting, dict[str, float]] = {}
        self._exhausted = False
        """Whether every game of this round was issued."""
        self._stopped = False

    @property
    def done(self) -> bool:
        """Whether every game was issued and is over."""
        return (self._round is None or self._stopped) and not self._open

    @property
    def round(self) -> int:
        """The round that is played, from 1; 0 when all is done."""
        return self._round.number if self._round is not None else 0

    def stop(self) -> None:
        """Begin no more blocks: what is to be known is known. One that has begun is played to its end."""
        self._stopped = True

    def next(self) -> GamePlan | None:
        """The next game; None where none is due now."""
        while self._round is not None:
            if not self._exhausted:
                game = next(self._games, None)
                if game is not None:
                    return game
                self._exhausted = True
            if self._open or self._stopped:
                return None
            self._advance()
        return None

    def level(self, block: int) -> None:
        """Let a block count as a tie between all who play in it, whatever comes of its games."""
        self._level.add(block)

    def finished(self, game: str, scores: Mapping[str, float]) -> None:
        """A game is over, with these scores of its players; none where it does not count."""
        number = int(game.partition(".")[0])
        block = self._open[number]
        for player, score in scores.items():
            block.sums[player] = block.sums.get(player, 0.0) + score
            block.counts[player] = block.counts.get(player, 0) + 1
        block.left -= 1
        if block.left:
            return
        del self._open[number]
        outcome = self._outcome.setdefault(block.meeting, dict.fromkeys(block.meeting, 0.0))
        level = number in self._level
        self._level.discard(number)
        for player, total in block.sums.items():
            outcome[player] += 0.5 if level else total / block.counts[player]

    def _advance(self) -> None:
        try:
            self._round = self._format.send(self._outcome)
        except StopIteration:
            self._round = None
        self._outcome = {}
        self._games = self._issue()
        self._exhausted = False

    def _issue(self) -> Iterator[GamePlan]:
        if self._round is None:
            return
        before: Plan | None = None
        for plan in self._earlier:
            yield from self._stage(plan, next(FORMATS[plan.format](plan)), before)
            before = plan
        yield from self._stage(self.plan, self._round, before)

    def _stage(self, plan: Plan, round_: Round, before: Plan | None) -> Iterator[GamePlan]:
        """The games of a round that the plan before does not have."""
        had = known_meetings(before)
        for repetition in range(round_.first, round_.first + round_.blocks):
            for index, rule in enumerate(plan.rules):
                assert plan.seed is not None, "whoever runs a plan draws its key"
                key = derive(plan.seed, "game", index, repetition)
                known = had[index] if before is not None and repetition < before.blocks and index < len(had) else ()
                for meeting in round_.meetings(index):
                    if self._stopped:
                        return
                    if meeting in known:
                        continue
                    places = seatings(meeting, rule.seats, plan.seatings)
                    self._block += 1
                    number = self._block
                    self._open[number] = _OpenBlock(meeting, len(places))
                    for place, seats in enumerate(places):
                        start = repetition % len(rule.starts)
                        # Not of the players where deals are common: whoever meets has the same dice and deals.
                        seed = derive(key, "own", number, place) if rule.own_deals else key
                        yield GamePlan(number, place, round_.number, index, start, seed, seats)


def known_meetings(plan: Plan | None) -> list[frozenset[Meeting]]:
    """Return the meetings at each rule of a plan whose format has one round."""
    if plan is None:
        return []
    round_ = next(FORMATS[plan.format](plan))
    return [frozenset(round_.meetings(index)) for index in range(len(plan.rules))]


def engine_seed(game: GamePlan, seat: str) -> int:
    """What an engine's own chance begins from: another for each game, seat and player, and the same each time."""
    return derive(game.seed, "engine", game.index, seat, game.seats[seat], bits=SEED_BITS)


def deal_seed(plan: Plan, game: GamePlan, attempt: int) -> int:
    """What chance begins from in an attempt at a game. Where deals are its own, engines may know the earlier ones."""
    again = attempt > 1 and plan.rules[game.rule].own_deals
    return derive(game.seed, "attempt", attempt) if again else game.seed


def check_seats(plan: Plan) -> None:
    """See that everybody who is to meet finds a seat.

    Raises:
        PlanError: not everybody does.
    """
    for rule in plan.rules:
        if not rule.seats:
            raise PlanError(f"Nobody plays in {rule.rule}.")
        if plan.format == "match" and 1 < len(rule.seats) < len(plan.players):
            raise PlanError(
                f"{rule.rule} has {len(rule.seats)} seats and the match {len(plan.players)} players: "
                "choose another format, such as round-robin."
            )


def count_games(plan: Plan, most: int = 10**6) -> int | None:
    """How many games there will be, where that does not depend on results; None where it does, or beyond `most`."""
    if plan.format not in ("match", "round-robin", "gauntlet"):
        return None
    round_ = next(FORMATS[plan.format](plan))
    total = 0
    for index, rule in enumerate(plan.rules):
        for meeting in round_.meetings(index):
            total += len(seatings(meeting, rule.seats, plan.seatings))
            if total > most:
                return None
    return total * round_.blocks
