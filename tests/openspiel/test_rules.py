"""Every game of OpenSpiel that is bundled, as rules of the house."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from support.paths import RULES

from ggtp.catalogue import Catalogue
from ggtp.errors import AmbiguousMove, CommandError, MalformedMove, OptionError
from ggtp.game import CHANCE, HIDDEN, OVER, Position, Rules, Standing, TurnKind
from ggtp.game.checks.contract import check_rules
from ggtp.openspiel.link import LINK

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

FOLDER = RULES / "openspiel"
NAMES = sorted(path.stem for path in FOLDER.glob("*.spiel"))
LONG = bool(os.environ.get("GGTP_ORACLE"))
"""Whether every game is looked at as closely as a rule in Python; without it, one after the other of the table."""
CLOSE = ("kuhn_poker", "matrix_rps", "mancala", "leduc_poker", "phantom_ttt", "liars_dice", "tic_tac_toe", "nim")
TURNS, FEW_TURNS = 12, 4


CATALOGUE = Catalogue.from_environment({"HOME": "/nonexistent"})


def rules(name: str) -> Rules:
    return CATALOGUE.find_rules(f"openspiel/{name}")


def some_turns(position: Position, rng: random.Random, most: int) -> Position:
    for _ in range(most):
        turn = position.turn()
        if turn is OVER:
            break
        if turn.kind is TurnKind.CHANCE:
            moves = {CHANCE: position.draw(rng)}
        else:
            moves = {player: rng.choice(position.moves(player)) for player in turn.players}
        for player in moves:
            for move in position.moves(player)[:40]:
                assert position.parse(player, move) == move
                assert "," not in move
                assert move == " ".join(move.split())
        position = position.play(moves).position
    return position


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_as_its_file_says(name: str) -> None:
    rule = rules(name)
    kind: Any = pyspiel.load_game(name, rule._spec.parameters(rule.complete({}))).get_type()  # type: ignore[attr-defined]
    traits = rule.traits
    assert traits.joint == (kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS)
    chance = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert traits.chance == (chance or rule._spec.tells)  # type: ignore[attr-defined]
    assert traits.hidden == (kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)
    assert kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_a_game_can_be_played_with_every_value_at_the_ends_of_its_options(name: str) -> None:
    rule, rng = rules(name), random.Random(name)
    position = some_turns(rule.start(), rng, 2000 if LONG else TURNS)
    for player in (*rule.players(rule.complete({})), None):
        assert position.view(player)
        assert position.picture(player).plain()
    if LONG:
        assert position.turn() is OVER
        assert position.result() is not None
    for option in rule.own_options:
        for value in dict.fromkeys(option.choices or (str(option.low), str(option.high))):
            assert some_turns(rule.start({option.name: value}), rng, FEW_TURNS).view(None)


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES if LONG else CLOSE)
def test_the_contract(name: str) -> None:
    findings = check_rules(rules(name), rng=random.Random(name), games=2, max_turns=20000)
    assert findings == []


def test_only_values_that_are_sound_are_taken() -> None:
    for values in ({"board_size": "-3"}, {"board_size": "1000"}, {"rows": "3"}):
        with pytest.raises(OptionError):
            rules("hex").start(values)


@pytest.mark.process
def test_a_game_to_its_end() -> None:
    position = rules("tic_tac_toe").start()
    for move in ("(0 0)", "1 0", "(0 1)", "(1 1)", "0 2"):
        player = position.turn().players[0]
        position = position.play({player: position.parse(player, move)}).position
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert result.standings == {"X": Standing.WIN, "O": Standing.LOSS}


@pytest.mark.process
def test_what_is_no_move_is_told_how_to_write_one() -> None:
    with pytest.raises(MalformedMove, match="write it as in"):
        rules("shogi").start().parse("Black", "nonsense")
    position = rules("chess").start()
    assert position.moves("White")
    assert "e4" in position.moves("White")
    with pytest.raises((MalformedMove, AmbiguousMove)):
        position.parse("White", "e9")


@pytest.mark.process
def test_a_game_goes_on_after_its_process_was_killed() -> None:
    position = some_turns(rules("shogi").start(), random.Random(1), 6)
    LINK.close()
    mover = position.turn().players[0]
    after = position.play({mover: position.moves(mover)[0]}).position
    assert after.turn() is not OVER
    assert len(set(map(str, (position.key(), after.key())))) == 2


@pytest.mark.process
def test_nobody_is_told_the_card_of_another() -> None:
    position = rules("kuhn_poker").start()
    first, second = rules("kuhn_poker").players({"players": "2"})
    assert len({position.seen(CHANCE, move, second) for move in position.moves(CHANCE)}) == 1
    assert len({position.seen(CHANCE, move, first) for move in position.moves(CHANCE)}) == 3
    worlds = [position.play({CHANCE: move}).position for move in position.moves(CHANCE)]
    assert len({world.view(second) for world in worlds}) == 1
    assert len({world.view(None) for world in worlds}) == 3


def test_a_missing_library_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    LINK.close()
    monkeypatch.setattr("ggtp.openspiel.link.LIBRARY", "no_such_library")
    with pytest.raises(CommandError, match="pip install"):
        rules("shogi").start()


@pytest.mark.process
def test_people_see_what_is_new_on_the_table_and_hear_nothing_of_it() -> None:
    position = rules("kuhn_poker").start()
    first, second = "Player1", "Player2"
    move = position.moves(CHANCE)[0]
    assert position.seen(CHANCE, move, first) != HIDDEN
    assert position.spoken(CHANCE, move, first) == ""
    assert position.play({CHANCE: move}).position.picture(first) != position.picture(first)
    assert position.seen(CHANCE, move, second) == HIDDEN
    assert position.spoken(CHANCE, move, second) == ""
    dark = rules("dark_chess").start()
    telling = dark.play({"White": dark.moves("White")[0]}).position
    for player in ("White", "Black"):
        assert telling.spoken(CHANCE, "tell", player) == ""
    assert telling.play({CHANCE: "tell"}).position.picture("White") != telling.picture("White")
    dice = rules("backgammon").start()
    roll = dice.moves(CHANCE)[0]
    assert dice.spoken(CHANCE, roll, dice.play({CHANCE: roll}).position.turn().players[0]) == roll
