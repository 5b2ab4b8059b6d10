"""Facts about Skat: bidding, looking, announcing, playing; who knows what; and tricks as OpenSpiel plays them."""

from __future__ import annotations

import importlib
import random
import re
from typing import Any

import pytest
from ggtp.rules.skat.contract import DECK, KINDS, PLAYERS, Contract, cards_seen, deal_text, outcome, read_deal
from support.secrets import compare_imagined, heard, history_of

from ggtp.errors import IllegalMove, MoveError
from ggtp.game import CHANCE, HIDDEN, OVER, Position, Standing, advice
from ggtp.game.building.boards import bits
from ggtp.game.building.tricks import mask_of

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

rules = importlib.import_module("ggtp.rules.skat").RULES

DEAL = "CJSJCACTCKCQC9HAHTH7 HJDJSASTSKSQS9S8S7DA C8C7HKHQH9H8DTDKDQD9 D8D7"
"""Forehand has clubs with two, middlehand spades without two."""


def first(**values: str) -> Position:
    position: Position = rules.start(values)
    return position.play({CHANCE: position.parse(CHANCE, DEAL)}).position


def after(*moves: str, position: Position | None = None, **values: str) -> Position:
    position = position or first(**values)
    for move in moves:
        (player,) = position.turn().players
        position = position.play({player: position.parse(player, move)}).position
    return position


def play_out(position: Position, rng: random.Random) -> Position:
    while position.turn() is not OVER:
        (player,) = position.turn().players
        position = position.play({player: rng.choice(position.moves(player))}).position
    return position


def test_bidding_as_at_the_table() -> None:
    position = after("18", "yes", "20", "hold", "22", "p")
    assert position.turn().players == ("Rearhand",)
    position = after("pass", position=position)
    assert position.turn().players == ("Middlehand",)
    assert "skat" in position.moves("Middlehand")
    assert "null" not in position.moves("Middlehand")
    assert position.view("Forehand").endswith("Middlehand looks at the skat or announces a hand game")


def test_who_says_the_value_again_holds_it() -> None:
    position = after("18")
    assert position.parse("Forehand", "18") == "hold"
    with pytest.raises(MoveError):
        position.parse("Forehand", "20")


def test_all_pass() -> None:
    result = after("pass", "pass", "pass").result()
    assert result is not None
    assert set(result.standings.values()) == {Standing.DRAW}


def test_looking_tells_the_declarer_alone() -> None:
    position = after("pass", "pass", "18")
    assert position.seen("Forehand", "skat", "Forehand") == "skat D8 D7"
    assert position.seen("Forehand", "skat", "Rearhand") == "skat"
    position = after("skat", position=position)
    assert len(position.moves("Forehand")) == 66
    assert position.parse("Forehand", "d7 d8") == "discard D8 D7"
    assert position.seen("Forehand", "discard D8 D7", "Middlehand") == "discard"
    position = after("discard H7 D7", position=position)
    assert "skat ??" in position.view("Middlehand")
    assert "skat H7 D7" in position.view("Forehand")
    assert list(position.moves("Forehand")) == [
        "diamonds", "hearts", "spades", "clubs", "grand", "null", "null ouvert"
    ]  # fmt: skip


def test_a_null_game_that_is_worth_less_than_the_bid_is_not_announced() -> None:
    position = after("24", "hold", "pass", "pass")
    assert "null hand" in position.moves("Forehand")
    position = after("skat", "discard D7 D8", position=position)
    assert "null" not in position.moves("Forehand")
    assert "null ouvert" in position.moves("Forehand")


def test_open_cards_are_told() -> None:
    position = after("pass", "pass", "18")
    told = position.seen("Forehand", "null ouvert hand", "Rearhand")
    assert told.startswith("null ouvert hand C")
    assert len(told.split()[-1]) == 20
    position = after("null ouvert hand", position=position)
    assert "CA" in position.view("Rearhand").split("; ")[0]
    assert "10 cards" in position.view("Forehand")


