"""Positions of Bridge: the deal, the auction, the play of the cards, and what each player sees of them."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ggtp.game import (
    CHANCE,
    Cell,
    Grid,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Result,
    Standing,
)
from ggtp.game.building.boards import bits
from ggtp.game.building.cards import BACK, SYMBOLS, rows
from ggtp.game.building.trick_position import TrickPosition, sentence
from ggtp.game.building.tricks import Tricks, mask_of

from .contract import (
    ALL,
    DECK,
    HAND_SIZE,
    NO_TRUMP,
    PASS,
    PLAYERS,
    UNKNOWN,
    Auction,
    Contract,
    deal_text,
    dealer_of,
    expected_score,
    hand_text,
    order_of,
    read_call,
    read_deal,
    read_hand,
    score,
    vulnerable_on,
)

DUMMY = "dummy"
"""What stands before dummy's hand where the opening lead is told."""
GAMES = ("3NT", "4H", "4S", "5C", "5D")
"""The lowest bids that score a game."""
SIDES = ("North and South", "East and West")
PLACES = [
    tuple(-card - (DECK.size if DECK.suit_of[card] == trump else 0) for card in DECK.cards)
    for trump in range(NO_TRUMP + 1)
]
"""For each denomination, where a card stands in a hand: trumps and then spades first, each suit from the top."""


