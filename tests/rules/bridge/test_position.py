"""Facts about Bridge: who sees dummy when, and whole boards as OpenSpiel plays and scores them."""

from __future__ import annotations

import importlib
import random

import pytest
from ggtp.rules.bridge.contract import BIDS, DECK, PLAYERS, deal_text, hand_text, read_deal, vulnerable_on
from support.oracles import games, report
from support.secrets import compare_imagined, heard, history_of

from ggtp.errors import IllegalMove, MoveError
from ggtp.game import CHANCE, OVER, Position, Standing, advice
from ggtp.game.building.tricks import mask_of

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

rules = importlib.import_module("ggtp.rules.bridge").RULES

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
HANDS = DEAL[2:].split()


def after(*moves: str, board: str = "1") -> Position:
    position: Position = rules.start({"board": board}).play({CHANCE: DEAL}).position
    for move in moves:
        (player,) = position.turn().players
        position = position.play({player: position.parse(player, move)}).position
    return position


SOUTH_PLAYS = ("p", "p", "1NT", "p", "p", "p")


def test_everybody_sees_the_own_hand_only() -> None:
    position = rules.start()
    assert position.seen(CHANCE, DEAL, "South") == f"N:- - {HANDS[2]} -"
    assert after("1C").view("East") == f"board 1; North 13; East {HANDS[1]}; South 13; West 13; North 1C; East calls"


def test_the_dealer_calls_first() -> None:
    assert after(board="3").turn().players == ("South",)
    assert after().turn().players == ("North",)


def test_dummy_is_seen_from_the_opening_lead_on_and_by_all() -> None:
    position = after(*SOUTH_PLAYS)
    assert position.turn().players == ("West",)
    for player in PLAYERS[1:]:
        assert HANDS[0] not in position.view(player)
    for player in PLAYERS:
        assert position.seen("West", "S4", player) == f"S4 dummy {HANDS[0]}"
    position = position.play({"West": "S4"}).position
    for player in PLAYERS:
        assert HANDS[0] in position.view(player)
    # Dummy itself sees no more than the others.
    assert HANDS[2] not in position.view("North")
    assert HANDS[1] not in position.view("South")


def test_the_declarer_plays_dummys_cards() -> None:
    position = after(*SOUTH_PLAYS, "S4")
    assert position.turn().players == ("South",)
    assert list(position.moves("South")) == ["SQ", "SJ", "S6"]
    assert position.moves("North") == ()
    assert position.view("South").endswith("South plays from dummy")
    position = position.play({"South": "SQ"}).position
    assert position.turn().players == ("East",)
    assert position.seen("East", "S3", "North") == "S3"


def test_suits_have_to_be_followed() -> None:
    with pytest.raises(MoveError, match="SQ / SJ / S6"):
        after(*SOUTH_PLAYS, "S4").parse("South", "HK")


def test_pictures() -> None:
    position = after("1C", "1♥", "X")
    assert position.picture("West").plain()[3:] == [
        " West A♠  10♠ 9♠  4♠  2♠  A♥  Q♥  4♥  3♦  2♦  K♣  J♣  3♣",
        "North East  South West",
        " 1♣    1♥     X",
        "Board 1, dealer North, vulnerable nobody.",
        "West calls.",
    ]
    played = after(*SOUTH_PLAYS, "S4").picture("East").plain(ascii_only=True)
    assert played[0] == "dummy North -- |  SQ SJ S6 HK H6 H5 H2 DJ D8 D5 CT C9 C8"
    assert played[3] == "       West S4 |  ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??"
    assert all(line.isascii() for line in played)


def test_passed_out() -> None:
    position = after("p", "p", "p", "p")
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert set(result.standings.values()) == {Standing.DRAW}


CALLS = {"Pass": 52, "X": 53, "XX": 54, **{bid: 55 + index for index, bid in enumerate(BIDS)}}


def other_card(card: int) -> int:
    """OpenSpiel numbers cards rank by rank."""
    return DECK.rank_of[card] * 4 + DECK.suit_of[card]


def choose_call(moves: list[str], rng: random.Random) -> str:
    """Any call, but low bids and passes oftener, so that auctions are short and long."""
    return rng.choice(moves[: rng.choice((1, 2, 4, 8, len(moves)))])


