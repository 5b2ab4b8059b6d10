"""What the tests of several rules share: OpenSpiel as a judge, and how much to compare.

`pyspiel` ends the process on a wrong action, so that only actions which it lists are ever passed
to it. `GGTP_ORACLE` multiplies how many games are compared, for a longer look by hand.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Position


def games(count: int) -> range:
    """So many games by default, more where the environment says so."""
    return range(count * int(os.environ.get("GGTP_ORACLE", "1")))


def report(what: str, compared: int) -> None:
    """Says how much was compared; pytest shows it with -rP."""
    print(f"{what}: {compared} positions compared")


def openspiel(name: str, **parameters: int | str | bool | float) -> Any:
    """A game of OpenSpiel; Any, since the library has no types."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")
    return pyspiel.load_game(name, parameters)


def actions(state: Any) -> dict[str, int]:
    """The legal actions of a state by their names."""
    return {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}


def start(rule: str, **options: str) -> Position:
    """The first position of a bundled rule."""
    position: Position = importlib.import_module(f"ggtp.rules.{rule}").RULES.start(options)
    return position


def gdl(rule: str) -> Position:
    """The first position of a bundled rule in the Game Description Language, played by the interpreter."""
    return Catalogue.from_environment({"HOME": "/nonexistent"}).find_rules(f"gdl/{rule}").start()


def play(position: Position, *moves: str) -> Position:
    """The position after these moves, typed as a person would, each by whoever's turn it is."""
    for move in moves:
        player = position.turn().players[0]
        position = position.play({player: position.parse(player, move)}).position
    return position


def mover(position: Position) -> str:
    """Whose turn it is."""
    return position.turn().players[0]


def moves(position: Position) -> list[str]:
    """The moves of whoever's turn it is."""
    players = position.turn().players
    return list(position.moves(players[0])) if players else []
