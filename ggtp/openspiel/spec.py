"""What a rule file says about a game of OpenSpiel: players, traits, options with the values that are sound."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ggtp.errors import RulesError
from ggtp.game import Option, Traits, number, switch
from ggtp.openspiel.naming import fresh

Parameter = bool | int | float | str
MOST_PLAYERS = 15
TELL = "tell"
ALWAYS = "^"
TABLES = {
    "title": str,
    "game": str,
    "players": list,
    "chance": bool,
    "hidden": bool,
    "joint": bool,
    "zero_sum": bool,
    "open_moves": bool,
    "open_when": str,
    "tells_when": str,
    "refusal": str,
    "names": list,
    "count_from": int,
    "fixed": dict,
    "options": dict,
}
"""What a file may hold."""


@dataclass(frozen=True)
class GameSpec:
    """A game of the library, and what it does not tell about it."""

    game: str
    title: str
    traits: Traits
    names: tuple[str, ...] = ()
    """The players' names; without them they are numbered."""
    open_moves: bool = False
    """Everybody sees every move of a player, though not what chance deals."""
    open_when: str = ""
    """What the view of a player matches after a move that this player sees; empty where it is all moves or none."""
    tells_when: str = ""
    """What the news of any player match after an open move that shows what was hidden; empty where none does."""
    refusal: str = ""
    """Why a move was refused after which its player is to move again; empty where nothing is refused."""
    rewrites: tuple[tuple[str, str], ...] = ()
    """Patterns in the names of moves, and what replaces them."""
    count_from: int | None = None
    """The number of the first row and column in the names of moves, where the table shows none."""
    fixed: Mapping[str, Parameter] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    kinds: Mapping[str, type] = field(default_factory=dict)
    """Of which type the library wants each option."""

    @property
    def tells(self) -> bool:
        """Whether players are told after moves what is new to them: moves are secret, or show what was hidden."""
        return self.traits.hidden and not self.refusal and (bool(self.tells_when) or not self.open_moves)

    def shows(self, view: str) -> bool:
        """Whether a player sees a move of another after which it has this view."""
        return self.open_moves or (bool(self.open_when) and re.search(self.open_when, view) is not None)

    def tells_of(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether players are told what is new after a move that changes their views like that."""
        if not self.tells:
            return False
        if not self.open_moves and not (self.open_when and all(self.shows(view) for view in after)):
            return True
        if self.tells_when in ("", ALWAYS):
            return bool(self.tells_when)
        return any(re.search(self.tells_when, fresh(*views)) for views in zip(before, after, strict=True))

    @property
    def looks(self) -> bool:
        """Whether the views of all are needed to know whether players are told what is new."""
        return self.tells and (bool(self.open_when) or self.tells_when not in ("", ALWAYS))

    def players(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """The players' names with these options."""
        return self.names or tuple(f"Player{index}" for index in range(1, int(values["players"]) + 1))

    def parameters(self, values: Mapping[str, str]) -> dict[str, Parameter]:
        """What the library is given."""
        found = dict(self.fixed)
        for name, kind in self.kinds.items():
            value = values[name]
            found[name] = value == "on" if kind is bool else int(value) if kind is int else value
        return found


def read_spec(text: str, path: str = "") -> GameSpec:
    """The game that a file describes.

    Raises:
        RulesError: it is no TOML, or says what cannot be.
    """
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError(f"this is no TOML: {error}", path=path) from None
    for name, value in table.items():
        if not isinstance(value, TABLES.get(name, ())):
            raise RulesError(f"{name} is not known here, or is not as it should be", path=path)
    game, title = table.get("game", ""), table.get("title", "")
    if not re.fullmatch(r"\w+", game) or not title or "\n" in title:
        raise RulesError("a game of OpenSpiel needs its name, as game, and a title of one line", path=path)
    options, kinds = [], {}
    for name, about in table.get("options", {}).items():
        option, kind = _option(name, about, path)
        options.append(option)
        kinds[name] = kind
    names = tuple(table.get("players", ()))
    counts = next((option for option in options if option.name == "players"), None)
    if bool(names) == bool(counts):
        raise RulesError("either the players have names, or there is an option players", path=path)
    return GameSpec(
        game=game,
        title=title,
        traits=_traits(table, names, counts),
        names=names,
        open_moves=table.get("open_moves", False),
        open_when=_pattern(table.get("open_when", ""), path),
        tells_when=_pattern(table.get("tells_when", ""), path),
        refusal=table.get("refusal", ""),
        rewrites=tuple((pattern, by) for pattern, by in table.get("names", ())),
        count_from=table.get("count_from"),
        fixed=table.get("fixed", {}),
        options=tuple(options),
        kinds=kinds,
    )


def _traits(table: Mapping[str, Any], names: tuple[str, ...], counts: Option | None) -> Traits:
    if counts is None:
        low = high = len(names)
    elif counts.choices:
        low, high = int(counts.choices[0]), int(counts.choices[-1])
    else:
        low, high = counts.low or 1, counts.high or MOST_PLAYERS
    secret = table.get("hidden", False) and ("tells_when" in table or not table.get("open_moves", False))
    return Traits(
        min_players=low,
        max_players=high,
        chance=table.get("chance", False) or (secret and not table.get("refusal")),
        hidden=table.get("hidden", False),
        joint=table.get("joint", False),
        zero_sum=table.get("zero_sum", True),
    )


def _pattern(text: str, path: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise RulesError(f"{text} is no pattern: {error}", path=path) from None
    return text


def _option(name: str, about: object, path: str) -> tuple[Option, type]:
    """An option and the type of its values: a switch, a range of numbers, or a list."""
    table = about if isinstance(about, dict) else {}
    default, summary = table.get("default"), table.get("summary", "")
    if isinstance(default, bool):
        return switch(name, default, summary), bool
    if isinstance(default, int) and "low" in table and "high" in table:
        return number(name, default, table["low"], table["high"], summary), int
    choices = table.get("choices", ())
    if choices and default in choices:
        kind = int if isinstance(default, int) else str
        return Option(name, str(default), summary, choices=tuple(map(str, choices))), kind
    raise RulesError(f"the option {name} needs a default, and a range or choices", path=path)