class BridgePosition(TrickPosition):
    """Where a board stands."""

    __slots__ = ("_auction", "_board", "_contract")

    seats = PLAYERS
    deck = DECK

    def __init__(
        self,
        board: int,
        hands: tuple[int, ...] = (),
        auction: Auction | None = None,
        contract: Contract | None = None,
        tricks: Tricks | None = None,
    ) -> None:
        super().__init__(hands, tricks)
        self._board = board
        self._auction = auction or Auction(dealer_of(board))
        self._contract = contract
        """Set when the auction is over and somebody plays."""

    def _with(self, **changes: Any) -> BridgePosition:
        values: dict[str, Any] = {
            "hands": self._hands,
            "auction": self._auction,
            "contract": self._contract,
            "tricks": self._tricks,
            **changes,
        }
        return BridgePosition(self._board, **values)

    # Whose turn it is.

    def _over(self) -> bool:
        if self._tricks is not None:
            return len(self._tricks.done) == HAND_SIZE
        return self._auction.over()

    def _dummy(self) -> int:
        """The number of the player whose cards the declarer plays, or -1."""
        return (self._contract.declarer + 2) % 4 if self._contract is not None else -1

    def _exposed(self) -> bool:
        """Whether dummy's cards lie open: from the opening lead on."""
        return self._tricks is not None and bool(self._tricks.table or self._tricks.done)

    def _to_move(self) -> int:
        if self._tricks is None or self._contract is None:
            return self._auction.to_call()
        player = self._tricks.to_play()
        return self._contract.declarer if player == self._dummy() else player

    def _listed(self) -> list[Move]:
        if self._tricks is None or self._contract is None:
            return self._auction.legal()
        order, followers = order_of(self._contract.denomination)
        legal = self._tricks.legal(self._hands[self._tricks.to_play()], order, followers)
        return [DECK.names[card] for card in self._sorted(legal)]

    def likely(self, player: Player) -> Sequence[Move]:
        """In the auction: no bid that says no more than a lower one, unless it is for a game."""
        listed = self.moves(player)
        if self._tricks is not None:
            return listed
        lowest = {call[1:]: call for call in reversed(listed) if call[0].isdigit()}.values()
        return [call for call in listed if not call[0].isdigit() or call in lowest or call in GAMES]

    def _places(self) -> Sequence[int]:
        """Trumps and then spades first, each suit from the top."""
        return PLACES[self._contract.denomination if self._contract is not None else NO_TRUMP]

    def _deal(self, text: str) -> Move:
        return deal_text(read_deal(text))

    def _meant(self, text: str) -> Move:
        if self._tricks is None:
            return read_call(text)
        card = DECK.read(text)
        return text if card is None else DECK.names[card]

    def _holder(self, player: Player) -> tuple[int, str]:
        assert self._tricks is not None
        holder = self._tricks.to_play()
        return holder, f"Dummy, from which {player} plays now," if holder == self._dummy() else player

    def draw(self, rng: random.Random) -> Move:
        cards = rng.sample(DECK.cards, DECK.size)
        return deal_text([mask_of(cards[start : start + HAND_SIZE]) for start in range(0, DECK.size, HAND_SIZE)])

    # What is done.

    def after(self, move: Move) -> BridgePosition:
        """The position after a move of whoever is at turn; that it may be made was looked at before."""
        if not self._hands:
            return self._with(hands=tuple(read_deal(move)))
        if self._tricks is None or self._contract is None:
            auction = replace(self._auction, calls=(*self._auction.calls, move))
            contract = auction.contract() if auction.over() else None
            if contract is None:
                return self._with(auction=auction)
            return self._with(auction=auction, contract=contract, tricks=Tricks(4, (contract.declarer + 1) % 4))
        card, player = DECK.numbers[move], self._tricks.to_play()
        hands = self._put(player, self._hands[player] & ~(1 << card))
        return self._with(hands=hands, tricks=self._tricks.after(card, order_of(self._contract.denomination)[0]))

    def _settled(self, after: TrickPosition) -> str:
        assert isinstance(after, BridgePosition)
        contract = after._contract
        if contract is None or self._contract is not None:
            return ""
        return f"{PLAYERS[contract.declarer]} plays {contract.text}; {PLAYERS[(contract.declarer + 1) % 4]} leads."

    # How it ended.

    def _taken(self) -> tuple[int, int]:
        """The tricks of North and South, and of East and West."""
        if self._tricks is None:
            return 0, 0
        first = sum(trick.winner % 2 == 0 for trick in self._tricks.done)
        return first, len(self._tricks.done) - first

    def result(self) -> Result | None:
        if not self._hands or not self._over():
            return None
        contract = self._contract
        if contract is None:
            return Result(dict.fromkeys(PLAYERS, Standing.DRAW), dict.fromkeys(PLAYERS, 0), "passed out")
        side = contract.declarer % 2
        tricks = self._taken()[side]
        points = score(contract, tricks, vulnerable_on(self._board)[side])
        scores = {player: points if index % 2 == side else -points for index, player in enumerate(PLAYERS)}
        standings = {player: Standing.WIN if scores[player] > 0 else Standing.LOSS for player in PLAYERS}
        over = tricks - contract.level - 6
        made = f"made{f' with {over} over' if over else ''}" if over >= 0 else f"{-over} down"
        return Result(standings, scores, f"{contract.text} by {PLAYERS[contract.declarer]} {made}, {points:+}")

    def estimate(self, player: Player) -> float | None:
        """During the auction: what the contract is worth if nothing more is bid. Nothing is said of the play."""
        if self._tricks is not None or not self._hands:
            return None
        contract = self._auction.contract()
        if contract is None:
            return 0.0
        side = contract.declarer % 2
        worth = expected_score(contract, (self._hands[side], self._hands[side + 2]), vulnerable_on(self._board)[side])
        return worth if PLAYERS.index(player) % 2 == side else -worth

    # Who knows what.

    def _dealt_to(self, move: Move, player: int) -> str:
        return hand_text(read_deal(move)[player])

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if actor == CHANCE:
            words = move[2:].split(" ")
            mine = [word if PLAYERS[index] == observer else UNKNOWN for index, word in enumerate(words)]
            return "N:" + " ".join(mine)
        if self._tricks is None or self._exposed():
            return move
        return f"{move} {DUMMY} {hand_text(self._hands[self._dummy()])}"

    def _open(self, player: int, observer: Player | None) -> bool:
        """Whether the observer sees that player's cards."""
        return observer is None or PLAYERS[player] == observer or (player == self._dummy() and self._exposed())

    def view(self, player: Player | None) -> str:
        if not self._hands:
            return f"board {self._board}; the cards are to be dealt"
        parts = [f"board {self._board}"]
        for index, name in enumerate(PLAYERS):
            hand = self._hands[index]
            parts.append(f"{name} {hand_text(hand) if self._open(index, player) else hand.bit_count()}")
        if self._auction.calls:
            parts.append(f"{PLAYERS[self._auction.dealer]} {' '.join(self._auction.calls)}")
        if self._contract is not None and self._tricks is not None:
            parts.append(f"{self._contract.text} {PLAYERS[self._contract.declarer]}")
            tricks = self._tricks
            parts += [self._led(trick.leader, trick.cards) for trick in tricks.done]
            if tricks.table:
                parts.append(self._led(tricks.leader, tricks.table))
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        if self._over():
            return "over"
        name = PLAYERS[self._to_move()]
        if self._tricks is None:
            return f"{name} calls"
        if self._tricks.to_play() == self._dummy():
            return f"{name} plays from dummy"
        return f"{name} {'plays' if self._exposed() else 'leads'}"

    def key(self) -> Hashable:
        return (self._board, self._hands, self._auction, self._tricks)

    def picture(self, player: Player | None) -> Picture:
        dealt = bool(self._hands)
        shown = []
        for index, name in enumerate(PLAYERS):
            cells = self._row(index, player) if dealt else [BACK] * HAND_SIZE
            shown.append((f"{self._mark(index)}{name}", cells))
        parts: list[Grid | Note] = [rows(shown)]
        if self._tricks is None and self._auction.calls:
            parts.append(self._calls())
        last = self._last_trick()
        if last:
            parts.append(rows(last))
        if self._contract is not None:
            first, second = self._taken()
            plays = f"{PLAYERS[self._contract.declarer]} plays {self._contract.text}"
            parts.append(Note(f"{plays}. Tricks: {SIDES[0]} {first}, {SIDES[1]} {second}."))
        sides = [side for side, vulnerable in zip(SIDES, vulnerable_on(self._board), strict=True) if vulnerable]
        dealer = PLAYERS[dealer_of(self._board)]
        parts.append(
            Note(f"Board {self._board}, dealer {dealer}, vulnerable {' and '.join(sides) or 'nobody'}.", "muted")
        )
        state = self._state() if dealt else "the cards are to be dealt"
        parts.append(Note(sentence(state), "mark"))
        return Picture(tuple(parts))

    def _mark(self, player: int) -> str:
        if self._contract is None:
            return ""
        return "* " if player == self._contract.declarer else "dummy " if player == self._dummy() else ""

    def _calls(self) -> Grid:
        """The auction, in the columns of the players from the dealer's on."""
        cells = [_call_cell(call) for call in self._auction.calls]
        lines = tuple(tuple(cells[start : start + 4]) for start in range(0, len(cells), 4))
        columns = tuple(PLAYERS[(self._auction.dealer + offset) % 4] for offset in range(4))
        return Grid(lines, columns=columns)

    # What may be.

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if not self._hands or player not in PLAYERS:
            return self
        order = order_of(self._contract.denomination)[0] if self._contract is not None else None
        dealt = self._redeal(player, order, rng)
        return self._with(hands=tuple(dealt.get(index, hand) for index, hand in enumerate(self._hands)))

    def follow(self, player: Player, told: Sequence[tuple[Player, Move]]) -> BridgePosition:
        """The position after what a player was told, with any cards for the others; nobody need have followed suit."""
        position, me, known = self, PLAYERS.index(player), {}
        for actor, text in told:
            words = text.split(" ")
            if actor == CHANCE:
                known[me] = read_hand(words[me].removeprefix("N:"))
                position = position._with(hands=(known[me],) * 4)
                continue
            if DUMMY in words:
                known[position._dummy()] = read_hand(words[-1])
            if position._tricks is None and words[0] not in position._auction.legal():
                raise ValueError(f"nobody could call {words[0]}")
            position = position.after(words[0])
        if not known:
            return position
        played = [position._tricks.played_by(index) if position._tricks is not None else 0 for index in range(4)]
        hands = [known.get(index, played[index]) for index in range(4)]
        free = ALL
        for hand in hands:
            free &= ~hand
        left = bits(free)
        filled = [hand | mask_of(islice(left, HAND_SIZE - hand.bit_count())) for hand in hands]
        return position._with(hands=tuple(hand & ~gone for hand, gone in zip(filled, played, strict=True)))


def _call_cell(call: Move) -> Cell:
    """A call with the suit's sign."""
    if not call[0].isdigit():
        return Cell("pass" if call == PASS else call, "muted" if call == PASS else "mark")
    suit = call[1:]
    if suit == "NT":
        return Cell(call)
    return Cell(f"{call[0]}{SYMBOLS[suit]}", "bad" if suit in "DH" else "plain", call)
