"""Many ground rules as arrays, which take a tenth of the memory of as many objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

from ggtp.gdl.ground.program import GroundRule

Numbers = npt.NDArray[np.int32]


class RuleTable(Sequence[GroundRule]):
    """Ground rules; each is made when it is asked for."""

    __slots__ = ("ends", "heads", "literals")

    def __init__(self, heads: Numbers, ends: Numbers, literals: Numbers) -> None:
        """Rules with these heads; each body begins among the literals where the one before ends."""
        self.heads = heads
        self.ends = ends
        self.literals = literals

    @classmethod
    def of(cls, rules: Iterable[GroundRule]) -> RuleTable:
        """The same rules as a table."""
        if isinstance(rules, RuleTable):
            return rules
        rules = list(rules)
        heads = np.array([rule.head for rule in rules], dtype=np.int32)
        ends = np.cumsum([len(rule.body) for rule in rules], dtype=np.int32)
        return cls(heads, ends, np.array(list(chain.from_iterable(rule.body for rule in rules)), dtype=np.int32))

    def __len__(self) -> int:
        return len(self.heads)

    @overload
    def __getitem__(self, index: int) -> GroundRule: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[GroundRule]: ...
    def __getitem__(self, index: int | slice) -> GroundRule | Sequence[GroundRule]:
        if isinstance(index, slice):
            return [self[item] for item in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        start = int(self.ends[index - 1]) if index else 0
        return GroundRule(int(self.heads[index]), tuple(self.literals[start : self.ends[index]].tolist()))

    def __iter__(self) -> Iterator[GroundRule]:
        ends, literals, start = self.ends.tolist(), self.literals.tolist(), 0
        for head, end in zip(self.heads.tolist(), ends, strict=True):
            yield GroundRule(head, tuple(literals[start:end]))
            start = end

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RuleTable):
            mine, others = (self.heads, self.ends, self.literals), (other.heads, other.ends, other.literals)
            return all(np.array_equal(one, two) for one, two in zip(mine, others, strict=True))
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self.heads), len(self.literals)))
