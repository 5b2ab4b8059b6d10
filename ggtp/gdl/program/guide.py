"""Random games that prefer some moves: hints, compiled into the choice of a step program.

A hint is a move and facts; where they hold and the move is legal, the hint applies. Hints of rank 0 are followed at
once, those that attack before those that defend. Where there are none, moves to avoid are left out, unless all are. Of
the other hints, each rank has a weight, and a move is chosen with chances in proportion to the weight of its best hint;
without a hint the weight is 1.

Lanes have no numbers to add up, so weights are chances to stay among the moves from which one is then chosen evenly:
a move of the best rank that applies always stays, another one in so many of sixteen cases as its weight is smaller; one
whose weight is less than a thirty-second of the best never does.
Which cases these are is drawn once a lane, and lies in another place for each move. So the chances are those of the
weights up to the rounding, and to the numbers of moves that stay not being equal in all cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ggtp.gdl.network.network import FALSE, TRUE
from ggtp.gdl.program.graph import Graph

ATTACK, DEFEND, AVOID = range(3)
PARTS = 16
"""Chances are given in so many parts."""
_BITS = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """A move to prefer, or to avoid, and when."""

    role: int
    move: int
    purpose: int
    rank: int
    """0: follow it at once; above: the place of its weight. Where moves are to be avoided it says nothing."""
    needs: tuple[int, ...]
    """Twice the number of a fact each, plus one where the fact must not hold."""


@dataclass(frozen=True, slots=True)
class Guide:
    """Hints and how they are followed."""

    hints: tuple[Hint, ...]
    weights: tuple[float, ...] = ()
    """For the ranks from 1 on, descending and above 1: how much more such a move weighs than one without a hint."""
    uses: tuple[int, ...] = ()
    """For each role, in how many of sixteen cases it follows hints at all; always where nothing is said."""
    period: int = 1
    """Of the steps of each kind, one in so many looks for hints: what is saved in the others is time."""
    foresight: int = 0
    """How many gates there may be to see which moves win, or let the other win, in all steps; with 0, none."""

    def parts(self, role: int) -> int:
        """In how many of sixteen cases a role follows hints."""
        return min(PARTS, self.uses[role]) if role < len(self.uses) else PARTS


class Guidance:
    """Makes the conditions of a choice those of a guided one."""

    def __init__(self, graph: Graph, facts: Sequence[int], guide: Guide, random: Callable[[], int]) -> None:
        """Guidance in a graph.

        Args:
            facts: the literals that stand for facts.
            random: gives a new input whose lanes are random bits.
        """
        self._graph, self._facts, self._guide, self._random = graph, facts, guide, random
        self._applies: dict[tuple[int, int, int, int], int] = {}
        """For role, move, rank and purpose, the literal that says that one of the hints applies."""
        self._within: dict[tuple[int, int], int] = {}
        self._drawn: list[int] = []

    def _literals(self, roles: Collection[int]) -> dict[tuple[int, int, int, int], int]:
        """For role, move, rank and purpose, the literal that says that one of these hints of some roles applies."""
        terms: dict[tuple[int, int, int, int], list[frozenset[int]]] = {}
        for hint in self._guide.hints:
            if hint.role in roles:
                rank = 0 if hint.purpose == AVOID else hint.rank
                # Above rank 0 it is the same what for.
                key = hint.role, hint.move, rank, hint.purpose if rank == 0 else ATTACK
                needs = frozenset(self._facts[need >> 1] ^ (need & 1) for need in hint.needs)
                terms.setdefault(key, []).append(needs)
        # What terms of different moves have in common is not looked for: with more values to be kept for later, code
        # of fewer operations is not faster.
        return {key: any_of(self._graph, own) for key, own in terms.items()}

    def conditions(
        self, places: Sequence[Mapping[int, int]], conditions: Sequence[int], guards: Mapping[int, int]
    ) -> list[int]:
        """The places among which a guided choice is an even one.

        Args:
            places: for each, the roles that have a move there, and which.
            conditions: when one of them is legal.
            guards: for each role the literal that says that the choice is its own.
        """
        graph = self._graph
        self._applies = self._literals(guards)
        follows = graph.any(graph.and_(guard, self._chance(role)) for role, guard in guards.items())
        attack = self._applying(places, guards, 0, ATTACK)
        defence = self._applying(places, guards, 0, DEFEND)
        calmer = self._without(conditions, self._applying(places, guards, 0, AVOID), follows)
        attacks = graph.and_(follows, self._anywhere(attack, conditions))
        defends = graph.and_(graph.and_(follows, attacks ^ 1), self._anywhere(defence, conditions))
        calm = graph.or_(attacks, defends) ^ 1
        ranks = range(1, len(self._guide.weights) + 1)
        soft = {rank: self._applying(places, guards, rank, ATTACK) for rank in ranks}
        best = self._best(calm, {rank: graph.and_(follows, self._anywhere(own, calmer)) for rank, own in soft.items()})
        made = []
        for place, condition in enumerate(conditions):
            # Many places have the same hints: what does not depend on the place is put together first.
            allowed = self._stays(best, len(best), 1.0, place)
            for rank, own in soft.items():
                if place in own:
                    kept = self._stays(best, rank, self._guide.weights[rank - 1], place)
                    allowed = graph.or_(allowed, graph.and_(kept, own[place]))
            at_once = graph.and_(defends, defence.get(place, FALSE))
            # A legal move that attacks says itself that there is one.
            attacking = TRUE if follows == TRUE else attacks
            at_once = graph.or_(at_once, graph.and_(attacking, attack.get(place, FALSE)))
            if calmer[place] == condition:
                made.append(graph.and_(condition, graph.or_(allowed, at_once)))
            else:
                made.append(graph.or_(graph.and_(calmer[place], allowed), graph.and_(condition, at_once)))
        return made

    def _chance(self, role: int) -> int:
        """Whether the role follows hints in this lane. Each draws for itself: games that all did what one draw says
        would be alike, and many of them tell no more than a few."""
        parts = self._guide.parts(role)
        literal = TRUE if parts >= PARTS else FALSE
        if 0 < parts < PARTS:
            # From the lowest digit of the chance upwards; its last zeros need no chance at all.
            for digit in range(_BITS):
                if literal == FALSE and not parts >> digit & 1:
                    continue
                drawn = self._random()
                literal = self._graph.or_(drawn, literal) if parts >> digit & 1 else self._graph.and_(drawn, literal)
        return literal

    def _applying(
        self, places: Sequence[Mapping[int, int]], guards: Mapping[int, int], rank: int, purpose: int
    ) -> dict[int, int]:  # fmt: skip
        """The places where hints of a kind can apply, and the literals that say when they do, if the move is legal."""
        graph = self._graph
        found = {}
        for place, moves in enumerate(places):
            applying = ((role, self._applies.get((role, move, rank, purpose), FALSE)) for role, move in moves.items())
            literal = graph.any(graph.and_(guards[role], applies) for role, applies in applying if role in guards)
            if literal != FALSE:
                found[place] = literal
        return found

    def _anywhere(self, applying: Mapping[int, int], conditions: Sequence[int]) -> int:
        """Whether one of the hints applies to a legal move: it is asked once for all places with the same hints."""
        graph = self._graph
        sharing: dict[int, list[int]] = {}
        for place, literal in applying.items():
            sharing.setdefault(literal, []).append(conditions[place])
        return graph.any(graph.and_(literal, graph.any(legal)) for literal, legal in sharing.items())

    def _without(self, conditions: Sequence[int], avoided: Mapping[int, int], follows: int) -> list[int]:
        """Without the moves to avoid, unless there are no others."""
        graph = self._graph
        calmer = list(conditions)
        if avoided:
            good = [graph.and_(c, avoided.get(place, FALSE) ^ 1) for place, c in enumerate(conditions)]
            heeded = graph.and_(follows, graph.any(good))
            for place, literal in avoided.items():
                calmer[place] = graph.and_(calmer[place], graph.and_(literal, heeded) ^ 1)
        return calmer

    def _best(self, calm: int, anywhere: Mapping[int, int]) -> dict[int, int]:
        """For each rank, whether it is the best that applies anywhere; and for 0, whether none does.

        Args:
            calm: whether there is nothing to do at once.
        """
        graph = self._graph
        none, best = calm, {}
        for rank, here in anywhere.items():
            best[rank] = graph.and_(none, here)
            none = graph.and_(none, here ^ 1)
        return {0: none, **best}

    def _stays(self, best: Mapping[int, int], most: int, weight: float, place: int) -> int:
        """Whether a move of some weight stays, given the best rank that applies; that is none above `most`."""
        graph = self._graph
        literal = best[0]
        for rank, here in best.items():
            if 0 < rank <= most:
                parts = round(PARTS * min(1.0, weight / self._guide.weights[rank - 1]))
                literal = graph.or_(literal, graph.and_(here, self._among(parts, place)))
        return literal

    def _among(self, parts: int, place: int) -> int:
        """Whether the lane's case is one of so many, beginning with the place's own."""
        if parts >= PARTS or not parts:
            return TRUE if parts else FALSE
        if not self._drawn:
            self._drawn = [self._random() for _ in range(_BITS)]
        graph = self._graph
        # Neighbours are often legal together: an odd step spreads them over the cases.
        first = place * 7 % PARTS
        known = self._within.get((first, parts))
        if known is None:
            cases = []
            for case in range(first, first + parts):
                literal = TRUE
                for digit, drawn in enumerate(self._drawn):
                    literal = graph.and_(literal, drawn ^ 1 ^ (case >> digit & 1))
                cases.append(literal)
            known = self._within[first, parts] = graph.any(cases)
        return known


def any_of(graph: Graph, terms: Sequence[frozenset[int]]) -> int:
    """The literal that says that all literals of one of the terms hold, with what terms have in common shared."""
    unique = set(terms)
    if frozenset() in unique:
        return TRUE
    if len(unique) == 1:
        literal = TRUE
        for each in sorted(next(iter(unique))):
            literal = graph.and_(literal, each)
        return literal
    if not unique:
        return FALSE
    counts = Counter(literal for term in unique for literal in term)
    common = min(counts, key=lambda literal: (-counts[literal], literal))
    having = [term - {common} for term in unique if common in term]
    rest = [term for term in unique if common not in term]
    if len(having) == 1:
        return graph.any(sorted(any_of(graph, [term]) for term in unique))
    return graph.or_(graph.and_(common, any_of(graph, having)), any_of(graph, rest))
