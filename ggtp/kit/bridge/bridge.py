"""What bridges have in common: engines whose moves are chosen by a program that speaks another protocol.

    class Uci(Bridge):
        kind = "uci"

        def greet(self) -> list[Setting]:
            self.program.send("uci")
            self.program.expect("uciok", GREETING_SECONDS, heard=...)
            ...

        def choose(self, game: Game, budget: Budget) -> Move:
            ...

    if __name__ == "__main__":
        sys.exit(run_bridge(Uci))

The program is started before the referee is told that we are there, so that one which is missing or broken is refused
in a sentence, and its options are among ours. If it fails later, the bridge ends with that sentence as its last words,
and the referee does what it does with any engine that ends.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import ClassVar

from ggtp.errors import EngineError
from ggtp.game import Option, duration
from ggtp.kit.bridge.channel import ForeignProgram
from ggtp.kit.engine import Budget, Engine
from ggtp.kit.program import FAILED, USAGE, logger, run
from ggtp.kit.settings import HOUSE_OPTIONS
from ggtp.protocol.text import split_map

GREETING_SECONDS = 8.0
"""How long a program may take to say who it is; the referee waits for us no longer than its `connect_time`."""
STOP_SECONDS = 3.0
"""How long a program may take to move once it is told to."""
UNTIMED_MS = 1000
MOST_MS = 86_400_000
OVERHEAD = 0.01
"""Seconds of each move that the way to the program and back may take."""
MOST_OPTIONS = 500

MOVE_TIME = "move_time"
TIME_CONTROL = "time_control"
BRIDGE_OPTIONS = (
    duration(MOVE_TIME, UNTIMED_MS, 1, MOST_MS, "milliseconds for a move where the referee sets no limit"),
    Option(TIME_CONTROL, "", "the referee's clocks in milliseconds, as in move=0, bank=60000, increment=1000"),
)
THREADS = "threads"
"""The option that every engine has and that is the program's too."""
PRESS = "press"
"""What a button of the program's is set to."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of the foreign program."""

    name: str
    """As the program spells it, blanks and all."""
    option: Option
    """As ours; its name is `public_name` of the program's."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What our values are in the program's words, where they differ."""

    @property
    def button(self) -> bool:
        """Whether it has no value: to set it does something."""
        return self.option.choices == (PRESS,)

    def spoken(self, value: str) -> str:
        """A value in the program's words; a number beyond its range is the nearest that it takes."""
        option = self.option
        if option.low is not None or option.high is not None:
            least = int(value) if option.low is None else max(int(value), option.low)
            return str(least if option.high is None else min(least, option.high))
        return self.words.get(value, value)


def public_name(name: str) -> str:
    """A program's name of an option as one word, which is all that a command has room for."""
    return "_".join("".join(char if char.isprintable() and char not in "=,\"'" else " " for char in name).split())


@dataclass(frozen=True, slots=True)
class Clock:
    """What a program is told of the time for its move, in seconds."""

    seconds: float
    """For this move; with a bank, all that is left in it."""
    bank: bool = False
    """Whether it is a bank for the rest of the play, to be divided by the program."""
    increment: float = 0.0


