"""Matches: engines against each other at one rule, and the plan that this is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ggtp.errors import OptionError
from ggtp.game.durations import Control, read_control
from ggtp.game.names import did_you_mean, match_name
from ggtp.tournament.plan.clocks import UNLIMITED, Clocks
from ggtp.tournament.plan.plan import Contestant, Plan, PlanError, Sprt, plan_from
from ggtp.tournament.schedule.schedule import count_games

BEHIND_BRIDGE = re.compile(
    r"""(?P<command>"[^"]*"|'[^']*'|.*?)(?::(?P<options>[^\s:=,"'/]+=[^,]*(?:,[^\s:=,"'/]+=[^,]*)*))?""", re.DOTALL
)
"""The command of a foreign program, and its options."""

SPRT_WORDS = tuple(Sprt.__dataclass_fields__)
"""The keys of a sequential test."""


@dataclass(frozen=True, slots=True)
class Match:
    """Engines, a rule, and how many games they play."""

    players: Sequence[Contestant]
    rule: str
    """The name of the rule, or the path of its file."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The rule's options."""
    games: int = 100
    """At least so many games; they are rounded up to whole blocks."""
    starts: Sequence[str] = ()
    """The paths of play files, or of games or positions in other notations, to begin from."""
    plies: int = 0
    """At most so many moves of each; 0 for all."""
    random_moves: int = 0
    """How many moves at random follow."""
    clocks: Clocks = UNLIMITED
    length: int = 0
    """After so many moves a game is a draw; 0 never."""
    seed: int | None = None
    scramble: int = 0
    """Where not 0, engines are told the rules in made-up words, which follow from this number."""
    repeats: int = 10
    """As a plan has it."""
    sandbox: str = "standard"
    """As a plan has it, like the next two."""
    network: str = "asked"
    deals: str = "auto"
    sprt: Mapping[str, float | str] | None = None
    """A sequential test that ends the match, as a plan has it."""

    def data(self) -> dict[str, Any]:
        """The match as a plan's mapping, in which rules and start positions are still to be looked up."""
        clocks = self.clocks
        rule: dict[str, Any] = {"rule": self.rule, "options": dict(self.options), "scramble": self.scramble}
        if self.starts:
            rule["start"] = [{"file": path, **({"plies": self.plies} if self.plies else {})} for path in self.starts]
        if self.random_moves:
            rule["random_moves"] = self.random_moves
        seed = {} if self.seed is None else {"seed": self.seed}
        return {
            "name": "match",
            "format": "round-robin",
            "blocks": self.games,
            **seed,
            "time": {name: getattr(clocks, name) for name in clocks.__dataclass_fields__},
            "repeats": self.repeats,
            "sandbox": self.sandbox,
            "network": self.network,
            "deals": self.deals,
            **({} if self.sprt is None else {"sprt": dict(self.sprt)}),
            "adjudicate": {"length": self.length},
            "player": [
                {
                    "name": player.name,
                    "engine": player.engine,
                    "options": player.options,
                    "restart": player.restart,
                    "time": player.clocks,
                }
                for player in self.players
            ],
            "rule": [rule],
        }

    def sized(self, plan: Plan) -> Plan:
        """The plan of this match, once seats and start positions are known, with as many blocks as its games take.

        Raises:
            PlanError: there are too many players.
        """
        if len(plan.rules[0].seats) == 1 or len(plan.rules[0].seats) >= len(plan.players):
            plan = plan_from({**plan.data(), "format": "match"})  # else everybody meets everybody
        block = count_games(replace(plan, blocks=1))
        if block is None:
            raise PlanError("There are too many players for one match.")
        return plan_from({**plan.data(), "blocks": -(-self.games // block)})


def contestants(words: Iterable[str], kinds: Collection[str] = (), *, restart: bool = False) -> tuple[Contestant, ...]:
    """The players that words mean, each `NAME=ENGINE:OPTION=VALUE,...`; those that would be called the same are
    numbered.

    Args:
        words: one for each player.
        kinds: the kinds of bridges, as in `uci:stockfish`.
        restart: whether engines are started anew for each game.

    Raises:
        OptionError: an option without a value, or no engine.
    """
    players: list[Contestant] = []
    taken: set[str] = set()
    for word in words:
        name, engine, options = parse_player(word, kinds)
        number = 2
        unique = name
        while unique.casefold() in taken:
            unique = f"{name}-{number}"
            number += 1
        taken.add(unique.casefold())
        players.append(Contestant(unique, engine, options, restart))
    return tuple(players)


def with_time_odds(players: Iterable[Contestant], odds: Mapping[str, Control]) -> tuple[Contestant, ...]:
    """The players, some of them with clocks of their own, by name.

    Raises:
        OptionError: nobody has that name.
    """
    by_name = {player.name: player for player in players}
    for name, control in odds.items():
        found = match_name(name, by_name)
        if found is None:
            hint = did_you_mean(name, by_name)
            raise OptionError(f"--time {name}={control.text()}: no player is called {name}.{hint}")
        by_name[found] = replace(by_name[found], clocks=control._asdict())
    return tuple(by_name.values())


def parse_time(text: str) -> tuple[str, Control]:
    """`PLAYER=CONTROL`, or `CONTROL` for all; then the player is empty.

    Raises:
        OptionError: it is no time control.
    """
    player, _, control = text.rpartition("=")
    return player, read_control(control)


def parse_sprt(text: str) -> dict[str, float | str]:
    """A sequential test as a plan has it: `elo0=0,elo1=5`, and perhaps alpha, beta and model.

    Raises:
        OptionError: a name is unknown or comes twice, or a value is no number.
    """
    found: dict[str, float | str] = {}
    for part in text.split(","):
        name, value = parse_option(part)
        if name not in SPRT_WORDS:
            known = ", ".join(SPRT_WORDS)
            hint = did_you_mean(name, SPRT_WORDS)
            raise OptionError(f"{name} is no part of a sequential test: there are {known}.{hint}")
        if name in found:
            raise OptionError(f"{name} is given twice in {text}.")
        try:
            found[name] = value if name == "model" else float(value)
        except ValueError:
            raise OptionError(f"{name} must be a number, not '{value}'.") from None
    return found


def parse_player(word: str, kinds: Collection[str] = ()) -> tuple[str, str, dict[str, str]]:
    """`NAME=ENGINE:OPTION=VALUE,...`: the name, the engine and its options; without a name the word is one.

    An engine may be `KIND:command` with one of the kinds of bridges. Its command may have colons, so only what looks
    like options behind the last one is taken for them; a command that looks so itself is put in quotes.

    Raises:
        OptionError: an option without a value, or no engine.
    """
    name, equals, rest = word.partition("=")
    if not equals or ":" in name:
        name, rest = word, word
    engine, _, tail = rest.partition(":")
    if not engine or not name:
        raise OptionError(f"{word} names no engine.")
    if match_name(engine, kinds) is not None:
        found = BEHIND_BRIDGE.fullmatch(tail)
        assert found is not None
        engine, tail = f"{engine}:{found['command']}", found["options"] or ""
    return name, engine, dict(parse_option(text) for text in tail.split(",") if text)


def parse_option(text: str) -> tuple[str, str]:
    """The name and the value of `NAME=VALUE`.

    Raises:
        OptionError: it has none.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise OptionError(f"{text} is no option: write NAME=VALUE.")
    return name, value
