"""The formats: who meets whom, round after round.

A format is a generator. It yields a round, which is an iterable of meetings for each rule, and
is sent what came of it: for every meeting, each player's mean score. What it yields depends on
the plan and on what it was sent, and on nothing else; so a tournament that is resumed meets the
same pairings again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TypeAlias

from ggtp.stats.betting import Bet
from ggtp.tournament.plan.plan import Plan

Meeting: TypeAlias = tuple[str, ...]
"""Players who meet, in the plan's order."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be played before anything is decided."""

    number: int
    meetings: Callable[[int], Iterable[Meeting]]
    """For the rule of that index."""
    blocks: int
    """How many blocks each meeting has, for each rule."""
    first: int = 0
    """Which of the rule's blocks come first: further ones have other seeds and start positions."""


Outcome: TypeAlias = Mapping[Meeting, Mapping[str, float]]
"""For every meeting of a round, each player's score, summed over its blocks."""

Format: TypeAlias = Generator[Round, Outcome, None]

TIE_BREAKS = 5
"""How many further blocks a tied meeting of a knockout has before the seeding decides."""
ERROR = 0.05
"""How likely an elimination may send the best player home."""
MOST_ROUNDS = 1000
"""How many rounds an elimination has where the plan does not say: players who are equal can't be told apart."""
MOST_TRIES = 20_000
"""How many ways to pair a Swiss round are tried before somebody meets an old opponent again."""


def fixed(meetings: Sequence[Meeting]) -> Callable[[int], Iterable[Meeting]]:
    """The same meetings for every rule."""
    return lambda _rule: meetings


def match(plan: Plan) -> Format:
    """All players at one table."""
    yield Round(1, fixed([plan.names]), plan.blocks)


def round_robin(plan: Plan) -> Format:
    """Every group of players that is as large as the table."""

    def meetings(rule: int) -> Iterable[Meeting]:
        return combinations(plan.names, group_size(plan, rule))

    yield Round(1, meetings, plan.blocks)


def gauntlet(plan: Plan) -> Format:
    """Every group with exactly one of the challengers."""
    challengers, others = plan.names[: plan.seeds], plan.names[plan.seeds :]

    def meetings(rule: int) -> Iterable[Meeting]:
        size = min(group_size(plan, rule), len(others) + 1)
        return ((one, *rest) for one in challengers for rest in combinations(others, size - 1))

    yield Round(1, meetings, plan.blocks)


def group_size(plan: Plan, rule: int) -> int:
    """How many players meet at the table of a rule: one each, as far as there are seats; all where each plays alone."""
    seats = len(plan.rules[rule].seats)
    return len(plan.names) if seats == 1 else max(2, min(seats, len(plan.names)))


def swiss(plan: Plan) -> Format:
    """Rounds of players who stand about equal."""
    names = plan.names
    size = max(2, min(len(names), *(max(len(rule.seats), 2) for rule in plan.rules)))
    points = dict.fromkeys(names, 0.0)
    met: dict[frozenset[str], int] = {}
    free: set[str] = set()
    for number in range(1, (plan.rounds or max(1, math.ceil(math.log2(len(names))))) + 1):
        order = sorted(names, key=lambda name: (-points[name], names.index(name)))
        idle = _idle(order, len(order) % size, free)
        groups = pair([name for name in order if name not in idle], met) if size == 2 else None
        if groups is None:
            seated = [name for name in order if name not in idle]
            groups = [tuple(seated[index : index + size]) for index in range(0, len(seated), size)]
        meetings = [_in_order(group, names) for group in groups]
        outcome = yield Round(number, fixed(meetings), plan.blocks, (number - 1) * plan.blocks)
        for meeting in meetings:
            for one, other in combinations(meeting, 2):
                met[frozenset((one, other))] = met.get(frozenset((one, other)), 0) + 1
            for name, score in outcome[meeting].items():
                points[name] += score
        for name in idle:  # to sit out is worth a win
            points[name] += plan.blocks * len(plan.rules)
            free.add(name)


def _idle(order: Sequence[str], count: int, free: set[str]) -> set[str]:
    """Who sits a round out: the last ones who have not done so yet."""
    last = [name for name in reversed(order) if name not in free] + [name for name in reversed(order) if name in free]
    return set(last[:count])


def pair(order: Sequence[str], met: Mapping[frozenset[str], int]) -> list[Meeting]:
    """Pairs of neighbours in the order who have not met; where there is no such way, those who met least often."""
    for most in range(max(met.values(), default=0) + 1):
        tries = [MOST_TRIES]
        found = _pair(list(order), met, most, tries)
        if found is not None:
            return found
    return [(order[index], order[index + 1]) for index in range(0, len(order) - 1, 2)]


