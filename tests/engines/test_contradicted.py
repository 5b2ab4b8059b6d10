"""Engines that were told what can't be: they play on by what their player knows, and say so."""

import pytest
from ggtp.engines.determinized import Determinized
from ggtp.engines.ismcts import Ismcts
from ggtp.engines.random_mover import Random


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


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_of_openspiel_goes_on(sit, engine):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")
    seat = sit(engine(), "openspiel/kuhn_poker", "Player2", settings={"seed": "3"})
    for actor, text in (("Chance", "?"), ("Chance", "0 ~12345678"), ("Player1", "Bet")):
        seat.tell("made_move", actor, text)
    assert choose(seat) in {"Bet", "Pass"}
    assert seat.last_search()["explained"] == "most"