def test_trumps_have_to_be_followed() -> None:
    position = after("pass", "pass", "18", "clubs hand", "CA")
    assert list(position.moves("Middlehand")) == ["HJ", "DJ"]
    position = after("DJ", position=position)
    assert list(position.moves("Rearhand")) == ["C8", "C7"]
    with pytest.raises(MoveError, match="C8 / C7"):
        position.parse("Rearhand", "HK")
    position = after("C7", position=position)
    assert position.turn().players == ("Middlehand",)


def test_a_whole_game() -> None:
    position = after("pass", "pass", "18", "clubs hand")
    for trick in ("CJ HJ C8", "SJ DJ C7", "CA S7 D9", "CT S8 DQ", "CK S9 DK", "CQ SQ DT", "C9 SK H8", "HA ST H9"):
        position = after(*trick.split(), position=position)
    assert position.picture("Rearhand").plain()[:5] == [
        "* Forehand -- |  ?? ??",
        "Middlehand -- |  ?? ??",
        "  Rearhand -- |  K♥ Q♥",
        "Forehand led, Forehand took A♥  10♠ 9♥",
        "                       skat ??  ??",
    ]
    position = after("HT", "SA", "HQ", "H7", "DA", "HK", position=position)
    result = position.result()
    assert result is not None
    # With two, game three, hand four, and schneider five: 105 points, of which none are in the skat.
    assert result.reason == "Forehand: clubs hand with 105 points made: with 2, 5 times 12 is 60"
    assert result.scores == {"Forehand": 60, "Middlehand": 0, "Rearhand": 0}
    assert result.standings["Rearhand"] is Standing.LOSS
    assert "skat D8 D7" in position.view("Middlehand")


def test_a_null_game_is_over_with_the_first_trick_of_the_declarer() -> None:
    position = after("pass", "18", "pass", "null hand", "CA", "HJ", "C7", scoring="seeger")
    assert position.turn() is not OVER
    position = after("pass", "pass", "18", "null hand", "CA", "HJ", "C7", scoring="seeger")
    assert position.turn() is OVER
    result = position.result()
    assert result is not None
    assert result.scores == {"Forehand": -120, "Middlehand": 40, "Rearhand": 40}
    assert "skat ??" in position.view("Middlehand")


@pytest.mark.parametrize(
    ("text", "move"), [("j♣", "CJ"), ("♣J", "CJ"), ("cj", "CJ"), ("10h", "HT"), ("♥10", "HT"), ("H10", "HT")]
)
def test_cards_as_people_write_them(text: str, move: str) -> None:
    assert after("pass", "pass", "18", "grand hand").parse("Forehand", text) == move


@pytest.mark.parametrize(("text", "move"), [("♣ hand", "clubs hand"), ("G HAND", "grand hand"), ("look", "skat")])
def test_games_as_people_write_them(text: str, move: str) -> None:
    assert after("pass", "pass", "18").parse("Forehand", text) == move


GLYPHS = {0x1F0A0: "S", 0x1F0B0: "H", 0x1F0C0: "D", 0x1F0D0: "C"}
RANKS = {1: "A", 7: "7", 8: "8", 9: "9", 10: "T", 11: "J", 13: "Q", 14: "K"}


def hand_of(state: Any, row: str) -> int:
    """The cards in a row of OpenSpiel's picture."""
    glyphs = re.search(rf"^{row}:(.*)$", str(state), re.MULTILINE)
    assert glyphs is not None
    codes = [ord(char) for char in glyphs.group(1) if char.strip()]
    return mask_of(DECK.numbers[GLYPHS[code & ~0xF] + RANKS[code & 0xF]] for code in codes)


BIDDING = (["pass", "pass", "18"], ["18", "pass", "pass"], ["pass", "18", "pass"])


