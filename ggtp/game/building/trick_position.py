"""Positions of games in which chance deals, the players bid, and then tricks are played.

A rule says what is dealt and bid, and what the end is worth. Turns, legal checks, the reading of cards, and the hands
that a player can't see are the same in all of them. Hands are sets of cards as bits.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game.advice import Determinizes, Estimates, LikelyMoves
from ggtp.game.building.boards import bits
from ggtp.game.building.cards import BACK, Deck
from ggtp.game.building.replies import unknown_move
from ggtp.game.building.tricks import Order, Tricks, redeal, why_not
from ggtp.game.model import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Announcement,
    Move,
    Player,
    Position,
    Turn,
    Verdict,
    single,
)
from ggtp.game.picture import Cell

NO_CARD = Cell("--", "empty")
EDGE = Cell("|", "muted")
"""What separates the cards on the table from the hands."""


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


class TrickPosition(Position, Determinizes, Estimates, LikelyMoves):
    """Where a deal stands; the hands are empty until chance has dealt."""

    __slots__ = ("_hands", "_moves", "_tricks")

    seats: ClassVar[tuple[Player, ...]]
    deck: ClassVar[Deck]
    named: ClassVar[int] = 6
    """How many moves the answer to an unknown text names."""
    _turns: ClassVar[tuple[Turn, ...]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._turns = tuple(map(single, cls.seats))

    def __init__(self, hands: tuple[int, ...], tricks: Tricks | None) -> None:
        self._hands = hands
        """The cards that everybody has left."""
        self._tricks = tricks
        """Set once the bidding is over and somebody plays."""
        self._moves: tuple[Player, tuple[Move, ...]] | None = None
        """The player to move and the moves, once somebody has asked for them: a move is looked up before it is made."""

    # What a rule says.

    @abstractmethod
    def after(self, move: Move) -> TrickPosition:
        """The position after a legal move; nothing is checked."""

    @abstractmethod
    def _over(self) -> bool:
        """Whether the cards were dealt and nothing is to be done any more."""

    @abstractmethod
    def _to_move(self) -> int:
        """The number of the player to move, while the game goes on."""

    @abstractmethod
    def _listed(self) -> list[Move]:
        """The moves of the player to move."""

    @abstractmethod
    def _places(self) -> Sequence[int]:
        """Where each card stands in a hand."""

    @abstractmethod
    def _deal(self, text: str) -> Move:
        """The canonical deal that the text means.

        Raises:
            MalformedMove: it means none.
        """

    @abstractmethod
    def _dealt_to(self, move: Move, player: int) -> str:
        """The hand that a deal gives to a player, as people read it."""

    @abstractmethod
    def _meant(self, text: str) -> Move:
        """What a text means that is not the name of a move: a move's name, or any text if it means none."""

    @abstractmethod
    def _settled(self, after: TrickPosition) -> str:
        """What the umpire says if the bidding ends with this move; empty if it does not."""

    @abstractmethod
    def _open(self, player: int, observer: Player | None) -> bool:
        """Whether the observer sees that player's cards."""

    def _holder(self, player: Player) -> tuple[int, str]:
        """Whose cards the player to move plays, as a number and in words."""
        return self._to_move(), player

    # Turns and moves.

    def turn(self) -> Turn:
        if not self._hands:
            return CHANCE_TURN
        return OVER if self._over() else self._turns[self._to_move()]

    def moves(self, player: Player) -> Sequence[Move]:
        if self._moves is None:
            going_on = self._hands and not self._over()
            self._moves = (self.seats[self._to_move()], tuple(self._listed())) if going_on else ("", ())
        mover, listed = self._moves
        return listed if player == mover else ()

    def parse(self, player: Player, text: str) -> Move:
        plain = " ".join(text.split())
        if player == CHANCE and not self._hands:
            return self._deal(plain)
        listed = self.moves(player)
        if plain in listed:
            return plain
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        move = self._meant(plain)
        if move in listed:
            return move
        if self._tricks is not None and move in self.deck.numbers:
            holder, whose = self._holder(player)
            held = self._hands[holder] >> self.deck.numbers[move] & 1
            raise IllegalMove(why_not(move, bool(held), whose, listed))
        raise unknown_move(player, plain, listed, self.named)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if not self._hands and player == CHANCE:
            try:
                known = self._deal(move) == move
            except MalformedMove:
                known = False
            if not known:
                raise IllegalMove(f"Chance cannot deal {move[:80]}.")
        elif move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        after = self.after(move)
        return Verdict(after, ((player, move),), announcements=self._said(after))

    def _said(self, after: TrickPosition) -> tuple[Announcement, ...]:
        result = after.result()
        if result is not None:
            return (Announcement(sentence(result.reason)),)
        text = self._settled(after) if self._tricks is None else ""
        return (Announcement(text),) if text else ()

    def _put(self, player: int, hand: int) -> tuple[int, ...]:
        """The hands with another in place of a player's."""
        return (*self._hands[:player], hand, *self._hands[player + 1 :])

    # Who knows what.

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        if actor != CHANCE or observer not in self.seats:
            return self.seen(actor, move, observer)
        return f"hand {self._dealt_to(move, self.seats.index(observer))}"

    def _redeal(
        self, observer: Player, order: Order | None, rng: random.Random, beside: Mapping[int, int] | None = None
    ) -> dict[int, int]:
        """Deal again what the observer can't see: others' hands, and the cards of places `beside` them."""
        hidden = {place: hand for place, hand in enumerate(self._hands) if not self._open(place, observer)}
        hidden |= beside or {}
        pool = 0
        for cards in hidden.values():
            pool |= cards
        return redeal(pool, {place: cards.bit_count() for place, cards in hidden.items()}, self._tricks, order, rng)

    # How it looks.

    def _sorted(self, cards: int) -> list[int]:
        """The cards of a hand as players hold them."""
        return sorted(bits(cards), key=self._places().__getitem__)

    def _led(self, leader: int, cards: Iterable[int]) -> str:
        return f"{self.seats[leader]} led {self.deck.text(cards)}"

    def _row(self, player: int, observer: Player | None) -> list[Cell]:
        """The card that a player has in the trick on the table, and the hand as the observer sees it."""
        face = self._open(player, observer)
        hand = [self.deck.cells[card] if face else BACK for card in self._sorted(self._hands[player])]
        if self._tricks is None:
            return hand
        place = (player - self._tricks.leader) % len(self.seats)
        table = self._tricks.table
        return [self.deck.cells[table[place]] if place < len(table) else NO_CARD, EDGE, *hand]

    def _last_trick(self) -> list[tuple[str, list[Cell]]]:
        """A row with the last trick, if there is one."""
        if self._tricks is None or not self._tricks.done:
            return []
        trick = self._tricks.done[-1]
        label = f"{self.seats[trick.leader]} led, {self.seats[trick.winner]} took"
        return [(label, [self.deck.cells[card] for card in trick.cards])]
