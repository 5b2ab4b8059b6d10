"""Engines that were told what can't be: they play on by what their player knows, and say so."""

import random

import pytest
from ggtp.engines.determinized import Determinized
from ggtp.engines.ismcts import Ismcts
from ggtp.engines.random_mover import Random
from support.marks import slow_where
from support.playbook import catalogue

from ggtp.game import Seen
from ggtp.game.checks.examine import choose as anything
from ggtp.game.hidden.sampling import observed


def choose(seat):
    return seat.choose("300")


ENGINES = (Random, Determinized, Ismcts)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_of_cards_goes_on(sit, engine):
    seat = sit(engine(), "KuhnPoker", "Bob", settings={"seed": "3"})
    for actor, text in (("Chance", "the ace of acorns"), ("Ann", "bet")):
        seat.tell("made_move", actor, text)
    assert choose(seat) in {"call", "fold"}
    assert seat.last_search()["explained"] == "most"
    assert choose(seat) in {"call", "fold"}
    assert len(seat.logged) == 1


@pytest.mark.process
@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_of_openspiel_goes_on(sit, engine):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")
    seat = sit(engine(), "openspiel/kuhn_poker", "Player2", settings={"seed": "3"})
    for actor, text in (("Chance", "?"), ("Chance", "0 ~12345678"), ("Player1", "Bet")):
        seat.tell("made_move", actor, text)
    assert choose(seat) in {"Bet", "Pass"}
    assert seat.last_search()["explained"] == "most"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_what_was_refused_is_not_tried_again_while_there_is_anything_else(sit, engine):
    seat = sit(engine(), "Uno", "Ann", settings={"seed": "3"})
    seat.tell("made_move", "Chance", "the ace of acorns")
    tried = []
    for _ in range(6):
        tried.append(choose(seat))
        seat.tell("illegal_move", tried[-1])
    assert len(set(tried)) == len(tried)


SLOW = {"Kriegspiel", "PhantomGo", "PhantomGomoku", "PhantomHex", "gdl/cardgame"}
NONSENSE = ("the ace of acorns", "?", "1", "pass")
SECRET = sorted(
    entry.name
    for entry in catalogue().list_rules()
    if entry.usable and not entry.name.startswith("openspiel/") and catalogue().find_rules(entry.name).traits.hidden
)


@pytest.mark.parametrize("rule", slow_where(SLOW.__contains__, SECRET))
def test_nobody_gives_up_whatever_was_told(sit, rule):
    rules, rng = catalogue().find_rules(rule), random.Random(rule)
    for _ in range(1 if rules.text else 4):  # what a text means is found out slowly
        player = rng.choice(rules.players(rules.complete({})))
        position, told = rules.start({}), []
        seat = sit(Random(), rule, player, settings={"seed": "3"})
        for turn in range(rng.randrange(2, 25) + 200):
            if not position.turn().players or (turn > 20 and player in position.turn().players):
                break
            verdict = position.play(anything(position, rng))
            told += observed(position, verdict, player)
            position = verdict.position
        if player not in position.turn().players:
            continue
        wrong = rng.randrange(len(told) + 1)
        for number, item in enumerate([*told, Seen(rng.choice(["Chance", player]), "pass")]):
            if isinstance(item, Seen):
                seat.tell("made_move", item.actor, rng.choice(NONSENSE) if number == wrong else item.text)
            else:
                seat.tell("illegal_move", f"{item.move} {item.reason}")
        assert choose(seat)