def test_tricks_are_played_as_in_openspiel() -> None:
    """Its bidding is not Skat's, but what may be played, who wins a trick and what it counts can be compared."""
    game, rng, compared = pyspiel.load_game("skat"), random.Random(2), 0
    for number in range(60):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        hands = [hand_of(state, f"Player {index}") for index in range(3)]
        position = rules.start().play({CHANCE: deal_text(hands, hand_of(state, "Skat"))}).position
        declarer, kind = number % 3, rng.randrange(6)
        for _ in range(declarer):
            state.apply_action(32)
        state.apply_action(33 + kind)
        position = after(*BIDDING[declarer], "skat", position=position)
        discard = rng.choice(position.moves(PLAYERS[declarer]))
        for name in discard.split()[1:]:
            state.apply_action(DECK.numbers[name])
        position = after(discard, ("diamonds", "hearts", "spades", "clubs", "grand", "null")[kind], position=position)
        while position.turn() is not OVER:
            (player,) = position.turn().players
            assert state.current_player() == PLAYERS.index(player)
            assert sorted(DECK.numbers[move] for move in position.moves(player)) == sorted(state.legal_actions())
            compared += 1
            move = rng.choice(position.moves(player))
            state.apply_action(DECK.numbers[move])
            position = position.play({player: move}).position
        if kind < 5:
            assert state.is_terminal()
            points = int(re.search(r"with (\d+) points", position.result().reason).group(1))
            solo = int(re.search(r"Points \(Solo / Team\): \((\d+) /", str(state)).group(1))
            assert points == solo
    assert compared > 1500


def test_what_is_imagined_looks_like_the_truth() -> None:
    rng = random.Random(4)
    played = [compare_imagined(rules, rng, every=3) for _ in range(6)]
    compared, others = map(sum, zip(*played, strict=True))
    assert compared > 200
    assert others > compared // 3


def test_everybody_sees_the_own_cards_only() -> None:
    position = rules.start()
    deal = position.parse(CHANCE, DEAL)
    told = position.seen(CHANCE, deal, "Middlehand").split(" ")
    assert told == [HIDDEN, deal.split(" ")[1], HIDDEN, HIDDEN]


@pytest.mark.slow
def test_other_hidden_cards_change_nothing_that_is_told() -> None:
    """What a player cannot know is dealt in another way: all that he hears and sees stays the same, byte by byte.

    Along games at random, as far as every move can be made with the other cards, too.
    """
    rng, compared, different = random.Random(6), 0, 0
    for _ in range(25):
        history = history_of(rules, rng)
        (hands, skat) = read_deal(history[0][CHANCE])
        for player in PLAYERS:
            other_history = altered(history, hands, skat, player, rng)
            if other_history is not None:
                compared += 1
                different += other_history != history
                size = len(other_history)
                assert heard(rules, history[:size], player) == heard(rules, other_history, player)
    assert compared > 50
    assert different > 40


def altered(
    history: list[dict[str, str]], hands: list[int], skat: int, player: str, rng: random.Random
) -> list[dict[str, str]] | None:
    """The play with the unseen cards of the others dealt anew, to the first move that would no longer be allowed."""
    told = [(actor, move) for moves in history for actor, move in moves.items()]
    me = PLAYERS.index(player)
    looked = any(actor == player and move == "skat" for actor, move in told)
    fixed = [cards_seen(name, told) for name in PLAYERS]
    discards = {actor: DECK.read_all(move[8:]) for actor, move in told if move.startswith("discard")}
    own = hands[me] | (skat if looked else 0)
    if any("ouvert" in move for _, move in told):
        return None  # nearly everything is known
    pool = [card for card in range(32) if not (own | fixed[0] | fixed[1] | fixed[2]) >> card & 1]
    rng.shuffle(pool)
    dealt = []
    for index in range(3):
        if index == me:
            dealt.append(hands[me])
            continue
        kept = fixed[index] & ~own
        while kept.bit_count() < 10:
            kept |= 1 << pool.pop()
        dealt.append(kept)
    other_skat = skat if looked else mask_of(pool)
    changed: list[dict[str, str]] = [{CHANCE: deal_text(dealt, other_skat)}]
    position = rules.start().play(changed[0]).position
    for moves in history[1:]:
        ((actor, move),) = moves.items()
        if actor in discards and move.startswith("discard") and actor != player:
            kept = fixed[PLAYERS.index(actor)]
            index = PLAYERS.index(actor)
            away = list(bits((dealt[index] | other_skat) & ~kept))[:2]
            move = position.parse(actor, DECK.text(away))
        if move not in position.moves(actor):
            break
        changed.append({actor: move})
        position = position.play(changed[-1]).position
    if position.turn() is OVER and len(changed) == len(history):
        return changed[:-1]
    return changed


