"""A table of Mah Jong: what everybody sees there, what one player alone knows, and what others may hold.

The table changes by what is public: a deal, a draw that nobody but the drawer sees, a discard, a claim.
A player's own tiles change by the same events, so that what a player knows is made of them and of its own draws.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .hands import CHOW, CLOSED, KONG, PONG, Hand, Meld, Worth, has_yaku, payments, shown_dora, worth
from .tiles import KINDS, complete, distance, waits

DEAL, DRAW, ACT, CLAIM, ROB, DORA, SETTLE, END = "deal", "draw", "act", "claim", "rob", "dora", "settle", "end"
STICK = 1000
LIVE = 70
"""How many tiles are drawn before a hand is exhausted: all but the deal and fourteen that stay."""
LEAST_FOR_RIICHI = 4
MOST_KONGS = 4
NONE: tuple[tuple[int, ...], ...] = ((), (), (), ())
NOBODY = (False, False, False, False)


def _put(items: tuple[tuple[int, ...], ...], at: int, item: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*items[:at], item, *items[at + 1 :])


def _flag(flags: tuple[bool, ...], at: int, value: bool) -> tuple[bool, ...]:
    return (*flags[:at], value, *flags[at + 1 :])


@dataclass(frozen=True, slots=True)
class Own:
    """What one player alone knows: its concealed tiles, which of them was just drawn, whether it has let a win go."""

    tiles: tuple[int, ...] = (0,) * KINDS
    drawn: int = -1
    missed: bool = False

    def with_tiles(self, change: Sequence[int], sign: int) -> Own:
        """With these tiles more or less, and nothing drawn."""
        tiles = list(self.tiles)
        for kind in change:
            tiles[kind] += sign
        return Own(tuple(tiles), -1, self.missed)


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody sees."""

    hands: int
    """How many hands are played."""
    minimum: int
    """Whether a hand needs a yaku: 1 or 0."""
    hand: int = 0
    scores: tuple[int, ...] = (25000, 25000, 25000, 25000)
    sticks: int = 0
    """Riichi sticks on the table."""
    phase: str = DEAL
    actor: int = 0
    """Who draws or acts, or who has discarded what may be claimed."""
    tile: int = -1
    """What may be claimed."""
    wall: int = LIVE
    discards: tuple[tuple[int, ...], ...] = NONE
    thrown: tuple[int, ...] = (0, 0, 0, 0)
    """The kinds that each player has discarded, as bits, claimed ones too."""
    melds: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
    indicators: tuple[int, ...] = ()
    riichi: tuple[bool, ...] = NOBODY
    ippatsu: tuple[bool, ...] = NOBODY
    declaring: bool = False
    """Whether the discard that may be claimed declares riichi."""
    replacing: bool = False
    """Whether the draw replaces a kong's fourth tile."""
    claimed: bool = False
    """Whether the player who acts has claimed instead of drawing."""

    @property
    def dealer(self) -> int:
        return self.hand % 4

    @property
    def wind(self) -> int:
        """The round's wind, as a kind of tile."""
        return 27 + self.hand // 4 % 4

    def seat(self, player: int) -> int:
        """A player's wind, as a kind of tile."""
        return 27 + (player - self.dealer) % 4

    def others(self, player: int) -> tuple[int, ...]:
        """The other players in turn order."""
        return tuple((player + step) % 4 for step in (1, 2, 3))

    def kongs(self) -> int:
        return sum(meld.kind in (KONG, CLOSED) for melds in self.melds for meld in melds)

    def closed(self, player: int) -> bool:
        """Whether a player has claimed nothing."""
        return all(meld.kind == CLOSED for meld in self.melds[player])

    def concealed(self, player: int) -> int:
        """How many concealed tiles a player has."""
        if self.phase in (DEAL, END):
            return 0
        return 13 + (self.phase == ACT and player == self.actor) - 3 * len(self.melds[player])

    def unseen(self) -> list[int]:
        """How many of each kind lie neither open on the table nor among the indicators."""
        left = [4] * KINDS
        for tiles in (*self.discards, self.indicators):
            for kind in tiles:
                left[kind] -= 1
        for melds in self.melds:
            for meld in melds:
                for kind in meld.tiles():
                    left[kind] -= 1
        return left

    # What happens to it.

    def dealt(self, indicator: int) -> Table:
        """The hands were dealt and the first dora indicator turned."""
        return Table(
            self.hands, self.minimum, self.hand, self.scores, self.sticks, DRAW, self.dealer, indicators=(indicator,)
        )

    def drew(self) -> Table:
        """The player at turn has drawn a tile."""
        return replace(self, phase=ACT, wall=self.wall - 1, claimed=False)

    def discarded(self, tile: int, riichi: bool) -> Table:
        """The player at turn has discarded."""
        at = self.actor
        thrown = list(self.thrown)
        thrown[at] |= 1 << tile
        return replace(
            self,
            phase=CLAIM,
            tile=tile,
            discards=_put(self.discards, at, (*self.discards[at], tile)),
            thrown=tuple(thrown),
            ippatsu=_flag(self.ippatsu, at, False),
            declaring=riichi,
            replacing=False,
        )

    def _declared(self) -> Table:
        """A riichi that was not answered by a win stands, and its stick is on the table."""
        if not self.declaring:
            return self
        scores = list(self.scores)
        scores[self.actor] -= STICK
        return replace(
            self,
            scores=tuple(scores),
            sticks=self.sticks + 1,
            riichi=_flag(self.riichi, self.actor, True),
            ippatsu=_flag(self.ippatsu, self.actor, True),
            declaring=False,
        )

    def unclaimed(self) -> Table:
        """Nobody has claimed the discard, or robbed the kong."""
        if self.phase == ROB:
            return replace(self, phase=DORA, tile=-1)
        table = self._declared()
        if not table.wall:
            return replace(table, phase=SETTLE, tile=-1)
        return replace(table, phase=DRAW, tile=-1, actor=(table.actor + 1) % 4)

    def taken(self, player: int, meld: Meld) -> Table:
        """A player has claimed the discard for a set."""
        table = self._declared()
        rest = table.discards[table.actor][:-1]
        melds = (*table.melds[:player], (*table.melds[player], meld), *table.melds[player + 1 :])
        kong = meld.kind == KONG
        return replace(
            table, phase=DORA if kong else ACT, actor=player, tile=-1, melds=melds, ippatsu=NOBODY,
            discards=_put(table.discards, table.actor, rest), claimed=not kong,
        )  # fmt: skip

    def konged(self, tile: int) -> Table:
        """The player at turn has made a kong of its own, or of a set that it had claimed."""
        at = self.actor
        pong = Meld(PONG, tile)
        if pong in self.melds[at]:
            own = tuple(Meld(KONG, tile) if meld == pong else meld for meld in self.melds[at])
            phase = ROB
        else:
            own, phase = (*self.melds[at], Meld(CLOSED, tile)), DORA
        melds = (*self.melds[:at], own, *self.melds[at + 1 :])
        return replace(
            self, phase=phase, tile=tile if phase == ROB else -1, melds=melds, ippatsu=NOBODY, replacing=False
        )

    def turned(self, indicator: int) -> Table:
        """Another dora indicator was turned after a kong, whose maker draws again."""
        return replace(self, phase=DRAW, indicators=(*self.indicators, indicator), replacing=True)

    def ended(self, scores: Sequence[int], kept: bool) -> Table:
        """The hand is over; `kept` says whether sticks stay on the table."""
        last = self.hand + 1 == self.hands
        sticks = self.sticks if kept and not last else 0
        return Table(self.hands, self.minimum, self.hand + 1, tuple(scores), sticks, END if last else DEAL)

    # What a player may do with its tiles.

    def value(self, player: int, own: Own, tile: int, drawn: bool) -> Worth | None:
        """What a player's tiles are worth with this one, which is among them if drawn; None if they don't win."""
        tiles = own.tiles if drawn else own.with_tiles((tile,), 1).tiles
        if not complete(tiles, len(self.melds[player])):
            return None
        luck = ["riichi"] * self.riichi[player] + ["ippatsu"] * self.ippatsu[player]
        if self.phase == ROB:
            luck.append("robbing a kong")
        elif drawn and self.replacing:
            luck.append("after a kong")
        elif not self.wall:
            luck.append("last tile")
        dora = tuple(shown_dora(kind) for kind in self.indicators)
        hand = Hand(tiles, self.melds[player], tile, drawn, self.seat(player), self.wind, tuple(luck), dora)
        found = worth(hand)
        return found if found is not None and (has_yaku(found) or not self.minimum) else None

    def may_ron(self, player: int, own: Own) -> bool:
        """Whether a player may win with what was discarded: not if it has discarded or let go what it waits for."""
        if own.missed or self.value(player, own, self.tile, False) is None:
            return False
        return not any(self.thrown[player] >> kind & 1 for kind in waits(own.tiles, len(self.melds[player])))

    def riichi_discards(self, player: int, own: Own) -> list[int]:
        """What a player may discard with a riichi."""
        open_hand = not self.closed(player) or self.riichi[player] or self.claimed
        if open_hand or self.wall < LEAST_FOR_RIICHI or self.scores[player] < STICK:
            return []
        melds = len(self.melds[player])
        if distance(own.tiles, melds) > 0:
            return []
        kinds = [kind for kind, amount in enumerate(own.tiles) if amount]
        return [kind for kind in kinds if waits(own.with_tiles((kind,), -1).tiles, melds)]

    def kong_tiles(self, player: int, own: Own) -> list[int]:
        """Of what a player at turn may make a kong."""
        if self.claimed or self.riichi[player] or not self.wall or self.kongs() >= MOST_KONGS:
            return []
        added = {meld.tile for meld in self.melds[player] if meld.kind == PONG}
        return [kind for kind, amount in enumerate(own.tiles) if amount == 4 or (amount and kind in added)]

    def claims(self, player: int, own: Own) -> list[tuple[str, Meld]]:
        """The sets that a player may claim the discard for, and how that is called."""
        if self.phase != CLAIM or not self.wall or self.riichi[player]:
            return []
        tile, tiles, found = self.tile, own.tiles, []
        if tile < 27 and player == (self.actor + 1) % 4:
            for low in range(max(tile - 2, tile // 9 * 9), min(tile, tile // 9 * 9 + 6) + 1):
                rest = [kind for kind in (low, low + 1, low + 2) if kind != tile]
                if all(tiles[kind] for kind in rest):
                    found.append((CHOW, Meld(CHOW, low)))
        if tiles[tile] >= 2:
            found.append((PONG, Meld(PONG, tile)))
        if tiles[tile] == 3 and self.kongs() < MOST_KONGS:
            found.append((KONG, Meld(KONG, tile)))
        return found

    def after_win(self, player: int, one: Worth, drawn: bool) -> tuple[int, ...]:
        """Everybody's points when a player has won."""
        paid = payments(one, player, self.dealer, None if drawn else self.actor)
        scores = [score + change for score, change in zip(self.scores, paid, strict=True)]
        scores[player] += STICK * self.sticks
        return tuple(scores)

    def after_exhaustion(self, ready: Sequence[bool]) -> tuple[int, ...]:
        """Everybody's points when nobody has won: who waits for one tile is paid by who does not."""
        scores, count = list(self.scores), sum(ready)
        if 0 < count < 4:
            for player in range(4):
                scores[player] += 3000 // count if ready[player] else -(3000 // (4 - count))
        if self.hand + 1 == self.hands and self.sticks:
            scores[scores.index(max(scores))] += STICK * self.sticks
        return tuple(scores)


def guess(table: Table, player: int, own: Own, rng: random.Random) -> list[Own]:
    """What everybody may hold, as far as one player knows; who has declared riichi waits for one tile."""
    left = table.unseen()
    for kind, amount in enumerate(own.tiles):
        left[kind] -= amount
    found = [own] * 4
    for other in sorted(table.others(player), key=lambda one: not table.riichi[one]):
        size = table.concealed(other)
        acting = table.phase == ACT and other == table.actor and not table.claimed
        tiles = [0] * KINDS
        if table.riichi[other] or (table.declaring and other == table.actor):
            _deal_ready(left, tiles, size - acting, rng)
        _fill(left, tiles, size - acting - sum(tiles), rng)
        drawn = -1
        if acting:
            drawn = _fill(left, tiles, 1, rng)
        found[other] = Own(tuple(tiles), drawn)
    return found


def _fill(left: list[int], tiles: list[int], count: int, rng: random.Random) -> int:
    """So many tiles go from what is left to a hand, any as likely as another; the last of them."""
    kind = -1
    for _ in range(count):
        kind = rng.choices(range(KINDS), left)[0]
        left[kind] -= 1
        tiles[kind] += 1
    return kind


def _deal_ready(left: list[int], tiles: list[int], size: int, rng: random.Random, tries: int = 60) -> None:
    """Moves tiles from what is left to a hand that waits for one; none where that fails."""
    for _ in range(tries):
        rest, chosen = list(left), []
        pairs = [kind for kind in range(KINDS) if rest[kind] >= 2]
        if not pairs:
            return
        chosen += [rng.choice(pairs)] * 2
        rest[chosen[0]] -= 2
        while len(chosen) < size + 1:
            first = rng.choices(range(KINDS), rest)[0] if any(rest) else 0
            run = first < 27 and first % 9 < 7 and rng.random() < 0.8
            kinds = (first, first + 1, first + 2) if run else (first,) * 3
            for kind in kinds:
                rest[kind] -= 1
            if min(rest) < 0:
                break
            chosen += kinds
        else:
            chosen.remove(rng.choice(chosen))
            for kind in chosen:
                left[kind] -= 1
                tiles[kind] += 1
            return
