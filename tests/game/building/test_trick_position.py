"""Facts about positions of trick-taking games, by a game of two players and eight cards without bidding."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import CHANCE, CHANCE_TURN, OVER, Move, Picture, Player, Position, Result, Standing
from ggtp.game.building.cards import Deck, rows
from ggtp.game.building.trick_position import TrickPosition, sentence
from ggtp.game.building.tricks import Order, Tricks, mask_of

DECK = Deck("9QKA", "HS", suit_first=True)
ORDER = Order(DECK.suit_of, DECK.rank_of)
FOLLOWERS = tuple(ORDER.followers(suit) for suit in range(2))
PLAYERS = ("Ann", "Bob")
ALL = mask_of(DECK.cards)


class Whist(TrickPosition):
    """A deal is Ann's hand; Bob has the other cards, and Ann leads. The most tricks win."""

    __slots__ = ()

    seats = PLAYERS
    deck = DECK
    named = 2

    def after(self, move: Move) -> Whist:
        if self._tricks is None:
            hand = mask_of(DECK.numbers[name] for name in move.split())
            return Whist((hand, ALL & ~hand), Tricks(2, 0))
        player, card = self._to_move(), DECK.numbers[move]
        return Whist(self._put(player, self._hands[player] & ~(1 << card)), self._tricks.after(card, ORDER))

    def _over(self) -> bool:
        return not any(self._hands)

    def _to_move(self) -> int:
        assert self._tricks is not None
        return self._tricks.to_play()

    def _listed(self) -> list[Move]:
        assert self._tricks is not None
        return [DECK.names[card] for card in self._sorted(self._tricks.legal(self._hand(), ORDER, FOLLOWERS))]

    def _hand(self) -> int:
        return self._hands[self._to_move()]

    def _places(self) -> range:
        return range(DECK.size, 0, -1)

    def _deal(self, text: str) -> Move:
        cards = DECK.read_all(text)
        if cards is None or len(set(cards)) != 4:
            raise MalformedMove("four cards")
        return DECK.text(sorted(cards))

    def _dealt_to(self, move: Move, player: int) -> str:
        return DECK.text(self._sorted(self.after(move)._hands[player]))

    def _meant(self, text: str) -> Move:
        card = DECK.read(text)
        return text if card is None else DECK.names[card]

    def _settled(self, after: TrickPosition) -> str:
        return "Ann leads."

    def _open(self, player: int, observer: Player | None) -> bool:
        return observer is None or observer == PLAYERS[player]

    def result(self) -> Result | None:
        if self._tricks is None or not self._over():
            return None
        won = sum(trick.winner == 0 for trick in self._tricks.done)
        ann = Standing.WIN if won > 2 else Standing.LOSS
        return Result({"Ann": ann, "Bob": Standing.DRAW}, {}, f"Ann took {won}")

    def estimate(self, player: Player) -> float | None:
        return None

    def likely(self, player: Player) -> tuple[Move, ...]:
        return tuple(self.moves(player))

    def determinize(self, player: Player, rng: random.Random) -> Position:
        dealt = self._redeal(player, ORDER, rng)
        return Whist(tuple(dealt.get(place, hand) for place, hand in enumerate(self._hands)), self._tricks)

    def view(self, player: Player | None) -> str:
        return " ".join(DECK.text(self._sorted(hand), "") for hand in self._hands)

    def key(self) -> Hashable:
        return (self._hands, self._tricks)

    def picture(self, player: Player | None) -> Picture:
        shown = [(name, self._row(index, player)) for index, name in enumerate(PLAYERS)]
        return Picture((rows([*shown, *self._last_trick()]),))


def after(*moves: str) -> Whist:
    position = Whist((), None)
    for move in moves:
        position = position.after(move)
    return position


DEAL = "HK HA S9 SQ"


def test_chance_deals_first() -> None:
    position = after()
    assert position.turn() is CHANCE_TURN
    assert [position.moves(player) for player in (*PLAYERS, CHANCE)] == [(), (), ()]
    assert position.parse(CHANCE, " sq  s9 hk HA ") == DEAL


def test_a_deal_has_to_be_canonical() -> None:
    verdict = after().play({CHANCE: DEAL})
    assert [words.text for words in verdict.announcements] == ["Ann leads."]
    for wrong in (DEAL.lower(), "HK HA", "nonsense"):
        with pytest.raises(IllegalMove, match="Chance cannot deal"):
            after().play({CHANCE: wrong})


def test_only_the_player_to_move_has_moves() -> None:
    position = after(DEAL, "HA")
    assert position.turn().players == ("Bob",)
    assert (position.moves("Ann"), position.moves(CHANCE)) == ((), ())
    assert all(card.startswith("H") for card in position.moves("Bob"))
    for player in ("Ann", CHANCE):
        with pytest.raises(IllegalMove):
            position.play({player: position.moves("Bob")[0]})


def test_texts_that_are_no_moves() -> None:
    position = after(DEAL, "HA")
    some = " / ".join(position.moves("Bob"))
    with pytest.raises(IllegalMove, match=f"^Bob has to follow suit: {some}"):
        position.parse("Bob", "sa")
    with pytest.raises(IllegalMove, match=r"^Bob does not have HK"):
        position.parse("Bob", "hk")
    with pytest.raises(IllegalMove, match=r"^It is not Ann's turn"):
        position.parse("Ann", "hk")
    with pytest.raises(MalformedMove, match=r"^No move named zz for player Ann: write one of \w\w / \w\w / and so on"):
        after(DEAL).parse("Ann", "zz")


def test_the_end_is_announced() -> None:
    position, rng = after(DEAL), random.Random(1)
    announced = []
    while position.turn() is not OVER:
        player = position.turn().players[0]
        verdict = position.play({player: rng.choice(position.moves(player))})
        announced += [words.text for words in verdict.announcements]
        assert isinstance(verdict.position, Whist)
        position = verdict.position
    result = position.result()
    assert result is not None
    assert announced == [sentence(result.reason)]


def test_a_player_is_told_the_own_hand() -> None:
    assert sorted(after().spoken(CHANCE, DEAL, "Ann").split()) == sorted(["hand", *DEAL.split()])
    assert after().spoken(CHANCE, DEAL, "watcher") == DEAL


def test_what_a_player_cannot_see_is_dealt_again() -> None:
    position = after("HA HK HQ S9", "HA", "H9")
    own, other = position.view(None).split()
    found = {str(position.determinize("Ann", random.Random(seed)).view(None)) for seed in range(20)}
    assert found == {f"{own} {other}"}
    hidden = after(DEAL).determinize("Bob", random.Random(1)).view(None).split()
    assert hidden[1] == after(DEAL).view(None).split()[1]


def test_a_row_has_the_card_on_the_table_and_hides_what_is_not_open() -> None:
    lines = [line.split() for line in after(DEAL, "HA").picture("Ann").plain()]
    assert lines[0][:3] == ["Ann", "A♥", "|"]
    assert lines[1] == ["Bob", "--", "|", *["??"] * 4]
    done = after(DEAL, "HA", "HQ").picture("Ann").plain()
    assert done[-1].split() == ["Ann", "led,", "Ann", "took", "A♥", "Q♥"]
