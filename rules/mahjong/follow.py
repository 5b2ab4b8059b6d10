"""Following a hand of Mah Jong with the eyes of one player: what it holds, made of what it was told."""

from __future__ import annotations

import re
from dataclasses import replace

from ggtp.game.model import CHANCE, Move, Player

from .hands import CHOW, KONG, PONG, Meld
from .table import ACT, DEAL, DORA, SETTLE, Own, Table
from .tiles import NUMBERS, complete, count, read_tiles

PLAYERS = ("East", "South", "West", "North")
PASS, RON, TSUMO, RIICHI = "pass", "ron", "tsumo", "riichi"
DEALT = re.compile(r"hands (\S+) / (\S+) / (\S+) / (\S+) dora (\S\S)")


def drawn(table: Table, own: Own, kind: int) -> Own:
    """What a player holds after a draw; what it has let go counts on only under riichi."""
    return replace(own.with_tiles((kind,), 1), drawn=kind, missed=own.missed and table.riichi[table.actor])


def konged(table: Table, own: Own, kind: int) -> Own:
    """What the player at turn holds after a kong."""
    added = Meld(PONG, kind) in table.melds[table.actor]
    return own.with_tiles((kind,) * (1 if added else 4), -1)


def taken(table: Table, own: Own, meld: Meld) -> Own:
    """What a player holds after a claim."""
    tiles = list(meld.tiles())
    tiles.remove(table.tile)
    return own.with_tiles(tiles, -1)


def missing(table: Table, player: int, own: Own) -> Own:
    """What a player knows after it did not win with what was discarded."""
    if player == table.actor or own.missed:
        return own
    whole = complete(own.with_tiles((table.tile,), 1).tiles, len(table.melds[player]))
    return replace(own, missed=True) if whole else own


def claimed_meld(move: Move, tile: int) -> Meld:
    """The set that a claim makes."""
    what, _, rest = move.partition(" ")
    if what != CHOW:
        return Meld(what, tile)
    return Meld(CHOW, min(tile, *(NUMBERS[rest[at : at + 2]] for at in (0, 2))))


def scores_in(text: str) -> tuple[int, ...]:
    """The four numbers behind the last semicolon: everybody's points."""
    return tuple(int(word) for word in text.rpartition("; ")[2].split())


class Follower:
    """Follows a play with the eyes of one player."""

    def __init__(self, me: int, table: Table) -> None:
        self.me = me
        self.table = table
        self.own = Own()
        self.passed = 0

    def hear(self, actor: Player, text: Move) -> None:
        """A move was made, as far as the player may know it.

        Raises:
            LookupError, ValueError: it is not of this game.
        """
        if actor == CHANCE:
            self._chance(text)
        elif self.table.phase == ACT:
            self._act(text)
        else:
            self._claim(PLAYERS.index(actor), text)

    def _chance(self, text: Move) -> None:
        table = self.table
        if table.phase == DEAL:
            found = DEALT.fullmatch(text)
            if found is None:
                raise ValueError(f"{text} is no deal")
            self.table, self.own = table.dealt(NUMBERS[found[5]]), Own(tuple(count(read_tiles(found[self.me + 1]))))
        elif table.phase == SETTLE:
            self._end(text, True)
        elif table.phase == DORA:
            self.table = table.turned(NUMBERS[text])
        else:
            if table.actor == self.me:
                self.own = drawn(table, self.own, NUMBERS[text])
            self.table = table.drew()

    def _end(self, text: Move, kept: bool) -> None:
        self.table, self.own, self.passed = self.table.ended(scores_in(text), kept), Own(), 0

    def _act(self, text: Move) -> None:
        table, mine = self.table, self.table.actor == self.me
        if text.startswith(TSUMO):
            self._end(text, False)
            return
        what, _, tile = text.rpartition(" ")
        kind = NUMBERS[tile]
        if what == KONG:
            self.own = konged(table, self.own, kind) if mine else self.own
            self.table = table.konged(kind)
        else:
            if mine:
                own = self.own.with_tiles((kind,), -1)
                self.own = replace(own, missed=own.missed and table.riichi[self.me])
            self.table = table.discarded(kind, what == RIICHI)
        self.passed = 0

    def _claim(self, player: int, text: Move) -> None:
        table = self.table
        if text.startswith(RON):
            self._end(text, False)
            return
        if text == PASS:
            self.passed += 1
            if self.passed < 3:
                return
        own = missing(table, self.me, self.own)
        if text == PASS:
            self.own, self.table = own, table.unclaimed()
        else:
            meld = claimed_meld(text, table.tile)
            self.own = taken(table, self.own, meld) if player == self.me else own
            self.table = table.taken(player, meld)
        self.passed = 0
