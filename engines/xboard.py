"""XBoard: a program that speaks the Chess Engine Communication Protocol, version 2, as an engine: `xboard:phalanx`.

The program is told what has been played since it last knew, in force mode, and then to go. After an undo it is told the
play anew from its start. It may resign, offer a draw or claim that the game is over; none of that is known to the
referee, so each has its place here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ggtp.errors import EngineError, EngineTimedOut
from ggtp.game import Move, Option, Rules, number, switch
from ggtp.kit import Budget, Game
from ggtp.kit.bridge.bridge import (
    GREETING_SECONDS,
    PRESS,
    STOP_SECONDS,
    Bridge,
    Clock,
    Setting,
    public_name,
    run_bridge,
)
from ggtp.kit.bridge.notations import CHESS, Tongue, fen_after, tongue_of
from ggtp.kit.bridge.uci import worth

PONG_SECONDS = 5.0
SHORT = 2.0
"""Whole seconds are all that `st` knows: for less, the program is told of a clock that it will not use up."""
SHARE = 10
"""How many moves such a clock is for; programs think that there are more."""
RESERVE = 0.3
"""Seconds before the end of its time at which a program is told to move: some look for input only so often."""
GIVE_UP = 0.5
"""Seconds that a program has to move once it was told so and nobody wants its move any more."""
LOSE, PLAY_ON = "lose", "play_on"
RESIGN = "resign"
MATE = 90_000
"""A score so far from zero is a mate."""
MOST_LINE = 200

_FEATURE = re.compile(r'([\w-]+)=("[^"]*"|\S+)')
_THOUGHT = re.compile(r"(\d{1,4})\S?\s+(-?\d{1,9})\s+(\d{1,12})\s+(\d{1,18})(?:\s+(.*))?")
_MOVE = re.compile(r"(?:move|my move is:?)\s+(\S+)", re.IGNORECASE)
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2)(?:\s.*)?")
_ILLEGAL = re.compile(r"illegal move\b[^:]*:\s*(\S+).*", re.IGNORECASE)
_REPLIES = (_MOVE, _RESULT, re.compile(r"(?:tellics\s+)?resign\b.*", re.IGNORECASE))


def read_features(line: str) -> list[tuple[str, str]]:
    """What a line `feature name=value name="some text" ...` says; a name may stand there more than once."""
    if not line.startswith("feature "):
        return []
    return [(name, value.strip('"')) for name, value in _FEATURE.findall(line)]


def read_option(text: str) -> Setting | None:
    """The option that a feature offers, as in `Resign Threshold -spin 800 200 1200`; None where we could not set it."""
    found = re.fullmatch(r"(.+?)\s+-(\w+)(?:\s+(.*))?", text.strip())
    if found is None or not (name := public_name(found[1])):
        return None
    words, kind, rest = found[1], found[2], (found[3] or "").strip()
    match kind:
        case "check":
            return Setting(words, switch(name, rest == "1", ""), {"on": "1", "off": "0"})
        case "spin" | "slider":
            with suppress(ValueError):
                default, low, high = map(int, rest.split())
                return Setting(words, number(name, default, low, high, ""))
            return None
        case "combo":
            choices = [choice.strip() for choice in rest.split("///")]
            chosen = next((choice for choice in choices if choice.startswith("*")), choices[0])
            plain = tuple(dict.fromkeys(choice.removeprefix("*") for choice in choices))
            return Setting(words, Option(name, chosen.removeprefix("*"), choices=plain)) if all(plain) else None
        case "button" | "save" | "reset":
            return Setting(words, Option(name, "", choices=(PRESS,)))
        case "string" | "file" | "path":
            return Setting(words, Option(name, rest))
        case _:
            return None


class XBoard(Bridge):
    """Plays chess."""

    kind = "xboard"
    own_options = (
        number("depth", 0, 0, 1000, "how many moves deep to search at most; 0: as deep as time allows"),
        number("hash", 0, 0, 1 << 20, "mebibytes for the program's tables, if it lets us say so; 0: its own choice"),
        Option("resign", LOSE, "what follows when the program resigns", choices=(LOSE, PLAY_ON)),
    )

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self._features: dict[str, str] = {}
        self._told: list[Move] | None = None
        """The moves that the program knows of, from `_start`; None where it has to be told all anew."""
        self._start = ""
        self._over = ""
        """The result that the program has claimed for the play that it knows of."""
        self._pings = 0
        self._unsure: set[str] = set()
        """Moves of the play that the program may still find illegal."""
        self._given: dict[str, str] = {}
        self._thought: dict[str, object] = {}

    # Shaking hands.

    def greet(self) -> list[Setting]:
        """Learn the program's features and options; each is answered at once, since some wait for it."""
        settings: list[Setting] = []
        self.program.send("xboard", "protover 2")
        done = False
        while not done:
            found = read_features(self._greeting())
            for name, value in found:
                self.program.send(f"{'rejected' if name == 'san' else 'accepted'} {name}")
                done = done or (name, value) == ("done", "1")
                if name == "option" and (setting := read_option(value)) is not None:
                    settings.append(setting)
            self._features |= dict(found)
        return settings

    def _greeting(self) -> str:
        try:
            return self.program.expect("feature", GREETING_SECONDS)
        except EngineTimedOut as error:
            raise EngineError(
                f"{self.program.name} does not speak the XBoard protocol, version 2: it has not told its features "
                f"within {GREETING_SECONDS:g} s.",
                error.last_words,
            ) from None

    def _has(self, feature: str, default: str = "0") -> bool:
        return self._features.get(feature, default) == "1"

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Chess, and from other positions only if the program can be told one."""
        tongue = tongue_of(rules, values)
        if tongue is None or tongue.variant != CHESS:
            return f"{rules.name} can't be spoken of with {self.kind}."
        if tongue.start and not self._has("setboard"):
            return f"{self.program.name} begins from the usual position only: it has no feature setboard."
        return None

    # Playing.

    def new_game(self, game: Game, budget: Budget) -> None:
        """The program hears of it before its first move, when all is said at once."""
        self._told = None

    def choose(self, game: Game, budget: Budget) -> Move:
        """The program's move."""
        tongue = tongue_of(game.rules, game.rule_options)
        assert tongue is not None
        history = [move for _, move in game.history]
        self._thought = {}
        self._drain()
        self._tell_options(game)
        self._tell_play(tongue, history, game)
        answer = self._go(game, budget)
        if _RESULT.fullmatch(answer):
            # It takes the game for over, as after a third repetition: without its past it has to go on.
            answer = self._ask_afresh(tongue, history, answer, game, budget)
        if budget.withdrawn and not answer:
            return game.moves()[0]  # it goes nowhere
        self.report(**self._thought)
        found = _MOVE.fullmatch(answer)
        if found is None:
            self._told = None
            return game.rng.choice(game.moves()) if game.settings[RESIGN] == PLAY_ON else RESIGN
        move = tongue.read(found[1], game.moves(), history)
        self.program.send("force")
        if self._told is not None:
            self._told.append(move)
        return move

    def _tell_options(self, game: Game) -> None:
        for name, value in self.unsent(game.settings):
            self.program.send(f"option {name}" + ("" if value is None else f"={value}"))
        wanted = {}
        if self._has("memory") and game.settings["hash"] != "0":
            wanted["memory"] = game.settings["hash"]
        if self._has("smp"):
            wanted["cores"] = game.settings["threads"]
        for name, value in wanted.items():
            if self._given.get(name) != value:
                self.program.send(f"{name} {value}")
        self._given |= wanted

    def _tell_play(self, tongue: Tongue, history: list[Move], game: Game) -> None:
        """Bring the program to where the play stands; it moves for nobody meanwhile."""
        told = self._told
        if told is None or self._over or self._start != tongue.start or history[: len(told)] != told:
            self._begin(tongue.start)
            told = self._told = []
        prefix = "usermove " if self._has("usermove") else ""
        news = tongue.line(history)[len(told) :]
        self.program.send(*(f"{prefix}{move}" for move in news))
        self._synchronise(set(news))
        self._told = list(history)

    def _begin(self, fen: str) -> None:
        self._start, self._over = fen, ""
        lines = ["new", "force", "easy", "post"]
        if fen:
            lines.append(f"setboard {fen}")
        self.program.send(*lines)

    def _synchronise(self, moves: set[str]) -> None:
        """Wait until the program has read everything, and hear whether it has understood the moves."""
        self._unsure = moves
        if self._has("ping"):
            self._pings += 1
            self.program.send(f"ping {self._pings}")
            self.program.expect(f"pong {self._pings}", PONG_SECONDS, heard=self._hear)
            self._unsure = set()

    def _go(self, game: Game, budget: Budget) -> str:
        """Let the program think; its move, its resignation, or the result that it claims."""
        clock = self.clock(game.settings, budget)
        self.program.send(*self._clock_lines(game, clock), "go")
        early = Budget(clock.seconds - min(RESERVE, clock.seconds / 4))
        if budget.deadline is None and game.settings["depth"] != "0":
            early = Budget()
        answer = self.program.expect(
            _is_reply, float("inf"), heard=self._hear, given_up=lambda: early.should_stop() or budget.should_stop()
        )
        return answer or self._hurry(budget)

    def _hurry(self, budget: Budget) -> str:
        """Tell the program to move now; one that does not know how may use what is left of its time."""
        self.program.send("?")
        left = budget.remaining()
        patience = GIVE_UP if budget.withdrawn else GIVE_UP if left is None else max(0.05, left)
        with suppress(EngineTimedOut):
            answer = self.program.expect(
                _is_reply, patience, heard=self._hear, given_up=lambda: budget.withdrawn and patience > GIVE_UP
            )
            if answer:
                return answer
        if budget.withdrawn:
            # Nobody wants the move, and it would keep the program from the next one.
            self.reopen()
            self._told, self._given = None, {}
            return ""
        return self.program.expect(_is_reply, STOP_SECONDS, heard=self._hear)

    def _clock_lines(self, game: Game, clock: Clock) -> list[str]:
        lines = [] if game.settings["depth"] == "0" else [f"sd {game.settings['depth']}"]
        if clock.bank:
            left, increment = clock.seconds, int(clock.increment)
        elif clock.seconds >= SHORT:
            return [*lines, f"st {int(clock.seconds - RESERVE)}"]
        else:
            left, increment = clock.seconds * SHARE, 0
        whole = max(1, round(left))
        lines.append(f"level 0 {whole // 60}:{whole % 60:02} {increment}")
        if self._has("time", "1"):
            lines += [f"time {max(1, int(left * 100))}", f"otim {max(1, int(left * 100))}"]
        return lines

    def _ask_afresh(self, tongue: Tongue, history: list[Move], claim: str, game: Game, budget: Budget) -> str:
        if self._has("setboard"):
            self._begin(fen_after(tongue.start, tongue.line(history)))
            self._synchronise(set())
            self._told = None  # it does not know how the play came here
            answer = self._go(game, budget)
            if not _RESULT.fullmatch(answer):
                return answer
        raise EngineError(f"{self.program.name} says that the game is over, {claim}, but it goes on.")

    # Listening.

    def _drain(self) -> None:
        """Take in what the program has said since its last move."""
        while (line := self.program.receive(0.0)) is not None:
            if _RESULT.fullmatch(line):
                self._over = line

    def _hear(self, line: str) -> None:
        wrong = _ILLEGAL.fullmatch(line)
        if wrong is not None and wrong[1] in self._unsure:
            raise EngineError(f"{self.program.name} takes the move {wrong[1]} of the play for illegal.")
        found = _THOUGHT.fullmatch(line)
        if found is not None and found[1] != "0":
            score = int(found[2])
            text = f"mate {'-' if score < 0 else '+'}" if abs(score) >= MATE else f"cp {score}"
            facts: dict[str, object] = {
                "value": f"{worth(text):.1f}",
                "score": text,
                "depth": int(found[1]),
                "nodes": int(found[4]),
            }
            pv = {"line": found[5][:MOST_LINE]} if found[5] else {}
            self._thought = {**facts, **pv, **{key: self._thought[key] for key in self._thought if key == "offer"}}
        elif line.startswith("offer draw"):
            self._thought["offer"] = "draw"


def _is_reply(line: str) -> bool:
    return any(pattern.fullmatch(line) for pattern in _REPLIES)


if __name__ == "__main__":
    sys.exit(run_bridge(XBoard))
