"""The process in which OpenSpiel runs: lines of JSON in, lines of JSON out.

A request names a game, its parameters and the actions since the start. Every action is looked
for among those that the library lists there before it is passed on, since any other may end the
process. States are kept, so that a game that goes on is not played again from its start.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any, TypeAlias

from ggtp.openspiel.naming import news
from ggtp.processes.bounds import bound

MOST_STATES = 4000
MOST_MEMORY = 3 << 30
"""Bytes of address space: a wrong parameter must not take the machine."""
FINE = 10**9
SHOTS = {"W": "water", "H": "hit", "S": "sunk"}
HAND = 40
"""How wide the hand of a player is in the table of crazy eights."""

Step: TypeAlias = int | tuple[int, ...]
"""An action, or one of each player."""


class Refused(Exception):
    """A request that cannot be answered, and why."""


class Library:
    """The library's games and states, by what leads to them."""

    def __init__(self) -> None:
        # The only place: it may not be installed, and has no types.
        self._library: Any = import_module("pyspiel")
        self._games: dict[str, Any] = {}
        self.imagined: dict[Any, Any] = {}
        """What `imagine` remembers of each player."""
        self._states: OrderedDict[tuple[str, tuple[Step, ...]], Any] = OrderedDict()

    def game(self, name: str, parameters: Mapping[str, Any]) -> tuple[str, Any]:
        """A key for the game, and the game."""
        key = json.dumps([name, parameters], sort_keys=True)
        if key not in self._games:
            try:
                self._games[key] = self._library.load_game(name, dict(parameters))
            except self._library.SpielError as error:
                raise Refused(f"OpenSpiel does not play {name} like that: {_first_line(error)}") from None
        return key, self._games[key]

    def state(self, name: str, parameters: Mapping[str, Any], history: tuple[Step, ...]) -> Any:
        """The state after these actions."""
        key, game = self.game(name, parameters)
        known = len(history)
        while known and (key, history[:known]) not in self._states:
            known -= 1
        state = self._states.get((key, history[:known])) or game.new_initial_state()
        for index in range(known, len(history)):
            state = self._after(state, history[index])
            self._keep((key, history[: index + 1]), state)
        return state

    def _keep(self, key: tuple[str, tuple[Step, ...]], state: Any) -> None:
        self._states[key] = state
        if len(self._states) > MOST_STATES:
            self._states.popitem(last=False)

    def _after(self, state: Any, step: Step) -> Any:
        after = state.clone()
        if state.is_terminal():
            raise Refused("the game is over")
        if state.is_simultaneous_node():
            steps = step if isinstance(step, tuple) else ()
            if len(steps) != state.num_players() or any(
                action not in (state.legal_actions(player) or [0]) for player, action in enumerate(steps)
            ):
                raise Refused("no such actions")
            after.apply_actions(list(steps))
            return after
        listed = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        if step not in listed:
            raise Refused("no such action")
        after.apply_action(step)
        return after


def describe(state: Any) -> dict[str, Any]:
    """All that a position needs to know of a state."""
    count = state.num_players()
    found: dict[str, Any] = {"table": str(state), "views": [view_of(state, player) for player in range(count)]}
    if state.is_terminal():
        return found | {"kind": "over", "returns": [_number(value) for value in state.returns()]}
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        weights = _weights([chance for _, chance in outcomes])
        named = [
            [action, state.action_to_string(-1, action), weight]
            for (action, _), weight in zip(outcomes, weights, strict=True)
            if weight
        ]
        return found | {"kind": "chance", "chance": named}
    if state.is_simultaneous_node():
        players = [player for player in range(count) if state.legal_actions(player)]
        kind = "joint"
    else:
        players, kind = [state.current_player()], "single"
    moves = {
        str(player): [[action, state.action_to_string(player, action)] for action in state.legal_actions(player)]
        for player in players
    }
    return found | {"kind": kind, "players": players, "moves": moves}


def view_of(state: Any, player: int) -> str:
    """What a player knows, as fully as the game tells it."""
    return viewer(state, player)(state)


def viewer(state: Any, player: int) -> Callable[[Any], str]:
    """What a player knows in a state of the same game as this one."""
    kind = state.get_game().get_type()
    if kind.short_name == "battleship":
        return lambda other: f"{other.observation_string(player)}{last_shot(other.information_state_string(player))}"
    if kind.provides_information_state_string:
        return lambda other: str(other.information_state_string(player))
    if kind.short_name == "crazy_eights":
        return lambda other: str(other.observation_string(player)) or dealt_so_far(str(other), player)
    if kind.provides_observation_string:
        return lambda other: str(other.observation_string(player))
    return lambda other: ""


def last_shot(text: str) -> str:
    """What a player's last shot in battleship has hit, since the boards do not show what is sunk."""
    cell, _, hit = text.rpartition("/shot_")[2].partition(":")
    return f"Last shot at {cell.replace('_', ' ')}: {SHOTS[hit[0]]}" if hit else ""


def dealt_so_far(table: str, player: int) -> str:
    """A player's own cards in a table of crazy eights, whose library shows players nothing while cards are drawn."""
    rows = [line for line in table.splitlines() if line.startswith(("Player 0: ", "Suit "))]
    return "\n".join(line[HAND * player : HAND * (player + 1)].rstrip() for line in rows)


def told(state: Any, observer: int) -> dict[str, str]:
    """What an observer is told of each outcome of chance: what is new in its view, and nothing else.

    It is made of the observer's own views before and after, so it cannot hold what these do not.
    """
    before = view_of(state, observer)
    found = {}
    for action, _ in state.chance_outcomes():
        after = state.clone()
        after.apply_action(action)
        found[str(action)] = news(before, view_of(after, observer))
    return found


def shown(state: Any, pattern: str) -> dict[str, list[bool]]:
    """Of each action: whose view matches a pattern after it."""
    found = {}
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        views = (view_of(after, player) for player in range(state.num_players()))
        found[str(action)] = [re.search(pattern, view) is not None for view in views]
    return found


def _number(value: float) -> str:
    return str(Fraction(value).limit_denominator(10**6))


def _weights(chances: Sequence[float]) -> list[int]:
    """Whole numbers in the same proportions."""
    parts = [Fraction(chance).limit_denominator(100_000) for chance in chances]
    common = lcm(*(part.denominator for part in parts)) if parts else 1
    if common <= FINE and abs(float(sum(parts)) - 1) < 1 / FINE:
        return [int(part * common) for part in parts]
    return [max(1, round(chance * FINE)) if chance > 0 else 0 for chance in chances]


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def answer(library: Library, request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    history = tuple(tuple(step) if isinstance(step, list) else step for step in request["history"])
    try:
        if request["want"] == "imagine":
            from ggtp.openspiel.imagine import imagine  # few need it, and the child should be up fast

            return imagine(library, request)
        state = library.state(request["game"], request["parameters"], history)
        if request["want"] == "shown":
            return {"shown": shown(state, request["pattern"])}
        if request["want"] == "told":
            return {"told": told(state, request["observer"])}
        return describe(state)
    except Refused as error:
        return {"error": str(error)}
    except Exception as error:  # noqa: BLE001 - the library may raise anything; whoever asked is told
        return {"error": f"OpenSpiel failed: {_first_line(error)}"}


def main() -> int:
    """Answers every line of the input until it ends."""
    # What the library prints must not be taken for an answer.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with suppress(ValueError, OSError):  # not every system has them all
        bound(memory_bytes=MOST_MEMORY)
    library = Library()
    for line in sys.stdin:
        out.write(json.dumps(answer(library, json.loads(line))) + "\n")
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
