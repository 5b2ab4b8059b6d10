"""PhantomOthello: Othello in which each player sees its own discs only."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache

from ggtp.game import Cell, Grid, Option, Player
from ggtp.game.building.othellogame import DISCS, PLAYERS, OthelloGame, State, othello_of
from ggtp.game.building.phantom import Knowledge, PhantomRules, Veil

REPAIRS = 1500
"""How often a disc is moved elsewhere until the player to move can move as it is known to, at most."""


class OthelloVeil(Veil[State]):
    """Othello: a player sees what its discs turn and which of its own are turned, and is told when it has to pass."""

    turns = True
    cells = DISCS

    def __init__(self, game: OthelloGame) -> None:
        self.game = game
        self.othello = game
        self.names = game.board.names
        self.bits = tuple(1 << cell for cell in range(game.board.size))
        self.latest = Cell("◉", "mark", ascii="@")

    def first(self) -> State:
        return self.othello.start()

    def stones(self, state: State) -> tuple[int, int]:
        return state[0], state[1]

    def grid(self, cells: Sequence[Cell]) -> Grid:
        return self.othello.board.grid(cells, downwards=True)

    def refusal(self, state: State, cell: int) -> str:
        return "turns nothing"

    def guess(self, known: Knowledge, rng: random.Random) -> State:
        closed = sum(self.bits[cell] for cell in known.tried)
        free = [bit for bit in self.bits if not bit & (known.own | known.found | closed)]
        rng.shuffle(free)
        count = known.others - known.found.bit_count()
        # Discs touch others: those that do not are the first to be put elsewhere.
        chosen, rest = free[:count], free[count:]
        best, score = known.found | sum(chosen), -1
        for step in range(REPAIRS):
            theirs = known.found | sum(chosen)
            value = self._fits(known, theirs, closed if step < REPAIRS // 2 else 0)
            alone = [index for index, bit in enumerate(chosen) if not self._near(bit) & (known.own | theirs ^ bit)]
            if value > score or (value == score and len(alone) == 0):
                best, score = theirs, value
            if (value == 2 and (not alone or step > REPAIRS // 4)) or not chosen or not rest:
                break
            index = rng.choice(alone) if alone else rng.randrange(len(chosen))
            other = rng.randrange(len(rest))
            chosen[index], rest[other] = rest[other], chosen[index]
        return (known.own, best, known.to_move) if known.me == 0 else (best, known.own, known.to_move)

    def _near(self, disc: int) -> int:
        found = 0
        for way in self.othello.ways:
            found |= way(disc)
        return found

    def _fits(self, known: Knowledge, theirs: int, closed: int) -> int:
        """2 where the player to move can do what it is known to be able to, and nothing that was refused; 1 or 0."""
        mine = known.to_move == known.me
        own, other = (known.own, theirs) if mine else (theirs, known.own)
        open_squares = self.othello.open_squares(own, other)
        if known.latest is not None and known.latest.stuck:
            return 0 if open_squares else 2 if self.othello.open_squares(other, own) else 1
        tried = sum(self.bits[cell] for cell in known.tried) if mine else 0
        if not open_squares & ~tried:
            return 0
        return 1 if open_squares & closed & tried else 2


@cache
def veil_of(size: int) -> OthelloVeil:
    """The game on a board of that size, made once."""
    return OthelloVeil(othello_of(size))


class PhantomOthello(PhantomRules):
    """Players Black, who begins, and White; a move is a square, `d3`, or `pass` where the umpire says so."""

    name = "PhantomOthello"
    title = "Othello without seeing the opponent's discs"
    own_options = (Option("size", "8", "how many squares the board has each way", choices=("4", "6", "8", "10", "12")),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def veil(self, options: Mapping[str, str]) -> OthelloVeil:
        return veil_of(int(options["size"]))


RULES = PhantomOthello()