class Bridge(Engine):
    """An engine behind which a foreign program thinks. Order: `open`, all that an `Engine` does, `close`."""

    kind: ClassVar[str]
    """What stands before the colon."""
    farewell: ClassVar[tuple[str, ...]] = ("quit",)
    own_options: ClassVar[tuple[Option, ...]] = ()
    """Options of the bridge's own, beside the program's."""

    def __init__(self, command: Sequence[str]) -> None:
        """A bridge to the program of that command, not yet started."""
        self.command = tuple(command)
        self.name = f"{self.kind}:{PurePath(self.command[0]).name}"
        self.variables: dict[str, str] = {}
        """What is added to the program's environment."""
        self._program: ForeignProgram | None = None
        self._settings: dict[str, Setting] = {}
        self._sent: dict[str, str] = {}
        self._pressed: list[str] = []

    # To be written.

    @abstractmethod
    def greet(self) -> Iterable[Setting]:
        """Shake hands with the program, which has just been started; the answer is what can be set.

        Raises:
            EngineError: it is no such program.
        """

    # The program.

    @property
    def program(self) -> ForeignProgram:
        """The program, once `open` has been called."""
        assert self._program is not None
        return self._program

    def open(self) -> None:
        """Start the program and shake hands.

        Raises:
            EngineError: that failed; nothing of it is left.
        """
        self._program = ForeignProgram(self.command, variables=self.variables)
        try:
            self._adopt(self.greet())
        except EngineError:
            self.close()
            raise

    def reopen(self) -> None:
        """Start the program anew: for one that thinks on about what nobody wants to know, and can't be told so.

        Raises:
            EngineError: it failed.
        """
        self.program.close(grace=0.0)
        self._settings, self._sent = {}, {}
        self.open()

    def close(self) -> None:
        """Send the program away."""
        if self._program is not None:
            self._program.close(*self.farewell)

    def await_answer(
        self,
        budget: Budget,
        wanted: str | Callable[[str], bool],
        *,
        stop: Sequence[str] = (),
        heard: Callable[[str], None] | None = None,
    ) -> str:
        """The program's answer to a question that it thinks about; it is told to `stop` when the time is over.

        Raises:
            EngineError: there is none, even after that.
        """
        # Time without end is the referee's to bound: it takes the request back, or ends us.
        line = self.program.expect(wanted, float("inf"), heard=heard, given_up=budget.should_stop)
        if line:
            return line
        if stop:
            self.program.send(*stop)
        return self.program.expect(wanted, STOP_SECONDS, heard=heard)

    # Options.

    def _adopt(self, settings: Iterable[Setting]) -> None:
        """Make the program's options ours. Threads are there once; what else is taken gets a line behind its name."""
        house = {option.name.casefold() for option in (*HOUSE_OPTIONS, *BRIDGE_OPTIONS, *self.own_options)}
        taken: set[str] = set()
        own: list[Option] = []
        for setting in settings:
            name = setting.option.name
            if not name or name.casefold() in taken or len(taken) >= MOST_OPTIONS:
                continue
            taken.add(name.casefold())
            if name.casefold() == THREADS:
                name = THREADS
            else:
                name = f"{name}_" if name.casefold() in house else name
                own.append(replace(setting.option, name=name))
            self._settings[name] = setting
            if not setting.button:
                self._sent[name] = setting.spoken(setting.option.default)
        self.options = (*own, *self.own_options, *BRIDGE_OPTIONS)

    def changed(self, option: str, value: str) -> None:
        """Buttons are pressed before the next move is asked for."""
        setting = self._settings.get(option)
        if setting is not None and setting.button:
            self._pressed.append(option)

    def unsent(self, values: Mapping[str, str]) -> list[tuple[str, str | None]]:
        """What the program has to be told before it thinks: its options' names and values, None for buttons.

        They count as told afterwards.
        """
        found: list[tuple[str, str | None]] = []
        for name, setting in self._settings.items():
            if setting.button or name not in values:
                continue
            value = setting.spoken(values[name])
            if value != self._sent.get(name):
                self._sent[name] = value
                found.append((setting.name, value))
        pressed, self._pressed = self._pressed, []
        return found + [(self._settings[name].name, None) for name in pressed]

    def clock(self, values: Mapping[str, str], budget: Budget) -> Clock:
        """The time for the move that is asked for now."""
        left = budget.remaining()
        if left is None:
            return Clock(int(values[MOVE_TIME]) / 1000)
        left = max(0.001, left - OVERHEAD)
        control = {name: _milliseconds(text) for name, text in split_map(values[TIME_CONTROL]).items()}
        bank, move = control.get("bank", 0.0), control.get("move", 0.0)
        # With both, the smaller one is what we are told: it is the bank only if it is less than a move may take.
        if bank and (not move or left < 0.9 * move):
            return Clock(left, bank=True, increment=control.get("increment", 0.0))
        return Clock(left)


def run_bridge(make: Callable[[Sequence[str]], Bridge], argv: Sequence[str] | None = None) -> int:
    """Be a bridge: `PROGRAM [options of every engine] -- COMMAND`; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    cut = words.index("--") if "--" in words else len(words)
    own, command = words[:cut], words[cut + 1 :]
    if not command:
        logger("bridge")("name the program behind --, as in: ENDPOINT -- stockfish")
        return USAGE
    engine = make(command)
    log = logger(engine.name)
    try:
        engine.open()
    except EngineError as error:
        for line in error.last_words.splitlines():
            log(line)
        log(str(error))
        return FAILED
    try:
        return run(engine, own)
    finally:
        engine.close()


def _milliseconds(text: str) -> float:
    try:
        return max(0.0, float(text) / 1000)
    except ValueError:
        return 0.0
