"""Which facts of a game are pieces of a player, and how far they have come: seen in random games.

A kind of facts, such as all with `white` in the third place, are a player's pieces where only that player's moves make
new ones hold, one of them goes where another comes, and their number seldom changes: pieces move often and are lost
now and then. How early a fact was ever seen to hold tells how far a piece has come there. So nothing depends on names,
nor on rows having numbers.

In races, random players lose what they move, and no regression over their games finds what good players know: that
more pieces are better, and pieces that have come farther. Whoever looks far enough ahead to see when that is wrong
plays better by it than by all that random games teach.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import StateKernel, pack, rows
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Compound

LANES, STEPS = 256, 200
"""Games side by side, and moves that are made in each of the lanes."""
NOTED, NOTED_LANES = 5, 64
"""One step in `NOTED` is looked at again, in `NOTED_LANES` lanes: how many pieces there were before and after. An odd
number, as all lanes begin together: of an even one, all moves would be the same player's, who loses no pieces by it."""
OWNED = 0.98
"""The share of moves with which facts of a kind come to hold that must be one player's."""
LOST, CHANGING = 0.002, 0.3
"""The share of moves with which the number of a kind must change and may change. Who can't be lost need not be counted,
and stones that are put on a board are no pieces."""
MOVING = 0.5
"""The share of the moves with which facts of a kind come to hold that must leave their number as it was: pieces go from
one place to another. What only comes, such as the marks of what is connected in Hex, is no piece."""
FEWEST = 3
"""Facts that a kind must have at least: a piece that can't go anywhere tells nothing."""
PIECE, ADVANCE = 4.0, 8.0
"""The points that a piece is worth, and how many more if it has come as far as any."""
TRUST = 0.6
"""How much of a heuristic value is made of it; the rest is mobility and novelty."""
NEVER = 1 << 30

Reals = npt.NDArray[np.float64]
Bits = npt.NDArray[np.uint8]
Indexes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """The pieces of both players in a game."""

    owners: Indexes
    """Of each fact: the role whose piece stands there if it holds, or -1."""
    way: Reals
    """Of each fact: how far a piece has come there, from 0 to 1."""

    @property
    def worth(self) -> Reals:
        """What facts are worth to each of both roles, in points; what one has the other lacks."""
        pieces = np.where(self.owners >= 0, PIECE + ADVANCE * self.way, 0.0)
        own = np.where(self.owners == 0, pieces, -pieces)
        return np.stack([own, -own])


class Watched:
    """What was seen in random games."""

    def __init__(self, facts: int) -> None:
        self.first: Indexes = np.full(facts, NEVER, np.int64)
        """How many moves into a game each fact was seen, at the earliest."""
        self.made: Indexes = np.zeros((2, facts), np.int64)
        """How often each fact came to hold by a move of each role."""
        self.before: list[Bits] = []
        self.after: list[Bits] = []
        """Some positions, and those that followed."""


def kinds_of(facts: Sequence[str]) -> dict[tuple[str, int, int], dict[str, list[int]]]:
    """The facts by name, number of arguments and place of one argument, and then by what stands there."""
    found: dict[tuple[str, int, int], dict[str, list[int]]] = {}
    for number, text in enumerate(facts):
        term = parse_term(text)
        if isinstance(term, Compound) and len(term.args) > 1:
            for place, argument in enumerate(term.args):
                kinds = found.setdefault((term.name, len(term.args), place), {})
                kinds.setdefault(str(argument), []).append(number)
    return found


def find_pieces(facts: Sequence[str], seen: Watched) -> Pieces | None:
    """The pieces that there are, by the place of arguments that explains most facts; None where there are none."""
    before, after = np.concatenate(seen.before), np.concatenate(seen.after)
    best: dict[int, list[int]] = {}
    for kinds in kinds_of(facts).values():
        owned: dict[int, list[int]] = {0: [], 1: []}
        for numbers in kinds.values():
            made = seen.made[:, numbers].sum(axis=1)
            if len(numbers) < FEWEST or made.sum() == 0 or made.max() < OWNED * made.sum():
                continue
            was, then = before[:, numbers], after[:, numbers]
            changed = was.sum(axis=1, dtype=np.int64) != then.sum(axis=1, dtype=np.int64)
            came = (then > was).any(axis=1)
            if LOST <= float(changed.mean()) <= CHANGING and came.any() and float(changed[came].mean()) <= 1 - MOVING:
                owned[int(made.argmax())] += numbers
        if all(owned.values()) and sum(map(len, owned.values())) > sum(map(len, best.values())):
            best = owned
    if not best:
        return None
    owners = np.full(len(facts), -1, np.int64)
    for role, numbers in best.items():
        owners[numbers] = role
    first = seen.first[owners >= 0]
    farthest = max(1, int(first[first < NEVER].max(initial=1)))
    return Pieces(owners, np.minimum(seen.first, farthest) / farthest)


def learn_pieces(states: StateKernel, seed: int) -> Generator[bool, None, Pieces | None]:
    """Watch random games of a game in which two take turns; the work is done in small pieces, and yields False.

    Args:
        states: makes the moves; whoever goes on must have it for itself meanwhile.
        seed: what chance begins from.
    """
    network = states.program.network
    facts = len(network.facts)
    if len(network.roles) != 2:
        return None
    parts = list(pairwise(np.cumsum([0, *(len(moves) for moves in network.moves)]).tolist()))
    chance = np.random.default_rng(seed)
    start = rows([pack(network, network.initial)])[0]
    now = np.repeat(start[None], LANES, axis=0)
    length = np.zeros(LANES, np.int64)
    seen = Watched(facts)
    for step in range(STEPS):
        looks = states.look_many(now)
        legal = _bits(looks.legal)
        held = _bits(now)[:, :facts]
        seen.first = np.minimum(seen.first, np.where(held, length[:, None], NEVER).min(axis=0))
        counts = np.stack([legal[:, first:end].sum(axis=1, dtype=np.int64) for first, end in parts], axis=1)
        again = looks.terminal | (counts == 0).any(axis=1)
        going = np.flatnonzero(~again)
        drawn = (chance.random(legal.shape, np.float32) + 1.0) * legal
        chosen = np.stack([drawn[:, first:end].argmax(axis=1) for first, end in parts], axis=1)
        now[going] = states.next_many(now[going], chosen[going])
        then = _bits(now[going])[:, :facts]
        for role in range(2):
            his = (counts[going, role] > 1) & (counts[going, 1 - role] == 1)
            seen.made[role] += (then[his] > held[going][his]).sum(axis=0)
        if step % NOTED == 0:
            seen.before.append(held[going[:NOTED_LANES]])
            seen.after.append(then[:NOTED_LANES])
        length[going] += 1
        now[again] = start
        length[again] = 0
        yield False
    return find_pieces(network.facts, seen)


def _bits(words: npt.NDArray[np.uint64]) -> Bits:
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")
