"""Programs that speak the Universal Chess Interface, or its sister for shogi, as engines.

The interface is a conversation: `uci` is answered with the program's options and `uciok`; `position` and `go` with
lines of `info` and one `bestmove`; `isready` with `readyok` whatever else goes on. The whole play is told anew before
each move, so that undo and redo need nothing of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

from ggtp.errors import EngineTimedOut
from ggtp.game import Move, Option, Rules, number, switch
from ggtp.kit.bridge.bridge import GREETING_SECONDS, PRESS, Bridge, Clock, Setting, public_name
from ggtp.kit.bridge.notations import BREAKTHROUGH, CHESS, SHOGI, XIANGQI, Tongue, tongue_of
from ggtp.kit.engine import Budget, Game

START_SECONDS = 2.0
"""How long a new game waits for the program to be ready; if that takes longer, the first move waits for it."""
READY_SECONDS = 10.0
MOST_NODES = 1 << 40
MOST_LINE = 40
"""So many moves of a principal variation are reported."""

DEPTH, NODES = "depth", "nodes"
SEARCH_OPTIONS = (
    number(DEPTH, 0, 0, 1000, "how many moves deep to search at most; 0: as deep as time allows"),
    number(NODES, 0, 0, MOST_NODES, "how many positions to search at most; 0: as many as time allows"),
)
VARIANT = "UCI_Variant"
OURS = frozenset({VARIANT.casefold(), "uci_chess960", "ponder", "usi_ponder", "protocol", "uci_analysemode"})
"""Options of programs that follow from the rule, or from how a referee plays: nobody else sets them."""
_SCORE = re.compile(r"cp -?\d{1,9}|mate (?:[+-]?\d{1,9}|[+-])")
_FIELDS = re.compile(r"(?:^|\s)(name|type|default|min|max|var)(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the two."""

    greeting: str
    greeted: str
    new_game: str
    variants: tuple[str, ...]
    """What is spoken of in it, as `ggtp.kit.bridge.notations` calls it; the first needs no option."""
    first: tuple[str, str]
    """What the clocks of the first and the second player are called."""
    exactly: str
    """How to ask for a move that takes so many milliseconds."""


UCI = Dialect("uci", "uciok", "ucinewgame", (CHESS, XIANGQI, BREAKTHROUGH), ("w", "b"), "movetime")
USI = Dialect("usi", "usiok", "usinewgame", (SHOGI,), ("b", "w"), "btime 0 wtime 0 byoyomi")


@dataclass(slots=True)
class Found:
    """What a program says about its search, as far as it goes."""

    facts: dict[str, str] = field(default_factory=dict)

    def hear(self, line: str) -> None:
        """Take in a line of `info`; of several variations only the first counts."""
        words = line.split()
        if not words or words[0] != "info":
            return
        told = _info(words[1:])
        if told.get("multipv", "1") != "1" or ("score" in told and "bound" in told):
            return
        self.facts.update(told)

    def report(self) -> dict[str, object]:
        """The facts, in the words that all engines use."""
        facts = self.facts
        known: dict[str, object] = {name: facts[name] for name in ("depth", "nodes", "seldepth") if name in facts}
        score = facts.get("score", "")
        value = {"value": f"{worth(score):.1f}", "score": score} if score else {}
        line = {"line": facts["pv"]} if "pv" in facts else {}
        return {**value, **known, **line}


def worth(score: str) -> float:
    """What a score means in points from 0 to 100: `cp 35` is hundredths of a pawn, `mate -3` is lost in three."""
    kind, _, amount = score.partition(" ")
    if kind == "mate":
        return 0.0 if amount.startswith("-") or amount == "0" else 100.0
    units = int(amount)
    return 100.0 / (1.0 + math.pow(10.0, max(-4000, min(4000, -units)) / 400.0))


def _info(words: list[str]) -> dict[str, str]:
    told: dict[str, str] = {}
    index = 0
    while index < len(words):
        word, index = words[index], index + 1
        if word in ("depth", "seldepth", "nodes", "multipv", "time", "nps"):
            if index < len(words) and words[index].isdecimal():
                told[word] = words[index]
            index += 1
        elif word == "score":
            score = " ".join(words[index : index + 2])
            if _SCORE.fullmatch(score):
                told["score"] = score
            index += 2
        elif word in ("lowerbound", "upperbound"):
            told["bound"] = word
        elif word == "pv":
            told["pv"] = " ".join(words[index : index + MOST_LINE])
            break
        elif word == "string":
            break
    return told


def read_option(line: str) -> Setting | None:
    """The option that a line of the greeting offers; None where it offers none that we could set."""
    if not line.startswith("option "):
        return None
    parts = _FIELDS.split(line[len("option") :])
    fields: dict[str, list[str]] = {}
    for key, text in zip(parts[1::2], parts[2::2], strict=True):
        fields.setdefault(key, []).append(text.strip())
    name = fields.get("name", [""])[0]
    public = public_name(name)
    if not public or name.casefold() in OURS:
        return None
    default = fields.get("default", [""])[0]
    match fields.get("type", [""])[0]:
        case "check":
            return Setting(name, switch(public, default == "true", ""), {"on": "true", "off": "false"})
        case "spin":
            with suppress(ValueError, IndexError):
                return Setting(name, number(public, int(default), int(fields["min"][0]), int(fields["max"][0]), ""))
            return None
        case "combo":
            choices = tuple(dict.fromkeys(fields.get("var", [])))
            return Setting(name, Option(public, default, choices=choices)) if choices else None
        case "button":
            return Setting(name, Option(public, "", choices=(PRESS,)))
        case "string" | "filename":
            return Setting(name, Option(public, "" if default == "<empty>" else default), {"": "<empty>"})
        case _:
            return None


