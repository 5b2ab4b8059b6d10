"""Facts about MahJong."""

from __future__ import annotations

import importlib
import random

import pytest
from ggtp.rules.mahjong.tiles import NUMBERS, TILES, count, distance, read_tiles, text_of
from support.hidden import assert_sampled
from support.oracles import games, start

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import CHANCE, OVER, Position, Refusal, TurnKind, advice

rules = importlib.import_module("ggtp.rules.mahjong").RULES
PLAYERS = ("East", "South", "West", "North")


def dealt(east: str = "-", south: str = "-", west: str = "-", north: str = "-", **options: str) -> Position:
    """A deal in which the players have these tiles, and others that fit to nothing as far as they reach."""
    hands = [read_tiles(hand) for hand in (east, south, west, north)]
    left = [4 - sum(hand.count(kind) for hand in hands) for kind in range(34)]
    left[33] -= 1
    for hand in hands:
        for kind in [*range(27, 33), *range(0, 27, 3), *range(1, 27, 3), *range(2, 27, 3)]:
            if (
                len(hand) < 13
                and left[kind]
                and not any(kind == other or abs(kind - other) < 3 for other in hand if other < 27)
            ):
                hand.append(kind)
                left[kind] -= 1
        assert len(hand) == 13
    text = " / ".join(text_of(count(hand)) for hand in hands)
    return start("mahjong", **options).play({CHANCE: f"hands {text} dora 7z"}).position


def go(position: Position, *moves: str) -> Position:
    """Draws, discards, and passes of all three where nothing else is said: `pass` stands for all of them."""
    for move in moves:
        turn = position.turn()
        if move == "pass":
            position = position.play(dict.fromkeys(turn.players, "pass")).position
        elif turn.kind is TurnKind.JOINT:
            player, _, what = move.partition(" ")
            position = position.play({**dict.fromkeys(turn.players, "pass"), player: what}).position
        else:
            position = position.play({turn.players[0]: move}).position
    return position


@pytest.mark.slow
def test_what_is_sampled_looks_as_what_is() -> None:
    rng, compared = random.Random(2), 0
    for values in ({}, {"hands": "4", "minimum": "0"}):
        compared += assert_sampled(rules, values, rng, share=0.12)
    assert compared > 200


def skilled(position: Position, player: str, rng: random.Random) -> str:
    """A move of somebody who wants to win."""
    moves = list(position.moves(player))
    for word in ("tsumo", "ron", "riichi"):
        for move in moves:
            if move.split()[0] == word:
                return move
    me = PLAYERS.index(player)
    own, melds = position.own[me], len(position.table.melds[me])  # type: ignore[attr-defined]
    if "pass" in moves:
        return rng.choice(moves) if rng.random() < 0.15 else "pass"
    kongs = [move for move in moves if move.startswith("kong")]
    if kongs and rng.random() < 0.5:
        return kongs[0]
    discards = [move for move in moves if move in NUMBERS]
    rng.shuffle(discards)
    return min(discards, key=lambda move: distance(own.with_tiles((NUMBERS[move],), -1).tiles, melds))


