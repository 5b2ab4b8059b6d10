"""Facts about TexasHoldem, and whole hands as pokerkit plays them."""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence

import pytest
from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street
from support.oracles import games, report
from support.secrets import compare_imagined, heard, history_of

from ggtp.game import CHANCE, HIDDEN, OpenMoves, Position, Standing, TurnKind
from ggtp.game.building.poker import PokerPosition

module = importlib.import_module("ggtp.rules.texasholdem")
rules = module.RULES


def after(*moves: str, **values: str) -> Position:
    position: Position = rules.start(values)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


DEAL = "AhKd 7s7c"


def test_heads_up_the_button_has_the_small_blind() -> None:
    position = after(DEAL)
    assert position.turn().players == ("Ann",)
    assert position.view("Ann") == "button Ann; Ann 199 paid 1 AhKd; Bob 198 paid 2 ????; Ann to act, 1 to call"
    assert after(DEAL, "call", "check", "Qh Jd 2c").turn().players == ("Bob",)


def test_a_hand() -> None:
    position = after(
        DEAL, "raise 6", "call", "Qh Jd 2c", "check", "bet 6", "raise 20", "call", "Ts", "check", "bet 30", "call"
    )
    assert position.picture("Bob").plain() == [
        "        cards       chips  bet",
        "Ann (D)  ??    ??    144   30",
        "    Bob  7♠    7♣    144   30",
        "board Q♥  J♦  2♣  10♠ --",
        "Pot 112.",
        "You hold a pair of sevens.",
        "The board is to be dealt.",
    ]
    position = position.play({CHANCE: "3d"}).position
    position = position.play({"Bob": "check"}).position.play({"Ann": "check"}).position
    verdict = position.play({CHANCE: "Ann AhKd Bob 7s7c"})
    assert [words.text for words in verdict.announcements] == ["Ann takes 112 with a straight to the ace."]
    result = verdict.position.result()
    assert result is not None
    assert result.scores == {"Ann": 56, "Bob": -56}
    assert result.standings["Bob"] is Standing.LOSS


def test_what_nobody_called_comes_back() -> None:
    result = after(DEAL, "raise 200", "fold").result()
    assert result is not None
    assert result.scores == {"Ann": 2, "Bob": -2}


def test_all_in_before_the_flop_deals_the_whole_board() -> None:
    position = after(DEAL, "raise 200", "call", "Qh Jd 2c", "Ts", "3d", "Ann AhKd Bob 7s7c")
    result = position.result()
    assert result is not None
    assert result.scores == {"Ann": 200, "Bob": -200}


def test_everybody_sees_the_own_cards_only() -> None:
    position = rules.start({"players": "4"})
    deal = "AhKd 7s7c Qh2d 9h8h"
    assert position.seen(CHANCE, deal, "Cid") == f"{HIDDEN} {HIDDEN} Qh2d {HIDDEN}"
    after_flop = position.play({CHANCE: deal}).position
    assert after_flop.seen("Dee", "raise 4", "Ann") == "raise 4"


@pytest.mark.parametrize(
    ("text", "move"),
    [("r 10", "raise 10"), ("raise to 10", "raise 10"), ("bet 10", "raise 10"), ("c", "call"), ("allin", "raise 200")],
)
def test_words_that_people_use(text: str, move: str) -> None:
    assert after(DEAL).parse("Ann", text) == move


def test_many_amounts_are_told_as_a_range() -> None:
    moves = after(DEAL).moves("Ann")
    assert isinstance(moves, OpenMoves)
    assert moves.patterns == ("raise 4..200",)


CHIP = 2520
"""Every amount is a multiple of it, so that no pot has odd chips: pokerkit shares them over pots, and we pot by pot."""
AUTOMATIC = tuple(one for one in Automation if one not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING))


