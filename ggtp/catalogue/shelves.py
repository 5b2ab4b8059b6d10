"""Which guest a name means, among those found in several places.

A *shelf* holds what one place has. Shelves are searched in order and the first that has the
name wins; names that differ in case only are the same name to later shelves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from ggtp.game.names import match_name


class Named(Protocol):
    """Something on a shelf."""

    @property
    def name(self) -> str: ...


Item = TypeVar("Item", bound=Named)


@dataclass(frozen=True, slots=True)
class Standing(Generic[Item]):
    """How an item stands among the others."""

    item: Item
    shadowed_by: Item | None
    """The item of the same name on an earlier shelf, which is found in its stead."""
    twins: tuple[Item, ...]
    """The other items of exactly that name on the same shelf: then none of them can be found by name."""


def pick(text: str, shelves: Iterable[Sequence[Item]]) -> tuple[Item, ...]:
    """What the first shelf that knows the name has: one item, several where the name is used twice, or none.

    Shelves after the one that answers are not looked at.
    """
    folded = text.casefold()
    for shelf in shelves:
        same = [item for item in shelf if item.name.casefold() == folded]
        if not same:
            continue
        name = match_name(text, {item.name for item in same})
        # Several spellings and none is the one that was typed: it could be any of them.
        return tuple(item for item in same if name is None or item.name == name)
    return ()


def survey(shelves: Iterable[Sequence[Item]]) -> list[Standing[Item]]:
    """Every item of every shelf, by name; of the same name the one that is found comes first."""
    first: dict[str, Item] = {}
    result = []
    for shelf in shelves:
        by_name: dict[str, list[Item]] = defaultdict(list)
        for item in shelf:
            by_name[item.name].append(item)
        earlier = dict(first)
        for item in shelf:
            twins = tuple(other for other in by_name[item.name] if other is not item)
            result.append(Standing(item, earlier.get(item.name.casefold()), twins))
            first.setdefault(item.name.casefold(), item)
    return sorted(result, key=lambda standing: standing.item.name.casefold())