def _pair(left: list[str], met: Mapping[frozenset[str], int], most: int, tries: list[int]) -> list[Meeting] | None:
    if not left:
        return []
    first = left[0]
    for index in range(1, len(left)):
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if met.get(frozenset((first, left[index])), 0) <= most:
            rest = _pair([*left[1:index], *left[index + 1 :]], met, most, tries)
            if rest is not None:
                return [(first, left[index]), *rest]
    return None


def knockout(plan: Plan) -> Format:
    """Pairs, of which one goes on; the first of the plan meet the last, and have the byes."""
    names = plan.names
    size = 2 ** max(1, math.ceil(math.log2(len(names))))
    bracket: list[str | None] = [names[seed] if seed < len(names) else None for seed in bracket_order(size)]
    number = 0
    first = 0
    while len(bracket) > 1:
        number += 1
        pairs = [(bracket[index], bracket[index + 1]) for index in range(0, len(bracket), 2)]
        games = [_in_order((a, b), names) for a, b in pairs if a is not None and b is not None]
        scores: dict[Meeting, dict[str, float]] = {meeting: dict.fromkeys(meeting, 0.0) for meeting in games}
        open_, blocks = games, plan.blocks
        for _ in range(1 + TIE_BREAKS):
            outcome = yield Round(number, fixed(open_), blocks, first)
            first += blocks
            for meeting in open_:
                for name, score in outcome[meeting].items():
                    scores[meeting][name] += score
            open_ = [meeting for meeting in open_ if len({round(score, 9) for score in scores[meeting].values()}) == 1]
            blocks = 1
            if not open_:
                break
        bracket = [_winner(a, b, names, scores) for a, b in pairs]


def _winner(one: str | None, other: str | None, names: Sequence[str], scores: Outcome) -> str | None:
    if one is None or other is None:
        return one or other
    meeting = _in_order((one, other), names)
    return max(meeting, key=lambda name: (round(scores[meeting][name], 9), -names.index(name)))


def bracket_order(size: int) -> list[int]:
    """Seeds in the order of the bracket, so that the first two can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for old in order for seed in (old, 2 * len(order) - 1 - old)]
    return order


def ladder(plan: Plan) -> Format:
    """Neighbours on the ladder, the upper ones of each pair being odd and even in turn."""
    order = list(plan.names)
    for number in range(1, (plan.rounds or len(order)) + 1):
        shift = (number - 1) % 2 if len(order) > 2 else 0
        pairs = [(order[index], order[index + 1]) for index in range(shift, len(order) - 1, 2)]
        meetings = [_in_order(pair, plan.names) for pair in pairs]
        outcome = yield Round(number, fixed(meetings), plan.blocks, (number - 1) * plan.blocks)
        for (upper, lower), meeting in zip(pairs, meetings, strict=True):
            if outcome[meeting][lower] > outcome[meeting][upper] + 1e-9:
                index = order.index(upper)
                order[index : index + 2] = [lower, upper]


def elimination(plan: Plan) -> Format:
    """Rounds of everybody with everybody who is left; who is surely not the best any more is out.

    For every two players there is a bet that the one is better, on the difference of their scores in
    each round. It is won at a wealth that makes the chance to lose the best player `ERROR` at most,
    over the whole tournament.
    """
    left = list(plan.names)
    bets = {pair: Bet() for pair in permutations(left, 2)}
    for number in range(1, (plan.rounds or MOST_ROUNDS) + 1):
        if len(left) < 2:
            return
        field = tuple(left)

        def meetings(rule: int, field: Meeting = field) -> Iterable[Meeting]:
            return combinations(field, min(group_size(plan, rule), len(field)))

        outcome = yield Round(number, meetings, plan.blocks, (number - 1) * plan.blocks)
        scores = _means(plan, field, outcome)
        for (one, other), bet in bets.items():
            if one in scores and other in scores:
                bet.settle(scores[one] - scores[other])
        won = (len(plan.names) - 1) / ERROR
        left = [name for name in left if not any(bets[one, name].wealth >= won for one in left if one != name)]


def _means(plan: Plan, field: Meeting, outcome: Outcome) -> dict[str, float]:
    """Each player's mean score of a round, over the rules, the opponents and the blocks."""
    totals = dict.fromkeys(field, 0.0)
    blocks = dict.fromkeys(field, 0)
    for rule in range(len(plan.rules)):
        for meeting in combinations(field, min(group_size(plan, rule), len(field))):
            for name in meeting:
                blocks[name] += plan.blocks
    for scores in outcome.values():
        for name, total in scores.items():
            totals[name] += total
    return {name: totals[name] / blocks[name] for name in field}


def _in_order(group: Iterable[str], names: Sequence[str]) -> Meeting:
    return tuple(sorted(group, key=names.index))


FORMATS: dict[str, Callable[[Plan], Format]] = {
    "match": match,
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "knockout": knockout,
    "ladder": ladder,
    "elimination": elimination,
}
