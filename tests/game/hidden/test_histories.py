"""Histories that are mended until they explain what was observed."""

import random

import pytest

from ggtp.errors import IllegalMove
from ggtp.game import CHANCE, CHANCE_TURN, HIDDEN, OVER, Position, Seen, Verdict, single
from ggtp.game.hidden.histories import Historian, History

CARDS = [f"{rank}{suit}" for suit in "abcd" for rank in "123456"]
PLAYERS = ("Me", "You", "They")
EACH = 8


class Deal(Position):
    """Every card is dealt, one by one and to each in turn; then each in turn plays a card of its hand."""

    def __init__(self, played=()):
        self.played = played

    def hand(self, player):
        mine = [card for index, (_, card) in enumerate(self.played[:24]) if PLAYERS[index % 3] == player]
        return [card for card in mine if (player, card) not in self.played[24:]]

    def turn(self):
        if len(self.played) < 24:
            return CHANCE_TURN
        return OVER if len(self.played) == 48 else single(PLAYERS[len(self.played) % 3])

    def moves(self, player):
        if player not in self.turn().players:
            return ()
        if player == CHANCE:
            dealt = {card for _, card in self.played}
            return [card for card in CARDS if card not in dealt]
        return self.hand(player)

    def chance(self):
        return [(card, 1) for card in self.moves(CHANCE)]

    def play(self, moves):
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(move)
        return Verdict(Deal((*self.played, (player, move))), ((player, move),))

    def seen(self, actor, move, observer):
        return HIDDEN if actor == CHANCE and PLAYERS[len(self.played) % 3] != observer else move

    def result(self):
        return None

    def view(self, player):
        return f"{self.hand(player)} {self.played[24:]}"

    def key(self):
        return self.played


def game(seed, turns):
    rng = random.Random(seed)
    position, seen = Deal(), []
    for _ in range(turns):
        (player,) = position.turn().players
        move = rng.choice(position.moves(player))
        seen.append(Seen(player, position.seen(player, move, "Me")))
        position = position.play({player: move}).position
    return position, seen


@pytest.mark.parametrize("turns", [24, 30, 44])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_deal_is_mended_until_it_explains_who_played_what(seed, turns):
    position, seen = game(seed, turns)
    historian = Historian("Me", random.Random(seed))
    found = historian.mend(historian.begin(Deal(), seen), seen, 5000, lambda: False)
    assert found.explains(seen)
    assert found.position.view("Me") == position.view("Me")


def test_a_history_is_followed_and_kept_as_far_as_it_can_be() -> None:
    _, seen = game(5, 44)
    historian = Historian("Me", random.Random(5))
    half = historian.mend(historian.begin(Deal(), seen[:36]), seen[:36], 5000, lambda: False)
    more = historian.begin(Deal(), seen, half)
    assert more.moves()[:24] == half.moves()[:24]
    assert more.done >= 36
    assert historian.mend(more, seen, 5000, lambda: False).explains(seen)


def test_what_explains_everything_can_be_changed_into_something_else_that_does() -> None:
    _, seen = game(7, 30)
    historian = Historian("Me", random.Random(7))
    found = historian.mend(historian.begin(Deal(), seen), seen, 5000, lambda: False)
    others = [historian.shuffle(found, seen, 40, lambda: False) for _ in range(5)]
    assert all(other.explains(seen) for other in others)
    assert len({other.position.key() for other in others}) > 1


def test_what_can_not_be_is_given_up() -> None:
    historian = Historian("Me", random.Random(1))
    seen = [Seen(CHANCE, "no such card")]
    assert not historian.mend(historian.begin(Deal(), seen), seen, 20, lambda: False).explains(seen)


def test_it_stops_when_it_is_told_to() -> None:
    _, seen = game(1, 44)
    historian = Historian("Me", random.Random(1))
    begun = historian.begin(Deal(), seen)
    assert historian.mend(begun, seen, 5000, lambda: True) is begun


def test_a_game_that_is_over_explains_nothing() -> None:
    assert not History((), Deal(tuple(("Me", card) for card in CARDS * 2)), 0).explains([])
