"""Other programs that play random games, for comparison; each only where it is installed."""

from __future__ import annotations

import random
import re
import time
from importlib import import_module
from typing import Any

from ggtp.errors import CommandError
from ggtp.game.names import near_names

PEERS = ("openspiel",)


ALIASES = {"reversi": "othello", "connect4": "connect_four", "nineboardtictactoe": "ultimate_tic_tac_toe"}
"""Games that a peer knows under another name."""


class NoSuchGame(CommandError):
    """The peer has no game like that."""


def measure_peer(peer: str, rule: str, seconds: float) -> float:
    """Playouts of a peer's game that is called like the rule, per second of processor time.

    Raises:
        CommandError: the peer is not installed.
        NoSuchGame: it has no such game.
    """
    try:
        pyspiel = import_module("pyspiel")
    except ImportError as error:
        raise CommandError(f"The peer {peer} is not installed: there is no Python module pyspiel.") from error
    name = peer_game(rule, pyspiel.registered_names())
    return _playouts(pyspiel.load_game(name), seconds, random.Random(1))


def peer_game(rule: str, names: list[str]) -> str:
    """The peer's name for a rule, whatever is done with capitals and underscores.

    Raises:
        NoSuchGame: there is none.
    """
    wanted = _plain(rule.rpartition("/")[2])
    wanted = _plain(ALIASES.get(wanted, wanted))
    for name in names:
        if _plain(name) == wanted:
            return name
    near = near_names(rule.rpartition("/")[2], names, most=1)
    hint = f" The nearest is {near[0]}." if near else ""
    raise NoSuchGame(f"The peer has no game called like {rule}.{hint}")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _playouts(game: Any, seconds: float, rng: random.Random) -> float:
    games = 0
    until, began = time.perf_counter() + seconds, time.thread_time()
    while time.perf_counter() < until or not games:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(game.num_players())])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        games += 1
    # As our own kernels are measured, so that the ratio is one of equals.
    return games / max(time.thread_time() - began, 1e-9)
