"""Uno, with jumping in: who holds the very card that was just played may play it out of turn, and the first counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from typing import Any

from ggtp.errors import IllegalMove, MalformedMove, MoveError
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Cell,
    Move,
    Note,
    Observation,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Seen,
    Standing,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    number,
    switch,
)
from ggtp.game.cards import BACK, rows
from ggtp.game.poker import PEOPLE
from ggtp.game.turns import turn_of
from ggtp.game.unocards import (
    BY_CODE,
    BY_NAME,
    CODES,
    COLOURS,
    COPIES,
    DECK,
    FOUR,
    NAMES,
    POINTS,
    REVERSE,
    SIZE,
    SKIP,
    TONES,
    TWO,
    UNKNOWN,
    WILD,
    card_cell,
    codes,
    read_play,
    spellings,
)
from ggtp.game.unohands import Events, Sign, draw_hands, mask_of

HAND_SIZE = 7
DRAW, KEEP, PASS, ACCEPT, CHALLENGE = "draw", "keep", "pass", "accept", "challenge"
GUILTY, INNOCENT = "guilty", "innocent"


class Phase(Enum):
    """What is to be done next."""

    DEAL = "the cards are to be dealt"
    COLOUR = "names a colour"
    TURN = "plays or draws"
    DRAWN = "plays the drawn card or keeps it"
    WINDOW = "anybody may jump in"
    DRAW = "draws"
    CHALLENGE = "accepts or challenges"
    SHOW = "the cards are to be shown"
    OVER = "over"


CHANCES = (Phase.DEAL, Phase.DRAW, Phase.SHOW)


@dataclass(frozen=True, slots=True)
class Table:
    """What is open, and the hands."""

    hands: tuple[tuple[int, ...], ...] = ()
    """Everybody's cards, ascending."""
    discards: tuple[int, ...] = ()
    """The last one is the topmost."""
    colour: int = 0
    """What has to be matched: the top card's, or the one that was named; 4 where none is named yet."""
    direction: int = 1
    at: int = 0
    """Whose turn it is; in a window, who has just played."""
    phase: Phase = Phase.DEAL
    passed: tuple[bool, ...] = ()
    """In a window: who does not jump in."""
    drawer: int = 0
    due: int = 0
    """Who has to draw, and how many."""
    resume: int = 0
    """Whose turn it is then."""
    before: int = 0
    """Before the last card was laid: the colour that was to be matched."""
    shuffles: int = 0
    """How often the discards have become the pile."""
    known: tuple[Events, ...] = ()
    """What all know of everybody's hand."""
    drawn: int = UNKNOWN
    """The card that was just drawn by the player at turn."""

    def left(self) -> int:
        """How many cards can be drawn before the discards have to be shuffled."""
        return SIZE - sum(map(len, self.hands)) - len(self.discards)


@dataclass(frozen=True, slots=True)
class House:
    """The options."""

    players: tuple[Player, ...]
    jumps: bool
    window: int
    may_draw: bool
    shuffles: int


