"""What a hand of Japanese Mah Jong is worth: its yaku, its fu, and who pays how much.

The rule set: open tanyao counts, no red fives and no dora under the wall, all yakuman single but several may be
had together, thirteen han are a yakuman, and no rounding up to mangan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .tiles import ENDS, HONOURS, TERMINALS, seven_pairs, splits, thirteen_orphans

CHOW, PONG, KONG, CLOSED = "chow", "pong", "kong", "closed kong"
WHITE, GREEN, RED = 31, 32, 33
DRAGONS = (WHITE, GREEN, RED)
WINDS = (27, 28, 29, 30)
GREENS = frozenset((19, 20, 21, 23, 25, GREEN))
LIMITS = ((13, 8000), (11, 6000), (8, 4000), (6, 3000), (5, 2000))


@dataclass(frozen=True, slots=True)
class Meld:
    """A set that was claimed, or a kong: its kind and its first tile."""

    kind: str
    tile: int

    def tiles(self) -> tuple[int, ...]:
        """The tiles that it is made of."""
        if self.kind == CHOW:
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * (3 if self.kind == PONG else 4)


@dataclass(frozen=True, slots=True)
class Hand:
    """A whole hand and how it came about."""

    concealed: tuple[int, ...]
    """A count for each kind, the winning tile included, melds not."""
    melds: tuple[Meld, ...]
    tile: int
    """The winning one."""
    drawn: bool
    """Whether it was drawn oneself."""
    seat: int
    wind: int
    """The seat's wind and the round's, as kinds."""
    luck: tuple[str, ...] = ()
    """Of `riichi`, `ippatsu`, `last tile`, `after a kong`, `robbing a kong` those that hold."""
    dora: tuple[int, ...] = ()
    """The kinds that are dora, each as often as it is shown."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand is worth."""

    han: int
    fu: int
    yaku: tuple[str, ...]
    yakuman: int = 0

    def base(self) -> int:
        """The basic points, of which everybody pays a multiple."""
        if self.yakuman:
            return 8000 * self.yakuman
        for least, points in LIMITS:
            if self.han >= least:
                return points
        return min(2000, self.fu << 2 + self.han)


@dataclass(frozen=True, slots=True)
class _Shape:
    """One way to read a hand: the pair, all sets, which of them are open, and whether the last tile filled a gap."""

    pair: int
    sets: tuple[tuple[int, int, bool, bool], ...]
    """First kind, step (1 for a run), whether it counts as open, whether it is a kong."""
    gap: bool
    """Whether the wait was for one kind only: the middle or the closed end of a run, or the pair."""
    tanki: bool = field(default=False)


def worth(hand: Hand) -> Worth | None:
    """The most that a hand is worth; None where it is no whole hand. A hand without yaku has no han but dora."""
    found = [one for one in _readings(hand) if one is not None]
    if not found:
        return None
    return max(found, key=lambda one: (one.yakuman, one.base(), one.han, one.fu))


def _readings(hand: Hand) -> Iterator[Worth]:
    if not hand.melds:
        if thirteen_orphans(hand.concealed):
            yield Worth(13, 0, ("thirteen orphans",), 1)
            return
        if seven_pairs(hand.concealed):
            yield _pairs(hand)
    for shape in _shapes(hand):
        yield _read(hand, shape)


def _shapes(hand: Hand) -> Iterator[_Shape]:
    """Every way to read the tiles, with every place where the last one can have gone."""
    melds = tuple(
        (meld.tile, int(meld.kind == CHOW), meld.kind != CLOSED, meld.kind in (KONG, CLOSED)) for meld in hand.melds
    )
    for pair, sets in splits(hand.concealed):
        if len(sets) + len(melds) != 4:
            continue
        closed = tuple((kind, step, False, False) for kind, step in sets)
        if pair == hand.tile:
            yield _Shape(pair, closed + melds, True, True)
        for index, (kind, step) in enumerate(sets):
            if step and kind <= hand.tile <= kind + 2 and (kind, step) not in sets[:index]:
                at = hand.tile - kind
                gap = at == 1 or (at == 2 and kind % 9 == 0) or (at == 0 and kind % 9 == 6)
                yield _Shape(pair, closed + melds, gap)
            elif not step and kind == hand.tile:
                # Three alike that another's discard completes are not concealed.
                opened = (*closed[:index], (kind, 0, not hand.drawn, False), *closed[index + 1 :])
                yield _Shape(pair, opened + melds, False)


