"""Positions of MahJong: the table and every player's own tiles, as moves, words and pictures."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Cell,
    Grid,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Refusal,
    Result,
    Turn,
    TurnKind,
    Verdict,
    result_by_scores,
    single,
)
from ggtp.game.advice import Determinizes, Estimates
from ggtp.game.picture import Tone

from .follow import (
    DEALT,
    PASS,
    PLAYERS,
    RIICHI,
    RON,
    TSUMO,
    claimed_meld,
    drawn,
    konged,
    missing,
    scores_in,
    taken,
)
from .hands import CHOW, KONG, PONG, Meld, Worth
from .table import (
    ACT,
    CLAIM,
    DEAL,
    DORA,
    DRAW,
    END,
    ROB,
    SETTLE,
    Own,
    Table,
    guess,
)
from .tiles import ALIASES, NUMBERS, TILES, count, distance, read_tiles, text_of, waits

TURNS = tuple(single(player) for player in PLAYERS)
RANKS = {RON: 3, KONG: 2, PONG: 2, CHOW: 1, PASS: 0}
"""Whose claim goes first."""
SPELLINGS = {
    "pon": PONG,
    "pung": PONG,
    "kan": KONG,
    "chi": CHOW,
    "chii": CHOW,
    "p": PASS,
    "skip": PASS,
    "reach": RIICHI,
}
LEGEND = "m characters, p circles, s bamboos; z 1-4 winds ESWN, 5-7 white, green, red"
SUIT_TONES: dict[str, Tone] = {"m": "first", "p": "second", "s": "third", "z": "fourth"}


USUAL = 5000
"""What a win is usually worth."""


class MahJongPosition(Position, Determinizes, Estimates):
    """The table, and what each player has."""

    __slots__ = ("_moves", "_seconds", "own", "table")

    def __init__(self, table: Table, own: Sequence[Own], seconds: int) -> None:
        self.table = table
        self.own = tuple(own)
        self._seconds = seconds
        self._moves: dict[Player, tuple[Move, ...]] = {}

    def turn(self) -> Turn:
        table = self.table
        if table.phase == ACT:
            return TURNS[table.actor]
        if table.phase in (CLAIM, ROB):
            names = tuple(PLAYERS[other] for other in table.others(table.actor))
            if not self._seconds:
                return Turn(TurnKind.JOINT, names, sealed=True)
            return Turn(TurnKind.JOINT, names, float(self._seconds), dict.fromkeys(names, PASS), sealed=True)
        return OVER if table.phase == END else CHANCE_TURN

    def _left(self) -> list[int]:
        """What can be drawn: all that nobody holds."""
        left = self.table.unseen()
        for own in self.own:
            for kind, amount in enumerate(own.tiles):
                left[kind] -= amount
        return left

    def chance(self) -> Sequence[tuple[Move, int]]:
        if self.table.phase in (DRAW, DORA):
            return [(TILES[kind], amount) for kind, amount in enumerate(self._left()) if amount]
        return [(self._exhausted(), 1)] if self.table.phase == SETTLE else ()

    def draw(self, rng: random.Random) -> Move:
        if self.table.phase != DEAL:
            return super().draw(rng)
        tiles = [kind for kind in range(34) for _ in range(4)]
        chosen = rng.sample(tiles, 53)
        hands = " / ".join(text_of(count(chosen[start : start + 13])) for start in range(0, 52, 13))
        return f"hands {hands} dora {TILES[chosen[52]]}"

    def _exhausted(self) -> Move:
        """What the umpire says when nobody has won."""
        ready = [bool(waits(own.tiles, len(melds))) for own, melds in zip(self.own, self.table.melds, strict=True)]
        names = " ".join(name for name, good in zip(PLAYERS, ready, strict=True) if good) or "nobody"
        return f"exhausted: {names} waiting; {' '.join(map(str, self.table.after_exhaustion(ready)))}"

    def moves(self, player: Player) -> Sequence[Move]:
        if player == CHANCE:
            return [move for move, _ in self.chance()]
        if player not in PLAYERS or player not in self.turn().players:
            return ()
        if player not in self._moves:
            me = PLAYERS.index(player)
            self._moves[player] = tuple(self._actions(me) if self.table.phase == ACT else self._claims(me))
        return self._moves[player]

    def _actions(self, me: int) -> list[Move]:
        table, own = self.table, self.own[me]
        found = []
        if own.drawn >= 0 and table.value(me, own, own.drawn, True) is not None:
            found.append(TSUMO)
        found += [f"{KONG} {TILES[kind]}" for kind in table.kong_tiles(me, own)]
        found += [f"{RIICHI} {TILES[kind]}" for kind in table.riichi_discards(me, own)]
        if table.riichi[me]:
            return [*found, TILES[own.drawn]]
        return found + [TILES[kind] for kind, amount in enumerate(own.tiles) if amount]

    def _claims(self, me: int) -> list[Move]:
        table, own = self.table, self.own[me]
        found = [PASS]
        for kind, meld in table.claims(me, own):
            rest = "".join(TILES[tile] for tile in meld.tiles() if tile != table.tile) if kind == CHOW else ""
            found.append(f"{kind} {rest}" if rest else kind)
        return [*found, RON] if table.may_ron(me, own) else found

    def parse(self, player: Player, text: str) -> Move:
        listed = self.moves(player)
        plain = " ".join(text.split()).casefold()
        if player == CHANCE and self.table.phase == DEAL:
            self._read_deal(text)
            return text
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        words = [SPELLINGS.get(word, ALIASES.get(word, word)) for word in plain.split() if word not in ("discard", "d")]
        typed = " ".join(words)
        if typed in ("win", "mahjong", "hu"):
            typed = next((move for move in (TSUMO, RON) if move in listed), typed)
        found = [move for move in listed if move.casefold() in (plain, typed)]
        # A chow that can be made in one way only needs no tiles, nor does a kong.
        found = found or [move for move in listed if move.split()[0] == typed]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text[:40]} may be {' or '.join(found[:4])}.")
        raise MalformedMove(f"No move named {text[:40]} for player {player}: possible are {' and '.join(listed[:14])}.")

    def _read_deal(self, text: str) -> tuple[list[list[int]], int]:
        found = DEALT.fullmatch(text)
        try:
            hands = [count(read_tiles(hand)) for hand in found.groups()[:4]] if found else []
            indicator = NUMBERS[found[5]] if found else -1
        except (ValueError, LookupError):
            found = None
        if not found or any(sum(hand) != 13 for hand in hands):
            raise IllegalMove("A deal is written as hands 123m.. / .. / .. / .. dora 5m, with 13 tiles each.")
        total = [sum(column) for column in zip(*hands, strict=True)]
        total[indicator] += 1
        if max(total) > 4 or text != f"hands {' / '.join(map(text_of, hands))} dora {TILES[indicator]}":
            raise IllegalMove("There are four of each tile, and they are written in order.")
        return hands, indicator

    # Playing.

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        turn = self.turn()
        if turn.kind is TurnKind.OVER or set(moves) != set(turn.players):
            wrong = next(iter(moves), "nobody")
            raise IllegalMove(f"It is not {wrong}'s turn.")
        if turn.kind is TurnKind.CHANCE:
            return self._chance(moves[CHANCE])
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(f"No move named {move} for player {player}.")
        return self._resolve(moves) if turn.kind is TurnKind.JOINT else self._act(moves[PLAYERS[self.table.actor]])

    def _next(self, table: Table, own: Sequence[Own]) -> MahJongPosition:
        return MahJongPosition(table, own, self._seconds)

    def _changed(self, me: int, own: Own) -> list[Own]:
        return [own if player == me else other for player, other in enumerate(self.own)]

    def _chance(self, move: Move) -> Verdict:
        table, made = self.table, ((CHANCE, move),)
        if table.phase == DEAL:
            hands, indicator = self._read_deal(move)
            return Verdict(self._next(table.dealt(indicator), [Own(tuple(hand)) for hand in hands]), made)
        if move not in self.moves(CHANCE):
            raise IllegalMove(f"No move named {move} for player {CHANCE}.")
        if table.phase == SETTLE:
            after = self._next(table.ended(scores_in(move), True), [Own()] * 4)
            words = (Announcement(f"The wall is {move.partition(';')[0]}"), Announcement(self._shown()))
            return Verdict(self._final(after), made, announcements=words)
        kind = NUMBERS[move]
        if table.phase == DORA:
            return Verdict(self._next(table.turned(kind), self.own), made)
        return Verdict(
            self._next(table.drew(), self._changed(table.actor, drawn(table, self.own[table.actor], kind))), made
        )

    def _final(self, after: MahJongPosition) -> MahJongPosition:
        """At the very end the hands stay open on the table."""
        return self._next(after.table, self.own) if after.table.phase == END else after

    def _act(self, move: Move) -> Verdict:
        table, me = self.table, self.table.actor
        player, own = PLAYERS[me], self.own[me]
        made = ((player, move),)
        if move == TSUMO:
            one = table.value(me, own, own.drawn, True)
            assert one is not None
            return self._won(me, one, True, made)
        what, _, tile = move.rpartition(" ")
        kind = NUMBERS[tile]
        if what == KONG:
            return Verdict(self._next(table.konged(kind), self._changed(me, konged(table, own, kind))), made)
        own = own.with_tiles((kind,), -1)
        own = replace(own, missed=own.missed and table.riichi[me])
        return Verdict(self._next(table.discarded(kind, what == RIICHI), self._changed(me, own)), made)

    def _resolve(self, moves: Mapping[Player, Move]) -> Verdict:
        """The claim of the highest rank, and of the player whose turn is nearest, stands; other claims are refused."""
        table = self.table
        order = [PLAYERS[other] for other in table.others(table.actor)]
        best = max(order, key=lambda player: (RANKS[moves[player].split()[0]], -order.index(player)))
        passed = tuple((player, PASS) for player in order if moves[player] == PASS)
        if moves[best] == PASS:
            own = [missing(table, other, self.own[other]) for other in range(4)]
            return Verdict(self._next(table.unclaimed(), own), passed)
        made = (*passed, (best, moves[best]))
        refused = tuple(
            Refusal(player, moves[player], f"{best} had priority with {moves[best].split()[0]}")
            for player in order
            if player != best and moves[player] != PASS
        )
        me, what = PLAYERS.index(best), moves[best]
        if what == RON:
            one = table.value(me, self.own[me], table.tile, False)
            assert one is not None
            return replace_refused(self._won(me, one, False, made), refused)
        meld = claimed_meld(what, table.tile)
        own = [missing(table, other, self.own[other]) for other in range(4)]
        own[me] = taken(table, self.own[me], meld)
        return Verdict(self._next(table.taken(me, meld), own), made, refused)

    def _won(self, me: int, one: Worth, drawn_it: bool, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        scores = self.table.after_win(me, one, drawn_it)
        after = self._final(self._next(self.table.ended(scores, False), [Own()] * 4))
        source = "draws it" if drawn_it else f"from {PLAYERS[self.table.actor]}"
        text = f"{PLAYERS[me]} wins, {source}: {_worth(one)}"
        return Verdict(after, made, announcements=(Announcement(text), Announcement(self._shown())))

    def _shown(self) -> str:
        """All hands, laid open when a hand is over."""
        hands = (f"{name} {text_of(own.tiles)}" for name, own in zip(PLAYERS, self.own, strict=True))
        return f"The hands were {'; '.join(hands)}"

    def result(self) -> Result | None:
        if self.table.phase != END:
            return None
        scores = dict(zip(PLAYERS, self.table.scores, strict=True))
        hands = "one hand" if self.table.hands == 1 else f"{self.table.hands} hands"
        return result_by_scores(
            scores, f"after {hands}: {' '.join(f'{who} {points}' for who, points in scores.items())}"
        )

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        table = self.table
        if actor == CHANCE:
            if table.phase == DEAL and observer in PLAYERS:
                found = DEALT.fullmatch(move)
                if found:
                    me = PLAYERS.index(observer)
                    hands = " / ".join(found[index + 1] if index == me else HIDDEN for index in range(4))
                    return f"hands {hands} dora {found[5]}"
            return HIDDEN if table.phase == DRAW and observer != PLAYERS[table.actor] else move
        if move in (TSUMO, RON) and move in self.moves(actor):
            me = PLAYERS.index(actor)
            tile = self.own[me].drawn if move == TSUMO else table.tile
            one = table.value(me, self.own[me], tile, move == TSUMO)
            if one is not None:
                scores = " ".join(map(str, table.after_win(me, one, move == TSUMO)))
                return f"{move} {_worth(one)}; {scores}"
        return move

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Nothing of who does not claim, nor of others' draws: whose turn it is tells that."""
        seen = self.seen(actor, move, observer)
        if seen in (PASS, HIDDEN):
            return ""
        dealt = DEALT.fullmatch(move) if actor == CHANCE and observer in PLAYERS else None
        if dealt:
            return f"hand {dealt[PLAYERS.index(observer) + 1]} dora {dealt[5]}"
        # What is claimed was put down by somebody else.
        return f"{seen} of {TILES[self.table.tile]}" if seen.split()[0] in (PONG, CHOW) or seen == KONG else seen

    # Looking.

    def view(self, player: Player | None) -> str:
        table = self.table
        hand = min(table.hand + 1, table.hands)
        parts = [f"hand {hand} of {table.hands}", self._state(), f"wall {table.wall} sticks {table.sticks}"]
        parts.append(f"dora shown by {text_of(count(table.indicators))}")
        for me, name in enumerate(PLAYERS):
            flags = f"{' riichi' * table.riichi[me]}{' ippatsu' * table.ippatsu[me]}"
            lying = "".join(TILES[kind] for kind in table.discards[me]) or "-"
            parts.append(f"{name} {table.scores[me]}{flags} discards {lying} melds {_melds(table.melds[me])}")
        if table.phase in (CLAIM, ROB):
            parts.append(f"to claim {TILES[table.tile]}{' riichi' * table.declaring}{' kong' * (table.phase == ROB)}")
        extra = f"{' claimed' * table.claimed}{' replacing' * table.replacing}"
        if extra:
            parts.append(extra.strip())
        shown = range(4) if player not in PLAYERS or table.phase == END else (PLAYERS.index(player),)
        for me in shown:
            own = self.own[me]
            drawn_tile = f" drawn {TILES[own.drawn]}" if own.drawn >= 0 else ""
            thrown = text_of([table.thrown[me] >> kind & 1 for kind in range(34)])
            parts.append(f"{PLAYERS[me]} has {text_of(own.tiles)}{drawn_tile}{' missed' * own.missed} thrown {thrown}")
        return "; ".join(parts)

    def _state(self) -> str:
        table = self.table
        names = {
            DEAL: "to be dealt",
            DRAW: f"{PLAYERS[table.actor]} draws",
            ACT: f"{PLAYERS[table.actor]} to discard",
            CLAIM: f"{PLAYERS[table.actor]} has discarded",
            ROB: f"{PLAYERS[table.actor]} makes a kong",
            DORA: "a dora is turned",
            SETTLE: "the wall is exhausted",
            END: "over",
        }
        return names[table.phase]

    def key(self) -> Hashable:
        return (self.table, self.own, self._seconds)

    def picture(self, player: Player | None) -> Picture:
        table = self.table
        parts: list[Grid | Note] = []
        rows = []
        for me, name in enumerate(PLAYERS):
            cells = [_tile(kind) for kind in table.discards[me]]
            if table.phase == CLAIM and me == table.actor and cells:
                cells[-1] = Cell(TILES[table.tile], "mark")
            riichi = " riichi" if table.riichi[me] or (table.declaring and me == table.actor) else ""
            wind = PLAYERS[table.seat(me) - 27][0]
            rows.append((f"{name} ({wind}) {table.scores[me]}{riichi}", cells, _melds(table.melds[me])))
        width = max(1, *(len(cells) for _, cells, _ in rows))
        blank = Cell(" ", "empty")
        grid = tuple((*cells, *(blank,) * (width - len(cells))) for _, cells, _ in rows)
        parts.append(Grid(grid, row_labels=tuple(label for label, _, _ in rows)))
        parts += [
            Note(f"{name} has melded {melds}")
            for name, (_, _, melds) in zip(PLAYERS, rows, strict=True)
            if melds != "-"
        ]
        dora = " ".join(TILES[kind] for kind in table.indicators) or "none"
        parts.append(
            Note(f"dora is shown by {dora}; {table.wall} tiles to draw; {self.view(player).split('; ')[1]}", "muted")
        )
        shown = range(4) if player not in PLAYERS or table.phase == END else (PLAYERS.index(player),)
        for me in shown:
            own = self.own[me]
            kinds = [kind for kind, amount in enumerate(own.tiles) for _ in range(amount)]
            if own.drawn >= 0:
                kinds.remove(own.drawn)
            cells = [_tile(kind) for kind in kinds]
            if own.drawn >= 0:
                cells += [blank, _tile(own.drawn)]
            if cells:
                parts.append(Grid((tuple(cells),), row_labels=(f"{PLAYERS[me]} holds",)))
            if own.missed:
                parts.append(Note(f"{PLAYERS[me]} has let a win go: furiten", "bad"))
        parts.append(Note(LEGEND, "muted"))
        if player in PLAYERS and table.phase != END:
            parts += self._hints(PLAYERS.index(player))
        return Picture(tuple(parts))

    def estimate(self, player: Player) -> float | None:
        """The points so far, and a share of a usual win, half of it for every tile that a hand is farther away."""
        table, me = self.table, PLAYERS.index(player)
        points = float(table.scores[me])
        if table.phase in (END, DEAL):
            return points
        melds = len(table.melds[me])
        return points + USUAL * 0.5 ** (distance(self.own[me].tiles, melds) + 1)

    def _hints(self, me: int) -> list[Note]:
        """What a player should not overlook."""
        table, own, name = self.table, self.own[me], PLAYERS[me]
        found = []
        wanted = waits(own.tiles, len(table.melds[me])) if sum(own.tiles) % 3 == 1 else []
        if wanted:
            found.append(Note(f"{name} waits for {' '.join(TILES[kind] for kind in wanted)}", "good"))
        if table.phase in (CLAIM, ROB):
            offered = f"{PLAYERS[table.actor]} offers {TILES[table.tile]}"
            choices = f": {' or '.join(self.moves(name))}" if me != table.actor else ""
            found.append(Note(offered + choices, "mark"))
        special = [move for move in self.moves(name) if table.phase == ACT and move not in NUMBERS]
        if special:
            found.append(Note(f"{name} may say {' or '.join(special)}", "mark"))
        return found

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if player not in PLAYERS or self.table.phase in (END, DEAL):
            return self
        me = PLAYERS.index(player)
        return self._next(self.table, guess(self.table, me, self.own[me], rng))


def replace_refused(verdict: Verdict, refused: tuple[Refusal, ...]) -> Verdict:
    """The verdict, with these refusals."""
    return Verdict(verdict.position, verdict.made, refused, verdict.announcements)


def _worth(one: Worth) -> str:
    """`3 han 30 fu (riichi + no points + dora 1)`."""
    names = " + ".join(one.yaku) or "nothing"
    return f"yakuman ({names})" if one.yakuman else f"{one.han} han {one.fu} fu ({names})"


def _melds(melds: Sequence[Meld]) -> str:
    return " ".join(f"{meld.kind.replace(' ', '-')}:{text_of(count(meld.tiles()))}" for meld in melds) or "-"


def _tile(kind: int) -> Cell:
    return Cell(TILES[kind], SUIT_TONES[TILES[kind][1]])
