"""Facts about Uno by its rule book, jumping in, and who knows what."""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence

import pytest
from ggtp.rules.uno.cards import BY_CODE, DECK, NAMES, POINTS, codes
from support.secrets import compare_imagined, heard, history_of, random_game

from ggtp.errors import MoveError
from ggtp.game import CHANCE, HIDDEN, Position, Standing, TurnKind, advice

rules = importlib.import_module("ggtp.rules.uno").RULES

ANN = "R5.R6.RS.RV.R+2.W.W+4"
BOB = "B5.B6.B7.R5.Y1.Y2.G1"
CID = "R6.R7.R8.R9.G5.G6.G7"


def begin(top: str = "R1", hands: Sequence[str] = (ANN, BOB, CID), **values: str) -> Position:
    position: Position = rules.start({"players": str(len(hands)), **values})
    return position.play({CHANCE: position.parse(CHANCE, " ".join([*hands, top]))}).position


def after(position: Position, *moves: str) -> Position:
    """Each move is of the one who is named, or of the only one at turn."""
    for move in moves:
        name, _, text = move.partition(": ")
        player = name if text else position.turn().players[0]
        position = position.play({player: position.parse(player, text or move)}).position
    return position


def test_what_fits() -> None:
    position = begin("R1")
    assert list(position.moves("Ann")) == [
        "red 5", "red 6", "red skip", "red reverse", "red +2",
        *(f"wild {colour}" for colour in ("red", "yellow", "green", "blue")),
        *(f"wild +4 {colour}" for colour in ("red", "yellow", "green", "blue")),
    ]  # fmt: skip
    assert "draw" in begin("R1", may_draw="on").moves("Ann")
    assert list(begin("G9", jump_in="off", hands=(BOB, ANN)).moves("Ann")) == ["green 1"]


def test_who_cannot_play_draws_and_may_play_the_card() -> None:
    position = begin("B9", hands=("R5.R6.R7.R8.R0.R1.R2", BOB))
    assert list(position.moves("Ann")) == ["draw"]
    position = after(position, "draw")
    assert position.turn().kind is TurnKind.CHANCE
    assert position.seen(CHANCE, "blue 9", "Bob") == HIDDEN
    fits = after(position, "blue 9")
    assert list(fits.moves("Ann")) == ["blue 9", "keep"]
    assert "drawn B9" in fits.view("Ann")
    assert "drawn B9" not in fits.view("Bob")
    # Nobody else can tell whether the card fits: so who drew one that does not is asked, too.
    assert list(after(position, "red 3").moves("Ann")) == ["keep"]
    assert after(position, "red 3", "keep").turn().players == ("Bob",)


def test_skip_reverse_and_draw_two() -> None:
    position = begin(jump_in="off")
    assert after(position, "red skip").turn().players == ("Cid",)
    assert after(position, "red reverse").turn().players == ("Cid",)
    drawing = after(position, "red +2")
    assert drawing.turn().kind is TurnKind.CHANCE
    end = after(drawing, "green 9", "green 8")
    assert end.turn().players == ("Cid",)
    assert end.view("Bob").split("; ")[1].endswith("G8.G9.B5.B6.B7")


def test_of_two_players_a_reverse_is_a_skip() -> None:
    assert after(begin(hands=(ANN, BOB), jump_in="off"), "red reverse").turn().players == ("Ann",)


@pytest.mark.parametrize(
    ("top", "kind", "players"),
    [
        ("R1", TurnKind.SINGLE, ("Ann",)),
        ("RS", TurnKind.SINGLE, ("Bob",)),
        ("RV", TurnKind.SINGLE, ("Cid",)),
        ("R+2", TurnKind.CHANCE, ("Chance",)),
        ("W", TurnKind.SINGLE, ("Ann",)),
    ],
)
def test_the_first_card_has_its_effect(top: str, kind: TurnKind, players: tuple[str, ...]) -> None:
    turn = begin(top).turn()
    assert (turn.kind, turn.players) == (kind, players)


def test_a_wild_first_card_gets_its_colour_from_the_first_player() -> None:
    position = begin("W")
    assert list(position.moves("Ann")) == ["red", "yellow", "green", "blue"]
    assert "yellow" in after(position, "yellow").view("Bob")
    with pytest.raises(MoveError):
        begin("W+4")


