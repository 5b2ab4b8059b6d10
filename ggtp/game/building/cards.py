"""Playing cards: decks, how cards are written, read and drawn, and how unknown cards are dealt at random.

A card is a number, its place in its deck. Decks are few and made when a rule is loaded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from math import factorial

from ggtp.game.picture import Cell, Grid, Tone

SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades: ascending, as in bridge."""
SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RED = "DH"
PEOPLE = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
"""Names for up to ten players round a table."""
BACK = Cell("??", "muted")
"""A card that lies face down."""

_LETTERS = {symbol: letter for letter, symbol in SYMBOLS.items()} | {"♧": "C", "♢": "D", "♡": "H", "♤": "S"}


class Deck:
    """Cards of some ranks in some suits, numbered suit by suit, the lowest rank of the first suit being 0.

    Args:
        ranks: a character each, the lowest first; `T` is the ten.
        suits: letters, the lowest first.
        suit_first: whether a card is written `SA`, as in bridge and Skat, and not `As`, as in poker.
    """

    def __init__(self, ranks: str, suits: str = SUITS, *, suit_first: bool = False) -> None:
        self.ranks = ranks
        self.suits = suits
        pairs = [(suit, rank) for suit in suits for rank in ranks]
        self.size = len(pairs)
        self.cards = range(self.size)
        self.suit_of = tuple(suits.index(suit) for suit, _ in pairs)
        self.rank_of = tuple(ranks.index(rank) for _, rank in pairs)
        self.names = tuple(f"{suit}{rank}" if suit_first else f"{rank}{suit.lower()}" for suit, rank in pairs)
        self.numbers = {name: card for card, name in enumerate(self.names)}
        self.cells = tuple(_cell(suit, rank, name) for (suit, rank), name in zip(pairs, self.names, strict=True))
        self._read = {suit + rank: card for card, (suit, rank) in enumerate(pairs)}
        self._read |= {rank + suit: card for card, (suit, rank) in enumerate(pairs)}

    def read(self, text: str) -> int | None:
        """The card that a typed word means, such as `SA`, `as`, `10h` or `A♠`; None where it means none."""
        plain = "".join(_LETTERS.get(char, char) for char in text).upper().replace("10", "T").replace("\ufe0f", "")
        return self._read.get(plain)

    def read_all(self, text: str) -> list[int] | None:
        """The cards that stand one after the other, with or without blanks; None where one is none."""
        found: list[int] = []
        for word in text.replace("10", "T").split():
            plain = word.replace("\ufe0f", "")
            for start in range(0, len(plain), 2):
                card = self.read(plain[start : start + 2])
                if card is None:
                    return None
                found.append(card)
        return found

    def text(self, cards: Iterable[int], between: str = " ") -> str:
        """The names of the cards, one after the other."""
        return between.join(self.names[card] for card in cards)

    def suit_cards(self, suit: int) -> range:
        """All cards of a suit, the lowest first."""
        return range(suit * len(self.ranks), (suit + 1) * len(self.ranks))


def _cell(suit: str, rank: str, name: str) -> Cell:
    tone: Tone = "bad" if suit in RED else "plain"
    return Cell(f"{'10' if rank == 'T' else rank}{SYMBOLS[suit]}", tone, name)


def rows(named: Sequence[tuple[str, Sequence[Cell]]], columns: Sequence[str] = ()) -> Grid:
    """Rows of cards, each with its label at the left."""
    return Grid(
        tuple(tuple(cells) for _, cells in named),
        columns=tuple(columns),
        row_labels=tuple(label for label, _ in named),
    )


def deal_unknown(
    cards: Sequence[int],
    sizes: Sequence[int],
    rng: random.Random,
    allowed: Callable[[int, int], bool] | None = None,
) -> list[list[int]] | None:
    """Cards dealt to places at random: every way to do it that is allowed is as likely as any other.

    Args:
        cards: all that are dealt, as many as there is room for.
        sizes: how many each place gets.
        allowed: whether a place, by its number, may have a card; None where all may have any.

    Returns:
        The cards of each place, or None where there is no way.
    """
    if len(cards) != sum(sizes):
        return None
    if allowed is None:
        return _sliced(rng.sample(cards, len(cards)), sizes)
    groups: dict[tuple[int, ...], list[int]] = {}
    places = range(len(sizes))
    for card in cards:
        groups.setdefault(tuple(place for place in places if sizes[place] and allowed(place, card)), []).append(card)
    # Cards that fit in few places come first: then the last group is spread freely, and few counts are to be made.
    ordered = sorted(groups.items(), key=lambda item: len(item[0]))
    ways = _Ways([(where, len(group)) for where, group in ordered])
    room = tuple(sizes)
    if not ways.count(0, room):
        return None
    hands: list[list[int]] = [[] for _ in sizes]
    for index, (where, group) in enumerate(ordered):
        splits = ways.splits(index, room)
        chosen = rng.choices([split for split, _ in splits], [weight for _, weight in splits])[0]
        parts = _sliced(rng.sample(group, len(group)), chosen)
        for place, part in zip(where, parts, strict=True):
            hands[place] += part
        room = _less(room, where, chosen)
    return hands


def _sliced(cards: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = list(accumulate(sizes, initial=0))
    return [list(cards[start:end]) for start, end in pairwise(ends)]


def _less(room: tuple[int, ...], where: Sequence[int], taken: Sequence[int]) -> tuple[int, ...]:
    after = list(room)
    for place, count in zip(where, taken, strict=True):
        after[place] -= count
    return tuple(after)


class _Ways:
    """In how many ways groups of cards can be spread over places: each group has its places and its size."""

    def __init__(self, groups: Sequence[tuple[tuple[int, ...], int]]) -> None:
        self._groups = groups
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}

    def count(self, index: int, room: tuple[int, ...]) -> int:
        """The ways for the groups from `index` on, given the room that is left."""
        if index == len(self._groups):
            return 1
        key = (index, room)
        if key not in self._known:
            self._known[key] = sum(weight for _, weight in self.splits(index, room))
        return self._known[key]

    def splits(self, index: int, room: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        """How many cards of a group each of its places may get, with the ways that each such split leaves."""
        where, size = self._groups[index]
        last = index == len(self._groups) - 1
        limits = [room[place] for place in where]
        found = []
        # The last group fills what is left; before it, everything that fits is tried.
        candidates = [tuple(limits)] if last and sum(limits) == size else [] if last else _splits(size, limits)
        for split in candidates:
            rest = self.count(index + 1, _less(room, where, split))
            if rest:
                found.append((split, _multinomial(split) * rest))
        return found


def _splits(size: int, limits: Sequence[int]) -> list[tuple[int, ...]]:
    if not limits:
        return [] if size else [()]
    found = []
    for count in range(max(0, size - sum(limits[1:])), min(size, limits[0]) + 1):
        found += [(count, *rest) for rest in _splits(size - count, limits[1:])]
    return found


def _multinomial(counts: Sequence[int]) -> int:
    ways = factorial(sum(counts))
    for count in counts:
        ways //= factorial(count)
    return ways