class UnoPosition(Position):
    """Where a round stands."""

    __slots__ = ("_house", "_players", "_table")

    def __init__(self, house: House, table: Table) -> None:
        self._house = house
        self._players = house.players
        self._table = table

    def _to(self, **changes: Any) -> UnoPosition:
        table = self._table
        values = {name: getattr(table, name) for name in Table.__slots__}
        return UnoPosition(self._house, Table(**{**values, **changes}))

    def _next(self, steps: int = 1, start: int | None = None, direction: int | None = None) -> int:
        """Who sits so many places on."""
        table = self._table
        begin = table.at if start is None else start
        return (begin + steps * (table.direction if direction is None else direction)) % len(self._players)

    def _pile(self) -> Counter[int]:
        """What can be drawn: everything that is not on the table or in a hand; without it, the discards but the top."""
        table = self._table
        pile = DECK.copy()
        pile.subtract(card for hand in table.hands for card in hand)
        pile.subtract(table.discards)
        return +pile if table.left() else Counter(table.discards[:-1])

    # Whose turn it is.

    def turn(self) -> Turn:
        table = self._table
        if table.phase is Phase.OVER:
            return OVER
        if table.phase in CHANCES:
            return CHANCE_TURN
        if table.phase is Phase.WINDOW:
            waiting = tuple(self._players[index] for index in self._waiting())
            return Turn(TurnKind.RACE, waiting, float(self._house.window), dict.fromkeys(waiting, PASS))
        return turn_of(self._players[table.at])

    def _waiting(self) -> list[int]:
        """In a window: who may still jump in."""
        table = self._table
        return [index for index in range(len(self._players)) if index != table.at and not table.passed[index]]

    def moves(self, player: Player) -> Sequence[Move]:
        table = self._table
        if player == CHANCE:
            return tuple(move for move, _ in self.chance())
        if player not in self.turn().players:
            return ()
        me = self._players.index(player)
        hand = table.hands[me]
        match table.phase:
            case Phase.WINDOW:
                top = table.discards[-1]
                return [NAMES[top], PASS] if top in hand else [PASS]
            case Phase.COLOUR:
                return COLOURS
            case Phase.CHALLENGE:
                return ACCEPT, CHALLENGE
            case Phase.DRAWN:
                # The drawn card lies apart: it is the only one that may be played.
                return [*self._playable((table.drawn,)), KEEP]
        playable = self._playable(hand)
        return [*playable, DRAW] if self._house.may_draw or not playable else playable

    def _fits(self, card: int) -> bool:
        table, top = self._table, self._table.discards[-1]
        if card >= WILD or card // 13 == table.colour:
            return True
        return top < WILD and card % 13 == top % 13

    def _playable(self, cards: Sequence[int]) -> list[Move]:
        found = []
        for card in dict.fromkeys(cards):
            if self._fits(card):
                found += [NAMES[card]] if card < WILD else [f"{NAMES[card]} {colour}" for colour in COLOURS]
        return found

    def parse(self, player: Player, text: str) -> Move:
        plain = " ".join(text.split())
        if player == CHANCE and self._table.phase is Phase.DEAL:
            return self._deal_text(self._read_deal(plain))
        listed = self.moves(player)
        if plain in listed:
            return plain
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        folded = plain.casefold().replace(" ", "")
        found = [move for move in listed if folded in spellings(move)]
        if len(found) == 1:
            return found[0]
        shown = plain if len(plain) <= 40 else f"{plain[:40]}..."
        some = " / ".join(listed[:6]) + (" / ..." if len(listed) > 6 else "")
        raise MalformedMove(f"No move named {shown} for player {player}: write one of {some}.")

    # Chance.

    def chance(self) -> Sequence[tuple[Move, int]]:
        match self._table.phase:
            case Phase.DRAW:
                return [(NAMES[card], count) for card, count in sorted(self._pile().items())]
            case Phase.SHOW:
                return [(self._show_text(), 1)]
        return ()

    def draw(self, rng: random.Random) -> Move:
        if self._table.phase is not Phase.DEAL:
            return super().draw(rng)
        while True:
            cards = rng.sample(list(DECK.elements()), HAND_SIZE * len(self._players) + 1)
            if cards[-1] != FOUR:  # a wild +4 is put back
                return self._deal_text(cards)

    def _deal_text(self, cards: Sequence[int]) -> Move:
        """Everybody's cards, with dots between them, and the card that is turned over."""
        size = HAND_SIZE
        hands = [sorted(cards[start : start + size]) for start in range(0, size * len(self._players), size)]
        return " ".join([*(codes(hand) for hand in hands), CODES[cards[-1]]])

    def _read_deal(self, text: str) -> list[int]:
        words = text.upper().split()
        cards = [BY_CODE.get(code, UNKNOWN) for word in words for code in word.split(".")]
        sizes = [len(word.split(".")) for word in words]
        wrong = sizes != [*[HAND_SIZE] * len(self._players), 1] or UNKNOWN in cards or cards[-1] == FOUR
        if wrong or Counter(cards) - DECK:
            raise MalformedMove(f"Chance cannot deal {text[:60]}.")
        return cards

    def _show_text(self) -> Move:
        left = [(player, hand) for player, hand in zip(self._players, self._table.hands, strict=True) if hand]
        return " ".join(f"{player} {codes(hand)}" for player, hand in left)

    # What is done.

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        table = self._table
        if player == CHANCE and table.phase is Phase.DEAL:
            try:
                known = self._deal_text(self._read_deal(move)) == move
            except MalformedMove:
                known = False
        else:
            known = move in self.moves(player)
        if not known:
            raise IllegalMove(f"No move named {move[:60]} for player {player}.")
        after = self.after(player, move)
        said = []
        if table.phase is Phase.WINDOW and move != PASS:
            said.append(f"{player} jumps in.")
        if table.phase is Phase.CHALLENGE and move == CHALLENGE:
            said.append(f"{self._players[self._bluffer()]} is {self._verdict()}.")
        for index, (was, now) in enumerate(zip(table.hands, after._table.hands, strict=False)):
            if len(now) == 1 and len(was) == 2:
                said.append(f"{self._players[index]}: Uno!")
        return Verdict(after, ((player, move),), announcements=tuple(Announcement(text) for text in said))

    def after(self, player: Player, move: Move) -> UnoPosition:
        """The position after a move; that it may be made was looked at before."""
        table = self._table
        match table.phase:
            case Phase.DEAL:
                return self._dealt(self._read_deal(move))
            case Phase.DRAW:
                return self._drew(BY_NAME[move] if move != HIDDEN else UNKNOWN)
            case Phase.SHOW:
                return self._to(phase=Phase.OVER)
            case Phase.COLOUR:
                return self._to(colour=COLOURS.index(move), phase=Phase.TURN)
            case Phase.CHALLENGE:
                return self._challenged(move == CHALLENGE, self._verdict() == GUILTY)
        me = self._players.index(player)
        if move == PASS:
            passed = tuple(table.passed[index] or index == me for index in range(len(self._players)))
            waiting = self._to(passed=passed)
            return waiting if waiting._waiting() else waiting._effect()
        if move == DRAW:
            known = self
            if not self._house.may_draw:
                fitting = mask_of(card for card in DECK if self._fits(card))
                known = self._learn({me: (Sign.LACKS, fitting)})
            return known._to(phase=Phase.DRAW, drawer=me, due=1, resume=me)._drawable()
        if move == KEEP:
            return self._to(phase=Phase.TURN, at=self._next(), drawn=UNKNOWN)
        return self._put(me, move)

    def _learn(self, facts: Mapping[int, tuple[Sign, int]]) -> UnoPosition:
        """Everybody learns something about some hands."""
        known = self._table.known
        return self._to(
            known=tuple((*events, facts[player]) if player in facts else events for player, events in enumerate(known))
        )

    def _dealt(self, cards: Sequence[int]) -> UnoPosition:
        """The first card counts as if the last player, who deals, had played it."""
        size = HAND_SIZE
        hands = [tuple(sorted(cards[start : start + size])) for start in range(0, size * len(self._players), size)]
        top, dealer = cards[-1], len(self._players) - 1
        known: tuple[Events, ...] = (((Sign.GOT, size),),) * len(hands)
        begun = self._to(hands=tuple(hands), discards=(top,), colour=top // 13, at=dealer, known=known)
        if top == WILD:
            return begun._to(phase=Phase.COLOUR, at=0)
        if top < WILD and top % 13 == REVERSE:
            return begun._to(phase=Phase.TURN, direction=-1)  # the dealer begins
        return begun._effect()

    def _put(self, me: int, move: Move) -> UnoPosition:
        """A player lays a card."""
        table = self._table
        card, colour = read_play(move)
        left = list(table.hands[me])
        left.remove(card if card in left else UNKNOWN)
        hands = (*table.hands[:me], tuple(left), *table.hands[me + 1 :])
        if table.phase is Phase.DRAWN:
            # It is the card that was just drawn, so nothing has changed.
            known = tuple(events[:-1] if one == me else events for one, events in enumerate(table.known))
        else:
            known = self._learn({me: (Sign.LAID, card)})._table.known
        laid = self._to(
            hands=hands,
            discards=(*table.discards, card),
            colour=colour,
            at=me,
            drawn=UNKNOWN,
            before=table.colour,
            passed=(False,) * len(hands),
            known=known,
        )
        if not left:
            return laid._to(phase=Phase.SHOW)
        return laid._to(phase=Phase.WINDOW) if laid._jumpable() else laid._effect()

    def _jumpable(self) -> bool:
        """Whether, for all that is open, somebody may hold the same card."""
        card = self._table.discards[-1]
        return self._house.jumps and card < WILD and self._table.discards.count(card) < COPIES[card]

    def _effect(self) -> UnoPosition:
        """What the top card does, once nobody jumps in any more."""
        table = self._table
        top, next_one = table.discards[-1], self._next()
        if top == FOUR:
            return self._to(phase=Phase.CHALLENGE, at=next_one)
        symbol = top % 13 if top < WILD else 0
        if symbol == TWO:
            return self._to(phase=Phase.DRAW, drawer=next_one, due=2, resume=self._next(2))._drawable()
        if symbol == SKIP or (symbol == REVERSE and len(self._players) == 2):
            return self._to(phase=Phase.TURN, at=self._next(2))
        if symbol == REVERSE:
            return self._to(phase=Phase.TURN, direction=-table.direction, at=self._next(direction=-table.direction))
        return self._to(phase=Phase.TURN, at=next_one)

    def _bluffer(self) -> int:
        """Who has played the wild +4."""
        return self._next(-1)

    def _verdict(self) -> str:
        """Whether a wild +4 was played with a card of the colour in hand."""
        held = self._table.hands[self._bluffer()]
        return GUILTY if any(card < WILD and card // 13 == self._table.before for card in held) else INNOCENT

    def _challenged(self, challenged: bool, guilty: bool) -> UnoPosition:
        me, bluffer = self._table.at, self._bluffer()
        if challenged and guilty:
            return self._to(phase=Phase.DRAW, drawer=bluffer, due=4, resume=me)._drawable()
        known = self
        if challenged and self._table.before < len(COLOURS):
            colour = self._table.before
            known = self._learn({bluffer: (Sign.LACKS, mask_of(range(colour * 13, colour * 13 + 13)))})
        due = 6 if challenged else 4
        return known._to(phase=Phase.DRAW, drawer=me, due=due, resume=self._next())._drawable()

    def _drawable(self) -> UnoPosition:
        """The same; or, where no card is left to draw, the end."""
        table = self._table
        more = table.left() or (len(table.discards) > 1 and table.shuffles < self._house.shuffles)
        return self if more else self._to(phase=Phase.SHOW)

    def _drew(self, card: int) -> UnoPosition:
        table = self._table
        before, discards, shuffles = self, table.discards, table.shuffles
        if not table.left():
            # The discards are shuffled and become the pile: of what lay there in all its copies, nobody has any.
            gone = mask_of(kind for kind, count in Counter(discards).items() if count == COPIES[kind])
            before = self._learn(dict.fromkeys(range(len(table.hands)), (Sign.LACKS, gone)))
            discards, shuffles = discards[-1:], shuffles + 1
        known = before._learn({table.drawer: (Sign.GOT, 1)})
        mine = tuple(sorted((*table.hands[table.drawer], card)))
        hands = (*table.hands[: table.drawer], mine, *table.hands[table.drawer + 1 :])
        after = known._to(hands=hands, discards=discards, due=table.due - 1, shuffles=shuffles)
        return after._drawable() if after._table.due else after._drawn_all(card)

    def _drawn_all(self, card: int) -> UnoPosition:
        """Everything due is drawn; who has drawn one at his turn may play it."""
        table = self._table
        if table.drawer != table.resume:
            return self._to(phase=Phase.TURN, at=table.resume, due=0)
        return self._to(phase=Phase.DRAWN, at=table.drawer, due=0, drawn=card)

    # How it ended.

    def result(self) -> Result | None:
        table = self._table
        if table.phase is not Phase.OVER:
            return None
        held = [sum(POINTS[card] for card in hand) for hand in table.hands]
        least = min((len(hand) > 0, points) for hand, points in zip(table.hands, held, strict=True))
        best = [index for index, hand in enumerate(table.hands) if (len(hand) > 0, held[index]) == least]
        top = Standing.WIN if len(best) == 1 else Standing.DRAW
        standings = {player: top if index in best else Standing.LOSS for index, player in enumerate(self._players)}
        scores = {
            player: sum(held) - len(held) * held[index] if index in best else 0
            for index, player in enumerate(self._players)
        }
        names = " and ".join(self._players[index] for index in best)
        reason = f"no card is left to draw: {names} with the fewest points" if least[0] else f"{names} is out"
        return Result(standings, scores, reason)

    # Who knows what.

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        table = self._table
        if table.phase is Phase.DEAL:
            words = move.split(" ")
            mine = [word if player == observer else HIDDEN for player, word in zip(self._players, words, strict=False)]
            return " ".join([*mine, words[-1]])
        if table.phase is Phase.DRAW:
            return move if self._players[table.drawer] == observer else HIDDEN
        if table.phase is Phase.CHALLENGE and move == CHALLENGE:
            return f"{move} {self._verdict()}"
        return move

    def _open(self, player: int, observer: Player | None) -> bool:
        return observer is None or self._players[player] == observer or self._table.phase is Phase.OVER

    def view(self, player: Player | None) -> str:
        table = self._table
        if table.phase is Phase.DEAL:
            return str(table.phase.value)
        parts = []
        for index, (name, hand) in enumerate(zip(self._players, table.hands, strict=True)):
            parts.append(f"{name} {(codes(hand) or '-') if self._open(index, player) else len(hand)}")
        colour = COLOURS[table.colour] if table.colour < len(COLOURS) else "any"
        parts.append(f"pile {table.left()} shuffled {table.shuffles} colour {colour} to the {self._side()}")
        parts.append(f"discards {codes(table.discards)}")
        if table.phase is Phase.DRAWN and self._open(table.at, player):
            parts.append(f"drawn {CODES[table.drawn]}")
        if table.phase is Phase.CHALLENGE:
            parts.append(f"before {COLOURS[table.before] if table.before < len(COLOURS) else 'any'}")
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        table = self._table
        match table.phase:
            case Phase.DEAL | Phase.SHOW | Phase.OVER:
                return str(table.phase.value)
            case Phase.WINDOW:
                return f"{' and '.join(self._players[index] for index in self._waiting())} may jump in"
            case Phase.DRAW:
                return f"{self._players[table.drawer]} draws {table.due} before {self._players[table.resume]}"
        return f"{self._players[table.at]} {table.phase.value}"

    def key(self) -> Hashable:
        return self._table

    def picture(self, player: Player | None) -> Picture:
        table = self._table
        if table.phase is Phase.DEAL:
            return Picture(
                (rows([(name, [BACK] * HAND_SIZE) for name in self._players]), Note("The cards are to be dealt."))
            )
        colour = Cell(COLOURS[table.colour], TONES[table.colour]) if table.colour < len(COLOURS) else Cell("any")
        shown = [("top", [card_cell(table.discards[-1]), *([colour] if table.discards[-1] >= WILD else [])])]
        closed = []
        for index, (name, hand) in enumerate(zip(self._players, table.hands, strict=True)):
            if self._open(index, player):
                shown.append((name, [card_cell(card) for card in hand]))
            else:
                closed.append(f"{name} {len(hand)}")
        notes = [f"Cards of the others: {', '.join(closed)}."] if closed else []
        notes.append(f"Play goes to the {self._side()}: {self._order()}.")
        if table.phase is Phase.DRAWN and self._open(table.at, player):
            notes.append(f"{self._players[table.at]} has drawn {NAMES[table.drawn]}.")
        state = self._state()
        return Picture((rows(shown), *(Note(text) for text in notes), Note(f"{state[0].upper()}{state[1:]}.", "mark")))

    def _side(self) -> str:
        return "left" if self._table.direction > 0 else "right"

    def _order(self) -> str:
        return ", ".join(self._players[:: self._table.direction])

    # What may be.

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        table = self._table
        if table.phase in (Phase.DEAL, Phase.OVER) or player not in self._players:
            return self
        me = self._players.index(player)
        pool = DECK.copy()
        pool.subtract(table.hands[me])
        pool.subtract(table.discards)
        cards = list((+pool).elements())
        others = {index: events for index, events in enumerate(table.known) if index != me}
        drawn_hands = draw_hands(cards, others, rng) or _any_hands(cards, table.hands, others, rng)
        hands = tuple(
            tuple(sorted(chain.from_iterable(drawn_hands[index]))) if index != me else hand
            for index, hand in enumerate(table.hands)
        )
        drawn = table.drawn
        if table.phase is Phase.DRAWN and table.at != me:
            drawn = drawn_hands[table.at][-1][-1]  # what came in last
        return self._to(hands=hands, drawn=drawn)

    def follow(self, player: Player, told: Sequence[tuple[Player, Move]]) -> UnoPosition:
        """The position after what a player was told; the cards of the others stay unknown."""
        position = self
        for actor, text in told:
            table = position._table
            if table.phase is Phase.DEAL:
                words = text.split(" ")
                cards: list[int] = []
                for word in words:
                    cards += [UNKNOWN] * HAND_SIZE if word == HIDDEN else [BY_CODE[code] for code in word.split(".")]
                position = position._dealt(cards)
            elif table.phase is Phase.CHALLENGE:
                position = position._challenged(text != ACCEPT, text.endswith(GUILTY))
            elif table.phase is Phase.SHOW:
                words = text.split(" ")
                held = dict(zip(words[::2], words[1::2], strict=True))
                hands = tuple(
                    tuple(BY_CODE[code] for code in held[name].split(".")) if name in held else ()
                    for name in position._players
                )
                position = position._to(hands=hands, phase=Phase.OVER)
            else:
                position = position.after(actor, text)
        return position


def _any_hands(
    cards: Sequence[int], hands: Sequence[Sequence[int]], players: Iterable[int], rng: random.Random
) -> dict[int, list[list[int]]]:
    """Hands of the right size, whatever was shown: where no other were found."""
    mixed = iter(rng.sample(cards, len(cards)))
    return {player: [list(islice(mixed, len(hands[player])))] for player in players}


class Uno(Rules):
    """Two to ten players; moves are `red 5`, `blue skip`, `wild green`, `draw`, and out of turn the same card."""

    name = "Uno"
    title = "get rid of your cards, and jump in with the same card"
    traits = Traits(min_players=2, max_players=10, chance=True, hidden=True, race=True, zero_sum=False)
    own_options = (
        number("players", 4, 2, 10, "how many play"),
        switch("jump_in", True, "whether the card just played may be played out of turn"),
        number("window", 3, 1, 60, "seconds for jumping in"),
        switch("may_draw", False, "whether one may draw who could play"),
        number("shuffles", 2, 0, 3, "how often the discards become the pile before the round ends"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PEOPLE[: int(options["players"])]

    def begin(self, options: Mapping[str, str]) -> UnoPosition:
        house = House(
            self.players(options),
            options["jump_in"] == "on",
            int(options["window"]),
            options["may_draw"] == "on",
            int(options["shuffles"]),
        )
        return UnoPosition(house, Table())

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """Cards for the others that agree with what they have shown."""
        told = [(one.actor, one.text) for one in seen if isinstance(one, Seen)]
        try:
            return self.begin(self.complete(values)).follow(player, told).determinize(player, rng)
        except (MoveError, LookupError, ValueError):
            return None


RULES = Uno()