def test_a_wild_four_may_be_challenged() -> None:
    """Ann has red cards left, so she was not allowed to play it."""
    position = after(begin(), "w4 blue")
    assert list(position.moves("Bob")) == ["accept", "challenge"]
    assert position.seen("Bob", "challenge", "Cid") == "challenge guilty"
    guilty = after(position, "challenge")
    assert guilty.view(None).endswith("Ann draws 4 before Bob")
    accepted = after(position, "accept")
    assert accepted.view(None).endswith("Bob draws 4 before Cid")
    innocent = after(begin(hands=("B5.B6.B7.B8.Y1.Y2.W+4", BOB, CID)), "w4 blue", "challenge")
    assert innocent.view(None).endswith("Bob draws 6 before Cid")


def test_the_same_card_may_be_jumped_in_with() -> None:
    position = after(begin(), "red 5")
    turn = position.turn()
    assert (turn.kind, turn.players, turn.delay) == (TurnKind.RACE, ("Bob", "Cid"), 3.0)
    assert turn.default == {"Bob": "pass", "Cid": "pass"}
    assert list(position.moves("Bob")) == ["red 5", "pass"]
    assert list(position.moves("Cid")) == ["pass"]
    jumped = after(position, "Bob: red 5")
    assert jumped.turn().players == ("Cid",)  # both red fives are gone: nobody can jump in again
    waited = after(position, "Cid: pass")
    assert waited.turn().players == ("Bob",)
    assert waited.turn().kind is TurnKind.RACE
    assert after(waited, "Bob: pass").turn().players == ("Bob",)
    assert after(waited, "Bob: pass").turn().kind is TurnKind.SINGLE


def test_the_one_who_jumps_in_is_followed_by_the_next() -> None:
    position = after(begin(), "red 6", "Cid: red 6")
    assert position.turn().players == ("Ann",)


def test_where_nobody_can_hold_the_card_nobody_is_asked() -> None:
    other = BOB.replace("R5", "G2")
    assert after(begin("R5", hands=(ANN, other, CID)), "red 5").turn().kind is TurnKind.SINGLE
    assert after(begin(), "wild green").turn().kind is TurnKind.SINGLE
    assert after(begin(jump_in="off"), "red 5").turn().kind is TurnKind.SINGLE


def test_who_gets_rid_of_all_cards_wins_what_the_others_hold() -> None:
    position = begin("R1", hands=("R2.R2.R3.R3.R4.R4.R5", "G6.G6.G7.G7.G8.G8.G9"), jump_in="off")
    greens = ("9", "skip", "skip", "reverse", "reverse", "+2")
    for mine, drawn in zip("223344", greens, strict=True):
        position = after(position, f"red {mine}", "draw", f"green {drawn}", "keep")
    position = after(position, "red 5", "Bob G6.G6.G7.G7.G8.G8.G9.G9.GS.GS.GV.GV.G+2")
    result = position.result()
    assert result is not None
    assert result.scores == {"Ann": 160, "Bob": 0}
    assert result.standings == {"Ann": Standing.WIN, "Bob": Standing.LOSS}
    assert "G8.G8" in position.view("Ann")


def test_with_no_card_left_to_draw_the_fewest_points_win() -> None:
    ended = []
    for seed in range(12):
        values = {"players": "2", "shuffles": "0", "may_draw": "on"}
        *_, (position, _, _) = random_game(rules, random.Random(seed), values)
        result = position.result()
        assert result is not None
        if result.reason.startswith("no card is left"):
            ended.append(result)
            (winner,) = [player for player, standing in result.standings.items() if standing is Standing.WIN]
            held = [part.split()[1].split(".") for part in position.view(None).split("; ")[:2]]
            points = [sum(POINTS[BY_CODE[code]] for code in hand) for hand in held]
            assert points[("Ann", "Bob").index(winner)] == min(points)
            assert result.scores[winner] == max(points) - min(points)
    assert ended


@pytest.mark.parametrize(
    ("text", "move"), [("R5", "red 5"), ("red5", "red 5"), ("rr", "red reverse"), ("w g", "wild green")]
)
def test_moves_as_people_write_them(text: str, move: str) -> None:
    assert begin().parse("Ann", text) == move


def test_pictures() -> None:
    position = after(begin(), "wild green")
    assert position.picture("Bob").plain() == [
        "top   W   green",
        "Bob  R5    Y1    Y2    G1    B5    B6    B7",
        "Cards of the others: Ann 6, Cid 7.",
        "Play goes to the left: Ann, Bob, Cid.",
        "Bob plays or draws.",
    ]


def test_everybody_sees_the_own_cards_only() -> None:
    position = rules.start({"players": "3"})
    deal = position.parse(CHANCE, f"{ANN} {BOB} {CID} R1")
    assert position.seen(CHANCE, deal, "Ann") == f"{deal.split()[0]} {HIDDEN} {HIDDEN} R1"


