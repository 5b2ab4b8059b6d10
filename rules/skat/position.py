"""Positions of Skat: the deal, the bidding, the play of the cards, and what each player sees of them."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from ggtp.game import (
    CHANCE,
    HIDDEN,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Result,
    Standing,
)
from ggtp.game.advice import CasualMoves
from ggtp.game.building.boards import bits
from ggtp.game.building.cards import BACK, SUIT_NAMES, SYMBOLS, rows
from ggtp.game.building.trick_position import TrickPosition, sentence
from ggtp.game.building.tricks import Tricks, mask_of

from .contract import (
    DECK,
    DISCARD,
    FOREHAND,
    FROM_HAND,
    GRAND,
    HAND_SIZE,
    HOLD,
    LOOK,
    NULL,
    NULL_VALUES,
    PASS,
    PLAYERS,
    POINTS,
    SKAT_SIZE,
    WITH_SKAT,
    Bidding,
    Contract,
    cards_seen,
    deal_text,
    fill,
    order_of,
    outcome,
    read_deal,
)
from .play import sensible
from .prospect import promising, prospects, spared

SKAT_PLACE = -1
"""Where the skat lies, beside the players' numbers."""
SEEGER, SEEGER_OTHERS = 50, 40
"""What a game won or lost counts beside its value, and what the others get for one that was lost."""
SENSIBLE = 0.9
"""How often a card of a playout is one that a player would play; else it is any."""


@cache
def _places(kind: int) -> tuple[int, ...]:
    """Where each card stands in a hand as players hold it in a game."""
    order, _ = order_of(kind)
    suits, power = order.suit_of, order.power
    held = sorted(DECK.cards, key=lambda card: (suits[card] == order.trump, suits[card], power[card]), reverse=True)
    return tuple(held.index(card) for card in DECK.cards)