class UciBridge(Bridge):
    """A program of the one dialect or the other."""

    own_options = SEARCH_OPTIONS
    dialect: ClassVar[Dialect]

    def __init__(self, command: Iterable[str]) -> None:
        super().__init__(tuple(command))
        self._variants: tuple[str, ...] = ()
        """What the program says that it plays; empty where it says nothing."""
        self._variant = ""
        """What it was told to play."""
        self._unready = 0
        """How many times it still has to say that it is ready."""

    def greet(self) -> list[Setting]:
        """Learn the program's options."""
        lines: list[str] = []
        self.program.send(self.dialect.greeting)
        self.program.expect(self.dialect.greeted, GREETING_SECONDS, heard=lines.append)
        for line in lines:
            if line.startswith(f"option name {VARIANT} type combo"):
                self._variants = tuple(line.split(" var ")[1:])
                self._variant = line.partition(" default ")[2].partition(" var ")[0].strip()
        return [setting for setting in map(read_option, lines) if setting is not None]

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """What the program has words for."""
        tongue = tongue_of(rules, values)
        if tongue is None or tongue.variant not in self.dialect.variants:
            return f"{rules.name} can't be spoken of in {self.kind.upper()}."
        usual = self._variant or self.dialect.variants[0]
        if tongue.variant != usual and tongue.variant not in self._variants:
            return f"{self.program.name} does not play {tongue.variant}: it has no option {VARIANT} for it."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Tell the program, and give it a moment to forget what it knew."""
        self._catch_up(START_SECONDS)
        self._tell_options(game)
        self._ask_ready(self.dialect.new_game)
        self._catch_up(START_SECONDS)

    def choose(self, game: Game, budget: Budget) -> Move:
        """The program's best move; what it says of its search is reported."""
        tongue = tongue_of(game.rules, game.rule_options)
        assert tongue is not None
        self._tell_options(game)
        if self._unready:
            self.program.expect(self._is_last_ready, READY_SECONDS)
        clock = self.clock(game.settings, budget)
        self.program.send(self._position(tongue, game), self._go(tongue, game, clock, budget))
        found = Found()
        answer = self.await_answer(budget, "bestmove", stop=("stop",), heard=found.hear)
        self.report(**found.report())
        best = answer.split()[1:2] or ["(none)"]
        return tongue.read(best[0], game.moves(), [move for _, move in game.history])

    # What is said.

    def _tell_options(self, game: Game) -> None:
        tongue = tongue_of(game.rules, game.rule_options)
        lines = []
        if tongue is not None and self._variants and tongue.variant != self._variant:
            lines.append(f"setoption name {VARIANT} value {tongue.variant}")
            self._variant = tongue.variant
        for name, value in self.unsent(game.settings):
            lines.append(f"setoption name {name}" + ("" if value is None else f" value {value}".rstrip()))
        if lines:
            self._ask_ready(*lines)

    def _ask_ready(self, *lines: str) -> None:
        self.program.send(*lines, "isready")
        self._unready += 1

    def _is_last_ready(self, line: str) -> bool:
        if line == "readyok" and self._unready:
            self._unready -= 1
            return not self._unready
        return False

    def _catch_up(self, seconds: float) -> None:
        """Wait a moment until the program is ready; if it is not, whoever needs it waits again."""
        with suppress(EngineTimedOut):
            if self._unready:
                self.program.expect(self._is_last_ready, seconds)

    def _position(self, tongue: Tongue, game: Game) -> str:
        start = f"fen {tongue.start}" if tongue.start else "startpos"
        moves = " ".join(tongue.line([move for _, move in game.history]))
        return f"position {start} moves {moves}" if moves else f"position {start}"

    def _go(self, tongue: Tongue, game: Game, clock: Clock, budget: Budget) -> str:
        depth, nodes = int(game.settings[DEPTH]), int(game.settings[NODES])
        words = ["go"]
        if depth:
            words.append(f"depth {depth}")
        if nodes:
            words.append(f"nodes {nodes}")
        milliseconds = max(1, int(clock.seconds * 1000))
        if clock.bank:
            first, second = self.dialect.first
            added = int(clock.increment * 1000)
            # Nobody tells us the other player's clock; the same for both is what programs take best.
            words.append(
                f"{first}time {milliseconds} {second}time {milliseconds} {first}inc {added} {second}inc {added}"
            )
        elif budget.deadline is not None or not (depth or nodes):
            words.append(
                f"movetime {milliseconds}" if self.dialect is UCI else f"btime 0 wtime 0 byoyomi {milliseconds}"
            )
        return " ".join(words)
