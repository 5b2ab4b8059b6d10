"""What is known of hidden hands at Uno, and hands that agree with it.

Of each player it is written down, in order, how many cards came into the hand, which were laid, and
which kinds the player has shown not to hold. From that, hands are drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias


class Sign(IntEnum):
    """What happened to a hand."""

    GOT = 0
    """So many cards came in."""
    LAID = 1
    """This card went out."""
    LACKS = 2
    """None of these kinds, a bit each, was in it."""


Events: TypeAlias = tuple[tuple[Sign, int], ...]

TRIES = 20
"""How often the ways that cards may have gone are drawn before what was shown is given up."""
SWAPS = 3
"""How many exchanges there are for each card, once all have a place where they may be."""


def mask_of(kinds: Iterable[int]) -> int:
    """Kinds as bits."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def shares(events: Events, rng: random.Random) -> list[tuple[int, int]] | None:
    """What is in a hand: groups of cards that came together, with the kinds that none of them can be.

    Where a card that was laid may have come from several groups, one is drawn. None where that leads nowhere.
    The last group that came in is the last of the list.
    """
    groups: list[list[int]] = []
    for sign, value in events:
        if sign is Sign.GOT:
            groups.append([value, 0])
        elif sign is Sign.LACKS:
            for group in groups:
                group[1] |= value
        else:
            fitting = [group for group in groups if group[0] and not group[1] >> value & 1]
            if not fitting:
                return None
            rng.choices(fitting, [group[0] for group in fitting])[0][0] -= 1
    return [(count, forbidden) for count, forbidden in groups if count]


def draw_hands(
    cards: Sequence[int], known: Mapping[int, Events], rng: random.Random
) -> dict[int, list[list[int]]] | None:
    """Cards for hidden hands, out of all that are hidden; the rest stays in the pile.

    Args:
        cards: all hidden cards.
        known: what is known of each hand, by its player.

    Returns:
        For each player, the cards group by group as they came in; None where nothing agrees with what was shown.
    """
    for _ in range(TRIES):
        places: list[tuple[int, int]] = []
        owners: list[int] = []
        for player, events in known.items():
            groups = shares(events, rng)
            if groups is None:
                break
            places += groups
            owners += [player] * len(groups)
        else:
            dealt = _deal(cards, places, rng)
            if dealt is not None:
                hands: dict[int, list[list[int]]] = {player: [] for player in known}
                for owner, group in zip(owners, dealt, strict=True):
                    hands[owner].append(group)
                return hands
    return None


def _deal(cards: Sequence[int], places: Sequence[tuple[int, int]], rng: random.Random) -> list[list[int]] | None:
    """Cards for places that must not have some kinds: each somewhere, then exchanged at random."""
    forbidden = [mask for count, mask in places for _ in range(count)]
    if len(forbidden) > len(cards):
        return None
    order = sorted(range(len(forbidden)), key=lambda slot: -forbidden[slot].bit_count())
    left = rng.sample(cards, len(cards))
    slots = [0] * len(forbidden)
    for slot in order:
        index = next((at for at, card in enumerate(left) if not forbidden[slot] >> card & 1), -1)
        if index < 0:
            return None
        slots[slot] = left.pop(index)
    everything, masks = [*slots, *left], [*forbidden, *[0] * len(left)]
    for _ in range(SWAPS * len(slots)):
        one, two = rng.randrange(len(slots)), rng.randrange(len(everything))
        if not masks[one] >> everything[two] & 1 and not masks[two] >> everything[one] & 1:
            everything[one], everything[two] = everything[two], everything[one]
    found, start = [], 0
    for count, _ in places:
        found.append(everything[start : start + count])
        start += count
    return found
