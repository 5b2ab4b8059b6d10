"""What comes of the collisions of an avatar with a kind of thing, learned from examples.

Two rules for each pair: one tells by what the avatar has whether its way is blocked, the other
which of two groups of effects there will be. A rule is a conjunction of intervals, each as narrow
as the examples let it be; a thing to have that tells nothing is left out of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ggtp.vgdl.player.foresight import BLOCKED, PUSHED, UNKNOWN

WIDE = 1 << 30
"""A bound that is none."""
MOST_EXAMPLES = 400

Inventory = tuple[int, ...]
Bounds = list[tuple[int, int]]


@dataclass(slots=True)
class Example:
    """What an avatar had, and what came of a collision; how often."""

    inventory: Inventory
    effects: int
    count: int = 1
    sure: bool = True
    """Whether nothing else can have been the cause."""


@dataclass(slots=True)
class Rule:
    """Intervals, one for each thing to have; or none that is consistent."""

    bounds: Bounds
    consistent: bool = True

    def holds(self, inventory: Sequence[int]) -> bool:
        """Whether all amounts are within the bounds."""
        return all(low <= amount <= high for amount, (low, high) in zip(inventory, self.bounds, strict=True))


def narrowest(positive: Sequence[Inventory], negative: Sequence[Inventory]) -> Rule:
    """The most special rule for these examples: a thing whose interval holds a counterexample tells nothing."""
    bounds: Bounds = []
    useful = False
    for values in zip(*positive, strict=True):
        low, high = min(values), max(values)
        item = len(bounds)
        if not negative or any(low <= other[item] <= high for other in negative):
            bounds.append((-WIDE, WIDE))
        else:
            bounds.append((low, high))
            useful = True
    return Rule(bounds, useful or not negative)


def hull(inventories: Sequence[Inventory], items: int) -> Bounds:
    """The narrowest bounds that hold all of some examples; without any, nothing is within."""
    if not inventories:
        return [(WIDE, -WIDE)] * items
    return [(min(values), max(values)) for values in zip(*inventories, strict=True)]


@dataclass(slots=True)
class Classifier:
    """All that is known of one pair of kinds."""

    items: int
    """How many things there are to have."""
    examples: dict[tuple[Inventory, int, bool], Example] = field(default_factory=dict)
    blocks: Rule | None = None
    """When the way is blocked; None for never."""
    first: int = UNKNOWN
    """The effects that were seen first, without a block."""
    first_rule: Rule | None = None
    second: int = UNKNOWN
    """What else there was, most often; unknown where nothing was."""
    certain: bool = True
    """Whether what is foreseen depends on what the avatar has, and on nothing else."""
    blocks_within: Bounds = field(default_factory=list)
    """The bounds within which it was seen to block: beyond them nothing was tried."""
    first_within: Bounds = field(default_factory=list)
    _order: list[int] = field(default_factory=list)

    def add(self, inventory: Inventory, effects: int, count: int = 1, sure: bool = True) -> bool:
        """Another example, or the new count of one that is known; tells whether it says anything new."""
        key = (inventory, effects, sure)
        known = self.examples.get(key)
        if known is not None:
            known.count = max(known.count, count)
            return False
        if len(self.examples) >= MOST_EXAMPLES:
            return False
        self.examples[key] = Example(inventory, effects, count, sure)
        if not effects & BLOCKED and effects not in self._order:
            self._order.append(effects)
        self._learn()
        return True

    def predict(self, inventory: Sequence[int]) -> int:
        """What comes of a collision."""
        if not self.examples:
            return UNKNOWN
        if self.blocks is not None and self.blocks.holds(inventory):
            return BLOCKED
        if self.first_rule is None or self.first_rule.holds(inventory):
            return self.first
        return self.second

    def novel(self, inventory: Sequence[int]) -> bool:
        """Whether nothing like this was ever tried: with more or less of some thing than in all examples."""
        if not self.examples:
            return True
        seen = [example.inventory for example in self.examples.values()]
        return any(
            not min(values) <= amount <= max(values)
            for amount, values in zip(inventory, zip(*seen, strict=True), strict=True)
        )

    def _learn(self) -> None:
        found = [example for example in self.examples.values() if example.sure] or list(self.examples.values())
        blocked = [example for example in found if example.effects & BLOCKED]
        others = [example for example in found if not example.effects & BLOCKED]
        self.blocks = None
        self.certain = not any(example.effects & PUSHED for example in self.examples.values())
        self.blocks_within = hull([one.inventory for one in blocked], self.items)
        if blocked:
            rule = narrowest([one.inventory for one in blocked], [one.inventory for one in others])
            self.certain = self.certain and rule.consistent
            if others:
                self.blocks_within = rule.bounds
            if rule.consistent or _count(blocked) > _count(others):
                self.blocks = rule
        self.first, self.first_rule, self.second = UNKNOWN, None, UNKNOWN
        self.first_within = hull([one.inventory for one in others], self.items)
        if not others:
            return
        known = {one.effects for one in others}
        self.first = next(effects for effects in self._order if effects in known)
        mine = [one for one in others if one.effects == self.first]
        rest = [one for one in others if one.effects != self.first]
        if not rest:
            return
        votes: Counter[int] = Counter()
        for one in rest:
            votes[one.effects] += one.count
        self.second = votes.most_common(1)[0][0]
        rule = narrowest([one.inventory for one in mine], [one.inventory for one in rest])
        self.certain = self.certain and rule.consistent
        self.first_within = rule.bounds
        if rule.consistent:
            self.first_rule = rule
        elif _count(rest) > _count(mine):  # nothing tells them apart: the majority is right
            self.first = self.second


def _count(examples: Sequence[Example]) -> int:
    return sum(example.count for example in examples)
