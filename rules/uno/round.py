"""A round of Uno: what every card does, drawing, challenges, windows for jumping in.

It knows all hands, and what everybody knows of them; who may see what is the rule's affair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from ggtp.errors import MalformedMove
from ggtp.game.model import HIDDEN, Player

from .cards import (
    BY_CODE,
    BY_NAME,
    CODES,
    COLOURS,
    COPIES,
    DECK,
    FOUR,
    REVERSE,
    SIZE,
    SKIP,
    TWO,
    UNKNOWN,
    WILD,
    codes,
    read_play,
)
from .hands import Events, Sign, mask_of

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
class House:
    """The options."""

    players: tuple[Player, ...]
    jumps: bool
    window: int
    may_draw: bool
    shuffles: int


@dataclass(frozen=True, slots=True)
class Round:
    """Where a round stands, the hidden hands included."""

    house: House
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

    def to(self, **changes: Any) -> Round:
        """The same, but for some changes."""
        return replace(self, **changes)

    def _next(self, steps: int = 1, start: int | None = None, direction: int | None = None) -> int:
        """Who sits so many places on."""
        begin = self.at if start is None else start
        return (begin + steps * (self.direction if direction is None else direction)) % len(self.house.players)

    def pile(self) -> Counter[int]:
        """What can be drawn: everything that is not on the table or in a hand; without it, the discards but the top."""
        pile = DECK.copy()
        pile.subtract(card for hand in self.hands for card in hand)
        pile.subtract(self.discards)
        return +pile if self.left() else Counter(self.discards[:-1])

    def waiting(self) -> list[int]:
        """In a window: who may still jump in."""
        return [index for index in range(len(self.house.players)) if index != self.at and not self.passed[index]]

    def fits(self, card: int) -> bool:
        """Whether a card may be laid on the top one."""
        top = self.discards[-1]
        if card >= WILD or card // 13 == self.colour:
            return True
        return top < WILD and card % 13 == top % 13

    def after(self, player: Player, move: str) -> Round:
        """The round after a move; that it may be made was looked at before."""
        match self.phase:
            case Phase.DEAL:
                return self.dealt(read_deal(move, len(self.house.players)))
            case Phase.DRAW:
                return self._drew(BY_NAME[move] if move != HIDDEN else UNKNOWN)
            case Phase.SHOW:
                return self.to(phase=Phase.OVER)
            case Phase.COLOUR:
                return self.to(colour=COLOURS.index(move), phase=Phase.TURN)
            case Phase.CHALLENGE:
                return self.challenged(move == CHALLENGE, self.verdict() == GUILTY)
        me = self.house.players.index(player)
        if move == PASS:
            passed = tuple(self.passed[index] or index == me for index in range(len(self.house.players)))
            waiting = self.to(passed=passed)
            return waiting if waiting.waiting() else waiting._effect()
        if move == DRAW:
            known = self
            if not self.house.may_draw:
                fitting = mask_of(card for card in DECK if self.fits(card))
                known = self._learn({me: (Sign.LACKS, fitting)})
            return known.to(phase=Phase.DRAW, drawer=me, due=1, resume=me)._drawable()
        if move == KEEP:
            return self.to(phase=Phase.TURN, at=self._next(), drawn=UNKNOWN)
        return self._put(me, move)

    def _learn(self, facts: Mapping[int, tuple[Sign, int]]) -> Round:
        """Everybody learns something about some hands."""
        known = self.known
        return self.to(
            known=tuple((*events, facts[player]) if player in facts else events for player, events in enumerate(known))
        )

    def dealt(self, cards: Sequence[int]) -> Round:
        """The first card counts as if the last player, who deals, had played it."""
        size = HAND_SIZE
        hands = [tuple(sorted(cards[start : start + size])) for start in range(0, size * len(self.house.players), size)]
        top, dealer = cards[-1], len(self.house.players) - 1
        known: tuple[Events, ...] = (((Sign.GOT, size),),) * len(hands)
        begun = self.to(hands=tuple(hands), discards=(top,), colour=top // 13, at=dealer, known=known)
        if top == WILD:
            return begun.to(phase=Phase.COLOUR, at=0)
        if top < WILD and top % 13 == REVERSE:
            return begun.to(phase=Phase.TURN, direction=-1)  # the dealer begins
        return begun._effect()

    def _put(self, me: int, move: str) -> Round:
        """A player lays a card."""
        card, colour = read_play(move)
        left = list(self.hands[me])
        left.remove(card if card in left else UNKNOWN)
        hands = (*self.hands[:me], tuple(left), *self.hands[me + 1 :])
        if self.phase is Phase.DRAWN:
            # It is the card that was just drawn, so nothing has changed.
            known = tuple(events[:-1] if one == me else events for one, events in enumerate(self.known))
        else:
            known = self._learn({me: (Sign.LAID, card)}).known
        laid = self.to(
            hands=hands,
            discards=(*self.discards, card),
            colour=colour,
            at=me,
            drawn=UNKNOWN,
            before=self.colour,
            passed=(False,) * len(hands),
            known=known,
        )
        if not left:
            return laid.to(phase=Phase.SHOW)
        return laid.to(phase=Phase.WINDOW) if laid._jumpable() else laid._effect()

    def _jumpable(self) -> bool:
        """Whether, for all that is open, somebody may hold the same card."""
        card = self.discards[-1]
        return self.house.jumps and card < WILD and self.discards.count(card) < COPIES[card]

    def _effect(self) -> Round:
        """What the top card does, once nobody jumps in any more."""
        top, next_one = self.discards[-1], self._next()
        if top == FOUR:
            return self.to(phase=Phase.CHALLENGE, at=next_one)
        symbol = top % 13 if top < WILD else 0
        if symbol == TWO:
            return self.to(phase=Phase.DRAW, drawer=next_one, due=2, resume=self._next(2))._drawable()
        if symbol == SKIP or (symbol == REVERSE and len(self.house.players) == 2):
            return self.to(phase=Phase.TURN, at=self._next(2))
        if symbol == REVERSE:
            return self.to(phase=Phase.TURN, direction=-self.direction, at=self._next(direction=-self.direction))
        return self.to(phase=Phase.TURN, at=next_one)

    def bluffer(self) -> int:
        """Who has played the wild +4."""
        return self._next(-1)

    def verdict(self) -> str:
        """Whether a wild +4 was played with a card of the colour in hand."""
        held = self.hands[self.bluffer()]
        return GUILTY if any(card < WILD and card // 13 == self.before for card in held) else INNOCENT

    def challenged(self, challenged: bool, guilty: bool) -> Round:
        me, bluffer = self.at, self.bluffer()
        if challenged and guilty:
            return self.to(phase=Phase.DRAW, drawer=bluffer, due=4, resume=me)._drawable()
        known = self
        if challenged and self.before < len(COLOURS):
            colour = self.before
            known = self._learn({bluffer: (Sign.LACKS, mask_of(range(colour * 13, colour * 13 + 13)))})
        due = 6 if challenged else 4
        return known.to(phase=Phase.DRAW, drawer=me, due=due, resume=self._next())._drawable()

    def _drawable(self) -> Round:
        """The same; or, where no card is left to draw, the end."""
        more = self.left() or (len(self.discards) > 1 and self.shuffles < self.house.shuffles)
        return self if more else self.to(phase=Phase.SHOW)

    def _drew(self, card: int) -> Round:
        before, discards, shuffles = self, self.discards, self.shuffles
        if not self.left():
            # The discards are shuffled and become the pile: of what lay there in all its copies, nobody has any.
            gone = mask_of(kind for kind, count in Counter(discards).items() if count == COPIES[kind])
            before = self._learn(dict.fromkeys(range(len(self.hands)), (Sign.LACKS, gone)))
            discards, shuffles = discards[-1:], shuffles + 1
        known = before._learn({self.drawer: (Sign.GOT, 1)})
        mine = tuple(sorted((*self.hands[self.drawer], card)))
        hands = (*self.hands[: self.drawer], mine, *self.hands[self.drawer + 1 :])
        after = known.to(hands=hands, discards=discards, due=self.due - 1, shuffles=shuffles)
        return after._drawable() if after.due else after._drawn_all(card)

    def _drawn_all(self, card: int) -> Round:
        """Everything due is drawn; who has drawn one at his turn may play it."""
        if self.drawer != self.resume:
            return self.to(phase=Phase.TURN, at=self.resume, due=0)
        return self.to(phase=Phase.DRAWN, at=self.drawer, due=0, drawn=card)


def follow(first: Round, told: Sequence[tuple[Player, str]]) -> Round:
    """The round after what one player was told of it; the cards of the others stay unknown."""
    now = first
    for actor, text in told:
        words = text.split(" ")
        if now.phase is Phase.DEAL:
            cards: list[int] = []
            for word in words:
                cards += [UNKNOWN] * HAND_SIZE if word == HIDDEN else [BY_CODE[code] for code in word.split(".")]
            now = now.dealt(cards)
        elif now.phase is Phase.CHALLENGE:
            now = now.challenged(text != ACCEPT, text.endswith(GUILTY))
        elif now.phase is Phase.SHOW:
            held = dict(zip(words[::2], words[1::2], strict=True))
            hands = [held[name].split(".") if name in held else [] for name in now.house.players]
            now = now.to(hands=tuple(tuple(BY_CODE[code] for code in hand) for hand in hands), phase=Phase.OVER)
        else:
            now = now.after(actor, text)
    return now


def deal_text(cards: Sequence[int], players: int) -> str:
    """Everybody's cards, with dots between them, and the card that is turned over."""
    hands = [sorted(cards[start : start + HAND_SIZE]) for start in range(0, HAND_SIZE * players, HAND_SIZE)]
    return " ".join([*(codes(hand) for hand in hands), CODES[cards[-1]]])


def read_deal(text: str, players: int) -> list[int]:
    """The cards of such a text.

    Raises:
        MalformedMove: it is no deal.
    """
    words = text.upper().split()
    cards = [BY_CODE.get(code, UNKNOWN) for word in words for code in word.split(".")]
    sizes = [len(word.split(".")) for word in words]
    wrong = sizes != [*[HAND_SIZE] * players, 1] or UNKNOWN in cards or cards[-1] == FOUR
    if wrong or Counter(cards) - DECK:
        raise MalformedMove(f"Chance cannot deal {text[:60]}.")
    return cards