@pytest.mark.slow
def test_skilled_players_win_hands_and_nothing_is_lost() -> None:
    """Played by people who want to win: wins by draw and by claim, riichi, exhausted walls, and sums that stay."""
    rng, told = random.Random(5), []
    for index in games(14):
        position: Position = rules.start({"hands": "4" if index % 2 else "1", "minimum": str(index % 3 // 2)})
        while position.turn() is not OVER:
            turn = position.turn()
            if turn.kind is TurnKind.CHANCE:
                moves = {CHANCE: position.draw(rng)}
            else:
                moves = {player: skilled(position, player, rng) for player in turn.players}
            verdict = position.play(moves)
            told += [move.split()[0] for who, move in verdict.made]
            if rng.random() < 0.03:
                for player in PLAYERS:
                    other = advice.determinize(position, player, rng)
                    assert other is not None
                    assert other.view(player) == position.view(player)
            position = verdict.position
            table = position.table  # type: ignore[attr-defined]
            assert sum(table.scores) + 1000 * table.sticks == 100000
            held = [0] * 34
            for own in position.own:  # type: ignore[attr-defined]
                held = [a + b for a, b in zip(held, own.tiles, strict=True)]
            if table.phase not in ("deal", "end"):
                assert all(0 <= a <= b for a, b in zip(held, table.unseen(), strict=True))
    assert {"tsumo", "ron", "riichi", "chow", "pong", "kong", "exhausted:"} <= set(told)


def test_who_declares_riichi_is_guessed_to_wait() -> None:
    position = go(dealt("123456m567p2388s"), "5z", "riichi 5z", "pass")
    rng = random.Random(4)
    for _ in range(30):
        other = advice.determinize(position, "South", rng)
        assert other is not None
        assert distance(other.own[0].tiles) == 0  # type: ignore[attr-defined]


def test_the_deal_is_seen_by_each_player_for_itself() -> None:
    text = "hands 123456m567p2388s / 258m369p147s1234z / 369m147p258s1256z / 14m25p36s1234567z dora 7z"
    position = start("mahjong")
    assert position.seen(CHANCE, text, "South") == "hands ? / 258m369p147s1234z / ? / ? dora 7z"
    drawn = position.play({CHANCE: text}).position
    assert drawn.seen(CHANCE, "5z", "East") == "5z"
    assert drawn.seen(CHANCE, "5z", "North") == "?"


@pytest.mark.parametrize(
    "text",
    ["hands", "hands 1m / 2m / 3m / 4m dora 5m", "hands 1111m / x / y / z dora 1m", "nonsense",
     "hands 123456m567p2388s / 258m369p147s1234z / 369m147p258s1256z / 14m25p36s1234567z dora 9z"],
)  # fmt: skip
def test_what_is_no_deal_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove):
        start("mahjong").play({CHANCE: text})


WAIT = "234m46p22345678s"
"""A hand that waits for 5p."""


def test_ron_goes_before_pong_and_pong_before_chow() -> None:
    position = go(dealt("5p", "46p", "55p", WAIT), "9p", "5p")
    assert "chow 4p6p" in position.moves("South")
    assert "pong" in position.moves("West")
    assert "ron" in position.moves("North")
    verdict = position.play({"South": "chow 4p6p", "West": "pong", "North": "pass"})
    assert verdict.refused == (Refusal("South", "chow 4p6p", "West had priority with pong"),)
    assert verdict.position.turn().players == ("West",)
    verdict = position.play({"South": "chow 4p6p", "West": "pong", "North": "ron"})
    assert [refusal.player for refusal in verdict.refused] == ["South", "West"]
    assert verdict.position.turn() is OVER
    assert "North wins, from East" in verdict.announcements[0].text


def test_who_sits_next_goes_first_with_the_same_claim() -> None:
    position = go(dealt("5p", WAIT, "33678m46p345678s"), "9p", "5p")
    verdict = position.play({"South": "ron", "West": "ron", "North": "pass"})
    assert [refusal.player for refusal in verdict.refused] == ["West"]


def test_who_has_discarded_what_it_waits_for_can_not_claim_a_win() -> None:
    position = go(dealt("5p", WAIT), "9p", "9p", "pass", "5p", "5p", "pass")
    table = position.table  # type: ignore[attr-defined]
    assert table.thrown[1] >> NUMBERS["5p"] & 1
    position = go(position, "9m", "9m", "pass", "9s", "9s", "pass", "9p", "5p")
    assert position.moves("South") == ("pass", "chow 4p6p")


def test_a_win_that_was_let_go_closes_the_next() -> None:
    position = go(dealt("5p", WAIT), "9p", "5p")
    assert "ron" in position.moves("South")
    position = position.play({"South": "pass", "West": "pass", "North": "pass"}).position
    assert "missed" in position.view("South")
    assert "missed" not in position.view("East")


def test_riichi_lays_a_stick_and_binds_the_hand() -> None:
    position = go(dealt("123456m567p2388s"), "5z")
    assert "riichi 5z" in position.moves("East")
    position = go(position, "riichi 5z", "pass")
    table = position.table  # type: ignore[attr-defined]
    assert (table.scores[0], table.sticks) == (24000, 1)
    position = go(position, "9p", "9p", "pass", "9p", "9p", "pass", "9p", "9p", "pass", "9s")
    assert list(position.moves("East")) == ["9s"]


def test_a_win_by_draw_is_paid_by_all() -> None:
    position = go(dealt("123456m567p2388s"), "1s")
    assert "tsumo" in position.moves("East")
    told = position.seen("East", "tsumo", "West")
    assert told == "tsumo 2 han 20 fu (self-drawn + no points); 27100 24300 24300 24300"
    verdict = position.play({"East": "tsumo"})
    result = verdict.position.result()
    assert result is not None
    assert result.scores == {"East": 27100, "South": 24300, "West": 24300, "North": 24300}
    assert verdict.announcements[1].text.startswith("The hands were East 123456m567p12388s")


def test_a_kong_draws_again_and_turns_a_dora() -> None:
    position = go(dealt("1111m567p238899s"), "5z", "kong 1m")
    assert position.turn().kind is TurnKind.CHANCE
    position = go(position, "6m", "1s")
    assert position.table.replacing  # type: ignore[attr-defined]
    assert "dora shown by 6m7z" in position.view("South")
    assert "closed-kong:1111m" in position.view("North")


def test_an_added_kong_can_be_robbed() -> None:
    position = go(dealt("5p", "55p3m", north=WAIT), "9p", "5p")
    position = position.play({"South": "pong", "West": "pass", "North": "pass"}).position
    position = go(position, "3m", "pass", "9m", "9m", "pass", "9s", "9s", "pass", "9m", "9m", "pass", "5p")
    assert "kong 5p" in position.moves("South")
    position = position.play({"South": "kong 5p"}).position
    assert position.turn().players == ("West", "North", "East")
    # North has let the first one go and draws in between: it may win again.
    assert "ron" in position.moves("North")
    assert position.seen("North", "ron", "East").startswith("ron 2 han")
    assert position.play({"North": "pass", "West": "pass", "East": "pass"}).position.turn().kind is TurnKind.CHANCE


def test_moves_may_be_typed_as_people_say_them() -> None:
    position = go(dealt("123456m567p2388s"), "5z")
    assert position.parse("East", "discard white") == "5z"
    assert position.parse("East", "Riichi haku") == "riichi 5z"
    with pytest.raises(MalformedMove):
        position.parse("East", "9s")
    claim = go(dealt("5p", "46p", "55p"), "9p", "5p")
    assert claim.parse("South", "chi") == "chow 4p6p"
    assert claim.parse("West", "pon") == "pong"
    several = go(dealt("5p", "3467p"), "9p", "5p")
    with pytest.raises(AmbiguousMove):
        several.parse("South", "chow")


def test_claims_can_be_given_a_time() -> None:
    turn = go(dealt("5p", claim_time="5"), "9p", "5p").turn()
    assert turn.delay == 5.0
    assert turn.default == {"South": "pass", "West": "pass", "North": "pass"}


def test_a_hand_that_is_nearer_is_estimated_to_be_worth_more() -> None:
    rng = random.Random(1)
    position = rules.start({})
    assert position.estimate("East") == 25000
    position = position.play({CHANCE: position.draw(rng)}).position
    assert 25000 < position.estimate("East") < 30000


def test_people_hear_of_claims_and_of_their_own_tiles() -> None:
    drawn = dealt("5p")
    claiming = go(drawn, "9p", "5p")
    assert claiming.spoken("South", "pass", "East") == ""
    assert drawn.spoken("East", "9p", "South") == "9p"
    position = rules.start({})
    position = position.play({CHANCE: position.draw(random.Random(1))}).position
    assert position.spoken(CHANCE, "5m", "East") == "5m"
    assert position.spoken(CHANCE, "5m", "South") == ""
    first = rules.start()
    deal = first.draw(random.Random(1))
    hands, dora = deal.removeprefix("hands ").split(" dora ")
    assert first.spoken(CHANCE, deal, "South") == f"hand {hands.split(' / ')[1]} dora {dora}"


def test_people_are_told_what_was_claimed() -> None:
    rng, rest = random.Random(3), {"pong", "chow"}
    while rest:
        position = rules.start()
        while position.turn() is not OVER and rest:
            players = position.turn().players
            if players == (CHANCE,):
                position = position.play({CHANCE: position.draw(rng)}).position
                continue
            for player in players:
                for move in position.moves(player):
                    if move.split()[0] in rest and len(players) > 1:
                        tile = TILES[position.table.tile]
                        assert position.spoken(player, move, "East") == f"{move} of {tile}"
                        rest.discard(move.split()[0])
            position = position.play({player: position.moves(player)[0] for player in players}).position


def test_a_picture_says_what_the_letters_of_tiles_mean_and_fits_a_terminal() -> None:
    rng, position = random.Random(5), rules.start()
    for _ in range(60):
        players = position.turn().players
        moves = {who: position.draw(rng) if who == CHANCE else position.moves(who)[0] for who in players}
        position = position.play(moves).position
        lines = position.picture("East").plain()
        assert any("s bamboos" in line for line in lines)
        assert max(map(len, lines)) <= 78
