"""Engines' authors test their engines at any place of any game."""

from __future__ import annotations

import pytest

from ggtp.errors import CommandError, IllegalMove, MalformedMove, OptionError
from ggtp.game import Move, Option, Rules, number
from ggtp.kit import Budget, CannotChoose, Engine, Game
from ggtp.kit.harness import Harness


class Last(Engine):
    """Chooses the last move that there is, or what its option says."""

    name = "Last"
    options = (number("Place", -1, -9, 9, "which move"), Option("Move", "", "a move"))

    def plays(self, rules: Rules, values: object) -> str | None:
        return "Last can't play Nim." if rules.name == "Nim" else None

    def choose(self, game: Game, budget: Budget) -> Move:
        self.report(player=game.player, history=len(game.history), seed=game.rng.randrange(1000))
        return game.settings["Move"] or game.position.moves(game.player)[int(game.settings["Place"])]


def test_an_engine_chooses_where_a_game_stands() -> None:
    harness = Harness(Last(), "TicTacToe", player="Circle", settings={"Place": "0"}, seed=5)
    harness.play("Cross A1")
    assert harness.choose() == "B1"
    assert harness.ask("get_option last_search").startswith("player=Circle, history=1, seed=")
    harness.play("Circle B2", "Cross C3")
    game = harness.game()
    assert (game.player, game.history) == ("Circle", [("Cross", "A1"), ("Circle", "B2"), ("Cross", "C3")])
    assert game.position.key() == harness.position.key()
    assert harness.choose(seconds=1.0) == "B1"


def test_moves_are_taken_back_and_made_again() -> None:
    harness = Harness(Last(), "TicTacToe")
    harness.play("Cross A1", "Circle B2")
    here = harness.ask("get_table 0")
    harness.undo()
    with pytest.raises(CannotChoose):
        harness.game()
    harness.redo()
    assert harness.ask("get_table 0") == here
    with pytest.raises(CommandError, match="No move was taken back"):
        harness.redo()


def test_equal_seeds_make_equal_chance() -> None:
    said = []
    for seed in (1, 1, 2):
        harness = Harness(Last(), "TicTacToe", seed=seed)
        harness.choose()
        said.append(harness.ask("get_option last_search"))
    assert said[0] == said[1] != said[2]


def test_secrets_stay_with_those_who_have_them() -> None:
    harness = Harness(Last(), "KuhnPoker", player="Bob")
    while harness.position.turn().players == ("Chance",):
        harness.play(f"Chance {harness.position.moves('Chance')[0]}")
    assert any("?" in text for _, text in _history(harness))


def _history(harness: Harness) -> list[tuple[str, str]]:
    harness.play(f"Ann {harness.position.moves('Ann')[0]}")
    return harness.game().history


def test_players_who_move_at_once_are_waited_for() -> None:
    harness = Harness(Last(), "RockPaperScissors")
    first, second = harness.position.turn().players
    moves = {player: harness.position.moves(player)[0] for player in (first, second)}
    before = harness.position
    harness.play(f"{second} {moves[second]}")
    assert harness.position is before
    harness.play(f"{first} {moves[first]}")
    assert harness.position is not before


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(OptionError, match=r"Last can't play Nim\."):
        Harness(Last(), "Nim")
    with pytest.raises(OptionError, match="No player named Crooss"):
        Harness(Last(), "TicTacToe", player="Crooss")
    with pytest.raises(OptionError, match="No option named Palce"):
        Harness(Last(), "TicTacToe", settings={"Palce": "1"})
    harness = Harness(Last(), "TicTacToe", settings={"Move": "Z9"})
    with pytest.raises(CommandError, match="It is the turn of Cross"):
        harness.play("Circle A1")
    with pytest.raises((MalformedMove, IllegalMove)):
        harness.choose()
    with pytest.raises(OptionError, match="get_table 7: invalid_table_number"):
        harness.ask("get_table 7")
    with pytest.raises(CommandError, match="no move to take back"):
        harness.undo()
    harness.refuse("A1", "taken")
