"""Learning features from random games, as "A GGP Feature Learning Algorithm" (Kirci, Sturtevant, Schaeffer) does.

Where a game ended, a tree of two plies shows which move won, and which replies would have prevented it. From there it
goes up the game: to the move that made the winning one possible, and so on, four levels at most.

Beyond the paper: facts that must not hold are found as well; so are pairs of facts that stand in for each other; and
there is something to learn where the loser moved last, from moves that are to be avoided and from moves after which
every reply loses; moves that let the other one win are to be avoided, too; and where a turn is two moves, a defence may
be the first of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import StateKernel
from ggtp.search.features.experiments import MOST_ABSENT, Flags, Laboratory, Rows, Test
from ggtp.search.features.features import LEVELS, MOST_NEEDS, Feature, FeatureSet, Kind
from ggtp.search.features.implied import Implied
from ggtp.search.features.walks import LONGEST, Walk, Walks

MOST_FEATURES = 20_000
"""More than that are not learned, and none of them are kept for long."""
ENOUGH = 3_000
"""Walks in a row that brought nothing new: then there is nothing new."""
POOL = 8192
"""Positions of random games that are kept, to see how often features are met."""
MANY, EACH = 256, 4
"""Where more positions are wanted, games that are played side by side, and positions that are taken of each."""
EXACT = 2
"""Levels on which facts that must not hold are asked for; farther from the end they would only make features rare."""
FORGETS = 0.7
SEEN_FIRST = 6_000
"""States of random games that are looked at before anything is learned: what always holds, or follows from what."""


class Learner:
    """Learns bit by bit, whenever there is time. Not for two threads at once."""

    def __init__(self, states: StateKernel, seed: int = 0, known: FeatureSet | None = None) -> None:
        """Nothing is learned yet, but for what is known.

        Raises:
            NotSuitable: the game is none for two players who take turns.
        """
        self.lab = Laboratory(states)
        self.features = known or FeatureSet()
        self.over = False
        """Whether there seems to be nothing left to learn."""
        self._walks = Walks(self.lab, seed)
        self.implied = Implied(len(self.lab.network.facts))
        self._chance = np.random.default_rng(seed)
        self._pool: list[Rows] = []
        self._kept = 0
        """Games of which a position came into the pool, or could have."""
        self._work = self._learn()
        self._longest = 0.0

    def learn(self, should_stop: Callable[[], bool], seconds: float | None = None) -> FeatureSet:
        """Go on until it is enough, or somebody says stop, or so much time is over: a walk at a time."""
        began = now = time.monotonic()
        end = None if seconds is None else began + seconds
        while not self.over and not should_stop() and (end is None or now + self._longest < end):
            self.over = next(self._work, True)
            before, now = now, time.monotonic()
            self._longest = max(self._longest * FORGETS, now - before)
        self.features.seconds += time.monotonic() - began
        return self.features

    def walks(self, count: int) -> FeatureSet:
        """Learn from so many random games more."""
        until = self.features.walks + count
        return self.learn(lambda: self.features.walks >= until)

    def met(self, features: FeatureSet) -> dict[Feature, float]:
        """In which share of the positions of random games each feature applies."""
        if not self._pool:
            return {}
        lab, pool = self.lab, self.pool
        bits = lab.bits(pool).astype(np.float32)
        both = np.empty((2 * bits.shape[1], len(pool)), np.float32)
        both[0::2], both[1::2] = 1.0 - bits.T, bits.T
        """Of each literal, in which positions it does not hold."""
        looks = lab.states.look_many(pool)
        legal = [lab.legal_bits(looks, role).astype(np.bool_) for role in (0, 1)]
        found: dict[Feature, float] = {}
        for feature, _ in features:
            misses = both[sorted(feature.needs)].any(axis=0) if feature.needs else np.zeros(len(pool), np.bool_)
            found[feature] = float((~misses & legal[feature.role][:, feature.move]).mean())
        return found

    @property
    def pool(self) -> Rows:
        """Positions of random games, one of each."""
        width = self.lab.states.row_words
        return np.stack(self._pool) if self._pool else np.zeros((0, width), np.uint64)

    def positions(self, most: int, should_stop: Callable[[], bool]) -> Iterator[Rows]:
        """Positions of random games, some at a time: those of the pool, then of new games, about so many in all."""
        if not self._pool:
            return
        yield self.pool
        found, part, idle = len(self._pool), [], 0
        walks = Walks(self.lab, int(self._chance.integers(1 << 31)), MANY)
        while found < most and idle < 2 * LONGEST and not should_stop():
            idle += 1
            for walk in walks.step():
                idle = 0
                if len(walk.moves):
                    part.append(walk.states[self._chance.integers(len(walk.moves), size=EACH)])
            if len(part) * EACH >= POOL:
                found += len(part) * EACH
                yield np.concatenate(part)
                part = []

    def _learn(self) -> Iterator[bool]:
        waiting: list[Walk] = []
        for _ in range(2 * SEEN_FIRST):
            if self.implied.states >= SEEN_FIRST:
                break
            for walk in self._walks.step():
                self.implied.see(self.lab.bits(walk.states[:-1]))
                self._keep_one(walk)
                waiting.append(walk)
            yield False
        for walk in waiting:
            if len(self.features) >= MOST_FEATURES:
                return
            self.study(walk)
            yield False
        stale = idle = 0
        while stale < ENOUGH and len(self.features) < MOST_FEATURES and idle < 10 * ENOUGH:
            idle += 1
            for walk in self._walks.step():
                before = len(self.features)
                self._keep_one(walk)
                self.study(walk)
                idle = 0
                stale = stale + 1 if len(self.features) == before else 0
                yield False
            yield False

    def study(self, walk: Walk) -> None:
        """Learn from one game."""
        features = self.features
        features.walks += 1
        one, two = walk.goals
        if one == two or not len(walk.moves):
            return
        winner = 0 if one > two else 1
        if walk.goals[winner] != self.lab.best[winner]:
            return
        last = len(walk.moves) - 1
        if walk.movers[last] == winner:
            self._climb(walk, winner, last, lambda rows: self.lab.won(rows, winner))
        else:
            self._loser_moved_last(walk, winner, last)

    # The winner moved last.

    def _climb(self, walk: Walk, winner: int, place: int, test: Test) -> None:
        """The move at a place led to what is tested; learn that, then look for the move that made it possible."""
        for level in range(LEVELS):
            offensive = self._offensive(walk, winner, place, level, test)
            if offensive is None:
                return
            self._defensive(walk, winner, place, level, offensive, test)
            wanted = self._wanted(offensive, level + 1)
            made = self._contribution(walk, winner, place, wanted)
            if made is None:
                return
            place = made

            def test(rows: Rows, wanted: frozenset[int] = wanted) -> Flags:
                return self.lab.holds(rows, wanted)

    def _offensive(self, walk: Walk, winner: int, place: int, level: int, test: Test) -> Feature | None:
        move = int(walk.moves[place])
        first = None
        for finding in self.lab.generalise(walk.states[place], winner, move, test, _absent(level)):
            feature = self._add(winner, move, Kind.OFFENSIVE, level, finding.needs, finding.legal)
            first = first or feature
        return first

    def _contribution(self, walk: Walk, winner: int, place: int, wanted: frozenset[int]) -> int | None:
        """The winner's last move before that made one of these literals true, if all of them held after it."""
        if not wanted:
            return None
        literals = np.array(sorted(wanted))
        held = self.lab.bits(walk.states[: place + 1])[:, literals >> 1] ^ (literals & 1).astype(np.uint8)
        made = (held[1:] > held[:-1]).any(axis=1) & (walk.movers[:place] == winner)
        if not made.any():
            return None
        last = int(np.flatnonzero(made)[-1])
        return last if held[last + 1].all() else None

    def _defensive(self, walk: Walk, winner: int, place: int, level: int, threat: Feature, test: Test) -> None:
        """Replies that would have prevented it, at the root of the tree of two plies."""
        lab, loser = self.lab, 1 - winner
        if not place or walk.movers[place - 1] != loser:
            return
        root = walk.states[place - 1]
        wanted = self._wanted(threat, level)
        if place > 1 and walk.movers[place - 2] == loser:
            self._defend_before(walk, loser, place - 2, level, wanted)
        replies, _, moves = lab.children(root[None, :], loser)
        missing = wanted - lab.common(root[None, :], wanted)
        made = missing - lab.common(replies, wanted)
        """What the last move brought about, and not every other one would have."""
        if made and level:
            return
        over = lab.states.look_many(replies).terminal
        successors, parents, _ = lab.children(replies, winner)
        open_still = np.zeros(len(replies), np.bool_)
        if len(successors):
            np.logical_or.at(open_still, parents, test(successors))
        safe = ~over & ~open_still

        def prevented(rows: Rows) -> Flags:
            possible = lab.legal(lab.states.look_many(rows), winner, threat.move) & lab.holds(rows, wanted)
            return np.asarray(~possible)

        if not made:
            self._prevent(root, loser, moves, safe & prevented(replies), prevented, wanted - missing, level)
        elif safe.any():
            move = int(walk.moves[place - 1])
            for finding in lab.generalise(root, loser, move, lambda rows: ~prevented(rows)):
                self._add(loser, move, Kind.AVOIDING, 0, finding.needs, finding.legal)

    def _defend_before(self, walk: Walk, loser: int, place: int, level: int, wanted: frozenset[int]) -> None:
        """Replies in a turn of two moves, of which the one at a place was the first."""
        lab, root = self.lab, walk.states[place]
        replies, _, moves = lab.children(root[None, :], loser)
        # What no first move leaves as it must be is for the second one to bring about.
        gone = lab.common(replies, (literal ^ 1 for literal in wanted))
        known = lab.common(root[None, :], (literal for literal in wanted if literal ^ 1 not in gone))

        def prevented(rows: Rows) -> Flags:
            return ~lab.holds(rows, known)

        useful = ~lab.states.look_many(replies).terminal & prevented(replies)
        self._prevent(root, loser, moves, useful, prevented, known, level)

    def _prevent(
        self,
        root: Rows,
        loser: int,
        moves: npt.NDArray[np.int64],
        useful: Flags,
        prevented: Test,
        wanted: frozenset[int],
        level: int,
    ) -> None:
        """Learn the useful ones among the moves in a state, which prevent what is wanted."""
        if useful.all():
            return  # whatever is done prevents it: nothing to be learned
        for reply in moves[useful].tolist():
            for finding in self.lab.generalise(root, loser, reply, prevented, _absent(level)):
                needs = finding.needs | (wanted - finding.legal)
                self._add(loser, reply, Kind.DEFENSIVE, level, needs, finding.legal)

    # The loser moved last.

    def _loser_moved_last(self, walk: Walk, winner: int, last: int) -> None:
        lab, loser = self.lab, 1 - winner
        children, _, _ = lab.children(walk.states[last : last + 1], loser)
        lost = lab.won(children, winner)
        if not lost.all():
            move = int(walk.moves[last])
            for finding in lab.generalise(walk.states[last], loser, move, lambda rows: lab.won(rows, winner)):
                self._add(loser, move, Kind.AVOIDING, 0, finding.needs, finding.legal)
        elif last and walk.movers[last - 1] == winner:

            def all_lost(rows: Rows) -> Flags:
                after, parents, _ = lab.children(rows, loser)
                some = np.zeros(len(rows), np.bool_)
                some[parents] = True
                escapes = np.zeros(len(rows), np.bool_)
                if len(after):
                    np.logical_or.at(escapes, parents, ~lab.won(after, winner))
                return np.asarray(some & ~escapes)

            self._climb(walk, winner, last - 1, all_lost)

    def _add(
        self, role: int, move: int, kind: Kind, level: int, needs: frozenset[int], legal: frozenset[int]
    ) -> Feature | None:  # fmt: skip
        """A feature in its simplest words; None where it takes too many."""
        legal = self.implied.needed(legal, ())
        feature = Feature(role, move, kind, level, self.implied.needed(needs, legal), legal)
        if len(feature.needs) > MOST_NEEDS:
            return None
        self.features.add(feature)
        return feature

    def _wanted(self, feature: Feature, level: int) -> frozenset[int]:
        """What a move on some level is to bring about, or to prevent."""
        literals = self.lab.timeless(feature.all)
        return literals if level < EXACT else frozenset(literal for literal in literals if not literal & 1)

    def _keep_one(self, walk: Walk) -> None:
        """A position of each game, in a pool of which every game has the same share."""
        if not len(walk.moves):
            return
        self._kept += 1
        row = walk.states[int(self._chance.integers(len(walk.moves)))].copy()
        if len(self._pool) < POOL:
            self._pool.append(row)
        elif (place := int(self._chance.integers(self._kept))) < POOL:
            self._pool[place] = row


def _absent(level: int) -> int:
    return MOST_ABSENT if level < EXACT else 0
