"""Gathers what completion knows: from the referee at once, from disk in a thread, from engines quietly.

Only what fits the place at the cursor is gathered, so that a keystroke stays cheap whatever the game.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from ggtp.catalogue import EngineEntry, RuleEntry
from ggtp.driver.driver import Driver
from ggtp.driver.tasks import in_thread, spawn
from ggtp.game import Option, Player, Position
from ggtp.game.names import match_name
from ggtp.game.record import GameRecord
from ggtp.play.play import HUMAN, PERSON, REMOTE
from ggtp.play.tree import step_seen
from ggtp.protocol.introduction import RESERVED
from ggtp.protocol.text import split_list
from ggtp.referee.settings import OPTIONS, VIEW_ALL, VIEW_AUTO
from ggtp.ui.prompt.suggest import Knowledge, Place, is_open

T = TypeVar("T")

STALE_SECONDS = 20.0
"""After this long a list of rules or engines is looked up again, behind the back of who asks for it."""
MOST_NODES = 2000
MOST_FILES = 5000


class Shelf(Generic[T]):
    """A list that takes a while to make: made in a thread when it is first asked for, and kept."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make
        self._items: Sequence[T] | None = None
        self._made_at = 0.0
        self._making: asyncio.Task[None] | None = None

    async def items(self) -> Sequence[T]:
        """The list; an old one at once, and a new one the next time."""
        now = asyncio.get_running_loop().time()
        if self._making is None and (self._items is None or now - self._made_at > STALE_SECONDS):
            self._making = spawn(self._remake())
        if self._items is None and self._making is not None:
            # Shielded: a keystroke cancels whoever waits, and the list is wanted all the same.
            await asyncio.shield(self._making)
        return self._items or ()

    async def _remake(self) -> None:
        try:
            self._items = await in_thread(self._make)
        except Exception:  # noqa: BLE001  # whatever is wrong with a guest, names are only a convenience
            self._items = self._items or ()
        finally:
            self._made_at = asyncio.get_running_loop().time()
            self._making = None


@dataclass(slots=True)
class _Moves:
    """The moves of a player in a position, which may be costly to list."""

    position: Position
    player: str
    moves: Sequence[str]


