"""PhantomGo: Go in which neither player sees the other's stones, with an umpire."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from ggtp.errors import OptionError
from ggtp.game import Cell, Grid, Option, Player, number
from ggtp.game.building.goboard import go_board
from ggtp.game.building.gogame import PLAYERS, STONES, GoGame, GoState
from ggtp.game.building.phantom import PASSED, Knowledge, PhantomRules, Veil
from ggtp.game.notation import format_score

SUICIDE, KO = "suicide", "ko"
TRIES = 12
"""How often stones are put down anew where the last of them find no place."""


class GoVeil(Veil[GoState]):
    """Go with simple ko and no suicide: what may be played hangs on the board and the one before it."""

    passing = True
    cells = STONES

    def __init__(self, game: GoGame) -> None:
        self.game = game
        self.board = game.board
        self.names = game.board.names
        self.bits = game.board.bits
        self.latest = Cell("◉", "mark", ascii="@")
        self.about = f"komi {format_score(game.komi)}{' territory' if game.territory else ''} limit {game.limit}"

    def first(self) -> GoState:
        return GoState((0, 0), 0, frozenset(((0, 0),)))

    def stones(self, state: GoState) -> tuple[int, int]:
        return state.stones

    def grid(self, cells: Sequence[Cell]) -> Grid:
        size = self.board.size
        rows = tuple(tuple(cells[start : start + size]) for start in range(size * size - size, -1, -size))
        return Grid(rows, columns=self.board.labels, row_labels=tuple(str(row) for row in range(size, 0, -1)))

    def refusal(self, state: GoState, cell: int) -> str:
        own, other = state.stones[state.to_move], state.stones[1 - state.to_move]
        breathing, taken = self.board.survey(own, other)
        return KO if self.bits[cell] & breathing or self.bits[cell] in taken else SUICIDE

    def idle(self, known: Knowledge) -> int:
        return self.board.eyes(known.own)

    def after_loss(self, own: int, lost: int) -> int:
        # What was taken had no liberty left: all around it stood the own stones and the taker's.
        return self.board.near(lost) & ~(own | lost)

    def after_refusal(self, own: int, cell: int, reason: str) -> int:
        if reason != SUICIDE:
            return super().after_refusal(own, cell, reason)
        chain = self.board.chain(self.bits[cell], own | self.bits[cell])
        return self.board.near(chain) & ~(own | chain)

    def guess(self, known: Knowledge, rng: random.Random) -> GoState:
        event = known.latest
        lost = 0 if event is None else event.lost
        barred = known.own | known.found | lost | sum(self.bits[cell] for cell in known.tried)
        free = [bit for bit in self.bits if not bit & barred]
        count = known.others - known.found.bit_count()
        for _ in range(TRIES):
            rng.shuffle(free)
            theirs = self._placed(known.own, known.found, free, count)
            if theirs.bit_count() == known.others:
                break
        else:
            # Nothing fits as it should: the number is right at least, and every stone is where one may be.
            rest = [bit for bit in free if not bit & theirs]
            rest += [bit for bit in self.bits if not bit & (known.own | theirs) and bit not in rest]
            theirs |= sum(rest[: known.others - theirs.bit_count()])
        before = self._before(known, theirs, lost, rng)
        me, ours = known.me, known.own
        took = lost.bit_count() if event else 0
        return GoState(
            (ours, theirs) if me == 0 else (theirs, ours),
            known.to_move,
            frozenset((before if me == 0 else before[::-1],)),
            known.passes,
            known.taken,
            known.ply,
            known.last if event and event.mover == me else -1,
            took,
        )

    def _placed(self, own: int, theirs: int, free: Sequence[int], count: int) -> int:
        """The opponent's stones with so many more, or as many as find a place where nothing is taken."""
        board = self.board
        for bit in free:
            if not count:
                break
            empty = board.full & ~(own | theirs | bit)
            if not board.near(board.chain(bit, theirs | bit)) & empty:
                continue
            beside = board.near(bit) & own
            if beside and not all(board.near(chain) & empty for chain in self._chains(beside, own)):
                continue
            theirs |= bit
            count -= 1
        return theirs

    def _chains(self, seeds: int, own: int) -> list[int]:
        found = []
        while seeds:
            chain = self.board.chain(seeds & -seeds, own)
            found.append(chain)
            seeds &= ~chain
        return found

    def _before(self, known: Knowledge, theirs: int, lost: int, rng: random.Random) -> tuple[int, int]:
        """The board before the last move, ours first: the one that may not come back."""
        event = known.latest
        if event is None or event.cell == PASSED:
            return known.own, theirs
        if event.mover == known.me:
            return known.own & ~self.bits[known.last], theirs | lost
        near = self.board.near(lost) & theirs if lost else theirs & ~known.found
        choices = [bit for bit in self.bits if bit & (near or theirs)]
        return known.own | lost, theirs & ~rng.choice(choices) if choices else theirs


@cache
def veil_of(size: int, komi: Fraction, territory: bool, limit: int) -> GoVeil:
    """The game with these options, made once."""
    return GoVeil(GoGame(go_board(size), komi, "simple", territory, False, limit))


class PhantomGo(PhantomRules):
    """Players Black, who begins, and White; a move is a point, `D4`, or `pass`."""

    name = "PhantomGo"
    title = "Go without seeing the opponent's stones"
    own_options = (
        number("size", 9, 2, 19, "how many lines the board has each way"),
        Option("komi", "7.5", "the points that White has for moving second, in halves"),
        Option(
            "scoring", "area", "what counts: stones and territory, or territory and prisoners", ("area", "territory")
        ),
        number(
            "max_moves", 0, 0, 2000, "after how many moves the game is counted; 0 for two for each point and 20 more"
        ),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option; the komi is written as we would write it."""
        options = super().complete(values)
        if not re.fullmatch(r"[+-]?[0-9]{1,3}(\.[05])?", options["komi"]):
            raise OptionError(f"No value {options['komi']} for option komi: it takes a number in halves, as 6.5.")
        options["komi"] = format_score(Fraction(options["komi"]))
        return options

    def veil(self, options: Mapping[str, str]) -> GoVeil:
        size = int(options["size"])
        limit = int(options["max_moves"]) or 2 * size * size + 20
        return veil_of(size, Fraction(options["komi"]), options["scoring"] == "territory", limit)


RULES = PhantomGo()