class SkatPosition(TrickPosition, CasualMoves):
    """Where a deal stands."""

    __slots__ = (
        "_bid",
        "_bidding",
        "_contract",
        "_declarer",
        "_log",
        "_looked",
        "_scoring",
        "_skat",
    )

    seats = PLAYERS
    deck = DECK
    named = 4

    def __init__(self, scoring: str) -> None:
        """The position before the deal."""
        super().__init__((), None)
        self._scoring = scoring
        self._skat = 0
        """What lies there now: 0 while the declarer has it in his hand."""
        self._bidding: Bidding | None = None
        self._log: tuple[Move, ...] = ()
        """What was said when bidding."""
        self._bid = 0
        self._declarer: int | None = None
        self._looked = False
        self._contract: Contract | None = None

    def _with(self, **changes: Any) -> SkatPosition:
        """The same position, except for the fields that are named, without their underscores."""
        after = SkatPosition.__new__(SkatPosition)
        for name in FIELDS:
            setattr(after, name, getattr(self, name))
        for name, value in changes.items():
            setattr(after, f"_{name}", value)
        after._moves = None
        return after

    # Whose turn it is.

    def _over(self) -> bool:
        if not self._hands or self._bidding is not None:
            return False
        if self._declarer is None:
            return True
        tricks = self._tricks
        if tricks is None or tricks.table:
            return False
        if len(tricks.done) == HAND_SIZE:
            return True
        null = self._contract is not None and self._contract.kind == NULL
        return null and bool(tricks.done) and tricks.done[-1].winner == self._declarer

    def _to_move(self) -> int:
        """The number of the player at turn, while the game goes on."""
        if self._bidding is not None:
            return self._bidding.to_speak()
        if self._tricks is not None:
            return self._tricks.to_play()
        assert self._declarer is not None
        return self._declarer

    def _listed(self) -> list[Move]:
        if self._bidding is not None:
            return self._bidding.moves()
        if self._tricks is not None and self._contract is not None:
            order, followers = order_of(self._contract.kind)
            legal = self._tricks.legal(self._hands[self._tricks.to_play()], order, followers)
            return [DECK.names[card] for card in self._sorted(legal)]
        if not self._looked:
            return [LOOK, *self._allowed(FROM_HAND)]
        if not self._skat:
            cards = self._sorted(self._hands[self._to_move()])
            return [f"{DISCARD} {DECK.names[one]} {DECK.names[two]}" for one, two in combinations(cards, 2)]
        return self._allowed(WITH_SKAT)

    def likely(self, player: Player) -> Sequence[Move]:
        """The lowest bid, games that may be won, and for the skat what they do not need."""
        listed = self.moves(player)
        if self._tricks is not None or not listed:
            return listed
        if self._bidding is not None:
            return listed[:2]
        cards, away = self._hands[PLAYERS.index(player)], self._skat if self._looked else 0
        if self._looked and not away:
            spare = {
                pair for kind in promising(cards, 0) for pair in combinations(self._sorted(spared(cards, kind)), 2)
            }
            return [move for move in listed if tuple(map(DECK.numbers.__getitem__, move.split(" ")[1:])) in spare]
        contracts = WITH_SKAT if self._looked else FROM_HAND
        # Who has not looked need not play anything yet.
        kinds = promising(cards, away, least=0.0 if self._looked else 0.75)
        games = [
            move for move in listed if move != LOOK and contracts[move].kind in kinds and not contracts[move].announced
        ]
        return games or listed if self._looked else [LOOK, *games]

    def casual(self, player: Player, rng: random.Random) -> Move:
        """In the play mostly a sensible card, by what the player knows."""
        listed = self.likely(player)
        if self._tricks is None or self._contract is None or self._declarer is None or len(listed) == 1:
            return rng.choice(listed)
        if rng.random() >= SENSIBLE:
            return rng.choice(listed)
        legal = mask_of(DECK.numbers[name] for name in listed)
        hand = self._hands[PLAYERS.index(player)]
        return DECK.names[sensible(self._contract.kind, self._declarer, hand, legal, self._tricks)]

    def _allowed(self, contracts: Mapping[Move, Contract]) -> list[Move]:
        """The games that may be announced: no null game that is worth less than the bid."""
        return [
            name
            for name, contract in contracts.items()
            if contract.kind != NULL or NULL_VALUES[contract.hand, contract.ouvert] >= self._bid
        ]

    def _places(self) -> Sequence[int]:
        """The jacks first, then the trumps, then suit by suit."""
        return _places(self._contract.kind if self._contract is not None else GRAND)

    def _deal(self, text: str) -> Move:
        return deal_text(*read_deal(text))

    def _meant(self, text: str) -> Move:
        text = text.casefold()
        words = ["discard" if word in ("press", "drop", "bury") else word for word in text.split()]
        if self._tricks is None and self._looked and not self._skat:
            cards = DECK.read_all(" ".join(word for word in words if word != DISCARD))
            return f"{DISCARD} {DECK.text(self._sorted(mask_of(cards)))}" if cards else text
        if self._tricks is not None:
            card = DECK.read(text)
            return DECK.names[card] if card is not None else text
        if self._bidding is not None and self._bidding.answering and text == str(self._bidding.bid):
            return HOLD  # to say the value again is to hold it
        known = BID_WORDS if self._bidding is not None else GAME_WORDS
        return " ".join(known.get(word, word) for word in words)

    # Chance.

    def draw(self, rng: random.Random) -> Move:
        cards = rng.sample(DECK.cards, DECK.size)
        return deal_text([mask_of(cards[start : start + HAND_SIZE]) for start in (0, 10, 20)], mask_of(cards[30:]))

    # What is done.

    def after(self, move: Move) -> SkatPosition:
        """The position after a move of whoever is at turn; that it may be made was looked at before."""
        if not self._hands:
            hands, skat = read_deal(move)
            return self._with(hands=tuple(hands), skat=skat, bidding=Bidding())
        if self._bidding is not None:
            return self._after_word(move)
        if self._tricks is not None and self._contract is not None:
            card, player = DECK.numbers[move], self._tricks.to_play()
            order, _ = order_of(self._contract.kind)
            return self._with(
                hands=self._put(player, self._hands[player] & ~(1 << card)), tricks=self._tricks.after(card, order)
            )
        assert self._declarer is not None
        mine = self._hands[self._declarer]
        if move == LOOK:
            return self._with(hands=self._put(self._declarer, mine | self._skat), skat=0, looked=True)
        if move.startswith(DISCARD):
            away = mask_of(DECK.read_all(move[len(DISCARD) :]) or ())
            return self._with(hands=self._put(self._declarer, mine & ~away), skat=away)
        contract = (WITH_SKAT if self._looked else FROM_HAND)[move]
        return self._with(contract=contract, tricks=Tricks(len(PLAYERS), FOREHAND))

    def _after_word(self, word: Move) -> SkatPosition:
        assert self._bidding is not None
        log = (*self._log, f"{PLAYERS[self._bidding.to_speak()]} {word}")
        bid = int(word) if word.isdigit() else self._bidding.bid
        following = self._bidding.after(word)
        if isinstance(following, Bidding):
            return self._with(bidding=following, log=log, bid=bid)
        return self._with(bidding=None, log=log, bid=bid, declarer=following)

    def _settled(self, after: TrickPosition) -> str:
        assert isinstance(after, SkatPosition)
        if self._bidding is None or after._bidding is not None or after._declarer is None:
            return ""
        return f"{PLAYERS[after._declarer]} plays, for {after._bid}."

    # How it ended.

    def _points(self) -> int:
        """What the declarer's tricks and the skat count."""
        assert self._tricks is not None
        taken = [card for trick in self._tricks.done if trick.winner == self._declarer for card in trick.cards]
        return sum(POINTS[card] for card in (*taken, *bits(self._skat)))

    def _all_cards(self) -> int:
        """The declarer's cards with the skat."""
        assert self._declarer is not None
        played = self._tricks.played_by(self._declarer) if self._tricks is not None else 0
        return self._hands[self._declarer] | self._skat | played

    def result(self) -> Result | None:
        if not self._over():
            return None
        if self._declarer is None:
            return Result(dict.fromkeys(PLAYERS, Standing.DRAW), dict.fromkeys(PLAYERS, 0), "all have passed")
        assert self._contract is not None
        assert self._tricks is not None
        taken = sum(trick.winner == self._declarer for trick in self._tricks.done)
        end = outcome(self._contract, self._bid, self._all_cards(), self._points(), taken)
        scores = dict.fromkeys(PLAYERS, 0)
        scores[PLAYERS[self._declarer]] = end.score
        if self._scoring == "seeger":
            for player in range(len(PLAYERS)):
                if player == self._declarer:
                    scores[PLAYERS[player]] += SEEGER if end.won else -SEEGER
                elif not end.won:
                    scores[PLAYERS[player]] += SEEGER_OTHERS
        standings = {
            player: Standing.WIN if (index == self._declarer) == end.won else Standing.LOSS
            for index, player in enumerate(PLAYERS)
        }
        return Result(standings, scores, f"{PLAYERS[self._declarer]}: {end.reason}")

    def estimate(self, player: Player) -> float | None:
        """Before the play: what the best game promises to whoever would play if nothing more were said."""
        if self._tricks is not None or not self._hands:
            return None
        declarer = self._declarer if self._bidding is None else self._bidding.leader()
        if declarer is None:
            return 0.0
        cards, away = self._hands[declarer], self._skat
        if not self._looked:
            cards, away = cards | away, 0  # who plays takes it up
        bonus = SEEGER if self._scoring == "seeger" else 0
        best = max(prospects(cards, away, self._bid), key=lambda one: one.score(bonus))
        if declarer == PLAYERS.index(player):
            return best.score(bonus)
        return (1 - best.chance) * SEEGER_OTHERS if bonus else 0.0

    # Who knows what.

    def _dealt_to(self, move: Move, player: int) -> str:
        return DECK.text(self._sorted(read_deal(move)[0][player]))

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if actor == CHANCE:
            words = move.split(" ")
            return " ".join(
                word if index < 3 and PLAYERS[index] == observer else HIDDEN for index, word in enumerate(words)
            )
        if self._bidding is not None or self._tricks is not None:
            return move
        if move == LOOK:
            return f"{move} {DECK.text(self._sorted(self._skat))}" if actor == observer else move
        if move.startswith(DISCARD):
            return move if actor == observer else DISCARD
        contract = WITH_SKAT.get(move) or FROM_HAND.get(move)
        if contract is None or not contract.ouvert:
            return move
        return f"{move} {DECK.text(self._sorted(self._hands[PLAYERS.index(actor)]), '')}"

    def _open(self, player: int, observer: Player | None) -> bool:
        """Whether the observer sees that player's cards."""
        if observer is None or observer == PLAYERS[player]:
            return True
        return self._contract is not None and self._contract.ouvert and player == self._declarer

    def _knows_skat(self, observer: Player | None) -> bool:
        """Whether the observer knows what lies in the skat: who put it there, and in the end everybody."""
        mine = self._looked and self._declarer is not None and PLAYERS[self._declarer] == observer
        played_out = self._tricks is not None and len(self._tricks.done) == HAND_SIZE
        return observer is None or mine or played_out

    def view(self, player: Player | None) -> str:
        if not self._hands:
            return "the cards are to be dealt"
        parts = []
        for index, name in enumerate(PLAYERS):
            cards = self._hands[index]
            face = DECK.text(self._sorted(cards)) if self._open(index, player) else f"{cards.bit_count()} cards"
            parts.append(f"{name} {face or 'no cards'}")
        if self._skat:
            parts.append(f"skat {DECK.text(self._sorted(self._skat))}" if self._knows_skat(player) else "skat ??")
        parts += ["bidding " + " - ".join(self._log)] if self._log else []
        if self._contract is not None:
            parts.append(f"game {self._contract.text}")
        if self._tricks is not None:
            parts += [f"{self._led(trick.leader, trick.cards)}: {PLAYERS[trick.winner]}" for trick in self._tricks.done]
            if self._tricks.table:
                parts.append(self._led(self._tricks.leader, self._tricks.table))
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        if self._over():
            return "over"
        name = PLAYERS[self._to_move()]
        if self._bidding is not None:
            if self._bidding.answering:
                return f"{name} holds {self._bidding.bid} or passes"
            return f"{name} bids or passes"
        if self._tricks is not None:
            return f"{name} plays a card"
        if not self._looked:
            return f"{name} looks at the skat or announces a hand game"
        return f"{name} discards two cards" if not self._skat else f"{name} announces a game"

    def key(self) -> Hashable:
        return (self._scoring, self._hands, self._skat, self._log, self._looked, self._contract, self._tricks)

    def picture(self, player: Player | None) -> Picture:
        if not self._hands:
            return Picture((rows([(name, [BACK] * HAND_SIZE) for name in PLAYERS]), Note("The cards are to be dealt.")))
        shown = []
        for index, name in enumerate(PLAYERS):
            shown.append((f"* {name}" if index == self._declarer else name, self._row(index, player)))
        extra = self._last_trick()
        if self._skat:
            known = self._knows_skat(player)
            extra.append(("skat", [DECK.cells[card] if known else BACK for card in self._sorted(self._skat)]))
        parts = [rows(shown), *([rows(extra)] if extra else [])]
        notes = [f"Bidding: {', '.join(self._log)}."] if self._log and self._tricks is None else []
        if self._contract is not None and self._declarer is not None:
            bid = f", {self._bid} bid" if self._bid else ""
            notes.append(f"{PLAYERS[self._declarer]} plays {self._contract.text}{bid}.")
        if self._tricks is not None and self._tricks.done:
            notes.append(self._count(player))
        state = self._state()
        return Picture((*parts, *(Note(text) for text in notes), Note(sentence(state), "mark")))

    def _count(self, player: Player | None) -> str:
        """The points in the tricks so far; of the skat's, only those that the player knows."""
        assert self._tricks is not None
        mine = others = 0
        for trick in self._tricks.done:
            points = sum(POINTS[card] for card in trick.cards)
            mine, others = (mine + points, others) if trick.winner == self._declarer else (mine, others + points)
        assert self._declarer is not None
        counted = f"{PLAYERS[self._declarer]} has {mine} points in tricks, the others {others}"
        if not self._knows_skat(player):
            return f"{counted}."
        return f"{counted}; {sum(POINTS[card] for card in bits(self._skat))} in the skat."

    # What may be.

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if not self._hands or player not in PLAYERS:
            return self
        hidden = self._skat and not self._knows_skat(player)
        order = order_of(self._contract.kind)[0] if self._contract is not None else None
        dealt = self._redeal(player, order, rng, {SKAT_PLACE: self._skat} if hidden else None)
        hands = tuple(dealt.get(index, hand) for index, hand in enumerate(self._hands))
        return self._with(hands=hands, skat=dealt.get(SKAT_PLACE, self._skat))

    def follow(self, player: Player, told: Sequence[tuple[Player, Move]]) -> SkatPosition:
        """The position after what a player was told, with any cards for the others; nobody need have followed suit."""
        position = self
        for index, (actor, text) in enumerate(told):
            words = text.split(" ")
            if actor == CHANCE:
                position = position.after(fill(player, words, told[index + 1 :]))
            elif position._bidding is not None or position._tricks is not None:
                position = position.after(text)
            elif words[0] == LOOK:
                position = position.after(LOOK)
            elif text == DISCARD:
                position = position._discard_unplayed(told[index + 1 :])
            elif words[0] == DISCARD:
                position = position.after(text)
            else:
                name = text if text in FROM_HAND or text in WITH_SKAT else " ".join(words[:-1])
                position = position.after(name)
        return position

    def _discard_unplayed(self, later: Sequence[tuple[Player, Move]]) -> SkatPosition:
        """The declarer discards any two cards that he is not seen with later."""
        assert self._declarer is not None
        kept = cards_seen(PLAYERS[self._declarer], later)
        free = list(bits(self._hands[self._declarer] & ~kept))[:SKAT_SIZE]
        return self.after(f"{DISCARD} {DECK.text(free)}")


BID_WORDS = {
    "p": PASS, "passe": PASS, "weg": PASS, "no": PASS, "n": PASS,
    "yes": HOLD, "y": HOLD, "ja": HOLD, "j": HOLD, "h": HOLD,
}  # fmt: skip
GAME_WORDS = {
    "look": LOOK, "take": LOOK, "pick": LOOK, "d": "diamonds", "h": "hearts", "s": "spades", "c": "clubs", "g": "grand",
    "n": "null", "open": "ouvert", "nullo": "null", **{SYMBOLS[suit]: SUIT_NAMES[suit] for suit in DECK.suits},
}  # fmt: skip


FIELDS = (*TrickPosition.__slots__, *SkatPosition.__slots__)
"""What a position is made of."""