class Source:
    """Answers the `Knowledge` for a place."""

    def __init__(self, driver: Driver, variables: Mapping[str, str]) -> None:
        self._driver = driver
        self._home = variables.get("HOME", "")
        self._rules: Shelf[RuleEntry] = Shelf(driver.catalogue.list_rules)
        self._engines: Shelf[EngineEntry] = Shelf(driver.catalogue.list_engines)
        self._choices: dict[tuple[int, str], tuple[str, ...]] = {}
        """What engines said of their options, by the number of the link."""
        self._moves: _Moves | None = None

    async def knowledge(self, at: Place) -> Knowledge:
        """What is known that may fit there."""
        known = self._table()
        match at.kind:
            case "rule":
                rules = {entry.name: entry.title for entry in await self._rules.items() if entry.usable}
                return replace(known, rules=rules, files=await self._files(at))
            case "engine":
                return replace(known, engines=await self._playing_engines(), files=await self._files(at))
            case "filename":
                return replace(known, files=await self._files(at))
            case "option" | "value":
                return replace(known, options=self._options(), values=self._driver.view.options)
            case "rule_option" | "rule_value":
                return self._with_rule_options(known)
            case "engine_option":
                return replace(known, engine_options=self._engine_options())
            case "engine_value":
                return await self._with_choices(known, at)
            case "move":
                return self._with_moves(known, at.arguments[0])
            case "command" if at.command is None:
                persons = [player for player in known.turn if known.players.get(player) == HUMAN]
                return self._with_moves(known, persons[0]) if persons else known
            case "node":
                return replace(known, nodes=self._nodes())
            case _:
                return known

    def _table(self) -> Knowledge:
        play = self._driver.view.play
        players = {player: seat.engine for player, seat in play.seats.items()}
        turn = () if play.record is None else tuple(p for p in play.turn().players if p not in play.pending)
        return Knowledge(players=players, turn=turn)

    async def _playing_engines(self) -> dict[str, str]:
        entries = await self._engines.items()
        play = self._driver.view.play
        names = {HUMAN: "a person at this prompt"}
        for name, role in self._driver.connections:
            names[f"{REMOTE if role == 'engine' else PERSON}{name}"] = f"{role} on another machine"
        for entry in entries:
            spec = entry.spec
            if not entry.usable or spec is None:
                continue
            if play.rules is None or spec.covers(play.rules, play.option_values()):
                names |= dict.fromkeys(entry.programs, entry.title)
                names[f"{entry.name}:" if spec.takes_command else entry.name] = entry.title
        return names

    def _options(self) -> tuple[Option, ...]:
        """The referee's options; the values of `view` depend on who plays."""
        views = (VIEW_AUTO, VIEW_ALL, *self._driver.view.play.players)
        return tuple(replace(option, choices=views) if option.name == "view" else option for option in OPTIONS)

    def _with_rule_options(self, known: Knowledge) -> Knowledge:
        play = self._driver.view.play
        if play.rules is None:
            return known
        return replace(known, rule_options=play.rules.options(play.values), rule_values=play.option_values())

    def _engine_options(self) -> dict[str, tuple[str, ...]]:
        """The options that each engine has listed, but for those that only the referee sets."""
        seated = [engine for engine in self._driver.view.engines() if engine.seated]
        return {it.player: tuple(name for name in it.options if name not in RESERVED) for it in seated}

    async def _with_choices(self, known: Knowledge, at: Place) -> Knowledge:
        options = self._engine_options()
        known = replace(known, engine_options=options)
        player = match_name(at.arguments[0], options)
        option = match_name(at.arguments[1], options[player]) if player is not None else None
        engine = None if player is None else self._driver.view.engine(player)
        if player is None or option is None or engine is None:
            return known
        link = (engine.link, option)
        if link not in self._choices:
            reply = await self._driver.ask_engine(player, "list_option_choices", option)
            if reply is None:
                return known
            self._choices[link] = tuple(split_list(reply))
        choices = self._choices[link]
        now = None
        if any(is_open(choice) for choice in choices):
            now = await self._driver.ask_engine(player, "get_option", option)
        key = (player, option)
        return replace(known, engine_choices={key: choices}, engine_values={} if now is None else {key: now})

    def _with_moves(self, known: Knowledge, name: str) -> Knowledge:
        """The moves of a player, unless they would tell what the viewer may not know."""
        view = self._driver.view
        player = match_name(name, {*known.players, *known.turn})
        if view.play.record is None or player is None or player not in known.turn:
            return known
        viewer = view.viewer
        if viewer is not None and player != viewer:
            return known
        position = view.play.position
        kept = self._moves
        if kept is None or kept.position is not position or kept.player != player:
            kept = self._moves = _Moves(position, player, position.moves(player))
        return replace(known, moves={player: kept.moves})

    def _nodes(self) -> dict[str, str]:
        view = self._driver.view
        return {} if view.play.record is None else node_names(view.play.record, view.viewer)

    async def _files(self, at: Place) -> list[str]:
        if at.kind != "filename" and "/" not in at.fragment and not at.fragment.startswith("."):
            return []
        head, slash, _ = at.fragment.rpartition("/")
        folder = f"{head}{slash}" or "."
        if folder.startswith("~/") and self._home:
            folder = f"{self._home}{folder[1:]}"
        return await in_thread(list_folder, Path(folder))


def node_names(record: GameRecord, viewer: Player | None = None) -> dict[str, str]:
    """The names of the nodes, then their numbers, the latest first, each with the step that leads there.

    With a viewer, a step is told as far as that player has seen it.
    """
    named = {node.name: f"{node.number} {step_seen(node, viewer)}".rstrip() for node in record.nodes if node.name}
    latest = record.nodes[: -MOST_NODES - 1 : -1]
    return named | {str(node.number): step_seen(node, viewer) if node.parent else "start" for node in latest}


def list_folder(folder: Path) -> list[str]:
    """What is in a folder, sub-folders with a slash behind them; nothing where it can't be read."""
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append(f"{entry.name}/" if entry.is_dir() else entry.name)
                if len(names) == MOST_FILES:
                    break
    except (OSError, ValueError):
        return sorted(names)
    return sorted(names)
