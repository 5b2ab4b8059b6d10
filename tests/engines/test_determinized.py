"""Determinized as an engine: a search of every table, as if everybody saw it."""

import random

import pytest
from ggtp.engines.determinized import Determinized
from ggtp.engines.ismcts import Ismcts

from ggtp.game import Refused, Standing, TurnKind
from ggtp.game.hidden.sampling import observed
from ggtp.protocol.messages import Command

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


@pytest.mark.slow
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


SKAT = {"Time": "0", "Playouts": "600", "seed": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("engine", [Determinized, Ismcts])
def test_at_skat_a_good_hand_is_bid_and_a_bad_one_is_not(sit, engine):
    good, bad = "CJSJHJCACTCKC8SASTDA", "C9C8SKS9S7HQH8H7DKD9"
    for hand, move in ((good, "18"), (bad, "pass")):
        seat = sit(engine(), "Skat", "Middlehand", settings=SKAT)
        seat.tell("made_move", "Chance", f"? {hand} ? ?")
        assert seat.choose() == move


@pytest.mark.slow
@pytest.mark.parametrize("engine", [Determinized, Ismcts])
def test_at_skat_whoever_plays_against_the_declarer_gives_its_points_to_a_partner(sit, engine):
    seat = sit(engine(), "Skat", "Rearhand", settings=SKAT)
    heard = [
        ("Chance", "? ? HTH9H8S9S8S7DTD9D8D7 ?"),
        *(("Middlehand", "pass"), ("Rearhand", "pass"), ("Forehand", "18")),
        *(("Forehand", "clubs hand"), ("Forehand", "HQ"), ("Middlehand", "HA")),
    ]
    for actor, text in heard:
        seat.tell("made_move", actor, text)
    assert seat.choose() == "HT"


def test_it_suggests_what_is_best_so_far(sit):
    seat = sit(Determinized(), "PhantomTicTacToe", "Cross", settings=QUICK)
    suggested = []
    game, budget = seat.session.asked(Command("have_to_play", ()), suggested.append)
    seat.engine.choose(game, budget)
    assert suggested
    assert set(suggested) <= set(game.moves())