def _open(hand: Hand) -> bool:
    return any(meld.kind != CLOSED for meld in hand.melds)


def _all(hand: Hand) -> list[int]:
    """Every tile of the hand, kongs with three."""
    found = [kind for kind, amount in enumerate(hand.concealed) for _ in range(amount)]
    for meld in hand.melds:
        found += meld.tiles()[:3]
    return found


def _luck(hand: Hand) -> list[tuple[str, int]]:
    found = [(name, 1) for name in hand.luck]
    if hand.drawn and not _open(hand):
        found.append(("self-drawn", 1))
    return found


def _dora(hand: Hand) -> int:
    tiles = [kind for kind, amount in enumerate(hand.concealed) for _ in range(amount)]
    for meld in hand.melds:
        tiles += meld.tiles()
    return sum(tiles.count(kind) for kind in hand.dora)


def _flush(hand: Hand) -> list[tuple[str, int]]:
    """What hangs on the tiles alone."""
    tiles, opened = _all(hand), _open(hand)
    found = []
    if not ENDS & set(tiles):
        found.append(("all simples", 1))
    suits = {kind // 9 for kind in tiles if kind < 27}
    honours = any(kind >= 27 for kind in tiles)
    if len(suits) == 1:
        found.append(("half flush", 3 - opened) if honours else ("full flush", 6 - opened))
    if set(tiles) <= ENDS and honours and suits:
        found.append(("all terminals and honours", 2))
    return found


def _total(hand: Hand, yaku: list[tuple[str, int]], fu: int) -> Worth:
    names, han = tuple(name for name, _ in yaku), sum(value for _, value in yaku)
    dora = _dora(hand)
    if dora:
        names = (*names, f"dora {dora}")
    return Worth(han + dora, fu, names)


def has_yaku(one: Worth) -> bool:
    """Whether a hand has more than dora."""
    return bool(one.yakuman) or any(not name.startswith("dora") for name in one.yaku)


def _pairs(hand: Hand) -> Worth:
    if all(kind >= 27 for kind in _all(hand)):
        return Worth(13, 25, ("all honours",), 1)
    return _total(hand, [*_luck(hand), ("seven pairs", 2), *_flush(hand)], 25)


def _read(hand: Hand, shape: _Shape) -> Worth:
    limit = _yakuman(hand, shape)
    if limit:
        return Worth(13, 0, tuple(limit), len(limit))
    flat = _flat(hand, shape)
    yaku = [*_luck(hand), *([("no points", 1)] if flat else []), *_flush(hand), *_sets(hand, shape)]
    return _total(hand, yaku, _fu(hand, shape, flat))


def _flat(hand: Hand, shape: _Shape) -> bool:
    """Closed, runs only, a pair without value, and a wait at both ends of a run."""
    return not hand.melds and not shape.gap and not _pair_fu(hand, shape) and all(step for _, step, _, _ in shape.sets)


def _pair_fu(hand: Hand, shape: _Shape) -> int:
    return 2 * ((shape.pair in DRAGONS) + (shape.pair == hand.seat) + (shape.pair == hand.wind))


def _fu(hand: Hand, shape: _Shape, flat: bool) -> int:
    if flat:
        return 20 if hand.drawn else 30
    found = 20 + _pair_fu(hand, shape) + 2 * shape.gap + 2 * hand.drawn
    if not _open(hand) and not hand.drawn:
        found += 10
    for kind, step, opened, kong in shape.sets:
        if not step:
            found += 2 * (1 if opened else 2) * (2 if kind in ENDS else 1) * (4 if kong else 1)
    # An open hand without any fu counts as thirty.
    return 30 if found == 20 else -(-found // 10) * 10


def _sets(hand: Hand, shape: _Shape) -> list[tuple[str, int]]:
    """What hangs on the sets."""
    opened, found = _open(hand), []
    runs = [kind for kind, step, _, _ in shape.sets if step]
    alike = [kind for kind, step, _, _ in shape.sets if not step]
    if not opened:
        doubles = sum(runs.count(kind) // 2 for kind in set(runs))
        if doubles:
            found.append(("one pair of runs", 1) if doubles == 1 else ("two pairs of runs", 3))
    found += [
        (f"three of {name}", 1) for name, kind in zip(("white", "green", "red"), DRAGONS, strict=True) if kind in alike
    ]
    found += [("seat wind", 1)] * (hand.seat in alike) + [("round wind", 1)] * (hand.wind in alike)
    if any(kind in runs and kind + 9 in runs and kind + 18 in runs for kind in range(9)):
        found.append(("three colours", 2 - opened))
    if any(kind in runs and kind + 3 in runs and kind + 6 in runs for kind in (0, 9, 18)):
        found.append(("straight", 2 - opened))
    if any(kind in alike and kind + 9 in alike and kind + 18 in alike for kind in range(9)):
        found.append(("three alike in three colours", 2))
    ends = [shape.pair in ENDS] + [bool(ENDS & {kind, kind + 2 * step}) for kind, step, _, _ in shape.sets]
    if all(ends) and runs:
        honours = shape.pair >= 27 or any(kind >= 27 for kind in alike)
        found.append(("ends and honours in every set", 2 - opened) if honours else ("ends in every set", 3 - opened))
    if len(alike) == 4:
        found.append(("all threes", 2))
    if sum(not step and not shown for _, step, shown, _ in shape.sets) == 3:
        found.append(("three concealed threes", 2))
    if sum(kong for _, _, _, kong in shape.sets) == 3:
        found.append(("three kongs", 2))
    if sum(kind in DRAGONS for kind in alike) == 2 and shape.pair in DRAGONS:
        found.append(("little three dragons", 2))
    return found


def _yakuman(hand: Hand, shape: _Shape) -> list[str]:
    """The yakuman of a reading."""
    tiles = _all(hand)
    alike = [kind for kind, step, _, _ in shape.sets if not step]
    winds = sum(kind in WINDS for kind in alike)
    found = []
    if sum(kind in DRAGONS for kind in alike) == 3:
        found.append("big three dragons")
    if winds == 4:
        found.append("big four winds")
    elif winds == 3 and shape.pair in WINDS:
        found.append("little four winds")
    if all(kind in HONOURS for kind in tiles):
        found.append("all honours")
    if set(tiles) <= TERMINALS:
        found.append("all terminals")
    if set(tiles) <= GREENS:
        found.append("all green")
    if sum(not step and not shown for _, step, shown, _ in shape.sets) == 4:
        found.append("four concealed threes")
    if sum(kong for _, _, _, kong in shape.sets) == 4:
        found.append("four kongs")
    if not hand.melds and _gates(hand.concealed):
        found.append("nine gates")
    return found


def _gates(counts: Sequence[int]) -> bool:
    for low in (0, 9, 18):
        numbers = counts[low : low + 9]
        if sum(numbers) == 14:
            return numbers[0] >= 3 and numbers[8] >= 3 and all(numbers)
    return False


def payments(one: Worth, winner: int, dealer: int, payer: int | None) -> tuple[int, int, int, int]:
    """What each of four players gains or loses; `payer` is None where the tile was drawn."""
    base, paid = one.base(), [0, 0, 0, 0]
    if payer is not None:
        paid[payer] = -_hundreds(base * (6 if winner == dealer else 4))
    else:
        for player in range(4):
            if player != winner:
                paid[player] = -_hundreds(base * (2 if dealer in (winner, player) else 1))
    paid[winner] = -sum(paid)
    return paid[0], paid[1], paid[2], paid[3]


def _hundreds(points: int) -> int:
    return -(-points // 100) * 100


def shown_dora(indicator: int) -> int:
    """The kind that an indicator makes dora: the next of its suit, winds and dragons in their circles."""
    if indicator < 27:
        return indicator - 8 if indicator % 9 == 8 else indicator + 1
    if indicator < 31:
        return 27 + (indicator - 26) % 4
    return 31 + (indicator - 30) % 3
