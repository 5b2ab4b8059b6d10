"""Random plays everything that there is, by the rules, to the end."""

import random
from collections import Counter

import pytest
from ggtp.engines.random_mover import Random
from support.marks import slow_where
from support.paths import ROOT
from support.spiel import at_home

from ggtp.catalogue import Catalogue
from ggtp.game import CHANCE, Refused, TurnKind
from ggtp.game.hidden.sampling import observed

MOST_TURNS = {"Go": 5000}
"""After how many moves a game at random is over; 600 where nothing is said."""

RULES = [
    name for entry in Catalogue.from_environment({}).list_rules() if not (name := entry.name).startswith("openspiel/")
]
OF_OPENSPIEL = sorted(path.stem for path in (ROOT / "rules" / "openspiel").glob("*.spiel"))
MOST_OF_OPENSPIEL = 10
"""Some take thousands of moves."""
SLOW = {
    *("Backgammon", "Go", "HexWar", "Kriegspiel", "gdl/blobwars", "gdl/cardgame", "gdl/checkers", "gdl/chess"),
    *("gdl/chinesecheckers", "gdl/chinesecheckers2", "gdl/fourway", "gdl/gomoku", "gdl/hex", "gdl/hex_small"),
    *("gdl/othello", "gdl/quarto", "gdl/reversi_small", "gdl/skirmish", "gdl/sokoban_small"),
    *("battleship", "crazy_eights", "dou_dizhu", "gin_rummy", "yacht"),
}
TO_THE_END = (
    *("breakthrough", "connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "mancala", "nim", "othello"),
    *("phantom_ttt", "pig", "tic_tac_toe", "dark_hex", "latent_ttt", "repeated_leduc_poker"),
)
"""These are of every kind, and do not take long."""


def told(seats, position, verdict):
    """What the referee tells each engine of a step."""
    for player, seat in seats.items():
        for item in observed(position, verdict, player):
            if isinstance(item, Refused):
                seat.tell("illegal_move", f"{item.move} {item.reason}".strip())
            else:
                seat.tell("made_move", item.actor, item.text)


def play(sit, found, rule, seed, most):
    """A game of engines that choose at random, until it is over or so many moves were made; its last position."""
    rng = random.Random(f"{rule} {seed}")
    position = found.start()
    players = found.players(found.complete({}))
    seats = {player: sit(Random(), rule, player, settings={"seed": f"{seed} {player}"}) for player in players}
    made = 0
    while made < most:
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            break
        made += turn.kind is not TurnKind.CHANCE
        if turn.kind is TurnKind.CHANCE:
            moves = {CHANCE: position.draw(rng)}
        else:
            movers = [rng.choice(turn.players)] if turn.kind is TurnKind.RACE else turn.players
            moves = {player: seats[player].choose() for player in movers}
            for player, move in moves.items():
                assert position.parse(player, move) == move
        verdict = position.play(moves)
        told(seats, position, verdict)
        position = verdict.position
    assert {player: seat.logged for player, seat in seats.items()} == {player: [] for player in players}
    return position


@pytest.mark.parametrize("rule", slow_where(SLOW.__contains__, sorted(RULES)))
def test_a_game_of(sit, rules, rule):
    assert play(sit, rules(rule), rule, 1, MOST_TURNS.get(rule, 600)).turn().kind is TurnKind.OVER


@pytest.mark.parametrize("name", TO_THE_END)
def test_a_game_of_openspiel_to_its_end(sit, rules, name, monkeypatch):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")
    at_home(monkeypatch)
    rule = f"openspiel/{name}"
    assert play(sit, rules(rule), rule, 1, 600).turn().kind is TurnKind.OVER


@pytest.mark.parametrize("name", slow_where(SLOW.__contains__, OF_OPENSPIEL))
def test_a_game_of_openspiel(sit, rules, name, monkeypatch):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")
    at_home(monkeypatch)
    rule = f"openspiel/{name}"
    play(sit, rules(rule), rule, 1, MOST_OF_OPENSPIEL)


def test_every_move_is_as_likely_as_another(sit):
    seat = sit(Random(), "TicTacToe", "Cross", settings={"seed": "3"})
    counts = Counter(seat.choose() for _ in range(1800))
    assert len(counts) == 9
    assert all(140 < count < 260 for count in counts.values())


def test_what_was_refused_is_not_tried_again(sit):
    seat = sit(Random(), "PhantomTicTacToe", "Cross", settings={"seed": "3"})
    seat.tell("made_move", "Cross", "A1")
    seat.tell("made_move", "Circle", "?")
    first = seat.choose()
    seat.tell("illegal_move", f"{first} the square is taken")
    assert {seat.choose() for _ in range(200)} == {"B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"} - {first}


def test_where_all_is_refused_it_tries_again(sit):
    seat = sit(Random(), "TicTacToe", "Cross")
    for square in ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"):
        seat.tell("illegal_move", square)
    assert seat.choose() in {"A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"}
