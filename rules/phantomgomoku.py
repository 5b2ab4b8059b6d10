"""PhantomGomoku: five in a row, in which neither player sees the other's stones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache

from ggtp.game import Cell, Grid, Option, Player, number
from ggtp.game.building.boards import bits
from ggtp.game.building.gomokugame import PLAYERS, STONES, GomokuGame, GomokuState, gomoku_of
from ggtp.game.building.phantom import Knowledge, PhantomRules, Veil

REPAIRS = 2000
"""How often a stone that makes five in a row is moved elsewhere, at most."""


class GomokuVeil(Veil[GomokuState]):
    """Gomoku: nothing is ever taken, so that only the opponent's hidden stones are to be guessed."""

    cells = STONES

    def __init__(self, game: GomokuGame, starting: int) -> None:
        self.game = game
        self.gomoku = game
        self.starting = starting
        self.names = game.board.names
        self.bits = tuple(1 << cell for cell in range(game.board.size))
        self.latest = Cell("◉", "mark", ascii="@")
        self.about = "exactly five" if game.exactly else ""

    def first(self) -> GomokuState:
        return GomokuState((0, 0), self.starting)

    def stones(self, state: GomokuState) -> tuple[int, int]:
        return state.stones

    def grid(self, cells: Sequence[Cell]) -> Grid:
        return self.gomoku.board.grid(cells)

    def guess(self, known: Knowledge, rng: random.Random) -> GomokuState:
        event = known.latest
        won = event is not None and event.mover == known.me and self.gomoku.wins(known.own, known.last)
        free = [cell for cell in range(len(self.bits)) if not (known.own | known.found) >> cell & 1]
        count = known.others - known.found.bit_count()
        rng.shuffle(free)
        chosen, rest = set(free[:count]), free[count:]
        theirs = known.found | sum(1 << cell for cell in chosen)
        for _ in range(REPAIRS if rest else 0):
            rows = [cell for cell in chosen if self.gomoku.wins(theirs, cell)]
            if not rows:
                break
            # A stone of the row goes elsewhere, and its cell is free again.
            old, index = rng.choice(rows), rng.randrange(len(rest))
            chosen ^= {old, rest[index]}
            theirs ^= 1 << old | 1 << rest[index]
            rest[index] = old
        last = next(bits(theirs & ~known.found), -1)
        stones = (known.own, theirs) if known.me == 0 else (theirs, known.own)
        return GomokuState(stones, known.to_move, won, known.last if event and event.mover == known.me else last)


@cache
def veil_of(size: int, exactly: bool, starting: int) -> GomokuVeil:
    """The game with these options, made once."""
    return GomokuVeil(gomoku_of(size, exactly), starting)


class PhantomGomoku(PhantomRules):
    """Players Black and White; a move is a point, `H8`."""

    name = "PhantomGomoku"
    title = "five in a row without seeing the opponent's stones"
    own_options = (
        number("size", 9, 5, 19, "how many lines the board has each way"),
        Option("rows", "five_or_more", "which rows win", choices=("five_or_more", "exactly_five")),
    )
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def veil(self, options: Mapping[str, str]) -> GomokuVeil:
        starting = PLAYERS.index(options["starting_player"])
        return veil_of(int(options["size"]), options["rows"] == "exactly_five", starting)


RULES = PhantomGomoku()