@pytest.mark.slow
@pytest.mark.parametrize("values", [{}, {"players": "2", "may_draw": "on"}, {"players": "6", "jump_in": "off"}])
def test_what_is_imagined_looks_like_the_truth(values: dict[str, str]) -> None:
    rng = random.Random(4)
    compared, others = compare_imagined(rules, rng, values, every=9)
    assert compared > 30
    assert others > compared // 3


def test_other_hidden_cards_change_nothing_that_is_told() -> None:
    """Cards that nobody was seen with are swapped with others that stay in the pile: up to there, all is the same."""
    rng, compared = random.Random(6), 0
    values = {"players": "3"}
    for _ in range(10):
        history = history_of(rules, rng, values)
        size = min(len(history), rng.randrange(5, 40))
        hands = [[BY_CODE[code] for code in word.split(".")] for word in history[0][CHANCE].split()]
        laid = {move for moves in history[:size] for who, move in moves.items() if who != CHANCE}
        used = [card for hand in hands for card in hand]
        drawn = [move for moves in history[1:size] for who, move in moves.items() if who == CHANCE]
        free = [card for card in DECK.elements() if card not in used and NAMES[card] not in drawn]
        for me, player in enumerate(("Ann", "Bob", "Cid")):
            changed = [list(hand) for hand in hands]
            pool = list(free)
            rng.shuffle(pool)
            for other in range(3):
                for place, card in enumerate(changed[other]):
                    still = card < 52 and NAMES[card] not in laid and other != me
                    if still and pool and rng.random() < 0.7:
                        changed[other][place] = pool.pop()
            deal = " ".join([*(codes(sorted(hand)) for hand in changed[:3]), history[0][CHANCE].split()[-1]])
            again = playable([{CHANCE: deal}, *history[1:size]], values)
            told = heard(rules, history[: len(again)], player, values)
            if len(again) > 2:
                compared += deal != history[0][CHANCE]
                assert told == heard(rules, again, player, values)
    assert compared > 15


def playable(history: list[dict[str, str]], values: dict[str, str]) -> list[dict[str, str]]:
    """As much of a play as can be played, up to a challenge, which looks at the cards."""
    position = rules.start(values)
    for index, moves in enumerate(history):
        if "challenge" in moves.values():
            return history[:index]
        try:
            position = position.play(moves).position
        except MoveError:
            return history[:index]
    return history


def test_who_draws_is_imagined_without_a_card_that_fitted() -> None:
    """And who was found innocent without the colour: as long as nothing new came in."""
    rng = random.Random(7)
    position = after(begin("B9", hands=("R5.R6.R7.R8.R0.R1.R2", BOB, CID)), "draw", "red 3", "keep")
    for _ in range(40):
        other = advice.determinize(position, "Cid", rng)
        assert other is not None
        held = [BY_CODE[code] for code in other.view(None).split("; ")[0].split()[1].split(".")]
        misfits = [card for card in held if card < 52 and card // 13 != 3 and card % 13 != 9]
        assert len(held) == 8
        assert len(misfits) >= 7  # all but the card that was drawn
    position = after(begin(hands=("B5.B6.B7.B8.Y1.Y2.W+4", BOB, CID)), "w4 blue", "challenge")
    for _ in range(20):
        other = advice.determinize(position, "Cid", rng)
        assert other is not None
        assert "R" not in other.view(None).split("; ")[0]


def test_who_plays_the_drawn_card_shows_nothing_of_the_others() -> None:
    rng = random.Random(8)
    position = after(begin("B9", hands=("R5.R6.R7.R8.R0.R1.R2", BOB, CID), jump_in="off"), "draw", "blue 8", "blue 8")
    reds = 0
    for _ in range(40):
        other = advice.determinize(position, "Cid", rng)
        assert other is not None
        held = [BY_CODE[code] for code in other.view(None).split("; ")[0].split()[1].split(".")]
        assert not [card for card in held if card >= 52 or card // 13 == 3 or card % 13 == 9]
        reds += sum(card // 13 == 0 for card in held)
    assert reds


def test_people_hear_nothing_of_cards_that_others_draw() -> None:
    position = after(begin("B9", hands=("R5.R6.R7.R8.R0.R1.R2", BOB, CID), jump_in="off"), "draw")
    assert position.spoken(CHANCE, "blue 8", "Ann") == "blue 8"
    assert position.spoken(CHANCE, "blue 8", "Bob") == ""
    first = rules.start()
    deal = first.draw(random.Random(1))
    assert first.spoken(CHANCE, deal, "Bob") == f"hand {deal.split()[1]} top {deal.split()[-1]}"
