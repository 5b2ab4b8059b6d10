"""Facts about LeducPoker, and its positions as OpenSpiel has them."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from support.secrets import compare_imagined, heard

from ggtp.game import CHANCE, Position, Standing, TurnKind

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

rules = importlib.import_module("ggtp.rules.leducpoker").RULES


def after(*moves: str) -> Position:
    position: Position = rules.start()
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def test_a_pair_beats_a_king() -> None:
    end = after("Jh Ks", "bet", "raise", "call", "Js", "check", "bet", "call", "Ann Jh Bob Ks")
    result = end.result()
    assert result is not None
    assert result.scores == {"Ann": 9, "Bob": -9}
    assert result.standings["Ann"] is Standing.WIN


def test_equal_ranks_share() -> None:
    result = after("Jh Js", "check", "check", "Ks", "check", "check", "Ann Jh Bob Js").result()
    assert result is not None
    assert result.scores == {"Ann": 0, "Bob": 0}
    assert result.standings["Ann"] is Standing.DRAW


def test_there_are_two_bets_in_a_round() -> None:
    assert after("Jh Ks", "bet").moves("Bob") == ["fold", "call", "raise"]
    assert after("Jh Ks", "bet", "raise").moves("Ann") == ["fold", "call"]


def test_the_picture() -> None:
    position = after("Jh Ks", "bet", "call", "Js")
    assert position.picture("Ann").plain() == [
        "    cards chips  bet",
        "Ann  J♥    10",
        "Bob  ??    10",
        "board J♠",
        "Pot 6.",
        "You hold a pair of jacks.",
        "Ann to act.",
    ]
    assert all(line.isascii() for line in position.picture(None).plain(ascii_only=True))


ACTIONS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


def compare(position: Position, state: Any, names: tuple[str, ...]) -> Position:
    """The same position of both; the one after the cards are shown, where they are to be."""
    if state.is_terminal():
        if position.turn().kind is TurnKind.CHANCE:
            (show,) = position.moves(CHANCE)
            position = position.play({CHANCE: show}).position
        result = position.result()
        assert result is not None
        assert [float(score) for score in result.scores.values()] == pytest.approx(state.returns())
    elif state.is_chance_node():
        assert position.turn().kind is TurnKind.CHANCE
        assert len(position.moves(CHANCE)) == len(state.chance_outcomes())
    else:
        (player,) = position.turn().players
        assert names.index(player) == state.current_player()
        assert sorted(ACTIONS[move] for move in position.moves(player)) == state.legal_actions()
    return position


def card(name: str, players: int) -> int:
    """OpenSpiel's number: two cards of each rank, one after the other."""
    return "3456789TJQK"[-players - 1 :].index(name[0]) * 2 + "hs".index(name[1])


def test_every_position_is_as_in_openspiel() -> None:
    """All betting for some deals of each kind, and every board card."""
    game, names = pyspiel.load_game("leduc_poker"), ("Ann", "Bob")
    compared = 0

    def walk(position: Position, state: Any) -> None:
        nonlocal compared
        compared += 1
        position = compare(position, state, names)
        if state.is_terminal():
            return
        (player,) = position.turn().players
        for move in position.moves(player):
            walk(
                position.play({player: move}).position,
                state.child(card(move, 2) if player == CHANCE else ACTIONS[move]),
            )

    first = rules.start()
    for deal in ("Jh Js", "Jh Qs", "Qs Kh", "Kh Js", "Qh Qs", "Ks Qh"):
        state = game.new_initial_state()
        for word in deal.split():
            state.apply_action(card(word, 2))
        walk(first.play({CHANCE: deal}).position, state)
    assert compared == 6 * 315


@pytest.mark.parametrize("players", [3, 5, 10])
def test_games_of_more_players_are_as_in_openspiel(players: int) -> None:
    game = pyspiel.load_game(f"leduc_poker(players={players})")
    rng, names = random.Random(players), rules.players({"players": str(players)})
    for _ in range(20):
        position, state = rules.start({"players": str(players)}), game.new_initial_state()
        deal = position.draw(rng)
        position = position.play({CHANCE: deal}).position
        for word in deal.split():
            state.apply_action(card(word, players))
        while not state.is_terminal():
            compare(position, state, names)
            (player,) = position.turn().players
            move = rng.choice(position.moves(player))
            position = position.play({player: move}).position
            state.apply_action(card(move, players) if player == CHANCE else ACTIONS[move])
        compare(position, state, names)


@pytest.mark.parametrize(("players", "games"), [("2", 8), ("3", 6), ("10", 1)])
def test_what_is_imagined_looks_like_the_truth(players: str, games: int) -> None:
    rng = random.Random(4)
    played = [compare_imagined(rules, rng, {"players": players}) for _ in range(games)]
    compared, others = map(sum, zip(*played, strict=True))
    assert compared > 50
    assert others > compared // 3


def test_another_card_of_the_opponent_changes_nothing_that_is_told() -> None:
    line = ["check", "bet", "call", "Kh", "check", "bet", "fold"]
    histories = []
    for deal in ("Qs Jh", "Qs Js", "Qs Ks", "Qs Qh"):
        position, history = rules.start(), [{CHANCE: deal}]
        position = position.play(history[0]).position
        for move in line:
            history.append({position.turn().players[0]: move})
            position = position.play(history[-1]).position
        histories.append(history)
    told = [heard(rules, history, "Ann") for history in histories]
    assert all(other == told[0] for other in told)
