"""PhantomHex: Hex in which neither player sees the other's stones, also called Dark Hex."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from heapq import heappop, heappush

from ggtp.game import Cell, Grid, Player, number
from ggtp.game.building.hexgame import EDGES, PLAYERS, STONES, HexGame, HexState, hex_of
from ggtp.game.building.phantom import Knowledge, PhantomRules, Veil

AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
TRIES = 4


class HexVeil(Veil[HexState]):
    """Hex without a swap."""

    cells = STONES
    goals = EDGES

    def __init__(self, game: HexGame) -> None:
        self.game = game
        self.hex = game
        self.names = game.names
        self.bits = game.bits
        self.latest = Cell("◉", "mark", ascii="@")

    def first(self) -> HexState:
        return HexState((0, 0), 0, False)

    def stones(self, state: HexState) -> tuple[int, int]:
        return state.stones

    def grid(self, cells: Sequence[Cell]) -> Grid:
        size = self.hex.size
        rows = tuple(tuple(cells[start : start + size]) for start in range(0, len(cells), size))
        labels = tuple(str(row) for row in range(1, size + 1))
        return Grid(rows, columns=self.hex.labels, row_labels=labels, shape="hex")

    def guess(self, known: Knowledge, rng: random.Random) -> HexState:
        me = known.me
        free = [bit for bit in self.bits if not bit & (known.own | known.found)]
        count = known.others - known.found.bit_count()
        theirs = known.found
        over = self.hex.connects(me, known.own)
        for _ in range(TRIES):
            theirs = known.found | sum(rng.sample(free, count))
            if over or not self.hex.connects(1 - me, theirs):
                break
        else:
            # The other is not connected exactly where a way of ours is open: that is kept open.
            for spread in (1.0, 0.001):
                way = self._way(me, known.own, known.found, spread, rng)
                rest = [bit for bit in free if not bit & way]
                if len(rest) >= count:
                    theirs = known.found | sum(rng.sample(rest, count))
                    break
        stones = (known.own, theirs) if me == 0 else (theirs, known.own)
        return HexState(stones, -1 if over else known.to_move, False)

    def _way(self, me: int, own: int, theirs: int, spread: float, rng: random.Random) -> int:
        """Cells that join our edges and are not known to be the other's; few of them are empty."""
        size, bits, (one, two) = self.hex.size, self.bits, self.hex.edges[me]
        costs = [0.0 if bit & own else 1 + spread * rng.random() for bit in bits]
        best: dict[int, float] = {}
        heap = [(costs[cell], cell, -1) for cell, bit in enumerate(bits) if bit & one and not bit & theirs]
        heap.sort()
        back: dict[int, int] = {}
        while heap:
            cost, cell, source = heappop(heap)
            if cell in best:
                continue
            best[cell], back[cell] = cost, source
            if bits[cell] & two:
                way = 0
                while cell >= 0:
                    way |= bits[cell]
                    cell = back[cell]
                return way
            row, column = divmod(cell, size)
            for down, right in AROUND:
                if 0 <= row + down < size and 0 <= column + right < size:
                    beside = (row + down) * size + column + right
                    if beside not in best and not bits[beside] & theirs:
                        heappush(heap, (cost + costs[beside], beside, cell))
        return 0


@cache
def veil_of(size: int) -> HexVeil:
    """The game on a board of that size, made once."""
    return HexVeil(hex_of(size))


class PhantomHex(PhantomRules):
    """Players Red, from top to bottom, and Blue, from left to right; a move is a cell, `f6`."""

    name = "PhantomHex"
    title = "Hex without seeing the opponent's stones"
    own_options = (number("size", 7, 2, 19, "how many cells the board has each way"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def veil(self, options: Mapping[str, str]) -> HexVeil:
        return veil_of(int(options["size"]))


RULES = PhantomHex()