def other_table(kind: str, stacks: Sequence[int], button: int, blinds: tuple[int, int], sizes: Sequence[int]) -> State:
    """pokerkit's table: its first player sits left of the button."""
    cap = {True: (3, 4, 4, 4), False: (None,) * 4}[kind == "limit"]
    structure = {
        "limit": BettingStructure.FIXED_LIMIT,
        "pot-limit": BettingStructure.POT_LIMIT,
        "no-limit": BettingStructure.NO_LIMIT,
    }[kind]
    streets = tuple(
        Street(False, (False, False) if not index else (), count, False, Opening.POSITION, sizes[index], cap[index])
        for index, count in enumerate((0, 3, 1, 1))
    )
    order = [stacks[(button + offset) % len(stacks)] for offset in range(1, len(stacks) + 1)]
    return State(
        AUTOMATIC, Deck.STANDARD, (StandardHighHand,), streets, structure, True, 0, blinds, 0, order, len(stacks)
    )


def compare_hand(kind: str, rng: random.Random) -> int:
    """Plays a hand at random at both tables, with any stacks; says how many decisions were compared."""
    count, button = rng.randint(2, 10), 0
    stacks = tuple(CHIP * rng.choice((rng.randint(2, 15), rng.randint(2, 150))) for _ in range(count))
    game = rules.game(rules.complete({"players": str(count), "betting": kind, "big_blind": str(2 * CHIP)}))
    position: Position = PokerPosition(game, 0, button, stacks)
    state = other_table(kind, stacks, button, game.blinds, game.stakes.sizes)
    deal = position.draw(rng)
    position = position.play({CHANCE: deal}).position
    hands = deal.split()
    for seat in range(count):
        state.deal_hole(hands[(button + 1 + seat) % count])
    compared = 0
    while position.turn().kind is not TurnKind.OVER:
        (player,) = position.turn().players
        if player == CHANCE:
            move = position.draw(rng)
            position = position.play({CHANCE: move}).position
            if state.actor_index is not None:  # it asks one whom nobody could call whether he checks
                assert state.checking_or_calling_amount == 0
                assert state.min_completion_betting_or_raising_to_amount is None
                state.check_or_call()
            if move[:3] not in game.players:
                state.deal_board(move.replace(" ", ""))
            continue
        compared += 1
        assert state.actor_index == (game.players.index(player) - button - 1) % count
        moves = position.moves(player)
        betting = position._betting  # type: ignore[attr-defined]
        assert betting.to_call() == state.checking_or_calling_amount
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        # Who has acted and then faces a short all-in: pokerkit takes the first one of a round for a full raise, and
        # does not know that in limit games half a raise is enough.
        acted = betting.acted[betting.to_act]
        short = acted >= 0 and betting.level - acted < betting.step
        if not (short and (kind == "limit" or state.completion_betting_or_raising_amount < betting.step)):
            assert betting.raise_range() == (None if low is None else (low, high))
        fair = [move for move in moves if not move[-1].isdigit() or int(move.split()[1]) % CHIP == 0]
        move = rng.choice([move for move in fair if move != "fold" or rng.random() < 0.3] or ["call"])
        if low is None and move.split()[0] in ("bet", "raise"):
            move = "call"
        if low and betting.raise_range() and kind != "limit" and rng.random() < 0.3:
            move = position.parse(player, f"raise {rng.randint(low // CHIP, high // CHIP) * CHIP}")
        position = position.play({player: move}).position
        if move == "fold":
            state.fold()
        elif move in ("check", "call"):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(low if kind == "limit" else int(move.split()[1]))
    theirs = [int(state.stacks[(one - button - 1) % count]) for one in range(count)]
    assert list(position._stacks) == theirs  # type: ignore[attr-defined]
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["no-limit", "pot-limit", "limit"])
def test_hands_are_played_as_in_pokerkit(kind: str) -> None:
    """Who acts, what a call costs, the range of raises, and who has what in the end: side pots, odd chips and all."""
    rng = random.Random(kind)
    compared = sum(compare_hand(kind, rng) for _ in games(60))
    report(f"{kind} hold'em with pokerkit", compared)
    assert compared > 400


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"players": "3", "stack": "12", "hands": "4"},
        {"players": "10", "stack": "30"},
        {"betting": "limit", "hands": "2"},
    ],
)
def test_what_is_imagined_looks_like_the_truth(values: dict[str, str]) -> None:
    rng = random.Random(5)
    played = [compare_imagined(rules, rng, values) for _ in range(1 if "players" in values else 3)]
    compared, others = map(sum, zip(*played, strict=True))
    assert compared > 20
    assert others > compared // 3