def compare_board(board: int, rng: random.Random) -> int:
    """Plays a board at random in both; says how many decisions were compared."""
    sides = vulnerable_on(board)
    dealer = (board - 1) % 4
    # There the dealer is always North: so everybody moves round, and sides change with them.
    named = {"dealer_vul": sides[dealer % 2], "non_dealer_vul": sides[1 - dealer % 2], "use_double_dummy_result": False}
    game = pyspiel.load_game("bridge", named)
    state = game.new_initial_state()
    hands = [0] * 4
    while state.is_chance_node():
        action = rng.choice(state.legal_actions())
        player = (len(state.history()) + dealer) % 4
        hands[player] |= 1 << (action % 4 * 13 + action // 4)
        state.apply_action(action)
    position = rules.start({"board": str(board)}).play({CHANCE: deal_text(hands)}).position
    compared = 0
    while position.turn() is not OVER:
        (player,) = position.turn().players
        assert (PLAYERS.index(player) - dealer) % 4 == state.current_player()
        moves = list(position.moves(player))
        calling = moves[0] in CALLS
        numbers = {move: CALLS[move] if calling else other_card(DECK.numbers[move]) for move in moves}
        assert sorted(numbers.values()) == sorted(state.legal_actions())
        compared += 1
        move = choose_call(moves, rng) if calling else rng.choice(moves)
        state.apply_action(numbers[move])
        position = position.play({player: move}).position
    result = position.result()
    assert state.is_terminal()
    assert result is not None
    assert [result.scores[PLAYERS[(index + dealer) % 4]] for index in range(4)] == state.returns()
    return compared


def test_boards_are_played_and_scored_as_in_openspiel() -> None:
    rng = random.Random(1)
    compared = sum(compare_board(board % 16 + 1, rng) for board in games(48))
    report("Bridge, boards with their scores, with OpenSpiel", compared)
    assert compared > 2000


def test_what_is_imagined_looks_like_the_truth() -> None:
    rng = random.Random(4)
    played = [compare_imagined(rules, rng, {"board": board}, every=5) for board in ("1", "2", "7")]
    compared, others = map(sum, zip(*played, strict=True))
    assert compared > 150
    assert others > compared // 3


@pytest.mark.slow
def test_other_hidden_cards_change_nothing_that_is_told() -> None:
    """The cards that hidden hands still hold at some point are swapped: up to there, all is the same, byte by byte."""
    rng, compared = random.Random(6), 0
    for _ in range(8):
        history = history_of(rules, rng)
        hands = read_deal(history[0][CHANCE])
        for player in PLAYERS:
            size = rng.randrange(1, len(history))
            position = rules.start()
            for moves in history[:size]:
                position = position.play(moves).position
            other = position.determinize(player, rng)
            assert other is not None
            # The deal of which this would be left over: everybody has what he had, but for what was swapped.
            changed = [
                hands[index] & ~left | new
                for index, (left, new) in enumerate(zip(position._hands, other._hands, strict=True))
            ]
            again = [{CHANCE: deal_text(changed)}, *history[1:size]]
            assert heard(rules, history[:size], player) == heard(rules, again, player)
            compared += changed != hands
    assert compared > 20


def test_nobody_is_imagined_with_a_suit_that_he_has_shown_not_to_have() -> None:
    rng = random.Random(3)
    position = (
        rules.start().play({CHANCE: "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"}).position
    )
    for move in ("1NT", "Pass", "Pass", "Pass", "H2", "D2", "C2"):
        (player,) = position.turn().players
        position = position.play({player: move}).position
    spades = mask_of(DECK.suit_cards(3))
    for _ in range(20):
        other = position.determinize("North", rng)
        assert other is not None
        south, west = other._hands[2], other._hands[3]
        hearts = mask_of(DECK.suit_cards(2))
        assert not south & (hearts | spades)
        assert not west & (hearts | spades)
    assert hand_text(position._hands[0]) == "AKQJT98765432..."


def test_an_auction_is_estimated_by_what_the_last_bid_is_worth() -> None:
    assert advice.estimate(after(), "North") == 0
    # East and West have 20 points and a fit of eight spades.
    low = after("Pass", "Pass", "Pass", "1S")
    assert advice.estimate(low, "West") == advice.estimate(low, "East") == -advice.estimate(low, "North") > 0
    high = after("Pass", "Pass", "Pass", "7S")
    assert advice.estimate(high, "West") < -300
    assert advice.estimate(after("Pass", "Pass", "Pass", "7S", "X"), "West") < advice.estimate(high, "West")
    assert advice.estimate(after("1NT", "Pass", "Pass", "Pass"), "North") is None


def test_bids_that_are_worth_a_thought() -> None:
    opening = ["Pass", "1C", "1D", "1H", "1S", "1NT", "3NT", "4H", "4S", "5C", "5D"]
    assert advice.likely(after(), "North") == opening
    answer = ["Pass", "X", "1NT", "2C", "2D", "2H", "2S", "3NT", "4H", "4S", "5C", "5D"]
    assert advice.likely(after("1S"), "East") == answer
    play = after("1NT", "Pass", "Pass", "Pass")
    assert list(advice.likely(play, "East")) == list(play.moves("East"))


def test_who_may_not_play_a_card_is_told_why() -> None:
    position = after(*SOUTH_PLAYS, "S4")
    with pytest.raises(IllegalMove, match=r"^Dummy, from which South plays now, has to follow suit: SQ / SJ / S6\.$"):
        position.parse("South", "HK")
    with pytest.raises(IllegalMove, match=r"^Dummy, from which South plays now, does not have S5: there is SQ"):
        position.parse("South", "s5")
    position = after(*SOUTH_PLAYS, "S4", "SQ")
    with pytest.raises(IllegalMove, match=r"^East has to follow suit: S8 / S7 / S3\.$"):
        position.parse("East", "HJ")


def test_the_last_trick_says_who_led_and_who_took_it() -> None:
    position = after(*SOUTH_PLAYS, "S4", "SQ", "S3", "S5")
    assert "West led, North took 4♠ Q♠ 3♠ 5♠" in position.picture("South").plain()


def test_people_are_told_their_own_hand_of_a_deal() -> None:
    assert rules.start().spoken(CHANCE, DEAL, "South") == f"hand {HANDS[2]}"
