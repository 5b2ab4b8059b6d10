"""Determinized as an engine: a search of every table, as if everybody saw it."""

import random

import pytest
from ggtp.engines.determinized import Determinized

from ggtp.game import Refused, Standing, TurnKind
from ggtp.game.sampling import observed

QUICK = {"Time": "0", "Playouts": "150", "seed": "1"}


def won(sit, rules, seed):
    rng = random.Random(seed)
    seat = sit(Determinized(), "PhantomTicTacToe", "Cross", settings=QUICK)
    position = rules("PhantomTicTacToe").start({})
    while position.turn().kind is not TurnKind.OVER:
        (mover,) = position.turn().players
        move = seat.choose() if mover == "Cross" else rng.choice(position.moves(mover))
        verdict = position.play({mover: move})
        for item in observed(position, verdict, "Cross"):
            if isinstance(item, Refused):
                seat.tell("illegal_move", f"{item.move} {item.reason}")
            else:
                seat.tell("made_move", item.actor, item.text)
        position = verdict.position
    assert seat.logged == []
    return position.result().standings["Cross"] is Standing.WIN


def test_it_beats_random_at_phantom_tic_tac_toe(sit, rules):
    assert sum(won(sit, rules, seed) for seed in range(12)) >= 9


@pytest.mark.parametrize("rule", ["ConnectFour", "CantStop", "RockPaperScissors"])
def test_it_moves_in_games_without_secrets_too(sit, rules, rule):
    player = rules(rule).players(rules(rule).complete({}))[0]
    seat = sit(Determinized(), rule, player, settings=QUICK)
    position = rules(rule).start({})
    while player not in position.turn().players:
        outcome = position.draw(random.Random(1))
        position = position.play({"Chance": outcome}).position
        seat.tell("made_move", "Chance", outcome)
    assert seat.choose() in position.moves(player)


def test_it_searches_as_many_tables_as_it_is_told_to(sit):
    for count in (1, 5):
        seat = sit(Determinized(), "PhantomTicTacToe", "Cross", settings={**QUICK, "Tables": str(count)})
        seat.tell("made_move", "Cross", "A1")
        seat.tell("made_move", "Circle", "?")
        seat.choose()
        assert seat.last_search()["tables"] == str(count)


def test_it_tells_which_move_and_why(sit):
    seat = sit(Determinized(), "PhantomTicTacToe", "Cross", settings=QUICK)
    move = seat.choose()
    assert seat.last_search()["move"] == move
    assert f"{move} " in seat.last_search()["moves"]
