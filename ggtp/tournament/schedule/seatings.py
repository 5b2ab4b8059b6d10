"""Who sits where: the seatings of a block, all of them or a balanced choice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

MOST = 24
"""How many seatings a block has at most where all of them would be more."""


def seatings(players: Sequence[str], seats: Sequence[str], most: int = 0) -> tuple[dict[str, str], ...]:
    """Every seating of a block, as seat to player, in an order that does not depend on anything else.

    As many players as seats take all orders, if there are at most `most` (or 24) of them; else
    as many rotations as fit, so that every player sits equally often in every seat. Fewer
    players than seats take several seats each, equally many over the block. With more players
    than seats, which only a game for one has, each plays alone.
    """
    if not players or not seats:
        return ()
    if len(players) > len(seats):
        return tuple({seats[0]: player} for player in players) if len(seats) == 1 else ()
    if len(players) == 1:
        return (dict.fromkeys(seats, players[0]),)
    ceiling = most or MOST
    if len(players) == len(seats):
        orders = list(permutations(players)) if _factorial_within(len(players), ceiling) else _rotations(players)
    else:
        # Filled up in turn and rotated: A B A B, then B A B A; A B C A, then B C A B, then C A B C.
        orders = [
            tuple(players[(shift + place) % len(players)] for place in range(len(seats)))
            for shift in range(len(players))
        ]
        if len(seats) % len(players) == 0 and len(seats) // len(players) > 1:
            # Neighbours together as well: A A B B, then B B A A.
            width = len(seats) // len(players)
            orders += [
                tuple(players[(shift + place // width) % len(players)] for place in range(len(seats)))
                for shift in range(len(players))
            ]
    return tuple(dict(zip(seats, order, strict=True)) for order in orders)


def _factorial_within(count: int, ceiling: int) -> bool:
    product = 1
    for factor in range(2, count + 1):
        product *= factor
        if product > ceiling:
            return False
    return True


def _rotations(players: Sequence[str]) -> list[tuple[str, ...]]:
    """Every rotation: each player once in each seat."""
    return [tuple(players[shift:]) + tuple(players[:shift]) for shift in range(len(players))]
