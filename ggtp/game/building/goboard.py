"""Go boards: chains of stones, their liberties, captures, areas. Ko and the count are the rules' affair.

Stones are integers with a bit for each point. Between the rows there is a column that is never
set, so that a shift by one can't run over the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ggtp.game.picture import letters


class GoBoard:
    """The geometry of a board of that size."""

    __slots__ = ("bits", "full", "labels", "names", "numbers", "size", "width")

    def __init__(self, size: int) -> None:
        self.size = size
        self.width = size + 1
        self.labels = tuple(label for label in letters(size + 1) if label != "I")[:size]
        """Letters of the columns; there is no I, which looks like a 1."""
        self.names = tuple(f"{label}{row}" for row in range(1, size + 1) for label in self.labels)
        """The name of each point, row by row from the lower left."""
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.bits = tuple(1 << row * self.width + column for row in range(size) for column in range(size))
        """The bit of each point."""
        self.full = sum(self.bits)

    def near(self, stones: int) -> int:
        """The points next to these; some of them may be these."""
        width = self.width
        return (stones << 1 | stones >> 1 | stones << width | stones >> width) & self.full

    def eyes(self, own: int) -> int:
        """Points that own stones alone surround, and that stay so. To fill one gains nothing and may lose everything.

        Of the four points askew at most one is without an own stone, and at an edge none.
        """
        width = self.width
        found = self.full & ~own & ~self.near(self.full & ~own)
        eyes, rest = 0, found
        while rest:
            point = rest & -rest
            rest ^= point
            sides = point << 1 | point >> 1
            corners = (sides & self.full) << width | (sides & self.full) >> width
            missing = (corners & self.full & ~own).bit_count()
            inside = self.near(point).bit_count() == 4
            if missing <= (1 if inside else 0):
                eyes |= point
        return eyes

    def chain(self, seed: int, within: int) -> int:
        """All of `within` that hangs together with the seed."""
        width = self.width
        while True:
            grown = (seed | seed << 1 | seed >> 1 | seed << width | seed >> width) & within
            if grown == seed:
                return seed
            seed = grown

    def chains(self, stones: int) -> Iterator[int]:
        """The chains that these stones form."""
        while stones:
            chain = self.chain(stones & -stones, stones)
            yield chain
            stones ^= chain

    def survey(self, own: int, other: int) -> tuple[int, dict[int, int]]:
        """Where an own stone would have a liberty without taking any, and what it takes elsewhere, by the point's bit.

        On an empty point that is neither here nor there, a stone would take its own chain's last liberty.
        """
        empty = self.full & ~(own | other)
        taken: dict[int, int] = {}
        for chain in self.chains(other):
            liberties = self.near(chain) & empty
            if not liberties & (liberties - 1):
                taken[liberties] = taken.get(liberties, 0) | chain
        breathing = self.near(empty) & empty
        for chain in self.chains(own):
            liberties = self.near(chain) & empty
            if liberties & (liberties - 1):
                breathing |= liberties
        return breathing, taken

    def territory(self, black: int, white: int) -> tuple[int, int]:
        """The empty points that only Black's stones surround, and those of White."""
        found = [0, 0]
        for region in self.chains(self.full & ~(black | white)):
            edge = self.near(region)
            if bool(edge & black) != bool(edge & white):
                found[0 if edge & black else 1] |= region
        return found[0], found[1]

    def stars(self) -> tuple[int, ...]:
        """The points of handicap stones in the order of their use; none on boards that are too small."""
        size = self.size
        if size < 7:
            return ()
        low = 3 if size > 12 else 2
        high, middle = size - 1 - low, size // 2
        corners = ((low, low), (high, high), (high, low), (low, high))
        sides = ((middle, low), (middle, high), (low, middle), (high, middle), (middle, middle))
        places = corners + (sides if size % 2 and size > 7 else ())
        return tuple(row * size + column for row, column in places)

    def handicap(self, count: int) -> int:
        """The stones of a handicap: an odd one beyond four is in the middle."""
        stars = list(self.stars())
        middle = stars.pop() if count > 4 and count % 2 else None
        chosen = stars[: count - (middle is not None)] + ([] if middle is None else [middle])
        return sum(self.bits[number] for number in chosen)


@cache
def go_board(size: int) -> GoBoard:
    """The board of that size, made once."""
    return GoBoard(size)
