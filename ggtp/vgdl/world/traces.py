"""Checks a player of video games against a recorded game, and says in words where they first differ.

A trace has the state before the first tick and, for every tick, the action, score, winner,
avatar, the number of draws of chance and what has changed. States are compared as sets.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ggtp.errors import RulesError
from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.level import Level
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.tick import advance
from ggtp.vgdl.world.world import MOST_SPRITES, World

Record: TypeAlias = Mapping[str, Any]
"""One line of a trace file, as JSON gives it."""
Place: TypeAlias = tuple[str, int, int]

SHOWN = 5
"""How many sprites of a difference are listed."""


class TraceError(Exception):
    """A recorded game that says something impossible."""


class Player(Protocol):
    """A game under way, as a trace sees it."""

    def advance(self, action: Action) -> None:
        """Play a tick."""

    def places(self) -> list[Place]:
        """The name and the place of every sprite that lives."""

    def figures(self) -> dict[str, Any]:
        """Score, `win`, `end`, and the number of draws in the last tick."""

    def avatar(self) -> dict[str, Any] | None:
        """The avatar as a trace describes it."""


class Interpreted:
    """The interpreter as a player of traces."""

    def __init__(self, game: Game, level: Level, seed: int) -> None:
        self._world = World(game, level, seed)
        self._calls = 0

    def advance(self, action: Action) -> None:
        self._calls = self._world.chance.calls
        advance(self._world, action)

    def places(self) -> list[Place]:
        return [(sprite.kind.name, sprite.x, sprite.y) for sprite in self._world.sprites()]

    def figures(self) -> dict[str, Any]:
        world = self._world
        return {
            "score": world.score,
            "win": world.winner,
            "end": int(world.ended),
            "rng": world.chance.calls - self._calls,
        }

    def avatar(self) -> dict[str, Any] | None:
        avatar = self._world.avatar
        if avatar is None:
            return None
        names = self._world.game.types
        return {
            "type": avatar.kind.name,
            "x": avatar.x,
            "y": avatar.y,
            "o": list(avatar.orientation),
            "alive": int(not avatar.disabled),
            "hp": avatar.health,
            "res": {names[number].name: amount for number, amount in avatar.resources.items() if amount},
        }


class Compiled:
    """The compiled kernel as a player of traces."""

    def __init__(self, game: Game, level: Level, seed: int) -> None:
        from ggtp.vgdl.kernel.model import Model  # only those who want machine code pay for it

        self._state = Model(game, level, MOST_SPRITES + 1).start(seed)
        self._names = [kind.name for kind in game.types]
        self._background = [(self._names[number], x, y) for number, x, y in self._state.background()]
        self._calls = 0

    def advance(self, action: Action) -> None:
        self._calls = self._state.calls
        self._state.advance(action)
        if self._state.exceeded:
            raise RulesError("there are too many sprites, or too many meet")

    def places(self) -> list[Place]:
        seen = [(self._names[item.kind], item.x, item.y) for item in self._state.observations()]
        return seen + self._background

    def figures(self) -> dict[str, Any]:
        state = self._state
        return {
            "score": state.score,
            "win": state.winner,
            "end": int(state.ended),
            "rng": state.calls - self._calls,
        }

    def avatar(self) -> dict[str, Any] | None:
        avatar = self._state.avatar()
        if avatar is None:
            return None
        return {
            "type": self._names[avatar.kind],
            "x": avatar.x,
            "y": avatar.y,
            "o": list(avatar.orientation),
            "alive": int(avatar.alive),
            "hp": avatar.health,
            "res": {self._names[number]: amount for number, amount in avatar.resources.items()},
        }


PLAYERS: Mapping[str, Callable[[Game, Level, int], Player]] = {"interpreter": Interpreted, "compiled": Compiled}


def player(kernel: str, game: Game, level: Level, seed: int) -> Player:
    """A player of traces by its name."""
    return PLAYERS[kernel](game, level, seed)


def seed_of(start: Record) -> int:
    """What the chance of a recorded game began with.

    Raises:
        TraceError: it is no number.
    """
    seed = start.get("seed", 0)
    if not isinstance(seed, int):
        raise TraceError(f"its seed is {seed}")
    return seed


def check_trace(
    player: Player, start: Record, ticks: Iterable[Record], hurry: Callable[[], None] = lambda: None
) -> str:
    """Where the player first differs from a recorded game, in words; empty where it never does.

    `hurry` is called in every tick, and may raise something to stop.

    Raises:
        TraceError: the record is damaged.
    """
    try:
        return _check(player, start, ticks, hurry)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TraceError(f"{type(error).__name__}: {error}") from error


def _check(player: Player, start: Record, ticks: Iterable[Record], hurry: Callable[[], None]) -> str:
    state: Counter[Place] = Counter((name, x, y) for name, x, y in start["state"])
    why = _difference(player, state, start) or _avatar_difference(player.avatar(), start.get("avatar"))
    if why:
        return f"before the first tick: {why}"
    for tick in ticks:
        hurry()
        player.advance(Action[tick["a"]])
        state.subtract((name, x, y) for name, x, y in tick["del"])
        state.update((name, x, y) for name, x, y in tick["add"])
        state = +state
        figures = player.figures()
        wanted = {key: tick[key] for key in ("score", "win", "rng") if key in tick} | {"end": tick.get("end", 0)}
        wrong = [f"{key} {figures[key]}, not {value}" for key, value in wanted.items() if figures[key] != value]
        why = (
            ", ".join(wrong)
            or _avatar_difference(player.avatar(), tick.get("avatar"))
            or _difference(player, state, tick)
        )
        if why:
            return f"in tick {tick['t']}: {why}"
    return ""


def check_start(game: Game, level: Level, start: Record) -> str:
    """What a game's text means otherwise than it is recorded: types, order, squares."""
    found = {
        "types": [kind.name for kind in game.types],
        "sprite_order": [game.types[number].name for number in game.draw_order],
        "block": level.block,
        "w": level.width,
        "h": level.height,
    }
    for key, value in found.items():
        if key in start and start[key] != value:
            return f"{key} {value}, not {start[key]}"
    return ""


def _difference(player: Player, state: Counter[Place], record: Record) -> str:
    places = player.places()
    if checksum(places) == record.get("crc"):
        return ""
    found = Counter(places)
    missing, extra = list((state - found).elements()), list((found - state).elements())
    if not missing and not extra:  # the recorded sum is of another state than the recorded changes make
        return "" if "crc" not in record else "the recorded sum fits no state"
    return " and ".join(
        f"{word} {_listed(places)}" for word, places in (("lacks", missing), ("has also", extra)) if places
    )


def _avatar_difference(found: Mapping[str, Any] | None, wanted: Mapping[str, Any] | None) -> str:
    if not wanted:
        return ""
    if found is None:
        return "there is no avatar"
    for key in ("type", "x", "y", "o", "alive", "hp"):
        if key in wanted and found[key] != wanted[key]:
            return f"the avatar's {key} is {found[key]}, not {wanted[key]}"
    amounts = {name: amount for name, amount in (wanted.get("res") or {}).items() if amount}
    return "" if found["res"] == amounts else f"the avatar has {found['res']}, not {amounts}"


def _listed(places: Sequence[Place]) -> str:
    shown = ", ".join(f"{name} {x} {y}" for name, x, y in places[:SHOWN])
    return shown + (f" and {len(places) - SHOWN} more" if len(places) > SHOWN else "")


def checksum(places: Iterable[Place]) -> int:
    """The sum that traces have of a state."""
    return zlib.crc32("\n".join(sorted(f"{name} {x} {y}" for name, x, y in places)).encode())