def test_other_hidden_cards_change_nothing_that_is_told() -> None:
    """Cards of players who fold are swapped for cards that nobody holds: the others hear and see the same bytes."""
    rng = random.Random(9)
    swapped = 0
    values = {"players": "4", "stack": "40"}
    for _ in range(30):
        history = history_of(rules, rng, values)
        folded = {player for moves in history for player, move in moves.items() if move == "fold"}
        if not folded:
            continue
        hands = history[0][CHANCE].split()
        used = {name for moves in history if CHANCE in moves for name in _names(moves[CHANCE])}
        left = [name for name in module.DECK.names if name not in used]
        for index, player in enumerate(("Ann", "Bob", "Cid", "Dee")):
            if player in folded:
                cards = module.DECK.read_all("".join(rng.sample(left, 2)))
                left = [name for name in left if name not in module.DECK.text(cards)]
                hands[index] = module.DECK.text(
                    sorted(cards, key=lambda card: (card % 13, card // 13), reverse=True), ""
                )
        other = [{CHANCE: " ".join(hands)}, *history[1:]]
        for player in {"Ann", "Bob", "Cid", "Dee"} - folded:
            assert heard(rules, history, player, values) == heard(rules, other, player, values)
            swapped += 1
    assert swapped > 15


def _names(text: str) -> list[str]:
    words = "".join(word for word in text.split() if word not in ("Ann", "Bob", "Cid", "Dee"))
    return [words[start : start + 2] for start in range(0, len(words), 2)]


def test_what_nobody_could_call_goes_back_and_is_no_pot() -> None:
    # Ann has folded a small blind, so that Bob has two chips more in the second hand.
    position = after(DEAL, "fold", DEAL, "raise 201", "call", "Qh Jd 2c", "Ts", "3d", hands="2")
    said = position.play({CHANCE: "Ann AhKd Bob 7s7c"}).announcements
    assert [words.text for words in said] == [
        "Ann takes 398 with a straight to the ace.",
        "Bob takes back 2, which nobody has called.",
    ]
    assert "all-in" in " ".join(position.picture("Ann").plain())
    over = position.play({CHANCE: "Ann AhKd Bob 7s7c"}).position
    assert "all-in" not in " ".join(over.picture("Ann").plain()), "who has won has chips again"


def test_deals_have_the_names_that_people_use() -> None:
    assert rules.start().spoken(CHANCE, DEAL, "Bob") == "hand 7s 7c"
    position = after(DEAL, "call", "check")
    assert position.spoken(CHANCE, "Qh Jd 2c", "Ann") == "flop Qh Jd 2c"
    position = after(DEAL, "call", "check", "Qh Jd 2c", "check", "check")
    assert position.spoken(CHANCE, "Ts", "Ann") == "turn Ts"
    position = after(DEAL, "call", "check", "Qh Jd 2c", "check", "check", "Ts", "check", "check")
    assert position.spoken(CHANCE, "3d", "Ann") == "river 3d"
    position = after(
        DEAL, "call", "check", "Qh Jd 2c", "check", "check", "Ts", "check", "check", "3d", "check", "check"
    )
    assert position.spoken(CHANCE, "Ann AhKd Bob 7s7c", "Ann") == "showdown Ann AhKd Bob 7s7c"
    assert after(DEAL).spoken("Ann", "call", "Bob") == "call"