def test_a_strong_hand_is_estimated_to_win_and_a_bid_that_is_too_high_to_lose() -> None:
    assert advice.estimate(first(), "Middlehand") == 0
    forehand = after("18", "hold")
    assert advice.estimate(forehand, "Forehand") > 20
    assert advice.estimate(forehand, "Rearhand") == 0
    overbid = after("18", "pass", "20", "hold", "22", "hold", "264", "pass")
    assert advice.estimate(overbid, "Rearhand") < -400
    # Twelve cards are more than ten, and what was put away is known; once it is played, nothing is said.
    declared = after("18", "hold", "pass", "pass", "skat")
    assert advice.estimate(declared, "Forehand") > 20
    spoilt = after("discard CJ SJ", position=declared)
    assert advice.estimate(spoilt, "Forehand") < advice.estimate(declared, "Forehand")
    assert advice.estimate(after("clubs hand", position=after("18", "hold", "pass", "pass")), "Forehand") is None


def test_a_game_lost_is_worth_something_to_the_others_by_seeger() -> None:
    weak = after("18", "hold", "20", "hold", "264", position=first(scoring="seeger"))
    assert advice.estimate(weak, "Middlehand") == -2 * 264 - 50
    assert advice.estimate(weak, "Forehand") == advice.estimate(weak, "Rearhand") == 40


def test_what_is_worth_a_thought() -> None:
    assert advice.likely(first(), "Middlehand") == ("pass", "18")
    assert advice.likely(first(), "Forehand") == ()
    forehand = after("18", "hold", "pass", "pass")
    assert advice.likely(forehand, "Forehand")[0] == "skat"
    assert "clubs hand" in advice.likely(forehand, "Forehand")
    assert not any("schneider" in move for move in advice.likely(forehand, "Forehand"))
    looked = after("skat", position=forehand)
    assert 0 < len(advice.likely(looked, "Forehand")) < len(looked.moves("Forehand"))
    assert not any("CJ" in move for move in advice.likely(looked, "Forehand"))
    put = after(advice.likely(looked, "Forehand")[0], position=looked)
    assert "clubs" in advice.likely(put, "Forehand")
    assert len(advice.likely(put, "Forehand")) < len(put.moves("Forehand"))


def test_a_playout_plays_legal_cards_and_mostly_sensible_ones() -> None:
    position = after("clubs hand", position=after("18", "hold", "pass", "pass"))
    rng = random.Random(1)
    led = [advice.casual(position, "Forehand", rng) for _ in range(40)]
    assert set(led) <= set(position.moves("Forehand"))
    assert led.count("CJ") > 30  # whoever declares and has the highest trump draws those of the others
    while position.result() is None:
        (player,) = position.turn().players
        position = after(advice.casual(position, player, rng), position=position)


def test_what_a_lost_game_cost_is_told() -> None:
    lost = outcome(Contract(KINDS.index("diamonds")), 18, mask_of([DECK.numbers["DA"]]), 25, 3)
    assert lost.score == -108
    assert lost.reason == "diamonds with 25 points lost: without 4, 6 times 9 is 54, which counts twice"


def test_who_may_not_play_a_card_is_told_why() -> None:
    position = after("pass", "pass", "18", "clubs hand", "CA")
    with pytest.raises(IllegalMove, match=r"^Middlehand has to follow suit: HJ / DJ\.$"):
        position.parse("Middlehand", "7s")
    with pytest.raises(IllegalMove, match=r"^Middlehand does not have CJ: there is HJ / DJ\.$"):
        position.parse("Middlehand", "cj")


def test_people_are_told_their_own_hand_of_a_deal() -> None:
    deal = rules.start().draw(random.Random(1))
    own = deal.split(" ")[1]
    said = rules.start().spoken(CHANCE, deal, "Middlehand")
    assert said.startswith("hand ")
    assert sorted(said.split()[1:]) == sorted(own[index : index + 2] for index in range(0, 20, 2))
